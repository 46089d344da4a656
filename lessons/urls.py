from django.urls import path

from lessons import lesson_views, views

urlpatterns = [
    path("learn/", views.learn, name="learn"),
    path("lessons/", lesson_views.index, name="lessons"),
    path("lessons/<slug:slug>/", lesson_views.player, name="lesson"),
    path("lessons/<slug:slug>/do/", lesson_views.do, name="lesson_do"),
    path("lessons/<slug:slug>/room/", lesson_views.room, name="lesson_room"),
]

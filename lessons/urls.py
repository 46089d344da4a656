from django.urls import path

from lessons import views

urlpatterns = [path("learn/", views.learn, name="learn")]

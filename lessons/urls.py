from django.urls import path

from lessons import practice_views, question_views, views

urlpatterns = [
    path("learn/", views.learn, name="learn"),
    path("lessons/practice/", practice_views.practice, name="practice"),
    path("lessons/questions/<int:question_id>/", question_views.question, name="question"),
    path(
        "lessons/questions/<int:question_id>/answer/",
        question_views.answer,
        name="question_answer",
    ),
    path(
        "lessons/questions/<int:question_id>/solve/",
        question_views.solve,
        name="question_solve",
    ),
    path(
        "lessons/questions/<int:question_id>/another/",
        question_views.another,
        name="question_another",
    ),
]

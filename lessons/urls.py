from django.urls import path

from lessons import lesson_views, practice_views, question_views, studio_views, views

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
    path("graphs/", studio_views.studio, name="graphs"),
    path("graphs/deals/", studio_views.deals, name="deals"),
    path("graphs/numbers.csv", studio_views.numbers, name="graph_numbers"),
    # A lesson's address is whatever is left.
    path("lessons/", lesson_views.index, name="lessons"),
    path("lessons/<slug:slug>/", lesson_views.player, name="lesson"),
    path("lessons/<slug:slug>/do/", lesson_views.do, name="lesson_do"),
    path("lessons/<slug:slug>/room/", lesson_views.room, name="lesson_room"),
]

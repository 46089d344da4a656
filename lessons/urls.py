from django.urls import path

from lessons import (
    class_views,
    lesson_views,
    practice_views,
    question_views,
    table_views,
    views,
)

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
    path(
        "lessons/tables/<slug:table_id>/",
        table_views.table_question,
        name="table_question",
    ),
    path("lessons/tables/<slug:table_id>/ask/", table_views.table_ask, name="table_ask"),
    path(
        "lessons/tables/<slug:table_id>/forecast/",
        table_views.table_forecast,
        name="table_forecast",
    ),
    path(
        "lessons/sessions/<int:session_id>/",
        class_views.class_question,
        name="class_question",
    ),
    path(
        "teach/sessions/<int:session_id>/exercise/",
        class_views.class_exercise,
        name="class_exercise",
    ),
    path(
        "teach/sessions/<int:session_id>/exercise/do/",
        class_views.class_exercise_do,
        name="class_exercise_do",
    ),
    path(
        "teach/sessions/<int:session_id>/exercise/projector/",
        class_views.exercise_wall,
        name="exercise_wall",
    ),
    # A lesson's address is whatever is left.
    path("lessons/", lesson_views.index, name="lessons"),
    path("lessons/<slug:slug>/", lesson_views.player, name="lesson"),
    path("lessons/<slug:slug>/do/", lesson_views.do, name="lesson_do"),
    path("lessons/<slug:slug>/room/", lesson_views.room, name="lesson_room"),
]

from django.urls import path

from lessons import (
    class_views,
    data_views,
    lesson_views,
    paper_views,
    practice_views,
    question_views,
    result_views,
    room_views,
    studio_views,
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
    path("graphs/", studio_views.studio, name="graphs"),
    path("graphs/deals/", studio_views.deals, name="deals"),
    path("graphs/numbers.csv", studio_views.numbers, name="graph_numbers"),
    path("teach/sessions/<int:session_id>/lesson/", room_views.hold, name="session_lesson"),
    path(
        "teach/sessions/<int:session_id>/lesson/wall/",
        room_views.wall,
        name="session_lesson_wall",
    ),
    path("class/<int:session_id>/lesson/", room_views.told, name="class_lesson"),
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
        "teach/students/<int:student_id>/answers.jsonl",
        data_views.export_answers,
        name="student_answers",
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
    path(
        "teach/sessions/<int:session_id>/results/",
        result_views.session_results,
        name="session_results",
    ),
    path(
        "teach/sessions/<int:session_id>/results/do/",
        result_views.session_results_do,
        name="session_results_do",
    ),
    path(
        "teach/sessions/<int:session_id>/results/wall/",
        result_views.session_wall,
        name="session_wall",
    ),
    path("teach/results/names/", result_views.results_names, name="results_names"),
    path("results/<str:token>/", result_views.shared_results, name="shared_results"),
    path(
        "teach/sessions/<int:session_id>/results.xlsx",
        result_views.session_xlsx,
        name="session_xlsx",
    ),
    path(
        "teach/sessions/<int:session_id>/results/<slug:key>.csv",
        result_views.session_csv,
        name="session_csv",
    ),
    path(
        "teach/sessions/<int:session_id>/learning/",
        result_views.session_learning,
        name="session_learning",
    ),
    path(
        "teach/classrooms/<int:classroom_id>/results/",
        result_views.classroom_results,
        name="classroom_results",
    ),
    path(
        "teach/classrooms/<int:classroom_id>/results.xlsx",
        result_views.classroom_xlsx,
        name="classroom_xlsx",
    ),
    path(
        "teach/classrooms/<int:classroom_id>/results/<slug:key>.csv",
        result_views.classroom_csv,
        name="classroom_csv",
    ),
    path(
        "teach/classrooms/<int:classroom_id>/learning/",
        result_views.classroom_learning,
        name="classroom_learning",
    ),
    path(
        "teach/students/<int:student_id>/results/",
        result_views.student_results,
        name="student_results",
    ),
    path("class/<int:session_id>/results/", result_views.own_results, name="own_results"),
    # A lesson's address is whatever is left.
    path("lessons/", lesson_views.index, name="lessons"),
    path("lessons/<slug:slug>/", lesson_views.player, name="lesson"),
    path("lessons/<slug:slug>/do/", lesson_views.do, name="lesson_do"),
    path("lessons/<slug:slug>/room/", lesson_views.room, name="lesson_room"),
    path("lessons/<slug:slug>/teacher/", paper_views.guide, name="lesson_guide"),
    path("lessons/<slug:slug>/worksheet/", paper_views.worksheet, name="worksheet"),
]

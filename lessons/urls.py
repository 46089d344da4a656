from django.urls import path

from lessons.pages import (
    class_exercises,
    exports,
    learn,
    lessons,
    paper,
    practice,
    questions,
    result_files,
    results,
    rooms,
    slips,
    studio,
    tables,
)

urlpatterns = [
    path("learn/", learn.learn, name="learn"),
    path("lessons/practice/", practice.practice, name="practice"),
    path("lessons/questions/<int:question_id>/", questions.question, name="question"),
    path(
        "lessons/questions/<int:question_id>/answer/",
        questions.answer,
        name="question_answer",
    ),
    path(
        "lessons/questions/<int:question_id>/solve/",
        questions.solve,
        name="question_solve",
    ),
    path(
        "lessons/questions/<int:question_id>/another/",
        questions.another,
        name="question_another",
    ),
    path("lessons/slips/", slips.slips, name="slips"),
    path("lessons/slips/<int:slip_id>/", slips.slip, name="slip"),
    path(
        "lessons/tables/<slug:table_id>/slips/<int:number>/",
        slips.round_slips,
        name="round_slips",
    ),
    path("graphs/", studio.studio, name="graphs"),
    path("graphs/deals/", studio.deals, name="deals"),
    path("graphs/numbers.csv", studio.numbers, name="graph_numbers"),
    path("teach/sessions/<int:session_id>/lesson/", rooms.hold, name="session_lesson"),
    path(
        "teach/sessions/<int:session_id>/lesson/wall/",
        rooms.wall,
        name="session_lesson_wall",
    ),
    path("class/<int:session_id>/lesson/", rooms.told, name="class_lesson"),
    path(
        "lessons/tables/<slug:table_id>/",
        tables.table_question,
        name="table_question",
    ),
    path("lessons/tables/<slug:table_id>/ask/", tables.table_ask, name="table_ask"),
    path(
        "lessons/tables/<slug:table_id>/forecast/",
        tables.table_forecast,
        name="table_forecast",
    ),
    path(
        "lessons/sessions/<int:session_id>/",
        class_exercises.class_question,
        name="class_question",
    ),
    path(
        "teach/students/<int:student_id>/answers.jsonl",
        exports.export_answers,
        name="student_answers",
    ),
    path(
        "teach/sessions/<int:session_id>/exercise/",
        class_exercises.class_exercise,
        name="class_exercise",
    ),
    path(
        "teach/sessions/<int:session_id>/exercise/do/",
        class_exercises.class_exercise_do,
        name="class_exercise_do",
    ),
    path(
        "teach/sessions/<int:session_id>/exercise/projector/",
        class_exercises.exercise_wall,
        name="exercise_wall",
    ),
    path(
        "teach/sessions/<int:session_id>/results/",
        results.session_results,
        name="session_results",
    ),
    path(
        "teach/sessions/<int:session_id>/results/do/",
        results.session_results_do,
        name="session_results_do",
    ),
    path(
        "teach/sessions/<int:session_id>/results/wall/",
        results.session_wall,
        name="session_wall",
    ),
    path("teach/results/names/", results.results_names, name="results_names"),
    path("results/<str:token>/", results.shared_results, name="shared_results"),
    path(
        "teach/sessions/<int:session_id>/results.xlsx",
        result_files.session_xlsx,
        name="session_xlsx",
    ),
    path(
        "teach/sessions/<int:session_id>/results/<slug:key>.csv",
        result_files.session_csv,
        name="session_csv",
    ),
    path(
        "teach/sessions/<int:session_id>/learning/",
        results.session_learning,
        name="session_learning",
    ),
    path(
        "teach/classrooms/<int:classroom_id>/results/",
        results.classroom_results,
        name="classroom_results",
    ),
    path(
        "teach/classrooms/<int:classroom_id>/results.xlsx",
        result_files.classroom_xlsx,
        name="classroom_xlsx",
    ),
    path(
        "teach/classrooms/<int:classroom_id>/results/<slug:key>.csv",
        result_files.classroom_csv,
        name="classroom_csv",
    ),
    path(
        "teach/classrooms/<int:classroom_id>/learning/",
        results.classroom_learning,
        name="classroom_learning",
    ),
    path(
        "teach/students/<int:student_id>/results/",
        results.student_results,
        name="student_results",
    ),
    path("class/<int:session_id>/results/", results.own_results, name="own_results"),
    path("lessons/", lessons.index, name="lessons"),
    path("lessons/standards/", paper.crosswalk, name="standards"),
    # A lesson's address is whatever is left.
    path("lessons/<slug:slug>/", lessons.player, name="lesson"),
    path("lessons/<slug:slug>/do/", lessons.do, name="lesson_do"),
    path("lessons/<slug:slug>/room/", lessons.room, name="lesson_room"),
    path("lessons/<slug:slug>/teacher/", paper.guide, name="lesson_guide"),
    path("lessons/<slug:slug>/worksheet/", paper.worksheet, name="worksheet"),
]

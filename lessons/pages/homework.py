"""Homework as its students see it: the door, what there is to do, each part of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.analysis import NotReady
from games.analysis.jobs import StillCounting, TooMany
from games.analysis.puzzles import puzzles
from games.classes.dot_plots import COLUMNS, WIDTH, signed_mean
from games.classes.viewers import SessionView, session_viewer
from games.models import Result, Table
from games.pages.counting import answer, still_counting_page
from games.pages.joining import (
    device_lane,
    has_to_wait,
    no_class_message,
    remember_lane,
    remember_student,
)
from games.pages.puzzles import puzzle_context, verdict_on
from games.study.puzzles.words import KINDS
from games.study.replay.same_board import Own
from games.tables.rendering import GAME_NAMES, with_minus
from games.tables.viewers import Browser, find_browser, viewer_by_browser
from lessons.assessment.taking import open_to, own_lesson_context
from lessons.exercises import exercise_of
from lessons.exercises.skills import Skill
from lessons.homework import doing
from lessons.homework.by_teachers import results_of_expert
from lessons.homework.doing import BoardState
from lessons.homework.giving import open_puzzles
from lessons.homework.waiting import needs_yes, waiting_in
from lessons.measures.panels import Panel
from lessons.models import Homework, HomeworkBoard
from lessons.questions.learners import known_students
from lessons.results.homework import (
    beside_student,
    dataset_of_homework,
    dot_plots,
    fair_score_in_all,
)
from xactika_site.classrooms import services as classrooms
from xactika_site.classrooms.models import Student
from xactika_site.classrooms.selectors import (
    AT_HOME,
    NotFound,
    classroom_by_code,
    home_key,
    is_known,
)
from xactika_site.classrooms.services import Refused
from xactika_site.http import HttpRequest
from xactika_site.views import action_view, form_view, page_view

# The door.


@form_view
def door(request: HttpRequest) -> HttpResponse:
    """What the student at this browser has to do; before that the class's code and their
    phrase, which a POST brings."""
    if request.method == "POST":
        return _come_in_page(request)
    browser = find_browser(request.COOKIES, request.user)
    students = known_students(browser)
    if not students or ("code" in request.GET and not _knows(students, request.GET["code"])):
        return _door_page(request, code=request.GET.get("code", ""))
    lists = [
        {
            "student": student,
            "session": _session_of(browser, student),
            "homework": _list_of(student),
            "test": open_to(student),
            "lesson": own_lesson_context(student),
        }
        for student in students
    ]
    return render(request, "lessons/homework/list.html", {"lists": lists})


def _list_of(student: Student) -> list[tuple[Homework, bool, bool, doing.HomeworkDone, str]]:
    """The class's homework, each with whether the student waits for a yes, whether all is done,
    what is, and what is left."""
    every = doing.homework_of(student.classroom)
    done, waits = doing.done_in(every, [student.pk]), waiting_in(every, student)
    return [
        (each, each.pk in waits, own.is_all(each), own, _left_words(each, own))
        for each in every
        for own in [done[each.pk][student.pk]]
    ]


def _knows(students: list[Student], code: str) -> bool:
    classroom = classroom_by_code(code)
    return classroom is not None and classroom.pk in {s.classroom_id for s in students}


def _come_in_page(request: HttpRequest) -> HttpResponse:
    code, phrase = request.POST.get("code", ""), request.POST.get("phrase", "")
    classroom = classroom_by_code(code)
    if classroom is None or has_to_wait(request, classroom):
        message, status = no_class_message(request, code)
        return _door_page(request, code=code, phrase=phrase, code_error=message, status=status)
    try:
        student = classrooms.check_phrase(
            classroom=classroom, phrase=phrase, lane=device_lane(request, classroom)
        )
        if not is_known(student):
            raise Refused(_("You’re not in the class yet. Ask your teacher to let you in."))
    except Refused as why:
        return _door_page(request, code=code, phrase=phrase, phrase_error=str(why), status=422)
    return at_home(request, redirect("homework_door"), student)


def at_home(request: HttpRequest, response: HttpResponse, student: Student) -> HttpResponse:
    """The response to a student who has come in alone, and is at this browser from now on."""
    browser = find_browser(request.COOKIES, request.user)
    at = next((each for each in browser.students if each.student == student), None)
    is_here = at is not None and student in known_students(browser)
    # Whoever sits in the class's session at this browser goes on sitting there.
    key = at.key if at is not None and is_here else home_key(student)
    remember_student(request, response, key, student)
    remember_lane(response, student)
    return response


def _door_page(
    request: HttpRequest,
    *,
    code: str,
    phrase: str = "",
    code_error: str = "",
    phrase_error: str = "",
    status: int = 200,
) -> HttpResponse:
    context = {
        "code": code[:40],
        "phrase": phrase[:80],
        "code_error": code_error,
        "phrase_error": phrase_error,
    }
    return render(request, "lessons/homework/door.html", context, status=status)


def _session_of(browser: Browser, student: Student) -> int:
    """For which class session this browser knows the student; AT_HOME for none."""
    return next((at.session for at in browser.students if at.student == student), AT_HOME)


def _left_words(homework: Homework, done: doing.HomeworkDone) -> str:
    """How many boards, questions and puzzles are left to do, in words; empty if none are."""
    boards = len(homework.boards) - done.finished
    questions, puzzles = (
        homework.questions - done.questions,
        len(homework.puzzles) - done.puzzles,
    )
    kinds = (
        (boards, ngettext("%d board", "%d boards", boards)),
        (questions, ngettext("%d question", "%d questions", questions)),
        (puzzles, ngettext("%d puzzle", "%d puzzles", puzzles)),
    )
    return ", ".join(words % count for count, words in kinds if count > 0)


# One homework.


@page_view
def homework(request: HttpRequest, homework_id: int) -> HttpResponse:
    """Its parts, how far one has come, and what the others made of the boards that one has
    finished."""
    given, student, browser = _own_or_404(request, homework_id)
    context = _homework_context(given, student, browser)
    made = {each["number"]: each["result"] for each in context["boards"] if each["result"]}
    beside = partial(beside_student, given, made) if made else None
    response = page_with_expert(request, "lessons/homework/homework.html", context, beside)
    return _with_student_first(request, response, browser, student)


def page_with_expert(
    request: HttpRequest,
    template: str,
    context: dict[str, Any],
    beside: Callable[[dict[int, Own]], Panel | None] | None,
) -> HttpResponse:
    """A page of this homework, with its panel of the teacher and the expert if it has closed;
    while the expert still plays, without the expert's line, and the page opens again."""
    given = context["homework"]
    if given.closed is None or beside is None:
        return render(request, template, context)
    question = "homework's expert", given.variant, given.bots, str(given.boards)
    try:
        context["beside"] = beside(answer(question, lambda: results_of_expert(given)))
    except StillCounting as waits:
        context |= {"beside": beside({}), "is_playing": True}
        return still_counting_page(request, waits.job, template, context)
    except (NotReady, TooMany):
        context["beside"] = beside({})
    return render(request, template, context)


def _own_or_404(request: HttpRequest, homework_id: int) -> tuple[Homework, Student, Browser]:
    browser = find_browser(request.COOKIES, request.user)
    homework, student = doing.homework_for(browser, homework_id)
    return homework, student, browser


def _with_student_first(
    request: HttpRequest, response: HttpResponse, browser: Browser, student: Student
) -> HttpResponse:
    """The response, with this student as the browser's latest, whom practice asks."""
    at = next(each for each in browser.students if each.student == student)
    if browser.students[0] != at:
        remember_student(request, response, at.key, student)
    return response


def _homework_context(homework: Homework, student: Student, browser: Browser) -> dict[str, Any]:
    done = doing.done_by(homework, [student.pk])[student.pk]
    plots = dot_plots(dataset_of_homework(homework), student.pk, done) if done.finished else {}
    own = {
        result.deal.board: result
        for result in Result.objects.filter(
            deal__table__in=done.tables.values(), seat=0
        ).select_related("deal")
    }
    score = fair_score_in_all(plots.values())
    tried = doing.puzzles_tried(homework, student)
    return {
        "homework": homework,
        "student": student,
        "session": _session_of(browser, student),
        "waits": needs_yes(homework, student),
        "is_done": done.is_all(homework),
        "has_left": done.has_left(homework),
        "done": done,
        "game": GAME_NAMES[homework.variant],
        "boards": [
            {
                "number": number,
                "state": done.boards.get(number, BoardState.NOT_BEGUN),
                "table": done.tables.get(number, ""),
                "result": own.get(number),
                "points": with_minus(own[number].points) if number in own else "",
                "plot": plots.get(number),
            }
            for number in range(1, len(homework.boards) + 1)
        ],
        "columns": COLUMNS,
        "width": WIDTH,
        "score": signed_mean(score) if score is not None else "",
        "skill": Skill(homework.skill).title if homework.skill else "",
        "own": _own_questions(homework, student),
        "puzzles": [
            {
                "number": place,
                "title": KINDS[puzzles()[number].kind],
                "tried": tried.get(number),
                "is_over": number in tried and tried[number].is_over,
            }
            for place, number in enumerate(homework.puzzles, start=1)
        ],
    }


def _own_questions(found: Homework, student: Student) -> list[dict[str, Any]]:
    """The homework's own questions, each with how it stands."""
    begun = doing.questions_begun(found, student) if found.own else {}
    return [
        {
            "number": number,
            "title": exercise_of(stored["exercise"]).title_of(stored["parameters"]),
            "is_begun": number in begun,
            "is_right": begun.get(number, False),
        }
        for number, stored in enumerate(found.own, start=1)
    ]


@action_view
def own_question(request: HttpRequest, homework_id: int, number: int) -> HttpResponse:
    """Begin one of its own questions, or go back to it."""
    homework, student, browser = _own_or_404(request, homework_id)
    try:
        asked = doing.question_of(homework=homework, student=student, number=number)
    except Refused as why:
        return _refused_page(request, _homework_context(homework, student, browser), why)
    return _with_student_first(request, redirect("question", asked.pk), browser, student)


def _refused_page(request: HttpRequest, context: dict[str, Any], why: Refused) -> HttpResponse:
    context["notice"] = str(why)
    return render(request, "lessons/homework/homework.html", context, status=422)


@action_view
def board(request: HttpRequest, homework_id: int, number: int) -> HttpResponse:
    """Begin a board, or go on with it; of one that is closed to beginners the page says so."""
    homework, student, browser = _own_or_404(request, homework_id)
    try:
        table_id = doing.begin(homework=homework, student=student, number=number)
    except Refused as why:
        return _refused_page(request, _homework_context(homework, student, browser), why)
    return redirect(reverse("table", args=[table_id], query={"as": 0}))


@form_view
def puzzle(request: HttpRequest, homework_id: int, number: int) -> HttpResponse:
    """One of its puzzles, and what comes of an answer to it."""
    homework, student, _browser = _own_or_404(request, homework_id)
    if not 0 < number <= len(homework.puzzles):
        raise Http404
    if needs_yes(homework, student):
        return redirect(homework)
    key = homework.puzzles[number - 1]
    tried = doing.puzzles_tried(homework, student).get(key)
    is_over = tried is not None and tried.is_over

    def answered(answer: str) -> bool:
        row = doing.answer_puzzle(homework=homework, student=student, number=key, answer=answer)
        return row.is_over

    return puzzle_page(
        request,
        answered,
        numbers=homework.puzzles,
        number=number,
        homework=homework,
        way_back=homework.get_absolute_url(),
        next=reverse("homework_puzzle", args=[homework_id, number + 1]),
        # Of a closed one all may see it, but where another class has it open.
        is_solved=is_over or (homework.closed is not None and key not in open_puzzles()),
        is_own_answer=tried is not None and tried.solved is not None,
    )


def puzzle_page(
    request: HttpRequest,
    answered: Callable[[str], bool],
    *,
    numbers: Sequence[int],
    number: int,
    is_solved: bool,
    is_own_answer: bool,
    next: str,
    **context: Any,
) -> HttpResponse:
    """The page of a puzzle, one of ``numbers``, and what comes of an answer (empty: of the wish
    to be shown it): ``answered`` takes it and says whether the puzzle is over."""
    key, answer, verdict, status = numbers[number - 1], "", ("", ""), 200
    if request.method == "POST":
        answer = "" if "show" in request.POST else request.POST.get("answer", "-")
        try:
            if answer and answer not in puzzles()[key].choices:
                raise Refused(_("Choose one of the answers."))
            is_over = answered(answer)
        except Refused as why:
            answer, verdict, status = "", (str(why), ""), 422
        else:
            if is_over:
                return redirect(f"{request.path}#verdict")
            verdict = verdict_on(key, answer)
    context |= {
        "number": number,
        "all": len(numbers),
        "next": next if number < len(numbers) else "",
        "action": request.path,
        **puzzle_context(
            key,
            answer=answer,
            verdict=verdict,
            is_solved=is_solved,
            is_own_answer=is_own_answer,
        ),
    }
    return render(request, "lessons/homework/puzzle.html", context, status=status)


# Where other pages lead here.


@page_view
def of_table(request: HttpRequest, table_id: str) -> HttpResponse:
    """The homework that a table belongs to: its student's page, or the teachers'."""
    viewer = viewer_by_browser(table_id, find_browser(request.COOKIES, request.user))
    row = HomeworkBoard.objects.filter(table=table_id).first()
    if row is None:
        session = Table.objects.values_list("beforehand", flat=True).get(pk=table_id)
        if session is None:
            raise NotFound
        return redirect("session_beforehand", session)
    page = "homework" if viewer.student_id else "homework_results"
    return redirect(page, row.homework_id)


@page_view
def reminder(request: HttpRequest, session_id: int) -> HttpResponse:
    """For a student's lobby: what is open and not done, for them alone."""
    browser = find_browser(request.COOKIES, request.user).at(session_id)
    viewer = session_viewer(session_id, browser, SessionView.LOBBY)
    student, _session = browser.present
    assert student is not None  # or there would be no such viewer
    due = doing.due_for(student) if viewer.student and is_known(student) else []
    left = [(each, _left_words(each, done)) for each, done in due]
    return render(request, "lessons/homework/_due.html", {"due": left})

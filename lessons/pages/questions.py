"""A question's own page and what is done with it; asked by htmx, the question alone."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render

from games.tables.viewers import find_browser
from lessons.exercises import EXERCISES, NoSuchQuestion, Verdict
from lessons.homework.doing import finished_by, has_open
from lessons.models import Question
from lessons.pages.speaking import speak
from lessons.questions import asking
from lessons.questions.learners import Learner, question_for
from lessons.questions.placement import placed
from lessons.questions.practice import LEVELS, RUN, next_exercise, next_level, run_of
from lessons.questions.presentation import AT_AN_END, QuestionState, Shown, show
from xactika_site.classrooms.services import Refused
from xactika_site.http import HttpRequest, digits
from xactika_site.views import action_view, page_view


def _own_question(request: HttpRequest, question_id: int) -> Question:
    found = question_for(find_browser(request.COOKIES, request.user), question_id)
    if found.homework is not None:
        speak(request, found.homework.classroom.language)
    return found


@page_view
def question(request: HttpRequest, question_id: int) -> HttpResponse:
    """The question as it stands."""
    return question_page(request, _own_question(request, question_id))


def question_page(
    request: HttpRequest,
    stored: Question,
    *,
    verdict: Verdict | None = None,
    refusal: str = "",
) -> HttpResponse:
    """The question alone for htmx, else its page; right after an answer with what was typed."""
    texts = request.POST.dict() if verdict is not None or refusal else None
    is_asked_for = request.method == "POST"
    shown = show(
        stored, verdict=verdict, texts=texts, refusal=refusal, is_just_solved=is_asked_for
    )
    return _page(request, stored, shown)


def _page(request: HttpRequest, stored: Question, shown: Shown) -> HttpResponse:
    is_right = shown.state is QuestionState.RIGHT
    context: dict[str, Any] = {
        "q": shown,
        "done_homework": finished_by(stored) if is_right else None,
    }
    if stored.place == Question.Place.PRACTICE:
        context["run"] = run_of(stored)
        context["is_chosen"] = stored.chosen
        context["to_come"] = range(RUN - len(context["run"]))
    if request.htmx:
        return render(request, "lessons/questions/_question.html", context)
    student = stored.student
    context["has_homework"] = student is not None and has_open(student)
    return render(request, "lessons/questions/question.html", context)


@action_view
def answer(request: HttpRequest, question_id: int) -> HttpResponse:
    """Grade what was typed, and show what became of it."""
    stored = _own_question(request, question_id)
    number = digits(request.POST.get("number", ""), most=5)
    verdict, refusal = None, ""
    try:
        verdict = asking.answer(question_id=stored.pk, number=number, texts=request.POST)
    except Refused as why:
        refusal = str(why)
    except NoSuchQuestion:
        pass  # the page says so
    stored.refresh_from_db()
    return question_page(request, stored, verdict=verdict, refusal=refusal)


@action_view
def hint(request: HttpRequest, question_id: int) -> HttpResponse:
    """The next hint; or, with a ``step``, what becomes of the step that was filled in. What was
    typed into the question itself stays."""
    stored = _own_question(request, question_id)
    step = request.POST.get("step") if "check" in request.POST else None
    verdict, refusal = None, ""
    try:
        verdict = asking.show_hint(question_id=stored.pk, step=step)
    except Refused as why:
        refusal = str(why)
    except NoSuchQuestion:
        pass  # the page says so
    stored.refresh_from_db()
    if not (request.htmx or refusal or step is not None):
        return redirect("question", stored.pk)
    shown = show(
        stored, texts=request.POST.dict(), refusal=refusal, step=verdict, is_hint=not refusal
    )
    return _page(request, stored, shown)


@action_view
def solve(request: HttpRequest, question_id: int) -> HttpResponse:
    """ "Show me how": the worked solution; no attempt counts after it."""
    stored = _own_question(request, question_id)
    refusal = ""
    try:
        asking.solve(question=stored)
    except Refused as why:
        refusal = str(why)
    stored.refresh_from_db()
    if request.htmx or refusal:
        return question_page(request, stored, refusal=refusal)
    return redirect("question", stored.pk)


@page_view
def run_end(request: HttpRequest, question_id: int) -> HttpResponse:
    """The end of a run of practice: how its questions went, and what may come next."""
    stored = _own_question(request, question_id)
    run = run_of(stored)
    if stored.place != Question.Place.PRACTICE or len(run) < RUN:
        return redirect("question", stored.pk)
    tries = [each for _pk, each in run]
    well = sum(each.went_well for each in tries)
    levels = [each.level for each in tries if each.level]
    above = [level for level in LEVELS if levels and level > max(levels)]
    context = {
        "stored": stored,
        "run": list(zip(AT_AN_END, tries, strict=True)),
        "well": well,
        "right": sum(each.right for each in tries),
        "again": {
            EXERCISES[each.what].title: pk
            for pk, each in run
            if not each.went_well and each.what in EXERCISES
        },
        "harder": above[0] if above and well >= RUN - 1 else "",
    }
    return render(request, "lessons/questions/run_end.html", context)


@action_view
def another(request: HttpRequest, question_id: int) -> HttpResponse:
    """Another question: of the same exercise, or (``next``) what practice wants now, which is
    the same where it was chosen, at the level that comes next."""
    stored = _own_question(request, question_id)
    browser = find_browser(request.COOKIES, request.user)
    learner = Learner(stored.student, stored.guest)
    if stored.student not in [None, *(each.student for each in browser.students)]:
        learner = Learner(guest=browser.guest)  # a teacher says who did their cover lesson
    key, level, skill = stored.exercise, stored.level, stored.skill
    if stored.chosen and key in EXERCISES:
        at = next_level(learner, key)
    elif "next" in request.POST or key not in EXERCISES:
        begin = placed(learner) or 0
        key, at = next_exercise(
            learner, level=level, skill=skill, not_key=key, first_lesson=begin
        )
    else:
        at = EXERCISES[key].level_of(stored.parameters)
    try:
        new = asking.ask_in_practice(
            learner=learner,
            exercise=key,
            at=at,
            level=level,
            skill=skill,
            chosen=stored.chosen and key == stored.exercise,
        )
    except Refused as why:
        return question_page(request, stored, refusal=str(why))
    if not request.htmx:
        return redirect("question", new.pk)
    response = question_page(request, new)
    response["HX-Push-Url"] = new.get_absolute_url()
    return response

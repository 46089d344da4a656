"""A class's tests as its students see them: begun, answered question by question, looked at
once both are over."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django_htmx.http import HttpResponseClientRedirect

from games.tables.viewers import Browser, find_browser
from lessons.assessment import giving, taking
from lessons.exercises import EXERCISES
from lessons.models import Answer, Assessment, Question
from lessons.questions.in_class import answer_words
from lessons.questions.presentation import Shown, show
from xactika_site.classrooms.models import Student
from xactika_site.classrooms.selectors import AT_HOME
from xactika_site.classrooms.services import Refused
from xactika_site.http import HttpRequest
from xactika_site.views import form_view, page_view


def _own_or_404(
    request: HttpRequest, assessment_id: int
) -> tuple[Assessment, Student, Browser]:
    browser = find_browser(request.COOKIES, request.user)
    return *taking.assessment_for(browser, assessment_id), browser


@form_view
def tests(request: HttpRequest, assessment_id: int) -> HttpResponse:
    """How the student stands in the tests; a POST begins the open one, or goes on with it."""
    assessment, student, browser = _own_or_404(request, assessment_id)
    notice, status = "", 200
    if request.method == "POST":
        try:
            taking.begin(assessment=assessment, student=student)
        except Refused as why:
            notice, status = str(why), 422
        else:
            return redirect(_next_address(assessment, student))
    context = _tests_context(assessment, student, browser) | {"notice": notice}
    return render(request, "lessons/assessment/test.html", context, status=status)


def _next_address(assessment: Assessment, student: Student) -> str:
    """The address of the next question that waits for an answer; the test's, if none does."""
    number = taking.progress(assessment, student, assessment.open_test or 0).next_number
    return assessment.get_absolute_url() + (f"{number}/" if number else "")


def _tests_context(
    assessment: Assessment, student: Student, browser: Browser
) -> dict[str, Any]:
    test = assessment.open_test
    at = next((each.session for each in browser.students if each.student == student), AT_HOME)
    context = {
        "assessment": assessment,
        "student": student,
        "session": at,
        "test": test,
        "own_lesson": None if test else taking.own_lesson_context(student),
        "progress": taking.progress(assessment, student, test) if test else None,
    }
    if not assessment.is_over:
        return context | {"expires": giving.expires(assessment)}
    first, second = sheets = [_sheet(assessment, student, number) for number in (1, 2)]
    return context | {
        "sheets": sheets if first["rows"] or second["rows"] else [],
        "more": second["right"] - first["right"] if first["is_taken"] else 0,
    }


def _sheet(assessment: Assessment, student: Student, test: int) -> dict[str, Any]:
    """One test: its questions with what was answered, and how each goes."""
    questions = taking.questions_of_test(assessment, student, test)
    rows = []
    for each in questions.select_related("taker__assessment").prefetch_related("answers"):
        given = next(iter(each.answers.all()), None)
        rows.append(
            {
                "number": each.test_number,
                **_type_and_level(each),
                "q": show(each),
                "is_answered": given is not None,
                "is_right": given is not None and given.right,
                "own": answer_words(each.to_json(), given.values) if given else "",
                "sign": _outcome_sign(given),
                "outcome": _outcome_words(given),
            }
        )
    return {
        "test": test,
        "rows": rows,
        "right": sum(row["is_right"] for row in rows),
        "is_taken": any(row["is_answered"] for row in rows),
    }


def _type_and_level(question: Question) -> dict[str, str]:
    """The question's type and level, by these names; empty for a type that is gone."""
    exercise = EXERCISES.get(question.exercise)
    level = exercise.level_of(question.parameters) if exercise else ""
    return {"exercise": question.exercise if exercise else "", "level": level}


def _outcome_sign(given: Answer | None) -> str:
    if given is None:
        return "–"
    return "✓" if given.right else "×" if given.values else "?"


def _outcome_words(given: Answer | None) -> str:
    if given is None:
        return _("not answered")
    if not given.values:
        return _("I don’t know")
    return _("right") if given.right else _("not right")


@form_view
def question(request: HttpRequest, assessment_id: int, number: int) -> HttpResponse:
    """One question of the open test; a POST answers it, once, and leads to the next."""
    assessment, student, browser = _own_or_404(request, assessment_id)
    if assessment.open_test is None:
        return redirect(assessment)
    if not 0 < number <= assessment.length:
        raise Http404
    asked = taking.question_of(assessment, student, number)
    if asked is None:  # not begun
        return redirect(assessment)
    verdict, status = None, 200
    if request.method == "POST":
        if request.POST.get("question") != str(asked.pk):  # an old page, of the other test
            return redirect(_next_address(assessment, student))
        texts = None if "unknown" in request.POST else request.POST.dict()
        try:
            verdict = taking.answer(question=asked, texts=texts)
        except Refused:
            return redirect(assessment)
        if verdict is None:
            return redirect(_next_address(assessment, student))
        status = 422
    texts = request.POST.dict() if verdict else None
    shown: Shown = show(asked, verdict=verdict, texts=texts)
    context = _tests_context(assessment, student, browser) | {"q": shown, "number": number}
    context["is_answered"] = context["progress"].answered[number]
    return render(request, "lessons/assessment/question.html", context, status=status)


@page_view
def bell(request: HttpRequest, assessment_id: int) -> HttpResponse:
    """What a test's page asks every few seconds: nothing while the test that it shows is open,
    else the way to the test's page."""
    assessment, *_who = _own_or_404(request, assessment_id)
    if str(assessment.open_test or 0) == request.GET.get("test"):
        return HttpResponse(status=204)
    return HttpResponseClientRedirect(assessment.get_absolute_url())

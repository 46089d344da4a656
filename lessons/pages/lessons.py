"""The students' pages of the lessons: all of them, and one step after another of each."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST
from django_htmx.http import HttpResponseClientRedirect

from games.pages.tables import guest_of, remember_guest
from games.tables.viewers import find_browser
from lessons.course import Lesson, StepKind, lesson, lessons, markup, standards
from lessons.crooked.trial import put_before
from lessons.questions.presentation import show
from lessons.visits import doing
from lessons.visits.presentation import cover, step_context
from lessons.visits.ways import (
    Visitor,
    Way,
    may_visit,
    run_in,
    steps_done,
    table_played_at,
    visitor_at,
    way_of,
)
from xactika_site.classrooms.services import Refused
from xactika_site.http import HttpRequest, digits
from xactika_site.views import page_view


@page_view
def index(request: HttpRequest) -> HttpResponse:
    """All lessons, how far one has come in each, and the room's present one."""
    visitor = visitor_at(find_browser(request.COOKIES, request.user))
    done = steps_done(visitor)
    run = run_in(visitor.session)
    rows = [
        {
            "lesson": each,
            "title": markup.html(each.title),
            "summary": markup.html(each.summary),
            "cover": cover(each),
            "done": len(done.get(each.slug, set()) & {step.name for step in each.steps}),
            "steps": sum(step.kind is not StepKind.REVEAL for step in each.steps),
            "is_running": run is not None and run.lesson == each.slug,
        }
        for each in lessons()
    ]
    groups = {standard.group for standard in standards.standards().values()}
    group = request.GET.get("for", "")
    group = group if group in groups else ""
    context: dict[str, Any] = {
        "rows": rows,
        "for_teachers": rows,
        "asked": group,
        "frameworks": [],
    }
    if request.user.is_authenticated:
        context |= {
            "frameworks": [
                (
                    framework,
                    [(f"{framework.key}-{g.replace(' ', '-')}", g) for g in framework.grades],
                )
                for framework in standards.frameworks_to_read()
            ],
            "for_teachers": _earning(rows, group),
        }
    return render(request, "lessons/course/index.html", context)


def _earning(rows: list[dict[str, Any]], group: str) -> list[dict[str, Any]]:
    """The lessons with the codes that they earn of the group that is asked for; where none is,
    all of them."""
    if not group:
        return rows
    earning = [
        row
        | {
            "earned": [
                each.standard
                for each in standards.earned(row["lesson"])
                if each.standard.group == group
            ]
        }
        for row in rows
    ]
    return [row for row in earning if row["earned"]]


@page_view
def player(request: HttpRequest, slug: str) -> HttpResponse:
    """A lesson at one of its steps; without ``?step=`` at the one to go on with."""
    visitor = visitor_at(find_browser(request.COOKIES, request.user))
    course = _lesson_or_404(slug, visitor)
    way = way_of(course, visitor)
    if way.in_room and way.visit is None:
        doing.begin(lesson=course, visitor=visitor)
    number = digits(request.GET.get("step", ""), most=3) or 0
    if not 1 <= number <= len(course.steps):
        number = way.next_up
    number = min(number, max(1, way.open_to))
    return _page(request, way, number)


def _page(
    request: HttpRequest, way: Way, number: int, *, notice: str = "", status: int = 200
) -> HttpResponse:
    context = step_context(way, number) | {"notice": notice}
    if context["is_open"] and context["step"].exercise:
        question = doing.question_in(way=way, number=number)
        context["q"] = show(question) if question else None
    return render(request, "lessons/visits/lesson.html", context, status=status)


@require_POST
def do(request: HttpRequest, slug: str) -> HttpResponse:
    """To the step's page, what somebody does there (``do``) stored; a refusal is told on it."""
    visitor = visitor_at(find_browser(request.COOKIES, request.user))
    course = _lesson_or_404(slug, visitor)
    guest, key = (None, "") if visitor.student else guest_of(request)
    visitor = replace(visitor, guest=guest)
    number = _whole(request.POST.get("step", ""))
    if not 1 <= number <= len(course.steps):
        raise Http404
    try:
        _carry_out(request, course, visitor, number)
    except Refused as why:
        way = way_of(course, visitor)
        number = min(number, max(1, way.open_to))
        response = _page(request, way, number, notice=str(why), status=422)
    else:
        go_on = request.POST.get("then") == "next"
        place = min(number + 1, len(course.steps)) if go_on else number
        to = "verdict" if request.POST.get("do") == "build" else "step"
        response = redirect(f"{reverse('lesson', args=[slug])}?step={place}#{to}")
    return remember_guest(response, key) if key else response


def _carry_out(request: HttpRequest, course: Lesson, visitor: Visitor, number: int) -> None:
    match request.POST.get("do", ""):
        case "predict":
            value = _decimal(request.POST.get("value", ""))
            sure = digits(request.POST.get("sure", "").strip(), most=3)
            doing.predict(
                lesson=course,
                visitor=visitor,
                number=number,
                value=value,
                sure=sure,
                texts=request.POST.dict(),
            )
        case "deal":
            doing.deal_hands(lesson=course, visitor=visitor, number=number)
        case "build":
            texts = request.POST.dict()
            doing.build(lesson=course, visitor=visitor, number=number, texts=texts)
        case "explain":
            chosen = _chosen_numbers(request, course, number)
            doing.explain(lesson=course, visitor=visitor, number=number, chosen=chosen)
        case "done":
            doing.finish_step(lesson=course, visitor=visitor, number=number)
        case "again" | "begin":
            doing.begin(lesson=course, visitor=visitor)
        case _:
            raise Http404


def _chosen_numbers(request: HttpRequest, course: Lesson, number: int) -> list[int]:
    """The number of the statement chosen, or those of all in the order of their places."""
    step = course.steps[number - 1]
    if not step.is_order:
        return [_whole(request.POST.get("value", ""))]
    places = {
        index: _whole(request.POST.get(f"place-{index}", ""))
        for index in range(len(step.statements))
    }
    if sorted(places.values()) != list(range(1, len(places) + 1)):
        return []
    return sorted(places, key=places.__getitem__)


def _whole(text: str) -> int:
    """A whole number of at most four digits; −1 for anything else."""
    number = digits(text.strip(), most=4)
    return -1 if number is None else number


def _decimal(text: str) -> Fraction | None:
    """A number of at most four digits with at most three decimals; None for anything else."""
    typed = re.fullmatch(r"[0-9]{1,4}(?:[.,][0-9]{1,3})?", text.strip())
    return Fraction(typed[0].replace(",", ".")) if typed else None


@page_view
def room(request: HttpRequest, slug: str) -> HttpResponse:
    """What a page of a lesson that a room goes through gets every two seconds: nothing where
    nothing has changed, else what has. Everybody is taken along to the next step, but who is in
    the middle of an answer (``waits=0``): they are told, and go when they like. Where the step
    is to play, everybody goes to their table."""
    visitor = visitor_at(find_browser(request.COOKIES, request.user))
    run = run_in(visitor.session)
    if visitor.session and (page := put_before(visitor.session)):
        return HttpResponseClientRedirect(reverse(page, args=[visitor.session]))
    if run is None or run.lesson != slug:  # it is over: back to the class
        if visitor.session:
            way_back = reverse("lobby", args=[visitor.session])
        elif may_visit(slug, visitor):
            way_back = reverse("lesson", args=[_lesson_or_404(slug, visitor).slug])
        else:
            way_back = reverse("lessons")
        return HttpResponseClientRedirect(way_back)
    course = _lesson_or_404(slug, visitor)
    doing.note_presence(visitor)
    if (table := table_played_at(run, visitor)) is not None:
        return HttpResponseClientRedirect(reverse("table", args=[table]))
    if request.GET.get("shown", "") == run.state:
        return HttpResponse(status=204)
    way = way_of(course, visitor)
    run = way.run or run  # a step may have been opened between the two looks
    number = min(max(1, _whole(request.GET.get("step", ""))), len(course.steps))
    waits = request.GET.get("waits") == "1" or way.is_through(course.steps[number - 1])
    if waits and run.step > number:
        return HttpResponseClientRedirect(
            f"{reverse('lesson', args=[slug])}?step={run.step}#step"
        )
    return render(request, "lessons/visits/_room.html", step_context(way, number))


def _lesson_or_404(slug: str, visitor: Visitor) -> Lesson:
    if not may_visit(slug, visitor):
        raise Http404
    return lesson_or_404(slug)


def lesson_or_404(slug: str) -> Lesson:
    """The lesson of this address, whoever asks."""
    try:
        return lesson(slug)
    except KeyError:
        raise Http404 from None

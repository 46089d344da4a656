"""A group's report on its own question: a page for the screen, held whole by its address.
Only what can be chosen is in it; nothing is stored."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.translation import gettext as _

from games.tables.viewers import find_browser
from lessons.course import Lesson, Step, StepKind, markup
from lessons.measures.page import page
from lessons.pages.lessons import lesson_or_404
from lessons.pages.studio import prepare_simulations
from lessons.studio.panel import panel
from lessons.studio.settings import NAMES, read
from lessons.visits.presentation import graph_of
from lessons.visits.ways import Way, visitor_at, way_of
from xactika_site.http import HttpRequest, digits
from xactika_site.views import page_view


@page_view
def report(request: HttpRequest, slug: str) -> HttpResponse:
    """The report as its address has it; at first with what somebody chose in the lesson, and
    the graph of that question. A graph of the studio is put in by its own settings."""
    course, asks, guesses = _steps(slug)
    browser = find_browser(request.COOKIES, request.user)
    way = way_of(course, visitor_at(browser))
    fields: list[tuple[str, str, Sequence[str], int | None]] = [
        ("q", _("Our question"), _statements(asks), _mine(way, asks)),
        ("e", _("What we expected"), _statements(guesses), _mine(way, guesses)),
        ("f", _("What our data show"), _sentences("f"), None),
        ("n", _("What we would ask next"), _sentences("n"), None),
    ]
    chosen = {
        name: _choice(request.GET, name, len(texts), usual)
        for name, _label, texts, usual in fields
    }
    graph = {name: request.GET[name] for name in NAMES if name in request.GET}
    if not graph and chosen["q"] is not None:
        in_class = way.visitor.session is not None
        graph = QueryDict(graph_of(asks, chosen["q"], in_class=in_class)).dict()
    limits = _sentences("l")
    marked = [n for n in range(len(limits)) if str(n) in request.GET.getlist("l")]
    reading = read(graph)
    prepare_simulations([reading])
    context = {
        "lesson": course,
        "title": markup.html(course.title),
        "fields": [
            (name, label, _options(texts, chosen[name]))
            for name, label, texts, _usual in fields
        ],
        "limits": _options(limits, *marked),
        "has_limits": bool(marked),
        "graph": graph,
        "graph_address": urlencode(graph),
        "panel": panel(reading, browser) if graph else None,
        "is_begun": any(value is not None for value in chosen.values()),
    }
    return render(request, "lessons/visits/report.html", context)


def _sentences(field: str) -> list[str]:
    """What may be chosen in a field of the form."""
    return page("report").texts("name", {"field": field})


def _steps(slug: str) -> tuple[Lesson, Step, Step]:
    """The lesson, its step of questions, and that in which somebody says what they expect."""
    course = lesson_or_404(slug)
    asks = course.asks
    guesses = next(
        (
            step
            for step in course.steps
            if step.kind is StepKind.PREDICT and step.statements and step is not asks
        ),
        None,
    )
    if asks is None or guesses is None:
        raise Http404
    return course, asks, guesses


def _statements(step: Step) -> list[str]:
    return [markup.plain(each.text) for each in step.statements]


def _mine(way: Way, step: Step) -> int | None:
    mine = way.done.get(step.name)
    return mine.value.get("choice") if mine else None


def _choice(sent: QueryDict, name: str, number: int, usual: int | None) -> int | None:
    """The number chosen of so many; what is usual, unless the address says otherwise."""
    if name not in sent:
        return usual
    place = digits(str(sent[name]), most=2)
    return place if place is not None and place < number else None


def _options(texts: Sequence[str], *chosen: int | None) -> list[dict[str, object]]:
    return [{"n": n, "text": text, "on": n in chosen} for n, text in enumerate(texts)]

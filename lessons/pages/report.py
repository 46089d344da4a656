"""A group's report on its own question: a page for the screen, held whole by its address.
Only what can be chosen is in it; nothing is stored."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.tables.viewers import find_browser
from lessons.course import Lesson, Step, StepKind, lesson, markup
from lessons.pages.studio import deal_first
from lessons.studio.panel import panel
from lessons.studio.settings import NAMES, read
from lessons.visits.presentation import graph_of
from lessons.visits.ways import Way, visitor_at, way_of
from xactika_site.http import HttpRequest, digits


def findings() -> tuple[str, ...]:
    """Sentences on what data may show, beside theory or beside each other."""
    return (
        _("Our data are about as close as luck allows."),
        _("We see a difference, but it may be luck: we have few rounds."),
        _("We see a larger difference than luck usually makes."),
        _("We see no difference. That doesn’t prove there is none."),
    )


def limits() -> tuple[str, ...]:
    """Sentences on what data cannot show."""
    return (
        _("They are few rounds."),
        _("They’re our class’s, not all players’."),
        _("Bots played, too."),
        _("We learnt while we played: the first rounds aren’t like the last."),
        _("We looked at several graphs, and chose this one."),
    )


def nexts() -> tuple[str, ...]:
    """Sentences on what to ask next."""
    return (
        _("The same question with more rounds."),
        _("The same question in another class."),
        _("The same, with a plan made before the cards are dealt."),
        _("A new question that came from this one."),
    )


@never_cache
@require_safe
def report(request: HttpRequest, slug: str) -> HttpResponse:
    """The report as its address has it; at first with what somebody chose in the lesson, and
    the graph of that question. A graph of the studio is put in by its own settings."""
    course, asks, guesses = _steps(slug)
    way = way_of(course, visitor_at(find_browser(request.COOKIES, request.user)))
    chosen = {
        "question": _choice(request.GET, "q", len(asks.statements), _mine(way, asks)),
        "guess": _choice(request.GET, "e", len(guesses.statements), _mine(way, guesses)),
        "finding": _choice(request.GET, "f", len(findings())),
        "next": _choice(request.GET, "n", len(nexts())),
    }
    graph = {name: request.GET[name] for name in NAMES if name in request.GET}
    if not graph and chosen["question"] is not None:
        in_class = way.visitor.session is not None
        graph = QueryDict(graph_of(asks, chosen["question"], in_class=in_class)).dict()
    marked = [n for n in range(len(limits())) if str(n) in request.GET.getlist("l")]
    reading = read(graph)
    deal_first([reading])
    picture = panel(reading, find_browser(request.COOKIES, request.user)) if graph else None
    return render(
        request,
        "lessons/visits/report.html",
        {
            "lesson": course,
            "title": markup.html(course.title),
            "fields": [
                (
                    "q",
                    _("Our question"),
                    _options(
                        [markup.plain(s.text) for s in asks.statements], chosen["question"]
                    ),
                ),
                (
                    "e",
                    _("What we expected"),
                    _options(
                        [markup.plain(s.text) for s in guesses.statements], chosen["guess"]
                    ),
                ),
                ("f", _("What our data show"), _options(findings(), chosen["finding"])),
                ("n", _("What we would ask next"), _options(nexts(), chosen["next"])),
            ],
            "limits": _options(limits(), *marked),
            "has_limits": bool(marked),
            "graph": graph,
            "graph_address": urlencode(graph),
            "panel": picture,
            "is_begun": any(value is not None for value in chosen.values()),
        },
    )


def _steps(slug: str) -> tuple[Lesson, Step, Step]:
    """The lesson, its step of questions, and that in which somebody says what they expect."""
    try:
        course = lesson(slug)
    except KeyError:
        raise Http404 from None
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


def _mine(way: Way, step: Step) -> int | None:
    mine = way.done.get(step.name)
    return mine.value.get("choice") if mine else None


def _choice(sent: QueryDict, name: str, number: int, usual: int | None = None) -> int | None:
    """The number chosen of so many; what is usual, unless the address says otherwise."""
    if name not in sent:
        return usual
    sent_number = digits(str(sent[name]), most=2)
    return sent_number if sent_number is not None and sent_number < number else None


def _options(
    texts: list[str] | tuple[str, ...], *chosen: int | None
) -> list[dict[str, object]]:
    return [{"n": n, "text": text, "on": n in chosen} for n, text in enumerate(texts)]

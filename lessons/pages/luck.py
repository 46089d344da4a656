"""What chance alone does, draw after draw: of a class's experiment, of its two tests, or of an
example."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from games.analysis.draws import RandomizationTest
from games.classes.experiments import Experiment, experiments_of
from lessons.assessment.taking import assessment_of_teacher
from lessons.measures.panels import Panel
from lessons.visits.experiments import (
    chance_panel,
    example,
    example_chance,
    gain_chance_panel,
    judged_chance,
    next_stop,
    redrawn,
    tables_panel,
)
from xactika_site.accounts.models import User
from xactika_site.classrooms.views import session_or_404
from xactika_site.http import HttpRequest, digits
from xactika_site.views import teachers_page


@require_safe
def example_luck(request: HttpRequest) -> HttpResponse:
    """The page for everybody: tables of bots."""
    return _page(request, example())


@teachers_page
def session_luck(request: HttpRequest, session_id: int, game: int) -> HttpResponse:
    """An experiment's lot drawn anew, for the class's teachers, to show on the wall; not before
    its game is over."""
    session = session_or_404(request, session_id)
    for experiment in experiments_of(session.pk):
        if experiment.game == game and experiment.is_over:
            return _page(request, experiment)
    raise Http404


@require_safe
def example_gain(request: HttpRequest) -> HttpResponse:
    """The page for everybody: two tests of a simulated class."""
    return _gain_page(request, example_chance(), is_example=True)


@teachers_page
def tests_luck(request: HttpRequest, assessment_id: int) -> HttpResponse:
    """Coins tossed for the gain of a class, for its teachers, to show on the wall; NotFound
    without a verdict."""
    assert isinstance(request.user, User)
    found = assessment_of_teacher(request.user, assessment_id)
    chance = judged_chance(found)
    if chance is None:
        raise Http404
    return _gain_page(request, chance, back=reverse("assessment_results", args=[found.pk]))


def _gain_page(
    request: HttpRequest,
    chance: RandomizationTest,
    *,
    is_example: bool = False,
    back: str = "",
) -> HttpResponse:
    shown = partial(gain_chance_panel, chance, is_example=is_example)
    context = {"example": is_example, "gain": chance, "back": back}
    return _drawn_page(request, chance, shown, context)


def _page(request: HttpRequest, experiment: Experiment) -> HttpResponse:
    """So many ``drawn`` ways are shown, at first none; asked by htmx, the part that changes."""
    drawn = redrawn(experiment)
    if drawn is None:
        raise Http404
    tables = tables_panel(experiment, key="experiment-tables", is_step=True)
    shown = partial(chance_panel, experiment, drawn, key="experiment-chance")
    context = {"example": not experiment.game, "tables": tables}
    return _drawn_page(request, drawn, shown, context)


def _drawn_page(
    request: HttpRequest,
    drawn: RandomizationTest,
    shown: Callable[..., Panel],
    context: Mapping[str, Any],
) -> HttpResponse:
    most = len(drawn.differences)
    draws = min(digits(request.GET.get("drawn", ""), 5) or 0, most)
    watches = "watch" in request.GET and draws < most
    context = {
        **context,
        "address": request.path,
        "chart": shown(first=draws) if draws else None,
        "shown": draws,
        "most": most,
        "more": [draws + n for n in (1, 10, 100) if draws + n < most],
        "next": next_stop(draws, drawn) if watches else 0,
    }
    page = "lessons/results/_luck.html" if request.htmx else "lessons/results/luck.html"
    return render(request, page, context)

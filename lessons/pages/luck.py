"""What chance alone does, draw after draw: of a class's experiment, or of the example."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.classes.experiments import Experiment, experiments_of
from lessons.visits.experiments import (
    chance_panel,
    example,
    next_stop,
    redrawn,
    tables_panel,
)
from xactika_site.classrooms.views import session_or_404
from xactika_site.http import HttpRequest, digits


@require_safe
def example_luck(request: HttpRequest) -> HttpResponse:
    """The page for everybody: tables of bots."""
    return _page(request, example())


@never_cache
@login_required
@require_safe
def session_luck(request: HttpRequest, session_id: int, game: int) -> HttpResponse:
    """An experiment's lot drawn anew, for the class's teachers, to show on the wall; not before
    its game is over."""
    session = session_or_404(request, session_id)
    for experiment in experiments_of(session.pk):
        if experiment.game == game and experiment.is_over:
            return _page(request, experiment)
    raise Http404


def _page(request: HttpRequest, experiment: Experiment) -> HttpResponse:
    """So many ``drawn`` ways are shown, at first none; asked by htmx, the part that changes."""
    drawn = redrawn(experiment)
    if drawn is None:
        raise Http404
    most = len(drawn.differences)
    draws = min(digits(request.GET.get("drawn", ""), 5) or 0, most)
    watches = "watch" in request.GET and draws < most
    context: dict[str, Any] = {
        "address": request.path,
        "example": not experiment.game,
        "tables": tables_panel(experiment, key="experiment-tables", is_step=True).chart,
        "chart": chance_panel(experiment, drawn, key="experiment-chance", first=draws).chart
        if draws
        else None,
        "shown": draws,
        "most": most,
        "is_all": drawn.is_all,
        "more": [draws + n for n in (1, 10, 100) if draws + n < most],
        "next": next_stop(draws, drawn) if watches else 0,
    }
    page = "lessons/results/_luck.html" if request.htmx else "lessons/results/luck.html"
    return render(request, page, context)

"""A running game's charts, for the cockpit alone."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render

from games.classes.in_play import game_in_play
from lessons.results.in_play import numbers, tiles
from xactika_site.classrooms.views import session_or_404
from xactika_site.http import HttpRequest
from xactika_site.views import teachers_page


@teachers_page
def session_in_play(request: HttpRequest, session_id: int) -> HttpResponse:
    """How the present game goes; the cockpit fetches it while it is unfolded there."""
    session = session_or_404(request, session_id)
    game = game_in_play(session.pk)
    context = {
        "session": session,
        "game": game,
        "tiles": tiles(game),
        "numbers": numbers(game),
    }
    page = "lessons/results/_in_play.html" if request.htmx else "lessons/results/in_play.html"
    return render(request, page, context)

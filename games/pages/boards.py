"""What the same cards came to at the other tables, once a board is over."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.classes.game import board_lines, game_of_table
from games.classes.spread import COLUMNS, WIDTH, spread
from games.tables.state import load_table
from games.tables.viewers import find_browser, viewer_by_browser
from xactika_site.http import HttpRequest


@never_cache
@require_safe
def board(request: HttpRequest, table_id: str, number: int) -> HttpResponse:
    """The same hand elsewhere: for a student that of their seat, for a teacher all hands.

    404 for whoever may not look at the table, and while any table still plays the board.
    """
    browser = find_browser(request.COOKIES, request.user)
    viewer = viewer_by_browser(table_id, browser, request.GET.get("as"))
    state = load_table(table_id)
    if state.class_session_id is None or not 0 < number <= state.shown_round:
        raise Http404
    game = game_of_table(table_id)
    lines = board_lines(state.class_session_id, game)
    lines = tuple(line for line in lines if line.board == number)
    seats = range(len(state.seats)) if viewer.seat is None else [viewer.seat]
    spreads = [
        spread([line for line in lines if line.seat == seat], table_id) for seat in seats
    ]
    context = {
        "number": number,
        "spreads": spreads,
        "own": viewer.seat is not None,
        "columns": COLUMNS,
        "width": WIDTH,
        "state": state,
        "in_panel": request.htmx.target == "panel-body",
    }
    page = "games/board.html" if request.htmx else "games/board_page.html"
    return render(request, page, context)

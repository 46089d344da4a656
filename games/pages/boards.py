"""What the same cards came to at the other tables, once a board is over."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import render

from games import analysis
from games.analysis import NotReady
from games.classes.dot_plots import COLUMNS, board_dot_plot
from games.classes.dot_plots import WIDTH as PLOT_WIDTH
from games.classes.game import board_lines, game_of_table
from games.pages.counting import answer, let_go_of_database
from games.study.replay.board_paths import TALL, WIDTH, hand_paths, lines_of_board
from games.tables.state import TableState, load_table
from games.tables.viewers import Viewer, find_browser, viewer_by_browser
from xactika_site.http import HttpRequest
from xactika_site.views import page_view


@page_view
def board(request: HttpRequest, table_id: str, number: int) -> HttpResponse:
    """The page of a board at all its tables: for a student of their seat's hand, for a teacher
    of all hands.

    404 for whoever may not look at the table, and while any table still plays the board.
    """
    state, viewer = _board_or_404(request, table_id, number)
    assert state.class_session_id is not None
    game = game_of_table(table_id)
    lines = board_lines(state.class_session_id, game)
    lines = tuple(line for line in lines if line.board == number)
    seats = range(len(state.seats)) if viewer.seat is None else [viewer.seat]
    plots = [
        board_dot_plot(own, table_id, is_own=viewer.seat is not None)
        for seat in seats
        if (own := [line for line in lines if line.seat == seat])
    ]
    context = {
        "number": number,
        "plots": plots,
        "own": viewer.seat is not None,
        "columns": COLUMNS,
        "width": PLOT_WIDTH,
        "state": state,
        "in_panel": request.htmx.target == "panel-body",
    }
    page = "games/board.html" if request.htmx else "games/board_page.html"
    return render(request, page, context)


@page_view
def board_paths(request: HttpRequest, table_id: str, number: int) -> HttpResponse:
    """The part or page of which numbers of tricks the hands of a board could reach at how many
    tables, and which they took; for whom and when as ``board``. Nobody is named."""
    state, viewer = _board_or_404(request, table_id, number)
    lines = lines_of_board(game_of_table(table_id).tables, 1 if state.board else number)
    let_go_of_database()
    seats = range(len(state.seats)) if viewer.seat is None else [viewer.seat]
    context: dict[str, object] = {
        "number": number,
        "state": state,
        "own": viewer.seat is not None,
        "is_part": bool(request.htmx),
        "waits": not lines,
    }
    try:
        context["hands"] = answer(
            ("board", *((line.start, line.moves) for line in lines), *seats),
            lambda: [hand_paths(lines, seat) for seat in seats],
        )
    except NotReady:
        context["is_impossible"] = analysis.is_impossible()
    context |= {"width": WIDTH, "floor": TALL + 16, "height": TALL + 40}
    page = "_board_paths" if request.htmx else "board_paths"
    return render(request, f"games/study/{page}.html", context)


def _board_or_404(
    request: HttpRequest, table_id: str, number: int
) -> tuple[TableState, Viewer]:
    browser = find_browser(request.COOKIES, request.user)
    viewer = viewer_by_browser(table_id, browser, request.GET.get("as"))
    state = load_table(table_id)
    shown_round = state.boards.shown_round if state.boards else 0
    is_shown = number == state.board if state.board else 0 < number <= shown_round
    if state.class_session_id is None or not (shown_round and is_shown):
        raise Http404
    return state, viewer

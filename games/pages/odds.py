"""What a seat is told of its odds while it plays."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from games import analysis
from games.analysis import NotReady
from games.analysis.jobs import StillCounting
from games.pages.counting import answer, let_go_of_database, still_counting_page
from games.study.look_back.past_rounds import past_round
from games.study.look_back.reviews import review
from games.study.odds.forecasts import foresee, turn_at
from games.study.odds.panels import BidPanel, exact_words, panel
from games.tables.observation import may_look_back, odds_about, odds_turn
from games.tables.state import TableState, last_known, load_table
from games.tables.viewers import find_browser, viewer_by_browser
from games.words import outcome_circles
from xactika_site.views import page_view


@page_view
def odds(request: HttpRequest, table_id: str) -> HttpResponse:
    """The odds of the seat's turn, or of its last one, as the table has it; nothing (204)
    where there is nothing to tell, or the turn has passed meanwhile."""
    state, seat = _seat_or_404(request, table_id)
    number = odds_about(state, seat)
    if number is None or not _is_present(state, seat):
        return HttpResponse(status=204)
    turn = turn_at(state, seat, number)
    let_go_of_database()
    observation = turn.observation
    try:
        foresight = answer(("odds", observation), lambda: foresee(observation))
    except StillCounting as waits:
        return still_counting_page(request, waits.job, "games/study/odds_counting.html")
    except NotReady:
        exact = exact_words(turn)
        context = {"exact": exact, "is_impossible": analysis.is_impossible()}
        return render(request, "games/study/odds_not_ready.html", context)
    odds_panel = panel(turn, foresight)
    context = {
        "panel": odds_panel,
        "is_bid": isinstance(odds_panel, BidPanel),
        "seats": observation.seats,
    }
    return render(request, "games/study/odds.html", context)


@page_view
def review_round(request: HttpRequest, table_id: str, number: int) -> HttpResponse:
    """The look back on a round from one's seat, once it (of a duplicate session the board) is
    over.

    404 before, and for whoever has no seat there.
    """
    state, seat = _seat_or_404(request, table_id)
    past = past_round(state, number)
    let_go_of_database()
    bid, taken = past.round.bids[seat], past.round.taken[seat]
    context = {
        "state": state,
        "seat": seat,
        "number": number,
        "name": past.names[seat],
        "bid": bid,
        "taken": taken,
        "circles": outcome_circles(bid, taken),
        "rounds": [
            (n, (state.points[n - 1][seat] or 0) >= 0)  # a bid that is made costs nothing
            for n in range(1, state.round_number + 1)
            if may_look_back(state, n)
        ],
    }
    try:
        question = "review", past.round, seat, past.names, past.movers
        context["review"] = answer(question, lambda: review(past, seat))
    except NotReady:
        context["is_impossible"] = analysis.is_impossible()
        return render(request, "games/study/review_not_ready.html", context)
    return render(request, "games/study/review.html", context)


def _seat_or_404(request: HttpRequest, table_id: str) -> tuple[TableState, int]:
    """The table, and the seat that this browser has there."""
    browser = find_browser(request.COOKIES, request.user)
    viewer = viewer_by_browser(table_id, browser, request.GET.get("as"))
    if viewer.seat is None:
        raise Http404
    return load_table(table_id), viewer.seat


def _is_present(state: TableState, seat: int) -> bool:
    """Whether the turn, as far as this process knows, has not passed meanwhile."""
    last = last_known(state.id)
    return last is None or odds_turn(last, seat) == odds_turn(state, seat)

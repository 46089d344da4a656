"""A class session's sheet for the corridor, to print: for who passes by, without names."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from games.analysis import NotReady
from games.pages.counting import answer
from games.rules import by_value
from games.study.puzzles.daily import NoPuzzle, daily_of, is_kept_back, today
from games.study.puzzles.words import question
from games.words import whole
from lessons.results.dataset import dataset_of_session
from lessons.results.session.corridor import best_decision, foreseen, hard_plays, luckiest
from xactika_site.accounts.views import printed_link
from xactika_site.classrooms.views import session_or_404
from xactika_site.views import teachers_page


@teachers_page
def corridor(request: HttpRequest, session_id: int) -> HttpResponse:
    """The sheet; of fewer than five students it only says so. Raises jobs.StillCounting."""
    session = session_or_404(request, session_id)
    data = dataset_of_session(session)
    context: dict[str, Any] = {"session": session, "is_few": data.is_few}
    if not data.is_few:
        plays = hard_plays(data)
        asked = "corridor", tuple((play.past.round, play.moment) for play in plays)
        with suppress(NotReady):
            context["best"] = answer(asked, lambda: best_decision(plays))
        lucky = luckiest(data)
        context |= {
            "lucky": lucky,
            "one_in": lucky and whole(round(1 / lucky.chance)),
            "foreseen": foreseen(data),
            "forecasts": len(data.forecasts),
            **_puzzle(request),
        }
    return render(request, "lessons/results/corridor.html", context)


def _puzzle(request: HttpRequest) -> dict[str, Any]:
    """The context of the latest puzzle that nobody has to keep to themselves: its question, the
    hand in it, and where its answer is."""
    with suppress(NoPuzzle):
        daily = daily_of(today())
        while is_kept_back(daily):
            daily = daily_of(daily.day - timedelta(days=1))
        return {
            "question": question(daily.puzzle)[-1],
            "held": [card.code for card in by_value(daily.puzzle.observation.hand)],
            **printed_link(request, reverse("puzzle", args=[daily.day])),
        }
    return {}

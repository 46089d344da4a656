"""What came of a tournament: who is ahead, by how much more than luck, who met whom."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import ngettext

from games.analysis.movements import BoardOutcome, leader_p_value
from games.analysis.significance import ALPHA
from games.classes.dot_plots import signed_mean
from games.classes.game import BoardLine
from games.classes.standings import better_half, duplicate_standings, match_points
from games.classes.state import load_session
from games.rules import Variant
from games.words import first_names, percent, signed
from xactika_site.classrooms.views import session_or_404
from xactika_site.http import HttpRequest
from xactika_site.views import teachers_page

FEWEST_BOARDS = 3
"""After fewer nothing is said about luck."""


@teachers_page
def session_tournament(request: HttpRequest, session_id: int) -> HttpResponse:
    """The result of the session's tournament so far, of boards that are over everywhere; with
    ``?print`` a certificate for each student, which tells the place in the better half."""
    session = session_or_404(request, session_id)
    state = load_session(session.pk)
    variant = Variant(state.variant)
    lines = state.played.lines if state.board else ()
    shares = match_points(lines, variant)
    standings = duplicate_standings(lines, variant)
    better = better_half(standings, len(standings))
    winners = [row.name for row in standings if row.rank == 1]
    rows = [
        {
            "standing": row,
            "is_better": row in better,
            "points": signed(row.total, 0),
            "fair_score": signed_mean(row.score),
            "share": percent(shares[row.student]) if row.student in shares else "",
        }
        for row in standings
    ]
    boards = max((line.board for line in lines), default=0)
    p_value = leader_p_value(_outcomes(lines, variant))
    context = {
        "session": session,
        "rows": rows,
        "who": _student_words(winners),
        "boards": boards,
        "planned": max(boards, state.settings.rounds),
        "is_early": boards < FEWEST_BOARDS,
        "percent": p_value and max(1, round(100 * p_value)),
        "is_rare": p_value is not None and p_value < ALPHA,
    }
    page = "certificates" if "print" in request.GET else "tournament"
    return render(request, f"games/classes/{page}.html", context)


def _student_words(names: list[str]) -> str:
    """These students in words: by their names, of more than three how many they are."""
    if len(names) <= 3:
        return first_names(names)
    return ngettext("%(n)s student", "%(n)s students", len(names)) % {"n": len(names)}


def _outcomes(lines: tuple[BoardLine, ...], variant: Variant) -> list[BoardOutcome]:
    sign = -1 if variant is Variant.LOSE else 1
    return [
        BoardOutcome(
            board=line.board,
            table=line.table,
            seat=line.seat,
            person=line.student if line.is_own else None,
            ahead=sign * float(line.fair_score or 0),
        )
        for line in lines
    ]

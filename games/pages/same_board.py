"""The same deal again: one's own line, those since, and an expert's, trick by trick."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games import analysis
from games.analysis import NotReady
from games.models import Table
from games.pages.counting import let_go_of_database
from games.pages.positions import line_of_expert
from games.rules import HAND_SIZE, by_value
from games.study.replay.positions import Sight, position_at, position_for, sight_of
from games.study.replay.same_board import Laid, Own, own_line, parting_trick, tries
from games.tables.rendering import GAME_NAMES
from games.tables.viewers import find_browser
from games.words import number
from xactika_site.http import HttpRequest
from xactika_site.views import page_view


@page_view
def play_again(request: HttpRequest, table_id: str, number: int) -> HttpResponse:
    """The redirect to where the board of a finished round of this table is played again."""
    place = request.GET.get("as")
    sight = sight_of(find_browser(request.COOKIES, request.user), table_id, number, place)
    position = position_at(sight, moment=0, seat=_own_seat_or_404(sight))
    return redirect("same_board", position.pk)


@page_view
def same_board(request: HttpRequest, position_id: str) -> HttpResponse:
    """The page of a board that one has played: one's own lines, then an expert's."""
    browser = find_browser(request.COOKIES, request.user)
    position, sight = position_for(browser, position_id)
    sight = sight_of(browser, sight.state.id, sight.deal.round, str(position.seat))
    if position.seat != _own_seat_or_404(sight) or not sight.line.is_whole:
        raise Http404
    since = tries(position, browser.guest)
    context: dict[str, Any] = {
        "position": position,
        "table_id": sight.state.id,
        "round_number": sight.deal.round,
        "game": GAME_NAMES[sight.state.variant.value],
        "deal": sight.deal,
        "hand": [card.code for card in by_value(sight.line.start.hands[position.seat])],
        "open": next((each for each in since if each.own is None), None),
    }
    done = [(each.table_id, each.own) for each in since if each.own is not None]
    then = own_line(sight.line, position.seat)
    columns: list[LineColumn] = [LineColumn(_("Then"), then)]
    again = pgettext("a line", "Again") if len(done) == 1 else _("Again %(n)d")
    columns += [
        LineColumn(again % {"n": n}, own, then, played_at)
        for n, (played_at, own) in enumerate(done, 1)
    ]
    if done:
        let_go_of_database()
        try:
            line = line_of_expert(sight, position.seat)
            expert = own_line(line, position.seat)
            columns.append(LineColumn(_("The expert"), expert, then, is_expert=True))
        except NotReady:
            context |= {"is_missing": True, "is_impossible": analysis.is_impossible()}
    context |= {"columns": columns, "rows": _rows(columns), "told": _comparison_words(columns)}
    return render(request, "games/study/same_board.html", context)


@dataclass(frozen=True, slots=True)
class LineColumn:
    """A line beside others: what it is called, what it was, beside which it is laid, and at
    which table it was played."""

    name: str
    own: Own
    beside: Own | None = None
    table_id: str = ""
    is_expert: bool = False

    @property
    def points(self) -> str:
        """The points that the line brought, as they are written."""
        return number(self.own.points, 0)

    @property
    def parts(self) -> int | None:
        """The trick, from 1, in which it parts from the line beside it (``parting_trick``)."""
        return None if self.beside is None else parting_trick(self.beside, self.own)


def _rows(columns: Sequence[LineColumn]) -> list[tuple[int, list[tuple[Laid, bool]]]]:
    """Trick by trick, from 1, what each line laid, and whether it parts there."""
    return [
        (n, [(column.own.cards[n - 1], column.parts == n) for column in columns])
        for n in range(1, HAND_SIZE + 1)
    ]


def _comparison_words(columns: Sequence[LineColumn]) -> str:
    """Where the latest line parts from the first, in a sentence; empty without another."""
    own = [column for column in columns if not column.is_expert]
    if len(own) < 2:
        return ""
    words = {None: _("You played it just as before."), 0: _("You bid differently.")}
    parts = own[-1].parts
    return words.get(parts) or _("From trick %d on you played differently.") % parts


def _own_seat_or_404(sight: Sight) -> int:
    """The seat at which they played it; at a study table nobody plays again what they tried."""
    if sight.own is None or sight.state.kind == Table.Kind.STUDY:
        raise Http404
    return sight.own

"""A finished round shown moment by moment: the table as it was, and what happened, in words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from django.utils import timezone
from django.utils.translation import gettext as _

from games.models import DEFAULT_PACE, DEFAULT_PATIENCE, Deal
from games.rules import Round, score_round
from games.study.replay.lines import Line
from games.tables.fragments import still_fragments
from games.tables.observation import table_view
from games.tables.rendering import Fragments
from games.tables.state import TableState
from games.tables.view import SeatState, Setup, Study, TableView
from games.words import (
    move_words,
    outcome_words,
    points_words,
    sentences,
    taker_words,
    tricks_words,
)


def scene(
    state: TableState, deal: Deal, line: Line, moment: int, *, names: Sequence[str] = ()
) -> TableState:
    """The table as it was at this moment of the round, with everybody at it; under other
    ``names``, if they are given."""
    round_ = line.rounds[moment]
    seats = tuple(
        replace(
            seat,
            name=names[seat.number] if names else seat.name,
            opened=False,  # nobody is told to be away
            stand_in=False,
            ready_at=None,
        )
        for seat in state.seats
    )
    points = state.points[: deal.round - 1]
    return replace(
        state,
        seats=seats,
        paused=False,
        closed=False,
        setup=replace(state.setup, clock=None),
        deal_id=deal.pk,
        round_number=deal.round,
        dealt=tuple(map(tuple, deal.hands)),
        round=round_,
        moves=line.moves[:moment],
        turn_began=deal.created,
        points=(*points, score_round(round_)) if round_.is_over else points,
    )


def unstored_scene(
    line: Line,
    moment: int,
    names: Sequence[str],
    level: str,
    *,
    table_id: str = "",
    rounds: int = 1,
) -> TableState:
    """The table at this moment of a line that is nobody's and stored nowhere: bots of this
    level, but on the first seat."""
    round_ = line.rounds[moment]
    return TableState(
        id=table_id,
        setup=Setup(
            variant=round_.variant,
            rounds=rounds,
            level=level,
            patience=timedelta(seconds=DEFAULT_PATIENCE),
            pace=DEFAULT_PACE,
        ),
        part=Study(),
        seats=tuple(  # not opened: nobody is told to be away
            SeatState(pk=0, number=number, name=name, level=level if number else "")
            for number, name in enumerate(names)
        ),
        round_number=1,
        dealt=tuple(tuple(card.code for card in hand) for hand in line.start.hands),
        round=round_,
        moves=line.moves[:moment],
        turn_began=timezone.now(),
        points=(score_round(round_),) if round_.is_over else (),
    )


@dataclass(frozen=True, slots=True)
class Drawing:
    """A scene before one seat: its fragments, and those of the seats from the left of it on,
    each as tile and slot."""

    view: TableView
    fragments: Fragments
    seats: tuple[tuple[str, str], ...]


def drawing_of(
    state: TableState, line: Line, moment: int, seat: int, you: int | None = None
) -> Drawing:
    """A ``scene``, with what this seat could see then; seat ``you`` is spoken to."""
    view = table_view(state, {}, timezone.now())
    fragments = still_fragments(view, line.observation(moment, seat))
    if you is not None:
        spoken = re.compile(rf'(data-me="{you}" data-you="([^"]*)"[^>]*>)[^<]*')
        fragments["called"] = spoken.sub(r"\1\2", fragments["called"])
    count = line.start.seats
    from_left = [(seat + k) % count for k in range(1, count + 1)]
    seats = tuple((fragments[f"seat-{n}"], fragments[f"slot-{n}"]) for n in from_left)
    return Drawing(view, fragments, seats)


def event_words(line: Line, moment: int, names: Sequence[str], you: int | None) -> str:
    """Short sentences on what has just happened; ``you`` is the listener's seat."""
    now = line.rounds[moment]
    if moment == 0:
        return _("The cards are dealt.")
    before = line.rounds[moment - 1]
    seat, text = line.moves[moment - 1]
    call = before.trick.call if before.trick else None
    said = [move_words(names[seat], text, call, is_you=seat == you)]
    if len(now.tricks) > len(before.tricks):
        taker = now.tricks[-1].winner
        assert taker is not None
        said.append(taker_words(names[taker], now.tricks[-1], is_you=taker == you))
    elif before.is_bidding and not now.is_bidding:
        total = sum(bid or 0 for bid in now.bids)
        said.append(_("Bids add up to %(n)d.") % {"n": total})
    return sentences(*said)


def result_words(round_: Round, seat: int, name: str, *, is_you: bool) -> str:
    """A sentence on what the round came to for one seat; empty before its end."""
    if not round_.is_over:
        return ""
    bid, taken, gained = round_.bids[seat], round_.taken[seat], score_round(round_)[seat]
    brought = points_words(gained, 0)
    if is_you:
        return outcome_words(bid, taken, brought)
    if bid is None:
        facts = {"name": name, "tricks": tricks_words(taken, 0)}
        return _("%(name)s took %(tricks)s.") % facts
    words = _("%(name)s bid %(bid)d and took %(taken)d: %(points)s.")
    return words % {"name": name, "bid": bid, "taken": taken, "points": brought}

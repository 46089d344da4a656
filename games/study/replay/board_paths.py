"""A duplicate board in the light of its paths: of the tables that played one hand, how many
could have taken so many tricks, and how many did. Without names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext as _

from games import analysis
from games.models import Deal
from games.rules import HAND_SIZE, Variant
from games.study.replay.lines import Line
from games.study.replay.paths import counts_of
from games.study.replay.positions import lines_of
from games.tables.state import may_be_compared

WIDTH, TALL, STEP = 290, 80, 32
"""Of the drawing: how wide, its highest bar, and from one number of tricks to the next."""


class TricksColumn(NamedTuple):
    """So many tricks: at how many tables they could be reached, and at how many they were
    taken; and where the bars stand."""

    tricks: int
    could: int
    took: int
    x: int
    could_high: float
    took_high: float


@dataclass(frozen=True, slots=True)
class HandPaths:
    """One hand of a board at all tables that have played it."""

    seat: int
    tables: int
    columns: tuple[TricksColumn, ...]
    is_whole: bool
    sentence: str


def lines_of_board(tables: Sequence[str], number: int) -> list[Line]:
    """The round of this number at each of these tables where it is over and may be shown."""
    deals = Deal.objects.filter(
        may_be_compared(), table__in=tables, round=number, results__seat=0
    )
    lines = lines_of(deals.select_related("table").order_by("pk"))
    return [line for line in lines.values() if line.is_whole]


def hand_paths(lines: Sequence[Line], seat: int) -> HandPaths:
    """What this seat's hand could reach at each table, against players who follow the tips with
    the bids of that table, beside what it took. Searches. Raises
    analysis.NotReady."""
    analysis.require()
    reaches = [counts_of(line, seat) for line in lines]
    ends = [line.rounds[-1] for line in lines]
    could = [sum(n in reach.counts for reach in reaches) for n in range(HAND_SIZE + 1)]
    took = [sum(end.taken[seat] == n for end in ends) for n in range(HAND_SIZE + 1)]
    unit = TALL / max(1, len(lines))
    facts = {
        "could": sum(
            end.bids[seat] in reach.counts for end, reach in zip(ends, reaches, strict=True)
        ),
        "made": sum(end.bids[seat] == end.taken[seat] for end in ends),
        "tables": len(lines),
    }
    is_bid = bool(ends) and ends[0].variant is Variant.BID
    words = _(
        "Against players who follow the tips, %(could)d of %(tables)d tables could make the"
        " bid. %(made)d did."
    )
    return HandPaths(
        seat=seat,
        tables=len(lines),
        columns=tuple(
            TricksColumn(
                n,
                could[n],
                took[n],
                STEP * n,
                round(unit * could[n], 1),
                round(unit * took[n], 1),
            )
            for n in range(HAND_SIZE + 1)
        ),
        is_whole=all(reach.is_whole for reach in reaches),
        sentence=words % facts if is_bid else "",
    )

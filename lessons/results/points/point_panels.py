"""The panel of points: what each round brought, by the bid or by the tricks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from lessons.charts import LABEL
from lessons.measures.marks import Merged
from lessons.measures.measure import panel
from lessons.measures.panels import Panel
from lessons.results.bids import bidding
from lessons.results.dataset import Dataset
from lessons.results.words import basis_words
from xactika_site.classrooms.privacy import FEWEST


def points(data: Dataset, *, is_shared: bool = False) -> Panel:
    """Mean points, round by round; on a screen that others see not of rounds that fewer than
    five students have finished."""
    played = bidding.points_by_round(data)
    shown = [row for row in played if not is_shared or row.students >= FEWEST]
    if not shown:
        return panel("points").hidden() if played else panel("points")
    several = len({row.game for row in shown}) > 1
    rows = [
        Merged(row, label=f"{row.game}·{row.round}" if several else str(row.round))
        for row in shown
    ]
    said = {
        "several": several,
        "bid": any(row.hit_rate is not None for row in shown),
        **_room(shown),
        **_changes(shown),
    }
    rounds, students = sum(row.rounds for row in shown), len(data.students)
    rests = basis_words(rounds=rounds, students=students, of=len(data.came))
    return panel("points", rows, said, basis=rests)


def _room(rows: Sequence[bidding.RoundPoints]) -> Mapping[str, Any]:
    """The ends of an axis with room for labels above bars, and below those that hang."""
    heights = [Fraction(), *(each for row in rows for each in (row.points, row.structural))]
    low, high = float(min(heights)), float(max(heights))
    room = LABEL * ((high - low) or 1)
    return {"low": low - room if low else 0, "high": high + room}


def _changes(rows: Sequence[bidding.RoundPoints]) -> Mapping[str, Any]:
    """The facts of the last round, beside the first one where it was of the same game."""
    first, last = rows[0], rows[-1]
    return {
        "compared": len(rows) > 1 and first.variant == last.variant,
        "made": first.hit_rate is not None and last.hit_rate is not None,
        "first": first.points,
        "last": last.points,
        "early": first.hit_rate,
        "late": last.hit_rate,
    }

"""The game's running line: everybody's total after each round, as the numbers of a small chart.
Pure; templates/games/table/_scores.html draws it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

WIDTH, LEFT, RIGHT = 320, 24, 176
"""Of the drawing; where its lines begin and end. Names stand to the right of that."""

TOP, BELOW, LEAST = 10, 18, 110
"""What is free above and below the lines, and how high these are at least."""

GAP = 17
"""From one name's line to the next."""

APART = 3.5
"""From one to the next of lines that are the same in all rounds."""


class ScoreLine(NamedTuple):
    """One seat's: its points as SVG writes them, where it ends, and where its name stands."""

    seat: int
    total: int
    path: str
    x: float
    y: float
    label: float


class ScoreChart(NamedTuple):
    """The chart. ``rounds`` and ``levels`` are places on its axes, with what stands there."""

    height: int
    zero: float
    lines: tuple[ScoreLine, ...]
    rounds: tuple[tuple[float, int], ...]
    levels: tuple[tuple[float, int], ...]


def running_chart(points: Sequence[Sequence[int | None]]) -> ScoreChart | None:
    """The chart of the points by finished round and seat; None before the second round. Whoever
    came later begins where they came."""
    if len(points) < 2:
        return None
    seats, rounds = len(points[0]), len(points)
    totals = [
        list(accumulate((row[seat] or 0 for row in points), initial=0)) for seat in range(seats)
    ]
    low, high = min(map(min, totals)), max(map(max, totals))
    tall = max(LEAST, GAP * seats)
    x = [round(LEFT + (RIGHT - LEFT) * n / rounds, 1) for n in range(rounds + 1)]
    y = {
        total: round(TOP + tall * (high - total) / ((high - low) or 1), 1)
        for total in {0}.union(*totals)
    }
    # As texts but once: a float's takes longer than all the rest.
    across = [f"{place:g}" for place in x]
    up = {total: f"{place:g}" for total, place in y.items()}
    levels = [level for level in (low, high) if abs(y[level] - y[0]) >= GAP]
    below = [APART * min(totals[:seat].count(mine), 3) for seat, mine in enumerate(totals)]
    ends = [y[each[-1]] for each in totals]
    labels = label_places(ends, GAP, TOP + tall)
    lines = []
    for seat, mine in enumerate(totals):
        first = next((n for n in range(rounds) if points[n][seat] is not None), rounds)
        place = {each: f"{y[each] + below[seat]:g}" for each in mine} if below[seat] else up
        path = " ".join(f"{across[n]},{place[mine[n]]}" for n in range(first, rounds + 1))
        end = ends[seat] + below[seat]
        lines.append(ScoreLine(seat, mine[-1], path, x[rounds], end, labels[seat]))
    return ScoreChart(
        height=TOP + tall + BELOW,
        zero=y[0],
        lines=tuple(lines),
        rounds=tuple(zip(x[1:], range(1, rounds + 1), strict=True)),
        levels=tuple((y[level], level) for level in [0, *levels]),
    )


def label_places(wanted: Sequence[float], gap: float, bottom: float) -> list[float]:
    """The places to write so many names at, near to where each wants to stand, in their order,
    none nearer to the next than ``gap`` and none below ``bottom``.

    >>> label_places([50, 50, 10], 14, 60)
    [46, 60, 10]
    """
    order = sorted(range(len(wanted)), key=lambda k: (wanted[k], k))
    places = [wanted[k] for k in order]
    for k in range(1, len(places)):
        places[k] = max(places[k], places[k - 1] + gap)
    places[-1] = min(places[-1], bottom)
    for k in range(len(places) - 2, -1, -1):
        places[k] = min(places[k], places[k + 1] - gap)
    by_name = dict(zip(order, places, strict=True))
    return [by_name[k] for k in range(len(wanted))]

"""Pictures of why an answer is right: a dot for each of many cases, a bar for each bid. Where
things lie in a drawing; the template draws them."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

from games.words import number

WIDER = 6
"""How many times as wide as it is high a grid of dots is, about."""

HIGH = 4.8
"""From the lowest end of a bar to the highest, in units: a bar and its gap are one wide."""


class Box(NamedTuple):
    """A rectangle of a drawing, in its units."""

    x: float
    y: float
    width: float
    height: float


class DotGrid(NamedTuple):
    """Dots in rows, one unit apart: how many in a row, how many rows, the boxes they fill."""

    columns: int
    rows: int
    boxes: tuple[Box, ...]


def dot_grid(total: int) -> DotGrid:
    """The grid of so many dots, 1 at least; full rows, where a number of columns near
    ``WIDER`` allows it."""
    middle = max(1, round(sqrt(WIDER * total)))
    near = range(max(1, min(total, middle * 3 // 4)), min(total, middle * 3 // 2) + 1)
    columns = min(near, key=lambda n: (total % n != 0, abs(n - middle)))
    full, left = divmod(total, columns)
    boxes = [Box(0, 0, columns, full), *([Box(0, full, left, 1)] if left else [])]
    return DotGrid(columns, full + bool(left), tuple(boxes))


class Bar(NamedTuple):
    """What a bid brings: a box up from the line of 0 or down from it; None if forbidden; and
    where what it is ``worth`` is written, beyond its end."""

    bid: int
    box: Box | None
    is_best: bool
    worth: str = ""
    end: float = 0


class BidBars(NamedTuple):
    """A bar for each bid, one unit apart, above or below 0; ``HIGH`` units in all. What the
    best one brings is written over ``middle`` at the height ``top``."""

    bars: tuple[Bar, ...]
    zero: float
    middle: float
    top: float


def bid_bars(points: Sequence[float | None], best: int) -> BidBars:
    """The bars of the mean points by bid; the forbidden bid has none."""
    known = [0.0, *(each for each in points if each is not None)]
    low, high = min(known), max(known)
    scale = HIGH / ((high - low) or 1)

    def height(each: float) -> float:
        return round(each * scale, 3)

    bars = tuple(
        Bar(
            bid,
            None
            if each is None
            else Box(bid + 0.14, height(high - max(each, 0)), 0.72, height(abs(each))),
            bid == best,
            "" if each is None else number(each),
            height(high - (each or 0)) + (0.48 if (each or 0) < 0 else -0.15),
        )
        for bid, each in enumerate(points)
    )
    return BidBars(bars, height(high), best + 0.5, height(high - max(points[best] or 0, 0)))

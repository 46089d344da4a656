"""Pictures of why an answer is right: a dot for each of many cases, a bar for each bid. Where
things lie in a drawing; the template draws them."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

from games.words import number

WIDER = 4
"""How many times as wide as it is high a grid of dots is, about."""

HIGH = 100
"""From the lowest end of a bar to the highest: bars lie in hundredths of width and height."""


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
    """What a bid brings: a box up from the line of 0 or down from it; None if that is not told;
    and where what it is ``worth`` is written, beyond its end: below it if it ``hangs``."""

    bid: int
    middle: float
    box: Box | None
    is_best: bool = False
    worth: str = ""
    end: float = 0
    hangs: bool = False


class BidBars(NamedTuple):
    """A bar for each bid, above or below the line of 0."""

    bars: tuple[Bar, ...]
    zero: float


SPAN = (-3.0, 1.0)
"""What bars of bids reach at least while it is not told which is the best."""


def bid_bars(points: Sequence[float | None], best: int | None = None) -> BidBars:
    """The bars of the mean points by bid, where they are told; of the ``best`` one in full."""
    known = [0.0, *(each for each in points if each is not None)]
    if best is None:
        known += SPAN
    low, high = min(known), max(known)
    scale = HIGH / ((high - low) or 1)
    wide = 100 / len(points)

    def height(each: float) -> float:
        return round(each * scale, 3)

    def bar(bid: int, each: float | None) -> Bar:
        middle, is_best = round((bid + 0.5) * wide, 3), bid == best
        if each is None:
            return Bar(bid, middle, None, is_best)
        left = round((bid + 0.14) * wide, 3)
        return Bar(
            bid,
            middle,
            Box(left, height(high - max(each, 0)), round(0.72 * wide, 3), height(abs(each))),
            is_best,
            number(each, 2) if is_best else number(each),
            height(high - (max(each, 0) if is_best else each)),
            each < 0 and not is_best,
        )

    return BidBars(tuple(bar(*each) for each in enumerate(points)), height(high))

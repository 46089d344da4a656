"""Many hands dealt and tallied: what a class would see after dealing for a year.

Plain numpy, no kernel; importing this module imports numpy, so do it where it is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from games.analysis.jobs import report
from games.rules import DECK, HAND_SIZE, Call, Card, Shape

MAX_HANDS = 1_000_000
"""So many hands at most are dealt for one question."""

BLOCK = 20_000
"""Hands dealt at a time: what they need stays in the processor's cache."""

HandArray = NDArray[np.uint8]
CountArray = NDArray[np.int64]


def scores(of_card: Callable[[Card], int]) -> NDArray[np.uint8]:
    """A whole number from 0 to 12 for each card of the deck, in its order."""
    return np.array([of_card(card) for card in DECK], np.uint8)


def draw_hands(count: int, rng: np.random.Generator) -> HandArray:
    """So many independent hands, each eight different cards, all hands equally likely.

    As [place, hand] of places in ``DECK``. Eight cards are drawn with repetition, and hands
    with a repeated card (three in ten) are thrown away: what is left is uniform.
    """
    parts: list[HandArray] = []
    missing = count
    while missing > 0:
        drawn = rng.integers(0, len(DECK), (HAND_SIZE, missing * 3 // 2 + 8), dtype=np.uint8)
        good = np.ones(drawn.shape[1], np.bool_)
        for later in range(1, HAND_SIZE):
            for earlier in range(later):
                good &= drawn[later] != drawn[earlier]
        distinct = drawn[:, good][:, :missing]
        parts.append(distinct)
        missing -= distinct.shape[1]
    return np.concatenate(parts, axis=1) if len(parts) > 1 else parts[0]


def voids(hands: HandArray) -> NDArray[np.int64]:
    """For each hand how many of the twelve calls none of its cards shows."""
    calls = np.bitwise_or.reduce(_CALLS[hands], axis=0)
    return len(CALLS) - _ONES[calls]


CALLS = [Call(shape, count) for shape in Shape for count in (1, 2, 3)]
_CALLS = np.array(
    [sum(card.shows(call) << n for n, call in enumerate(CALLS)) for card in DECK], np.uint16
)
_ONES = np.array([n.bit_count() for n in range(1 << len(CALLS))], np.int64)


def sums_after(
    steps: Sequence[int],
    count: Callable[[HandArray], CountArray],
    *,
    size: int,
    seed: int,
    each: int = 1,
) -> Iterator[CountArray]:
    """The counts by ``count``, added up, after each of these numbers of hands, which increase.
    ``each`` hands belong together as one, if more than one; it divides ``BLOCK``.

    The first n hands of a seed are the same, in whatever steps they come. Raises ValueError
    beyond ``MAX_HANDS``.
    """
    if not steps or not 0 < steps[-1] * each <= MAX_HANDS:
        raise ValueError(f"between 1 and {MAX_HANDS} hands can be dealt")
    rng = np.random.default_rng(seed)
    counts = np.zeros(size, np.int64)
    waiting: HandArray = np.empty((HAND_SIZE, 0), np.uint8)
    dealt = 0
    for step in steps:
        while dealt < step * each:
            if waiting.shape[1] == 0:
                waiting = draw_hands(BLOCK, rng)
            now, waiting = waiting[:, : step * each - dealt], waiting[:, step * each - dealt :]
            batch = count(now)
            counts[: len(batch)] += batch
            dealt += now.shape[1]
            report(dealt, steps[-1] * each)
        yield counts.copy()

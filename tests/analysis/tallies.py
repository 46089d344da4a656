"""Scores of many dealt hands, counted as plainly as can be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from games.analysis.deals import CountArray, HandArray, sums_after
from games.rules import HAND_SIZE


def tally(hands: HandArray, of_card: NDArray[np.uint8], *, per_hand: bool) -> CountArray:
    """How often each score occurs: that of every card, or (``per_hand``) the sum of a hand.

    Entry k counts the score k; the length is the largest possible score + 1.
    """
    highest = int(of_card.max())
    scored = of_card[hands]
    if not per_hand:
        return np.bincount(scored.ravel(), minlength=highest + 1)
    totals = scored.sum(axis=0, dtype=np.uint8)  # at most 96
    return np.bincount(totals, minlength=HAND_SIZE * highest + 1)


def simulate(
    steps: Sequence[int], of_card: NDArray[np.uint8], *, per_hand: bool, seed: int
) -> Iterator[CountArray]:
    """The tally of scores after each of these numbers of hands."""
    return sums_after(
        steps,
        lambda hands: tally(hands, of_card, per_hand=per_hand),
        size=int(of_card.max()) * (HAND_SIZE if per_hand else 1) + 1,
        seed=seed,
    )

"""The same deals again: two moves in the very worlds that could have been, side by side.

Importing this module needs nothing; comparing needs the kernel.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt

from games.analysis import require
from games.analysis.knowledge import read
from games.analysis.outcomes import Outcome
from games.rules import HAND_SIZE, Move, Observation, Variant

WORLDS = 10_000


@dataclass(frozen=True, slots=True)
class Comparison:
    """What two moves led to in the same worlds. ``both[i][j]`` counts those in which the seat
    took i tricks with the one move and j with the other; the worth of tricks is each outcome's
    own, as bids differ."""

    one: Outcome
    other: Outcome
    both: tuple[tuple[int, ...], ...]
    variant: Variant

    @property
    def difference(self) -> float:
        """The points by which the one move is ahead on average; in lose, where tricks are
        points that nobody wants, by how many fewer."""
        return self._mean_over_worlds(lambda gap: gap)

    @property
    def error(self) -> float:
        """The standard error of the difference: of pairs, each world with itself."""
        square = self._mean_over_worlds(lambda gap: gap * gap)
        return sqrt(max(0.0, square - self.difference**2) / self.one.worlds)

    @property
    def better(self) -> float:
        """The share of worlds in which the one move does better, and not only as well."""
        return self._mean_over_worlds(lambda gap: float(gap > 0))

    @property
    def worse(self) -> float:
        """The share of worlds in which the other does."""
        return self._mean_over_worlds(lambda gap: float(gap < 0))

    def _mean_over_worlds(self, of: Callable[[float], float]) -> float:
        sign = -1 if self.variant is Variant.LOSE else 1
        total = sum(
            count * of(sign * (self.one.worth[i] - self.other.worth[j]))
            for i, row in enumerate(self.both)
            for j, count in enumerate(row)
            if count
        )
        return total / self.one.worlds


def deal_again(
    observation: Observation, one: Move, other: Move, *, worlds: int = WORLDS, seed: int
) -> Comparison:
    """The comparison of both moves in as many worlds that agree with what the seat saw, played
    to their end as everywhere in this house: the seat counts cards, the others follow the tips.

    Raises Contradiction, NotReady, ValueError (a move that is not legal now), and
    ``jobs.Cancelled``.
    """
    if one not in observation.legal or other not in observation.legal:
        raise ValueError("both moves are to be legal ones of the seat whose turn it is")
    require()
    import numpy as np

    from games.analysis.simulation import (
        PlayoutPoint,
        WorldSampler,
        batches,
        outcome,
        policies,
        tally,
    )

    seat = observation.seat
    sampler = WorldSampler(read(observation), observation.hand)
    point = PlayoutPoint(observation, policies=policies(observation))
    tricks = np.zeros((2, HAND_SIZE + 1), np.int64)
    both = np.zeros((HAND_SIZE + 1, HAND_SIZE + 1), np.int64)
    taking = np.zeros(2, np.int64)
    for size, own in batches(worlds, seed):
        dealt = sampler.deal(size, seed=own)
        final, takers = point.play(dealt, [one, other], seed=own)
        tricks += tally(final[:, :, seat])
        taking += (takers == seat).sum(axis=0)
        np.add.at(both, (final[:, 0, seat], final[:, 1, seat]), 1)
    outcomes = [
        outcome(observation, move, int(taking[n]), tricks[n])
        for n, move in enumerate((one, other))
    ]
    counts = tuple(tuple(map(int, row)) for row in both)
    return Comparison(outcomes[0], outcomes[1], counts, observation.variant)

"""Worlds weighted by what the other seats' bids and plays say about their hands.

A stranger is taken to follow the tips, or else to play in a way that says nothing; which of
the two, a seat's own moves tell. Importing this module loads the compiled kernel.
"""

from __future__ import annotations

from functools import lru_cache
from math import exp, log

import numpy as np
from numpy.typing import NDArray

from games.analysis import kernel
from games.analysis.simulation import Worlds, WorldSampler, aims
from games.rules import HAND_SIZE, Observation, Trick

FOLLOWS_TIPS = 0.85
"""How likely a stranger is to play by the tips."""
SLIP = 0.015
"""How often one who does plays otherwise."""
BY_CHANCE = 0.6
"""How often the play of one who does not agrees with them all the same."""

WALKS = 16


class Witness:
    """Deals worlds as likely as the bids and plays of the other seats make them."""

    def __init__(self, observation: Observation, sampler: WorldSampler) -> None:
        self._dealer = sampler
        self._against = kernel.read_plays(_plays(observation))
        self._played = np.zeros((10, 3), np.int64)
        for trick in _tricks(observation):
            for seat, card in trick.plays:
                self._played[seat] += (1, card.value >= 11, card.value in (9, 10))
        self._bid_fit = np.zeros((10, 9, 9))
        for seat, bid in enumerate(observation.bids):
            if bid is not None and seat != observation.seat:
                self._bid_fit[seat] = _bid_fits(observation.seats)[bid]
        self._stride = max(16, 2 * sum(observation.hand_sizes))

    def deal(self, count: int, *, seed: int) -> tuple[Worlds, None]:
        """So many worlds, from a few walks that start at worlds of the dealer; of policies that
        would go with them it knows nothing."""
        walks = min(WALKS, count)
        begins = np.concatenate(
            [self._dealer.deal(walks, seed=seed), self._dealer.known_world[None, :]]
        )
        worlds = np.empty((count, 81), np.int8)
        kernel.sample_worlds(
            begins, self._dealer.voids, self._against, self._played, self._bid_fit,
            _play_fits(), self._stride, np.array([seed ^ 0x5EED], np.uint64), worlds,
        )  # fmt: skip
        return worlds, None


def _tricks(observation: Observation) -> list[Trick]:
    return [*observation.tricks, *([] if observation.trick is None else [observation.trick])]


def _plays(observation: Observation) -> NDArray[np.int64]:
    """Every play of another seat with what was known when it was made (kernel.evidence)."""
    goals, taken = aims(observation), [0] * observation.seats
    rows: list[list[int]] = []
    for trick in _tricks(observation):
        best = 0
        for number, (seat, card) in enumerate(trick.plays):
            assert trick.call is not None  # there are plays
            if seat != observation.seat:
                is_last, wants = number == observation.seats - 1, taken[seat] < goals[seat]
                call = kernel.call_index[trick.call]
                rows.append(
                    [seat, kernel.card_index[card], call, number == 0, best, is_last, wants]
                )
            if card.shows(trick.call):
                best = max(best, card.value)
        if trick.winner is not None:
            taken[trick.winner] += 1
    return np.array(rows, np.int64).reshape(-1, 7)


@lru_cache
def _play_fits() -> NDArray[np.float64]:
    """The log-likelihood of m misfits in n plays, at [n, m]."""
    fits = np.zeros((HAND_SIZE + 1, HAND_SIZE + 1))
    for n in range(HAND_SIZE + 1):
        for m in range(n + 1):
            by_tip = (1 - SLIP) ** (n - m) * SLIP**m
            fits[n, m] = log(FOLLOWS_TIPS * by_tip + (1 - FOLLOWS_TIPS) * BY_CHANCE**n)
    return fits


@lru_cache
def _bid_fits(seats: int) -> NDArray[np.float64]:
    """The log-likelihood of each bid, at [bid, cards of 11 and 12, cards of 9 and 10]: of the
    two tips, or of somebody who expects a fair share for such a hand."""
    fits = np.zeros((HAND_SIZE + 1, HAND_SIZE + 1, HAND_SIZE + 1))
    for high in range(HAND_SIZE + 1):
        for middle in range(HAND_SIZE + 1 - high):
            fair = HAND_SIZE / seats * (0.25 + 0.75 * (1.6 * high + middle) / 3.06)
            near = np.array([exp(-(((b - fair) / 1.7) ** 2)) for b in range(HAND_SIZE + 1)])
            chances = 0.25 * near / near.sum() + 0.02 / (HAND_SIZE + 1)
            for wish, share in ((high + middle // 2, 0.53), (high + middle, 0.2)):
                chances[wish] += 0.9 * share
                chances[wish - 1 if wish else 1] += 0.1 * share  # the hook
            fits[:, high, middle] = np.log(chances)
    return fits

"""What each bid brings if all follow the tips: simulated, in deals that fit the bids made.

Importing this module loads the compiled kernel.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.analysis import kernel
from games.analysis.knowledge import read
from games.analysis.puzzles import YOU, Puzzle
from games.analysis.simulation import PlayoutPoint, Worlds, WorldSampler
from games.rules import Bid, Round, points

WORLDS = 100_000
BATCH = 20_000

_HIGH = np.array([card.value >= 11 for card in kernel.card_at])
_MIDDLE = np.array([card.value in (9, 10) for card in kernel.card_at])


class Figures(NamedTuple):
    """The mean points of each bid (None: forbidden); by how much the best is ahead, and how
    many standard errors that is."""

    points: tuple[float | None, ...]
    best: int
    ahead: float
    errors: float


def bid_figures(puzzle: Puzzle, *, worlds: int = WORLDS, seed: int = 1) -> Figures:
    """The mean points of each bid (None: forbidden), the best, and its least lead over another,
    in points and in standard errors. All are simulated in the same worlds, which agree with
    what the others have bid."""
    now = puzzle.now
    bids = [move for move in now.legal_moves() if isinstance(move, Bid)]
    point = PlayoutPoint(puzzle.observation, policies=[kernel.TIP] * now.seats)
    gained = np.empty((worlds, len(bids)))
    done = 0
    for number, batch in enumerate(fitting_worlds(puzzle, seed)):
        batch = batch[: worlds - done]
        tricks, _takers = point.play(batch, bids, seed=seed + number)
        for m, bid in enumerate(bids):
            gives = np.array([points(now.variant, bid=bid.number, taken=t) for t in range(9)])
            gained[done : done + len(batch), m] = gives[tricks[:, m, YOU]]
        done += len(batch)
        if done == worlds:
            break
    means = gained.mean(axis=0)
    order = np.argsort(-means)
    differences = gained[:, order[:1]] - gained[:, order[1:]]
    ahead = differences.mean(axis=0)
    errors = ahead / np.maximum(differences.std(axis=0) / worlds**0.5, 1e-9)
    by_bid = {bid.number: round(float(mean), 2) for bid, mean in zip(bids, means, strict=True)}
    return Figures(
        tuple(by_bid.get(n) for n in range(9)),
        bids[order[0]].number,
        float(ahead.min()),
        float(errors.min()),
    )


def fitting_worlds(puzzle: Puzzle, seed: int) -> Iterator[Worlds]:
    """Batches of worlds in which those who have bid would by the tips have bid just that.
    Without end; a batch may be empty."""
    sampler = WorldSampler(read(puzzle.observation), puzzle.now.hands[YOU])
    number = 0
    while True:
        number += 1
        worlds = sampler.deal(BATCH, seed=seed * 1_000_003 + number)
        yield worlds[fits(puzzle.now, worlds)]


def fits(now: Round, worlds: Worlds) -> NDArray[np.bool_]:
    """By world, whether the bids made are those that the tips say."""
    good = np.ones(len(worlds), np.bool_)
    for seat, bid in enumerate(now.bids):
        if bid is not None:
            in_hand = worlds == seat
            good &= (in_hand & _HIGH).sum(axis=1) + (in_hand & _MIDDLE).sum(axis=1) // 2 == bid
    return good

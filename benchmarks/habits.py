"""How the habits of counting seats were found (games/analysis/counter.py): cross-entropy.

From the repository's root; some minutes for each game::

    python -m benchmarks.habits bid
    python -m benchmarks.habits flat

A candidate is worth what its seat gets among seats that follow the tips, over fixed deals at
several sizes of table: in ``bid`` by the best bid of each hand, in ``flat`` in win and lose.
Prints one JSON line a generation.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import astuple
from random import Random

import numpy as np
from numpy.typing import NDArray

from games import analysis
from games.analysis import simulation
from games.analysis.counter import habits
from games.analysis.knowledge import read
from games.rules import DECK, Bid, Move, Round, Variant, observe

FIELDS = {
    "bid": [(Variant.BID, seats) for seats in (2, 3, 4, 6, 10)],
    "flat": [(v, seats) for v in (Variant.WIN, Variant.LOSE) for seats in (2, 4, 8)],
}
SPREAD = np.array([0.15, 0.15, 0.1, 0.2, 0.08, 0.2, 0.2, 0.02])
LEAST = np.array([0.05, 0.05, -1, -1, -1, 0.05, 0, -1])
MOST = np.array([1, 1, 1, 2, 1, 10, 2, 1])

Hand = tuple[simulation.Stage, simulation.Worlds, int]


def hands(variant: Variant, seats: int, count: int, worlds: int) -> list[Hand]:
    """So many hands before the first card, with worlds dealt to each."""
    found = []
    for number in range(count):
        rng = Random(f"{variant.value} {seats} {number}")
        deck = rng.sample(DECK, 8 * seats)
        dealt = [deck[seat::seats] for seat in range(seats)]
        begun = Round.start(variant=variant, hands=dealt, dealer=rng.randrange(seats))
        seat = rng.randrange(seats)
        seen = observe(begun, seat)
        stage = simulation.Stage(seen, policies=simulation.policies(seen))
        dealer = simulation.Dealer(read(seen), seen.hand)
        found.append((stage, dealer.deal(worlds, seed=number), seat))
    return found


def value(variant: Variant, data: list[Hand], candidate: NDArray[np.float64]) -> float:
    """The mean points of the counting seat; in lose their negative."""
    simulation.HABITS[variant][:] = candidate
    moves: list[Move | None] = [None]
    if variant is Variant.BID:
        moves = [Bid(number) for number in range(9)]
    total = 0.0
    for stage, worlds, seat in data:
        tricks, _ = stage.play(worlds, moves, seed=1)
        means = []
        for m, move in enumerate(moves):
            bid = move.number if isinstance(move, Bid) else None
            means.append(np.array(simulation.worth(variant, bid))[tricks[:, m, seat]].mean())
        total += max(means)
    return total / len(data) * (-1 if variant is Variant.LOSE else 1)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.habits")
    parser.add_argument("game", choices=list(FIELDS))
    parser.add_argument("--hands", type=int, default=70)
    parser.add_argument("--worlds", type=int, default=80)
    parser.add_argument("--generations", type=int, default=12)
    parser.add_argument("--size", type=int, default=28)
    options = parser.parse_args()
    analysis.load()
    data = [
        (variant, hands(variant, seats, options.hands, options.worlds))
        for variant, seats in FIELDS[options.game]
    ]
    rng = np.random.default_rng(0)
    mean, spread = np.array(astuple(habits(data[0][0]))), SPREAD
    for generation in range(options.generations):
        tried = mean + spread * rng.normal(size=(options.size, len(mean)))
        tried[0] = mean
        tried = tried.clip(LEAST, MOST)
        values = np.array([sum(value(v, d, each) for v, d in data) for each in tried])
        best = tried[np.argsort(-values)[: options.size // 4]]
        line = {"generation": generation, "before": round(values[0], 4)}
        mean, spread = best.mean(axis=0), 0.9 * best.std(axis=0) + 0.05 * spread
        print(json.dumps({**line, "mean": [round(float(x), 3) for x in mean]}), flush=True)


if __name__ == "__main__":
    main()

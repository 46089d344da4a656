"""A million hands dealt and summarised, beside plain numpy.

From the repository's root, in its environment::

    python -m benchmarks.deals

One core's processor time, medians of ``--repeat`` runs in turn, a million hands of eight.
``shuffle`` is the plain way: numpy permutes the deck once for each hand and keeps eight cards;
``argpartition`` the usual trick, the eight smallest of 81 random numbers. Both are tallied as
ours are. One JSON line a measurement, then the budget and the ratios.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from statistics import median
from time import process_time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.analysis import deals
from games.rules import DECK, HAND_SIZE
from tests.analysis.tallies import simulate, tally

BUDGET_S = 0.5
VALUES = deals.scores(lambda card: card.value)
CLASS = deals.scores(lambda card: card.counts[0] == 1)


def ours(of_card: NDArray[np.uint8], *, per_hand: bool, hands: int) -> None:
    for _ in simulate([hands], of_card, per_hand=per_hand, seed=1):
        pass


def plain(draw: Callable[[np.random.Generator, int], Any], *, hands: int) -> None:
    rng = np.random.default_rng(1)
    total = np.zeros(97, np.int64)
    for _ in range(hands // deals.BLOCK):
        total += tally(draw(rng, deals.BLOCK), VALUES, per_hand=True)


def shuffle(rng: np.random.Generator, count: int) -> Any:
    decks = np.broadcast_to(np.arange(len(DECK), dtype=np.uint8), (count, len(DECK)))
    return rng.permuted(decks, axis=1)[:, :HAND_SIZE].T


def argpartition(rng: np.random.Generator, count: int) -> Any:
    keys = rng.random((count, len(DECK)), dtype=np.float32)
    return keys.argpartition(HAND_SIZE, axis=1)[:, :HAND_SIZE].T.astype(np.uint8)


def timed(work: Callable[[], None]) -> float:
    start = process_time()
    work()
    return process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.deals")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--hands", type=int, default=deals.MAX_HANDS)
    options = parser.parse_args()
    hands = options.hands
    work: dict[str, Callable[[], None]] = {
        "mean of a hand": lambda: ours(VALUES, per_hand=True, hands=hands),
        "value of a card": lambda: ours(VALUES, per_hand=False, hands=hands),
        "cards of a class": lambda: ours(CLASS, per_hand=True, hands=hands),
        "numpy, shuffle": lambda: plain(shuffle, hands=hands),
        "numpy, argpartition": lambda: plain(argpartition, hands=hands),
    }
    runs: dict[str, list[float]] = {name: [] for name in work}
    for _ in range(options.repeat):  # in turn, so that a busy moment hits all alike
        for name, measure in work.items():
            runs[name].append(timed(measure))
    found = {name: median(seconds) for name, seconds in runs.items()}
    for name, seconds in found.items():
        print(json.dumps({"what": name, "hands": hands, "seconds": round(seconds, 3)}))
    dearest = max((n for n in found if not n.startswith("numpy")), key=found.__getitem__)
    print(
        json.dumps(
            {
                "dearest": dearest,
                "seconds": round(found[dearest], 3),
                "budget_seconds": BUDGET_S,
                "shuffle / ours": round(found["numpy, shuffle"] / found["mean of a hand"], 1),
                "argpartition / ours": round(
                    found["numpy, argpartition"] / found["mean of a hand"], 1
                ),
            }
        )
    )


if __name__ == "__main__":
    main()

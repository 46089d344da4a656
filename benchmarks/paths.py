"""What it takes to find all paths of a deal, and to find them again.

From the repository's root::

    python -m benchmarks.paths [--deals 100]

Random deals at 2 to 10 seats, bids by the encyclopedia's tip; *cold* is the search from one
seat's first card on, *with turns* that and one from each of its turns, as a replay shows them.
Prints a JSON line for each number of seats and one for all.
"""

from __future__ import annotations

import argparse
import json
import time
from random import Random
from typing import Any

from games import analysis
from games.analysis import bots, paths
from games.rules import DECK, Play, Round, Variant, observe


def a_deal(rng: Random, seats: int) -> Round:
    cards = rng.sample(DECK, 8 * seats)
    hands = [cards[8 * seat : 8 * seat + 8] for seat in range(seats)]
    round_ = Round.start(variant=Variant.BID, hands=hands, dealer=rng.randrange(seats))
    while round_.is_bidding:
        seen = observe(round_, round_.to_move)
        round_ = round_.apply(bots.choose(seen, level="tip-wikipedia", rng=rng))
    return round_


def measured(round_: Round, seat: int, rng: Random) -> tuple[float, float, bool]:
    """Milliseconds for the deal, and with its turns; whether nothing was left out."""
    start = time.perf_counter()
    found = paths.reach(round_, seat)
    first = time.perf_counter() - start
    whole = found.is_whole
    rest = 0.0
    while not round_.is_over:
        if round_.to_move == seat:
            start = time.perf_counter()
            whole &= all(way.is_whole for way in paths.reach_by_play(round_, seat))
            rest += time.perf_counter() - start
        seen = observe(round_, round_.to_move)
        move = bots.choose(seen, level="counter", rng=rng)
        assert isinstance(move, Play)
        round_ = round_.apply(move)
    return 1000 * first, 1000 * (first + rest), whole


def line(rows: list[tuple[float, float, bool]], **about: Any) -> None:
    firsts, alls = (sorted(row[n] for row in rows) for n in (0, 1))

    def at(times: list[float], share: float) -> float:
        return round(times[min(len(times) - 1, int(share * len(times)))], 1)

    told = {
        **about,
        "deals": len(rows),
        "cold_ms": {"median": at(firsts, 0.5), "p95": at(firsts, 0.95), "most": at(firsts, 1)},
        "with_turns_ms": {"median": at(alls, 0.5), "p95": at(alls, 0.95), "most": at(alls, 1)},
        "whole": sum(row[2] for row in rows),
    }
    print(json.dumps(told), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=100)
    wishes = parser.parse_args()
    analysis.load()
    rng, everything = Random(2026), []
    measured(a_deal(rng, 4), 0, rng)  # the kernel's first call
    for seats in range(2, 11):
        rows = [
            measured(a_deal(rng, seats), rng.randrange(seats), rng)
            for _ in range(max(1, wishes.deals // 9))
        ]
        everything += rows
        line(rows, seats=seats)
    line(everything, seats="2-10")


if __name__ == "__main__":
    main()

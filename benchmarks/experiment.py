"""How often an experiment with two tips sees that they differ, by the number of its tables.

From the repository's root::

    python -m benchmarks.experiment

Tables of four play the same boards of Play to Bid; one half bids by ``tip-printed``, the other
by ``tip-wikipedia``. Players are those bots with human slips: one play in five is any legal
one. Where they follow (1.0), every bid is the tip's; where they half follow (0.5), every second
bid is, and the others are either tip's, one up, one down or as it is; ``same`` gives tip A to
both halves, for false alarms. Each class is judged as its page judges it. Prints JSON lines: of
all classes the share in which the difference is called rare. The teacher's form tells these
figures (``games.classes.experiments.POWER``).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from games.analysis import bots
from games.analysis.draws import draw_wave, randomization_test
from games.rules import DECK, HAND_SIZE, Bid, Card, Move, Round, Variant, observe
from games.rules.scoring import score_round

SEATS, SLIPS = 4, 0.2
TABLES = (6, 7, 8, 10, 12, 15, 20)
TIPS = (bots.printed_bid, bots.wikipedia_bid)
Points = list[list[float]]


def a_class(
    tables: int, boards: int, rng: Random, *, follows: float = 1.0, same: bool = False
) -> tuple[Points, Points]:
    """By table and board the mean points of a class that bids by tip A, and by B."""
    found: tuple[Points, Points] = ([], [])
    deals = []
    for _board in range(boards):
        deck = rng.sample(DECK, HAND_SIZE * SEATS)
        deals.append([deck[seat::SEATS] for seat in range(SEATS)])
    for tip, points in enumerate(found):
        for _table in range(tables):
            points.append(
                [
                    sum(_play(hands, board % SEATS, 0 if same else tip, follows, rng)) / SEATS
                    for board, hands in enumerate(deals)
                ]
            )
    return found


def is_rare(both: tuple[Points, Points], tables: int, rng: Random) -> bool:
    """Whether a class with the first so many of these tables says "rare by chance"."""
    is_a = draw_wave((), tables, rng)
    points = [both[0 if a else 1][table] for table, a in enumerate(is_a)]
    boards = len(points[0])
    usual = [sum(table[board] for table in points) / tables for board in range(boards)]
    means = [
        sum(own - mean for own, mean in zip(table, usual, strict=True)) / boards
        for table in points
    ]
    drawn = randomization_test([tables], is_a, means, seed=rng.randrange(4))
    return drawn is not None and drawn.is_rare


def _play(
    hands: Sequence[Sequence[Card]], dealer: int, tip: int, follows: float, rng: Random
) -> tuple[int, ...]:
    round_ = Round.start(variant=Variant.BID, hands=hands, dealer=dealer)
    while (seat := round_.to_move) is not None:
        seen = observe(round_, seat)
        move: Move
        if isinstance(seen.legal[0], Bid):
            move = _bid(seen.hand, seen.legal, tip, follows, rng)
        elif rng.random() < SLIPS:
            move = rng.choice(seen.legal)
        else:
            move = bots.choose(seen, level="tip-printed", rng=rng)
        round_ = round_.apply(move)
    return score_round(round_)


def _bid(
    hand: Sequence[Card], legal: Sequence[Move], tip: int, follows: float, rng: Random
) -> Bid:
    wish = TIPS[tip](hand)
    if rng.random() >= follows:
        wish = rng.choice(TIPS)(hand) + rng.choice((-1, 0, 1))
    bids = [move for move in legal if isinstance(move, Bid)]
    return min(bids, key=lambda bid: (abs(bid.number - wish), bid.number))


def shares(
    classes: int, boards: int, seed: int, tables: Sequence[int] = TABLES, **how: float
) -> Iterator[dict[str, float]]:
    """The share of classes that see the difference, by the number of tables."""
    rng = Random(f"{seed} {boards} {how}")
    rare, difference = dict.fromkeys(tables, 0), 0.0
    for _number in range(classes):
        both = a_class(max(tables), boards, rng, **how)  # type: ignore[arg-type]
        a, b = (sum(map(sum, each)) / (len(each) * boards) for each in both)
        difference += (a - b) / classes
        for number in tables:
            rare[number] += is_rare(both, number, rng)
    for number in tables:
        yield how | {
            "boards": boards,
            "tables": number,
            "difference": round(difference, 2),
            "rare": round(rare[number] / classes, 3),
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--classes", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for boards in (4, 8):
        ways: list[dict[str, Any]] = [
            {"follows": 1.0},
            {"follows": 0.5},
            {"follows": 1.0, "same": True},
        ]
        for how in ways:
            for line in shares(options.classes, boards, options.seed, **how):
                print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()

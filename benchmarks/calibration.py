"""Does what is promised come true at a table of bots?

From the repository's root::

    python -m benchmarks.calibration

One expert among tip-followers, in games of five rounds; at each of its plays the chance of
taking the trick, as the odds panel has it (all unseen deals equally likely) and as the expert
has it (its players read), beside what came. One JSON line for each tenth, then the largest gap.
"""

from __future__ import annotations

import argparse
import json
from math import inf
from random import Random

from games import analysis
from games.analysis import bots, odds
from games.rules import DECK, Move, Observation, Round, Variant, observe

SEATS, GAME = 4, 5


def rounds(count: int) -> dict[str, list[tuple[float, bool]]]:
    """For each way of predicting: (chance, whether the trick was taken) at every turn."""
    found: dict[str, list[tuple[float, bool]]] = {"odds": [], "expert": []}
    before: tuple[Round, ...] = ()
    for number in range(count):
        if number % GAME == 0:
            before = ()
        rng = Random(f"calibration {number}")
        deck = rng.sample(DECK, 8 * SEATS)
        point = Round.start(
            variant=Variant.BID,
            hands=[deck[seat::SEATS] for seat in range(SEATS)],
            dealer=number % SEATS,
        )
        waiting: list[tuple[int, float, float]] = []
        while (seat := point.to_move) is not None:
            seen = observe(point, seat)
            if seat > 0:
                move = bots.choose(seen, level="tip-wikipedia", rng=rng)
            else:
                choice = bots.decide(seen, level="expert", rng=rng, seconds=inf, before=before)
                move = choice.move
                if choice.options and not point.is_bidding:
                    expected = choice.options[0].chance
                    assert expected is not None
                    waiting.append((len(point.tricks), panel(seen, move, rng), expected))
            point = point.apply(move)
        before += (point,)
        for trick, plain, informed in waiting:
            came = point.tricks[trick].winner == 0
            found["odds"].append((plain, came))
            found["expert"].append((informed, came))
    return found


def panel(seen: Observation, move: Move, rng: Random) -> float:
    """The odds panel's chance for this move."""
    promises = odds.promises(seen, worlds=500, seed=rng.getrandbits(63))
    return next(p.outcome.chance for p in promises if p.play == move)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.calibration")
    parser.add_argument("--rounds", type=int, default=3000)
    analysis.load()
    for name, pairs in rounds(parser.parse_args().rounds).items():
        gaps = []
        for tenth in range(10):
            inside = [pair for pair in pairs if min(9, int(10 * pair[0])) == tenth]
            if not inside:
                continue
            said = sum(chance for chance, _ in inside) / len(inside)
            came = sum(taken for _, taken in inside) / len(inside)
            gaps.append(abs(came - said))
            line = {"turns": len(inside), "said": round(said, 3), "came": round(came, 3)}
            print(json.dumps({"by": name, "tenth": tenth, **line}))
        print(json.dumps({"by": name, "turns": len(pairs), "largest gap": round(max(gaps), 3)}))


if __name__ == "__main__":
    main()

"""Does what is promised come true at a table of bots?

From the repository's root (a tenth of a second for each round)::

    python -m benchmarks.calibration
    python -m benchmarks.calibration --beside counter tip-printed tip-wikipedia
    python -m benchmarks.calibration --game 1 --rounds 1500

One expert among three others, in games of five rounds (or of ``--game``); at each of its plays
the chance of taking the trick, as the odds panel has it (all unseen deals equally likely), as
the expert has it that does not read its players, and as the one has it that does; each for the
cards that it played itself. One JSON line for each tenth, then the largest gap, the mean gap
over turns and the mean square of what the chance was wrong by (Brier).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from random import Random

from benchmarks.reading import begun
from games import analysis
from games.analysis import bots, odds
from games.rules import Move, Observation, observe

SEATS = 4

Pairs = list[tuple[float, bool]]
"""Of a turn: the chance, and whether the trick was taken."""


def rounds(count: int, beside: Sequence[str], *, game: int, reads: bool) -> tuple[Pairs, Pairs]:
    """By the expert, and by the panel, at every turn."""
    from games.analysis import expert, players

    by_expert, by_panel = Pairs(), Pairs()
    met = players.strangers(SEATS)
    for number in range(count):
        if number % game == 0:
            met = players.strangers(SEATS)
        rng = Random(f"calibration {number}")
        point = begun(rng, SEATS)
        waiting: list[tuple[int, float, float]] = []
        while (seat := point.to_move) is not None:
            seen = observe(point, seat)
            if seat > 0:
                move = bots.choose(seen, level=beside[(seat - 1) % len(beside)], rng=rng)
            else:
                choice = expert.decide(
                    seen, seed=rng.getrandbits(63), players=met if reads else None
                )
                move = choice.move
                if choice.options and not point.is_bidding:
                    expected = choice.options[0].chance
                    assert expected is not None
                    plain = 0.0 if reads else panel(seen, move, rng.getrandbits(63))
                    waiting.append((len(point.tricks), expected, plain))
            point = point.apply(move)
        met = players.after(met, point)
        for trick, expected, plain in waiting:
            came = point.tricks[trick].winner == 0
            by_expert.append((expected, came))
            by_panel.append((plain, came))
    return by_expert, by_panel


def panel(seen: Observation, move: Move, seed: int) -> float:
    """The odds panel's chance for this move."""
    promises = odds.promises(seen, worlds=500, seed=seed)
    chance = next(p.outcome.chance for p in promises if p.play == move)
    assert chance is not None
    return chance


def report(name: str, pairs: Pairs) -> None:
    """What came of what was said."""
    gaps, mean = [], 0.0
    for tenth in range(10):
        inside = [pair for pair in pairs if min(9, int(10 * pair[0])) == tenth]
        if not inside:
            continue
        said = sum(chance for chance, _ in inside) / len(inside)
        came = sum(taken for _, taken in inside) / len(inside)
        gaps.append(abs(came - said))
        mean += gaps[-1] * len(inside) / len(pairs)
        line = {"turns": len(inside), "said": round(said, 3), "came": round(came, 3)}
        print(json.dumps({"by": name, "tenth": tenth, **line}), flush=True)
    wrong = sum((chance - taken) ** 2 for chance, taken in pairs) / len(pairs)
    found = {"largest gap": max(gaps), "mean gap": mean, "brier": wrong}
    found = {key: round(value, 4) for key, value in found.items()}
    print(json.dumps({"by": name, "turns": len(pairs), **found}), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.calibration")
    parser.add_argument("--rounds", type=int, default=3000)
    parser.add_argument("--beside", nargs="+", default=["tip-wikipedia"])
    parser.add_argument("--game", type=int, default=5, help="so many rounds know each other")
    settings = parser.parse_args()
    analysis.load()
    count, beside, game = settings.rounds, settings.beside, settings.game
    unread, plain = rounds(count, beside, game=game, reads=False)
    report("panel", plain)
    report("expert that does not read", unread)
    report("expert", rounds(count, beside, game=game, reads=True)[0])


if __name__ == "__main__":
    main()

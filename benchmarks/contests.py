"""How often what is said of rules for bidding is wrong: in a contest, and in the workshop.

From the repository's root::

    python -m benchmarks.contests

Rules are drawn as a class hands them in: the encyclopedia's tip with some of its numbers moved.
Each contest has boards of its own; a rule's true worth is its mean over the boards of all
contests. Prints a JSON line for each number of rules: in what share of contests one or another
true difference lies outside its "±" (allowed: 1 in 100), and in what share of tries a rule
beside the encyclopedia's tip is farther off than its "give or take" says (5 in 100). Fewer
boards than a class's make the bounds no easier to keep.
"""

from __future__ import annotations

import argparse
import json
from random import Random

import numpy as np

from games import analysis
from games.analysis.workshop import (
    LEFT_OUT,
    SLIDERS,
    WIKIPEDIA,
    Rule,
    compare,
    gaps_to_best,
    play,
)


def a_rule(rng: Random) -> Rule:
    """The encyclopedia's tip with one to three of its numbers moved by up to a quarter."""
    numbers = {name: float(getattr(WIKIPEDIA, name)) for name in SLIDERS}
    for name in rng.sample(list(SLIDERS), rng.randint(1, 3)):
        slider = SLIDERS[name]
        moved = numbers[name] + rng.uniform(-0.25, 0.25) * (slider.most - slider.least)
        numbers[name] = round(min(slider.most, max(slider.least, moved)), 2)
    return Rule(**numbers)


def wrong(rules: list[Rule], contests: int, boards: int) -> dict[str, float]:
    """Shares of contests, or of rules tried, in which a sentence does not hold."""
    played = [[play(r, seed=seed, boards=boards) for r in rules] for seed in range(contests)]
    worth = np.mean([[each.mean for each in contest] for contest in played], axis=0)
    outside, tried = 0, []
    for contest in played:
        behind = gaps_to_best(contest, alpha=LEFT_OUT)
        best = next(iter(behind))
        gaps = {n: worth[best] - worth[n] - gap.mean for n, gap in behind.items()}
        outside += any(abs(gaps[n]) > gap.half for n, gap in behind.items())
        for n in range(1, len(rules)):
            gap = compare(contest[n], contest[0])
            tried.append(abs(worth[n] - worth[0] - gap.mean) > gap.half)
    return {
        "outside": outside / contests,
        "give_or_take": sum(tried) / len(tried),
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.contests")
    parser.add_argument("--contests", type=int, default=2000)
    parser.add_argument("--boards", type=int, default=1008, help="a class's are 10,000")
    parser.add_argument("--rules", type=int, nargs="+", default=[3, 12])
    options = parser.parse_args()
    analysis.load()
    for count in options.rules:
        rng = Random(count)
        rules = [WIKIPEDIA, *(a_rule(rng) for _ in range(count - 1))]
        shares = wrong(rules, options.contests, options.boards)
        print(json.dumps({"rules": count, "contests": options.contests, **shares}), flush=True)


if __name__ == "__main__":
    main()

"""Make the puzzles that are given out: proved, none alike, no likeliest answer, the same ones
from the same seed. Those of before stay where they are."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Collection
from dataclasses import replace
from itertools import product, zip_longest
from pathlib import Path
from random import Random
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games import analysis
from games.analysis import puzzles
from games.analysis.puzzles import BALANCED, LEVELS, Kind, Puzzle, Use, likeness
from games.analysis.puzzles.makers import balanced, make, with_levels

FILE = Path(puzzles.__file__).with_name("puzzles.jsonl")

EASY = {**dict.fromkeys(product(Kind, [1]), 24), (Kind.HOLD, 2): 24}
MADE = {
    Use.DAY: (4, dict.fromkeys(product(Kind, LEVELS), 32)),
    Use.SET: (5, EASY),  # as ``lessons.course.starter`` has them
    Use.HOMEWORK: (6, dict.fromkeys(product(Kind, LEVELS), 20)),
}
"""By use the seed, and how many there are of a kind and level."""

MORE = {Kind.LEAD: 3, Kind.BID: 1.5, Kind.LAST: 2, Kind.HOLD: 3}
"""So many times as many are made, to choose from; bids take long."""


class Command(BaseCommand):
    help = "Make puzzles of all kinds for each use, after those that stay (half an hour)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--out", type=Path, default=FILE, help="the file to write")

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            analysis.load()
        except analysis.NotReady as why:
            raise CommandError(str(why)) from None
        every = list(puzzles.puzzles()[:BALANCED])
        for use, (seed, wanted) in MADE.items():
            rng = Random(seed)  # noqa: S311
            columns = []
            for kind in Kind:
                counts = {level: n for (of, level), n in wanted.items() if of is kind}
                alike = {likeness(puzzle) for puzzle in every if puzzle.kind is kind}
                columns.append(_chosen(kind, seed, counts, alike))
                rng.shuffle(columns[-1])
                self.stderr.write(f"{use.value}, {kind.value}: {len(columns[-1])}")
            for turn in zip_longest(*columns):
                row = [puzzle for puzzle in turn if puzzle]
                every += [replace(p, use=use) for p in rng.sample(row, len(row))]
        text = "\n".join(puzzle.line() for puzzle in every)
        options["out"].write_text(text + "\n", encoding="utf-8")


def _chosen(
    kind: Kind, seed: int, counts: dict[int, int], but: Collection[str]
) -> list[Puzzle]:
    """Puzzles of a kind, so many of each level, none of these likenesses."""
    many = int(MORE[kind] * len(LEVELS) * max(counts.values(), default=0))
    candidates = with_levels(list(make(kind, many, seed, but)))
    chosen = []
    for level, count in counts.items():
        of_level = balanced([puzzle for puzzle in candidates if puzzle.level == level], count)
        if len(of_level) < count:
            raise CommandError(f"{kind.value}, {level}: only {len(of_level)} of {count}")
        chosen += of_level
    return chosen

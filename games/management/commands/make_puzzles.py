"""Make the puzzles that are shipped: proved, none alike, the same ones from the same seed."""

from __future__ import annotations

from argparse import ArgumentParser
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games import analysis
from games.analysis import puzzles
from games.analysis.puzzles import Kind, Puzzle, Use, likeness
from games.analysis.puzzles.makers import make, with_levels

FILE = Path(puzzles.__file__).with_name("puzzles.jsonl")
MADE = {Use.DAY: (1, 120), Use.SET: (2, 120), Use.HOMEWORK: (3, 60)}
"""By use the seed, and how many of each kind are made. Append a seed; what was made stays."""


class Command(BaseCommand):
    help = "Make puzzles of all kinds for each use, one of each kind after the other (minutes)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--each", type=int, help="puzzles of each kind, for each use")
        parser.add_argument("--use", choices=[use.value for use in Use], help="for this alone")
        parser.add_argument("--out", type=Path, default=FILE, help="the file to write")

    def handle(self, *_args: Any, **options: Any) -> None:
        if options["each"] is not None and options["each"] < 1:
            raise CommandError("--each is 1 or more")
        try:
            analysis.load()
        except analysis.NotReady as why:
            raise CommandError(str(why)) from None
        every: list[Puzzle] = []
        for use, (seed, each) in MADE.items():
            if options["use"] in {None, use.value}:
                every += self._for(use, seed, options["each"] or each, every)
        text = "\n".join(puzzle.line() for puzzle in every)
        options["out"].write_text(text + "\n", encoding="utf-8")

    def _for(self, use: Use, seed: int, each: int, before: list[Puzzle]) -> list[Puzzle]:
        """The puzzles for one use, none like one of those before."""
        columns = []
        for kind in Kind:
            alike = {likeness(puzzle) for puzzle in before if puzzle.kind is kind}
            columns.append(with_levels(list(make(kind, each, seed, alike))))
            self.stderr.write(f"{use.value}, {kind.value}: {each}")
        rng = Random(seed)  # noqa: S311
        mixed = [p for turn in zip(*columns, strict=True) for p in rng.sample(turn, len(turn))]
        return [replace(puzzle, use=use) for puzzle in mixed if _is_for(use, puzzle)]


def _is_for(use: Use, puzzle: Puzzle) -> bool:
    """Whether a puzzle suits its use: sets are of easy ones, and of middling ones of who can
    hold a card (``lessons.course.starter``)."""
    if use is not Use.SET:
        return True
    return puzzle.level == 1 or (puzzle.kind is Kind.HOLD and puzzle.level == 2)

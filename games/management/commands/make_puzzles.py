"""Make the puzzles that are shipped: proved, none alike, the same ones from the same seed."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from random import Random
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games import analysis
from games.analysis import puzzles
from games.analysis.puzzles import Kind
from games.analysis.puzzles.makers import make, with_levels

FILE = Path(puzzles.__file__).with_name("puzzles.jsonl")
EACH = 120


class Command(BaseCommand):
    help = "Make puzzles of all kinds, a day of each kind after the other (some minutes)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--each", type=int, default=EACH, help="puzzles of each kind")
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--out", type=Path, default=FILE, help="the file to write")

    def handle(self, *_args: Any, **options: Any) -> None:
        if options["each"] < 1:
            raise CommandError("--each is 1 or more")
        try:
            analysis.load()
        except analysis.NotReady as why:
            raise CommandError(str(why)) from None
        columns = []
        for kind in Kind:
            made = list(make(kind, options["each"], options["seed"]))
            columns.append(with_levels(made))
            self.stderr.write(f"{kind.value}: {len(made)}")
        rng = Random(options["seed"])  # noqa: S311
        lines = []
        for of_a_turn in zip(*columns, strict=True):
            lines += [puzzle.line() for puzzle in rng.sample(of_a_turn, len(of_a_turn))]
        options["out"].write_text("\n".join(lines) + "\n", encoding="utf-8")

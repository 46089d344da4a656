"""Derive all results again from deals and moves, and report any difference."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from games.tables.results import rebuild_results
from xactika_site import arguments


class Command(arguments.Command):
    help = "Rebuild results and trick records from deals and moves."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--check",
            action="store_true",
            help="change nothing; exit 1 if any differ",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        rounds, differing = rebuild_results(check_only=options["check"])
        for line in differing:
            self.stdout.write(line)
        self.stdout.write(f"{rounds} finished rounds, {len(differing)} differed")
        if differing and options["check"]:
            raise SystemExit(1)

"""Let bots play each other on paired deals, and say who is better by how much."""

from __future__ import annotations

import json
import os
import sys
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.management.base import CommandError

from games import analysis
from games.analysis import arena
from games.rules import MAX_SEATS, MIN_SEATS, Variant
from xactika_site import arguments

MAX_DEALS = 100_000


class Command(arguments.Command):
    help = "Bots against each other: paired deals, rotated seats, intervals over deals."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "bots",
            nargs="+",
            metavar="BOT",
            help=f"one for each seat, or fewer (the last one fills up): {_names()}",
        )
        parser.add_argument("--variant", choices=[v.value for v in Variant], default="bid")
        parser.add_argument("--seats", type=int, default=4)
        parser.add_argument("--rounds", type=int, default=1000, help="a multiple of the seats")
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
        parser.add_argument("--json", action="store_true", help="print one JSON line")

    def handle(self, *_args: Any, **options: Any) -> None:
        seats, rounds = options["seats"], options["rounds"]
        line_up = _line_up(options["bots"], seats)
        deals = -(-rounds // seats)
        if not 2 <= deals <= MAX_DEALS:
            span = f"{2 * seats} to {MAX_DEALS * seats} at {seats} seats"
            raise CommandError(f"--rounds is {span}, not {rounds}")
        if options["workers"] < 1:
            raise CommandError("--workers is 1 or more")
        try:
            analysis.load()  # here once, so that no worker has to compile
        except analysis.NotReady as why:
            raise CommandError(str(why)) from None
        variant, samples = Variant(options["variant"]), []
        for sample in arena.play(
            line_up, variant, deals=deals, seed=options["seed"], workers=options["workers"]
        ):
            samples.append(sample)
            self._progress(len(samples), deals)
        standings = arena.standings(line_up, variant, samples)
        if options["json"]:
            result = {
                "variant": variant.value,
                "line_up": line_up,
                "rounds": deals * seats,
                "deals": deals,
                "seed": options["seed"],
                "standings": [asdict(each) for each in standings],
            }
            self.stdout.write(json.dumps(result))
            return
        self.stdout.write(
            f"{variant.value}, {seats} seats, {deals * seats} rounds on {deals} deals; points "
            "a round with 95 % intervals over deals"
        )
        self.stdout.write(
            f"{'bot':15}{'points':>16}{'ahead of others':>18}{'bids made':>11}"
            f"{'ms mean':>9}{'ms p95':>8}{'cpu ms':>8}"
        )
        for each in standings:
            bids_made = "" if each.made is None else f"{100 * each.made:.1f} %"
            self.stdout.write(
                f"{each.name:15}{each.points:+9.3f} ± {each.points_half:.3f}"
                f"{each.ahead:+10.3f} ± {each.ahead_half:.3f}{bids_made:>11}"
                f"{each.mean_ms:9.2f}{each.p95_ms:8.2f}{each.cpu_ms:8.2f}"
            )

    def _progress(self, done: int, deals: int) -> None:
        if not sys.stderr.isatty() or (done % max(1, deals // 200) and done < deals):
            return
        bar = "#" * (30 * done // deals)
        self.stderr.write(f"\r[{bar:30}] {done}/{deals} deals", ending="")
        if done == deals:
            self.stderr.write("")
        self.stderr.flush()


def _names() -> str:
    return ", ".join(arena.NAMES)


def _line_up(names: list[str], seats: int) -> list[str]:
    """One name a seat; CommandError for what cannot sit there."""
    if not MIN_SEATS <= seats <= MAX_SEATS:
        raise CommandError(f"--seats is {MIN_SEATS} to {MAX_SEATS}, not {seats}")
    for name in names:
        if name not in arena.NAMES:
            raise CommandError(f"there is no bot {name[:40]!r}: {_names()}")
    if len(names) > seats:
        raise CommandError(f"{len(names)} bots, but {seats} seats")
    return [*names, *[names[-1]] * (seats - len(names))]

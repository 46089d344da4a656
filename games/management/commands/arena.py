"""Let bots play each other on paired deals, and say who is better by how much."""

from __future__ import annotations

import json
import os
import sys
from argparse import ArgumentParser
from dataclasses import asdict
from math import ceil
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from games import analysis
from games.analysis import arena
from games.rules import MAX_SEATS, MIN_SEATS, Variant
from xactika_site import arguments
from xactika_site.locations import gettext_noop

MAX_DEALS = 100_000


class Command(arguments.Command):
    help = gettext_noop(
        "Bots against each other: paired deals, rotated seats, intervals over deals."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "bots",
            nargs="+",
            metavar="BOT",
            choices=arena.NAMES,
            help=_("one for each seat, or fewer (the last one fills up): %(names)s")
            % {"names": ", ".join(arena.NAMES)},
        )
        parser.add_argument("--variant", choices=[v.value for v in Variant], default="bid")
        parser.add_argument(
            "--seats", type=int, default=4, choices=range(MIN_SEATS, MAX_SEATS + 1)
        )
        parser.add_argument("--rounds", type=int, default=1000)
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
        parser.add_argument("--json", action="store_true")

    def handle(self, *_args: Any, **options: Any) -> None:
        seats, rounds = options["seats"], options["rounds"]
        line_up = _line_up(options["bots"], seats)
        deals = ceil(rounds / seats)  # rounded up to a multiple of the seats
        if not 2 <= deals <= MAX_DEALS:
            raise CommandError(
                _("%(name)s: from %(low)d to %(high)d, not %(value)s.")
                % {
                    "name": "--rounds",
                    "low": 2 * seats,
                    "high": MAX_DEALS * seats,
                    "value": rounds,
                }
            )
        try:
            analysis.load()  # here once, so that no worker has to compile
        except analysis.NotReady as why:
            raise CommandError(str(why)) from None
        variant, samples = Variant(options["variant"]), []
        for sample in arena.play(
            line_up,
            variant,
            deals=deals,
            seed=options["seed"],
            workers=max(1, options["workers"]),
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
            _(
                "%(variant)s, %(seats)d seats, %(rounds)d rounds on %(deals)d deals; points a "
                "round with 95%% intervals over deals"
            )
            % {
                "variant": variant.value,
                "seats": seats,
                "rounds": deals * seats,
                "deals": deals,
            }
        )
        self.stdout.write(
            f"{_('bot'):15}{_('Points'):>16}{_('ahead of others'):>18}{_('Bids right'):>11}"
        )
        for each in standings:
            bids_made = "" if each.made is None else f"{100 * each.made:.1f}%"
            self.stdout.write(
                f"{each.name:15}{each.points:+9.3f} ± {each.points_half:.3f}"
                f"{each.ahead:+10.3f} ± {each.ahead_half:.3f}{bids_made:>11}"
            )

    def _progress(self, done: int, deals: int) -> None:
        if not sys.stderr.isatty() or (done % max(1, deals // 200) and done < deals):
            return
        bar = "#" * (30 * done // deals)
        self.stderr.write(f"\r[{bar:30}] {done}/{deals}", ending="")
        if done == deals:
            self.stderr.write("")
        self.stderr.flush()


def _line_up(names: list[str], seats: int) -> list[str]:
    """One name a seat; CommandError for too many names."""
    if len(names) > seats:
        raise CommandError(
            _("%(name)s: from %(low)d to %(high)d, not %(value)s.")
            % {"name": "BOT", "low": 1, "high": seats, "value": len(names)}
        )
    return [*names, *[names[-1]] * (seats - len(names))]

"""Derive all results again from deals and moves, and report any difference."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.utils.translation import gettext as _

from games.tables.results import rebuild_results
from xactika_site import arguments
from xactika_site.locations import gettext_noop


class Command(arguments.Command):
    help = gettext_noop("Rebuild results and trick records from deals and moves.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--check",
            action="store_true",
            help=gettext_noop("change nothing; exit 1 if any differ"),
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        rounds, differing = rebuild_results(check_only=options["check"])
        for line in differing:
            self.stdout.write(line)
        message = _("%(rounds)d finished rounds, %(differing)d differed")
        self.stdout.write(message % {"rounds": rounds, "differing": len(differing)})
        if differing and options["check"]:
            raise SystemExit(1)

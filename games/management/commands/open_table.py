"""Open a table of friends from the command line, and print its links and tokens."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.urls import reverse
from django.utils.translation import gettext as _

from games.analysis import bots
from games.models import DEFAULT_PACE, DEFAULT_PATIENCE, Table
from games.rules import MAX_ROUNDS, Variant
from games.tables import opening
from games.tables.viewers import seat_token, watch_token
from xactika_site import arguments
from xactika_site.locations import gettext_noop


class Command(arguments.LinkCommand):
    help = gettext_noop(
        "Open a table of friends; people sit on the first seats, bots on the others."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--variant", choices=[v.value for v in Variant], default="bid")
        parser.add_argument("--seats", type=int, default=4)
        parser.add_argument("--people", type=int, default=None)
        parser.add_argument("--rounds", type=int, default=MAX_ROUNDS)
        parser.add_argument("--bots", metavar="LEVEL", default=bots.DEFAULT_LEVEL)
        parser.add_argument("--patience", type=float, default=DEFAULT_PATIENCE)
        parser.add_argument("--pace", type=float, default=DEFAULT_PACE)
        parser.add_argument("--deals", metavar="FILE", type=Path)
        parser.add_argument("--json", action="store_true")

    def handle(self, *_args: Any, **options: Any) -> None:
        seats = options["seats"]
        try:
            table = opening.open_table(
                kind=Table.Kind.FRIENDS,
                settings=opening.TableSettings(
                    variant=Variant(options["variant"]),
                    seats=seats,
                    people=seats if options["people"] is None else options["people"],
                    rounds=options["rounds"],
                    level=options["bots"],
                    patience=options["patience"],
                    pace=options["pace"],
                    deals=read_deals(options["deals"]),
                ),
            )
        except opening.BadSettings as why:
            raise CommandError(str(why)) from None
        answer = describe(table, self.base(options))
        if options["json"]:
            self.stdout.write(json.dumps(answer))
            return
        links = [
            (_("Table"), answer["url"]),
            *(
                (_("Seat %(n)d") % {"n": each["seat"]}, each["link"])
                for each in answer["seats"]
            ),
            (_("Watch"), answer["watch"]["link"]),
        ]
        width = max(len(name) for name, _link in links)
        for name, link in links:
            self.stdout.write(f"{name:<{width}}  {link}")


def read_deals(path: Path | None) -> Any:
    """The deals in a file; CommandError in one line if it cannot be read."""
    if path is None:
        return None
    try:
        return json.loads(path.read_text(encoding="utf-8")) or []
    except OSError as why:
        raise CommandError(f"{path.name}: {why.strerror}.") from None
    except (ValueError, RecursionError):
        raise CommandError(_("%(file)s is not JSON.") % {"file": path.name}) from None


def describe(table: Table, base: str) -> dict[str, Any]:
    """The table's address and, for every person's seat and for watching, link and token."""
    watch = watch_token(table.id, table.watch_serial)
    tokens = {
        seat.number: seat_token(table.id, seat.number, seat.serial)
        for seat in table.seat_set.filter(level="").order_by("number")
    }
    return {
        "table": table.id,
        "url": f"{base}{reverse('table', args=[table.id])}",
        "seats": [
            {"seat": seat, "link": f"{base}{reverse('seat', args=[token])}", "token": token}
            for seat, token in tokens.items()
        ],
        "watch": {"link": f"{base}{reverse('watch', args=[watch])}", "token": watch},
    }

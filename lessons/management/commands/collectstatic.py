"""``manage.py collectstatic``: what each start does by itself, beforehand."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from xactika_site.static import collect


class Command(BaseCommand):
    """Django's writes into the folder that a server may be starting from."""

    help = "Collects the static files, where they are not those that were collected."

    def add_arguments(self, parser: CommandParser) -> None:
        """Django's that say nothing here."""
        parser.add_argument("--noinput", "--no-input", action="store_false", dest="interactive")

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Collect them."""
        collect()

"""The help of our commands behind ``manage``, in the language of commands. What Python's
``argparse`` and Django say by themselves (usage, options, errors) is English."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from xactika_site.locations import gettext_noop, translated


class Command(BaseCommand):
    """One of ours behind ``manage``; its help, marked by ``gettext_noop``, is translated."""

    def create_parser(self, *names: str, **options: Any) -> CommandParser:
        parser = super().create_parser(*names, **options)
        parser.description = translated(str(self.help))
        for each in parser._actions:
            if each.help and each.help != argparse.SUPPRESS:
                each.help = translated(each.help)
        return parser


class LinkCommand(Command):
    """One that prints links: to where ``--base`` says that the server is, or the settings."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--base", metavar="URL", default="", help=gettext_noop("where the server is")
        )

    @staticmethod
    def base(options: Mapping[str, Any]) -> str:
        """The address of the server, without the last slash."""
        here = options["base"] or settings.BASE_URL or f"http://127.0.0.1:{settings.PORT}"
        return str(here).rstrip("/")

"""The help of our commands behind ``manage``, in the language of commands. What Python's
``argparse`` and Django say by themselves (usage, options, errors) is English."""

from __future__ import annotations

import argparse
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from xactika_site.locations import translated


class Command(BaseCommand):
    """One of ours behind ``manage``; its help, marked by ``gettext_noop``, is translated."""

    def create_parser(self, *names: str, **options: Any) -> CommandParser:
        parser = super().create_parser(*names, **options)
        parser.description = translated(str(self.help))
        for each in parser._actions:
            if each.help and each.help != argparse.SUPPRESS:
                each.help = translated(each.help)
        return parser

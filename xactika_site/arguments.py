"""What the command line says by itself (usage, options, errors), in the language of commands.

Python's ``argparse`` asks its own catalogue, of which no other language is installed with it:
ours holds the same texts. Django's own commands keep their English.
"""

from __future__ import annotations

import argparse
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from xactika_site.places import said, to_say

FRAME = (
    to_say("usage: "),
    to_say("positional arguments"),
    to_say("options"),
    to_say("%(heading)s:"),
    to_say("show this help message and exit"),
    to_say("show program's version number and exit"),
    to_say("%(prog)s: error: %(message)s\n"),
    to_say("argument %(argument_name)s: %(message)s"),
    to_say("unrecognized arguments: %s"),
    to_say("the following arguments are required: %s"),
    to_say("one of the arguments %s is required"),
    to_say("not allowed with argument %s"),
    to_say("ignored explicit argument %r"),
    to_say("expected one argument"),
    to_say("expected at most one argument"),
    to_say("expected at least one argument"),
    to_say("ambiguous option: %(option)s could match %(matches)s"),
    to_say("unexpected option string: %s"),
    to_say("invalid %(type)s value: %(value)r"),
    to_say("invalid choice: %(value)r (choose from %(choices)s)"),
    to_say("unknown parser %(parser_name)r (choices: %(choices)s)"),
    to_say("can't open '%(filename)s': %(error)s"),
    # What Django adds to every command.
    to_say("Show program's version number and exit."),
    to_say(
        "Verbosity level; 0=minimal output, 1=normal output, 2=verbose output, 3=very verbose "
        "output"
    ),
    to_say(
        'The Python path to a settings module, e.g. "myproject.settings.main". If this isn\'t '
        "provided, the DJANGO_SETTINGS_MODULE environment variable will be used."
    ),
    to_say('A directory to add to the Python path, e.g. "/home/djangoprojects/myproject".'),
    to_say("Display a full stack trace on CommandError exceptions."),
    to_say("Don't colorize the command output."),
    to_say("Force colorization of the command output."),
    to_say("Skip system checks."),
)
"""What people can meet of it; what only a mistake in a program provokes stays English."""


def speak() -> None:
    """From now on argparse says what our catalogue says."""
    argparse._ = said  # type: ignore[attr-defined]


class Command(BaseCommand):
    """One of ours behind ``manage``: all of its help is looked up, marked by ``to_say``."""

    def create_parser(self, *names: str, **options: Any) -> CommandParser:
        speak()
        parser = super().create_parser(*names, **options)
        parser.description = said(str(self.help))
        for each in parser._actions:
            if each.help and each.help != argparse.SUPPRESS:
                each.help = said(each.help)
        return parser

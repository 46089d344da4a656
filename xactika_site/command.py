"""The command ``xactika``: the demo, a class in the room, a server, and what helps with them.
``make run`` and ``make lan`` call the same.
"""

from __future__ import annotations

import argparse
import os
import sys
import webbrowser
from contextlib import suppress
from functools import partial

from xactika_site import __version__, locations
from xactika_site.locations import translated as _
from xactika_site.serving import DEMO, say, serve, suit_any_terminal


def main() -> None:
    """Do what the command line says; without a word, the demo on this computer."""
    suit_any_terminal()
    with suppress(KeyboardInterrupt):
        _do()


def _do() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "xactika_site.settings")
    if sys.argv[1:2] == ["manage"]:  # its arguments are Django's
        from django.core.management import execute_from_command_line

        execute_from_command_line([locations.COMMANDS.manage, *sys.argv[2:]])
        return
    wished = _parser().parse_args()
    if wished.what == "doctor":
        from xactika_site.doctor import report

        say(*report())
        return
    if wished.what == "serve":
        serve(host=wished.host, behind_a_proxy=True)
        return
    is_demo = wished.what is None
    if is_demo:
        _name_the_demos_database()
    serve(
        host=None if is_demo else wished.host,
        to_the_room=not is_demo,
        prepare=partial(prepare, is_demo=is_demo),
        then=None if wished.no_browser or not has_screen() else open_browser,
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="xactika", description=_("Xactika for the classroom. Without a word: the demo.")
    )
    parser.add_argument(
        "--version",
        action="version",
        version=f"xactika {__version__}",
        help=_("show program's version number and exit"),
    )
    parser.add_argument("--no-browser", action="store_true", help=_("open no browser"))
    words = parser.add_subparsers(dest="what", title=_("or one of"))
    room = words.add_parser("class", help=_("play with the devices in the room"))
    room.add_argument("--host", help=_("this computer's address there, if it is not found"))
    room.add_argument(
        "--no-browser",
        action="store_true",
        default=argparse.SUPPRESS,  # what was said before the word holds
        help=_("open no browser"),
    )
    server = words.add_parser("serve", help=_("serve a database that is ready, for a service"))
    server.add_argument("--host", help=_("the address to serve at (127.0.0.1)"))
    words.add_parser("manage", help=_("any of Django's commands, like manage createsuperuser"))
    words.add_parser("doctor", help=_("one screen to send to the person who helps you"))
    return parser


def _name_the_demos_database() -> None:
    """A file of its own, unless DATABASE_URL names another."""
    if not os.environ.get("DATABASE_URL", "").strip():
        os.environ["DATABASE_URL"] = locations.sqlite_url(locations.data_folder() / DEMO)


def prepare(*, is_demo: bool) -> None:
    """All that must be there before the first page: the database of this version, the demo's
    class."""
    from django.core.management import call_command

    from xactika_site import database

    database.prepare()  # ends here if it cannot be used
    if is_demo:
        with database.told_if_unusable():
            call_command("demo")


def open_browser(address: str) -> None:
    """Show the first page to whoever sits here."""
    webbrowser.open(address)


def has_screen() -> bool:
    """Whether there is somebody in front of a screen, for whom a browser can be opened."""
    if not sys.stdout.isatty():
        return False
    if sys.platform in {"win32", "darwin"}:
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


if __name__ == "__main__":
    main()

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
from pathlib import Path

import django

from xactika_site import __version__, locations
from xactika_site.locations import COMMANDS, DEMO
from xactika_site.locations import translated as _
from xactika_site.serving import say, serve, suit_any_terminal


def main() -> None:
    """Do what the command line says; without a word, the demo on this computer."""
    suit_any_terminal()
    with suppress(KeyboardInterrupt):
        _run_command()


def _run_command() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "xactika_site.settings")
    if sys.argv[1:2] in (["manage"], ["lti"]):  # their arguments are Django's
        from django.core.management import execute_from_command_line

        words = sys.argv[2:] if sys.argv[1] == "manage" else sys.argv[1:]
        execute_from_command_line([locations.COMMANDS.manage, *words])
        return
    wished = _parser().parse_args()
    if wished.what == "doctor":
        from xactika_site.doctor import report

        say(*report())
        return
    if wished.what == "backup":
        _back_up(wished.file, wished.keep)
        return
    if wished.what == "restore":
        _restore(wished.file, is_sure=wished.yes)
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
    backup = words.add_parser("backup", help=_("write all that is stored to one file"))
    backup.add_argument("file", type=Path, help=_("the file, or a folder for it"))
    backup.add_argument(
        "--keep", type=_count, metavar="N", help=_("delete all but the latest N of the folder")
    )
    back = words.add_parser("restore", help=_("go back to what a backup holds"))
    back.add_argument("file", type=Path)
    back.add_argument("--yes", action="store_true")
    words.add_parser("lti", help=_("connect the school’s own system, like Moodle"))
    words.add_parser("doctor", help=_("one screen to send to the person who helps you"))
    return parser


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(_("expected a number from 1 on"))
    return int(text)


def _back_up(path: Path, keep: int | None) -> None:
    """Write a backup, also while a server runs."""
    django.setup()
    from xactika_site import database
    from xactika_site.backup import BackupError, delete_older, write_backup

    if keep and not path.is_dir():
        raise SystemExit(_("--keep needs a folder that is there"))
    stored = database.file()
    if stored is not None and not (stored.exists() and stored.stat().st_size):
        raise SystemExit(
            _("%(file)s is not there yet: begin a class first by %(command)s")
            % {"file": stored, "command": COMMANDS.room}
        )
    database.refuse_newer_schema()
    try:
        written = write_backup(path.absolute())
    except BackupError as why:
        raise SystemExit(str(why)) from None
    say(str(written), _("It holds the key to sign in as anybody: keep it like a password."))
    if keep:
        delete_older(path, keep)


def _restore(path: Path, *, is_sure: bool) -> None:
    """Go back to a backup, once whoever asks for it has seen what it holds."""
    django.setup()
    from django.conf import settings
    from django.utils.formats import date_format
    from django.utils.timezone import localtime

    from xactika_site import database
    from xactika_site.backup import BackupError, read_backup, restore_backup

    database.claim_sole_process()
    try:
        backup = read_backup(path)
        made = date_format(localtime(backup.made), "DATETIME_FORMAT")
        say(
            _(
                "A backup of %(made)s, version %(version)s: %(classes)d classes, "
                "%(rounds)d rounds."
            )
            % {**backup._asdict(), "made": made}
        )
        if backup.key != settings.SECRET_KEY:
            say(_("It is of another installation: its key is not the one here."))
        say(_("It takes the place of all that is stored here."))
        if not is_sure and not _says_yes():
            raise SystemExit(_("Nothing was changed."))
        before = restore_backup(path)
    except BackupError as why:
        raise SystemExit(str(why)) from None
    say(_("Restored."))
    if before is not None and before.exists():
        say(_("What was here before: %(file)s") % {"file": before})


def _says_yes() -> bool:
    """Whether who sits here does; the end of the command where nobody does."""
    try:
        return input(_("Type yes to do it (or add --yes): ")).strip().lower() in {
            "yes",
            _("yes"),
        }
    except EOFError:
        raise SystemExit(_("Nothing was changed.")) from None


def _name_the_demos_database() -> None:
    """A file of its own, unless DATABASE_URL names another."""
    if not os.environ.get("DATABASE_URL", "").strip():
        os.environ["DATABASE_URL"] = locations.sqlite_url(locations.data_folder() / DEMO)


def prepare(*, is_demo: bool) -> None:
    """Make what must be there before the first page: the database of this version, the demo's
    class."""
    from django.core.management import call_command

    from xactika_site import database

    database.prepare()  # ends here if it cannot be used
    if is_demo:
        with database.told_if_unusable():
            call_command("demo")


def open_browser(address: str) -> None:
    """Open this address in the browser of whoever sits here."""
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

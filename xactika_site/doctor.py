"""``xactika doctor``: one screen for whoever is asked for help; no names, keys or passwords."""

from __future__ import annotations

import os
import platform
import shutil
import socket
import sqlite3
import urllib.request
from collections.abc import Callable, Iterator
from datetime import datetime
from importlib.util import find_spec
from pathlib import Path

from xactika_site import __version__, locations
from xactika_site.locations import gettext_noop
from xactika_site.locations import translated as _


def report() -> Iterator[str]:
    """The screen, line by line. What cannot be found out says so in its line."""
    yield f"Xactika {__version__}"
    width = max(len(_(name)) for name in _LINES)
    for name, look in _LINES.items():
        try:
            answer = look()
        except SystemExit as why:  # the line that would end a start
            answer = str(why)
        except Exception as why:  # one that fails must not hide the others
            answer = _("cannot be found out: %(why)s") % {"why": why}
        yield f"  {_(name):<{width}} {answer}"


def _system_words() -> str:
    system = f"{platform.system()} {platform.release()}, {platform.machine()}"
    return f"{system}; Python {platform.python_version()}; {locations.ROOT}"


def _data_words() -> str:
    folder = locations.data_folder()
    if not folder.exists():
        return f"{folder} ({_('made at the first start')})"
    words = [_("%(number)d MB free") % {"number": shutil.disk_usage(folder).free // 10**6}]
    if not os.access(folder, os.W_OK):
        words.append(_("CANNOT BE WRITTEN TO"))
    return f"{folder} ({', '.join(words)})"


def _database_words() -> str:
    if os.environ.get("DATABASE_URL", "").strip():
        return f"DATABASE_URL: {_checked_database_words()}"
    databases = [path for path in _database_files() if path.exists()]
    if not databases:
        return _("not yet")
    return ", ".join(path.name for path in databases)


def _database_files() -> list[Path]:
    return [locations.data_folder() / name for name in ("xactika.sqlite3", locations.DEMO)]


def _checked_database_words() -> str:
    """How far the class's database is: not begun, to be changed at the next start, or ready
    with its teachers and copies. A file that is not there yet is not made."""
    if not os.environ.get("DATABASE_URL", "").strip() and not _database_files()[0].exists():
        return _("not yet")
    import django

    django.setup()
    from django.contrib.auth import get_user_model
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    from xactika_site import database

    database.must_be_whole()
    database.refuse_newer_schema()
    executor = MigrationExecutor(connection)
    if not executor.loader.applied_migrations:
        return _("not yet")
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        return _("is changed for this version at the next start")
    teachers = get_user_model().objects.count()
    copies = len(database.copies())
    return _("ready; teachers: %(teachers)d; copies from before changes: %(copies)d") % {
        "teachers": teachers,
        "copies": copies,
    }


def _port() -> int:
    return int(os.environ.get("PORT", "").strip() or 8000)


def _port_words() -> str:
    port = _port()
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=3) as answer:
            status = answer.read(100).decode()
            return f"{port} (/healthz: {status})"
    except OSError:
        pass
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as why:
            return f"{port} ({why.strerror}; {_('set PORT to another, like 8080')})"
    return f"{port} ({_('free')})"


def _address_words() -> str:
    from xactika_site import lan

    ours = [a for a in sorted(lan.own_addresses()) if ":" not in a and a[:4] != "127."]
    return ", ".join(ours) or lan.no_network_words()


def _device_words() -> str:
    from xactika_site import lan

    file = lan.came_file()
    if not file.exists():
        return _("No other device has reached this computer. Same Wi-Fi? A firewall?")
    when = datetime.fromtimestamp(file.stat().st_mtime).astimezone()
    return f"{when:%Y-%m-%d %H:%M}"


def _firewall_words() -> str:
    from xactika_site.lan import firewall_command

    return firewall_command(_port())


def _kernel_words() -> str:
    if find_spec("numba") is None:
        return _("numba is missing: bots count cards, no simulated chances")
    from games import analysis
    from games.analysis import experience

    locations.keep_the_kernel_apart()
    is_there = (analysis.cache_folder() / "complete").exists()
    state = _("compiled") if is_there else _("made at the first start")
    if experience.read() is None:
        missing = _("%(file)s cannot be used, so they do not read their players")
        state = f"{state}; {missing % {'file': experience.FILE.name}}"
    return state


_LINES: dict[str, Callable[[], str]] = {
    gettext_noop("System"): _system_words,
    gettext_noop("Data"): _data_words,
    gettext_noop("Databases"): _database_words,
    gettext_noop("Class"): _checked_database_words,
    "SQLite": lambda: sqlite3.sqlite_version,
    gettext_noop("Port"): _port_words,
    gettext_noop("Addresses"): _address_words,
    gettext_noop("Devices"): _device_words,
    gettext_noop("Firewall"): _firewall_words,
    gettext_noop("Experts"): _kernel_words,
}

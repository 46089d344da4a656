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

from xactika_site import __version__, places

ENOUGH = 500 * 1024 * 1024
"""Bytes free with which a school year fits."""


def report() -> Iterator[str]:
    """The screen, line by line. What cannot be found out says so in its line."""
    yield f"Xactika for the classroom {__version__}"
    for name, look in _LINES.items():
        try:
            said = look()
        except (Exception, SystemExit) as why:  # one that fails must not hide the others
            said = f"cannot be found out: {why}"
        yield f"  {name:<10} {said}"


def _system() -> str:
    kind = "checkout" if places.IS_CHECKOUT else "installed"
    system = f"{platform.system()} {platform.release()}, {platform.machine()}"
    return f"{system}; Python {platform.python_version()}; {kind} in {places.ROOT}"


def _data() -> str:
    folder = places.data_folder()
    if not folder.exists():
        return f"{folder} (made at the first start)"
    free = shutil.disk_usage(folder).free
    words = [f"{free / 10**9:.1f} GB free" + ("" if free > ENOUGH else ", which is little")]
    if not os.access(folder, os.W_OK):
        words.append("CANNOT BE WRITTEN TO")
    return f"{folder} ({'; '.join(words)})"


def _cache() -> str:
    return f"{places.cache_folder()} (may be deleted at any time)"


def _databases() -> str:
    if os.environ.get("DATABASE_URL", "").strip():
        return f"as DATABASE_URL says: {_set_up_and_ask()}"
    found = [path for path in _files() if path.exists()]
    if not found:
        return "none yet"
    return "; ".join(f"{path.name}, {path.stat().st_size / 10**6:.1f} MB" for path in found)


def _class() -> str:
    return _set_up_and_ask()


def _files() -> list[Path]:
    from xactika_site.serving import DEMO

    return [places.data_folder() / name for name in ("xactika.sqlite3", DEMO)]


def _set_up_and_ask() -> str:
    """What the database of a class says; a file that is not there yet is not made."""
    if not os.environ.get("DATABASE_URL", "").strip() and not _files()[0].exists():
        return "not begun"
    import django

    django.setup()
    from django.contrib.auth import get_user_model
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    from xactika_site import database

    database.must_be_known()
    executor = MigrationExecutor(connection)
    if not executor.loader.applied_migrations:
        return "not begun"
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        return "is changed for this version at the next start"
    teachers = get_user_model().objects.count()
    copies = len(database.copies())
    return f"ready; teachers: {teachers}; copies from before changes: {copies}"


def _port() -> str:
    port = int(os.environ.get("PORT", "").strip() or 8000)
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=3) as answer:
            return f"{port}: the server runs and says {answer.read(100).decode()}"
    except OSError:
        pass
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as why:
            return f"{port}: taken by something else ({why.strerror}); set PORT to another"
    return f"{port}: free"


def _addresses() -> str:
    from xactika_site import lan

    ours = [a for a in sorted(lan.own_addresses()) if ":" not in a and a[:4] != "127."]
    return ", ".join(ours) or "none: this computer is in no network"


def _others() -> str:
    from xactika_site import lan

    file = lan.came_file()
    if not file.exists():
        return "none has reached this computer yet: same Wi-Fi? does the firewall let them in?"
    when = datetime.fromtimestamp(file.stat().st_mtime)
    return f"one reached this computer on {when:%Y-%m-%d at %H:%M}"


def _firewall() -> str:
    from xactika_site.lan import way_through_the_firewall

    port = int(os.environ.get("PORT", "").strip() or 8000)
    return f"if it keeps them out: {way_through_the_firewall(port)}"


def _kernel() -> str:
    if find_spec("numba") is None:
        return "numba is missing: bots count cards, and there are no simulated odds"
    from games import analysis

    places.keep_the_kernel_apart()
    is_there = (analysis.cache_folder() / "complete").exists()
    return "compiled" if is_there else "compiled at the first start, in about half a minute"


def _sqlite() -> str:
    return sqlite3.sqlite_version


_LINES: dict[str, Callable[[], str]] = {
    "System": _system,
    "Data": _data,
    "Cache": _cache,
    "Databases": _databases,
    "Class": _class,
    "SQLite": _sqlite,
    "Port": _port,
    "Addresses": _addresses,
    "Devices": _others,
    "Firewall": _firewall,
    "Experts": _kernel,
}

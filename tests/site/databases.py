"""Databases of earlier versions."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import subprocess
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.python import python
from tests.server import ROOT, TEST_KEY, Server, made_once
from xactika_site import locations

AN_EARLIER = ("games", sorted((ROOT / "games" / "migrations").glob("[0-9]*.py"))[-2].stem)


def environment(folder: Path) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("XACTIKA_", "DATABASE_"))}
    own = {"XACTIKA_SECRET_KEY": TEST_KEY, "XACTIKA_DATA": str(folder), "PORT": "0"}
    return {**kept, **own, "PYTHONIOENCODING": "utf-8"}  # not the terminal's, which tests read


def is_its_owners_alone(path: Path) -> bool:
    """Whether nobody else may read the file; on Windows its folder says who may."""
    return os.name != "posix" or stat.S_IMODE(path.stat().st_mode) == 0o600


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return python(*arguments, environment=environment(folder))


def an_earlier_one(folder: Path) -> Path:
    """A database as an earlier version left it, with a row of its own."""
    path = folder / "xactika.sqlite3"
    shutil.copyfile(made_once("-earlier", _go_back), path)
    return path


def _go_back(part: Path) -> None:
    with TemporaryDirectory() as made:
        folder = Path(made)
        path = folder / "xactika.sqlite3"
        Server(folder, DATABASE_URL=locations.sqlite_url(path)).migrate()
        done = run(folder, "manage.py", "migrate", *AN_EARLIER, "-v0")
        assert done.returncode == 0, done.stderr
        with closing(sqlite3.connect(path)) as stored, stored:
            stored.execute("INSERT INTO django_session VALUES ('kept', 'kept', '2099-01-01')")
        shutil.copyfile(path, part)


def is_there(path: Path) -> bool:
    """Whether the row that the earlier version wrote can be read."""
    with closing(sqlite3.connect(path)) as stored:
        rows = stored.execute("SELECT 1 FROM django_session WHERE session_key = 'kept'")
        return rows.fetchall() == [(1,)]

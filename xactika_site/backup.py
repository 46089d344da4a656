"""Backups: one file with all that is stored, and the key that signs links and phrases. It is a
SQLite database, whichever of the two it was made of and goes back to: a school that moves to
PostgreSQL takes its classes along.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import time
from typing import NamedTuple

from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import DatabaseError, connection, connections, models, transaction
from django.db.migrations.loader import MigrationLoader
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from xactika_site import __version__, database, locations, restored
from xactika_site.database import BACKUPS
from xactika_site.restored import TABLE

ROWS = 2000
"""Rows that are copied at a time between two databases."""

PATIENCE = 30
"""Seconds in which a busy PostgreSQL lets a restore in."""


class BackupError(Exception):
    """Why a backup cannot be written, read or restored; in words."""


class Backup(NamedTuple):
    """What a backup says of itself, and how much it holds."""

    made: datetime
    version: str
    key: str
    classes: int
    rounds: int


# Write.


def write_backup(path: Path) -> Path:
    """The path of a new backup: this one, or in it, where it is a folder. It is consistent
    while a class plays, checked, and its owner's alone. Raises BackupError."""
    if path.is_dir():
        path /= BACKUPS.replace("*", f"{datetime.now(UTC):%Y-%m-%d-%H%M%S}")
    if path.exists():
        raise BackupError(_("%(file)s is there already: name another file") % {"file": path})
    try:
        _clear_what_was_left(path.parent, "backup-*", older=3600)
        with TemporaryDirectory(dir=path.parent, prefix="backup-") as folder:
            part = Path(folder) / path.name
            os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
            _copy_to(part)
            _seal(part)
            restored.replace(part, path)
    except (OSError, sqlite3.Error, DatabaseError) as why:
        raise BackupError(
            _("%(folder)s cannot be written to: %(why)s") % {"folder": path.parent, "why": why}
        ) from None
    return path


def delete_older(folder: Path, keep: int) -> None:
    """Delete the backups in the folder but so many, the latest."""
    for each in sorted(folder.glob(BACKUPS))[:-keep]:
        each.unlink(missing_ok=True)


def _copy_to(part: Path) -> None:
    if (path := database.file()) is None:
        _migrate(part)
        with _other_database(part):
            _copy_rows("default", "backup")
        return
    address = f"{path.resolve().as_uri()}?mode=rw"
    with closing(sqlite3.connect(address, uri=True, timeout=20)) as line:
        # As of one moment, without what was deleted; nobody waits for it.
        line.execute("VACUUM INTO ?", [str(part)])


def _seal(part: Path) -> None:
    facts = {"key": settings.SECRET_KEY, "version": __version__}
    facts["made"] = datetime.now(UTC).isoformat(timespec="seconds")
    with closing(sqlite3.connect(part)) as line, line:
        line.execute("PRAGMA journal_mode=DELETE")
        line.execute(f"CREATE TABLE {TABLE} (name TEXT PRIMARY KEY, value TEXT NOT NULL)")
        line.executemany(f"INSERT INTO {TABLE} VALUES (?, ?)", facts.items())  # noqa: S608
    read_backup(part)
    _sync(part)


# Read.


def read_backup(path: Path) -> Backup:
    """What a backup holds; all of it is read. Raises BackupError if it is none, is damaged, or
    was made by a newer version."""
    if not path.is_file():
        raise BackupError(_("%(file)s is not there") % {"file": path})
    address = f"{path.resolve().as_uri()}?mode=ro&immutable=1"
    try:
        with closing(sqlite3.connect(address, uri=True)) as line:
            facts = dict(line.execute(f"SELECT name, value FROM {TABLE}"))  # noqa: S608
            applied = set(line.execute("SELECT app, name FROM django_migrations"))
            is_whole = line.execute("PRAGMA integrity_check(1)").fetchall() == [("ok",)]
            classes = _number_of_rows(line, "classrooms_classroom")
            rounds = _number_of_rows(line, "games_deal")
    except sqlite3.Error:
        raise BackupError(_no_backup_words(path)) from None
    if not is_whole:
        raise BackupError(_no_backup_words(path))
    newer = {key for key in applied if key[0] in database.OURS}
    if newer - set(MigrationLoader(None).disk_migrations):
        raise BackupError(
            _("%(file)s is from version %(newer)s, newer than this one (%(version)s)")
            % {"file": path, "newer": facts["version"], "version": __version__}
        )
    made = parse_datetime(facts["made"])
    assert made is not None
    return Backup(made, facts["version"], facts["key"], classes, rounds)


def _no_backup_words(path: Path) -> str:
    return _("%(file)s is damaged, or no backup of Xactika’s: choose another") % {"file": path}


def _number_of_rows(line: sqlite3.Connection, table: str) -> int:
    (number,) = line.execute(f"SELECT count(*) FROM {table}").fetchone()  # noqa: S608
    return int(number)


# Restore.


def restore_backup(path: Path) -> Path | None:
    """The path at which the database is kept that was here before: this one and the key are the
    backup's now. None of PostgreSQL, where it is gone. Killed at any moment, all of it is done
    or nothing. Raises BackupError, also where the database is in use."""
    backup = read_backup(path)
    key_file = locations.key_file()
    if backup.key != settings.SECRET_KEY and key_file is None:
        raise BackupError(
            _("the backup’s key is another than XACTIKA_SECRET_KEY: unset that, then restore")
        )
    into = database.file()
    folder = into.parent if into else settings.DATA_DIR
    try:
        _clear_what_was_left(folder, "restore-*")
        with TemporaryDirectory(dir=folder, prefix="restore-") as made:
            part = Path(made) / "restored.sqlite3"
            shutil.copyfile(path, part)
            part.chmod(0o600)
            _migrate(part)
            if into is None:
                _fill_postgres(part)
                if key_file is not None:
                    restored.write_private(key_file, backup.key.encode())
                return None
            with closing(sqlite3.connect(part)) as line:
                line.execute("PRAGMA journal_mode=DELETE")
            _sync(part)
            connections.close_all()
            restored.replace(part, restored.waiting_at(into))  # from here on it is done
        return restored.put_in_place(into, key_file)
    except (OSError, sqlite3.Error, DatabaseError) as why:
        raise BackupError(
            _("%(file)s cannot be used: %(why)s") % {"file": path, "why": why}
        ) from None


def _fill_postgres(part: Path) -> None:
    """All rows of PostgreSQL are the file's, at once. No page waits for this: a database that
    is slow to answer is waited for."""
    options = connection.settings_dict["OPTIONS"]
    options["connect_timeout"] = options["pool"]["timeout"] = PATIENCE
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
            "AND backend_type = 'client backend' "
            "AND application_name <> current_setting('application_name')"  # of its own pool
        )
        (others,) = cursor.fetchone()
    if settings.REDIS_URL and others:
        raise BackupError(_("the database is in use: stop the servers first"))
    call_command("migrate", verbosity=0)
    with _other_database(part), transaction.atomic():
        _copy_rows("backup", "default")
        with connection.cursor() as cursor:
            for statement in connection.ops.sequence_reset_sql(no_style(), _stored_models()):
                cursor.execute(statement)


# Between two databases.


def _migrate(path: Path) -> None:
    """The file's tables become those of this version: by a process of its own, as migrations
    know one database alone."""
    environment = {**os.environ, "DATABASE_URL": locations.sqlite_url(path)}
    environment["PYTHONIOENCODING"] = "utf-8"
    command = [sys.executable, "-m", "xactika_site.command", "manage", "migrate", "-v0"]
    done = subprocess.run(  # noqa: S603 (ours)
        command, env=environment, capture_output=True, encoding="utf-8", check=False
    )
    if done.returncode:
        raise BackupError((done.stderr or done.stdout).strip().splitlines()[-1])


@contextmanager
def _other_database(path: Path) -> Iterator[None]:
    """A context in which the file is the database ``backup``."""
    options = {"init_command": "PRAGMA synchronous=OFF"}
    connections.settings["backup"] = {
        **connections.settings["default"],
        "ENGINE": "xactika_site.sqlite",
        "NAME": str(path),
        "OPTIONS": options,
    }
    try:
        yield
    finally:
        connections["backup"].close()
        del connections["backup"], connections.settings["backup"]


def _stored_models() -> list[type[models.Model]]:
    tables = set(connection.introspection.table_names())  # of some there is none here
    every = apps.get_models(include_auto_created=True)
    return [
        model for model in every if model._meta.db_table in tables and not model._meta.proxy
    ]


def _copy_rows(source: str, target: str) -> None:
    """All rows of the target are those of the source, which is seen as of one moment."""
    with _frozen(source), transaction.atomic(using=target):
        other = connections[target]
        for model in _stored_models():
            model._base_manager.using(target)._raw_delete(target)
        for model in _stored_models():
            fields = [each for each in model._meta.local_concrete_fields if not each.generated]
            rows = model._base_manager.using(source).order_by("pk").iterator(ROWS)
            while batch := list(islice(rows, ROWS)):
                size = other.ops.bulk_batch_size(fields, batch)
                for n in range(0, len(batch), size):
                    rows_there = model._base_manager.using(target)
                    rows_there._insert(  # type: ignore[attr-defined] # as it is, no time anew
                        batch[n : n + size], fields, raw=True, using=target
                    )
        other.check_constraints()


@contextmanager
def _frozen(alias: str) -> Iterator[None]:
    """A context in which the database is read as of one moment."""
    with transaction.atomic(using=alias):
        if connections[alias].vendor == "postgresql":
            with connections[alias].cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
                cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
        yield


def _clear_what_was_left(folder: Path, pattern: str, *, older: float = 0) -> None:
    """Delete what processes that were killed so many seconds ago have left in the folder: it
    holds the key."""
    for each in folder.glob(pattern):
        if each.is_dir() and time() - each.stat().st_mtime >= older:
            shutil.rmtree(each, ignore_errors=True)


def _sync(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())

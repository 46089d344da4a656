"""The database before it is served: one process's alone, ours, and copied before it changes.
Whatever stands against it ends the start with one line that says what to do. And its log after
a deletion, in which what went could still be read.
"""

from __future__ import annotations

import errno
import logging
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from threading import Event, Thread, Timer
from time import monotonic, sleep
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader
from django.utils.translation import gettext as _
from filelock import FileLock, Timeout

from xactika_site import __version__
from xactika_site.health import Fault, fault_of, try_to_write
from xactika_site.locations import COMMANDS
from xactika_site.restored import lock_of, replace

log = logging.getLogger("xactika.database")

COPIES = 3
"""Copies that are kept beside a SQLite file."""

BACKUPS = "xactika-*-with-key.sqlite3"
"""The names of backups in a folder."""

SHORT = 0.1
"""Seconds in which no check is begun: what would end it may come before it begins."""

SOLE = 0x58616374
"""What a process that is to be alone locks in PostgreSQL: a number that nobody else takes."""

_NO_LOCKS = {errno.ENOSYS, errno.ENOLCK, errno.EOPNOTSUPP}
CHECK_AT_MOST = 5.0
"""Seconds that the start of a class waits for what SQLite finds in its file."""

OURS = ("accounts", "classrooms", "games", "lessons")


def file() -> Path | None:
    """The SQLite file; None where the database is PostgreSQL's."""
    name = str(settings.DATABASES["default"]["NAME"])
    return Path(name) if connection.vendor == "sqlite" else None


@cache
def claim_sole_process() -> FileLock | None:
    """The lock by which this process alone has the database while it lives; a second one that
    meets it ends. None where PostgreSQL, which several may write, and Redis, by which they hear
    each other, are both there; asking again is harmless."""
    if settings.REDIS_URL and file() is None:
        return None
    name = file() or settings.DATA_DIR / str(settings.DATABASES["default"]["NAME"])
    lock = lock_of(name)
    try:
        name.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock.acquire()
    except Timeout:
        raise SystemExit(_running_words(name.name)) from None
    except OSError as why:
        if why.errno in _NO_LOCKS:
            raise SystemExit(
                _(
                    "%(folder)s is on a drive without locks, where a database breaks: set "
                    "XACTIKA_DATA to a folder on this computer's own disk"
                )
                % {"folder": name.parent}
            ) from None
        cannot = _("%(folder)s cannot be written to: %(why)s")
        raise SystemExit(cannot % {"folder": name.parent, "why": why.strerror}) from None
    if file() is None:
        _claim_in_postgres()
    return lock


def _running_words(name: str) -> str:
    return _(
        "Xactika is already running with %(name)s: go on there, or stop it first (several"
        " processes need PostgreSQL in DATABASE_URL, and REDIS_URL)"
    ) % {"name": name}


_claims: list[Any] = []
"""The connection whose end would give the claim back."""


def _claim_in_postgres() -> None:
    """Claim the database by PostgreSQL itself, which processes on other machines meet, too;
    ends the program where another has it. A database that is restarted forgets it."""
    import psycopg  # only where it is used: a laptop does without

    with told_if_unusable(), connection.wrap_database_errors:
        options = connection.get_connection_params()
        line = psycopg.connect(**options, autocommit=True)
        answer = line.execute("SELECT pg_try_advisory_lock(%s)", [SOLE]).fetchone()
    if answer != (True,):
        raise SystemExit(_running_words(str(settings.DATABASES["default"]["NAME"])))
    _claims.append(line)


def refuse_newer_schema() -> None:
    """SystemExit if the database cannot be read, or has migrations that this version lacks."""
    with told_if_unusable():
        loader = MigrationLoader(connection)
    newer = {key for key in loader.applied_migrations if key[0] in OURS}
    if newer - set(loader.disk_migrations):
        raise SystemExit(
            _(
                "%(name)s is from a newer version of Xactika than this one (%(version)s): "
                "install that again, or start with the copy it left beside the file"
            )
            % {"name": settings.DATABASES["default"]["NAME"], "version": __version__}
        )


@contextmanager
def told_if_unusable() -> Iterator[None]:
    """A context in which the start ends, in one line, if the database fails at something."""
    try:
        yield
    except DatabaseError as error:
        raise SystemExit(_unusable_words(error)) from None


def _unusable_words(error: DatabaseError) -> str:
    """One line on what is wrong with a database that does not let itself be read or written."""
    path, message, word = file(), str(error).splitlines()[0], fault_of(error)
    if word in {Fault.DISK, Fault.READONLY}:
        return not_writable_words(word)
    if path is None:
        return _("the database does not answer: %(said)s") % {"said": message}
    if word is Fault.DAMAGED:
        return _damaged_words(path)
    if "no such table" in message:
        return _("%(file)s is not prepared for this version: %(command)s") % {
            "file": path,
            "command": f"{COMMANDS.manage} migrate",
        }
    return _("%(file)s cannot be used: %(why)s") % {"file": path, "why": message}


def _damaged_words(path: Path) -> str:
    return _(
        "%(file)s is damaged, or no database: move it away to start afresh, or put a copy"
        " in its place"
    ) % {"file": path}


def must_be_whole(at_most: float = 3600.0) -> None:
    """Exit the start if SQLite finds damage anywhere in its file within so many seconds,
    also where the start itself does not read."""
    path = file()
    if path is None or not path.exists():
        return
    try:
        word = _quick_check(path, until=monotonic() + at_most)
    except OSError:
        return  # of whatever else there is the start tells by itself
    except sqlite3.Error as error:
        word = fault_of(error)
    if word is Fault.DAMAGED:
        raise SystemExit(_damaged_words(path))


def _quick_check(path: Path, *, until: float) -> Fault:
    """What SQLite says of its file: DAMAGED, or NOTHING if no damage is found until then. Its
    errors, too: of damage, of an interruption."""
    with path.open("rb", buffering=0) as ahead:  # in order: the check jumps, four times as slow
        while monotonic() < until and ahead.read(1 << 20):
            pass
    if (left := until - monotonic()) < SHORT:
        return Fault.NOTHING
    address = f"{path.resolve().as_uri()}?mode=rw"
    with closing(sqlite3.connect(address, uri=True, check_same_thread=False)) as line:
        # Inside of a check SQLite before 3.41 asks no progress handler.
        watch = Timer(left, line.interrupt)
        watch.start()
        try:
            is_whole = line.execute("PRAGMA quick_check(1)").fetchall() == [("ok",)]
        finally:
            watch.cancel()
            watch.join()
    return Fault.NOTHING if is_whole else Fault.DAMAGED


def not_writable_words(word: Fault) -> str:
    """The line on why nothing can be stored."""
    if word is Fault.DISK:
        return _("the disk is full: free some space")
    return _("can't write to the database: does this user own it and its folder?")


def must_be_writable() -> None:
    """Exit the start if nothing can be stored."""
    if (word := try_to_write()) in {Fault.DISK, Fault.READONLY}:
        raise SystemExit(not_writable_words(word))


def prepare() -> None:
    """Bring the database to this version; an older one is copied first, and the copy told."""
    refuse_newer_schema()
    with told_if_unusable():
        call_command("migrate", verbosity=0)


def copy_first(plan: Any, **_signal: Any) -> None:
    """Copy a SQLite file that holds something before migrations are applied to it."""
    path = file()
    if not plan or path is None or not connection.introspection.table_names():
        return
    must_be_whole()  # or the copy of a damaged one would push out a good one
    copy = path.with_name(f"{path.stem}.before-{__version__}.{_time_in_name()}{path.suffix}")
    unfinished = copy.with_name(f"{copy.name}.part")
    try:
        os.close(os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        with closing(sqlite3.connect(path)) as old, closing(sqlite3.connect(unfinished)) as new:
            old.backup(new)
        replace(unfinished, copy)
    except (OSError, sqlite3.Error) as why:
        with suppress(OSError):
            unfinished.unlink()
        needed = path.stat().st_size // 10**6 + 1
        raise SystemExit(
            _(
                "can't copy %(file)s before changing it for this version (%(why)s): free "
                "%(needed)d MB in %(folder)s"
            )
            % {"file": path.name, "why": why, "needed": needed, "folder": path.parent}
        ) from None
    changed = _("%(file)s is changed for this version. As it was before:")
    print(f"  {changed % {'file': path.name}}\n    {copy}")  # noqa: T201
    for older in copies()[:-COPIES]:
        older.unlink(missing_ok=True)


def copies() -> list[Path]:
    """The copies beside the SQLite file, the oldest first."""
    path = file()
    if path is None:
        return []
    return sorted(path.parent.glob(f"{path.stem}.before-*{path.suffix}"), key=_modified)


def purge_copies(before: datetime) -> int:
    """How many copies and backups beside the database, from before a moment, were deleted."""
    path = file()
    beside = [] if path is None else [*copies(), *path.parent.glob(BACKUPS)]
    old = [copy for copy in beside if _modified(copy) < before.timestamp()]
    for copy in old:
        copy.unlink(missing_ok=True)
    return len(old)


# What was deleted.

CLEAR_AFTER = (0.0, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0)
"""Seconds before each try to clear the log."""

_to_clear = Event()


def clear_log() -> bool:
    """Whether the SQLite file's log is empty now: what was deleted can be read there until
    then. False while somebody writes, or reads what was there before, as nobody is made to
    wait for it."""
    path = file()
    if path is None:
        return True
    address = f"{path.resolve().as_uri()}?mode=rw"
    with (
        suppress(sqlite3.Error),
        closing(sqlite3.connect(address, timeout=0, uri=True)) as line,
    ):
        is_busy, _pages, _moved = line.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return not is_busy
    return False


def clear_log_patiently() -> bool:
    """Whether the SQLite log could be cleared within two minutes; if not, our log says so."""
    for seconds in CLEAR_AFTER:
        sleep(seconds)
        if clear_log():
            return True
    log.warning(
        "what was deleted can still be read in the database's log, which is in use: it is "
        "cleared after the next deletion, or tomorrow"
    )
    return False


def clear_log_soon() -> None:
    """Have ``clear_log`` tried on a thread of its own, when a deletion is committed."""
    if file() is not None:
        _to_clear.set()
        _begin_to_clear()


@cache
def _begin_to_clear() -> None:
    Thread(target=_clear_for_ever, name="clearing", daemon=True).start()


def _clear_for_ever() -> None:
    """Clear the log whenever something was deleted, for ever, on a thread; of deletions that
    follow each other closely once."""
    while _to_clear.wait():
        _to_clear.clear()
        clear_log_patiently()


def _modified(path: Path) -> float:
    return path.stat().st_mtime


def _time_in_name() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%d-%H%M%S")

"""The last step of a restore. It is taken by whichever process starts next, before anything
else: killed at any moment, either all of the old data or all of the restored are there. Needs
no settings, which it comes before.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic, sleep

from filelock import FileLock, Timeout

TABLE = "xactika_backup"
"""What a backup says of itself, the key among it: names and values. In no database that is
served."""

HELD = 10.0
"""Seconds in which an antivirus lets go of a file that it looks at."""


def waiting_at(database: Path) -> Path:
    """The path of a restored database that is complete and waits for its place."""
    return database.with_name(f"{database.name}.restored")


def lock_of(database: Path) -> FileLock:
    """The file lock of a process that alone may write to the database, or put another there."""
    return FileLock(
        database.with_name(f"{database.name}.lock"),
        timeout=0,
        mode=0o600,
        fallback_to_soft=False,
    )


def put_in_place_if_left(database: Path, key_file: Path | None) -> None:
    """End the restore of a process that was killed, unless another process is at it."""
    if waiting_at(database).is_file():
        with suppress(Timeout), lock_of(database):
            put_in_place(database, key_file)


def put_in_place(database: Path, key_file: Path | None) -> Path | None:
    """The path of the database that was here before, if a restored one waited and has taken its
    place; its key goes to the file of the key, where there is one. None if none waits. Only for
    who holds the lock."""
    waiting = waiting_at(database)
    if not waiting.is_file():
        return None
    with closing(sqlite3.connect(waiting)) as line, line:
        line.execute("PRAGMA secure_delete=ON")
        if line.execute("SELECT 1 FROM sqlite_master WHERE name = ?", [TABLE]).fetchone():
            facts = dict(line.execute(f"SELECT name, value FROM {TABLE}"))  # noqa: S608
            if key_file is not None:
                write_private(key_file, facts["key"].encode())
            line.execute(f"DROP TABLE {TABLE}")
    aside = _put_aside(database, waiting)
    replace(waiting, database)
    return aside


def write_private(path: Path, content: bytes) -> None:
    """Write this content to a file that is its owner's alone; at every moment it has the old
    one or the new one."""
    part = path.with_name(f"{path.name}.part")
    with suppress(FileNotFoundError):
        part.unlink()
    with os.fdopen(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    replace(part, path)


def replace(part: Path, path: Path) -> None:
    """Put a file or folder in another's place, once Windows lets it: while another program has
    either open it says that access is denied (5), or that it is in use (32)."""
    until = monotonic() + HELD
    while True:
        try:
            part.replace(path)
            return
        except PermissionError as why:
            if getattr(why, "winerror", 0) not in {5, 32} or monotonic() > until:
                raise
            sleep(0.1)


def _put_aside(database: Path, waiting: Path) -> Path:
    """The path of the database, now out of the way with its log: that goes first, as it would
    be taken for the other's."""
    moment = datetime.fromtimestamp(waiting.stat().st_mtime, UTC)
    word = f"before-restore.{moment:%Y-%m-%d-%H%M%S}"
    aside = database.with_name(f"{database.stem}.{word}{database.suffix}")
    for end in ("-wal", ""):
        with suppress(FileNotFoundError):
            replace(database.with_name(database.name + end), aside.with_name(aside.name + end))
    database.with_name(f"{database.name}-shm").unlink(missing_ok=True)
    return aside

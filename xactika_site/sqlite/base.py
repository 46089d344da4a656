"""Django's SQLite, in files that are their owner's alone: they hold password hashes and keys of
sessions, and their folder may be one that others read.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.db.backends.sqlite3 import base

BESIDE = ("", "-wal", "-shm", "-journal", ".lock")
"""What the names of a database's files end with. Those that SQLite makes get the first one's
mode."""


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection to a file that nobody else reads."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Django's connection, to a file that nobody else may read."""
        if not self.is_in_memory_db():
            make_private(Path(conn_params["database"]).resolve())
        return super().get_new_connection(conn_params)


def make_private(database: Path) -> None:
    """Make the file, if it is not there; it and those beside it are their owner's alone, where
    that is who asks; what cannot be is left to whoever opens it."""
    with suppress(OSError):
        os.close(os.open(database, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    if os.name != "posix":  # elsewhere folders say who reads
        return
    for end in BESIDE:
        file = database.with_name(database.name + end)
        with suppress(OSError):
            stat = file.stat()
            if stat.st_mode & 0o077 and stat.st_uid == os.geteuid():
                file.chmod(0o600)

"""Django's PostgreSQL behind a breaker: once nobody could connect, one thread looks for the
database; everybody else is told at once, and whoever waits is served as soon as it is back.
docs/decisions/0017-when-something-is-away.md.
"""

from __future__ import annotations

import threading
from time import sleep
from typing import Any

import psycopg
from django.db.backends.postgresql import base
from psycopg_pool import ConnectionPool

LOOK_EVERY = 0.2
"""Seconds between two looks for a database that is gone, and that each may take."""

DatabasePool = ConnectionPool[psycopg.Connection[Any]]

_gone = threading.Lock()
"""Held as long as the database is known to be gone."""


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection from the pool, or OperationalError: at once where the database is gone."""

    def __init__(self, settings_dict: dict[str, Any], *arguments: Any, **more: Any) -> None:
        if options := settings_dict["OPTIONS"].get("pool"):
            options["reconnect_failed"] = _could_not_connect
        super().__init__(settings_dict, *arguments, **more)

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Django's connection; refused at once while the database has just not answered."""
        if _gone.locked():
            raise psycopg.OperationalError("the database did not answer a moment ago")
        return super().get_new_connection(conn_params)


def _could_not_connect(pool: DatabasePool) -> None:
    # With a connection left it is not gone, say there are only too many.
    if pool.get_stats()["pool_size"] == 0 and _gone.acquire(blocking=False):
        threading.Thread(target=_look_for_it, args=[pool], daemon=True).start()


def _look_for_it(pool: DatabasePool) -> None:
    """Until the database answers, or nobody wants it any more. The pool tries to connect when
    it is asked, and gives what it gets to who has waited longest."""
    try:
        while not pool.closed and not _is_answering(pool):
            pass
    finally:  # whatever happens here: nobody is refused for ever
        _gone.release()


def _is_answering(pool: DatabasePool) -> bool:
    sleep(LOOK_EVERY)
    try:
        with pool.connection(timeout=LOOK_EVERY) as line:
            line.execute("")
    except psycopg.Error:
        return False
    return True

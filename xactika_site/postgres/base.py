"""Django's PostgreSQL behind a breaker: whoever wants a connection waits for a database that is
away; once that has been in vain, one thread looks for it, and everybody else is told at once.
docs/decisions/0017-when-something-is-away.md.
"""

from __future__ import annotations

import threading
from time import sleep
from typing import Any

import psycopg
from django.db.backends.postgresql import base
from psycopg_pool import ConnectionPool

LOOK_EVERY = 0.3
"""Seconds between two looks for a database that is gone."""

Pool = ConnectionPool[psycopg.Connection[Any]]

_gone = threading.Lock()
"""Held as long as the database is known to be gone."""


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection from the pool, or OperationalError: at once where the database is gone."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """As Django's."""
        if self.pool is None:
            return super().get_new_connection(conn_params)
        if _gone.locked():
            raise psycopg.OperationalError("the database did not answer a moment ago")
        failed = _failed(self.pool)
        try:
            return super().get_new_connection(conn_params)
        except psycopg.OperationalError:
            # Otherwise all connections were only busy.
            if _failed(self.pool) > failed and _gone.acquire(blocking=False):
                threading.Thread(target=_look_for_it, args=[self.pool], daemon=True).start()
            raise


def _failed(pool: Pool) -> int:
    """How many times it could not connect."""
    return pool.get_stats().get("connections_errors", 0)


def _look_for_it(pool: Pool) -> None:
    """Until the database answers, or nobody wants it any more."""
    answers = False
    while not (answers or pool.closed):
        sleep(LOOK_EVERY)
        try:
            with pool.connection() as line:
                line.execute("")
            answers = True
        except psycopg.Error:
            pass
    _gone.release()

"""Several calls at once."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

from django.db import connection

from games.tables.refusals import Rejected


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """Each call's answer (or the Rejected it raised), all begun together on threads of
    their own, each with a database connection of its own."""
    start = Barrier(len(calls))

    def call(function: Callable[[], Any]) -> Any:
        connection.ensure_connection()
        start.wait(timeout=20)
        try:
            return function()
        except Rejected as refused:
            return refused
        finally:
            connection.close()

    with ThreadPoolExecutor(max_workers=len(calls)) as pool:
        return list(pool.map(call, calls))

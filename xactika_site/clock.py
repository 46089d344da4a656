"""What time it is, for everybody who shares a database: what happens by itself (clocks,
patience, who is away) hangs on times that other processes wrote, and their clocks may differ.

On PostgreSQL it is the database's clock, asked now and then, and this process's monotonic one
since: a clock that is put right in mid-lesson moves no deadline. On SQLite, which one process
has alone, it is that process's own.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from time import monotonic
from typing import Any

from django.db import DatabaseError
from django.db.backends.base.base import BaseDatabaseWrapper
from django.utils import timezone

ASK_EVERY = 2.0
"""Seconds after which the next who uses the database asks it for the time."""

ASLEEP = timedelta(seconds=30)
"""A process that has not looked at the time for longer has slept, or stood still."""

_answer: tuple[datetime, float] | None = None
"""What the database said last, and this process's monotonic clock then."""


def now() -> datetime:
    """The present moment, by the clock of all who share the database."""
    if _answer is None:
        return timezone.now()
    moment, at = _answer
    return moment + timedelta(seconds=monotonic() - at)


_looked = _woke = datetime.min.replace(tzinfo=UTC)


def begin_to_look() -> None:
    """Begin to look for sleep: from now on :func:`awake_since` is asked every few seconds."""
    global _looked, _woke
    _looked, _woke = now(), datetime.min.replace(tzinfo=UTC)


def awake_since() -> datetime:
    """The moment when this process woke last: before, it saw nobody."""
    global _looked, _woke
    moment = now()
    if moment - _looked > ASLEEP:
        _woke = moment
    _looked = moment
    return _woke


def ask_now_and_then(connection: BaseDatabaseWrapper, **_signal: Any) -> None:
    """Ask the database for the time, if that is due, whenever a connection is taken up: so a
    process which stood still, or has just begun, knows the time before it acts."""
    if connection.vendor != "postgresql":
        return
    if _answer is None or monotonic() - _answer[1] > ASK_EVERY:
        _ask(connection)


def _ask(connection: BaseDatabaseWrapper) -> None:
    global _answer
    began = monotonic()
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT clock_timestamp()")
            moment = cursor.fetchone()[0].astimezone(UTC)
    except DatabaseError:  # whoever wanted the connection meets it, too
        return
    ended = monotonic()
    # Of an answer that was long on its way nobody knows how old it is.
    if _answer is None or ended - began < ASK_EVERY:
        _answer = (moment, (began + ended) / 2)

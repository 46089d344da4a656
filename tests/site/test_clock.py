"""The clock that processes share is the database's; where one process is alone, its own."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import OperationalError
from django.utils import timezone

from xactika_site import clock

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


class Database:
    """A PostgreSQL with a clock of its own."""

    vendor = "postgresql"

    def __init__(self) -> None:
        self.time: datetime | None = NOON
        self.asked = 0

    @contextmanager
    def cursor(self) -> Any:
        yield self

    def execute(self, _statement: str) -> None:
        self.asked += 1
        if self.time is None:
            raise OperationalError("gone")

    def fetchone(self) -> tuple[datetime | None]:
        return (self.time,)


@pytest.fixture
def monotonic(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """This process's monotonic clock, which stands still; and no database has been asked."""
    seconds = [100.0]
    monkeypatch.setattr(clock, "_answer", None)
    monkeypatch.setattr(clock, "monotonic", lambda: seconds[0])
    return seconds


def test_it_is_the_databases_whatever_this_process_believes(
    monotonic: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    database: Any = Database()
    clock.ask_now_and_then(database)
    assert clock.now() == NOON
    monkeypatch.setattr(timezone, "now", lambda: NOON + timedelta(seconds=30))
    monotonic[0] += 1
    clock.ask_now_and_then(database)
    assert (clock.now(), database.asked) == (NOON + timedelta(seconds=1), 1)


def test_whoever_stood_still_asks_before_anything_else(monotonic: list[float]) -> None:
    database: Any = Database()
    clock.ask_now_and_then(database)
    monotonic[0] += 20
    database.time = NOON + timedelta(seconds=21)
    clock.ask_now_and_then(database)
    assert clock.now() == database.time


def test_a_database_that_is_gone_leaves_the_time_as_it_was(monotonic: list[float]) -> None:
    database: Any = Database()
    clock.ask_now_and_then(database)
    monotonic[0] += 20
    database.time = None
    clock.ask_now_and_then(database)
    assert clock.now() == NOON + timedelta(seconds=20)


def test_on_sqlite_it_is_this_processs_own(
    monotonic: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timezone, "now", lambda: NOON)
    database: Any = Database()
    database.vendor = "sqlite"
    clock.ask_now_and_then(database)
    assert clock.now() == NOON


def test_who_stood_still_has_seen_nobody_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    """A break between two who look is no sleep where nobody was to look."""
    began = clock.now()
    seconds = iter([0, 29, 100, 129, 130, 500, 501])
    monkeypatch.setattr(clock, "now", lambda: began + timedelta(seconds=next(seconds)))
    clock.begin_to_look()
    assert clock.awake_since() < began
    assert clock.awake_since() == clock.awake_since() == began + timedelta(seconds=100)
    assert clock.awake_since() == began + timedelta(seconds=100)
    clock.begin_to_look()
    assert clock.awake_since() < began

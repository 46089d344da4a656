"""What is away is told: to the monitor in a word, to people in a sentence, in the log once."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock, Mock

import psycopg.errors
import pytest
import redis
from django.core.cache import caches
from django.db import OperationalError, connection
from django.test import Client

from games.classes.state import load_session
from games.tables import notify, opening
from tests.games.classroom import a_classroom, a_session, a_teacher
from tests.games.conftest import plain_static_files  # noqa: F401 (autouse)
from xactika_site import health


@pytest.fixture(autouse=True)
def forgotten(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing was looked at or told before."""
    monkeypatch.setattr(health, "_looked_at", float("-inf"))
    monkeypatch.setattr(health, "_told_at", {})
    monkeypatch.setattr(health, "_missed", {})
    yield
    health._looked_at = float("-inf")


def caused_by(cause: BaseException) -> OperationalError:
    error = OperationalError("as Django wraps it")
    error.__cause__ = cause
    return error


def of_sqlite(folder: Path, *statements: str) -> OperationalError:
    """What SQLite itself says to the last statement."""
    line = sqlite3.connect(folder / "small.sqlite3", isolation_level=None)
    try:
        for statement in statements:
            line.execute(statement)
    except sqlite3.OperationalError as error:
        return caused_by(error)
    finally:
        line.close()
    raise AssertionError("it should have failed")


def full(folder: Path) -> OperationalError:
    return of_sqlite(
        folder,
        "CREATE TABLE IF NOT EXISTS t (x)",
        "PRAGMA max_page_count = 3",
        "INSERT INTO t VALUES (zeroblob(100000))",
    )


def test_what_an_error_means(tmp_path: Path) -> None:
    assert health.fault_of(full(tmp_path)) == "disk"
    readonly = of_sqlite(tmp_path, "PRAGMA query_only = 1", "CREATE TABLE s (x)")
    assert health.fault_of(readonly) == "readonly"
    for word, cause in (
        ("disk", psycopg.errors.DiskFull()),
        ("readonly", psycopg.errors.ReadOnlySqlTransaction()),
        ("database", psycopg.OperationalError("no server")),
        ("database", psycopg.errors.AdminShutdown()),
        ("damaged", psycopg.errors.DataCorrupted()),
        ("redis", redis.ConnectionError()),
        ("redis", redis.TimeoutError()),
        ("", psycopg.errors.DeadlockDetected()),
        ("", ValueError("our own mistake")),
    ):
        assert health.fault_of(caused_by(cause)) == word, cause
    assert health.fault_of(of_sqlite(tmp_path, "SELECT * FROM nowhere")) == ""
    assert health.fault_of(None) == ""


@pytest.mark.django_db
def test_health_says_in_a_word_what_is_away(
    client: Client, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert client.get("/healthz").json() == {"status": "ok"}
    for name, answer, word in (
        ("LEAST_FREE", 1 << 62, "disk"),
        ("is_redis_there", lambda: False, "redis"),
        ("try_to_write", lambda: "readonly", "readonly"),
    ):
        with monkeypatch.context() as patched:
            patched.setattr(health, name, answer)
            patched.setattr(health, "_looked_at", float("-inf"))
            response = client.get("/healthz")
            assert response.status_code == 503
            assert response.json() == {"status": "failing", "why": word}
    assert not client.cookies


@pytest.mark.django_db
def test_a_write_that_fails_is_seen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It is a write, and one that is not left out because nothing has changed."""
    refusing = MagicMock()
    refusing.return_value.__enter__.return_value.execute.side_effect = full(tmp_path)
    assert health.try_to_write() == ""
    monkeypatch.setattr(connection, "cursor", refusing)
    assert health.try_to_write() == "disk"


@pytest.mark.django_db
def test_a_database_that_cannot_be_written_is_seen_on_the_real_connection(
    client: Client,
) -> None:
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA query_only = 1")
        try:
            response = client.get("/healthz")
        finally:
            cursor.execute("PRAGMA query_only = 0")
    assert response.status_code == 503
    assert response.json() == {"status": "failing", "why": "readonly"}


@pytest.mark.django_db
def test_a_damaged_database_is_not_well_once_somebody_has_met_the_damage(
    client: Client, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Writing a trifle shows nothing of it."""
    file = tmp_path / "no-database.sqlite3"
    file.write_bytes(b"this was a database once" * 400)
    with closing(sqlite3.connect(file)) as line, pytest.raises(sqlite3.DatabaseError) as why:
        line.execute("SELECT * FROM sqlite_schema")
    assert client.get("/healthz").json() == {"status": "ok"}
    assert health.log_if_fault(caused_by(why.value))
    monkeypatch.setattr(health, "_looked_at", float("-inf"))
    assert client.get("/healthz").json() == {"status": "failing", "why": "damaged"}


def test_asking_often_costs_nothing(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    look = Mock(return_value="redis")
    monkeypatch.setattr(health, "present_fault", look)
    assert {client.get("/healthz").status_code for _ in range(50)} == {503}
    look.assert_called_once()


@pytest.mark.django_db
def test_a_form_that_cannot_be_stored_is_answered_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(opening, "new_guest", Mock(side_effect=full(tmp_path)))
    form = {"variant": "bid", "seats": "4", "rounds": "8", "level": "counter", "pace": "slow"}
    browser = Client(raise_request_exception=False)
    response = browser.post("/play/", form)
    assert response.status_code == 503
    assert response["Retry-After"] == "5"
    assert "Try again in a moment" in response.content.decode()
    # A mistake of ours is told apart from that.
    monkeypatch.setattr(opening, "new_guest", lambda: 1 / 0)
    assert browser.post("/play/", form).status_code == 500


@pytest.mark.django_db
def test_the_cockpit_needs_no_redis(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a class session's room reads, so that boards are dealt and pages go along."""
    session = a_session(a_classroom(a_teacher("ada")))
    for name in ("get", "set", "add", "incr"):
        monkeypatch.setattr(caches["default"], name, Mock(side_effect=redis.ConnectionError))
    assert load_session(session.pk).played.seconds_per_move > 0


def test_the_log_has_one_line_a_minute_and_kind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1000.0
    monkeypatch.setattr(health, "monotonic", lambda: now)
    sieve = health.OneLineAMinute()

    def lines(error: BaseException, times: int = 1) -> list[str]:
        records = [
            logging.LogRecord(
                "django.request", logging.ERROR, "", 1, "%s broke", ("/play/",),
                (type(error), error, None),
            )
            for _ in range(times)
        ]  # fmt: skip
        return [record.getMessage() for record in records if sieve.filter(record)]

    assert lines(full(tmp_path), 680) == ["the disk is full: free some space"]
    assert lines(caused_by(redis.ConnectionError()), 5) == ["Redis does not answer"]
    assert lines(ValueError(), 2) == ["/play/ broke"] * 2
    now += 61
    assert len(lines(full(tmp_path), 10)) == 1


@pytest.mark.django_db
def test_the_log_says_once_that_it_is_back(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    now, word = 1000.0, ""
    monkeypatch.setattr(health, "monotonic", lambda: now)
    monkeypatch.setattr(health, "try_to_write", lambda: word)

    def lines() -> list[str]:
        told = [record.getMessage() for record in caplog.records]
        caplog.clear()
        return told

    assert health.log_recoveries()  # nothing was away
    for each in (health.Fault.DATABASE, health.Fault.READONLY, health.Fault.DATABASE):
        health.log_fault(each)
    word = "readonly"
    assert lines() == ["the database does not answer", "the database cannot be written to"]
    now += 30
    assert not health.log_recoveries()
    word = ""
    health.log_fault(health.Fault.DATABASE)  # who looks in may have come between two losses
    now += health.QUIET - 1
    assert not health.log_recoveries()
    assert lines() == []
    now += 1
    assert health.log_recoveries()
    assert sorted(lines()) == [
        "the database answers again",
        "the database can be written to again",
    ]
    assert health.log_recoveries()
    assert lines() == []
    health.log_fault(health.Fault.DISK)
    health.log_fault(health.Fault.DATABASE)  # lost anew: told at once
    assert lines() == [
        "the disk is full: free some space",
        "the database does not answer",
    ]
    now += health.QUIET
    monkeypatch.setattr(health, "LEAST_FREE", 1 << 62)
    assert not health.log_recoveries()  # a trifle may find room


async def _refuse(*_arguments: Any) -> None:
    raise redis.ConnectionError


async def _hang(*_arguments: Any) -> None:
    await asyncio.sleep(3600)


@pytest.mark.parametrize("group_send", [_refuse, _hang])
def test_a_bell_that_cannot_be_rung_fails_nothing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, group_send: Any
) -> None:
    """What rings is stored by then: as from a command, or a process without any socket."""
    monkeypatch.setattr(notify, "_notifiers", [])
    monkeypatch.setattr(notify, "AT_MOST", 0.05)
    layer = SimpleNamespace(group_send=group_send)
    monkeypatch.setattr(notify, "get_channel_layer", lambda: layer)
    for _ in range(3):
        notify.notify_now("some table")
    assert [record.getMessage() for record in caplog.records] == ["Redis does not answer"]

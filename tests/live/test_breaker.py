"""Nobody waits for a database that is known to be gone; a busy one is waited for."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from time import sleep

import pytest
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.utils import ConnectionHandler, OperationalError
from pytest_django.plugin import DjangoDbBlocker

from tests.live.backing import Postgres, find_program
from xactika_site import health
from xactika_site.postgres import base as breaker

pytestmark = pytest.mark.skipif(
    find_program("initdb") is None and os.environ.get("XACTIKA_REQUIRE_SERVICES") != "1",
    reason="PostgreSQL is not installed, so not tested with it going away",
)

MOST = 2
"""Connections of the pool here."""


class Pages:
    """Whoever wants connections, each on a thread of its own as far as Django can tell."""

    def __init__(self, postgres: Postgres) -> None:
        self.handler = ConnectionHandler(
            {
                "default": {},
                "another": {
                    "ENGINE": "xactika_site.postgres",
                    "NAME": "postgres",
                    "USER": "postgres",
                    "HOST": "127.0.0.1",
                    "PORT": postgres.port,
                    "OPTIONS": {
                        "pool": {
                            "min_size": 1,
                            "max_size": MOST,
                            "timeout": 2,
                            "reconnect_timeout": 0.5,
                        }
                    },
                },
            }
        )
        self.lines: list[BaseDatabaseWrapper] = []

    def ask(self) -> BaseDatabaseWrapper:
        """Connect and ask something; OperationalError if that cannot be."""
        line = self.handler.create_connection("another")
        self.lines.append(line)
        with line.cursor() as cursor:
            cursor.execute("SELECT 1")
        return line

    def asked(self) -> int:
        """How many have wanted a connection of the pool."""
        return self.lines[0].pool.get_stats()["requests_num"]  # type: ignore[attr-defined,no-any-return]

    def close(self) -> None:
        """Give all connections back."""
        for line in self.lines:
            line.close()


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    with Postgres() as running:
        yield running


@pytest.fixture
def pages(postgres: Postgres, django_db_blocker: DjangoDbBlocker) -> Iterator[Pages]:
    """The tests' own database stays out of it."""
    with django_db_blocker.unblock(), ExitStack() as stack:
        pages = Pages(postgres)
        stack.callback(lambda: pages.lines[0].close_pool())  # type: ignore[attr-defined]
        stack.callback(pages.close)
        yield pages


def test_of_a_database_that_is_gone_only_one_asks_until_it_is_back(
    postgres: Postgres, pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_look, look = threading.Event(), breaker._look_for_it

    def look_later(pool: breaker.DatabasePool) -> None:
        may_look.wait()
        look(pool)

    monkeypatch.setattr(breaker, "_look_for_it", look_later)
    pages.ask().close()
    postgres.stop()
    try:
        for _ in range(MOST + 1):  # by connections that have ended, then in vain
            with pytest.raises(OperationalError):
                pages.ask()
            pages.close()
        asked = pages.asked()
        for _ in range(20):
            with pytest.raises(OperationalError) as told:
                pages.ask()
            assert health.fault_of(told.value) == "database"
        assert pages.asked() == asked
        pool = pages.lines[0].pool  # type: ignore[attr-defined]
        waits = ThreadPoolExecutor(1).submit(pool.getconn, 60)
    finally:
        postgres.start()
        may_look.set()
    pool.putconn(waits.result())  # nobody else needs to ask
    for _ in range(200):
        with suppress(OperationalError):
            pages.ask()
            break
        sleep(0.1)
    else:
        pytest.fail("it was not found again")


def test_a_busy_database_is_waited_for_by_everybody(pages: Pages) -> None:
    lines = [pages.ask() for _ in range(MOST)]
    asked = pages.asked()
    for more in (1, 2):
        with pytest.raises(OperationalError):
            pages.ask()
        assert pages.asked() == asked + more
    lines[0].close()
    pages.ask()

"""On PostgreSQL writers wait for each other row by row: nobody waits for somebody who waits for
them, and nothing is read that a writer is about to change. docs/decisions/0014-locks.md"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest

from tests.live.backing import Postgres, find_program
from tests.live.boards import shell
from tests.server import Server

pytestmark = pytest.mark.skipif(
    find_program("initdb") is None and os.environ.get("XACTIKA_REQUIRE_SERVICES") != "1",
    reason="no PostgreSQL installed, so its locks are not tested",
)


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that is not started, for its commands alone."""
    with Postgres() as postgres:
        yield Server(tmp_path_factory.mktemp("locks"), DATABASE_URL=postgres.url)


def found(database: Server, what: str) -> Any:
    return shell(database, f"from tests.live import crowd; crowd.tell(crowd.{what})")


STANDS_STILL = """
import json, time
from django.contrib.contenttypes.models import ContentType
from django.db import DatabaseError, transaction
from xactika_site import health
told = ""
try:
    with transaction.atomic():
        ContentType.objects.select_for_update().first()
        time.sleep(7)
        ContentType.objects.first()
except DatabaseError as error:
    told = health.fault_of(error)
print(json.dumps(told))
"""


def test_who_stands_still_in_mid_transaction_loses_its_locks(database: Server) -> None:
    """As a stopped process does; others would wait for its row as long as it stands."""
    assert shell(database, STANDS_STILL) == "database"


def test_a_last_move_beside_the_mending_keeps_its_results(database: Server) -> None:
    seen = found(database, "a_last_move_beside_the_mending()")
    assert seen == {"finished": 0, "differing": [], "results": 2, "again": []}


def test_whoever_waited_for_a_move_sees_it(database: Server) -> None:
    seen = found(database, "a_close_that_waits_for_the_last_move()")
    assert seen == {"status": "game_over"}


def test_nobody_waits_for_ever(database: Server, soak: bool) -> None:
    """A class plays, comes, goes and is steered, all at once."""
    seen = found(database, f"everything_at_once({300 if soak else 2})")
    assert seen["errors"] == []
    assert len(seen["done"]) == 14
    assert min(seen["done"].values()) > 0


def test_what_is_deleted_beside_moves_is_gone(database: Server, soak: bool) -> None:
    seen = found(database, f"deleted_beside_moves({120 if soak else 2})")
    assert seen["errors"] == []
    assert seen["done"]["begin and delete"] > 1

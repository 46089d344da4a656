"""Garbage is collected a little at a time: a collection stops everybody while it looks."""

from __future__ import annotations

import asyncio
import gc
import time
import urllib.request
import weakref
from pathlib import Path
from typing import Any
from unittest.mock import Mock, call

import pytest

from tests import kernel
from tests.server import Server
from xactika_site import garbage
from xactika_site.garbage import ALL_EVERY, AT_LAST, PAGES_MAY_TAKE, Collector, Counted
from xactika_site.http import Receive, Scope, Send

MOST = 12_000
"""Objects that a collection may look through; 15 ms are enough for more than that."""


class Cycle:
    """Garbage that only a collection finds."""

    def __init__(self) -> None:
        self.own = self


async def _answer(_scope: Scope, _receive: Receive, _send: Send) -> None:
    """An application that does nothing."""


async def _receive() -> dict[str, object]:
    return {}


async def _send(_message: object) -> None:
    pass


def run(application: Counted) -> None:
    asyncio.run(application({}, _receive, _send))


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What ``gc`` is told."""
    recorded = Mock()
    monkeypatch.setattr(garbage, "gc", recorded)
    return recorded.method_calls


ALL = [call.unfreeze(), call.collect(), call.freeze()]


def test_an_application_is_counted_while_it_runs_and_once_it_has_failed() -> None:
    seen = []

    async def fail(_scope: Scope, _receive: Receive, _send: Send) -> None:
        seen.append((counted.running, counted.ended))
        raise ValueError("the page failed")

    counted = Counted(fail)
    with pytest.raises(ValueError, match="the page failed"):
        run(counted)
    assert [*seen, (counted.running, counted.ended)] == [(1, 0), (0, 1)]


def test_what_a_page_left_is_collected_and_what_is_in_use_set_aside() -> None:
    pages = Counted(_answer)
    collector = Collector(pages, Counted(_answer))
    gc.collect(1)
    gc.disable()
    try:
        left, in_use = weakref.ref(cycle := Cycle()), Cycle()
        del cycle
        run(pages)
        collector.look(time.monotonic())
        young = {id(each) for g in (0, 1, 2) for each in gc.get_objects(generation=g)}
        assert left() is None
        assert id(in_use) not in young
    finally:
        gc.enable()


def test_where_no_page_was_answered_nothing_is_looked_through(told: list[Any]) -> None:
    pages, sockets = Counted(_answer), Counted(_answer)
    collector = Collector(pages, sockets)
    run(sockets)
    collector.look(time.monotonic())
    assert told == [call.freeze()]
    run(pages)
    collector.look(time.monotonic())
    assert told == [call.freeze(), call.collect(1), call.freeze()]
    collector.look(time.monotonic())
    assert told == [call.freeze(), call.collect(1), call.freeze(), call.freeze()]


def test_a_page_that_is_being_answered_is_waited_for_but_not_for_ever(told: list[Any]) -> None:
    pages = Counted(_answer)
    collector = Collector(pages, Counted(_answer))
    now = time.monotonic()
    collector.look(now)
    pages.running = 1
    collector.look(now + PAGES_MAY_TAKE - 0.1)
    assert told == [call.freeze()]
    collector.look(now + PAGES_MAY_TAKE + 0.1)
    assert told == [call.freeze()] * 2


def test_all_is_looked_through_only_where_nobody_waits_and_somebody_was_there(
    told: list[Any],
) -> None:
    pages, sockets = Counted(_answer), Counted(_answer)
    collector = Collector(pages, sockets)
    now = time.monotonic()
    collector.look_through_all(now + 2 * ALL_EVERY)
    run(sockets)
    collector.look_through_all(now)
    for each in (pages, sockets):
        each.running = 1
        collector.look_through_all(now + 2 * ALL_EVERY)
        each.running = 0
    assert told == []
    collector.look_through_all(now + 2 * ALL_EVERY)
    assert told == ALL
    collector.look_through_all(now + 4 * ALL_EVERY)
    assert told == ALL


def test_a_forgotten_tab_does_not_put_it_off_for_ever(told: list[Any]) -> None:
    pages, sockets = Counted(_answer), Counted(_answer)
    collector = Collector(pages, sockets)
    now = time.monotonic()
    run(pages)
    sockets.running = 1
    collector.look_through_all(now + AT_LAST - 10)
    assert told == []
    collector.look_through_all(now + AT_LAST + 10)
    assert told == ALL


def test_no_collection_looks_through_much_once_the_first_page_is_out(tmp_path: Path) -> None:
    kernel.load_or_skip()
    lines = tmp_path / "lines"
    with Server(
        tmp_path,
        experts=True,
        start_with="import tests.site.looked_through",
        LOOKED_THROUGH=str(lines),
    ) as server:
        before = len(lines.read_text(encoding="utf-8").splitlines())
        deadline = time.monotonic() + 120
        while "ready" not in lines.read_text(encoding="utf-8") and time.monotonic() < deadline:
            time.sleep(0.1)
        for _time in range(40):
            with urllib.request.urlopen(f"{server.base}/play/") as page:
                assert page.status == 200
        time.sleep(3 * garbage.TURN)
    later = lines.read_text(encoding="utf-8").splitlines()[before:]
    assert "ready" in later
    looks = [tuple(map(int, line.split())) for line in later if line != "ready"]
    assert len(looks) > 3, "pages leave garbage, which is collected"
    assert max(objects for _generation, objects in looks) < MOST

"""Lanes: clients take turns, what nobody waits for is not run, and there are bounds."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

import pytest

from xactika_site import lanes
from xactika_site.lanes import Bucket, Buckets, Busy, Gone, Lane


class Work:
    """What was run, in its order; all of it waits for ``go``."""

    def __init__(self) -> None:
        self.run: list[str] = []
        self.most_at_once = self._now = 0
        self.go = threading.Event()

    def of(self, name: str) -> Callable[[], str]:
        def run() -> str:
            self._now += 1
            self.most_at_once = max(self.most_at_once, self._now)
            assert self.go.wait(10)
            self.run.append(name)
            self._now -= 1
            return name

        return run


async def settle() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


async def test_clients_take_turns() -> None:
    lane, work = Lane("turns", 1), Work()
    ada = [asyncio.create_task(lane.run("ada", work.of(f"ada {n}"), most=99)) for n in range(9)]
    await settle()
    bob = asyncio.create_task(lane.run("bob", work.of("bob"), most=99))
    await settle()
    work.go.set()
    await asyncio.gather(*ada, bob)
    assert work.run[:3] == ["ada 0", "ada 1", "bob"]
    assert lane.waiting == 0


async def test_one_client_has_few_threads_at_a_time() -> None:
    lane, work = Lane("few", 6, at_once=2), Work()
    flood = [asyncio.create_task(lane.run("ada", work.of("ada"), most=99)) for _ in range(30)]
    await settle()
    assert lane.waiting == 28
    bob = asyncio.create_task(lane.run("bob", lambda: "bob", most=99))
    assert await bob == "bob"  # while all of Ada's stand still
    work.go.set()
    await asyncio.gather(*flood)
    assert work.most_at_once == 2
    assert len(work.run) == 30


async def test_who_has_gone_is_not_run() -> None:
    lane, work, left = Lane("gone", 1), Work(), asyncio.Event()
    first = asyncio.create_task(lane.run("somebody", work.of("first"), most=99))
    await settle()
    those = [
        asyncio.create_task(lane.run("", work.of(f"{n}"), most=99, gone=left.wait))
        for n in range(60)
    ]
    await settle()
    assert lane.waiting == 60
    left.set()
    found = await asyncio.gather(*those, return_exceptions=True)
    assert {type(each) for each in found} == {Gone}
    assert lane.waiting == 0
    work.go.set()
    await first
    assert work.run == ["first"]
    assert await lane.run("ada", lambda: "next", most=1) == "next"


async def test_more_than_may_wait_is_refused_and_others_are_not() -> None:
    lane, work = Lane("bound", 1), Work()
    those = [asyncio.create_task(lane.run("ada", work.of("ada"), most=3)) for _ in range(4)]
    await settle()
    with pytest.raises(Busy):
        await lane.run("ada", work.of("one more"), most=3)
    bob = asyncio.create_task(lane.run("bob", work.of("bob"), most=3))
    await settle()
    work.go.set()
    await asyncio.gather(*those, bob)
    assert sorted(work.run) == ["ada"] * 4 + ["bob"]


async def test_what_fails_or_is_cancelled_gives_its_thread_back() -> None:
    lane, work = Lane("back", 1), Work()

    def fail() -> None:
        raise ValueError("broken")

    for _ in range(3):
        with pytest.raises(ValueError, match="broken"):
            await lane.run("ada", fail, most=1)
    first = asyncio.create_task(lane.run("ada", work.of("ada"), most=9))
    await settle()
    waits = asyncio.create_task(lane.run("bob", work.of("bob"), most=9))
    await settle()
    waits.cancel()
    await asyncio.gather(waits, return_exceptions=True)
    work.go.set()
    await first
    assert await lane.run("bob", lambda: "again", most=9) == "again"
    assert work.run == ["ada"]


def test_a_bucket_fills_again(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(lanes, "monotonic", lambda: now)
    bucket = Bucket(3, 2)
    assert [bucket.take() for _ in range(5)] == [True, True, True, False, False]
    now += 0.5
    assert [bucket.take(), bucket.take()] == [True, False]
    now += 100
    assert [bucket.take() for _ in range(5)] == [True, True, True, False, False]


def test_who_is_not_known_shares_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes, "monotonic", lambda: 100.0)
    buckets = Buckets(2, 1, nobodys=(4, 1))
    assert [buckets.take("") for _ in range(6)] == [True] * 4 + [False] * 2
    assert [buckets.take("ada") for _ in range(3)] == [True, True, False]
    assert buckets.take("bob")


def test_buckets_of_those_who_rest_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(lanes, "monotonic", lambda: now)
    buckets = Buckets(2, 1, nobodys=(4, 1))
    for n in range(10_001):
        buckets.take(n)
    now += 60
    buckets.take("one more")
    assert len(buckets._of) == 1


def test_who_writes_lets_moves_go_first() -> None:
    order: list[str] = []

    def write() -> None:
        lanes.give_way_to_moves()
        order.append("page")

    with lanes.moving():
        writes = threading.Thread(target=write)
        lanes.GIVES_WAY, before = 10.0, lanes.GIVES_WAY
        try:
            writes.start()
            order.append("move")
        finally:
            lanes.GIVES_WAY = before
    writes.join(10)
    assert order == ["move", "page"]

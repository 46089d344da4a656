"""Lanes: each kind of work has threads of its own, and in a lane clients take turns, so that
whoever asks for much waits behind nobody but itself. docs/decisions/0057-lanes.md.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections import Counter, OrderedDict, deque
from collections.abc import Awaitable, Callable, Hashable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from time import monotonic, sleep
from typing import Any, TypeVar

T = TypeVar("T")


def give_way(niceness: int = 5) -> None:
    """Lower this thread's priority, where the system can: tables, pages and bots go first."""
    with suppress(AttributeError, OSError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), niceness)


BUSY = "too much at once: turned away"
"""What the log says of it, once a minute, with how many."""


class Busy(Exception):
    """Too much of this client waits already."""


class Gone(Exception):
    """Whoever asked has gone."""


class Lane:
    """Threads, and turns on them: one request of each client after the other, and no more than
    ``at_once`` of one client at a time.

    All of it belongs to one event loop at a time.
    """

    def __init__(
        self,
        name: str,
        threads: int,
        *,
        at_once: int = 1_000,
        initializer: Callable[[], None] | None = None,
    ) -> None:
        self._executor = ThreadPoolExecutor(threads, name, initializer)
        self._threads = self._free = threads
        self._at_once = at_once
        self._running: Counter[Hashable] = Counter()
        self._waiting: OrderedDict[Hashable, deque[asyncio.Future[None]]] = OrderedDict()
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def waiting(self) -> int:
        """How many wait for their turn."""
        return sum(map(len, self._waiting.values()))

    async def run(
        self,
        client: Hashable,
        function: Callable[[], T],
        *,
        most: int,
        gone: Callable[[], Awaitable[Any]] | None = None,
    ) -> T:
        """What the function returns, when it had its turn on a thread. Raises Busy where
        ``most`` of the client's wait already, and Gone once ``gone`` has returned before its
        turn."""
        loop = asyncio.get_running_loop()
        if loop is not self._loop:  # nobody of an older one is left
            self._loop, self._free = loop, self._threads
            self._running.clear()
            self._waiting.clear()
        if self._free and self._running[client] < self._at_once:
            self._take(client)
        else:
            await self._wait_for_turn(client, most, gone)
        try:
            return await loop.run_in_executor(self._executor, function)
        finally:
            self._give_back(client)

    async def _wait_for_turn(
        self, client: Hashable, most: int, gone: Callable[[], Awaitable[Any]] | None
    ) -> None:
        place = self._waiting.setdefault(client, deque())
        if len(place) >= most:
            raise Busy
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        place.append(turn)
        try:
            await (turn if gone is None else first_of(turn, gone))
        except BaseException:
            if turn in place:
                place.remove(turn)
                if not place:
                    del self._waiting[client]
            else:
                self._give_back(client)
            raise

    def _take(self, client: Hashable) -> None:
        self._free -= 1
        self._running[client] += 1

    def _give_back(self, client: Hashable) -> None:
        """The thread goes to the oldest request of the next client that may have one."""
        self._free += 1
        self._running[client] -= 1
        if not self._running[client]:
            del self._running[client]
        for other in tuple(self._waiting):
            if not self._free:
                return
            if self._running[other] < self._at_once:
                turn = self._waiting[other].popleft()
                if self._waiting[other]:
                    self._waiting.move_to_end(other)
                else:
                    del self._waiting[other]
                self._take(other)
                if not turn.done():
                    turn.set_result(None)


async def first_of(turn: asyncio.Future[T], gone: Callable[[], Awaitable[Any]]) -> T:
    """The result of ``turn``; raises Gone where ``gone`` returns before it."""
    leaving = asyncio.ensure_future(gone())
    try:
        await asyncio.wait({turn, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if turn.done():
            return turn.result()
        raise Gone
    finally:
        leaving.cancel()
        with suppress(asyncio.CancelledError):
            await leaving


class Bucket:
    """A token bucket: ``most`` may begin at once, and ``rate`` a second after that."""

    def __init__(self, most: float, rate: float) -> None:
        self._most, self._rate = most, rate
        self._left, self._at = most, monotonic()
        self._lock = threading.Lock()

    def take(self) -> bool:
        """Whether one more may begin now, which then counts."""
        with self._lock:
            now = monotonic()
            self._left = min(self._most, self._left + self._rate * (now - self._at))
            self._at = now
            if self._left < 1:
                return False
            self._left -= 1
            return True

    @property
    def is_full(self) -> bool:
        """Whether nothing has begun for so long that it is as new."""
        return self._left + self._rate * (monotonic() - self._at) >= self._most


class Buckets:
    """A token bucket for each client; one, larger, for all that are not known."""

    def __init__(self, most: float, rate: float, *, nobodys: tuple[float, float]) -> None:
        self._sizes = most, rate
        self._nobodys = Bucket(*nobodys)
        self._of: dict[Hashable, Bucket] = {}

    def take(self, client: Hashable) -> bool:
        """Whether the client may begin one more now, which then counts."""
        if client == "":
            return self._nobodys.take()
        if len(self._of) > 10_000:
            self._of = {key: each for key, each in self._of.items() if not each.is_full}
        return self._of.setdefault(client, Bucket(*self._sizes)).take()


ARRIVALS = Buckets(60, 10, nobodys=(1_000, 100))
"""Sockets, and lines in their place, that a client may open at once, and a second after that: a
page has one."""

# Moves first.

GIVES_WAY, LOOKS_EVERY = 0.02, 0.002
"""Seconds at most that somebody who writes lets moves go first, one time, and between looks."""

_urgent = 0


@contextmanager
def moving() -> Iterator[None]:
    """A context while a move waits to be stored or is: whoever writes pages lets it go first.
    On the event loop alone, so it needs no lock, which each move would pay for."""
    global _urgent
    _urgent += 1
    try:
        yield
    finally:
        _urgent -= 1


def give_way_to_moves() -> None:
    """Wait until no move waits to be stored, but not for long."""
    until = monotonic() + GIVES_WAY
    while _urgent and monotonic() < until:
        sleep(LOOKS_EVERY)

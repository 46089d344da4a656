"""Sockets as rooms know them, and the threads that read and store for them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from time import perf_counter
from typing import Any, Generic, TypeVar

from django.db import connection
from django.utils import translation

from games.tables.rendering import Fragments, Picture
from xactika_site import health, metrics
from xactika_site.lanes import Lane, give_way_to_moves, moving

log = logging.getLogger("xactika.hub")
T = TypeVar("T")
V = TypeVar("V")

_IS_SQLITE = connection.vendor == "sqlite"
# SQLite writes one at a time, so one thread with one lasting connection serves moves best.
_MOVES = ThreadPoolExecutor(max_workers=1 if _IS_SQLITE else 6, thread_name_prefix="tables")
# To read a whole class takes as long as ten moves, which must not wait behind it.
_READER = (
    ThreadPoolExecutor(max_workers=1, thread_name_prefix="classes") if _IS_SQLITE else _MOVES
)
# Who comes in, and who is here: behind the moves, and clients take turns.
_DOOR = Lane("door", 1 if _IS_SQLITE else 3)
MOST_AT_THE_DOOR = 20
MOST_OF_NOBODY = 2_000
"""How many may wait to be let in: of one client, and of all that are not known yet, as after a
start, when a whole school comes back."""


async def in_database(function: Callable[..., T], /, **arguments: Any) -> T:
    """What a service or selector of tables returns, run on the threads kept for it."""
    with moving():
        return await _run_on(_MOVES, function, arguments)


async def run_for_class(function: Callable[..., T], /, **arguments: Any) -> T:
    """What a selector of a class session returns, run beside the threads that store moves."""
    return await _run_on(_READER, function, arguments)


async def run_at_door(client: str, function: Callable[..., T], /, **arguments: Any) -> T:
    """What ``function``, which lets a client in, returns, run when it has its turn. Raises Busy
    where too many of its requests wait."""
    most = MOST_AT_THE_DOOR if client else MOST_OF_NOBODY
    return await _DOOR.run(client, _job(function, arguments), most=most)


async def after_moves(function: Callable[..., T], /, **arguments: Any) -> T:
    """What ``function``, which stores who is here, returns, run behind the moves that wait."""
    job = _job(function, arguments)
    return await _DOOR.run("house", partial(_after_waiting_moves, job), most=MOST_OF_NOBODY)


def _after_waiting_moves(job: Callable[[], T]) -> T:
    give_way_to_moves()
    return job()


async def _run_on(
    pool: ThreadPoolExecutor, function: Callable[..., T], arguments: dict[str, Any]
) -> T:
    """What a function returns on a thread of this pool, in the language of who asks."""
    return await asyncio.get_running_loop().run_in_executor(pool, _job(function, arguments))


def _job(function: Callable[..., T], arguments: dict[str, Any]) -> Callable[[], T]:
    return partial(_call, function, arguments, translation.get_language(), perf_counter())


def _call(
    function: Callable[..., T], arguments: dict[str, Any], language: str, queued: float
) -> T:
    began = perf_counter()
    metrics.QUEUE.took(began - queued)
    try:
        with translation.override(language):  # of what it may refuse
            return function(**arguments)
    finally:
        metrics.DATABASE.took(perf_counter() - began)
        if not _IS_SQLITE:
            connection.close()  # back to the driver's pool


View = tuple[Picture, ...]
"""What one viewer may see: a browser what is common and what is its own, a program one."""

NOTHING: tuple[Fragments, ...] = ({}, {})


class Connection(Generic[V]):
    """One socket at a table or in a class session. Sends are never awaited by the room: a
    slow client gets fewer, newer pictures, and holds up nobody."""

    def __init__(
        self,
        viewer: V,
        *,
        is_html: bool,
        send: Callable[[str], Any],
        close: Callable[[], Coroutine[Any, Any, Any]],
    ) -> None:
        self.viewer = viewer
        self.is_html = is_html
        self.sent: tuple[Fragments, ...] = NOTHING
        self.heard = False
        self._send, self._close = send, close
        self._next: View | None = None
        self._heard = ""
        self._task: asyncio.Task[None] | None = None
        self._is_out = False

    def show(self, view: View, heard: str) -> None:
        """Send what differs from what this connection was sent before."""
        if self._is_out:
            return
        self._next = view
        if self.heard:
            self._heard += heard
        self.heard = True
        if self._task is None:
            self._task = asyncio.create_task(self._push())

    def show_once(self, text: str) -> None:
        """Send a text that is no part of any picture; drop it while this client is behind."""
        if not self._is_out and self._task is None:
            self._task = asyncio.create_task(self._push(text))

    async def _push(self, once: str = "") -> None:
        try:
            if once:
                await self._send(once)
            while self._next is not None:
                view, heard = self._next, self._heard
                self._next, self._heard = None, ""
                news = zip(view, self.sent, strict=False)
                text = "".join(picture.since(before) for picture, before in news)
                self.sent = tuple(picture.fragments for picture in view)
                if self.is_html:
                    text += heard
                if text:
                    await self._send(text)
        except Exception:
            log.info("a connection went away while it was written to")
        finally:
            self._task = None

    def expel(self) -> None:
        """Tell the client that there is nothing here for it, and close."""
        if self._is_out:
            return
        self._is_out, self._next = True, None
        do_aside(self._close_gently())

    async def _close_gently(self) -> None:
        with suppress(OSError):  # as ASGI has it, of a socket that has gone already
            await self._close()


_background: set[asyncio.Task[Any]] = set()


def do_aside(job: Coroutine[Any, Any, Any]) -> None:
    """Run it as a task of its own; nobody waits for it, and a failure is logged."""

    async def do() -> None:
        try:
            await job
        except Exception as error:
            if not health.log_if_fault(error):
                log.exception("something done aside has failed")

    task = asyncio.create_task(do())
    _background.add(task)
    task.add_done_callback(_background.discard)

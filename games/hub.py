"""This process's rooms: who is connected to which table, and what keeps each table going.

One room per table with somebody connected. Its task hears the bell, reads the table once and
hands every connection what changed for it; between bells it makes the bots' moves and does
what time makes due. A bell may be lost or doubled: the room always shows what it reads.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from functools import partial
from time import monotonic
from typing import Any, TypeVar

from channels.layers import InMemoryChannelLayer, get_channel_layer
from django.db import DatabaseError, connection
from django.utils import timezone

from games import bell, fragments, services
from games.selectors import (
    NotFound,
    TableState,
    Viewer,
    last_seen,
    load_table,
    next_moment,
    next_round_due,
    public_observation,
    seat_observation,
)

log = logging.getLogger("xactika.hub")
T = TypeVar("T")

SEEN_EVERY = 10.0
"""Seconds between two notes that connected people are here."""

GONE_AFTER = 3.0
"""Seconds that a dropped connection may take to come back before its person is away."""

_IS_SQLITE = connection.vendor == "sqlite"
# SQLite writes one at a time, so one thread with one lasting connection serves it best.
_POOL = ThreadPoolExecutor(max_workers=1 if _IS_SQLITE else 6, thread_name_prefix="tables")

# Experts think for milliseconds, without the interpreter's lock: not where moves are stored.
_THINKERS = ThreadPoolExecutor(max_workers=1, thread_name_prefix="bots")


async def in_database(function: Callable[..., T], /, **arguments: Any) -> T:
    """Call a service or selector on the threads kept for the database."""
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_POOL, partial(_call, function, arguments))


def _call(function: Callable[..., T], arguments: dict[str, Any]) -> T:
    try:
        return function(**arguments)
    finally:
        if not _IS_SQLITE:
            connection.close()  # back to the driver's pool


class Connection:
    """One socket at a table. Sends are never awaited by the room: a slow client gets fewer,
    newer pictures, and holds up nobody."""

    def __init__(
        self,
        viewer: Viewer,
        *,
        is_html: bool,
        send: Callable[[str], Any],
        close: Callable[[], Any],
    ) -> None:
        self.viewer = viewer
        self.is_html = is_html
        self.shown: fragments.Fragments = {}
        self.heard = False
        self._send, self._close = send, close
        self._next: fragments.Fragments | None = None
        self._heard = ""
        self._task: asyncio.Task[None] | None = None

    def show(self, view: fragments.Fragments, heard: str) -> None:
        """Send what differs from what this connection was sent before."""
        self._next = view
        if self.heard:
            self._heard += heard
        self.heard = True
        if self._task is None:
            self._task = asyncio.create_task(self._push())

    async def _push(self) -> None:
        try:
            while self._next is not None:
                view, heard = self._next, self._heard
                self._next, self._heard = None, ""
                parts = [html for name, html in view.items() if self.shown.get(name) != html]
                self.shown = view
                if self.is_html:
                    parts.append(heard)
                if text := "".join(parts):
                    await self._send(text)
        except Exception:
            log.info("a connection went away while it was written to")
        finally:
            self._task = None

    def expel(self) -> None:
        """Tell the client that there is nothing here for it, and close."""
        task = asyncio.create_task(self._close())
        _background.add(task)
        task.add_done_callback(_background.discard)


_background: set[asyncio.Task[Any]] = set()


class Room:
    """A table with somebody connected to it in this process."""

    def __init__(self, table_id: str) -> None:
        self.table_id = table_id
        self.connections: set[Connection] = set()
        self.bell = asyncio.Event()
        self.state: TableState | None = None
        self._presence: dict[int, datetime | None] = {}
        self._presence_read = float("-inf")
        self._turn_shown = ("", 0.0)
        self.task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        while True:
            try:
                await self._live()
            except NotFound:
                for connection_ in self.connections:
                    connection_.expel()
                return
            except DatabaseError as error:
                log.error("a table could not be read or moved on: %s", type(error).__name__)
                await asyncio.sleep(1)
            except Exception:
                log.exception("a room failed and starts anew")
                await asyncio.sleep(1)

    async def _live(self) -> None:
        while True:
            self.bell.clear()
            state = await in_database(load_table, table_id=self.table_id)
            await self._read_presence(state)
            self._show(state)
            wait = self._wait(state)
            try:
                async with asyncio.timeout(wait):
                    await self.bell.wait()
            except TimeoutError:
                await self._act(state)

    async def _read_presence(self, state: TableState) -> None:
        known = self.state is not None and self.state.version == state.version
        if not known or monotonic() - self._presence_read > SEEN_EVERY / 2:
            presence = await in_database(last_seen, table_ids=[self.table_id])
            self._presence = presence.get(self.table_id, {})
            self._presence_read = monotonic()

    def _show(self, state: TableState) -> None:
        now = timezone.now()
        public = public_observation(state, self._presence, now)
        before, self.state = self.state, state
        if self._turn_shown[0] != state.turn:
            self._turn_shown = (state.turn, monotonic())
        html_for: Callable[[Viewer], fragments.Fragments] | None = None
        views: dict[tuple[int | None, bool, bool], fragments.Fragments] = {}
        for connection_ in tuple(self.connections):
            if not connection_.viewer.may_stay(state):
                connection_.expel()
                continue
            viewer, seat = connection_.viewer, connection_.viewer.seat
            kind = (seat, connection_.is_html, viewer.is_opener(state))
            if kind not in views:
                if connection_.is_html:
                    html_for = html_for or fragments.table_fragments(
                        state, public, self._presence, now
                    )
                    views[kind] = html_for(viewer)
                else:
                    seen = public if seat is None else seat_observation(public, state, seat)
                    views[kind] = {"observation": json.dumps(seen)}
            lines = fragments.announcements(before, state, seat) if connection_.is_html else []
            connection_.show(views[kind], fragments.live(lines))

    def _bot_to_move(self, state: TableState) -> bool:
        seat = state.to_move
        return seat is not None and not state.paused and state.seats[seat].is_played_by_bot

    def _wait(self, state: TableState) -> float | None:
        """Seconds until there is something to do; None for until the bell."""
        if self._bot_to_move(state) and state.round is not None:
            # A finished trick stays visible twice as long, to see who took it.
            trick = state.round.trick
            after_trick = trick is not None and not trick.plays and state.round.tricks
            beat = state.pace * 2 if after_trick else state.pace
            return max(0.0, self._turn_shown[1] + beat - monotonic())
        now = timezone.now()
        if next_round_due(state, self._presence, now):
            return 0.0
        moment = next_moment(state, self._presence, now)
        return None if moment is None else (moment - now).total_seconds() + 0.01

    async def _act(self, state: TableState) -> None:
        try:
            if self._bot_to_move(state):
                loop = asyncio.get_running_loop()
                think = partial(services.decide_bot_move, state=state)
                text = await loop.run_in_executor(_THINKERS, think)
                await in_database(
                    services.make_bot_move, table_id=self.table_id, turn=state.turn, text=text
                )
            elif next_round_due(state, self._presence, timezone.now()):
                await in_database(services.go_on, table_id=self.table_id)
        except services.Refused:
            pass  # somebody was quicker; the next look shows what they did


class Hub:
    """All rooms of this process, and its ear on the channel layer."""

    def __init__(self) -> None:
        self.rooms: dict[str, Room] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._seen_at: dict[tuple[str, int], datetime] = {}

    def _start(self) -> None:
        """Once per event loop: answer this process's bells and listen to the others'."""
        loop = asyncio.get_running_loop()
        if self._loop is loop:
            return
        self._loop, self.rooms = loop, {}
        bell.answer_with(self.ring)
        jobs = [self._note_presence()]
        if not isinstance(get_channel_layer(), InMemoryChannelLayer):
            jobs.append(self._listen())
        for job in jobs:
            task = asyncio.create_task(job)
            _background.add(task)
            task.add_done_callback(_background.discard)

    def ring(self, table_id: str) -> None:
        """The table changed: wake its room here and tell the other processes. Any thread."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._ring_here_and_there, table_id)

    def _ring_here_and_there(self, table_id: str) -> None:
        self._wake(table_id)
        layer = get_channel_layer()
        if not isinstance(layer, InMemoryChannelLayer):
            message = {"type": "bell", "table": table_id}
            task = asyncio.create_task(layer.group_send(bell.GROUP, message))
            _background.add(task)
            task.add_done_callback(_background.discard)

    def _wake(self, table_id: str) -> None:
        if (room := self.rooms.get(table_id)) is not None:
            room.bell.set()

    async def _listen(self) -> None:
        """Hear the other processes' bells. Whatever was missed while the layer was away is
        seen when it is back: every room looks again."""
        while True:
            try:
                layer = get_channel_layer()
                channel = await layer.new_channel()
                await layer.group_add(bell.GROUP, channel)
                for table_id in tuple(self.rooms):
                    self._wake(table_id)
                while True:
                    message = await layer.receive(channel)
                    self._wake(message["table"])
            except Exception as error:
                log.error("the channel layer does not answer: %s", type(error).__name__)
                await asyncio.sleep(1)

    async def _note_presence(self) -> None:
        while True:
            await asyncio.sleep(SEEN_EVERY)
            now = timezone.now()
            present = [
                (room, seat)
                for room in self.rooms.values()
                if room.state is not None
                for seat in _seats(room)
            ]
            self._seen_at = {(room.table_id, seat): now for room, seat in present}
            seats = [room.state.seats[seat].pk for room, seat in present if room.state]
            try:
                if seats:
                    await in_database(services.mark_seen, seats=seats, when=now)
            except DatabaseError as error:
                log.error("presence could not be noted: %s", type(error).__name__)

    def join(self, table_id: str, connection_: Connection) -> None:
        """Show this connection the table, now and after every change."""
        self._start()
        room = self.rooms.get(table_id)
        if room is None or room.task.done():
            room = self.rooms[table_id] = Room(table_id)
        room.connections.add(connection_)
        if connection_.viewer.seat is not None:
            self._seen_at[table_id, connection_.viewer.seat] = timezone.now()
        room.bell.set()

    def look_again(self, table_id: str, connection_: Connection) -> None:
        """Send the whole present picture once more."""
        connection_.shown = {}
        self._wake(table_id)

    def leave(self, table_id: str, connection_: Connection) -> None:
        """The connection has ended. The table rests when nobody is left."""
        room = self.rooms.get(table_id)
        if room is None or connection_ not in room.connections:
            return
        room.connections.discard(connection_)
        if not room.connections:
            room.task.cancel()
            del self.rooms[table_id]
        seat = connection_.viewer.seat
        if seat is not None and seat not in _seats(room):
            task = asyncio.create_task(self._mark_gone(table_id, seat))
            _background.add(task)
            task.add_done_callback(_background.discard)

    async def _mark_gone(self, table_id: str, seat: int) -> None:
        last_touch = self._seen_at.get((table_id, seat), timezone.now())
        await asyncio.sleep(GONE_AFTER)
        room = self.rooms.get(table_id)
        if room is None or seat not in _seats(room):
            await in_database(
                services.mark_gone,
                table_id=table_id,
                seat=seat,
                unless_seen_since=last_touch + timedelta(seconds=1),
            )


def _seats(room: Room) -> Iterable[int]:
    return {
        connection_.viewer.seat
        for connection_ in room.connections
        if connection_.viewer.seat is not None
    }


hub = Hub()

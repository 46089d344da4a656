"""This process's rooms, and its ear on the channel layer: one room per table with somebody
connected, or somebody connected anywhere in its class session.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from contextlib import suppress
from datetime import datetime
from time import monotonic
from typing import Any

from channels.layers import InMemoryChannelLayer, get_channel_layer

from games.classes.state import SessionState
from games.classes.viewers import SessionViewer
from games.live.connections import NOTHING, Connection, after_moves, do_aside, in_database, log
from games.live.gestures import Gesture
from games.live.rooms import SEEN_EVERY, Room, SessionRoom, connected_seats
from games.rules import Shape
from games.tables import notify
from games.tables import seats as table_seats
from games.tables.reactions import Reaction
from games.tables.state import TableState, present_turns, turn_of
from games.tables.viewers import Viewer
from xactika_site import clock, health, metrics
from xactika_site.classrooms.services import mark_here

NET_EVERY = 2.0
"""Seconds between two looks for bells that were missed, where there are several processes."""

DEAF_AFTER = 5.0
"""Seconds without its own heartbeat after which a process takes the layer for gone."""

DEAD_AFTER = 8.0
"""Seconds without any bell, one's own heartbeat too, after which the line is taken for dead."""

NOTE_AGAIN_AFTER = 1.0
"""Seconds after which it is noted again who is here, where that could not be stored of all."""

GONE_AFTER = 3.0
"""Seconds that a dropped connection may take to come back before its person is away."""


class Hub:
    """All rooms of this process, and its ear on the channel layer."""

    def __init__(self) -> None:
        self.rooms: dict[str, Room] = {}
        self.sessions: dict[int, SessionRoom] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._seen_at: dict[tuple[str, int], datetime] = {}
        self._heartbeat = f"beat.{secrets.token_hex(8)}"
        self._heard_at = 0.0
        self._is_deaf = False

    def _start(self) -> None:
        """Once per event loop: answer this process's bells and listen to the others'."""
        loop = asyncio.get_running_loop()
        if self._loop is loop:
            return
        self._loop, self.rooms, self.sessions = loop, {}, {}
        notify.notify_through(self.ring)
        clock.begin_to_look()
        jobs = [self._note_presence()]
        if not isinstance(get_channel_layer(), InMemoryChannelLayer):
            jobs += [self._listen(), self._look_for_missed_bells()]
        for job in jobs:
            do_aside(job)

    def ring(self, table_id: str, present: TableState | None = None) -> None:
        """Wake the room of a table that changed, to ``present`` where that is known, and tell
        the other processes. Any thread."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._ring_here_and_there, table_id, present)

    def _ring_here_and_there(self, table_id: str, present: TableState | None) -> None:
        self._wake(table_id, present)
        if not isinstance(get_channel_layer(), InMemoryChannelLayer):
            do_aside(self._ring_there(table_id))

    async def _ring_there(self, key: str) -> None:
        if not await notify.notify_processes(key):
            self._is_deaf = True

    def _wake(self, key: str, present: TableState | None = None) -> None:
        """Wake the room of a table's id or of a class session's key."""
        if (room := self.rooms.get(key)) is not None:
            room.wake(present)
        for session_id, session_room in self.sessions.items():
            if notify.session_key(session_id) == key:
                session_room.changed.set()
                session_room.moved.set()

    def react(self, table_id: str, seat: int, reaction: Reaction) -> None:
        """Show a seat's reaction, here and at the other processes; it is stored nowhere."""
        if (room := self.rooms.get(table_id)) is not None and room.react(seat, reaction):
            self._pass_on(Gesture.REACT, table_id, str(seat), reaction)

    def throw(self, session_id: int, student: int) -> None:
        """Throw a student's solid onto the walls, here and at the other processes."""
        room = self.sessions.get(session_id)
        if room is not None and (solid := room.throw(student)) is not None:
            self._pass_on(Gesture.THROW, str(session_id), solid.value)

    def _pass_on(self, *what: str) -> None:
        """Send a gesture to the other processes, signed: one's own is not shown twice."""
        if not isinstance(get_channel_layer(), InMemoryChannelLayer):
            do_aside(self._ring_there(" ".join((*what, self._heartbeat))))

    def _show_gesture(self, key: str) -> None:
        """Show what another process has passed on; one's own has been shown."""
        match key.split(" "):
            case [*_what, process] if process == self._heartbeat:
                pass
            case [Gesture.REACT, table_id, seat, reaction, _process]:
                if (room := self.rooms.get(table_id)) is not None:
                    room.show_reaction(int(seat), Reaction(reaction))
            case [Gesture.THROW, session_id, solid, _process]:
                if (session_room := self.sessions.get(int(session_id))) is not None:
                    session_room.show_thrown(Shape(solid))

    async def _listen(self) -> None:
        """Hear the other processes' bells, and one's own heartbeat."""
        layer = get_channel_layer()
        while True:
            try:
                channel = await layer.new_channel()
                await layer.group_add(notify.GROUP, channel)
                while True:
                    async with asyncio.timeout(DEAD_AFTER):
                        key = (await layer.receive(channel))["table"]
                    if key == self._heartbeat:
                        self._heard_itself()
                    elif " " in key:
                        self._show_gesture(key)
                    else:
                        self._wake(key)
            except Exception:
                health.log_fault(health.Fault.REDIS)
                await self._hang_up(layer)
                await asyncio.sleep(1)

    async def _hang_up(self, layer: Any) -> None:
        """Listen on new lines from now on: one whose other end has vanished tells nothing."""
        with suppress(Exception):
            async with asyncio.timeout(notify.AT_MOST):
                await layer.flush()

    def _heard_itself(self) -> None:
        """The way through the layer is open. After a while in which it was not, every room
        looks again, whatever it may have missed."""
        self._heard_at = monotonic()
        if self._is_deaf:
            self._is_deaf = False
            health.log_recovery(
                health.Fault.REDIS, "Redis answers again: every table is read anew"
            )
            for key in (*self.rooms, *map(notify.session_key, self.sessions)):
                self._wake(key)

    async def _look_for_missed_bells(self) -> None:
        """A net below the bells, as the layer keeps a lost connection to itself: now and then
        compare all rooms with what is stored, and send oneself a bell to see if it comes."""
        self._heard_at = monotonic()
        while True:
            await asyncio.sleep(NET_EVERY)
            await self._ring_there(self._heartbeat)
            if not self._is_deaf and monotonic() - self._heard_at > DEAF_AFTER:
                self._is_deaf = True
                health.log_fault(health.Fault.REDIS)
            try:
                tables = tuple(self.rooms)
                stored = await in_database(present_turns, table_ids=tables) if tables else {}
            except Exception as error:
                if not health.log_if_fault(error):
                    log.exception("rooms could not be compared with what is stored")
                continue
            for table_id in tables:
                room = self.rooms.get(table_id)
                if room and room.state and stored.get(table_id) != turn_of(room.state):
                    room.wake()

    async def _note_presence(self) -> None:
        pause = SEEN_EVERY
        while True:
            await asyncio.sleep(pause)
            pause, now = SEEN_EVERY, clock.now()
            clock.awake_since()  # so that it is asked often enough
            present = [
                (room, seat)
                for room in self.rooms.values()
                if room.state is not None
                for seat in connected_seats(room)
            ]
            self._seen_at = {(room.table_id, seat): now for room, seat in present}
            seats = [room.state.seats[seat].pk for room, seat in present if room.state]
            attendances = [
                connection_.viewer.attendance
                for session_room in self.sessions.values()
                for connection_ in session_room.connections
                if connection_.viewer.attendance is not None
            ]
            try:
                noted = 0
                if seats:
                    noted = await after_moves(table_seats.mark_seen, seats=seats, when=now)
                if attendances:
                    noted += await after_moves(mark_here, attendances=attendances)
                if noted < len({*seats}) + len({*attendances}):
                    pause = NOTE_AGAIN_AFTER  # somebody's was being written to: do not wait
            except Exception as error:
                # Whatever it was: without these notes everybody would soon count as away.
                pause = NOTE_AGAIN_AFTER
                if not health.log_if_fault(error):
                    log.exception("presence could not be noted")

    def join(self, table_id: str, connection_: Connection[Viewer]) -> None:
        """Show this connection the table, now and after every change."""
        self._start()
        room = self._room(table_id)
        room.connections.add(connection_)
        if connection_.viewer.seat is not None:
            self._seen_at[table_id, connection_.viewer.seat] = clock.now()
        room.wake()

    def _room(self, table_id: str) -> Room:
        room = self.rooms.get(table_id)
        if room is None or room.task.done():
            room = self.rooms[table_id] = Room(table_id, self)
        return room

    def look_again(self, table_id: str, connection_: Connection[Viewer]) -> None:
        """Send the whole present picture once more."""
        connection_.sent = NOTHING
        self._wake(table_id)

    def leave(self, table_id: str, connection_: Connection[Viewer]) -> None:
        """Let go of a connection that has ended. The table rests when nobody is left."""
        room = self.rooms.get(table_id)
        if room is None or connection_ not in room.connections:
            return
        room.connections.discard(connection_)
        if not room.connections and not room.is_kept:
            room.task.cancel()
            del self.rooms[table_id]
        seat = connection_.viewer.seat
        if seat is not None and seat not in connected_seats(room):
            do_aside(self._mark_gone(table_id, seat))

    async def _mark_gone(self, table_id: str, seat: int) -> None:
        last_touch = self._seen_at.get((table_id, seat), clock.now())
        await asyncio.sleep(GONE_AFTER)
        room = self.rooms.get(table_id)
        if room is None or seat not in connected_seats(room):
            await after_moves(
                table_seats.mark_gone,
                table_id=table_id,
                seat=seat,
                unless_seen_since=last_touch,  # so not whoever is at another process by now
            )

    # Class sessions.

    def join_session(self, session_id: int, connection_: Connection[SessionViewer]) -> None:
        """Show this connection the class session, now and after every change."""
        self._start()
        room = self._session_room(session_id)
        room.connections.add(connection_)
        viewer, session = connection_.viewer, room.session
        if (
            viewer.student is None
            or session is None
            or viewer.version > session.version
            or not viewer.may_stay(session)
        ):
            room.changed.set()  # a page just opened may know more than this room
        room.moved.set()

    def leave_session(self, session_id: int, connection_: Connection[SessionViewer]) -> None:
        """Let go of a connection that has ended; the room looks whether anybody is left."""
        if (room := self.sessions.get(session_id)) is not None:
            room.connections.discard(connection_)
            room.moved.set()

    def _session_room(self, session_id: int) -> SessionRoom:
        room = self.sessions.get(session_id)
        if room is None or room.task.done():
            room = self.sessions[session_id] = SessionRoom(session_id, self)
        return room

    def note_table(self, session_id: int, state: TableState) -> None:
        """Take in a table of this class session as its room has just read it."""
        self._session_room(session_id).note_table(state)

    def is_somebody_in(self, session_room: SessionRoom) -> bool:
        """Whether anybody is connected here, at one of the session's tables or beside."""
        return bool(session_room.connections) or any(
            room.connections
            for room in self.rooms.values()
            if room.state and room.state.class_session_id == session_room.session_id
        )

    def keep(self, session: SessionState) -> None:
        """Have a room for every present table of the session."""
        for table_id in () if session.is_closed else session.tables:
            self._room(table_id).is_kept = True

    def states_of(self, session: SessionState) -> dict[str, TableState]:
        """The session's tables as their rooms last read them."""
        rooms = (self.rooms.get(table_id) for table_id in session.tables)
        return {room.table_id: room.state for room in rooms if room and room.state}

    def let_go(self, session_room: SessionRoom) -> None:
        """Let the tables of a session rest that nobody is in any more."""
        self.sessions.pop(session_room.session_id, None)
        for table_id, room in tuple(self.rooms.items()):
            if (
                room.is_kept
                and not room.connections
                and room.state is not None
                and room.state.class_session_id == session_room.session_id
            ):
                room.task.cancel()
                del self.rooms[table_id]

    # Figures.

    def socket_counts(self) -> dict[str, float]:
        """By what they look at, a table or a session, how many are connected to this
        process."""
        return {
            "table": sum(len(room.connections) for room in self.rooms.values()),
            "session": sum(len(room.connections) for room in self.sessions.values()),
        }

    def table_counts(self) -> dict[str, float]:
        """By status, how many tables this process keeps going."""
        states = [room.state for room in self.rooms.values() if room.state is not None]
        return dict(Counter(state.status for state in states))


hub = Hub()
metrics.Gauge(
    "xactika_sockets",
    "Sockets and asking pages, by what they look at.",
    "at",
    hub.socket_counts,
)
metrics.Gauge(
    "xactika_tables",
    "Tables with a person or a class at this process, by how they stand.",
    "status",
    hub.table_counts,
)

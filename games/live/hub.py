"""This process's rooms: who is connected to which table, and what keeps each table going.

One room per table with somebody connected, or somebody connected anywhere in its class
session. Its task hears the bell, reads the table once and hands every connection what changed
for it; between bells it makes the bots' moves and does what time makes due. A class session
has a room of its own, for cockpits, projectors and lobbies. A bell may be lost or doubled: a
room always shows what it reads.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
from collections.abc import Callable, Coroutine, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import datetime, timedelta
from functools import cache, partial
from time import monotonic
from typing import Any, Generic, TypeVar

from channels.layers import InMemoryChannelLayer, get_channel_layer
from django.db import connection
from django.utils import timezone

from games.analysis.outcomes import Choice
from games.classes import seating
from games.classes.boards import next_board
from games.classes.free_seats import seats_are_due
from games.classes.pictures import session_pictures
from games.classes.state import SessionState, load_session
from games.classes.viewers import SessionViewer
from games.tables import announcements, bell, fragments, moves
from games.tables import seats as table_seats
from games.tables.observation import (
    public_observation,
    seat_observation,
    seat_view,
    table_view,
)
from games.tables.refusals import Rejected
from games.tables.rendering import Fragments, Picture
from games.tables.state import TableState, load_table, present_turns, turn_of
from games.tables.timing import (
    clock_is_up,
    is_deserted,
    last_seen,
    next_board_due,
    next_moment,
    next_round_due,
)
from games.tables.viewers import Viewer
from xactika_site import health
from xactika_site.classrooms.selectors import NotFound, sign_ins_that_hold
from xactika_site.classrooms.services import Refused, mark_here

log = logging.getLogger("xactika.hub")
T = TypeVar("T")
V = TypeVar("V")

SEEN_EVERY = 10.0
"""Seconds between two notes that connected people are here."""

LOOK_EVERY = 5.0
"""Seconds after which a class session's room looks who is there, without any bell."""

SESSION_BEAT = 0.4
"""Seconds at least between two pictures of a class session: its tables change often."""

NET_EVERY = 2.0
"""Seconds between two looks for bells that were missed, where there are several processes."""

DEAF_AFTER = 5.0
"""Seconds without its own heartbeat after which a process takes the layer for gone."""

SLOWEST_BEAT, NAMED_AT_ONCE = 1.5, 100
"""The same for the largest classes in the lobby; and so many may wait before it grows."""

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
        self.shown: tuple[Fragments, ...] = NOTHING
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

    async def _push(self) -> None:
        try:
            while self._next is not None:
                view, heard = self._next, self._heard
                self._next, self._heard = None, ""
                news = zip(view, self.shown, strict=False)
                text = "".join(picture.since(before) for picture, before in news)
                self.shown = tuple(picture.fragments for picture in view)
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
        _do_aside(self._close())


_background: set[asyncio.Task[Any]] = set()


def _do_aside(job: Coroutine[Any, Any, Any]) -> None:
    """Do it beside everything else, and keep it from being forgotten meanwhile."""

    async def do() -> None:
        try:
            await job
        except Exception as error:
            if not health.tell_if_away(error):
                log.exception("something done aside has failed")

    task = asyncio.create_task(do())
    _background.add(task)
    task.add_done_callback(_background.discard)


class Room:
    """A table with somebody connected to it in this process, or kept for a class session."""

    def __init__(self, table_id: str) -> None:
        self.table_id = table_id
        self.is_kept = False
        self.connections: set[Connection[Viewer]] = set()
        self.bell = asyncio.Event()
        self.state: TableState | None = None
        self.presence: dict[int, datetime | None] = {}
        self.presence_read = float("-inf")
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
            except Exception as error:
                if not health.tell_if_away(error):
                    log.exception("a room failed and starts anew")
                await asyncio.sleep(1)

    async def _live(self) -> None:
        while True:
            self.bell.clear()
            state = await in_database(load_table, table_id=self.table_id)
            await self._read_presence(state)
            self._show(state)
            if state.class_session_id is not None:
                hub.table_shown(state.class_session_id, state)
            wait = self._wait(state)
            try:
                async with asyncio.timeout(wait):
                    await self.bell.wait()
            except TimeoutError:
                await self._act(state)

    async def _read_presence(self, state: TableState) -> None:
        known = self.state is not None and self.state.version == state.version
        if not known or monotonic() - self.presence_read > SEEN_EVERY / 2:
            presence = await in_database(last_seen, table_ids=[self.table_id])
            self.presence = presence.get(self.table_id, {})
            self.presence_read = monotonic()

    def _show(self, state: TableState) -> None:
        before, self.state = self.state, state
        if self._turn_shown[0] != state.turn:
            self._turn_shown = (state.turn, monotonic())
        if not self.connections:
            return
        now = timezone.now()
        view = table_view(state, self.presence, now)
        pictures_for = cache(partial(fragments.table_fragments, view))
        public = cache(partial(public_observation, view))
        views: dict[tuple[int | None, bool, bool], View] = {}
        for connection_ in tuple(self.connections):
            if not connection_.viewer.may_stay(state):
                connection_.expel()
                continue
            viewer, seat = connection_.viewer, connection_.viewer.seat
            kind = (seat, connection_.is_html, viewer.is_opener(state))
            if kind not in views:
                own = seat_view(state, seat)
                if connection_.is_html:
                    views[kind] = pictures_for()(viewer, own)
                elif seat is None:
                    views[kind] = (Picture({"observation": json.dumps(public())}),)
                else:
                    seen = seat_observation(public(), view, seat, own)
                    views[kind] = (Picture({"observation": json.dumps(seen)}),)
            lines = (
                announcements.announcements(before, view, seat) if connection_.is_html else []
            )
            connection_.show(views[kind], announcements.live(lines))

    def _bot_to_move(self, state: TableState) -> bool:
        seat = state.to_move
        if seat is None or state.paused:
            return False
        return state.seats[seat].is_played_by_bot or is_deserted(
            state, self.presence, timezone.now()
        )

    def _wait(self, state: TableState) -> float | None:
        """Seconds until there is something to do; None for until the bell."""
        if self._bot_to_move(state) and state.round is not None:
            # A finished trick stays visible three times as long, to see who took it.
            trick = state.round.trick
            after_trick = trick is not None and not trick.plays and state.round.tricks
            beat = state.pace * 3 if after_trick else state.pace
            return max(0.0, self._turn_shown[1] + beat - monotonic())
        now = timezone.now()
        if next_round_due(state, self.presence, now) or clock_is_up(state, now):
            return 0.0
        moment = next_moment(state, self.presence, now)
        return None if moment is None else (moment - now).total_seconds() + 0.01

    async def _act(self, state: TableState) -> None:
        try:
            if self._bot_to_move(state):
                choice = await _think(state)
                await in_database(
                    moves.make_bot_move,
                    table_id=self.table_id,
                    turn=state.turn,
                    for_anybody=is_deserted(state, self.presence, timezone.now()),
                    choice=choice,
                )
            elif clock_is_up(state, timezone.now()):
                choice = await _think(state)
                await in_database(
                    moves.make_clock_move,
                    table_id=self.table_id,
                    turn=state.turn,
                    choice=choice,
                )
            elif next_round_due(state, self.presence, timezone.now()):
                await in_database(moves.go_on, table_id=self.table_id)
        except Rejected:
            pass  # somebody was quicker; the next look shows what they did


async def _think(state: TableState) -> Choice:
    """What a bot does now, on the thread kept for thinking."""
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_THINKERS, partial(moves.decide_move, state=state))


class SessionRoom:
    """A class session with somebody connected in this process, at a table or beside.

    Keeps its tables' rooms, so that deserted tables go on and the cockpit knows them all.
    """

    def __init__(self, session_id: int) -> None:
        self.session_id = session_id
        self.connections: set[Connection[SessionViewer]] = set()
        self.changed, self.moved = asyncio.Event(), asyncio.Event()
        self.session: SessionState | None = None
        self._known: dict[str, tuple[int, str]] = {}
        # Tables that no room keeps going any more, as they ended.
        self._ended: dict[str, TableState] = {}
        self.task = asyncio.create_task(self._run())

    def table_shown(self, state: TableState) -> None:
        """A table of the session has been read; more than a move may have changed there."""
        if self._known.get(state.id) != (state.version, state.status):
            self._known[state.id] = (state.version, state.status)
            self.changed.set()
        self.moved.set()

    async def _run(self) -> None:
        while hub.is_somebody_in(self):
            try:
                await self._live()
            except NotFound:
                for connection_ in self.connections:
                    connection_.expel()
                break
            except Exception as error:
                if not health.tell_if_away(error):
                    log.exception("a class session's room failed and starts anew")
                await asyncio.sleep(1)
        hub.let_go(self)

    async def _live(self) -> None:
        read_at = float("-inf")
        while hub.is_somebody_in(self):
            if self.changed.is_set() or monotonic() - read_at > LOOK_EVERY:
                self.changed.clear()
                self.session = await in_database(load_session, session_id=self.session_id)
                hub.keep(self.session)
                for table_id in self.session.tables if self.session.is_closed else ():
                    self._ended[table_id] = await in_database(load_table, table_id=table_id)
                read_at = monotonic()
                await self._expel_whose_right_ended(self.session)
            self.moved.clear()
            self._show()
            await self._deal_if_due()
            await self._seat_if_due()
            await asyncio.sleep(pause_after(self.session))
            if not (self.moved.is_set() or self.changed.is_set()):
                with suppress(TimeoutError):
                    async with asyncio.timeout(LOOK_EVERY):
                        await self.moved.wait()

    async def _expel_whose_right_ended(self, session: SessionState) -> None:
        """What a table cannot know: that its watchers are still signed in, and teach here."""
        at_tables = [
            connection_
            for room in hub.rooms.values()
            if room.state is not None and room.state.class_session_id == session.id
            for connection_ in room.connections
        ]
        here: list[Connection[Any]] = [*self.connections, *at_tables]
        sign_ins = {one.viewer.sign_in for one in here} - {None}
        hold = await in_database(
            sign_ins_that_hold, sign_ins=sign_ins, classroom_id=session.classroom_id
        )
        for one in here:
            if one.viewer.sign_in not in {None, *hold}:
                one.expel()
        for one in at_tables:
            if not session.lets_stay(one.viewer):
                one.expel()

    async def _deal_if_due(self) -> None:
        """The tables of a duplicate session move in step: the next board comes from here."""
        if self.session is None:
            return
        states = hub.states_of(self.session)
        tables = [state for state in states.values() if state.status != "closed"]
        if len(states) == len(self.session.tables) and any(t.is_duplicate for t in tables):
            presences = {table.id: hub.rooms[table.id].presence for table in tables}
            if next_board_due(tables, presences, timezone.now()):
                await in_database(next_board, session_id=self.session_id)

    async def _seat_if_due(self) -> None:
        """Whoever is here has a seat, by whatever way they came: a phone that slept while the
        class began only opens its line again."""
        if self.session is None:
            return
        tables = tuple(hub.states_of(self.session).values())
        if seats_are_due(self.session, tables, timezone.now()):
            with suppress(Refused):  # closed meanwhile
                await in_database(seating.seat_present, session_id=self.session_id)

    def _show(self) -> None:
        if self.session is None or not self.connections:
            return
        tables = self._ended if self.session.is_closed else hub.states_of(self.session)
        if len(tables) < len(self.session.tables):
            return  # half a picture would mislead; the others are read in a moment
        picture_for = session_pictures(self.session, tables, timezone.now())
        for connection_ in tuple(self.connections):
            if connection_.viewer.may_stay(self.session):
                connection_.show((picture_for(connection_.viewer),), "")
            else:
                connection_.expel()


def pause_after(session: SessionState | None) -> float:
    """Seconds at least until the next picture of the session. While a lecture hall comes in,
    the cockpit names everybody, which is much to send for each of them."""
    waiting = len(session.waiting) if session else 0
    return min(SLOWEST_BEAT, SESSION_BEAT * max(1.0, waiting / NAMED_AT_ONCE))


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
        bell.answer_with(self.ring)
        jobs = [self._note_presence()]
        if not isinstance(get_channel_layer(), InMemoryChannelLayer):
            jobs += [self._listen(), self._look_for_missed_bells()]
        for job in jobs:
            _do_aside(job)

    def ring(self, table_id: str) -> None:
        """The table changed: wake its room here and tell the other processes. Any thread."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._ring_here_and_there, table_id)

    def _ring_here_and_there(self, table_id: str) -> None:
        self._wake(table_id)
        if not isinstance(get_channel_layer(), InMemoryChannelLayer):
            _do_aside(self._ring_there(table_id))

    async def _ring_there(self, key: str) -> None:
        if not await bell.tell_the_others(key):
            self._is_deaf = True

    def _wake(self, key: str) -> None:
        """Wake the room of a table's id or of a class session's key."""
        if (room := self.rooms.get(key)) is not None:
            room.bell.set()
        for session_id, session_room in self.sessions.items():
            if bell.session_key(session_id) == key:
                session_room.changed.set()
                session_room.moved.set()

    async def _listen(self) -> None:
        """Hear the other processes' bells, and one's own heartbeat."""
        layer, channel = get_channel_layer(), None
        while True:
            try:
                channel = channel or await layer.new_channel()
                await layer.group_add(bell.GROUP, channel)
                while True:
                    key = (await layer.receive(channel))["table"]
                    if key == self._heartbeat:
                        self._heard_itself()
                    else:
                        self._wake(key)
            except Exception:
                health.tell("redis")
                await asyncio.sleep(1)

    def _heard_itself(self) -> None:
        """The way through the layer is open. After a while in which it was not, every room
        looks again, whatever it may have missed."""
        self._heard_at = monotonic()
        if self._is_deaf:
            self._is_deaf = False
            health.tell_it_is_back("redis", "Redis answers again: every table is read anew")
            for key in (*self.rooms, *map(bell.session_key, self.sessions)):
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
                health.tell("redis")
            try:
                tables = tuple(self.rooms)
                stored = await in_database(present_turns, table_ids=tables) if tables else {}
            except Exception as error:
                if not health.tell_if_away(error):
                    log.exception("rooms could not be compared with what is stored")
                continue
            for table_id in tables:
                room = self.rooms.get(table_id)
                if room and room.state and stored.get(table_id) != turn_of(room.state):
                    room.bell.set()

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
            attendances = [
                connection_.viewer.attendance
                for session_room in self.sessions.values()
                for connection_ in session_room.connections
                if connection_.viewer.attendance is not None
            ]
            try:
                if seats:
                    await in_database(table_seats.mark_seen, seats=seats, when=now)
                if attendances:
                    await in_database(mark_here, attendances=attendances)
            except Exception as error:
                # Whatever it was: without these notes everybody would soon count as away.
                if not health.tell_if_away(error):
                    log.exception("presence could not be noted")

    def join(self, table_id: str, connection_: Connection[Viewer]) -> None:
        """Show this connection the table, now and after every change."""
        self._start()
        room = self._room(table_id)
        room.connections.add(connection_)
        if connection_.viewer.seat is not None:
            self._seen_at[table_id, connection_.viewer.seat] = timezone.now()
        room.bell.set()

    def _room(self, table_id: str) -> Room:
        room = self.rooms.get(table_id)
        if room is None or room.task.done():
            room = self.rooms[table_id] = Room(table_id)
        return room

    def look_again(self, table_id: str, connection_: Connection[Viewer]) -> None:
        """Send the whole present picture once more."""
        connection_.shown = NOTHING
        self._wake(table_id)

    def leave(self, table_id: str, connection_: Connection[Viewer]) -> None:
        """The connection has ended. The table rests when nobody is left."""
        room = self.rooms.get(table_id)
        if room is None or connection_ not in room.connections:
            return
        room.connections.discard(connection_)
        if not room.connections and not room.is_kept:
            room.task.cancel()
            del self.rooms[table_id]
        seat = connection_.viewer.seat
        if seat is not None and seat not in _seats(room):
            _do_aside(self._mark_gone(table_id, seat))

    async def _mark_gone(self, table_id: str, seat: int) -> None:
        last_touch = self._seen_at.get((table_id, seat), timezone.now())
        await asyncio.sleep(GONE_AFTER)
        room = self.rooms.get(table_id)
        if room is None or seat not in _seats(room):
            await in_database(
                table_seats.mark_gone,
                table_id=table_id,
                seat=seat,
                unless_seen_since=last_touch + timedelta(seconds=1),
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
        """The connection has ended; the room looks whether anybody is left."""
        if (room := self.sessions.get(session_id)) is not None:
            room.connections.discard(connection_)
            room.moved.set()

    def _session_room(self, session_id: int) -> SessionRoom:
        room = self.sessions.get(session_id)
        if room is None or room.task.done():
            room = self.sessions[session_id] = SessionRoom(session_id)
        return room

    def table_shown(self, session_id: int, state: TableState) -> None:
        """A table of this class session has been read by its room."""
        self._session_room(session_id).table_shown(state)

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
        """Nobody is in the session any more: its tables rest."""
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


def _seats(room: Room) -> Iterable[int]:
    return {
        connection_.viewer.seat
        for connection_ in room.connections
        if connection_.viewer.seat is not None
    }


hub = Hub()

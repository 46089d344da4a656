"""What keeps each table and each class session going, where somebody is connected.

A table's room hears the bell, reads the table once and hands every connection what changed for
it; between bells it makes the bots' moves and does what time makes due. A class session has a
room of its own, for cockpits, projectors and lobbies. A bell may be lost or doubled: a room
always shows what it reads.
"""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import datetime
from functools import partial
from time import monotonic
from typing import Any, Protocol

from django.utils import translation

from games import analysis
from games.analysis import bots
from games.analysis.outcomes import Choice
from games.classes import seating
from games.classes.boards import next_board
from games.classes.free_seats import seats_are_due
from games.classes.pictures import session_pictures
from games.classes.projector import thrown_html
from games.classes.state import SessionState, load_session
from games.classes.steering import fall_back_to_counting
from games.classes.viewers import SessionView, SessionViewer
from games.live.connections import Connection, View, in_database, log, run_for_class
from games.live.gestures import Reactions, Throws
from games.rules import Shape
from games.tables import announcements, fragments, moves
from games.tables.observation import public_observation, seat_observation, seat_view, table_view
from games.tables.reactions import Reaction, reaction_frame, reaction_html, reaction_words
from games.tables.refusals import Rejected
from games.tables.rendering import Picture
from games.tables.state import TableState, load_table, turn_of
from games.tables.timing import (
    clock_is_up,
    is_away,
    is_deserted,
    last_seen,
    next_board_due,
    next_moment,
    next_round_due,
)
from games.tables.view import Status
from games.tables.viewers import Viewer
from xactika_site import clock, health
from xactika_site.classrooms.selectors import NotFound, sign_ins_that_hold
from xactika_site.classrooms.services import Refused

SEEN_EVERY = 10.0
"""Seconds between two notes that connected people are here."""

LOOK_EVERY = 5.0
"""Seconds after which a class session's room looks who is there, without any bell."""

SESSION_BEAT = 0.4
"""Seconds at least between two pictures of a class session: its tables change often."""

NO_HASTE = 0.03
"""Seconds that the news of somebody ready waits for more: others are so too, or it is dealt."""

EXPERTS_WITHIN, LOOK_FOR_EXPERTS_EVERY = 60.0, 0.5
"""Seconds that the same cards at every table wait for simulations to be ready."""

SLOWEST_BEAT, NAMED_AT_ONCE = 1.5, 100
"""The same for the largest classes in the lobby; and so many may wait before it grows."""

# Experts think for milliseconds, without the interpreter's lock: not where moves are stored.
_THINKERS = ThreadPoolExecutor(max_workers=1, thread_name_prefix="bots")
_thinking: set[str] = set()
HURRIED_FROM = 8
"""While so many tables wait for the bots' thread, experts hurry, lest the last be late."""


class House(Protocol):
    """Where a room is: this process's hub, as its rooms know it."""

    rooms: dict[str, Room]

    def note_table(self, session_id: int, state: TableState) -> None:
        """Take in a table of this class session as its room has just read it."""

    def is_somebody_in(self, session_room: SessionRoom) -> bool:
        """Whether anybody is connected here, at one of the session's tables or beside."""

    def keep(self, session: SessionState) -> None:
        """Have a room for every present table of the session."""

    def states_of(self, session: SessionState) -> dict[str, TableState]:
        """The session's tables as their rooms last read them."""

    def let_go(self, session_room: SessionRoom) -> None:
        """Let the tables of a session rest that nobody is in any more."""


class Room:
    """A table with somebody connected to it in this process, or kept for a class session."""

    def __init__(self, table_id: str, house: House) -> None:
        self.table_id = table_id
        self._house = house
        self.is_kept = False
        self.connections: set[Connection[Viewer]] = set()
        self._bell = asyncio.Event()
        self._committed: TableState | None = None
        self._must_read = False
        self.state: TableState | None = None
        self._seen: dict[int, datetime | None] = {}
        self._presence: tuple[datetime, dict[int, datetime | None]] | None = None
        self.presence_read = float("-inf")
        self._turn_shown = ("", 0.0)
        self._reactions = Reactions()
        self.task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        while True:
            try:
                await self._live()
            except NotFound:
                for connection in self.connections:
                    connection.expel()
                return
            except Exception as error:
                if not health.log_if_fault(error):
                    log.exception("a room failed and starts anew")
                await asyncio.sleep(1)

    async def _live(self) -> None:
        while True:
            self._bell.clear()
            state, changes = self._committed_state(), 1
            if state is None:
                state, changes = await in_database(load_table, table_id=self.table_id), 0
            elif (
                state.status == Status.ROUND_OVER
                and self.state
                and state.turn == self.state.turn
            ):
                await asyncio.sleep(NO_HASTE)
                if self._bell.is_set():
                    self.wake(state)  # what has come meanwhile may be older
                    continue
            await self._read_presence(state, changes)
            self._show(state)
            if state.class_session_id is not None:
                self._house.note_table(state.class_session_id, state)
            wait = self._seconds_to_wait(state)
            try:
                async with asyncio.timeout(wait):
                    await self._bell.wait()
            except TimeoutError:
                if self._must_wait_for_experts(state):
                    await self._look_for_experts(state)
                else:
                    await self._act(state)

    def wake(self, present: TableState | None = None) -> None:
        """Look at the table again; ``present`` is the table, if this process has just stored a
        move."""
        if present is None:
            self._must_read = True
        elif self._committed is None or turn_of(present) > turn_of(self._committed):
            self._committed = present
        self._bell.set()

    def react(self, seat: int, reaction: Reaction) -> bool:
        """Whether a seat's reaction is shown; it is dropped where it may not be."""
        is_shown = self.state is not None and self._reactions.admits(
            self.state, seat, monotonic()
        )
        if is_shown:
            self.show_reaction(seat, reaction)
        return is_shown

    def show_reaction(self, seat: int, reaction: Reaction) -> None:
        """Show it to everybody who is connected here."""
        if self.state is None or not self.state.may_react:
            return
        frame = reaction_frame(seat, reaction)
        with translation.override(self.state.language):
            html = reaction_html(self.state, seat, reaction)
            if self._reactions.is_heard(self.state):
                words = reaction_words(self.state, seat, reaction)
                html += announcements.live_html([words])
        for connection in self.connections:
            connection.show_once(html if connection.is_html else frame)

    @property
    def presence(self) -> dict[int, datetime | None]:
        """When each seat's person was last seen, or could be: not while this computer slept."""
        woke = clock.awake_since()
        if self._presence is None or self._presence[0] != woke:
            present = {seat: when and max(when, woke) for seat, when in self._seen.items()}
            self._presence = woke, present
        return self._presence[1]

    def _committed_state(self) -> TableState | None:
        """The table as a move left it, unless something else may have changed since: the bells
        of two moves, stored by two threads, may come in either order."""
        present, must_read = self._committed, self._must_read
        self._committed, self._must_read = None, False
        if present is None or must_read:
            return None
        is_newer = self.state is None or turn_of(present) > turn_of(self.state)
        return present if is_newer else None

    async def _read_presence(self, state: TableState, changes: int) -> None:
        """Who is here, unless that is known from lately, and at most so many ``changes`` came
        since: somebody's going is one, what this process has stored itself is none. Where it is
        dealt or goes on, who was in the lobby counts as here from then on."""
        before = self.state
        is_recent = (
            before is not None
            and state.version - before.version <= changes
            and (state.deal_id, state.paused) == (before.deal_id, before.paused)
        )
        if not is_recent or monotonic() - self.presence_read > SEEN_EVERY / 2:
            presence = await in_database(last_seen, table_ids=[self.table_id])
            self._seen, self._presence = presence.get(self.table_id, {}), None
            self.presence_read = monotonic()

    def _show(self, state: TableState) -> None:
        before, self.state = self.state, state
        if self._turn_shown[0] != state.turn:
            self._turn_shown = (state.turn, monotonic())
        if not self.connections:
            return
        with translation.override(state.language):
            self._show_all(before, state)

    def _show_all(self, before: TableState | None, state: TableState) -> None:
        now = clock.now()
        view = table_view(state, self.presence, now)
        faces = {connection.is_html for connection in self.connections}
        pictures_for = fragments.table_fragments(view) if True in faces else None
        hear = announcements.announcer(before, view) if True in faces else None
        public = public_observation(view) if False in faces else {}
        views: dict[tuple[int | None, bool, bool], View] = {}
        for connection in tuple(self.connections):
            if not connection.viewer.may_stay(state):
                connection.expel()
                continue
            viewer, seat = connection.viewer, connection.viewer.seat
            kind = (seat, connection.is_html, viewer.is_opener(state))
            if kind not in views:
                own = seat_view(state, seat)
                if pictures_for and connection.is_html:
                    views[kind] = pictures_for(viewer, own)
                else:
                    sent = public if seat is None else seat_observation(public, view, seat, own)
                    views[kind] = (Picture({"observation": json.dumps(sent)}),)
            connection.show(views[kind], hear(seat) if hear and connection.is_html else "")

    def _is_bot_to_move(self, state: TableState) -> bool:
        """Whether a bot makes the next move: the seat's own, or at a deserted table any seat's;
        none while paused."""
        seat = state.to_move
        if seat is None or state.paused:
            return False
        return state.seats[seat].is_played_by_bot or is_deserted(
            state, self.presence, clock.now()
        )

    def _must_wait_for_experts(self, state: TableState) -> bool:
        """Whether a bot is to move that would play worse here than elsewhere: the same cards
        are played by the same bots at every table, so that only the people differ."""
        if not state.is_duplicate or analysis.ready():
            return False
        decides = self._is_bot_to_move(state) or clock_is_up(state, clock.now())
        return decides and moves.level_to_move(state) == bots.SIMULATING

    async def _look_for_experts(self, state: TableState) -> None:
        """Wait a little longer; in the end, the whole session plays without experts."""
        waited = (clock.now() - state.turn_began).total_seconds()
        if state.class_session_id is not None and (
            analysis.is_impossible() or waited > EXPERTS_WITHIN
        ):
            await in_database(fall_back_to_counting, session_id=state.class_session_id)
        else:
            await asyncio.sleep(LOOK_FOR_EXPERTS_EVERY)

    def _seconds_to_wait(self, state: TableState) -> float | None:
        """Seconds until there is something to do; None for until the bell."""
        if self._is_bot_to_move(state) and state.round is not None:
            # A finished trick stays visible three times as long, to see who took it.
            trick = state.round.trick
            after_trick = trick is not None and not trick.plays and state.round.tricks
            beat = state.beat * 3 if after_trick else state.beat
            return max(0.0, self._turn_shown[1] + beat - monotonic())
        now = clock.now()
        if next_round_due(state, self.presence, now) or clock_is_up(state, now):
            return 0.0
        moment = next_moment(state, self.presence, now)
        wait = None if moment is None else (moment - now).total_seconds() + 0.01
        if any(is_away(state, seat.number, self.presence, now) for seat in state.people):
            # Whoever is noted as here again without having been told of as gone rings no bell.
            return min(SEEN_EVERY, SEEN_EVERY if wait is None else wait)
        return wait

    async def _act(self, state: TableState) -> None:
        try:
            if self._is_bot_to_move(state):
                choice = await _bot_choice(state)
                await in_database(
                    moves.make_bot_move,
                    table_id=self.table_id,
                    turn=state.turn,
                    for_anybody=is_deserted(state, self.presence, clock.now()),
                    choice=choice,
                )
            elif clock_is_up(state, clock.now()):
                choice = await _bot_choice(state)
                await in_database(
                    moves.make_clock_move,
                    table_id=self.table_id,
                    turn=state.turn,
                    choice=choice,
                )
            elif next_round_due(state, self.presence, clock.now()):
                await in_database(moves.go_on, table_id=self.table_id)
        except Rejected:
            pass  # somebody was quicker; the next look shows what they did


async def _bot_choice(state: TableState) -> Choice:
    """The choice of the bot to move, made on the thread kept for thinking."""
    seconds = bots.HURRIED if len(_thinking) >= HURRIED_FROM else None
    think = partial(moves.decide_move, state=state, seconds=seconds)
    _thinking.add(state.id)
    try:
        return await asyncio.get_running_loop().run_in_executor(_THINKERS, think)
    finally:
        _thinking.discard(state.id)


class SessionRoom:
    """A class session with somebody connected in this process, at a table or beside.

    Keeps its tables' rooms, so that deserted tables go on and the cockpit knows them all.
    """

    def __init__(self, session_id: int, house: House) -> None:
        self.session_id = session_id
        self._house = house
        self.connections: set[Connection[SessionViewer]] = set()
        self.changed, self.moved = asyncio.Event(), asyncio.Event()
        self.session: SessionState | None = None
        self._versions: dict[str, tuple[int, str]] = {}
        # Tables that no room keeps going any more, as they ended.
        self._ended: dict[str, TableState] = {}
        self._throws = Throws()
        self.task = asyncio.create_task(self._run())

    def note_table(self, state: TableState) -> None:
        """Take in a table as just read: more than a move may have changed there."""
        if self._versions.get(state.id) != (state.version, state.status):
            self._versions[state.id] = (state.version, state.status)
            self.changed.set()
        self.moved.set()

    def throw(self, student: int) -> Shape | None:
        """The solid that a student throws onto the walls; None where that is dropped."""
        if self.session is None:
            return None
        solid = self._throws.thrown_solid(self.session, student, monotonic())
        if solid is not None:
            self.show_thrown(solid)
        return solid

    def show_thrown(self, solid: Shape) -> None:
        """Throw it onto every wall that is connected here."""
        for connection in self.connections:
            if connection.viewer.view == SessionView.PROJECTOR:
                connection.show_once(thrown_html(solid))

    async def _run(self) -> None:
        while self._house.is_somebody_in(self):
            try:
                await self._live()
            except NotFound:
                for connection in self.connections:
                    connection.expel()
                break
            except Exception as error:
                if not health.log_if_fault(error):
                    log.exception("a class session's room failed and starts anew")
                await asyncio.sleep(1)
        self._house.let_go(self)

    async def _live(self) -> None:
        read_at = float("-inf")
        while self._house.is_somebody_in(self):
            if self.changed.is_set() or monotonic() - read_at > LOOK_EVERY:
                self.changed.clear()
                self.session = await run_for_class(load_session, session_id=self.session_id)
                self._house.keep(self.session)
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
        """Expel who has lost a right of which a table cannot know: that its watchers are still
        signed in, and teach here."""
        at_tables = [
            connection
            for room in self._house.rooms.values()
            if room.state is not None and room.state.class_session_id == session.id
            for connection in room.connections
        ]
        here: list[Connection[Any]] = [*self.connections, *at_tables]
        sign_ins = {one.viewer.sign_in for one in here} - {None}
        hold = await run_for_class(
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
        states = self._house.states_of(self.session)
        tables = [state for state in states.values() if state.status != Status.CLOSED]
        if len(states) == len(self.session.tables) and any(t.is_duplicate for t in tables):
            presences = {table.id: self._house.rooms[table.id].presence for table in tables}
            if next_board_due(tables, presences, clock.now()):
                await in_database(next_board, session_id=self.session_id)

    async def _seat_if_due(self) -> None:
        """Whoever is here has a seat, by whatever way they came: a phone that slept while the
        class began only opens its line again."""
        if self.session is None:
            return
        tables = tuple(self._house.states_of(self.session).values())
        if seats_are_due(self.session, tables, clock.now()):
            with suppress(Refused):  # closed meanwhile
                await in_database(seating.seat_present, session_id=self.session_id)

    def _show(self) -> None:
        if self.session is None or not self.connections:
            return
        tables = self._ended if self.session.is_closed else self._house.states_of(self.session)
        if len(tables) < len(self.session.tables):
            return  # half a picture would mislead; the others are read in a moment
        with translation.override(self.session.language):
            picture_for = session_pictures(self.session, tables, clock.now())
            for connection in tuple(self.connections):
                if connection.viewer.may_stay(self.session):
                    connection.show((picture_for(connection.viewer),), "")
                else:
                    connection.expel()


def pause_after(session: SessionState | None) -> float:
    """Seconds at least until the next picture of the session. While a lecture hall comes in,
    the cockpit names everybody, which is much to send for each of them."""
    waiting = len(session.waiting) if session else 0
    return min(SLOWEST_BEAT, SESSION_BEAT * max(1.0, waiting / NAMED_AT_ONCE))


def connected_seats(room: Room) -> set[int]:
    return {
        connection.viewer.seat
        for connection in room.connections
        if connection.viewer.seat is not None
    }

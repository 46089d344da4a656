"""The lobby in HTML: what a student waits for, how long, and what comes next, in every state of
the class session. Templates: templates/games/table/_lobby.html.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from django.utils.translation import get_language

from games.classes.free_seats import WhyNoSeat, seat_on_offer
from games.classes.pace import minutes_for
from games.classes.state import LessonPhase, SessionState, StudentState, is_left_over
from games.rules import places
from games.tables.rendering import Fragments, render
from games.tables.view import OVER, SeatState, TableFacts
from xactika_site.classrooms.models import Attendance, ClassSession
from xactika_site.classrooms.selectors import NotFound

FIRST = 10
"""So many of those in the lobby are drawn."""

COUNTED_SINGLY = 50
"""Fewer than these in the lobby are counted one by one, more by tens: a lecture hall that comes
in need not be told of each."""


class LobbyKind(StrEnum):
    """What a student waits for, or why not."""

    ASKING = "asking"
    REMOVED = "removed"
    BARRED = "barred"
    HERE = "here"
    LEARNING = "learning"
    SEATED = "seated"
    PAUSED = "paused"
    PLAYING = "playing"
    OVER = "over"
    ALL_OVER = "all_over"
    TABLE_CLOSED = "table_closed"
    WAITING = "waiting"
    CLOSED = "closed"


class LobbyMoment(NamedTuple):
    """What one student is told, as the template reads it; ``kind`` names the moment.

    ``table`` is the student's present table, ``number`` how the room calls it, ``mates`` and
    ``bots`` who else sits there; ``first`` are the names of those who came into the class
    first. ``goes`` says that the page goes there by itself. ``why`` is
    what a student without a seat waits for, ``board`` the board being played meanwhile, or of
    a tournament the present one. ``done`` is how many chapters of learning by playing a
    student has gone through, and whether all. ``throws`` says that their solids reach the wall.
    ``lesson`` is the session's: is or was there one? ``place`` is that in a tournament, of how
    many, and the fair score. ``has_next``: the class has a new session open.
    """

    kind: LobbyKind
    session: int
    code: str = ""
    table: str = ""
    number: int = 0
    mates: tuple[str, ...] = ()
    first: tuple[str, ...] = ()
    bots: int = 0
    here: int = 0
    playing: int = 0
    minutes: int = 0
    result: tuple[int, int, int] | None = None
    goes: bool = False
    lesson: LessonPhase = LessonPhase.NONE
    why: WhyNoSeat | None = None
    board: int = 0
    done: tuple[int, bool] = (0, False)
    throws: bool = False
    place: tuple[int, int, str] | None = None
    has_next: bool = False


def lobby_fragments(
    session: SessionState, tables: Mapping[str, TableFacts], student: int | None
) -> Fragments:
    """The fragments of what a student reads while not playing; NotFound if they never came."""
    if student not in session.by_pk:
        raise NotFound
    moment = _lobby_moment(session, tables, session.by_pk[student])
    language = get_language()
    may_watch = session.settings.watching and session.state == ClassSession.State.OPEN
    offered: tuple[tuple[str, int, int, int], ...] = ()
    if may_watch and moment.kind in {LobbyKind.WAITING, LobbyKind.TABLE_CLOSED, LobbyKind.OVER}:
        offered = tuple(
            (table.id, table.number, table.round_number, table.rounds)
            for table in _present(session, tables)
            if table.setup.watching and table.status not in OVER
        )
    return {
        "lobby": render(language, "lobby", "lobby", moment),
        "others": render(language, "lobby", "others", offered),
        "news": render(language, "lobby", "news", session.settings.news),
    }


def may_throw(session: SessionState, student: StudentState) -> bool:
    """Whether a student's solids reach the wall: while the lobby stands there."""
    return (
        session.settings.throwing
        and session.state == ClassSession.State.LOBBY
        and not session.lesson.is_on
        and student.state == Attendance.State.HERE
    )


def _present(session: SessionState, tables: Mapping[str, TableFacts]) -> list[TableFacts]:
    """The tables of the present game that have been read."""
    return [tables[table_id] for table_id in session.tables if table_id in tables]


def _lobby_moment(
    session: SessionState, tables: Mapping[str, TableFacts], student: StudentState
) -> LobbyMoment:
    """What a student in the lobby is told now: of which kind, with the table, the mates and the
    result that go with it."""
    here = len(session.here)
    moment = LobbyMoment(
        LobbyKind.HERE,
        session.id,
        code=session.entry.code,
        first=() if session.names_hidden else tuple(s.name for s in session.here[:FIRST]),
        here=here if here < COUNTED_SINGLY else here - here % 10,
        lesson=session.lesson,
        board=session.board,
        place=session.places.get(student.pk),
    )
    present = _present(session, tables)
    table = tables.get(student.table or "")
    if session.is_closed:
        last = next((t for t in present if _seat_of(t, student.pk)), None)
        return moment._replace(
            kind=LobbyKind.CLOSED,
            result=_result(last, student.pk),
            has_next=session.entry.next_session is not None,
        )
    if student.state != Attendance.State.HERE:
        return moment._replace(kind=LobbyKind(student.state))
    if table is not None:
        others = [seat for seat in table.seats if seat.student_id != student.pk]
        moment = moment._replace(
            table=table.id if table.status not in OVER else "",
            number=table.number,
            mates=tuple(seat.name for seat in others if not seat.is_bot),
            bots=sum(seat.is_bot for seat in others),
            result=_result(table, student.pk),
        )
    if session.state == ClassSession.State.PAUSED:
        return moment._replace(kind=LobbyKind.PAUSED)
    if session.state == ClassSession.State.LOBBY:
        kind = LobbyKind.LEARNING if session.is_learning else LobbyKind.HERE
        if table is not None:
            kind = LobbyKind.SEATED
        done = (len(student.chapters.done), student.chapters.is_all)
        throws = may_throw(session, student)
        return moment._replace(kind=kind, table="", done=done, throws=throws)
    if moment.table:
        return moment._replace(kind=LobbyKind.PLAYING, goes=True)
    playing, minutes = _others_left(session, present)
    moment = moment._replace(playing=playing, minutes=minutes)
    if table is not None:
        return moment._replace(kind=LobbyKind.OVER if moment.playing else LobbyKind.ALL_OVER)
    was_at = any(t.closed and _seat_of(t, student.pk) for t in present)
    if not moment.playing:
        return moment._replace(kind=LobbyKind.ALL_OVER)
    if was_at:
        return moment._replace(kind=LobbyKind.TABLE_CLOSED)
    offer = seat_on_offer(session, present, len(session.waiting))
    board = session.board or max((t.round_number for t in present), default=0)
    return moment._replace(kind=LobbyKind.WAITING, why=offer.why, board=board)


def _others_left(session: SessionState, present: list[TableFacts]) -> tuple[int, int]:
    """How many tables still play, and about how many minutes the slowest will take."""
    playing = [t for t in present if t.status not in OVER and not is_left_over(t)]
    minutes = [
        minutes_for(
            variant=table.variant.value,
            seats=len(table.seats),
            rounds=table.rounds - len(table.points),
            seconds_per_move=session.played.seconds_per_move,
        )
        for table in playing
    ]
    return len(playing), max(minutes, default=0)


def _seat_of(table: TableFacts, student: int) -> SeatState | None:
    return next((seat for seat in table.seats if seat.student_id == student), None)


def _result(table: TableFacts | None, student: int) -> tuple[int, int, int] | None:
    """The student's points so far, their place at the table, and how many sit there; None
    before a round is over."""
    seat = _seat_of(table, student) if table else None
    if table is None or seat is None or not table.points:
        return None
    place = places(table.variant, table.totals)[seat.number]
    return table.totals[seat.number], place, len(table.seats)

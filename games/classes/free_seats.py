"""A seat for whoever has none: where there is one, and why there is none."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from games.classes.state import SessionState, StudentState
from games.models import SessionSettings
from games.rules import MAX_SEATS, MIN_SEATS
from games.tables.state import browsers_of
from games.tables.view import OVER, RUNNING, Status, TableFacts, student_keys

# A seat for whoever has none.


class WhyNoSeat(StrEnum):
    """Why somebody who is here has no seat: no tables stand yet; the teacher seats; no bots are
    wished for, and nobody waits along; the next board begins for them; nothing is left to play
    in this game; the teacher has closed their table."""

    LOBBY = "lobby"
    BY_HAND = "by_hand"
    ALONE = "alone"
    BOARD = "board"
    OVER = "over"
    CLOSED = "closed"


class SeatOffer(NamedTuple):
    """Where the next student without a seat sits down: at this seat of this table, or (with a
    table of None) at a table more; ``why`` says why nowhere."""

    table: str | None = None
    seat: int | None = None
    why: WhyNoSeat | None = None


def seat_on_offer(
    session: SessionState,
    tables: Collection[TableFacts],
    waiting: int,
    keys: frozenset[str] = frozenset(),
    *,
    sure: bool = False,
) -> SeatOffer:
    """The seat for the next of so many ``waiting``, who has these ``keys``, of all ``tables``
    of the present game. With ``sure`` the teacher has pressed that they be seated, be it by a
    bot's side.

    A bot's seat first, at the table with most of them, but none that is kept for somebody, nor
    one whose hand would be the second of one deal that they see.
    Where no bots are wished for, a table that has not been dealt to gets a seat more, and a
    table more is for two at least.
    """
    if not tables:
        return SeatOffer(why=WhyNoSeat.LOBBY)
    if session.settings.seating == SessionSettings.Seating.BY_HAND and not sure:
        return SeatOffer(why=WhyNoSeat.BY_HAND)
    going_on = [table for table in tables if table.status not in OVER]
    is_duplicate = any(table.is_duplicate for table in going_on)
    last = max((table.round_number for table in going_on), default=0)
    has_more = bool(going_on) and (
        not is_duplicate or last < going_on[0].rounds or bool(session.board)
    )
    if is_duplicate and any(table.status in RUNNING for table in going_on):
        # They may have seen the board; the next one finds them a seat.
        return SeatOffer(why=WhyNoSeat.BOARD if has_more else WhyNoSeat.OVER)
    free = {table.id: _free_seats(table, keys) for table in going_on}
    for table in sorted(going_on, key=lambda each: (-len(free[each.id]), each.number)):
        if free[table.id]:
            return SeatOffer(table.id, free[table.id][0])
    without_bots = session.settings.filling == SessionSettings.Filling.UNEVEN
    if without_bots and not is_duplicate:
        undealt = [
            table
            for table in going_on
            if table.status == Status.WAITING
            and len(table.seats) < MAX_SEATS
            and table.may_sit(len(table.seats), keys)
        ]
        if undealt:
            smallest = min(undealt, key=lambda each: (len(each.seats), each.number))
            return SeatOffer(smallest.id, len(smallest.seats))
        if has_more and waiting < MIN_SEATS and not sure:
            return SeatOffer(why=WhyNoSeat.ALONE)
    return SeatOffer() if has_more else SeatOffer(why=WhyNoSeat.OVER)


def _free_seats(table: TableFacts, keys: frozenset[str]) -> list[int]:
    return [
        seat.number
        for seat in table.seats
        if seat.is_bot and seat.kept_for is None and table.may_sit(seat.number, keys)
    ]


def unseated(
    session: SessionState, tables: Collection[TableFacts], now: datetime
) -> tuple[list[StudentState], list[StudentState]]:
    """The present students without a seat: those whom the next free one is for, and those whose
    table the teacher has closed, who wait for what the teacher does with them."""
    closed = {seat.student_id for table in tables if table.closed for seat in table.seats}
    present = [student for student in session.waiting if not student.is_away(now)]
    return (
        [student for student in present if student.pk not in closed],
        [student for student in present if student.pk in closed],
    )


def keys_of(session_id: int, students: Collection[int]) -> dict[int, frozenset[str]]:
    """The keys of these students at this moment."""
    browsers = browsers_of(session_id, students)
    return {pk: student_keys(pk, browsers.get(pk, ())) for pk in students}


def split_by_browser(
    students: Collection[int], keys: Mapping[int, frozenset[str]]
) -> tuple[list[int], list[int]]:
    """(students who may sit together, others at a browser of one of them) of these."""
    together: list[int] = []
    others: list[int] = []
    used: set[str] = set()
    for pk in students:
        (others if keys[pk] & used else together).append(pk)
        used |= keys[pk]
    return together, others


def seats_are_due(session: SessionState, tables: Collection[TableFacts], now: datetime) -> bool:
    """Whether somebody is here without a seat for whom there is one."""
    if session.is_closed or len(tables) < len(session.tables):
        return False
    waiting, _left = unseated(session, tables, now)
    return any(
        not seat_on_offer(session, tables, len(waiting), student.keys).why
        for student in waiting
    )

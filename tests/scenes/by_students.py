"""Classes at their tables, and rounds played by those who sit there."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from games.classes import seating
from games.models import Move
from games.tables.state import TableState, load_table
from tests.games.classroom import picture
from tests.games.table import Until, play, round_is_over
from xactika_site.classrooms.models import ClassSession, Student


def tables_of(session: ClassSession) -> list[TableState]:
    """The session's tables."""
    return [load_table(table_id) for table_id in picture(session).tables]


def by_their_student(table_id: str) -> Callable[[int], dict[str, Any]]:
    """For ``play``: people move as themselves, bots as bots."""

    def mover(seat: int) -> dict[str, Any]:
        student = load_table(table_id).seats[seat].student_id
        return {"student_id": student} if student else {"mover": Move.Mover.BOT}

    return mover


def play_by_students(
    table_id: str, until: Until = round_is_over, *, rng: Random | None = None
) -> TableState:
    """The table when people have moved as themselves until ``until`` holds."""
    return play(table_id, until, rng=rng, by=by_their_student(table_id))


def in_mid_trick(table_id: str) -> TableState:
    """The table when somebody has led and others are still to follow."""
    return play_by_students(
        table_id,
        lambda state: bool(state.round and state.round.trick and state.round.trick.plays),
    )


def finish_round(session: ClassSession, rng: Random | None = None) -> None:
    """All tables of the session come to the end of their round."""
    for table in tables_of(session):
        if not table.closed:
            play_by_students(table.id, rng=rng)


def move(session: ClassSession, student: Student, there: TableState) -> None:
    """The teacher moves a student to this table."""
    seating.move_student(session_id=session.pk, student_id=student.pk, table_id=there.id)


def people_at(session: ClassSession) -> list[list[int]]:
    """The students of each table, by seat."""
    return [[s.student_id for s in t.people if s.student_id] for t in tables_of(session)]


def seated_in(session: ClassSession) -> list[int]:
    """All students who have a seat, table by table."""
    return [student for people in people_at(session) for student in people]

"""Rounds of classes, played by those who sit there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from games.models import Move
from games.tables.state import TableState, load_table
from tests.games.classroom import picture
from tests.games.table import play
from xactika_site.classrooms.models import ClassSession


def by_their_student(table_id: str) -> Callable[[int], dict[str, Any]]:
    """For ``play``: people move as themselves, bots as bots."""

    def mover(seat: int) -> dict[str, Any]:
        student = load_table(table_id).seats[seat].student_id
        return {"student_id": student} if student else {"mover": Move.Mover.BOT}

    return mover


def in_mid_trick(table_id: str) -> TableState:
    """The table when somebody has led and others are still to follow."""
    return play(
        table_id,
        lambda state: bool(state.round and state.round.trick and state.round.trick.plays),
        by=by_their_student(table_id),
    )


def finish_round(session: ClassSession) -> None:
    """All tables of the session come to the end of their round."""
    for table_id in picture(session).tables:
        play(table_id, by=by_their_student(table_id))

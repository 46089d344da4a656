"""What scenes store at once is what is stored one by one."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest
from django.db.models import Model

from games.classes import joining
from games.models import Admission, Deal, Move, Result, Seat, Table, TrickRecord
from games.rules import move_text
from games.tables.seats import open_seat
from games.tables.state import load_table
from tests.games import classroom
from tests.games.conftest import Clock
from tests.games.table import PREPARED, a_guest, friends, make, moves_made, play
from xactika_site.classrooms.models import Attendance, ClassSession, Student


def stored(model: type[Model], **which: Any) -> list[dict[str, Any]]:
    """All that is stored in these rows but keys."""
    return [
        {name: value for name, value in row.items() if not re.search(r"(^|_)id$", name)}
        for row in model._default_manager.filter(**which).order_by("pk").values()
    ]


pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("wishes", [{}, {"needs_approval": True}, {"expected": 3}])
def test_students_come_in_together_as_one_by_one(clock: Clock, wishes: dict[str, Any]) -> None:
    together, one_by_one = (
        classroom.a_session(classroom.a_classroom(name=name)) for name in ("7a", "7b")
    )
    ClassSession.objects.update(**wishes)
    students = classroom.students_in(together, 5)
    for student in students:
        joining.join(session=one_by_one, name=student.name)
    for model, of in ((Student, "classroom__sessions"), (Attendance, "class_session")):
        assert stored(model, **{of: together}) == stored(model, **{of: one_by_one})
    assert [student.pk for student in students] == list(
        Attendance.objects.filter(class_session=together).values_list("student", flat=True)
    )
    together.refresh_from_db()
    one_by_one.refresh_from_db()
    assert together.version == one_by_one.version


@pytest.mark.parametrize("has_opener", [True, False])
def test_friends_come_together_as_one_by_one(clock: Clock, has_opener: bool) -> None:
    together, one_by_one = (
        friends(here=here, opener=a_guest() if has_opener else None, deals=[PREPARED], rounds=1)
        for here in (True, False)
    )
    for seat in range(4):
        open_seat(table_id=one_by_one, seat=seat)
    Seat.objects.update(name="")  # by chance
    for model, of in ((Table, "pk"), (Seat, "table"), (Deal, "table"), (Admission, "table")):
        assert stored(model, **{of: together}) == stored(model, **{of: one_by_one})


@pytest.mark.parametrize("moves", [1, 7, 36])
def test_moves_are_stored_together_as_one_by_one(clock: Clock, moves: int) -> None:
    together, one_by_one = (friends(rounds=1, deals=[PREPARED]) for _ in range(2))
    state = play(together, moves_made(moves))
    rng = Random(81)
    while len((other := load_table(one_by_one)).moves) < moves:
        assert other.round is not None
        make(one_by_one, move_text(rng.choice(other.round.legal_moves())))
    assert state == load_table(together)
    assert (state.round, state.moves, state.turn) == (other.round, other.moves, other.turn)
    for model in (Move, Result, TrickRecord):
        of = "deal__table"
        assert stored(model, **{of: together}) == stored(model, **{of: one_by_one})


def test_who_asks_in_mid_round_finds_every_move_stored() -> None:
    table_id = friends()
    found: list[int] = []

    def noted(state: object) -> bool:
        found.append(Move.objects.filter(deal__table=table_id).count())
        return len(found) > 5

    play(table_id, noted)
    assert found == [0, 1, 2, 3, 4, 5]

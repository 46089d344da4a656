"""A class, its homework, and students who do it."""

from __future__ import annotations

from datetime import timedelta
from random import Random
from typing import Any

from django.test import Client
from django.utils import timezone

from games.live.consumers import find_viewer
from games.rules import move_text
from games.tables import moves
from games.tables.state import TableState, load_table
from games.tables.viewers import STUDENT_COOKIE, Viewer
from lessons.homework import doing, giving
from lessons.homework.by_teachers import begin_as_teacher
from lessons.models import Homework
from tests.games.classroom import a_classroom
from xactika_site.accounts.models import User
from xactika_site.classrooms.models import Classroom, Student
from xactika_site.classrooms.selectors import home_key


def a_class(how_many: int, classroom: Classroom | None = None) -> list[Student]:
    """So many students of a class."""
    classroom = classroom or a_classroom()
    before = classroom.students.count()
    return [
        Student.objects.create(
            classroom=classroom,
            name=f"Quiet Otter {before + number}",
            last_here=timezone.localdate(),
        )
        for number in range(how_many)
    ]


def some_homework(classroom: Classroom, *, days: int = 7, **wishes: Any) -> Homework:
    """Two boards until a week from now, or what ``wishes`` say."""
    wishes = wishes or {"boards": 2}
    until = timezone.localdate() + timedelta(days=days)
    return giving.give(classroom=classroom, until=until, **wishes)


def at_home(student: Student, client: Client | None = None) -> Client:
    """A browser at which this student came in by the phrase, alone."""
    client = client or Client()
    client.cookies[STUDENT_COOKIE] = home_key(student)
    return client


def viewer_at(table_id: str, browser: Client) -> Viewer:
    """As whom the door of sockets lets a browser in."""
    headers = {b"host": b"testserver", b"origin": b"http://testserver"}
    cookies = {name: morsel.value for name, morsel in browser.cookies.items()}
    return find_viewer(table_id=table_id, headers=headers, cookies=cookies, place=None)


def one_move(table_id: str, student: Student | None, rng: Random) -> TableState:
    """The next move at a homework's table, by chance the student's, or the teacher's who plays
    there; the table after it."""
    state = load_table(table_id)
    if state.to_move == 0:
        assert state.round is not None
        moves.make_move(
            table_id=table_id,
            seat=0,
            turn=state.turn,
            text=move_text(rng.choice(state.round.legal_moves())),
            student_id=student.pk if student else None,
        )
    else:
        moves.make_bot_move(table_id=table_id, turn=state.turn)
    return load_table(table_id)


def play_board(
    homework: Homework,
    student: Student,
    number: int,
    *,
    rng: Random | None = None,
    to: int = 99,
) -> str:
    """The student plays a board to its end, or until so many moves were made; the table."""
    rng = rng or Random(student.pk * 100 + number)
    table_id = doing.begin(homework=homework, student=student, number=number)
    return _play(table_id, student, rng, to)


def play_as_teacher(homework: Homework, teacher: User, number: int, *, to: int = 99) -> str:
    """The same for a teacher of the class."""
    table_id = begin_as_teacher(homework=homework, teacher=teacher, number=number)
    return _play(table_id, None, Random(teacher.pk * 1000 + number), to)


def _play(table_id: str, student: Student | None, rng: Random, to: int) -> str:
    state = load_table(table_id)
    while not state.is_over and len(state.moves) < to:
        state = one_move(table_id, student, rng)
    return table_id

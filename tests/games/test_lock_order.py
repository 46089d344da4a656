"""Everybody locks in one order (docs/decisions/0014-locks.md): a class session, its tables,
students. Here every service is watched, one at a time, for the order in which it writes; what
comes of another order is in ``tests/live/test_locks.py``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from games import boards, class_services, services
from games.class_selectors import load_session
from games.models import Seat, SessionSettings, Table
from games.selectors import load_table
from lessons import lesson_services
from lessons import services as learning
from xactika_site.classrooms import services as classrooms
from xactika_site.classrooms.models import Attendance, Classroom, ClassSession, Student

from .classroom import a_session, picture, playing
from .tables import play

pytestmark = pytest.mark.django_db

RANKS = {model._meta.db_table: model for model in (Classroom, ClassSession, Table, Student)}
ORDER = list(RANKS)
SEATS = Seat._meta.db_table


class Watch:
    """What a service has locked, in which order, and where it went back in the order. Rows
    that it has made itself are nobody else's yet."""

    def __init__(self) -> None:
        self.known = {
            name: set(model._default_manager.values_list("pk", flat=True))
            for name, model in RANKS.items()
        }
        self.held: dict[str, set[Any]] = {name: set() for name in ORDER}
        self.crossed: list[str] = []

    def lock(self, table: str, keys: set[Any]) -> None:
        """Rows of a table are locked, or written to."""
        new = (keys & self.known[table]) - self.held[table]
        later = [name for name in ORDER[ORDER.index(table) + 1 :] if self.held[name]]
        if new and later:
            self.crossed.append(f"{table} after {later}")
        self.held[table] |= new
        is_in_session = bool(self.held[ClassSession._meta.db_table])
        if len(self.held[Table._meta.db_table]) > 1 and not is_in_session:
            self.crossed.append("several tables without their session")

    def statement(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        """Note what a statement writes to."""
        written = re.match(r'(?:UPDATE|DELETE FROM) "(\w+)"', sql)
        if written and written[1] in RANKS:
            self.lock(written[1], set(params or ()))
        if written and written[1] == SEATS:
            tables = {key for key in params if key in self.known[Table._meta.db_table]}
            if sql.endswith('"games_seat"."id" = %s'):
                tables = {Seat.objects.values_list("table", flat=True).get(pk=params[-1])}
                tables &= self.known[Table._meta.db_table]
            if tables - self.held[Table._meta.db_table]:
                self.crossed.append("a seat before its table")
        return execute(sql, params, many, context)


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> Callable[[], Any]:
    """SQLite has no locks of rows: what would be locked is noted where the locking is done."""
    present: list[Watch] = []
    lock_classroom, lock_session = classrooms.lock_classroom, classrooms.lock_session
    lock_tables, load = boards.lock_tables, services.selectors._changes_since

    def classroom_locked(classroom: Classroom) -> None:
        for watch in present:
            watch.lock(Classroom._meta.db_table, {classroom.pk})
        lock_classroom(classroom)

    def session_locked(session_id: int) -> bool:
        for watch in present:
            watch.lock(ClassSession._meta.db_table, {session_id})
        return lock_session(session_id)

    def tables_locked(tables: Any) -> list[str]:
        keys = lock_tables(tables)
        for watch in present:
            watch.lock(Table._meta.db_table, set(keys))
        return keys

    def table_loaded(table_id: str, known: Any, *, lock: bool) -> Any:
        for watch in present if lock else ():
            watch.lock(Table._meta.db_table, {table_id})
        return load(table_id, known, lock=lock)

    for module in (classrooms, boards, services, learning, lesson_services):
        monkeypatch.setattr(module, "lock_session", session_locked)
    monkeypatch.setattr(classrooms, "lock_classroom", classroom_locked)
    monkeypatch.setattr(boards, "lock_tables", tables_locked)
    monkeypatch.setattr(services.selectors, "_changes_since", table_loaded)

    @contextmanager
    def watching() -> Iterator[Watch]:
        watch = Watch()
        present.append(watch)
        try:
            with connection.execute_wrapper(watch.statement):
                yield watch
        finally:
            present.remove(watch)

    return watching


def a_room() -> tuple[ClassSession, list[Student]]:
    """A class at two tables, with one who waits, one who asks, and one who lost the phrase."""
    session, students = playing(6, seats=3, seating="by_hand")
    for number in range(2):
        students.append(class_services.join(session=session, name=f"Late Lark {number}"))
    Attendance.objects.filter(student=students[7]).update(state="asking")
    classrooms.ask_to_return(session=session, name=students[0].name)
    return session, students


A = dict[str, Any]
SERVICES: dict[str, Callable[[A], Any]] = {
    "join": lambda a: class_services.join(session=a["s"], name="New Newt"),
    "come in": lambda a: class_services.come_in(session=a["s"], student=a["who"][6]),
    "answer": lambda a: class_services.answer(
        session_id=a["id"], student_id=a["who"][7].pk, yes=True
    ),
    "answer all": lambda a: class_services.answer_all(session_id=a["id"], yes=True),
    "send them away": lambda a: class_services.answer_all(session_id=a["id"], yes=False),
    "send out": lambda a: class_services.send_out(
        session_id=a["id"], student_id=a["who"][1].pk
    ),
    "bar": lambda a: class_services.send_out(
        session_id=a["id"], student_id=a["who"][1].pk, bar=True
    ),
    "let in": lambda a: class_services.let_in(session_id=a["id"], student_id=a["who"][7].pk),
    "say yes to who lost the phrase": lambda a: class_services.answer_request(
        session_id=a["id"], request_id=load_session(a["id"]).requests[0][0], granted=True
    ),
    "sign out": lambda a: classrooms.sign_out(student=a["who"][0]),
    "stretch": lambda a: class_services.stretch_clock(
        session_id=a["id"], student_id=a["who"][0].pk, factor=2
    ),
    "add table": lambda a: class_services.add_table(session_id=a["id"]),
    "seat everybody": lambda a: class_services.seat_everybody(session_id=a["id"]),
    "pause": lambda a: class_services.pause_room(session_id=a["id"], paused=True),
    "pause a table": lambda a: class_services.pause_table(
        session_id=a["id"], table_id=a["tables"][0], paused=True
    ),
    "stand in": lambda a: class_services.stand_in(
        session_id=a["id"], table_id=a["tables"][0], seat=0, on=True
    ),
    "hold": lambda a: class_services.hold_rounds(session_id=a["id"], held=True),
    "finish": lambda a: class_services.finish_after_round(session_id=a["id"]),
    "settings": lambda a: class_services.change_settings(
        session_id=a["id"], settings=SessionSettings.objects.get(class_session=a["id"])
    ),
    "tell": lambda a: class_services.tell_class(session_id=a["id"]),
    "put an exercise": lambda a: learning.close(
        exercise=learning.put(session=a["s"], exercise="deck-size", seed=1)
    ),
    "hold a lesson": lambda a: lesson_services.hold(session=a["s"], slug="stats-table"),
    "close a table": lambda a: class_services.close_table(
        session_id=a["id"], table_id=a["tables"][0]
    ),
    "close": lambda a: class_services.close_session(session_id=a["id"]),
    "move": lambda a: services.make_bot_move(
        table_id=a["tables"][0], turn=load_table(a["tables"][0]).turn, for_anybody=True
    ),
    "leave": lambda a: services.mark_gone(
        table_id=a["tables"][0],
        seat=0,
        unless_seen_since=timezone.now() + timedelta(seconds=1),
    ),
    "remove a student": lambda a: services.remove_student(student=a["who"][0]),
    "send away who never played": lambda a: class_services.send_away(
        classroom=a["s"].classroom, students={student.pk for student in a["who"]}
    ),
    "delete": lambda a: class_services.delete_session(session_id=a["id"]),
    "delete the classroom": lambda a: class_services.delete_classroom(
        classroom=a["s"].classroom
    ),
}


@pytest.mark.parametrize("name", SERVICES)
def test_it_locks_in_order(name: str, watched: Callable[[], Any]) -> None:
    session, students = a_room()
    tables = picture(session).tables
    with watched() as watch:
        SERVICES[name]({"s": session, "id": session.pk, "who": students, "tables": tables})
    assert watch.crossed == []
    assert any(watch.held.values())


def test_the_end_of_a_board_and_the_next_one_lock_in_order(watched: Callable[[], Any]) -> None:
    session, _students = playing(4, seats=2, duplicate=True, variant="win")
    first, last = picture(session).tables
    play(first)
    play(last, lambda state: len(state.moves) == 15)
    with watched() as watch:
        play(last)
    assert watch.crossed == []
    assert len(watch.held[Table._meta.db_table]) > 0
    with watched() as watch:
        class_services.next_round(session_id=session.pk)
    assert watch.crossed == []


def test_a_waiting_class_is_seated_anew_in_order(watched: Callable[[], Any]) -> None:
    session = a_session(seats=2)
    for number in range(4):
        class_services.join(session=session, name=f"Early Elk {number}")
    class_services.form_tables(session_id=session.pk)
    wishes = SessionSettings.objects.get(class_session=session)
    wishes.seats = 4
    with watched() as watch:
        class_services.change_settings(session_id=session.pk, settings=wishes)
    assert watch.crossed == []

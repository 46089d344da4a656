"""After a deletion nothing is left: every table of the database is walked, whatever is in it.

A new model needs nothing here: where the scene has no row of it, one is made that links to as
much of the scene as it can.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Iterator
from contextlib import closing
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.db import connection, models
from django.utils import timezone

from games.classes import joining, steering
from games.models import Deal, Guest, Move, Result, Seat, SessionSettings
from games.tables import results as table_results
from games.tables import seats
from games.tables.state import load_table
from lessons.models import (
    ClassExercise,
    Platform,
    PlatformInvitation,
    Question,
    ToolKey,
    Visit,
)
from tests.games.classroom import a_classroom, a_teacher, picture, signed_in
from tests.games.table import play
from tests.scenes import present
from xactika_site import database
from xactika_site.classrooms import services as classrooms
from xactika_site.classrooms.models import Classroom, ClassSession, Student
from xactika_site.classrooms.selectors import device_key, phrase_of

NAME, NUMBER = "Unmistakable Umbrella", 987_654_321_012
NOT_OF_A_CLASS = {"auth", "axes", "contenttypes", "sessions", "accounts"}


@pytest.fixture(autouse=True)
def nobody_came_before() -> None:
    cache.clear()


def students_of(classroom: Classroom) -> list[Student]:
    """Four; the first one's name and number are nothing else's."""
    names = {NUMBER: NAME, 1: "Other One", 2: "Other Two", 3: "Other Three"}
    today = timezone.localdate()
    return [
        Student.objects.create(pk=pk, classroom=classroom, name=name, last_here=today)
        for pk, name in names.items()
    ]


def a_full_session(classroom: Classroom, students: list[Student], number: int = 1) -> str:
    """They have played a round and are in the middle of the next; every other model has a
    row, too. The table's id."""
    session = ClassSession.objects.create(pk=number, classroom=classroom)
    SessionSettings.objects.create(class_session=session, rounds=2, pace=0.0)
    for student in students:
        joining.come_in(session=session, student=student)
    steering.start(session_id=session.pk)
    (table_id,) = picture(session).tables
    of = {seat.number: seat.student_id for seat in load_table(table_id).seats}
    play(table_id, by=lambda seat: {"student_id": of[seat]})
    steering.deal_next_round(session_id=session.pk)
    play(table_id, lambda state: len(state.moves) == 11, by=lambda s: {"student_id": of[s]})
    classrooms.ask_to_return(session=session, name=NAME)
    others = Seat.objects.filter(table=table_id).exclude(student=students[0])
    others.filter(pk=others.values("pk")[:1]).update(kept_for=students[0])
    Question.objects.create(  # what says where it was asked cannot be filled with anything
        student=students[0],
        place=Question.Place.LESSON,
        visit=fill(Visit, students[0]),
        step="x",
        class_session=session,
        deal=Deal.objects.filter(table=table_id).first(),
        class_exercise=fill(ClassExercise, students[0]),
        seed=1,
        parameters={},
    )
    for model in apps.get_models():
        if model._meta.app_label not in NOT_OF_A_CLASS:
            fill(model, students[0])
    return table_id


def fill(model: type[models.Model], student: Student) -> Any:
    """The row of this model that links to the student, or any; made, with links to all that
    there is, where there is none."""
    if model is Student:
        return student
    found: Any = model._default_manager.all()
    to_student = [field.name for field in links(model, Student)]
    if to_student:
        found = found.filter(**{to_student[0]: student.pk})
    if row := found.first():
        return row
    values = {
        field.name: value_for(field, student)
        for field in model._meta.concrete_fields
        if not field.primary_key and (field.is_relation or not field.has_default())
    }
    return model._default_manager.create(**values)


def links(model: type[models.Model], *to: type[models.Model]) -> list[Any]:
    return [field for field in model._meta.concrete_fields if field.related_model in to]


def value_for(field: Any, student: Student) -> Any:
    if field.is_relation:
        is_either_or = field.related_model is Guest and field.null
        if is_either_or or field.related_model is field.model:
            return None
        return fill(field.related_model, student)
    if ("student" in field.name or "session" in field.name) and "Boolean" not in (
        kind := field.get_internal_type()
    ):
        return EMPTY[kind].__class__(NUMBER)  # a link that nothing cuts
    if field.choices:
        return field.choices[0][0]
    return None if field.null else EMPTY[field.get_internal_type()]


EMPTY: dict[str, Any] = {
    "BigIntegerField": 1,
    "BooleanField": False,
    "CharField": "x",
    "DateField": timezone.localdate(),
    "DateTimeField": timezone.now(),
    "FloatField": 1.0,
    "IntegerField": 1,
    "JSONField": {},
    "PositiveIntegerField": 1,
    "PositiveSmallIntegerField": 1,
    "SlugField": "x",
    "SmallIntegerField": 1,
    "TextField": "x",
}


def cells() -> Iterator[tuple[str, str]]:
    """Everything in the database, as (table.column, text); sign-ins as they mean it."""
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
            columns = [column[0] for column in cursor.description]
            for row in cursor.fetchall():
                yield from zip([f"{table}.{c}" for c in columns], map(str, row), strict=True)
    for session in Session.objects.all():
        yield "django_session", str(session.get_decoded())


def traces(*words: str) -> set[str]:
    """Where in the database any of these words stands."""
    return {
        where for where, text in cells() if any(word.lower() in text.lower() for word in words)
    }


def everything(of: Collection[type[models.Model]]) -> list[tuple[str, str]]:
    """The tables of these models, to compare."""
    names = {model._meta.db_table for model in of}
    return sorted(cell for cell in cells() if cell[0].partition(".")[0] in names)


@pytest.mark.django_db
def test_no_row_names_or_links_a_deleted_student() -> None:
    students = students_of(a_classroom())
    table_id = a_full_session(students[0].classroom, students)
    session = ClassSession.objects.get()
    key = device_key(students[0], session)
    words = (NAME, str(NUMBER), phrase_of(students[0]), key)
    linking = {
        f"{model._meta.db_table}.{field.column}"
        for model in apps.get_models()
        for field in links(model, Student)
    }
    assert {*linking, "games_seat.name"} <= traces(*words)
    outcomes = Result.objects.order_by("pk").values_list("seat", "bid", "taken", "points")
    moves, results = Move.objects.count(), list(outcomes)

    address = f"/teach/students/{NUMBER}/delete/"
    assert signed_in(a_teacher()).post(address).status_code == 302
    assert traces(*words) == set()
    # The table goes on, and the classmates lose nothing.
    assert Move.objects.count() == moves
    assert list(outcomes.all()) == results
    assert len(load_table(table_id).people) == 3
    assert play(table_id).status == "game_over"
    assert table_results.rebuild_results(check_only=True) == (2, [])


@pytest.mark.django_db
def test_no_row_of_a_deleted_session_is_left() -> None:
    classroom, teacher = a_classroom(), signed_in(a_teacher())
    students = students_of(classroom)
    its_own = of_a_session()
    assert everything(its_own) == []
    a_full_session(classroom, students, number=NUMBER)
    filled = {where.partition(".")[0] for where, _ in everything(its_own)}
    assert filled == {model._meta.db_table for model in its_own}
    address = f"/teach/sessions/{NUMBER}/delete/"
    assert teacher.post(address).status_code == 302
    assert everything(its_own) == []
    assert {where for where, text in cells() if text == str(NUMBER)} == {
        "classrooms_student.id",
        "games_program.student_id",
        "lessons_coursemember.student_id",
        "lessons_covervisit.student_id",  # the class's, not the session's
        "lessons_homeworkpuzzle.student_id",
        "lessons_taker.student_id",
    }
    assert Student.objects.count() == 4


def of_a_session() -> set[type[models.Model]]:
    """ClassSession, and every model that goes with it, or with one that does."""
    found: set[type[models.Model]] = {ClassSession}
    while more := {m for m in apps.get_models() if goes_with(m, found)} - found:
        found |= more
    return found


def goes_with(model: type[models.Model], others: set[type[models.Model]]) -> bool:
    """Whether it links to one of these, and not only as long as that is there."""
    return any(
        field.remote_field.on_delete is not models.SET_NULL for field in links(model, *others)
    )


@pytest.mark.django_db
def test_no_row_of_a_deleted_classroom_is_left() -> None:
    teacher = signed_in(a_teacher())
    every = [*apps.get_models(include_auto_created=True)]
    for of_no_class in (Guest, Platform, PlatformInvitation, ToolKey):
        every.remove(of_no_class)
    before = everything(every)
    classroom = a_classroom()
    a_full_session(classroom, students_of(classroom))
    assert everything(every) != before
    assert teacher.post(f"/teach/classrooms/delete/?class={classroom.pk}").status_code == 302
    assert everything(every) == before


# In the file itself.


def is_in_files(name: str) -> bool:
    """Whether the SQLite file, or any beside it, holds these letters."""
    path = present(database.file())
    files = [path.with_name(path.name + end) for end in ("", "-wal", "-shm", "-journal")]
    return any(name.encode() in file.read_bytes() for file in files if file.exists())


def a_line(path: Path) -> sqlite3.Connection:
    """Somebody else's connection."""
    return sqlite3.connect(path, isolation_level=None)


def wait_until(is_so: Callable[[], bool]) -> bool:
    """Whether it came to be so; a thread does it."""
    deadline = monotonic() + 60
    while not is_so() and monotonic() < deadline:
        sleep(0.02)
    return is_so()


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL keeps its own files")
def test_no_byte_of_a_name_is_left_in_the_files() -> None:
    classroom = a_classroom(a_teacher("ada"))
    student = students_of(classroom)[0]
    path = present(database.file())
    with closing(a_line(path)) as reading, closing(a_line(path)) as idle:
        idle.execute("SELECT name FROM classrooms_student").fetchall()
        assert is_in_files(NAME)
        reading.execute("BEGIN")
        reading.execute("SELECT name FROM classrooms_student").fetchall()
        seats.remove_student(student=student)
        # Whoever began to read before it still reads the name; nobody waits for that.
        assert not database.clear_log()
        assert is_in_files(NAME)
        Student.objects.filter(classroom=classroom).update(device_serial=5)
        reading.execute("COMMIT")
        assert wait_until(lambda: not is_in_files(NAME))
        assert Student.objects.count() == 3
        assert is_in_files("Other Three")
        classrooms.delete_teacher(teacher=classroom.teachers.get())
        assert wait_until(lambda: not is_in_files("Other Three"))


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL keeps its own files")
def test_a_log_that_stays_in_use_is_told_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(database, "CLEAR_AFTER", (0.0,) * 5)
    path = present(database.file())
    with closing(a_line(path)) as reading:
        reading.execute("BEGIN")
        reading.execute("SELECT 1 FROM classrooms_student").fetchall()
        a_teacher("ada")
        assert not database.clear_log_patiently()
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert database.clear_log_patiently()
    assert len(caplog.records) == 1


def test_what_is_deleted_is_overwritten(tmp_path: Path) -> None:
    """Also where SQLite was not built to do so by itself."""
    with closing(a_line(tmp_path / "small.sqlite3")) as line:
        line.execute("PRAGMA secure_delete = OFF")
        options: Any = settings.DATABASES["default"]["OPTIONS"]
        for command in options["init_command"].split(";"):
            line.execute(command)
        assert line.execute("PRAGMA secure_delete").fetchone() == (1,)

"""Teachers, classrooms and class sessions, for tests."""

from __future__ import annotations

from copy import copy
from typing import Any, TypeVar

from django.db.models import F, Model
from django.db.models.base import ModelState
from django.test import Client

from games.classes import joining, sessions, steering
from games.classes.state import SessionState, load_session
from games.models import SessionSettings
from games.tables.notify import session_changed
from games.tables.viewers import STUDENT_COOKIE, Browser
from xactika_site.accounts.models import User
from xactika_site.classrooms import services as classrooms
from xactika_site.classrooms.models import (
    MAX_STUDENTS,
    Attendance,
    Classroom,
    ClassSession,
    Student,
)
from xactika_site.classrooms.selectors import AtDevice, device_key

Row = TypeVar("Row", bound=Model)


def a_teacher(name: str = "teacher") -> User:
    """A teacher's account, new or known."""
    teacher = User.objects.filter(username=name).first()
    return teacher or User.objects.create_user(name, password="a long pass phrase")


def a_classroom(teacher: User | None = None, name: str = "7b") -> Classroom:
    """A classroom of this teacher."""
    return classrooms.open_classroom(name=name, teacher=teacher or a_teacher())


def a_session(classroom: Classroom | None = None, **settings: Any) -> ClassSession:
    """A class session in its lobby, quick unless ``settings`` say otherwise."""
    wishes = SessionSettings(
        **{"variant": "bid", "seats": 4, "rounds": 2, "pace": 0.0, **settings}
    )
    return sessions.open_session(classroom=classroom or a_classroom(), settings=wishes)


def students_in(session: ClassSession, how_many: int) -> list[Student]:
    """So many new students who have come in. Where they are expected and nothing is
    played, all are stored as the first is, which takes a tenth of the time."""
    before = Student.objects.filter(classroom=session.classroom_id).count()
    names = [f"Quiet Otter {before + number}" for number in range(how_many)]
    students = [joining.join(session=session, name=name) for name in names[:1]]
    if before + how_many > min(session.expected, MAX_STUDENTS) or session.tables.exists():
        return students + [joining.join(session=session, name=name) for name in names[1:]]
    for first in students[:1]:
        others = [_copied(first, name=name) for name in names[1:]]
        students += Student.objects.bulk_create(others)
        come = Attendance.objects.get(class_session=session, student=first)
        Attendance.objects.bulk_create(_copied(come, student=other) for other in others)
        if others:
            told = ClassSession.objects.filter(pk=session.pk)
            told.update(version=F("version") + len(others) - 1)
            session_changed(session.pk)
    return students


def _copied(row: Row, **changes: Any) -> Row:
    """A row like this one but for the changes, not yet stored."""
    new = copy(row)
    new.pk, new._state = None, ModelState()
    for name, value in changes.items():
        setattr(new, name, value)
    return new


def playing(how_many: int, **settings: Any) -> tuple[ClassSession, list[Student]]:
    """A session that has started with so many students."""
    session = a_session(**settings)
    students = students_in(session, how_many)
    steering.start(session_id=session.pk)
    return session, students


def picture(session: ClassSession) -> SessionState:
    """The session as it is now."""
    return load_session(session.pk)


def device_of(student: Student, session: ClassSession, client: Client | None = None) -> Client:
    """A browser at which this student said who they are."""
    client = client or Client()
    client.cookies[STUDENT_COOKIE] = device_key(student, session)
    return client


def sitting(student: Student, session_id: int) -> Browser:
    """A browser at which this student is, as its cookies say."""
    return Browser(students=(AtDevice(student, session_id),))


def signed_in(teacher: User) -> Client:
    """The teacher's browser."""
    client = Client()
    client.force_login(teacher)
    return client

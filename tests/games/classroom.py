"""Teachers, classrooms and class sessions, for tests."""

from __future__ import annotations

from datetime import timedelta
from secrets import token_hex
from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from games.classes import joining, sessions, steering
from games.classes.state import SessionState, load_session
from games.models import SessionSettings
from games.tables.viewers import STUDENT_COOKIE, Browser
from xactika_site.accounts.models import User
from xactika_site.classrooms import services as classrooms
from xactika_site.classrooms.models import Classroom, ClassSession, Student
from xactika_site.classrooms.selectors import AtDevice, device_key


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
    """So many new students who have come in."""
    before = Student.objects.filter(classroom=session.classroom_id).count()
    return [
        joining.join(session=session, name=f"Quiet Otter {before + number}")
        for number in range(how_many)
    ]


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
    """The teacher's browser, with what a login stores: that itself is tested with accounts, and
    takes five queries."""
    client, key = Client(), token_hex(16)
    kept = {
        SESSION_KEY: str(teacher.pk),
        BACKEND_SESSION_KEY: "xactika_site.accounts.desk.Backend",
        HASH_SESSION_KEY: teacher.get_session_auth_hash(),
    }
    until = timezone.now() + timedelta(seconds=settings.SESSION_COOKIE_AGE)
    data = Session.objects.encode(kept)
    Session.objects.create(session_key=key, session_data=data, expire_date=until)
    client.cookies[settings.SESSION_COOKIE_NAME] = key
    return client

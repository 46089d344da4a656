"""Who is who in a classroom, and who may see what of it. Fetch and authorize in one call."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import NamedTuple, TypeVar

from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.models import Session
from django.core.signing import BadSignature, Signer
from django.db.models import Count, Exists, Manager, OuterRef, Prefetch, QuerySet, Subquery
from django.http import Http404
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from xactika_site import clients
from xactika_site.accounts.models import User
from xactika_site.classrooms.models import (
    CODE_LENGTH,
    CODE_LETTERS,
    EXPECTED,
    Attendance,
    Classroom,
    ClassSession,
    ReturnRequest,
    Student,
)
from xactika_site.classrooms.names import PHRASES, plain
from xactika_site.http import digits

Teacher = User | AnonymousUser
Row = TypeVar("Row", ClassSession, Student)
PHRASE_LENGTH = 3
MARK_LENGTH = 24

DEVICE_CLASSES = 6
"""Classrooms that a device keeps a student of; the oldest is dropped."""

KEY_LENGTH, KEYS_APART = 200, "~"

AT_HOME = 0
"""In the place of a class session's number: the student has come in by the phrase, alone."""

_device = Signer(salt="classrooms.device", sep=".")


class NotFound(Http404):
    """No such thing, or not for you: the two are told apart to nobody. A page answers 404."""


def classroom_for(teacher: Teacher, classroom_id: int) -> Classroom:
    """The teacher's classroom; NotFound if it is another's."""
    classroom = Classroom.objects.filter(pk=classroom_id, teachers=teacher.pk).first()
    if not teacher.is_authenticated or classroom is None:
        raise NotFound
    return classroom


def session_for(teacher: Teacher, session_id: int) -> ClassSession:
    """The class session of one of the teacher's classrooms; NotFound if it is another's."""
    return _of_teacher(ClassSession.objects, teacher, session_id)


def student_for(teacher: Teacher, student_id: int) -> Student:
    """A student of one of the teacher's classrooms; NotFound if it is another's."""
    return _of_teacher(Student.objects, teacher, student_id)


def _of_teacher(rows: Manager[Row], teacher: Teacher, pk: int) -> Row:
    """This row of one of the teacher's classrooms, which comes with it; else NotFound."""
    theirs = rows.filter(pk=pk, classroom__teachers=teacher.pk).select_related("classroom")
    found = theirs.first()
    if not teacher.is_authenticated or found is None:
        raise NotFound
    return found


def unclosed_session(classroom: Classroom) -> ClassSession | None:
    """The one session of a classroom that its code admits to."""
    sessions = ClassSession.objects.filter(classroom=classroom)
    session = sessions.exclude(state=ClassSession.State.CLOSED).first()
    if session is not None:
        session.classroom = classroom
    return session


def played_sessions(classroom: Classroom) -> QuerySet[ClassSession]:
    """The classroom's sessions with rounds, the latest first."""
    return classroom.sessions.filter(_has(tables__deals__results__seat=0)).order_by("-created")


def taught_sessions(classroom: Classroom) -> QuerySet[ClassSession]:
    """The classroom's sessions with rounds or a lesson, the latest first."""
    has_lesson = _has(lesson_runs__isnull=False)
    has_rounds = _has(tables__deals__results__seat=0)
    return classroom.sessions.filter(has_rounds | has_lesson).order_by("-created")


def _has(**what: object) -> Exists:
    return Exists(ClassSession.objects.filter(pk=OuterRef("pk"), **what))


def usual_number(classroom: Classroom) -> int:
    """How many students a new session of the class expects: as many as the last one did."""
    last = ClassSession.objects.filter(classroom=classroom).order_by("-pk").first()
    return last.expected if last else EXPECTED


def as_number(sent: str) -> int:
    """A whole number as our pages send it, a key or a seat; NotFound for anything else."""
    if (number := digits(sent)) is None:
        raise NotFound
    return number


# Codes and phrases, as people type them.


def as_code(typed: str) -> str:
    """The join code that somebody typed: spaces, hyphens and lower case do not matter. Empty if
    it cannot be one."""
    code = re.sub(r"[\s\-–.]", "", typed[:40]).upper()
    return code if re.fullmatch(f"[{CODE_LETTERS}]{{{CODE_LENGTH}}}", code) else ""


def classroom_by_code(typed: str) -> Classroom | None:
    """The classroom that this join code belongs to."""
    code = as_code(typed)
    return Classroom.objects.filter(code=code).first() if code else None


def phrase_of(student: Student) -> str:
    """The student's rejoin phrase: three words, derived from the secret key, never stored."""
    number = int.from_bytes(
        salted_hmac(
            "classrooms.phrase", f"{student.pk}.{student.phrase_serial}", algorithm="sha256"
        ).digest()
    )
    every_word, words = PHRASES[student.phrase_words], []
    for _place in range(PHRASE_LENGTH):
        number, word = divmod(number, len(every_word))
        words.append(every_word[word])
    return " ".join(words)


def student_by_phrase(classroom: Classroom, typed: str) -> Student | None:
    """The classroom's student of this rejoin phrase; case, accents and spacing don't matter."""
    phrase = " ".join(re.findall(r"[a-z]+", plain(typed[:80])))
    match = None
    for student in Student.objects.filter(classroom=classroom):
        if constant_time_compare(phrase_of(student), phrase):
            match = student
    return match


# The device that a student holds.

_lane = Signer(salt="classrooms.lane", sep=".")


def lane_of(student: Student) -> str:
    """The lane of a student's devices, by which the class knows them: a keyed hash that names
    nobody. Wrong phrases of one lane are counted apart from everybody else's."""
    return salted_hmac("classrooms.lane", str(student.pk), algorithm="sha256").hexdigest()


def lane_key(student: Student) -> str:
    """The cookie of a device that has belonged to a student of the class, also after it has
    forgotten who that was."""
    return _lane.sign(f"{student.classroom_id}:{lane_of(student)}")


def lane_at(key: str | None, classroom: Classroom) -> str:
    """The lane of a device's cookie; empty if the classroom does not know the device."""
    try:
        of, _colon, lane = _lane.unsign((key or "")[:200]).partition(":")
    except BadSignature:
        return ""
    return lane if of == str(classroom.pk) else ""


def is_known(student: Student) -> bool:
    """Whether the class knows the student: not one who waits, new, for a teacher's yes."""
    return not Attendance.objects.filter(student=student, newcomer=True).exists()


def browser_mark(session: ClassSession, nonce: str) -> str:
    """The mark that is kept of a browser's random nonce; another one in every session, so that
    marks of two sessions have nothing in common."""
    if not nonce:
        return ""
    return salted_hmac("classrooms.browser", f"{session.pk}.{nonce}").hexdigest()[:MARK_LENGTH]


def device_key(student: Student, session: ClassSession, browser: str = "") -> str:
    """The key in a device's cookie: who said that they are at it, in which session, and the
    browser's mark."""
    return _device.sign(f"{student.pk}.{student.device_serial}.{session.pk}.{browser}")


def home_key(student: Student) -> str:
    """The ``device_key`` of a student who works alone, in no class session."""
    return _device.sign(f"{student.pk}.{student.device_serial}.{AT_HOME}.")


class AtDevice(NamedTuple):
    """A student who is at a device: in the class session for which they said so (AT_HOME for
    none), and the browser's mark there."""

    student: Student
    session: int
    mark: str = ""
    key: str = ""


def students_at(cookie: str | None) -> tuple[AtDevice, ...]:
    """The students whom a device's cookie names, one in each classroom, the latest first."""
    facts = {key: named for key in _keys(cookie) if (named := _device_facts(key)) is not None}
    students = Student.objects.select_related("classroom").in_bulk(
        [pk for pk, _serial, _session, _mark in facts.values()]
    )
    here = tuple(
        AtDevice(students[pk], session, mark, key)
        for key, (pk, serial, session, mark) in facts.items()
        if pk in students and students[pk].device_serial == serial
    )
    if here and cookie:
        clients.cache_client(cookie, f"student {here[0].student.pk}")
    return here


def device_cookie(first: str, others: Iterable[AtDevice], classroom_id: int) -> str:
    """The value of a device's cookie: its newest key, then those of its other classrooms, at
    most DEVICE_CLASSES in all."""
    other_keys = [other.key for other in others if other.student.classroom_id != classroom_id]
    return KEYS_APART.join([first, *other_keys][:DEVICE_CLASSES])


def _keys(cookie: str | None) -> list[str]:
    return (cookie or "")[: DEVICE_CLASSES * KEY_LENGTH].split(KEYS_APART)[:DEVICE_CLASSES]


def _device_facts(key: str) -> tuple[int, int, int, str] | None:
    try:
        pk, serial, session, *mark = _device.unsign(key[:KEY_LENGTH]).split(".")
        # Cookies from before the marks have none.
        return int(pk), int(serial), int(session), (mark or [""])[0]
    except (BadSignature, ValueError):
        return None


def was_at(cookie: str | None, session_id: int) -> bool:
    """Whether a device's cookie names somebody of this session who is gone: a newcomer who was
    turned away, or a student who was deleted."""
    facts = filter(None, map(_device_facts, _keys(cookie)))
    named = [pk for pk, _serial, session, _mark in facts if session == session_id]
    return bool(named) and not Student.objects.filter(pk__in=named).exists()


def browser_mark_at(cookie: str | None, session_id: int) -> str:
    """The mark that a device's cookie says it has in this session, whomever it names; empty if
    it says none."""
    known = (found for key in _keys(cookie) if (found := _device_facts(key)) is not None)
    marks = (mark for _pk, _serial, session, mark in known if session == session_id)
    return next(filter(None, marks), "")


def attendance_of(student: Student, session_id: int) -> Attendance | None:
    """The student's attendance in the session, if they ever came."""
    come = Attendance.objects.filter(class_session=session_id, student=student)
    return come.select_related("class_session").first()


def here_in(session_id: int) -> QuerySet[Attendance]:
    """The attendances of the students who are in a class session."""
    return Attendance.objects.filter(class_session=session_id, state=Attendance.State.HERE)


def key_hash(key: str) -> str:
    """The hash that is stored of a random key, a guest's or a request's."""
    return hashlib.sha256(key.encode()).hexdigest()


def return_request(session: ClassSession, key: str) -> ReturnRequest | None:
    """The request that the device with this key has made to the session's teacher, unless that
    was refused or taken back."""
    if not key:
        return None
    requests = ReturnRequest.objects.filter(class_session=session, key_hash=key_hash(key))
    return requests.select_related("student").first()


def students_of(classroom: Classroom) -> list[Student]:
    """The classroom's students by name, É beside E, as no database sorts everywhere."""
    students = Student.objects.filter(classroom=classroom)
    return sorted(students, key=lambda student: plain(student.name))


# Teachers and their classrooms.


@dataclass(frozen=True, slots=True)
class SignIn:
    """That a teacher is signed in at a browser: what an open page of theirs rests on."""

    teacher: int
    session_key: str
    auth_hash: str


def sign_ins_that_hold(sign_ins: Collection[SignIn], classroom_id: int) -> frozenset[SignIn]:
    """Of these sign-ins those whose teacher is still signed in there and teaches the
    classroom."""
    if not sign_ins:
        return frozenset()
    keys = [sign_in.session_key for sign_in in sign_ins]
    alive = Session.objects.filter(session_key__in=keys, expire_date__gt=timezone.now())
    live_keys = set(alive.values_list("session_key", flat=True))
    teachers = User.objects.filter(classrooms=classroom_id)
    hashes = {
        teacher.pk: teacher.get_session_auth_hash()
        for teacher in teachers.filter(pk__in=[sign_in.teacher for sign_in in sign_ins])
    }
    return frozenset(
        sign_in
        for sign_in in sign_ins
        if sign_in.session_key in live_keys and hashes.get(sign_in.teacher) == sign_in.auth_hash
    )


RECENT_SESSIONS = 3

UNUSED_DAYS = 90
"""A class in which nobody was for so long may be done with."""


def classrooms_of(teacher: User) -> QuerySet[Classroom]:
    """The teacher's classrooms by name, with ``student_count``, and their sessions fetched, the
    latest first."""
    latest_first = ClassSession.objects.order_by("-created")
    return (
        Classroom.objects.filter(teachers=teacher)
        .annotate(student_count=Count("students"))
        .prefetch_related(Prefetch("sessions", latest_first))
        .order_by("name", "pk")
    )


def teachers_of(classroom: Classroom) -> list[User]:
    """A classroom's teachers, the one who has taught it longest first."""
    joined = Classroom.teachers.through.objects.filter(classroom=classroom).order_by("pk")
    return [row.user for row in joined.select_related("user")]


def owned_by(teacher: Teacher) -> QuerySet[Classroom]:
    """The classrooms, by name, that this teacher opened, or else has taught longest."""
    joined = Classroom.teachers.through.objects.filter(classroom=OuterRef("pk")).order_by("pk")
    owned = Classroom.objects.filter(teachers=teacher.pk)
    owned = owned.annotate(owner=Subquery(joined.values("user")[:1])).filter(owner=teacher.pk)
    return owned.order_by("name", "pk")


def unused(classrooms: QuerySet[Classroom]) -> QuerySet[Classroom]:
    """The classrooms that nobody has used for UNUSED_DAYS."""
    since = timezone.now() - timedelta(days=UNUSED_DAYS)
    sessions = ClassSession.objects.filter(created__gte=since)
    students = Student.objects.filter(last_here__gte=timezone.localdate(since))
    old = classrooms.filter(created__lt=since).exclude(sessions__in=sessions)
    return old.exclude(students__in=students)


def alone_with(teacher: User) -> QuerySet[Classroom]:
    """The classrooms that have no other teacher: they go with the account."""
    mine = Classroom.objects.filter(teachers=teacher)
    return mine.exclude(teachers__in=User.objects.exclude(pk=teacher.pk)).order_by("name")

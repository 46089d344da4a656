"""What is done to classrooms, class sessions and students; ``games`` rings the bells.

Every function runs in the caller's transaction or one of its own, and checks what it needs:
who may call is the business of ``selectors.…_for``.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable, Collection, Hashable
from contextlib import suppress
from functools import wraps
from random import Random
from typing import Any, NamedTuple, ParamSpec

from django.db import IntegrityError, connection, transaction
from django.db.models import Count, F, Q, QuerySet
from django.dispatch import Signal
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from xactika_site import clock, languages
from xactika_site.accounts.forms import SignUpForm
from xactika_site.accounts.models import User
from xactika_site.accounts.services import Refused as Refused
from xactika_site.accounts.services import use_up
from xactika_site.classrooms.models import (
    LECTURE_HALL,
    MAX_STUDENTS,
    Attendance,
    Classroom,
    ClassroomInvitation,
    ClassSession,
    ReturnRequest,
    Student,
    new_code,
)
from xactika_site.classrooms.names import language_of_names, plain, two_word_name
from xactika_site.classrooms.selectors import (
    alone_with,
    key_hash,
    return_request,
    student_by_phrase,
    teachers_of,
    unclosed_session,
    usual_number,
)
from xactika_site.database import clear_log_soon
from xactika_site.rate_limit import DAY, MINUTE, note_try, tries

NAME_SPINS = 3
"""Names that a device is offered to choose from."""

MOST_WAITING = 100
"""New students who may wait for a teacher's yes at once."""

PHRASES_OF_KNOWN = {MINUTE: 10, DAY: 60}
PHRASES_OF_OTHERS = {MINUTE: 20, DAY: 300}
"""Wrong rejoin phrases that are answered within so many seconds: of a device that the class
knows, and of all others together. What may be guessed by them stands in
docs/decisions/0015-filling-a-class.md."""

MOST_ASKING = 3
"""Requests to come back that stand at once, of one lane, or for one name by other devices."""

signed_out = Signal()
"""No device is ``student``'s any more; sent in the transaction that ends their right. Whoever
shows them anything live hears it here."""

classrooms_go = Signal()
"""These ``classrooms`` (primary keys), locked already, are deleted next, in this transaction,
and the account of this ``teacher``. Whoever keeps something below them locks it here, in the
order of ``lock_session``."""

P = ParamSpec("P")


# Classrooms.


@transaction.atomic
def open_classroom(*, name: str, teacher: User) -> Classroom:
    """A new classroom of this teacher, which speaks as the teacher's page does just now."""
    classroom = Classroom.objects.create(name=name, language=languages.present())
    classroom.teachers.add(teacher)
    return classroom


@transaction.atomic
def copy_classroom(
    *, classroom: Classroom, teacher: User, name: str, with_students: bool
) -> Classroom:
    """A new classroom that is this teacher's, with the other's language, teachers and perhaps
    students: those that it knows. Their phrases are new, as these follow from their keys."""
    copy = Classroom.objects.create(
        name=name, language=classroom.language, demo=classroom.demo and with_students
    )
    copy.teachers.add(teacher)
    copy.teachers.add(*teachers_of(classroom))
    students = Student.objects.filter(classroom=classroom).exclude(attendances__newcomer=True)
    Student.objects.bulk_create(
        Student(
            classroom=copy,
            name=student.name,
            phrase_words=student.phrase_words,
            noted=False,
            vouched=True,
            time_factor=student.time_factor,
            last_here=timezone.localdate(),
        )
        for student in students
        if with_students
    )
    return copy


def renew_code(*, classroom: Classroom) -> None:
    """Give the classroom a new join code; the old one admits to nothing from now on."""
    classroom.code = new_code()
    classroom.save(update_fields=["code"])


# Class sessions.


def call_session(*, classroom: Classroom, session_id: int, name: str) -> None:
    """Name a session as its teachers call it; where that is nothing, by its day."""
    sessions = ClassSession.objects.filter(pk=session_id, classroom=classroom)
    most = ClassSession._meta.get_field("name").max_length
    sessions.update(name=" ".join(name.replace("\0", "").split())[:most])


def lock_classroom(classroom: Classroom) -> None:
    """Keep other writers of the classroom out until the transaction ends; before anything else
    is locked (see ``lock_session``)."""
    Classroom.objects.select_for_update(no_key=True).filter(pk=classroom.pk).exists()


def lock_session(session_id: int) -> bool:
    """Keep other writers of a class session out until the transaction ends; whether it is there
    still.

    Whoever waits must not be waited for, so everybody locks in one order: a classroom, its
    class sessions, their tables, students, each by id; only then seats, attendances, and
    whatever else belongs to these. Whoever locks more than one table holds their session
    first. docs/decisions/0014-locks.md
    """
    session = ClassSession.objects.select_for_update(no_key=True).filter(pk=session_id)
    return session.exists()


def deletion(delete: Callable[P, None]) -> Callable[P, None]:
    """The function as a transaction that deletes; done anew if something that links to what
    goes was stored beside it (an answer, say: an insert waits for nobody). Once it is
    committed, what went goes from the database's log, too."""

    @wraps(delete)
    def done(*arguments: P.args, **named: P.kwargs) -> None:
        for _try in range(3):
            with suppress(IntegrityError), transaction.atomic():
                delete(*arguments, **named)
                transaction.on_commit(clear_log_soon, robust=True)
                return
        with transaction.atomic():
            delete(*arguments, **named)
            transaction.on_commit(clear_log_soon, robust=True)

    return done


def changed(session: ClassSession) -> None:
    """Count a change that cockpit and lobby show."""
    ClassSession.objects.filter(pk=session.pk).update(version=F("version") + 1)


@transaction.atomic
def open_session(
    *, classroom: Classroom, expected: int | None = None, language: str = ""
) -> ClassSession:
    """A new session with its lobby open, for so many students, or as many as are usual in this
    class, in this language or the class's. Refused while another is unclosed."""
    try:
        with transaction.atomic():
            session = ClassSession.objects.create(
                classroom=classroom, expected=expected or usual_number(classroom)
            )
            set_language(session_id=session.pk, language=language or classroom.language)
            session.refresh_from_db(fields=["language"])
            return session
    except IntegrityError:
        raise Refused(
            _("Close the session in “%(name)s” first.") % {"name": classroom.name}
        ) from None


def set_language(*, session_id: int, language: str) -> None:
    """Let the session speak this language from now on, and the class's next one."""
    language = languages.supported(language)
    ClassSession.objects.filter(pk=session_id).update(language=language)
    Classroom.objects.filter(sessions=session_id).update(language=language)


# Names.


NAMES_DRAWN = 24
"""Of so many names one is offered whose look is the rarest in the class."""


def name_offered(
    *, classroom: Classroom, device: str, spin: int, look: Callable[[str], Hashable] = str
) -> str:
    """The name that a device (by a random nonce of its own) is offered at this spin, 0 to 2, in
    the class's present language; of several one that ``look``s as fewest of the class do.

    The same for the same device until others come in: reloading alone gains nothing.
    """
    taken = set(Student.objects.filter(classroom=classroom).values_list("name", flat=True))
    seed = salted_hmac("classrooms.name", f"{classroom.pk}.{device}.{spin}").digest()
    rng = Random(seed)  # noqa: S311 (a name is no secret)
    language = languages.supported(classroom.language)
    seen = Counter(map(look, taken))
    drawn = [two_word_name(rng, language, taken=taken) for _ in range(NAMES_DRAWN)]
    return min(drawn, key=lambda name: seen[look(name)])


# Coming in.


def _crowd(session: ClassSession) -> tuple[int, int]:
    """How many are in, and how many newcomers wait for a yes."""
    states = Attendance.State
    counted = Attendance.objects.filter(class_session=session).aggregate(
        here=Count("pk", filter=Q(state=states.HERE)),
        waiting=Count("pk", filter=Q(state=states.ASKING, newcomer=True)),
    )
    return counted["here"], counted["waiting"]


def new_student(*, session: ClassSession, name: str) -> tuple[Student, bool]:
    """A new student under this generated name, in the session's classroom, and whether they
    need a teacher's yes: if one is asked of everybody, or as many are in as are expected.
    Refused if the lobby is locked, the classroom full, the name just taken, or too many new
    ones wait. They come in by ``attend``, in the same transaction."""
    if session.locked:
        raise Refused(_("The lobby is locked. Ask your teacher to open it."))
    here, waiting = _crowd(session)
    has_to_wait = session.needs_approval or here >= session.expected
    if has_to_wait and waiting >= MOST_WAITING:
        raise Refused(_("Many are waiting for your teacher. Try again when they’re in."))
    most = LECTURE_HALL if session.expected > MAX_STUDENTS else MAX_STUDENTS
    student = add_student(
        classroom_id=session.classroom_id, name=name, language=session.language, most=most
    )
    return student, has_to_wait


@transaction.atomic
def add_student(
    *, classroom_id: int, name: str, language: str, most: int = MAX_STUDENTS
) -> Student:
    """A new student of a classroom under this generated name, whose phrase is of this language.
    Refused if the classroom has as many as ``most``, or the name is just taken."""
    if Student.objects.filter(classroom=classroom_id).count() >= most:
        raise Refused(_("It’s full. Ask your teacher."))
    try:
        with transaction.atomic():
            return Student.objects.create(
                classroom_id=classroom_id,
                name=name,
                noted=False,
                phrase_words=language_of_names(languages.supported(language)),
                last_here=timezone.localdate(),
            )
    except IntegrityError:
        raise Refused(_("That name is gone. Here’s another one.")) from None


class Arrival(NamedTuple):
    """How a student came in; ``moved`` are the students, they among them, whose open pages at
    a table rest on something else since."""

    attendance: Attendance
    moved: list[int]


def attend(
    *,
    session: ClassSession,
    student: Student,
    browser: str = "",
    sure: bool = False,
    has_to_wait: bool | None = None,
) -> Arrival:
    """The arrival of a student, let in or back by this browser (by its mark; empty for none),
    at which from now on nobody else in the session is. With ``sure`` a teacher has said yes
    already; ``has_to_wait`` is what ``new_student`` says of whoever is new just now.

    Refused if barred, or new while the lobby is locked. The caller, whose transaction it is,
    notes the day and tells the session's viewers.
    """
    attendance = None
    if has_to_wait is None:
        attendance = Attendance.objects.filter(class_session=session, student=student).first()
    before = attendance.state if attendance else None
    if before == Attendance.State.BARRED:
        raise Refused(_("Your teacher has closed this session for you."))
    if attendance is None:
        attendance = Attendance(class_session=session, student=student)
    is_back_here = bool(browser) and not attendance.browsers.get(browser)
    if browser:
        attendance.browsers[browser] = True
    if before == Attendance.State.HERE:
        if is_back_here:
            attendance.save(update_fields=["browsers"])
    else:
        if session.locked and not sure:
            raise Refused(_("The lobby is locked. Ask your teacher to open it."))
        is_beyond = attendance.newcomer or bool(has_to_wait)
        asks = not sure and (session.needs_approval or is_beyond)
        attendance.state = Attendance.State.ASKING if asks else Attendance.State.HERE
        attendance.newcomer = asks and is_beyond
        attendance.last_seen = clock.now()
        attendance.save()
    left = _leave_to(attendance, browser) if browser else []
    return Arrival(attendance, [*left, *([student.pk] if is_back_here else [])])


def _leave_to(attendance: Attendance, browser: str) -> list[int]:
    """The ids of those who were at this student's browser in the session, and are no longer."""
    others = Attendance.objects.filter(class_session=attendance.class_session_id)
    return [
        other.student_id
        for other in others.filter(browsers__has_key=browser).exclude(pk=attendance.pk)
        if leave_browser(attendance=other, browser=browser)
    ]


def forget_newcomers(*, session: ClassSession) -> None:
    """Delete who came new and has no yes, without a trace; but whoever is barred
    stays that."""
    waiting = Attendance.objects.filter(class_session=session, newcomer=True).exclude(
        state=Attendance.State.BARRED
    )
    Student.objects.filter(pk__in=list(waiting.values_list("student", flat=True))).delete()
    changed(session)


def check_phrase(*, classroom: Classroom, phrase: str, lane: str = "") -> Student:
    """The student of the classroom whose phrase this is, typed at a device of this lane (empty
    for one that the class does not know); a wrong one counts against the lane. Refused if it is
    nobody's, or after too many wrong ones."""
    limits = PHRASES_OF_KNOWN if lane else PHRASES_OF_OTHERS
    counts = {
        f"wrong-phrases.{classroom.pk}.{lane}.{seconds}": (seconds, times)
        for seconds, times in limits.items()
    }
    if any(tries(key) >= times for key, (_seconds, times) in counts.items()):
        raise Refused(_("Too many wrong tries. Ask your teacher, or wait a while."))
    student = student_by_phrase(classroom, phrase)
    if student is None:
        for key, (seconds, _times) in counts.items():
            note_try(key, seconds=seconds)
        raise Refused(_("Nobody here has these three words. Check them."))
    note_phrase(student=student)
    return student


def note_phrase(*, student: Student) -> None:
    """Note that a student says, or has shown, that the phrase is in their notebook."""
    Student.objects.filter(pk=student.pk, noted=False).update(noted=True)


@transaction.atomic
def ask_to_return(*, session: ClassSession, name: str, lane: str = "") -> str:
    """The key, for the asking device, of a request to the teacher to let the student of this
    name back in, as the phrase is lost; Refused if there is nobody of that name.

    Nobody is kept from asking by others: of the requests for one name those that came last
    stand. Those of devices that the class knows (by their ``lane``) are apart, and stand
    whatever others ask.
    """
    lock_session(session.pk)
    tidy_name = " ".join("".join(filter(str.isprintable, name[:80])).split())
    students = Student.objects.filter(classroom=session.classroom_id).order_by("pk")
    student = next((each for each in students if plain(each.name) == plain(tidy_name)), None)
    if student is None:
        raise Refused(_("Nobody here has that name. Check its spelling."))
    older = ReturnRequest.objects.filter(class_session=session, lane=lane, granted=False)
    older = older.order_by("-pk") if lane else older.filter(student=student).order_by("-pk")
    stand = list(older.values_list("pk", flat=True)[: MOST_ASKING - 1])
    older.exclude(pk__in=stand).delete()
    key = secrets.token_urlsafe(24)
    ReturnRequest.objects.create(
        class_session=session, student=student, key_hash=key_hash(key), lane=lane
    )
    changed(session)
    return key


@transaction.atomic
def take_back_request(*, session: ClassSession, key: str) -> None:
    """Take back a device's return request. Harmless if there is none."""
    lock_session(session.pk)
    request = return_request(session, key)
    if request is not None:
        request.delete()
        changed(session)


@transaction.atomic
def use_request(*, session: ClassSession, key: str) -> Student:
    """The student whom a teacher's yes brings back on the asking device, once. Refused while
    there is no such yes."""
    request = return_request(session, key)
    if request is None or not request.granted:
        raise Refused(_("Your teacher hasn’t let you in"))
    request.delete()
    return request.student


@transaction.atomic
def answer_request(*, session: ClassSession, request_id: int, granted: bool) -> None:
    """Store a teacher's yes or no to a return request. Harmless if it was answered before.

    A yes signs the student out of other devices: whoever lost the phrase may have left one
    signed in somewhere.
    """
    request = ReturnRequest.objects.filter(class_session=session, pk=request_id).first()
    if request is None:
        return
    if granted:
        if not request.granted:
            request.granted = True
            request.save(update_fields=["granted"])
            sign_out(student=request.student)
    else:
        request.delete()
    changed(session)


@transaction.atomic
def sign_out(*, student: Student) -> None:
    """Let no device be this student's until somebody gives the phrase again."""
    signed_out.send(Student, student=student)
    Student.objects.filter(pk=student.pk).update(device_serial=F("device_serial") + 1)


def leave_browser(*, attendance: Attendance, browser: str) -> bool:
    """Whether the student was at this browser, where they are no longer, for all that is known
    (of a session that is closed nothing is)."""
    if not browser or not attendance.browsers.get(browser, True):
        return False
    attendance.browsers[browser] = False
    attendance.save(update_fields=["browsers"])
    return True


def vouch(*, students: Collection[int]) -> None:
    """Store a teacher's yes to these students (by primary key): they are of the class."""
    for student in sorted(students):  # one row after the other: 0014
        Student.objects.filter(pk=student, vouched=False).update(vouched=True)


def renew_phrase(*, student: Student) -> None:
    """Give the student a new rejoin phrase; the old one brings nobody back."""
    Student.objects.filter(pk=student.pk).update(phrase_serial=F("phrase_serial") + 1)


def set_time_factor(*, student: Student, factor: float) -> None:
    """Set how many times as long the turn clock waits for this student: 1, 1.5, 2, or 0 for no
    clock."""
    if factor not in (0, 1, 1.5, 2):
        raise Refused(_("Choose from what the form offers."))
    Student.objects.filter(pk=student.pk).update(time_factor=factor)


def mark_here(*, attendances: list[int]) -> int:
    """How many of these students (by their attendance) could be noted as having a page of the
    class open (:func:`update_unlocked`)."""
    here = Attendance.objects.filter(pk__in=attendances)
    noted = update_unlocked(here, last_seen=clock.now())
    note_day(students=here.values("student"))
    return noted


def update_unlocked(rows: QuerySet[Any], **fields: Any) -> int:
    """How many rows were updated, those that nobody else is writing to: what is noted every few
    seconds waits for nobody."""
    if not connection.features.has_select_for_update_skip_locked:
        return rows.update(**fields)
    with transaction.atomic():
        free = rows.select_for_update(skip_locked=True, no_key=True)
        keys = list(free.values_list("pk", flat=True))
        noted: int = rows.model._default_manager.filter(pk__in=keys).update(**fields)
        return noted


def note_day(*, students: Collection[int] | QuerySet[Any]) -> None:
    """Note that these students (by primary key) were here today, which keeps them from
    expiring. Written once a day; called again it only looks."""
    today = timezone.localdate()
    due = Student.objects.filter(pk__in=students, last_here__lt=today)
    for student in list(due.values_list("pk", flat=True)):  # one row after the other: 0014
        Student.objects.filter(pk=student).update(last_here=today)


# Teachers of a classroom.


def rename(*, classroom: Classroom, name: str) -> None:
    """Another name for the classroom."""
    classroom.name = name
    classroom.save(update_fields=["name"])


def invite(*, classroom: Classroom) -> ClassroomInvitation:
    """An invitation to teach this classroom, too."""
    return ClassroomInvitation.objects.create(classroom=classroom)


def withdraw(*, classroom: Classroom, invitation_id: int) -> None:
    """This invitation to the classroom opens nothing any more. Harmless if it is gone."""
    ClassroomInvitation.objects.filter(classroom=classroom, pk=invitation_id).delete()


@transaction.atomic
def join(*, invitation: ClassroomInvitation, teacher: User) -> None:
    """Let the teacher teach the classroom, too. Refused if the invitation has been used."""
    if not use_up(invitation):
        raise Refused(_("This link opens nothing any more"))
    invitation.classroom.teachers.add(teacher)


@transaction.atomic
def sign_up_and_join(*, form: SignUpForm, invitation: ClassroomInvitation) -> User:
    """An account for somebody invited to a classroom."""
    teacher: User = form.save()
    join(invitation=invitation, teacher=teacher)
    return teacher


@transaction.atomic
def leave(*, classroom: Classroom, teacher: User) -> None:
    """Let the teacher leave the classroom to the others. Refused if there are none."""
    lock_classroom(classroom)
    if not classroom.teachers.exclude(pk=teacher.pk).exists():
        raise Refused(_("You’re its only teacher. Invite another one first, or delete it."))
    classroom.teachers.remove(teacher)


@deletion
def delete_teacher(*, teacher: User) -> None:
    """Delete the account, and with it every classroom that has no other teacher. Refused while
    one of these has a session that is not closed: somebody may be playing there."""
    for classroom in Classroom.objects.filter(teachers=teacher).order_by("pk"):
        lock_classroom(classroom)
    alone = {classroom.pk: classroom for classroom in alone_with(teacher)}
    classrooms_go.send(Classroom, classrooms=list(alone), teacher=teacher.pk)
    for classroom in alone.values():
        if unclosed_session(classroom):
            raise Refused(
                _("Close the session in “%(name)s” first.") % {"name": classroom.name}
            )
    Classroom.objects.filter(pk__in=alone).delete()
    User.objects.filter(pk=teacher.pk).delete()  # the object stays whole, if all is done anew

"""How students come in and are sent out, and the seat that each gets."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils.translation import gettext as _

from games.classes.seating import forget_seat, give_seats
from games.classes.sessions import (
    State,
    locked,
    set_attendance,
    student_of,
    table_of,
    update_tables,
)
from games.classes.state import SessionState, load_session
from games.classes.students import never_played
from games.models import Table
from games.tables import boards, notify, seats
from games.tables.notify import session_changed
from games.tables.seats import free_seat
from xactika_site.classrooms import services as classrooms
from xactika_site.classrooms.models import (
    Attendance,
    Classroom,
    ClassSession,
    ReturnRequest,
    Student,
)
from xactika_site.classrooms.selectors import NotFound, key_hash
from xactika_site.classrooms.services import Refused
from xactika_site.rate_limit import in_cache

SAME_CLICK = 600
"""Seconds within which a device that joins under the same name again is the same student."""


# Coming in.


@transaction.atomic
def join(*, session: ClassSession, name: str, device: str = "", browser: str = "") -> Student:
    """The student who comes in new under this generated name, seated if there is play.

    A ``device`` (by a random nonce of its own) that sends the same name twice, as a double
    click does, is one student. ``browser`` is its mark in this session. Refused as
    ``classrooms.services.new_student`` and ``attend`` say.
    """
    _keep_others_out(session)
    click = f"joined.{session.pk}.{key_hash(f'{device} {name}')}"
    if device and (before := in_cache(lambda cache: cache.get(click))):
        earlier = Student.objects.filter(pk=before).first()
        if earlier is not None:
            return earlier
    student, has_to_wait = classrooms.new_student(session=session, name=name)
    _attend(session, student, browser=browser, has_to_wait=has_to_wait)
    if device:
        in_cache(lambda cache: cache.set(click, student.pk, timeout=SAME_CLICK))
    return student


@transaction.atomic
def come_in(
    *, session: ClassSession, student: Student, sure: bool = False, browser: str = ""
) -> None:
    """Let a student of the classroom in, or back to the seat they had; ``sure`` if a
    teacher has said yes. Refused if barred, or new while the lobby is locked."""
    _keep_others_out(session)
    _attend(session, student, sure=sure, browser=browser)


def _keep_others_out(session: ClassSession) -> None:
    """Lock a session that is open, as ``locked`` does, but without its picture: while a class
    comes in, everybody's is not needed for each."""
    if not classrooms.lock_session(session.pk):
        raise NotFound
    session.refresh_from_db(fields=["state", "locked", "needs_approval", "expected"])
    if session.state == State.CLOSED:
        raise Refused(_("This session is closed."))


def _attend(
    session: ClassSession,
    student: Student,
    *,
    browser: str,
    sure: bool = False,
    has_to_wait: bool | None = None,
) -> None:
    has_tables = Table.objects.filter(class_session=session).exists()
    state = load_session(session.pk) if has_tables else None
    if state is not None and browser:
        _check_has_one_hand(state, student, browser)
    arrival = classrooms.attend(
        session=session, student=student, browser=browser, sure=sure, has_to_wait=has_to_wait
    )
    if state is not None:
        for student_id in arrival.moved:
            _tell_table_of(state, student_id)
        if arrival.attendance.state == Attendance.State.HERE:
            give_seats(state, student)
    if has_to_wait is None:  # who is new is noted from the start
        classrooms.note_day(students=[student.pk])
    session_changed(session.pk)


def _check_has_one_hand(state: SessionState, student: Student, browser: str) -> None:
    """Refused where somebody else is at this browser and sits at the student's table: a browser
    sees one hand of a deal."""
    own = state.by_pk.get(student.pk)
    if own is None or own.table is None:
        return
    for other in state.students:
        if other is not own and other.table == own.table and other.browsers.get(browser):
            raise Refused(
                _(
                    "Someone on this device is at your table. Ask them to press “I’m done” "
                    "first."
                )
            )


def _tell_table_of(state: SessionState, student_id: int) -> None:
    """Tell everybody at a student's table that what its page rests on has changed."""
    student = state.by_pk.get(student_id)
    if student is not None and student.table is not None:
        notify.table_changed(student.table)


@transaction.atomic
def leave_browser(*, session_id: int, student: Student, browser: str) -> None:
    """ "I’m done": the student is at this browser no longer, in any of its tabs. Their seat
    stays theirs."""
    classrooms.lock_session(session_id)
    come = Attendance.objects.filter(class_session=session_id, student=student)
    attendance = come.select_related("class_session").first()
    if attendance and classrooms.leave_browser(attendance=attendance, browser=browser):
        _tell_table_of(load_session(session_id), student.pk)
        session_changed(session_id)


@transaction.atomic
def come_in_by_request(*, session: ClassSession, key: str, browser: str = "") -> Student:
    """The teacher has let in who lost the phrase: they come in on the device that asked, even
    if they were barred before. Refused while there is no yes."""
    locked(session.pk)
    student = classrooms.use_request(session=session, key=key)
    barred = Attendance.objects.filter(
        class_session=session, student=student, state=Attendance.State.BARRED
    )
    barred.update(state=Attendance.State.REMOVED)
    come_in(session=session, student=student, sure=True, browser=browser)
    return student


@transaction.atomic
def answer(*, session_id: int, student_id: int, yes: bool) -> None:
    """Let in who waits for a teacher's yes, or send them away (they may ask again)."""
    state = locked(session_id)
    student = student_of(state, student_id)
    if student.state != Attendance.State.ASKING:
        return
    set_attendance(student, Attendance.State.HERE if yes else Attendance.State.REMOVED)
    if yes:
        give_seats(state, Student.objects.get(pk=student_id))
        classrooms.vouch(students=[student_id])
    session_changed(session_id)


def answer_all(*, session_id: int, yes: bool) -> None:
    """One press for all who wait for a yes: they come in, or are sent away. Of those who came
    new nothing is left then; the others may ask again."""
    if not yes:
        _turn_away(session_id)
        return
    with transaction.atomic():
        state = locked(session_id)
        if not state.tables:
            classrooms.vouch(students=[student.pk for student in state.asking])
            _asking(session_id).update(state=Attendance.State.HERE, newcomer=False)
            session_changed(session_id)
            return
    for student in state.asking:  # one by one: no table's move waits until all are seated
        with suppress(NotFound):
            answer(session_id=session_id, student_id=student.pk, yes=True)


@classrooms.deletion
def _turn_away(session_id: int) -> None:
    locked(session_id)
    classrooms.forget_newcomers(session=ClassSession.objects.get(pk=session_id))
    _asking(session_id).update(state=Attendance.State.REMOVED)
    session_changed(session_id)


def _asking(session_id: int) -> QuerySet[Attendance]:
    return Attendance.objects.filter(class_session=session_id, state=Attendance.State.ASKING)


@classrooms.deletion
def delete_unplayed_students(*, classroom: Classroom, students: Collection[int]) -> None:
    """Delete those of these students who never played, as ``never_played`` says at this
    moment: who has begun to play or sits down meanwhile stays."""
    boards.lock_tables_of(classroom.sessions.all())
    for student in never_played(classroom):
        if student.pk in students:
            seats.remove_student(student=student)


@transaction.atomic
def let_in(*, session_id: int, student_id: int) -> None:
    """Bring back, for a teacher, whoever was sent out, barred, or waits; who was sent out
    sits down where they sat."""
    state = locked(session_id)
    student = student_of(state, student_id)
    set_attendance(student, Attendance.State.HERE)
    give_seats(state, Student.objects.get(pk=student_id))
    if student.state == Attendance.State.ASKING:
        classrooms.vouch(students=[student_id])
    session_changed(session_id)


@transaction.atomic
def answer_request(*, session_id: int, request_id: int, granted: bool) -> None:
    """Store a teacher's yes or no to somebody who lost the rejoin phrase. A yes shuts out the
    devices that the student was signed in at."""
    state = locked(session_id)
    session = ClassSession.objects.get(pk=session_id)
    request = ReturnRequest.objects.filter(class_session=session, pk=request_id).first()
    if request is not None:
        _tell_table_of(state, request.student_id)
    if granted:
        _let_nobody_watch_on(state)
    classrooms.answer_request(session=session, request_id=request_id, granted=granted)
    session_changed(session_id)


@transaction.atomic
def answer_no_request(*, session_id: int) -> None:
    """One no to everybody who says they lost the phrase; they may ask again."""
    locked(session_id)
    ReturnRequest.objects.filter(class_session=session_id, granted=False).delete()
    session_changed(session_id)


@transaction.atomic
def send_out(*, session_id: int, student_id: int, bar: bool = False) -> None:
    """Remove a student from the session, also in mid-game: a bot takes the seat, holds it for
    them as long as the game lasts, and the table goes on. They may come back, unless barred:
    then the seat is anybody's."""
    state = locked(session_id)
    student = student_of(state, student_id)
    set_attendance(student, Attendance.State.BARRED if bar else Attendance.State.REMOVED)
    if student.table is not None and student.seat is not None:
        free_seat(table_of(state, student.table), student.seat, keep=not bar)
    elif bar:
        forget_seat(state, student_id)
    if student.table is None:
        _let_nobody_watch_on(state)
    session_changed(session_id)


def _let_nobody_watch_on(state: SessionState) -> None:
    """Whoever watches a table has to ask again whether they may."""
    if state.settings.watching:
        update_tables(state, watch_serial=F("watch_serial") + 1)

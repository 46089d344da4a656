"""Who may look at a table, and as whom."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace

from django.core.signing import BadSignature, Signer
from django.db import connection
from django.db.models import Exists, F, OuterRef

from games.models import Admission, Deal, Guest, Table
from games.tables.state import TableState, load_table
from games.tables.view import TableFacts
from xactika_site import clients
from xactika_site.accounts.models import User
from xactika_site.classrooms.models import Attendance, Classroom, Student
from xactika_site.classrooms.selectors import (
    AT_HOME,
    AtDevice,
    SignIn,
    Teacher,
    attendance_of,
    key_hash,
    students_at,
)
from xactika_site.classrooms.selectors import NotFound as NotFound

GUEST_COOKIE = "guest"
STUDENT_COOKIE = "student"

WATCH = "watch"
"""The place of whoever only watches; all others are numbers of seats."""


# Who may look.


@dataclass(frozen=True, slots=True)
class Viewer:
    """Somebody let in to a table: at ``seat``, or watching where it is None.

    ``serial`` is that of the link that let them in, or of the seat when they sat down there;
    a renewed link and another on the seat let nobody stay. ``device`` is the serial of a
    student's devices, ``browser`` the mark of the one they are at; ``sign_in`` is a teacher's
    who looks on, ``teacher_id`` that of one who plays a board of homework.
    What a table does not know of these rights, its session's room does.
    """

    seat: int | None
    serial: int
    guest_id: int | None = None
    student_id: int | None = None
    teacher_id: int | None = None
    is_teacher: bool = False
    device: int | None = None
    browser: str = ""
    sign_in: SignIn | None = None

    def may_stay(self, state: TableFacts) -> bool:
        """Whether what let this viewer in still holds."""
        if self.is_teacher:
            return state.is_shown or not state.is_homework
        if (
            self.student_id is not None
            and state.in_class is not None
            and state.in_class.is_past
        ):
            return False
        if self.seat is None:
            may_watch = state.class_session_id is None or state.setup.watching
            return may_watch and self.serial == state.watch_serial
        seat = state.seats[self.seat]
        return (
            self.serial == seat.serial
            and (self.guest_id is None or self.guest_id in seat.guests)
            and self.device in {None, seat.device_serial}
            and self.browser not in seat.left_browsers
        )

    def is_opener(self, state: TableFacts) -> bool:
        """Whether this is the browser that opened the table."""
        return self.guest_id is not None and self.guest_id == state.opener_id


_signer = Signer(salt="games.link", sep=".")


def seat_token(table_id: str, seat: int, serial: int) -> str:
    """The token of a seat's link and of a program's ``Authorization``; derived, not stored."""
    return _signer.sign(f"{table_id}.{seat}.{serial}")


def watch_token(table_id: str, serial: int) -> str:
    """The token of the table's watch link."""
    return _signer.sign(f"{table_id}.{WATCH}.{serial}")


def viewer_by_token(token: str) -> tuple[str, Viewer]:
    """The table's id and the viewer that a token stands for; NotFound if forged or renewed."""
    try:
        table_id, place, serial = _signer.unsign(token[:200]).split(".")
    except (BadSignature, ValueError):
        raise NotFound from None
    viewer = Viewer(seat=None if place == WATCH else int(place), serial=int(serial))
    if not viewer.may_stay(load_table(table_id)):
        raise NotFound
    clients.cache_client(token, f"token {table_id} {place}")
    return table_id, viewer


def find_guest(key: str | None) -> Guest | None:
    """The guest whose cookie this is."""
    if not key:
        return None
    guest = Guest.objects.filter(key_hash=key_hash(key)).first()
    if guest is not None:
        clients.cache_client(key, f"guest {guest.pk}")
    return guest


@dataclass(frozen=True, slots=True)
class Browser:
    """Who may be at a browser, by its cookies: a guest; students, one in each of several
    classrooms, the one who came in last first; a teacher."""

    guest: Guest | None = None
    students: tuple[AtDevice, ...] = ()
    teacher: User | None = None

    def at(self, session_id: int | None) -> Browser:
        """The same browser in this class session: its student is the one who is in there."""
        here = sorted(self.students, key=lambda each: each.session != session_id)
        return replace(self, students=tuple(here))

    @property
    def present(self) -> tuple[Student, int] | tuple[None, None]:
        """(student, class session for which they said so) of who came in last."""
        return self.students[0][:2] if self.students else (None, None)

    @property
    def mark(self) -> str:
        """The mark that the browser has in that session."""
        return self.students[0].mark if self.students else ""


def find_browser(cookies: Mapping[str, str], teacher: Teacher) -> Browser:
    """The guest, students and teacher that cookies and the sign-in of a request name."""
    return Browser(
        guest=find_guest(cookies.get(GUEST_COOKIE)),
        students=students_at(cookies.get(STUDENT_COOKIE)),
        teacher=teacher if isinstance(teacher, User) else None,
    )


def viewer_by_browser(table_id: str, browser: Browser, place: str | None = None) -> Viewer:
    """The viewer as whom this browser may look at the table; NotFound if it may not.

    ``place`` (a seat's number, or WATCH) says which is meant where it may in several
    ways.
    """
    state = load_table(table_id)
    if state.is_homework:
        return _viewer_of_homework(state, browser, place)
    if state.in_class is None:
        return viewer_by_guest(table_id, browser.guest, place)
    browser = browser.at(state.in_class.session_id)
    student, session_id = browser.present
    is_its_student = session_id == state.in_class.session_id and not state.in_class.is_past
    if student is not None and is_its_student:
        seat = next((s for s in state.seats if s.student_id == student.pk), None)
        number, serial = (seat.number, seat.serial) if seat else (None, state.watch_serial)
        may_look = seat is not None or state.setup.watching
        is_here = _is_in(student.pk, state.in_class.session_id, browser.mark)
        if is_here and may_look and place in {None, WATCH if number is None else str(number)}:
            return Viewer(
                number,
                serial,
                student_id=student.pk,
                device=student.device_serial,
                browser=browser.mark,
            )
    if browser.teacher is not None and place in {None, WATCH}:
        classrooms = Classroom.objects.filter(teachers=browser.teacher.pk)
        if classrooms.filter(sessions=state.in_class.session_id).exists():
            return Viewer(None, state.watch_serial, is_teacher=True)
    raise NotFound


# Asked three times for everybody who sits down, while whole classes do. Through the ORM it was
# two fifths of what it took to find out who they are.
_HERE = """
    SELECT browsers FROM classrooms_attendance
    WHERE class_session_id = %s AND student_id = %s AND state = %s
"""


def _is_in(student_id: int, session_id: int, mark: str) -> bool:
    """Whether a student is here in a class session, at a browser that is still theirs."""
    with connection.cursor() as cursor:
        cursor.execute(_HERE, [session_id, student_id, Attendance.State.HERE.value])
        rows = cursor.fetchall()
    if not rows:
        return False
    (browsers,) = rows[0]
    marks = json.loads(browsers) if isinstance(browsers, str) else browsers
    return bool(marks.get(mark, True))


def _viewer_of_homework(state: TableState, browser: Browser, place: str | None) -> Viewer:
    """The viewer that this browser is at homework: who plays it, a student or a teacher of the
    class, or once all is shown any of these teachers; NotFound for anybody else."""
    seats = {seat.student_id: seat for seat in state.people}
    for student in students_here(browser):
        seat = seats.get(student.pk)
        if seat is not None and place in {None, str(seat.number)}:
            device = student.device_serial
            return Viewer(seat.number, seat.serial, student_id=student.pk, device=device)
    teacher = browser.teacher
    if teacher is None or not teacher.classrooms.filter(tables=state.id).exists():
        raise NotFound
    if teacher.pk == state.homework_teacher_id and place in {None, "0"}:
        return Viewer(0, state.seats[0].serial, teacher_id=teacher.pk)
    if state.is_shown and place in {None, WATCH}:
        return Viewer(None, state.watch_serial, is_teacher=True)
    raise NotFound


def students_here(browser: Browser) -> list[Student]:
    """The students whom this browser's cookies name and who are not sent out: theirs is what
    they have played in their classroom, also after the session."""
    return [at.student for at in browser.students if at.session == AT_HOME or _is_here(at)]


def _is_here(at: AtDevice) -> bool:
    attendance = attendance_of(at.student, at.session)
    if attendance is None or attendance.state != Attendance.State.HERE:
        return False
    return bool(attendance.browsers.get(at.mark, True))


def viewer_by_guest(table_id: str, guest: Guest | None, place: str | None = None) -> Viewer:
    """The viewer as whom this browser was let in to the table; NotFound if it was not.

    A browser may hold several seats of a table (brothers and sisters at one device):
    ``place`` (a seat's number, or WATCH) says which is meant; without it, the seat
    whose link was visited last, and before watching any seat.
    """
    if guest is None:
        raise NotFound
    state = load_table(table_id)
    visits = Admission.objects.filter(table=table_id, guest=guest, taken_over=False)
    visits = visits.order_by("-visited")
    places = list(visits.values_list("seat__number", flat=True))
    if place is not None:
        places = [n for n in places if (WATCH if n is None else str(n)) == place]
    if not places:
        raise NotFound
    number = next((n for n in places if n is not None), None)
    serial = state.watch_serial if number is None else state.seats[number].serial
    return Viewer(seat=number, serial=serial, guest_id=guest.pk)


def has_lost_a_seat(table_id: str, guest: Guest | None) -> bool:
    """Whether another browser has taken over a seat that this one had."""
    lost = Admission.objects.filter(table=table_id, guest=guest, taken_over=True)
    return guest is not None and lost.exists()


def unfinished_game(guest: Guest | None) -> tuple[TableState, int] | None:
    """The game that this browser sits at and can go back to, and its seat there: of several
    the one whose link it visited last; none that is over or closed."""
    is_over = Deal.objects.filter(
        table=OuterRef("table"), round=F("table__rounds"), results__isnull=False
    )
    sits_at = (
        Admission.objects.filter(guest=guest, seat__isnull=False, table__closed=False)
        .filter(taken_over=False)
        .exclude(Exists(is_over))
        .exclude(table__kind=Table.Kind.STUDY)
        .order_by("-visited", "-pk")
        .values_list("table", "seat__number")
    )
    place = sits_at.first() if guest else None
    return (load_table(place[0]), place[1]) if place else None

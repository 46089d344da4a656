"""Who sits where: coming in by a link, students on seats, and who is there."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F, Max, Q, QuerySet
from django.utils.translation import gettext as _

from games.models import Admission, Deal, Guest, Seat, Table
from games.tables import boards
from games.tables.dealing import BOT_NAMES, deal_next
from games.tables.notify import changed, notify_after_commit, session_changed, table_changed
from games.tables.state import TableState, load_table
from games.tables.timing import AWAY_AFTER, is_away, last_seen
from games.tables.view import Status
from xactika_site import clock
from xactika_site.classrooms.models import Attendance, Classroom, Student
from xactika_site.classrooms.services import (
    deletion,
    lock_classroom,
    lock_session,
    note_day,
    update_unlocked,
)
from xactika_site.randomness import system_rng


class SeatTaken(Exception):
    """Another browser sits there: its hand is shown to a second one knowingly or not at all."""


@transaction.atomic
def admit(*, table_id: str, seat: int | None, guest: Guest, take_over: bool = False) -> None:
    """Let a browser in to a seat, or to watch; the last person needed starts the game. Where
    another browser sits already it loses the seat (``take_over``), or SeatTaken is raised."""
    state = load_table(table_id, lock=True)
    place = None if seat is None else Seat.objects.get(table=table_id, number=seat)
    if seat is not None and state.seats[seat].is_anothers(guest):
        if not take_over:
            raise SeatTaken
        Admission.objects.filter(table=table_id, seat=place).update(taken_over=True)
    Admission.objects.update_or_create(
        table_id=table_id,
        guest=guest,
        seat=place,
        defaults={"visited": clock.now(), "taken_over": False},
    )
    if place is not None and seat is not None:
        if guest.pk not in state.seats[seat].guests:
            changed(state)
        _open_seat(state, seat)


@transaction.atomic
def open_seat(*, table_id: str, seat: int, program: bool = False) -> None:
    """Note that a seat's person has come: their link was visited, or their token connected (by
    a ``program``). The last person needed starts the game."""
    _open_seat(load_table(table_id, lock=True), seat, program=program)


def _open_seat(state: TableState, seat: int, *, program: bool = False) -> None:
    now = clock.now()
    presence = last_seen([state.id]).get(state.id, {})
    Seat.objects.filter(table=state.id, number=seat).update(opened=True, last_seen=now)
    if program and not state.seats[seat].program:
        Seat.objects.filter(table=state.id, number=seat).update(program=True)
        changed(state)
    if not state.seats[seat].opened:
        changed(state)
        start_if_all_here(state, but=seat)
    elif is_away(state, seat, presence, now):
        changed(state)


def start_if_all_here(state: TableState, *, but: int | None = None) -> None:
    """Deal the first round of a table that waits once all its people have come, without the
    seat ``but`` too; not in a class, where the teacher starts the tables."""
    if state.kind == Table.Kind.CLASS:
        return
    if state.status == Status.WAITING and all(
        seat.opened or seat.number == but for seat in state.people
    ):
        deal_next(state)


def set_stand_in(state: TableState, seat: int, on: bool) -> None:
    """Let a bot stand in for the seat's person, or hand back. In the caller's transaction."""
    Seat.objects.filter(table=state.id, number=seat).update(stand_in=on)
    changed(state)


# Students on seats.


def seat_student(*, table_id: str, seat: int, student: Student) -> None:
    """Give the student this bot's seat: see ``seat_students``."""
    seat_students(table_id=table_id, students={seat: student})


def seat_students(*, table_id: str, students: Mapping[int, Student]) -> None:
    """Give each of these students the bot's seat of this number, its hand and its points. Runs
    in the caller's transaction."""
    dealt = Deal.objects.filter(table=table_id).aggregate(last=Max("round"))["last"]
    slow = _leave_earlier_seats(table_id, students.values())
    for seat, student in students.items():
        Seat.objects.filter(table=table_id, number=seat).update(
            student=student,
            kept_for=None,
            name=student.name,
            level="",
            opened=True,
            stand_in=False,
            slow=student.pk in slow,
            ready_at=None,
            from_round=(dealt or 0) + 1,
            last_seen=clock.now(),
            serial=F("serial") + 1,
        )
    table_changed(table_id)


def open_seats(*, table: Table, names: Sequence[str], students: Mapping[int, Student]) -> None:
    """Store a new table's seats: bots of these names, and at once the students who take some
    of them. Runs in the caller's transaction."""
    slow, now = _leave_earlier_seats(table.pk, students.values()), clock.now()
    Seat.objects.bulk_create(
        Seat(table=table, number=number, name=name, level=table.level, opened=True)
        if (student := students.get(number)) is None
        else Seat(
            table=table,
            number=number,
            student=student,
            name=student.name,
            opened=True,
            slow=student.pk in slow,
            last_seen=now,
            serial=1,
        )
        for number, name in enumerate(names)
    )
    table_changed(table.pk)


def _leave_earlier_seats(table_id: str, students: Collection[Student]) -> set[int]:
    """Free the seats that are kept for these students, and send their pages at closed tables of
    the session on to this one. Returns the keys of those whose latest seat had slow bots."""
    of_session = Seat.objects.filter(table__class_session__tables=table_id)
    theirs = of_session.filter(Q(student__in=students) | Q(kept_for__in=students))
    slow: dict[int, bool] = {}
    for pk, table, closed, student_id, kept_for, was_slow in list(
        theirs.order_by("pk").values_list(
            "pk", "table", "table__closed", "student", "kept_for", "slow"
        )
    ):
        if kept_for is not None:
            keep_no_seat(Seat.objects.filter(pk=pk))
        if student_id is None:
            continue
        slow[student_id] = was_slow
        if closed:
            table_changed(table)
            Seat.objects.filter(pk=pk).update(serial=F("serial") + 1)
    return {pk for pk, was_slow in slow.items() if was_slow}


def keep_no_seat(seats: QuerySet[Seat]) -> None:
    """Let these seats be kept for nobody any more. Runs in the caller's transaction, which
    holds the session."""
    for seat in seats:
        table_changed(seat.table_id)
        Seat.objects.filter(pk=seat.pk).update(kept_for=None)


def free_seat(state: TableState, seat: int, *, keep: bool = False) -> None:
    """Give this student's seat to a bot, whatever is being played; it may ``keep`` it for them.
    Runs in the caller's transaction."""
    used = {other.name for other in state.seats}
    free = [name for name in BOT_NAMES if name not in used]
    leaves = state.seats[seat]
    left_by = leaves.left_by | leaves.keys if state.is_running else frozenset()
    Seat.objects.filter(table=state.id, number=seat).update(
        student=None,
        kept_for=state.seats[seat].student_id if keep else None,
        left_by=sorted(left_by),
        name=system_rng.choice(free) if free else _("Bot %d") % (seat + 1),
        level=state.setup.level,
        stand_in=False,
        slow=False,
        ready_at=None,
        serial=F("serial") + 1,
    )
    changed(state)


def leave_homework(*, student: Student) -> None:
    """ "I’m done": cut off all pages that are open at the student's homework; whoever is still
    them somewhere loads it again."""
    _leave_homework(student.classroom, seat_set__student=student)


def leave_homework_as_teacher(*, teacher: int, classrooms: Iterable[Classroom]) -> None:
    """Cut off the pages where a teacher (by primary key) who has signed out, or teaches there
    no more, plays these classrooms' open homework. The seats stay theirs."""
    here = Classroom.objects.filter(pk__in=[each.pk for each in classrooms])
    own = here.filter(tables__teacher=teacher, tables__shown_round=0)
    for classroom in own.distinct().order_by("pk"):
        _leave_homework(classroom, teacher=teacher, shown_round=0)


@transaction.atomic
def _leave_homework(classroom: Classroom, **whose: Any) -> None:
    lock_classroom(classroom)
    theirs = Table.objects.filter(kind=Table.Kind.HOMEWORK, classroom=classroom, **whose)
    keys = list(theirs.values_list("pk", flat=True))
    for table_id in boards.lock_tables(Table.objects.filter(pk__in=keys)):
        Seat.objects.filter(table=table_id, number=0).update(serial=F("serial") + 1)
        table_changed(table_id)


@deletion
def remove_student(*, student: Student) -> None:
    """Delete a student: the name, the phrase and all links to what they played. Bots take
    their seats at once; moves and results stay, nameless, for the classmates."""
    if Table.objects.filter(kind=Table.Kind.HOMEWORK, seat_set__student=student).exists():
        lock_classroom(student.classroom)
    attended = Attendance.objects.filter(student=student).order_by("class_session")
    sessions = list(attended.values_list("class_session", flat=True))
    for session_id in sessions:
        lock_session(session_id)
    # Not in one "or", for which SQLite reads every table there is.
    of_classes = Table.objects.filter(class_session__in=sessions)
    own = Table.objects.filter(seat_set__student=student)
    keys = {key for some in (of_classes, own) for key in some.values_list("pk", flat=True)}
    boards.lock_tables(Table.objects.filter(pk__in=keys))
    seats = Seat.objects.filter(student=student).exclude(table__kind=Table.Kind.PAPER)
    for table_id, number in list(seats.values_list("table", "number")):
        free_seat(load_table(table_id), number)
    keep_no_seat(Seat.objects.filter(kept_for=student))
    for left in Seat.objects.filter(table__class_session__in=sessions).exclude(left_by=[]):
        nameless = [key for key in left.left_by if key != str(student.pk)]
        Seat.objects.filter(pk=left.pk, left_by=left.left_by).update(left_by=nameless)
    Student.objects.filter(pk=student.pk).delete()
    for session_id in sessions:
        session_changed(session_id)


@transaction.atomic
def leave_one(student: Student, table_id: str) -> None:
    """Give a student's seats at one table to bots: what ``remove_student`` begins with."""
    of_class = Table.objects.filter(pk=table_id).exclude(class_session=None)
    session_id = of_class.values_list("class_session", flat=True).first()
    if session_id is not None:
        lock_session(session_id)
    boards.lock_tables(Table.objects.filter(pk=table_id))
    theirs = Seat.objects.filter(table=table_id, student=student)
    for number in list(theirs.values_list("number", flat=True)):
        free_seat(load_table(table_id), number)
    if session_id is not None:
        session_changed(session_id)


# Being there.


def mark_seen(*, seats: Sequence[int], when: datetime) -> int:
    """How many people of these seats (by primary key) could be noted as connected: whose seat
    is being written to just now is left out."""
    here = Seat.objects.filter(pk__in=seats)
    noted = update_unlocked(here, last_seen=when)
    note_day(students=here.filter(student__isnull=False).values("student"))
    return noted


def mark_gone(*, table_id: str, seat: int, unless_seen_since: datetime) -> None:
    """Note as away the person of a seat whose last connection here has ended, unless they were
    seen elsewhere since."""
    with transaction.atomic():
        boards.lock_tables(Table.objects.filter(pk=table_id))
        gone = Seat.objects.filter(
            table=table_id, number=seat, last_seen__lte=unless_seen_since
        ).update(last_seen=unless_seen_since - AWAY_AFTER)
        if gone:
            Table.objects.filter(pk=table_id).update(version=F("version") + 1)
            notify_after_commit(table_id)

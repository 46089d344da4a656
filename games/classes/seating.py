"""Seats for whoever is here: given, kept, left, and moved between."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from games.classes.forming import (
    form,
    has_bots,
    new_table,
    plan_tables,
    present_students,
    wishes_of,
)
from games.classes.free_seats import (
    WhyNoSeat,
    keys_of,
    seat_on_offer,
    split_by_browser,
    unseated,
)
from games.classes.sessions import locked, student_of, table_of
from games.classes.state import SeatAt, SessionState, StudentState, seat_of
from games.models import Seat, Table
from games.rules import MAX_SEATS, MIN_SEATS
from games.tables import notify, seats
from games.tables.notify import notify_after_commit, session_changed
from games.tables.seats import free_seat, seat_student
from games.tables.state import TableState, load_table
from games.tables.view import OVER, RUNNING, Status, TableFacts
from xactika_site import clock
from xactika_site.classrooms.models import Attendance, Student
from xactika_site.classrooms.services import Refused


@transaction.atomic
def seat_present(*, session_id: int) -> None:
    """Seat whoever is here without a seat, by whatever way they came: joined late, or back
    on a phone that slept while the class began. Where they cannot, they wait."""
    give_seats(locked(session_id))


@transaction.atomic
def seat_everybody(*, session_id: int) -> None:
    """Seat, at a teacher's press, whoever is here without a seat, also where the teacher
    seats by hand, has closed their table, or a bot has to sit with them. Refused where
    nothing is left to play, or a board is being played."""
    state = locked(session_id)
    if all(student.table is not None for student in present_students(state)):
        raise Refused(_("Nobody is waiting for a seat."))
    match give_seats(state, also_left=True, sure=True):
        case WhyNoSeat.BOARD:
            raise Refused(_("They’ll get a seat at the next board."))
        case WhyNoSeat.OVER:
            raise Refused(_("They play in the next game."))


def give_seats(
    state: SessionState,
    newcomer: Student | None = None,
    *,
    also_left: bool = False,
    sure: bool = False,
) -> WhyNoSeat | None:
    """Why somebody still waits, None if nobody does, when whoever is here has a seat, the
    ``newcomer`` of this moment among them, and ``also_left`` whose table was closed. Who was
    sent out gets the seat that a bot holds for them. Nobody gets a second hand of one deal."""
    if not state.tables:
        return WhyNoSeat.LOBBY
    if newcomer is not None and seat_of(newcomer, state.id):
        return None
    tables = {table_id: load_table(table_id, lock=True) for table_id in state.tables}
    kept = newcomer and _kept_seat(tables.values(), newcomer.pk, state.id)
    if newcomer is not None and kept:
        seat_student(table_id=kept.table, seat=kept.number, student=newcomer)
        return None
    ready, left = unseated(state, tables.values(), clock.now())
    waiting = [student.pk for student in (*ready, *(left if also_left else ()))]
    if newcomer is not None:
        waiting = [*(pk for pk in waiting if pk != newcomer.pk), newcomer.pk]
    students = Student.objects.in_bulk(waiting)
    keys = keys_of(state.id, waiting)
    why: WhyNoSeat | None = None
    while waiting:
        first = keys[waiting[0]]
        offer = seat_on_offer(state, tables.values(), len(waiting), first, sure=sure)
        if offer.why:
            why = offer.why
            waiting.pop(0)
        elif offer.table is not None and offer.seat is not None:
            if offer.seat == len(tables[offer.table].seats):
                _add_seat(tables[offer.table])
            student = students[waiting.pop(0)]
            seat_student(table_id=offer.table, seat=offer.seat, student=student)
            tables[offer.table] = load_table(offer.table)
        else:
            wishes = wishes_of(state)
            plan = plan_tables(len(waiting), seats=wishes.seats, filling=wishes.filling)
            together, apart = split_by_browser(waiting[: plan.people[0]], keys)
            waiting = [*apart, *waiting[plan.people[0] :]]
            new = new_table(state, together, plan.seats[0])
            tables[new] = load_table(new)
    return why


def _kept_seat(tables: Collection[TableState], student: int, session_id: int) -> SeatAt | None:
    """The seat that a bot holds for whoever was sent out from it."""
    for table in tables:
        for seat in table.seats:
            if seat.is_bot and seat.kept_for == student and not table.closed:
                keys = keys_of(session_id, [student])[student]
                at = SeatAt(table.id, seat.number)
                return at if table.may_sit(at.number, keys) else None
    return None


def forget_seat(state: SessionState, student_id: int) -> None:
    """Let no seat be kept for the student any more."""
    seats.keep_no_seat(Seat.objects.filter(table__in=state.tables, kept_for=student_id))


def _leave_seat(state: SessionState, student: StudentState) -> None:
    """A bot takes the seat; where none is wished for, a table that has not been dealt to has
    one seat less, down to the fewest that can play, and one that nobody is left at goes."""
    if student.table is None or student.seat is None:
        return
    table = table_of(state, student.table)
    if has_bots(state) or table.is_duplicate or table.status != Status.WAITING:
        free_seat(table, student.seat)
    elif len(table.people) == 1:
        remove_table(state, table)
    elif len(table.seats) == MIN_SEATS:
        free_seat(table, student.seat)
    else:
        remove_seat(table, student.seat)


def remove_seat(table: TableState, number: int) -> None:
    """One seat less at a table that has not been dealt to; those behind it move up."""
    Seat.objects.filter(table=table.id, number=number).delete()
    for behind in range(number + 1, len(table.seats)):
        Seat.objects.filter(table=table.id, number=behind).update(
            number=behind - 1, serial=F("serial") + 1
        )
    notify.table_changed(table.id)


def remove_table(state: SessionState, table: TableState) -> None:
    """Remove a table that nobody sits at before the first deal; those behind it on screen move
    up."""
    Table.objects.filter(pk=table.id).delete()
    notify_after_commit(table.id)
    behind = Table.objects.filter(class_session=state.id, game=state.game)
    free = table.number
    for other in behind.filter(number__gt=free).order_by("number"):
        Table.objects.filter(pk=other.pk).update(number=free)
        free = other.number
        notify.table_changed(other.pk)


@transaction.atomic
def add_table(*, session_id: int) -> None:
    """Tables for those who wait; they play at once if the class does."""
    state = locked(session_id)
    if not state.waiting:
        raise Refused(_("Nobody is waiting for a seat."))
    tables = [load_table(table_id) for table_id in state.tables]
    offer = seat_on_offer(state, tables, len(state.waiting), sure=True)
    if state.duplicate and offer.why == WhyNoSeat.OVER:
        raise Refused(_("They play in the next game."))
    form(state)
    session_changed(session_id)


@transaction.atomic
def move_student(*, session_id: int, student_id: int, table_id: str) -> None:
    """Seat a student at another table, on a bot's seat. Refused in the middle of the
    student's round, or where no seat is free; a table that has not begun gets one more."""
    state = locked(session_id)
    student = student_of(state, student_id)
    if student.state != Attendance.State.HERE:
        raise Refused(_("%(name)s is not here.") % {"name": student.name})
    if student.table == table_id:
        return
    there = table_of(state, table_id)
    if there.is_duplicate and there.status in RUNNING:  # nobody changes seats then
        raise Refused(_("Some tables are still playing this board."))
    if student.table is not None and table_of(state, student.table).status in RUNNING:
        raise Refused(_("That table is in a round. Wait for its end."))
    if student.table is not None:
        _keep_treatments([table_of(state, student.table), there])
    seat = free_seat_at(there, student)
    _leave_seat(state, student)
    _move_to(table_id, seat, student)
    session_changed(session_id)


@transaction.atomic
def swap(*, session_id: int, student_id: int, other_id: int) -> None:
    """Two students at two tables change seats. Refused while either is in a round, or where one
    has seen a hand at the other's table."""
    state = locked(session_id)
    one, other = student_of(state, student_id), student_of(state, other_id)
    if one.table is None or other.table is None or one.table == other.table:
        raise Refused(_("Two students can swap if they sit at different tables."))
    tables = [table_of(state, one.table), table_of(state, other.table)]
    if any(table.status not in {Status.WAITING, Status.ROUND_OVER} for table in tables):
        raise Refused(_("That table is in a round. Wait for its end."))
    _keep_treatments(tables)
    pairs = [(tables[0], one, other), (tables[1], other, one)]
    for table, leaves, comes in pairs:
        assert leaves.seat is not None
        if not table.may_sit(leaves.seat, comes.keys):
            raise Refused(
                _("%(name)s’s device is already at table %(number)d.")
                % {"name": comes.name, "number": table.number}
            )
    for table, leaves, _comes in pairs:
        free_seat(table, leaves.seat or 0)
    for table, leaves, comes in pairs:
        _move_to(table.id, leaves.seat or 0, comes)
    session_changed(session_id)


def _move_to(table_id: str, seat: int, student: StudentState) -> None:
    """The teacher seats a student here; one who is away does not seem to have come by that."""
    seat_student(table_id=table_id, seat=seat, student=Student.objects.get(pk=student.pk))
    if student.is_away(clock.now()):
        theirs = Seat.objects.filter(table=table_id, number=seat)
        theirs.update(last_seen=student.last_seen)


def _keep_treatments(tables: Sequence[TableState]) -> None:
    """Refused where an experiment compares these two tables: who has played by one tip does
    not forget it at a table of the other."""
    if len({table.treatment for table in tables}) > 1:
        raise Refused(
            _("The experiment compares these tables. Everyone stays until the game is over.")
        )


def free_seat_at(table: TableState, student: StudentState) -> int:
    """The number of a bot's seat for this student, or of one more at a table that has not begun
    (but not where all tables are dealt the same cards); Refused if there is none, or if it were
    a second hand of one deal."""
    bots = [seat for seat in table.seats if seat.is_bot]
    allowed = [seat for seat in bots if table.may_sit(seat.number, student.keys)]
    if not allowed and not table.may_sit(len(table.seats), student.keys):
        raise Refused(
            _("%(name)s has seen another hand at table %(number)d. Choose another table.")
            % {"name": student.name, "number": table.number}
        )
    bots = allowed
    if bots and table.status not in OVER:
        return min(bots, key=lambda seat: seat.kept_for is not None).number
    if _may_grow(table):
        return _add_seat(table)
    raise Refused(_("Table %(number)d has no free seat.") % {"number": table.number})


def takes_students(table: TableFacts) -> bool:
    """Whether students may be moved to this table at all: it is not over, its board is not
    being played, and it has a bot's seat, or may get a seat more."""
    if table.status in OVER or (table.is_duplicate and table.status in RUNNING):
        return False
    return any(seat.is_bot for seat in table.seats) or _may_grow(table)


def _may_grow(table: TableFacts) -> bool:
    is_open = table.status == Status.WAITING and not table.is_duplicate
    return is_open and len(table.seats) < MAX_SEATS


def _add_seat(table: TableState) -> int:
    """The number of one seat more, added to a table that has not been dealt to."""
    number = len(table.seats)
    Seat.objects.create(
        table_id=table.id, number=number, name=_("Bot"), level=table.setup.level, opened=True
    )
    return number

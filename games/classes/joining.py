"""What a teacher does with a class session, and where its students come to sit.

Writes go through here or ``games.tables.moves``, in one transaction each that holds the
session's row, so that two teachers' clicks follow one another. Bells ring after commit.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from games.classes import state as class_selectors
from games.classes.state import (
    RUNNING,
    SessionState,
    StudentState,
    load_session,
    offer_seat,
    unseated,
)
from games.models import Seat, SessionSettings, Table
from games.rules import MAX_SEATS, MIN_SEATS
from games.tables import boards
from games.tables import moves as services
from games.tables.bell import ring_after_commit
from games.tables.moves import free_seat, seat_student, session_changed
from games.tables.state import NotFound, TableState, last_seen, load_table, next_board_due
from xactika_site.classrooms import services as classrooms
from xactika_site.classrooms.models import (
    LECTURE_HALL,
    Attendance,
    Classroom,
    ClassSession,
    ReturnRequest,
    Student,
)
from xactika_site.classrooms.selectors import key_hash
from xactika_site.classrooms.services import Refused
from xactika_site.tries import in_cache

State = ClassSession.State
SAME_CLICK = 600
"""Seconds within which a device that joins under the same name again is the same student."""

# Opening.


@transaction.atomic
def open_session(
    *, classroom: Classroom, settings: SessionSettings, expected: int | None = None
) -> ClassSession:
    """A new session of the classroom with these (unsaved) settings, its lobby open, for so many
    students as are ``expected`` (as many as last time if that is not said). Refused while
    another session of the classroom is unclosed."""
    session = classrooms.open_session(classroom=classroom, expected=expected)
    settings.class_session = session
    settings.deals = settings.deals or None
    settings.save(force_insert=True)
    return session


def settings_like(session: ClassSession) -> SessionSettings:
    """Unsaved settings for a copy of this session; of its prepared boards those that were never
    dealt."""
    copy = SessionSettings.objects.get(class_session=session)
    copy.pk, copy.held, copy.news = None, False, 0
    copy._state.adding = True
    return copy


@transaction.atomic
def change_settings(
    *,
    session_id: int,
    settings: SessionSettings,
    expected: int | None = None,
    has_new_deals: bool = True,
) -> None:
    """Store changed settings, and how many students are ``expected``, if that is said.
    What they say of pace, patience, clock, watching, odds and bots holds at once at the present
    tables, game and rounds where nothing has been dealt, the rest from the next game on. Before
    the class plays, other table sizes, bots or none, or the same cards for all seat everybody
    anew.
    ``has_new_deals`` says that the prepared boards are chosen anew, and not those found stored.
    """
    state = _locked(session_id)
    before = state.settings.seats, state.settings.duplicate, state.settings.filling
    # Whether rounds are held is a switch of its own, which somebody may have pressed meanwhile;
    # and there may be news.
    settings.held, settings.news = state.settings.held, state.settings.news + 1
    if settings.deals and not has_new_deals:
        settings.deals = state.settings.deals  # some may have been dealt meanwhile
    settings.save()
    if expected is not None:
        ClassSession.objects.filter(pk=session_id).update(expected=expected)
    waits = state.state == State.LOBBY
    after = settings.seats, settings.duplicate, settings.filling
    if waits and state.tables and after != before:
        tables = Table.objects.filter(pk__in=state.tables)
        boards.lock_tables(tables)
        tables.delete()
        for table_id in state.tables:
            ring_after_commit(table_id)
        state = _locked(session_id)
        _form(state)
    elif waits or not state.duplicate:  # a late table of the same cards joins its game
        Table.objects.filter(pk__in=state.tables, deals=None).update(
            variant=settings.variant,
            rounds=settings.rounds,
            prepared=settings.deals if state.duplicate else None,
        )
    _update_tables(
        state,
        pace=settings.pace,
        patience=settings.patience,
        clock=settings.clock,
        watching=settings.watching,
        odds_panel=settings.odds_panel,
        level=settings.level,
    )
    session_changed(session_id)


def _locked(session_id: int) -> SessionState:
    """The session, with every other writer of it kept out until the transaction ends. Refused
    if it is closed."""
    if not classrooms.lock_session(session_id):
        raise NotFound
    state = load_session(session_id)
    if state.is_closed:
        raise Refused(_("This session is closed."))
    return state


def _table(state: SessionState, table_id: str) -> TableState:
    """A table of the session's present game, locked."""
    if table_id not in state.tables:
        raise NotFound
    return load_table(table_id, lock=True)


def _update_tables(state: SessionState, **fields: Any) -> None:
    """Set fields of every table of the present game."""
    for table_id in state.tables:
        Table.objects.filter(pk=table_id).update(**fields)
        services.table_changed(table_id)


def _set(session_id: int, **fields: Any) -> None:
    ClassSession.objects.filter(pk=session_id).update(**fields)
    session_changed(session_id)


# Coming in.


@transaction.atomic
def join(*, session: ClassSession, name: str, device: str = "", browser: str = "") -> Student:
    """Somebody new comes in under this generated name, and sits down if there is play.

    A ``device`` (by a random nonce of its own) that sends the same name twice, as a double
    click does, is one student. ``browser`` is its mark in this session. Refused as
    ``classrooms.services.new_student`` and ``attend`` say.
    """
    _keep_others_out(session)
    click = f"joined.{session.pk}.{key_hash(f'{device} {name}')}"
    if device and (before := in_cache(lambda known: known.get(click))):
        known = Student.objects.filter(pk=before).first()
        if known is not None:
            return known
    student, has_to_wait = classrooms.new_student(session=session, name=name)
    _attend(session, student, browser=browser, has_to_wait=has_to_wait)
    if device:
        in_cache(lambda known: known.set(click, student.pk, timeout=SAME_CLICK))
    return student


@transaction.atomic
def come_in(
    *, session: ClassSession, student: Student, sure: bool = False, browser: str = ""
) -> None:
    """A student of the classroom comes in, or back to the seat they had; ``sure`` if a
    teacher has said yes. Refused if barred, or new while the lobby is locked."""
    _keep_others_out(session)
    _attend(session, student, sure=sure, browser=browser)


def _keep_others_out(session: ClassSession) -> None:
    """As ``_locked``, without its picture: while a class comes in, everybody's is not needed
    for each."""
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
    arrival = classrooms.attend(
        session=session, student=student, browser=browser, sure=sure, has_to_wait=has_to_wait
    )
    if state is not None:
        for student_id in arrival.moved:
            _tell_table_of(state, student_id)
        if arrival.attendance.state == Attendance.State.HERE:
            _give_seats(state, student)
    if has_to_wait is None:  # who is new is noted from the start
        classrooms.note_day(students=[student.pk])
    session_changed(session.pk)


def _tell_table_of(state: SessionState, student_id: int) -> None:
    """What a student's open table page rests on has changed."""
    for known in state.students:
        if known.pk == student_id and known.table is not None:
            services.table_changed(known.table)


@transaction.atomic
def leave_browser(*, session_id: int, student: Student, browser: str) -> None:
    """ "I am done": the student is at this browser no longer, in any of its tabs. Their seat
    stays theirs."""
    classrooms.lock_session(session_id)
    come = Attendance.objects.filter(class_session=session_id, student=student)
    attendance = come.select_related("class_session").first()
    if attendance and classrooms.leave_browser(attendance=attendance, browser=browser):
        _tell_table_of(load_session(session_id), student.pk)
        session_changed(session_id)


@transaction.atomic
def seat_present(*, session_id: int) -> None:
    """Whoever is here without a seat gets one, by whatever way they came: joined late, or back
    on a phone that slept while the class began. Where they cannot, they wait."""
    _give_seats(_locked(session_id))


@transaction.atomic
def seat_everybody(*, session_id: int) -> None:
    """A teacher's one press: whoever is here without a seat gets one, also where the teacher
    seats by hand, has closed their table, or a bot has to sit with them. Refused where
    nothing is left to play, or a board is being played."""
    state = _locked(session_id)
    if not _present_waiting(state):
        raise Refused(_("Nobody is waiting for a seat."))
    match _give_seats(state, also_left=True, sure=True):
        case "board":
            raise Refused(_("A board is being played. They get a seat at the next one."))
        case "over":
            raise Refused(_("Nothing is left to play. They find a seat in the next game."))


def _present_waiting(state: SessionState) -> list[int]:
    return [known.pk for known in _present(state) if known.table is None]


def _give_seats(
    state: SessionState,
    newcomer: Student | None = None,
    *,
    also_left: bool = False,
    sure: bool = False,
) -> str:
    """Seat whoever is here without a seat, the ``newcomer`` of this moment among them, and
    ``also_left`` whose table was closed; why not, if somebody has to wait on. Who was sent out
    gets the seat that a bot holds for them. Nobody gets a second hand of one deal."""
    if not state.tables:
        return "lobby"
    if newcomer is not None and class_selectors.place_of(newcomer, state.id):
        return ""
    tables = {table_id: load_table(table_id, lock=True) for table_id in state.tables}
    kept = newcomer and _kept_seat(tables.values(), newcomer.pk, state.id)
    if newcomer is not None and kept:
        seat_student(table_id=kept[0], seat=kept[1], student=newcomer)
        return ""
    ready, left = unseated(state, tables.values(), timezone.now())
    waiting = [known.pk for known in (*ready, *(left if also_left else ()))]
    if newcomer is not None:
        waiting = [*(pk for pk in waiting if pk != newcomer.pk), newcomer.pk]
    known = Student.objects.in_bulk(waiting)
    keys, why = class_selectors.keys_of(state.id, waiting), ""
    while waiting:
        first = keys[waiting[0]]
        offer = offer_seat(state, tables.values(), len(waiting), first, sure=sure)
        if offer.why:
            why = offer.why
            waiting.pop(0)
        elif offer.table is not None and offer.seat is not None:
            if offer.seat == len(tables[offer.table].seats):
                _add_seat(tables[offer.table])
            student = known[waiting.pop(0)]
            seat_student(table_id=offer.table, seat=offer.seat, student=student)
            tables[offer.table] = load_table(offer.table)
        else:
            wishes = _wishes(state)
            plan = plan_tables(len(waiting), seats=wishes.seats, filling=wishes.filling)
            together, apart = class_selectors.strangers(waiting[: plan.people[0]], keys)
            waiting = [*apart, *waiting[plan.people[0] :]]
            new = _new_table(state, together, plan.seats[0])
            tables[new] = load_table(new)
    return why


def _kept_seat(
    tables: Collection[TableState], student: int, session_id: int
) -> tuple[str, int] | None:
    """The seat that a bot holds for whoever was sent out from it."""
    for table in tables:
        for seat in table.seats:
            if seat.is_bot and seat.kept_for == student and not table.closed:
                keys = class_selectors.keys_of(session_id, [student])[student]
                return (table.id, seat.number) if table.may_sit(seat.number, keys) else None
    return None


def _is_in_mid_board(tables: Collection[TableState]) -> bool:
    """Whether a board of a duplicate session is being played: nobody changes seats then."""
    return any(table.is_duplicate and table.status in RUNNING for table in tables)


@transaction.atomic
def come_in_by_request(*, session: ClassSession, key: str, browser: str = "") -> Student:
    """The teacher has let in who lost the phrase: they come in on the device that asked, even
    if they were barred before. Refused while there is no yes."""
    _locked(session.pk)
    student = classrooms.use_request(session=session, key=key)
    barred = Attendance.objects.filter(
        class_session=session, student=student, state=Attendance.State.BARRED
    )
    barred.update(state=Attendance.State.REMOVED)
    come_in(session=session, student=student, sure=True, browser=browser)
    return student


@transaction.atomic
def answer(*, session_id: int, student_id: int, yes: bool) -> None:
    """A teacher lets in who waits for a yes, or sends them away (they may ask again)."""
    state = _locked(session_id)
    known = _student(state, student_id)
    if known.state != Attendance.State.ASKING:
        return
    _set_attendance(known, Attendance.State.HERE if yes else Attendance.State.REMOVED)
    if yes:
        _give_seats(state, Student.objects.get(pk=student_id))
    session_changed(session_id)


def answer_all(*, session_id: int, yes: bool) -> None:
    """One press for all who wait for a yes: they come in, or are sent away. Of those who came
    new nothing is left then; the others may ask again."""
    if not yes:
        _turn_away(session_id)
        return
    with transaction.atomic():
        state = _locked(session_id)
        if not state.tables:
            _asking(session_id).update(state=Attendance.State.HERE, newcomer=False)
            session_changed(session_id)
            return
    for known in state.asking:  # one by one: no table's move waits until all are seated
        with suppress(NotFound):
            answer(session_id=session_id, student_id=known.pk, yes=True)


@classrooms.deletion
def _turn_away(session_id: int) -> None:
    _locked(session_id)
    classrooms.forget_newcomers(session=ClassSession.objects.get(pk=session_id))
    _asking(session_id).update(state=Attendance.State.REMOVED)
    session_changed(session_id)


def _asking(session_id: int) -> QuerySet[Attendance]:
    return Attendance.objects.filter(class_session=session_id, state=Attendance.State.ASKING)


@classrooms.deletion
def send_away(*, classroom: Classroom, students: Collection[int]) -> None:
    """Delete those of these students who never played, as ``never_played`` says at this
    moment: who has begun to play or sits down meanwhile stays."""
    boards.lock_sessions(classroom.sessions.all())
    for student in class_selectors.never_played(classroom):
        if student.pk in students:
            services.remove_student(student=student)


@transaction.atomic
def let_in(*, session_id: int, student_id: int) -> None:
    """A teacher's click brings back whoever was sent out, barred, or waits; who was sent out
    sits down where they sat."""
    state = _locked(session_id)
    known = _student(state, student_id)
    _set_attendance(known, Attendance.State.HERE)
    _give_seats(state, Student.objects.get(pk=student_id))
    session_changed(session_id)


@transaction.atomic
def answer_request(*, session_id: int, request_id: int, granted: bool) -> None:
    """A teacher's yes or no to somebody who lost the rejoin phrase. A yes shuts out the
    devices that the student was signed in at."""
    state = _locked(session_id)
    session = ClassSession.objects.get(pk=session_id)
    request = ReturnRequest.objects.filter(class_session=session, pk=request_id).first()
    for known in state.students:
        if request is not None and known.pk == request.student_id and known.table:
            services.table_changed(known.table)
    if granted:
        _let_nobody_watch_on(state)
    classrooms.answer_request(session=session, request_id=request_id, granted=granted)
    session_changed(session_id)


@transaction.atomic
def answer_no_request(*, session_id: int) -> None:
    """One no to everybody who says they lost the phrase; they may ask again."""
    _locked(session_id)
    ReturnRequest.objects.filter(class_session=session_id, granted=False).delete()
    session_changed(session_id)


@transaction.atomic
def send_out(*, session_id: int, student_id: int, bar: bool = False) -> None:
    """Remove a student from the session, also in mid-game: a bot takes the seat, holds it for
    them as long as the game lasts, and the table goes on. They may come back, unless barred:
    then the seat is anybody's."""
    state = _locked(session_id)
    known = _student(state, student_id)
    _set_attendance(known, Attendance.State.BARRED if bar else Attendance.State.REMOVED)
    if known.table is not None and known.seat is not None:
        free_seat(_table(state, known.table), known.seat, keep=not bar)
    elif bar:
        _keep_no_seat(state, student_id)
    if known.table is None:
        _let_nobody_watch_on(state)
    session_changed(session_id)


def _keep_no_seat(state: SessionState, student_id: int) -> None:
    services.keep_no_seat(Seat.objects.filter(table__in=state.tables, kept_for=student_id))


def _let_nobody_watch_on(state: SessionState) -> None:
    """Whoever watches a table has to ask again whether they may."""
    if state.settings.watching:
        _update_tables(state, watch_serial=F("watch_serial") + 1)


def _student(state: SessionState, student_id: int) -> StudentState:
    for known in state.students:
        if known.pk == student_id:
            return known
    raise NotFound


def _set_attendance(known: StudentState, to: str) -> None:
    attendance = Attendance.objects.filter(pk=known.attendance)
    attendance.update(state=to)
    if to == Attendance.State.HERE:
        attendance.update(newcomer=False)


def _leave_seat(state: SessionState, known: StudentState) -> None:
    """A bot takes the seat; where none is wished for, a table that has not been dealt to has
    one seat less, down to the fewest that can play, and one that nobody is left at goes."""
    if known.table is None or known.seat is None:
        return
    table = _table(state, known.table)
    if _has_bots(state) or table.is_duplicate or table.status != "waiting":
        free_seat(table, known.seat)
    elif len(table.people) == 1:
        _remove_table(state, table)
    elif len(table.seats) == MIN_SEATS:
        free_seat(table, known.seat)
    else:
        _remove_seat(table, known.seat)


def _has_bots(state: SessionState) -> bool:
    return state.settings.filling == SessionSettings.Filling.BOTS


def _remove_seat(table: TableState, number: int) -> None:
    """One seat less at a table that has not been dealt to; those behind it move up."""
    Seat.objects.filter(table=table.id, number=number).delete()
    for behind in range(number + 1, len(table.seats)):
        Seat.objects.filter(table=table.id, number=behind).update(
            number=behind - 1, serial=F("serial") + 1
        )
    services.table_changed(table.id)


def _remove_table(state: SessionState, table: TableState) -> None:
    """A table that nobody sits at before the first deal; those behind it move up."""
    Table.objects.filter(pk=table.id).delete()
    ring_after_commit(table.id)
    behind = Table.objects.filter(class_session=state.id, game=state.game)
    for other in behind.filter(number__gt=table.number).order_by("number"):
        Table.objects.filter(pk=other.pk).update(number=other.number - 1)
        services.table_changed(other.pk)


# Seating.


@dataclass(frozen=True, slots=True)
class Plan:
    """How many seats each table gets, and how many of them are people's."""

    seats: tuple[int, ...]
    people: tuple[int, ...]


def plan_tables(students: int, *, seats: int, filling: str) -> Plan:
    """Tables for so many students: of ``seats`` seats each, as few as possible, people spread
    evenly and bots on the rest; or, without bots, of sizes as near to ``seats`` as the number
    admits (a single student still gets a bot)."""
    if students == 0:
        return Plan((), ())
    if filling == SessionSettings.Filling.BOTS:
        tables = -(-students // seats)
        return Plan((seats,) * tables, _spread(students, tables))
    tables = min(max(1, round(students / seats)), max(1, students // MIN_SEATS))
    tables = max(tables, -(-students // MAX_SEATS))
    people = _spread(students, tables)
    return Plan(tuple(max(MIN_SEATS, n) for n in people), people)


def _spread(students: int, tables: int) -> tuple[int, ...]:
    each, more = divmod(students, tables)
    return tuple(each + (number < more) for number in range(tables))


@transaction.atomic
def form_tables(*, session_id: int) -> None:
    """Seat everybody who is in at new tables, not yet dealt, so that the teacher may still
    move them. Where tables stand already, seat those who wait."""
    _form(_locked(session_id))
    session_changed(session_id)


def _present(state: SessionState) -> list[StudentState]:
    """The students who are in and whose device has been seen just now."""
    now = timezone.now()
    return [known for known in state.here if not known.is_away(now)]


def _form(state: SessionState, but: Collection[int] = ()) -> None:
    """Tables for the present students without a seat, ``but`` some. Of two who came at one
    browser the second is seated apart, once the tables stand."""
    present = [known for known in _present(state) if known.table is None]
    students, _apart = class_selectors.strangers(
        [known.pk for known in present if known.pk not in but],
        {known.pk: known.keys for known in present},
    )
    if not state.tables and state.settings.seating == SessionSettings.Seating.SHUFFLED:
        services.shuffle(students)
    wishes = _wishes(state)
    plan = plan_tables(len(students), seats=wishes.seats, filling=wishes.filling)
    for seats, people in zip(plan.seats, plan.people, strict=True):
        _new_table(state, students[:people], seats)
        students = students[people:]


def _new_table(state: SessionState, students: Sequence[int], seats: int) -> str:
    """The session's next table, with these students on its first seats. Dealt at once if the
    class plays already."""
    game = max(state.game, 1)
    number = Table.objects.filter(class_session=state.id, game=game).count() + 1
    wishes = _wishes(state)
    if wishes.duplicate:
        seats = wishes.seats  # the same hands have to go round everywhere
    table = Table.objects.create(
        kind=Table.Kind.CLASS,
        class_session_id=state.id,
        game=game,
        number=number,
        variant=wishes.variant,
        rounds=wishes.rounds,
        level=wishes.level,
        patience=wishes.patience,
        clock=wishes.clock,
        pace=wishes.pace,
        held=wishes.held,
        watching=wishes.watching,
        odds_panel=wishes.odds_panel,
        room_paused=state.state == State.PAUSED,
        duplicate=wishes.duplicate,
        prepared=wishes.deals if wishes.duplicate else None,
    )
    names = services.bot_names(seats)
    for number in range(seats):
        Seat.objects.create(
            table=table, number=number, name=names[number], level=wishes.level, opened=True
        )
    known = Student.objects.in_bulk(students)
    for number, student in enumerate(students):
        seat_student(table_id=table.id, seat=number, student=known[student])
    if state.state != State.LOBBY and not wishes.duplicate:
        services.deal_first(load_table(table.id))
    return table.id


def _wishes(state: SessionState) -> SessionSettings:
    """The settings for one more table: of a game that has begun, its game's; and a duplicate
    session has equal tables, filled with bots."""
    wishes = state.settings
    if state.tables:
        table = load_table(state.tables[0])
        wishes.variant, wishes.duplicate = table.variant.value, table.is_duplicate
        if table.is_duplicate:
            wishes.seats, wishes.rounds = len(table.seats), table.rounds
            stored = Table.objects.values_list("prepared", flat=True)
            wishes.deals = stored.get(pk=table.id)
    if wishes.duplicate:
        wishes.filling = SessionSettings.Filling.BOTS
    return wishes


@transaction.atomic
def start(*, session_id: int) -> None:
    """The class begins to play: whoever waits is seated, and every table is dealt."""
    state = _locked(session_id)
    if state.state != State.LOBBY:
        return
    _form(state)
    if not _has_bots(state):
        _leave_no_bots(session_id)
    tables = class_selectors.present_game(session_id).tables
    if not tables:
        raise Refused(_("Nobody has come in yet."))
    _set(session_id, state=State.OPEN)
    _deal_first([load_table(table_id, lock=True) for table_id in tables])


def _leave_no_bots(session_id: int) -> None:
    """Where the teacher wants no bots, none is dealt in: seats that somebody left go, and who
    sits alone moves to the smallest table."""
    state = _locked(session_id)
    for known in state.here:
        tables = [_table(state, table_id) for table_id in state.tables]
        mine = next((table for table in tables if table.id == known.table), None)
        others = [
            table
            for table in tables
            if table is not mine
            and len(table.people) < MAX_SEATS
            and table.may_sit(len(table.seats), known.keys)
        ]
        if mine is not None and len(mine.people) == 1 and others:
            smallest = min(others, key=lambda each: (len(each.people), each.number))
            _remove_table(state, mine)
            seat = _free_seat_at(smallest, known)
            student = Student.objects.get(pk=known.pk)
            seat_student(table_id=smallest.id, seat=seat, student=student)
            state = _locked(session_id)
    for table_id in state.tables:
        while True:
            table = _table(state, table_id)
            bots = [seat.number for seat in table.seats if seat.is_bot]
            if not bots or len(table.seats) == MIN_SEATS:
                break
            _remove_seat(table, bots[-1])


def _deal_first(tables: Sequence[TableState]) -> None:
    if any(table.is_duplicate for table in tables):
        _deal_board(tables)
        return
    for table in tables:
        services.deal_first(table)


# Boards.


@transaction.atomic
def next_board(*, session_id: int, now_please: bool = False) -> None:
    """Deal the next board of a duplicate session if it is due, or because a teacher says so;
    whoever waits is seated first. While a board is being played nothing happens, or what the
    teacher says is refused."""
    state = _locked(session_id)
    tables = [_table(state, table_id) for table_id in state.tables]
    tables = [table for table in tables if table.status != "closed"]
    if now_please:
        if any(table.status in RUNNING for table in tables):
            raise Refused(_("Some tables still play this board."))
        is_due = not any(table.status == "game_over" for table in tables)
    else:
        presences = last_seen([table.id for table in tables])
        is_due = next_board_due(tables, presences, timezone.now())
    if not is_due or state.state != State.OPEN:
        return
    _give_seats(state, also_left=True)
    present = class_selectors.present_game(session_id).tables
    _deal_board([load_table(table_id, lock=True) for table_id in present])


def _deal_board(tables: Sequence[TableState]) -> None:
    """The same cards to every open table, in one transaction, the dealer fixed by the board:
    drawn for the first, then passed to the left."""
    tables = [table for table in tables if table.status in {"waiting", "round_over"}]
    if not tables:
        raise Refused(_("No table is left to deal to."))
    number = max(table.round_number for table in tables) + 1
    last = next((table.round for table in tables if table.round_number == number - 1), None)
    prepared = Table.objects.values_list("prepared", flat=True).get(pk=tables[0].id)
    dealer, hands = services.new_deal(
        seats=len(tables[0].seats), number=number, last=last, prepared=prepared
    )
    for table in tables:
        services.deal(table, number=number, dealer=dealer, hands=hands, board=number)
    _spend(tables[0].class_session_id, {"dealer": dealer, "hands": hands})
    Table.objects.filter(pk__in=[table.id for table in tables]).update(
        still_playing=len(tables)
    )


def _spend(session_id: int | None, board: dict[str, Any]) -> None:
    """A board has been dealt, and whoever holds a hand of it must not meet it again: it is no
    longer among the session's prepared ones. An empty list is left where it was the last."""
    settings = SessionSettings.objects.get(class_session=session_id)
    if settings.deals and board in settings.deals:
        left = [other for other in settings.deals if other != board]
        SessionSettings.objects.filter(pk=settings.pk).update(deals=left)


@transaction.atomic
def _play_out_step(session_id: int, table_id: str) -> str | None:
    """The turn of a table that its bots still have to play, or None."""
    table = _table(_locked(session_id), table_id)
    return table.turn if table.status in RUNNING and not table.paused else None


def play_out(*, session_id: int, table_id: str) -> None:
    """Bots play a table's round to its end at once, for a room that waits for it; not while it
    is paused."""
    while (turn := _play_out_step(session_id, table_id)) is not None:
        with suppress(services.Rejected):
            services.make_bot_move(table_id=table_id, turn=turn, for_anybody=True)


@transaction.atomic
def add_table(*, session_id: int) -> None:
    """Tables for those who wait; they play at once if the class does."""
    state = _locked(session_id)
    if not state.waiting:
        raise Refused(_("Nobody is waiting for a table."))
    tables = [load_table(table_id) for table_id in state.tables]
    offer = offer_seat(state, tables, len(state.waiting), sure=True)
    if state.duplicate and offer.why == "over":
        raise Refused(_("The last board is dealt. They find a seat in the next game."))
    _form(state)
    session_changed(session_id)


@transaction.atomic
def move_student(*, session_id: int, student_id: int, table_id: str) -> None:
    """Seat a student at another table, on a bot's seat. Refused in the middle of the
    student's round, or where no seat is free; a table that has not begun gets one more."""
    state = _locked(session_id)
    known = _student(state, student_id)
    if known.state != Attendance.State.HERE:
        raise Refused(_("%(name)s is not here.") % {"name": known.name})
    if known.table == table_id:
        return
    there = _table(state, table_id)
    if _is_in_mid_board([there]):
        raise Refused(_("A board is being played. Wait until every table has finished it."))
    if known.table is not None and _table(state, known.table).status in RUNNING:
        raise Refused(
            _("%(name)s is in the middle of a round. Wait for its end.") % {"name": known.name}
        )
    seat = _free_seat_at(there, known)
    _leave_seat(state, known)
    seat_student(table_id=table_id, seat=seat, student=Student.objects.get(pk=student_id))
    session_changed(session_id)


def _free_seat_at(table: TableState, known: StudentState) -> int:
    """A bot's seat for this student, or one more at a table that has not begun (but not where
    all tables are dealt the same cards); Refused if there is none, or if it were a second hand
    of one deal."""
    bots = [seat for seat in table.seats if seat.is_bot]
    allowed = [seat for seat in bots if table.may_sit(seat.number, known.keys)]
    if not allowed and not table.may_sit(len(table.seats), known.keys):
        raise Refused(
            _(
                "%(name)s has seen another hand at table %(number)d, on this device or before. "
                "Choose another table."
            )
            % {"name": known.name, "number": table.number}
        )
    bots = allowed
    if bots and table.status not in {"game_over", "closed"}:
        return min(bots, key=lambda seat: seat.kept_for is not None).number
    is_open = table.status == "waiting" and not table.is_duplicate
    if is_open and len(table.seats) < MAX_SEATS:
        return _add_seat(table)
    raise Refused(_("Table %(number)d has no free seat.") % {"number": table.number})


def _add_seat(table: TableState) -> int:
    """One seat more at a table that has not been dealt to; its number."""
    number = len(table.seats)
    Seat.objects.create(
        table_id=table.id, number=number, name=_("Bot"), level=table.level, opened=True
    )
    return number


# Steering.


@transaction.atomic
def pause_room(*, session_id: int, paused: bool) -> None:
    """Every table stops, or goes on. When a class goes on after its students left, bots stand
    in for those who have not come back; they take over again by playing."""
    state = _locked(session_id)
    before, after = (State.OPEN, State.PAUSED) if paused else (State.PAUSED, State.OPEN)
    if state.state != before:
        return
    now = timezone.now()
    _set(session_id, state=after)
    _update_tables(state, room_paused=paused, resumed=None if paused else now)
    if not paused:
        for known in state.here:
            if known.table and known.seat is not None and known.is_away(now):
                Seat.objects.filter(table=known.table, number=known.seat).update(stand_in=True)


@transaction.atomic
def pause_table(*, session_id: int, table_id: str, paused: bool) -> None:
    """One table stops, or goes on."""
    services.pause(_table(_locked(session_id), table_id), paused)
    session_changed(session_id)


@transaction.atomic
def stand_in(*, session_id: int, table_id: str, seat: int, on: bool) -> None:
    """A bot plays for a student until they or the teacher take the seat back."""
    table = _table(_locked(session_id), table_id)
    if not 0 <= seat < len(table.seats) or table.seats[seat].is_bot:
        raise NotFound
    services.set_stand_in(table, seat, on)


@transaction.atomic
def stretch_clock(*, session_id: int, student_id: int, factor: float) -> None:
    """How much longer the turn clock waits for a student: 1, 1.5, 2, or 0 for no clock."""
    state = _locked(session_id)
    known = _student(state, student_id)
    if known.table is not None:
        services.table_changed(known.table)
    classrooms.set_time_factor(student=Student.objects.get(pk=student_id), factor=factor)
    session_changed(session_id)


@transaction.atomic
def finish_after_round(*, session_id: int, table_id: str | None = None) -> None:
    """The game ends with the round that is being played, at one table or at all; at once
    where a round has just ended. A late table of a duplicate session, not dealt to yet, is
    closed with it."""
    state = _locked(session_id)
    if state.duplicate:
        table_id = None  # the tables of a duplicate session move in step
    for one in state.tables if table_id is None else (table_id,):
        table = _table(state, one)
        if table.is_duplicate and table.status == "waiting":
            _close(table)
        elif table.status in RUNNING | {"round_over"}:
            Table.objects.filter(pk=one).update(rounds=table.round_number)
            services.table_changed(one)
    session_changed(session_id)


@transaction.atomic
def close_table(*, session_id: int, table_id: str) -> None:
    """End one table where it stands; its students wait for another."""
    state = _locked(session_id)
    table = _table(state, table_id)
    _close(table)
    session_changed(session_id)


def _close(table: TableState) -> None:
    if table.status != "game_over":
        Table.objects.filter(pk=table.id).update(closed=True)
        services.table_changed(table.id)
        boards.progress(replace(table, closed=True))


@transaction.atomic
def hold_rounds(*, session_id: int, held: bool) -> None:
    """Whether the next round waits for the teacher at every table."""
    state = _locked(session_id)
    SessionSettings.objects.filter(class_session=session_id).update(held=held)
    _update_tables(state, held=held)
    session_changed(session_id)


@transaction.atomic
def next_round(*, session_id: int) -> None:
    """Deal the next round at every table that has finished one."""
    state = _locked(session_id)
    tables = [_table(state, table_id) for table_id in state.tables]
    if any(table.is_duplicate for table in tables):
        next_board(session_id=session_id, now_please=True)
        return
    for table in tables:
        if table.status == "round_over" and not table.paused:
            services.deal_next(table)


@transaction.atomic
def next_game(*, session_id: int, reseat: bool = False) -> None:
    """Another game with the same tables, or (``reseat``) with everybody seated anew, as also
    where tables that are to be dealt the same cards are not of the size wished for. Prepared
    boards that were never dealt come first, then shuffled cards. Refused while a table still
    plays, or with nobody there."""
    state = _locked(session_id)
    tables = [_table(state, table_id) for table_id in state.tables]
    if not all(table.status in {"game_over", "closed"} for table in tables):
        raise Refused(_("Some tables still play. Finish or close them first."))
    present = {known.pk for known in _present(state)}
    if not present:
        raise Refused(_("No student is here just now."))
    wishes = state.settings
    if wishes.deals == []:  # and the teacher has been told so
        SessionSettings.objects.filter(pk=wishes.pk).update(deals=None)
    if wishes.duplicate:
        playing = [table for table in tables if table.status == "game_over"]
        reseat |= any(len(table.seats) != wishes.seats for table in playing)
    groups = [
        (
            [pk for seat in table.people if (pk := seat.student_id or 0) in present],
            len(table.seats),
        )
        for table in tables
        if table.status == "game_over" and not reseat
    ]
    if not (_has_bots(state) or wishes.duplicate):
        groups = _without_bots(groups, present)
    # The old tables are present ones no longer: nobody has a seat yet.
    state = replace(
        state,
        game=state.game + 1,
        tables=(),
        students=tuple(replace(known, table=None, seat=None) for known in state.students),
    )
    for table in tables:
        services.table_changed(table.id)  # whoever still sits there is to go on
    seated: set[int] = set()
    for students, seats in groups:
        if students:
            _new_table(state, students, seats)
            seated |= set(students)
    _form(state, but=seated)
    if wishes.duplicate:
        _deal_first(
            [load_table(table) for table in class_selectors.present_game(state.id).tables]
        )
    session_changed(session_id)


def _without_bots(
    groups: Sequence[tuple[list[int], int]], present: set[int]
) -> list[tuple[list[int], int]]:
    """The same company without bots: who is left alone joins the smallest table, or finds
    somebody among the ``present`` who have none."""
    together = [students for students, _seats in groups if len(students) >= MIN_SEATS]
    alone = present - {pk for students in together for pk in students}
    if len(alone) == 1 and together and len(min(together, key=len)) < MAX_SEATS:
        min(together, key=len).extend(alone)
    return [(students, len(students)) for students in together]


# Closing.


@transaction.atomic
def set_flags(*, session_id: int, **flags: bool) -> None:
    """Set ``locked``, ``needs_approval`` or ``names_hidden``."""
    _locked(session_id)
    unknown = flags.keys() - {"locked", "needs_approval", "names_hidden"}
    if unknown:
        raise ValueError(f"no such flag: {unknown}")
    _set(session_id, **flags)


@transaction.atomic
def expect(*, session_id: int, students: int) -> None:
    """How many students the class session expects: whoever comes new beyond them waits for a
    yes. Refused if that is no class."""
    _locked(session_id)
    if not 1 <= students <= LECTURE_HALL:
        raise Refused(_("A class has 1 to %(most)d students.") % {"most": LECTURE_HALL})
    _set(session_id, expected=students)


@transaction.atomic
def tell_class(*, session_id: int) -> None:
    """Something was put before the class, or taken away: its open pages, in the lobby and at
    the tables, fetch it anew. A closed session may be told, too."""
    classrooms.lock_session(session_id)
    for table_id in class_selectors.present_game(session_id).tables:
        services.table_changed(table_id)
    SessionSettings.objects.filter(class_session=session_id).update(news=F("news") + 1)
    session_changed(session_id)


@classrooms.deletion
def close_session(*, session_id: int) -> None:
    """The session is over, also in mid-trick: tables end where they stand, finished rounds
    are kept; newcomers who wait go. Closing it again is harmless."""
    if ClassSession.objects.filter(pk=session_id, state=State.CLOSED).exists():
        return
    state = _locked(session_id)
    for table_id in state.tables:
        _close(_table(state, table_id))
        services.table_changed(table_id)  # also where a game is over: its page says so, too
    Attendance.objects.filter(class_session=session_id).update(browsers={})
    classrooms.forget_newcomers(session=ClassSession.objects.get(pk=session_id))
    Seat.objects.filter(table__class_session=session_id).update(left_by=[])
    _set(session_id, state=State.CLOSED, closed=timezone.now())


@classrooms.deletion
def delete_session(*, session_id: int) -> None:
    """Delete a session with its tables and all that was played there."""
    classrooms.lock_session(session_id)
    tables = boards.lock_tables(Table.objects.filter(class_session=session_id))
    for session in ClassSession.objects.filter(pk=session_id):
        classrooms.forget_newcomers(session=session)
        session.delete()
    for table_id in tables:
        ring_after_commit(table_id)
    session_changed(session_id)


@classrooms.deletion
def delete_classroom(*, classroom: Classroom) -> None:
    """Delete a classroom with its sessions, students and everything played in it."""
    classrooms.lock_classroom(classroom)
    boards.lock_sessions(classroom.sessions.all())
    for session_id in classroom.sessions.values_list("pk", flat=True):
        delete_session(session_id=session_id)
    Classroom.objects.filter(pk=classroom.pk).delete()

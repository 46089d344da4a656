"""What a teacher does while a class plays: pausing, clocks, rounds, the next game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Literal, get_args

from django.db import transaction
from django.utils.translation import gettext as _

from games.analysis import bots
from games.classes.boards import deal_board, next_board
from games.classes.forming import (
    at_once,
    form,
    has_bots,
    new_table,
    present_students,
    remove_tables,
)
from games.classes.game import next_number, present_game
from games.classes.seating import free_seat_at, remove_seat, remove_table
from games.classes.sessions import (
    State,
    locked,
    student_of,
    table_of,
    update_session,
    update_tables,
)
from games.classes.state import (
    LessonPhase,
    SessionState,
    is_ended,
    is_left_over,
    tables_in_play,
)
from games.models import Position, Seat, SessionSettings, Table, WallReplay
from games.rules import MAX_SEATS, MIN_SEATS
from games.tables import boards, dealing, notify
from games.tables import seats as table_seats
from games.tables import steering as table_steering
from games.tables.notify import session_changed
from games.tables.seats import seat_student
from games.tables.state import TableState, load_table
from games.tables.view import RUNNING, Status
from xactika_site import clock, languages
from xactika_site.classrooms import services as classrooms
from xactika_site.classrooms.models import Classroom, ClassSession, Student
from xactika_site.classrooms.selectors import NotFound
from xactika_site.classrooms.services import Refused

TIME_LEFT = timedelta(minutes=2)
"""For a tournament's board, once the teacher has said that it ends."""


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
    state = locked(session_id)
    is_wished = settings.level == bots.SIMULATING  # once more: there may be experts by now
    settings.counts_instead = state.settings.counts_instead and not is_wished
    before = _how_seated(state.settings)
    # Somebody may have pressed these meanwhile; and there may be news.
    for switch in get_args(Switch):
        setattr(settings, switch, getattr(state.settings, switch))
    settings.news = state.settings.news + 1
    if settings.deals and not has_new_deals:
        settings.deals = state.settings.deals  # some may have been dealt meanwhile
    settings.save()
    if expected is not None:
        ClassSession.objects.filter(pk=session_id).update(expected=expected)
    waits = state.state == State.LOBBY
    if waits and state.tables and _how_seated(settings) != before:
        remove_tables(state)
        state = locked(session_id)
        form(state)
    elif waits or not state.duplicate:  # a late table of the same cards joins its game
        Table.objects.filter(pk__in=state.tables, deals=None).update(
            variant=settings.variant,
            rounds=1 if settings.tournament else settings.rounds,
            prepared=settings.deals if state.duplicate else None,
        )
    update_tables(state, **at_once(settings))
    session_changed(session_id)


def _how_seated(settings: SessionSettings) -> tuple[object, ...]:
    """What a class is seated by."""
    return settings.seats, settings.duplicate, settings.filling, settings.tournament


@transaction.atomic
def set_language(*, session_id: int, language: str) -> None:
    """Let the session, with all its tables, speak this language from now on, and the
    class's next one. Names and phrases stay as they were made."""
    classroom = Classroom.objects.filter(sessions=session_id).first()
    if classroom is None:
        raise NotFound
    classrooms.lock_classroom(classroom)
    state = locked(session_id)
    language = languages.supported(language)
    if language == state.language:
        return
    classrooms.set_language(session_id=session_id, language=language)
    for table_id in boards.lock_tables(Table.objects.filter(class_session=session_id)):
        Table.objects.filter(pk=table_id).update(language=language)
        notify.table_changed(table_id)
    session_changed(session_id)


@transaction.atomic
def fall_back_to_counting(*, session_id: int) -> None:
    """Let all bots of the session count cards, and say so: no expert is ready on this computer.
    Harmless where no experts are wished for."""
    state = locked(session_id)
    if state.settings.level != bots.SIMULATING:
        return
    SessionSettings.objects.filter(class_session=session_id).update(
        level=bots.COUNTING, counts_instead=True
    )
    update_tables(state, level=bots.COUNTING)
    Seat.objects.filter(table__in=state.tables, level=bots.SIMULATING).update(
        level=bots.COUNTING
    )
    session_changed(session_id)


@transaction.atomic
def start(*, session_id: int) -> None:
    """Let the class begin to play: seat whoever waits, and deal to every table. Refused
    while it is at a lesson, but at steps that it plays: bots would play for everybody."""
    state = locked(session_id)
    if state.state != State.LOBBY:
        return
    _refuse_at_lesson(state)
    form(state)
    if not has_bots(state):
        _leave_no_bots(session_id)
    tables = present_game(session_id).tables
    if not tables:
        raise Refused(_("Nobody is here"))
    update_session(session_id, state=State.OPEN)
    ready = [load_table(table_id, lock=True) for table_id in tables]
    _note_who_is_here(locked(session_id))
    _deal_first(ready)


def _refuse_at_lesson(state: SessionState) -> None:
    if state.lesson is LessonPhase.ON:
        raise Refused(_("The class is in a lesson. End it first."))


def _note_who_is_here(state: SessionState) -> None:
    """Who is in the lobby, or at the lesson, is on the way to the table: no bot plays for them
    meanwhile, however long ago they were seated. After the tables are locked, and without
    waiting for a seat."""
    present = [student.pk for student in present_students(state)]
    seats = Seat.objects.filter(table__in=state.tables, student__in=present)
    classrooms.update_unlocked(seats, last_seen=clock.now())


def _leave_no_bots(session_id: int) -> None:
    """Take out the bots where the teacher wants none dealt in: seats that somebody left go, and
    who sits alone moves to the smallest table."""
    state = locked(session_id)
    tables = [table_of(state, table_id) for table_id in state.tables]
    alone = {table.id for table in tables if len(table.people) == 1}
    for student_state in (student for student in state.here if student.table in alone):
        tables = [table_of(state, table_id) for table_id in state.tables]
        mine = next(table for table in tables if table.id == student_state.table)
        others = [
            table
            for table in tables
            if table is not mine
            and len(table.people) < MAX_SEATS
            and table.may_sit(len(table.seats), student_state.keys)
        ]
        if len(mine.people) == 1 and others:
            smallest = min(others, key=lambda each: (len(each.people), each.number))
            remove_table(state, mine)
            seat = free_seat_at(smallest, student_state)
            student = Student.objects.get(pk=student_state.pk)
            seat_student(table_id=smallest.id, seat=seat, student=student)
            state = locked(session_id)
    for table_id in state.tables:
        while True:
            table = table_of(state, table_id)
            taken_by_bots = [seat.number for seat in table.seats if seat.is_bot]
            if not taken_by_bots or len(table.seats) == MIN_SEATS:
                break
            remove_seat(table, taken_by_bots[-1])


def _deal_first(tables: Sequence[TableState]) -> None:
    if any(table.is_duplicate for table in tables):
        deal_board(tables)
        return
    for table in tables:
        dealing.deal_first(table)


# Steering.


@transaction.atomic
def pause_room(*, session_id: int, paused: bool) -> None:
    """Let every table stop, or go on, with a board's last minutes anew. When a class goes on
    after its students left, bots stand in for those who have not come back; they take over
    again by playing. Not while they are at a lesson: refused."""
    state = locked(session_id)
    before, after = (State.OPEN, State.PAUSED) if paused else (State.PAUSED, State.OPEN)
    if state.state != before:
        return
    if not paused:
        _refuse_at_lesson(state)
    now = clock.now()
    update_session(session_id, state=after)
    if not paused:
        ending = Table.objects.filter(pk__in=state.tables, ends__isnull=False)
        ending.update(ends=now + TIME_LEFT)
    update_tables(state, room_paused=paused, resumed=None if paused else now)
    if not paused:
        _note_who_is_here(state)
        for student in state.here:
            if student.table and student.seat is not None and student.is_away(now):
                seat = Seat.objects.filter(table=student.table, number=student.seat)
                seat.update(stand_in=True)


def pause_play(*, session_id: int) -> None:
    """Pause the room where any table plays, or waits for its next round: its students are
    called away, and bots would play for them."""
    if tables_in_play(locked(session_id)):
        pause_room(session_id=session_id, paused=True)


@transaction.atomic
def end_board(*, session_id: int) -> None:
    """TIME_LEFT is left for a tournament's board; then the clock plays each turn that lasts
    longer than LAST_TURNS. Harmless where no board is played."""
    state = locked(session_id)
    tables = [table_of(state, table_id) for table_id in state.tables]
    if state.board and any(table.status in RUNNING for table in tables):
        update_tables(state, ends=clock.now() + TIME_LEFT)
        session_changed(session_id)


@transaction.atomic
def pause_table(*, session_id: int, table_id: str, paused: bool) -> None:
    """One table stops, or goes on."""
    table_steering.pause(table_of(locked(session_id), table_id), paused)
    session_changed(session_id)


@transaction.atomic
def stand_in(*, session_id: int, table_id: str, seat: int, on: bool) -> None:
    """Let a bot play for a student until they or the teacher take the seat back."""
    table = table_of(locked(session_id), table_id)
    if not 0 <= seat < len(table.seats) or table.seats[seat].is_bot:
        raise NotFound
    table_seats.set_stand_in(table, seat, on)


@transaction.atomic
def set_time_factor(*, session_id: int, student_id: int, factor: float) -> None:
    """Set how many times as long the turn clock waits for a student: 1, 1.5, 2, or 0 for no
    clock."""
    state = locked(session_id)
    student = student_of(state, student_id)
    if student.table is not None:
        notify.table_changed(student.table)
    classrooms.set_time_factor(student=Student.objects.get(pk=student_id), factor=factor)
    session_changed(session_id)


@transaction.atomic
def finish_after_round(*, session_id: int, table_id: str | None = None) -> None:
    """Let the game end with the round that is being played, at one table or at all; at once
    where a round has just ended. A table not dealt to yet is closed with it."""
    state = locked(session_id)
    if state.duplicate:
        table_id = None  # the tables of a duplicate session move in step
    for one in state.tables if table_id is None else (table_id,):
        table = table_of(state, one)
        if table.status == Status.WAITING:
            mark_closed(table)
        elif table.status in RUNNING | {Status.ROUND_OVER}:
            Table.objects.filter(pk=one).update(rounds=table.round_number)
            notify.table_changed(one)
    session_changed(session_id)


@transaction.atomic
def close_table(*, session_id: int, table_id: str) -> None:
    """End one table where it stands; its students wait for another."""
    state = locked(session_id)
    table = table_of(state, table_id)
    mark_closed(table)
    session_changed(session_id)


def mark_closed(table: TableState) -> None:
    """Close the table unless its game is over. Runs in the caller's transaction."""
    if table.status != Status.GAME_OVER:
        Table.objects.filter(pk=table.id).update(closed=True)
        notify.table_changed(table.id)
        boards.note_progress(replace(table, closed=True))


Switch = Literal["held", "teams", "standings_shown", "throwing", "reactions"]
"""Settings that are pressed by themselves, in the middle of a session: whether the next round
waits for the teacher, standings are of tables, the wall shows them, students may throw solids
onto it, and the seats may show each other reactions."""

TABLE_SWITCHES: tuple[Switch, ...] = ("held", "reactions")
"""Those that each table keeps, too."""


@transaction.atomic
def set_switch(*, session_id: int, name: Switch, on: bool) -> None:
    """Press a switch."""
    state = locked(session_id)
    SessionSettings.objects.filter(class_session=session_id).update(**{name: on})
    session_changed(session_id)
    if name in TABLE_SWITCHES:
        update_tables(state, **{name: on})


@transaction.atomic
def show_replay(*, session_id: int, position: Position, look: str) -> None:
    """Show on the projector this position of a round of the session, looked at like that, until
    it is taken down or the game goes on."""
    WallReplay.objects.update_or_create(
        class_session_id=session_id, defaults={"position": position, "look": look}
    )


def take_replay_down(*, session_id: int) -> None:
    """Show the game on the projector again. One statement, so in no transaction of its own."""
    WallReplay.objects.filter(class_session=session_id).delete()


@transaction.atomic
def deal_next_round(*, session_id: int) -> None:
    """Deal at every table that is not paused or left over and whose round is over; of
    duplicates the next board. What the wall replays is taken down."""
    state = locked(session_id)
    _refuse_at_lesson(state)
    take_replay_down(session_id=session_id)
    tables = [table_of(state, table_id) for table_id in state.tables]
    if any(table.is_duplicate for table in tables):
        next_board(session_id=session_id, by_teacher=True)
        return
    for table in tables:
        if table.status == Status.ROUND_OVER and not (table.paused or is_left_over(table)):
            dealing.deal_next(table)


@transaction.atomic
def next_game(*, session_id: int, reseat: bool = False) -> None:
    """Another game with the same tables, or (``reseat``) with everybody seated anew, as also
    where tables that are to be dealt the same cards are not of the size wished for. In a
    tournament it is the next board, dealt when everybody has found their seat. Prepared
    boards that were never dealt come first, then shuffled cards. Tables left by everybody are
    closed. Refused while another still plays, at a lesson, or with nobody there."""
    state = locked(session_id)
    _refuse_at_lesson(state)
    tables = [table_of(state, table_id) for table_id in state.tables]
    present = {student.pk for student in present_students(state)}
    if not present:
        raise Refused(_("Nobody is here"))
    if not all(is_ended(table, present) for table in tables):
        raise Refused(_("Some tables are still playing. Finish or close them first."))
    for table in tables:
        mark_closed(table)
    take_replay_down(session_id=session_id)
    wishes = state.settings
    if wishes.deals == []:  # and the teacher has been told so
        SessionSettings.objects.filter(pk=wishes.pk).update(deals=None)
    reseat |= wishes.tournament
    if wishes.duplicate:
        playing = [table for table in tables if table.status == Status.GAME_OVER]
        reseat |= any(len(table.seats) != wishes.seats for table in playing)
    groups = [
        (
            [pk for seat in table.people if (pk := seat.student_id or 0) in present],
            len(table.seats),
        )
        for table in tables
        if table.status == Status.GAME_OVER and not reseat
    ]
    if not (has_bots(state) or wishes.duplicate):
        groups = _without_bots(groups, present)
    # The old tables are present ones no longer: nobody has a seat yet.
    state = replace(
        state,
        game=next_number(session_id),
        board=_next_board_number(state, tables) if wishes.tournament else 0,
        tables=(),
        students=tuple(replace(student, table=None, seat=None) for student in state.students),
    )
    for table in tables:
        notify.table_changed(table.id)  # whoever still sits there is to go on
    seated: set[int] = set()
    for students, seats in groups:
        if students:
            new_table(state, students, seats)
            seated |= set(students)
    form(state, but=seated)
    if wishes.duplicate and not wishes.tournament:
        _deal_first([load_table(table) for table in present_game(state.id).tables])
    session_changed(session_id)


def _next_board_number(state: SessionState, tables: Sequence[TableState]) -> int:
    """The number of the tournament's next board: the present one once more where it was not
    dealt, and the first of another tournament where another game is wished for."""
    wishes = state.settings
    if (
        not state.board
        or wishes.variant != state.variant
        or wishes.seats != len(tables[0].seats)
    ):
        return 1
    return state.board + any(table.round_number for table in tables)


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

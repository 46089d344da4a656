"""Tables for a class: how many for so many students, and who sits at which."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from games.classes.free_seats import strangers
from games.classes.sessions import State, locked
from games.classes.state import SessionState, StudentState
from games.models import Seat, SessionSettings, Table
from games.rules import MAX_SEATS, MIN_SEATS
from games.tables import dealing
from games.tables.bell import session_changed
from games.tables.seats import seat_student
from games.tables.state import load_table
from xactika_site.classrooms.models import Student


def has_bots(state: SessionState) -> bool:
    return state.settings.filling == SessionSettings.Filling.BOTS


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
    form(locked(session_id))
    session_changed(session_id)


def present_students(state: SessionState) -> list[StudentState]:
    """The students who are in and whose device has been seen just now."""
    now = timezone.now()
    return [known for known in state.here if not known.is_away(now)]


def form(state: SessionState, but: Collection[int] = ()) -> None:
    """Tables for the present students without a seat, ``but`` some. Of two who came at one
    browser the second is seated apart, once the tables stand."""
    present = [known for known in present_students(state) if known.table is None]
    students, _apart = strangers(
        [known.pk for known in present if known.pk not in but],
        {known.pk: known.keys for known in present},
    )
    if not state.tables and state.settings.seating == SessionSettings.Seating.SHUFFLED:
        dealing.shuffle(students)
    wishes = wishes_of(state)
    plan = plan_tables(len(students), seats=wishes.seats, filling=wishes.filling)
    for seats, people in zip(plan.seats, plan.people, strict=True):
        new_table(state, students[:people], seats)
        students = students[people:]


def new_table(state: SessionState, students: Sequence[int], seats: int) -> str:
    """The session's next table, with these students on its first seats. Dealt at once if the
    class plays already."""
    game = max(state.game, 1)
    number = Table.objects.filter(class_session=state.id, game=game).count() + 1
    wishes = wishes_of(state)
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
    names = dealing.bot_names(seats)
    for number in range(seats):
        Seat.objects.create(
            table=table, number=number, name=names[number], level=wishes.level, opened=True
        )
    known = Student.objects.in_bulk(students)
    for number, student in enumerate(students):
        seat_student(table_id=table.id, seat=number, student=known[student])
    if state.state != State.LOBBY and not wishes.duplicate:
        dealing.deal_first(load_table(table.id))
    return table.id


def wishes_of(state: SessionState) -> SessionSettings:
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

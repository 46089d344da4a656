"""Tables for a class: how many for so many students, and who sits at which."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from games.analysis.movements import Seating, next_seating
from games.classes.free_seats import split_by_browser
from games.classes.game import next_number, next_table_number, present_game, tables_so_far
from games.classes.sessions import State, locked
from games.classes.state import SessionState, StudentState
from games.models import Seat, SessionSettings, Table
from games.rules import MAX_SEATS, MIN_SEATS
from games.tables import boards, dealing
from games.tables.notify import notify_after_commit, session_changed
from games.tables.seats import open_seats
from games.tables.state import load_table
from xactika_site import clock
from xactika_site.classrooms.models import Student
from xactika_site.classrooms.services import Refused
from xactika_site.randomness import system_rng


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
        tables = ceil(students / seats)
        return Plan((seats,) * tables, _even_parts(students, tables))
    tables = min(max(1, round(students / seats)), max(1, students // MIN_SEATS))
    tables = max(tables, ceil(students / MAX_SEATS))
    people = _even_parts(students, tables)
    return Plan(tuple(max(MIN_SEATS, n) for n in people), people)


def _even_parts(students: int, tables: int) -> tuple[int, ...]:
    each, more = divmod(students, tables)
    return tuple(each + (number < more) for number in range(tables))


@transaction.atomic
def form_tables(*, session_id: int) -> None:
    """Seat everybody who is in at new tables, not yet dealt, so that the teacher may still
    move them. Where tables stand already, seat those who wait."""
    form(locked(session_id))
    session_changed(session_id)


@transaction.atomic
def seat_anew(*, session_id: int, groups: Sequence[Sequence[int]] = ()) -> None:
    """Seat the class anew before it plays: new tables for everybody who is here, each of these
    ``groups`` of students at one of its own, all others shuffled. Refused once the class plays,
    or where a group finds no room at one table."""
    state = locked(session_id)
    if state.state != State.LOBBY:
        raise Refused(_("The class is playing. To move someone, open a table between rounds."))
    remove_tables(state)
    state = locked(session_id)
    state.settings.seating = SessionSettings.Seating.SHUFFLED  # this time; it is not stored
    here = {student.pk: student.keys for student in present_students(state)}
    wishes, seated = wishes_of(state), set[int]()
    for group in groups:
        together, _others = split_by_browser([pk for pk in group if pk in here], here)
        if not together:
            continue
        most = wishes.seats if wishes.duplicate else MAX_SEATS
        if len(together) > most:
            raise Refused(_("A table has room for %(most)d students.") % {"most": most})
        fewest = wishes.seats if has_bots(state) else MIN_SEATS
        new_table(state, together, max(fewest, len(together)))
        seated |= set(together)
    form(state, but=seated)
    session_changed(session_id)


def remove_tables(state: SessionState) -> None:
    """Tables that nothing has been dealt at go; whoever sat there is seated anew next, in the
    same transaction."""
    tables = Table.objects.filter(pk__in=state.tables)
    boards.lock_tables(tables)
    tables.delete()
    for table_id in state.tables:
        notify_after_commit(table_id)


def partners_before(state: SessionState) -> dict[int, int]:
    """Groups of the students who are here as they sat together last in another session of the
    class, as numbers from 1; whoever sat with nobody of these has none."""
    here = [student.pk for student in present_students(state)]
    seats = Seat.objects.filter(
        student__in=here, table__class_session__classroom=state.classroom_id
    ).exclude(table__class_session=state.id)
    last = dict(seats.order_by("pk").values_list("student", "table"))
    company = Counter(last.values())
    numbers: dict[str, int] = {}
    for table in last.values():
        if company[table] > 1:
            numbers.setdefault(table, len(numbers) + 1)
    return {pk: numbers[table] for pk, table in last.items() if table in numbers}


def present_students(state: SessionState) -> list[StudentState]:
    """The students who are in and whose device has been seen just now."""
    now = clock.now()
    return [student for student in state.here if not student.is_away(now)]


def form(state: SessionState, but: Collection[int] = ()) -> None:
    """Tables for the present students without a seat, ``but`` some. Of two who came at one
    browser the second is seated apart, once the tables stand."""
    present = [student for student in present_students(state) if student.table is None]
    students, _apart = split_by_browser(
        [student.pk for student in present if student.pk not in but],
        {student.pk: student.keys for student in present},
    )
    if not state.tables and state.settings.tournament:
        board = next_seating(
            students, seatings(state), seats=state.settings.seats, rng=system_rng
        )
        for sitters in board:
            new_table(state, sitters, state.settings.seats)
        return
    if not state.tables and state.settings.seating == SessionSettings.Seating.SHUFFLED:
        system_rng.shuffle(students)
    wishes = wishes_of(state)
    plan = plan_tables(len(students), seats=wishes.seats, filling=wishes.filling)
    for seats, people in zip(plan.seats, plan.people, strict=True):
        new_table(state, students[:people], seats)
        students = students[people:]


def seatings(state: SessionState) -> list[Seating]:
    """Who sat where, board by board, in the tournament so far."""
    if not state.board or (state.board == 1 and not state.tables):
        return []
    tables = tables_so_far(state.id, state.game)
    seats = Seat.objects.filter(table__in=tables.exclude(deals=None))
    rows = seats.order_by("table__game", "table__number", "number")
    boards: dict[int, dict[str, list[int | None]]] = {}
    for game, table, student in rows.values_list("table__game", "table", "student"):
        boards.setdefault(game, {}).setdefault(table, []).append(student)
    return [tuple(map(tuple, board.values())) for board in boards.values()]


def new_table(state: SessionState, students: Sequence[int | None], seats: int) -> str:
    """The id of the session's next table, with these students on its first seats, None for a
    bot. Dealt at once if the class plays already."""
    game = state.game or present_game(state.id).number or next_number(state.id)
    wishes = wishes_of(state)
    if wishes.duplicate:
        seats = wishes.seats  # the same hands have to go round everywhere
    table = Table.objects.create(
        kind=Table.Kind.CLASS,
        class_session_id=state.id,
        game=game,
        number=next_table_number(state.id, game),
        language=state.language,
        variant=wishes.variant,
        rounds=wishes.rounds,
        held=wishes.held,
        reactions=wishes.reactions,
        **at_once(wishes),
        room_paused=state.state == State.PAUSED,
        duplicate=wishes.duplicate,
        tournament_board=max(state.board, 1) if wishes.tournament else 0,
        prepared=wishes.deals if wishes.duplicate else None,
    )
    by_pk = Student.objects.in_bulk([student for student in students if student])
    people = {number: by_pk[student] for number, student in enumerate(students) if student}
    names = dealing.seat_names(seats, {n: student.name for n, student in people.items()})
    open_seats(table=table, names=names, students=people)
    if state.state != State.LOBBY and not wishes.duplicate:
        dealing.deal_first(load_table(table.id))
    return table.id


def at_once(wishes: SessionSettings) -> dict[str, Any]:
    """What these settings say of tables that holds at present ones, too, as their columns."""
    names = ("level", "patience", "clock", "pace", "watching", "odds_panel")
    return {name: getattr(wishes, name) for name in names}


def wishes_of(state: SessionState) -> SessionSettings:
    """The settings for one more table: of a game that has begun, its game's; and a duplicate
    session has equal tables, filled with bots."""
    wishes = state.settings
    if state.tables:
        table = load_table(state.tables[0])
        wishes.variant, wishes.duplicate = table.variant.value, table.is_duplicate
        wishes.tournament = bool(state.board)
        if table.is_duplicate:
            wishes.seats, wishes.rounds = len(table.seats), table.rounds
            stored = Table.objects.values_list("prepared", flat=True)
            wishes.deals = stored.get(pk=table.id)
    if wishes.tournament:
        wishes.duplicate, wishes.rounds = True, 1
    if wishes.duplicate:
        wishes.filling = SessionSettings.Filling.BOTS
    return wishes

"""What is read of a table: one present state for everybody. Nobody is shown it whole."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cached_property, partial, reduce
from threading import Lock
from typing import Any, assert_never

from django.db import connection, transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery
from django.utils.dateparse import parse_datetime

from games.analysis import bots
from games.models import Admission, Deal, Move, Result, Seat, SessionSettings, Table
from games.rules import Round, Variant, move_text, observe, parse_card, parse_move, score_round
from games.tables.view import (
    Boards,
    Friends,
    Homework,
    InClass,
    InLeague,
    Part,
    SeatState,
    Setup,
    Solo,
    Study,
    TableFacts,
)
from xactika_site import languages
from xactika_site.classrooms.models import Attendance, ClassSession
from xactika_site.classrooms.selectors import NotFound as NotFound


@dataclass(frozen=True, kw_only=True)
class TableState(TableFacts):
    """A table at one moment, with its hands. ``round`` (the present deal's) is None while
    waiting; a pause that has ended since the turn began ended when it ``resumed``."""

    dealt: tuple[tuple[str, ...], ...]
    round: Round | None
    resumed: datetime | None = None

    def __post_init__(self) -> None:
        observation = observe(self.round, None) if self.round else None
        object.__setattr__(self, "observation", observation)

    @cached_property
    def legal(self) -> tuple[str, ...]:
        """The moves open to the seat whose turn it is, paused or not."""
        if self.round is None or self.to_move is None:
            return ()
        return tuple(map(move_text, observe(self.round, self.to_move).legal))

    def after(self, moves: Iterable[tuple[int, str, datetime]]) -> TableState:
        """This state after further moves of the present deal, as (seat, text, time made)."""
        moves = tuple(moves)
        if not moves or self.round is None:
            return self
        round_ = reduce(lambda r, move: r.apply(parse_move(move[1])), moves, self.round)
        return replace(
            self,
            round=round_,
            moves=self.moves + tuple((seat, text) for seat, text, _ in moves),
            turn_began=max(moves[-1][2], self.resumed or moves[-1][2]),
            points=(*self.points, score_round(round_)) if round_.is_over else self.points,
        )


# The last state that this process read of each table. Never trusted: a reader asks the
# database for the version and for the moves since, and starts anew if the version differs.
_CACHE_SIZE = 2000
_cache: OrderedDict[str, TableState] = OrderedDict()
_cache_lock = Lock()


# One statement instead of two through the ORM: it runs twice a move, and measured a fifth of
# their cost (docs/performance.md).
_SINCE = """
    SELECT t.version, m.seat, m.text, m.made
    FROM games_table t LEFT JOIN games_move m ON m.deal_id = %s AND m.number >= %s
    WHERE t.id = %s ORDER BY m.number
"""


# Sent along with the other, in one go. A statement of its own: what it waits for may be a move,
# and only a statement that begins afterwards sees that.
_LOCK = "SELECT 1 FROM games_table WHERE id = %s FOR NO KEY UPDATE;"


def load_table(table_id: str, *, lock: bool = False) -> TableState:
    """The table as it is now. NotFound if there is none.

    ``lock`` (inside a transaction) keeps other writers out until it ends: one that would hold
    several tables holds their class session first (docs/decisions/0014-locks.md). Costs one
    short query when nothing but moves has changed since this process last looked.
    """
    state = _cache.get(table_id)
    version, moves = _changes_since(table_id, state, lock=lock)
    was_cached = state is not None and state.version == version
    while state is None or state.version != version:
        state = _read_table(table_id)
        version, moves = _changes_since(table_id, state, lock=False)
    state = state.after(moves)
    # What a transaction reads anew may be half of what it changes, under its last version.
    if was_cached or _is_alone or not _may_be_rolled_back():
        remember_committed(state)
    return state


def _changes_since(
    table_id: str, state: TableState | None, *, lock: bool
) -> tuple[int, list[tuple[int, str, datetime]]]:
    """The table's version, and the moves of its deal that were made since this state."""
    deal, moves = (state.deal_id, len(state.moves)) if state else (None, 0)
    arguments: list[Any] = [deal, moves, table_id]
    with connection.cursor() as cursor:
        if lock and connection.features.has_select_for_update:
            cursor.execute(_LOCK + _SINCE, [table_id, *arguments])
            cursor.nextset()
        else:
            cursor.execute(_SINCE, arguments)
        rows = cursor.fetchall()
    if not rows:
        raise NotFound
    return rows[0][0], [(seat, text, as_time(when)) for _, seat, text, when in rows if text]


def as_time(stored: datetime | str) -> datetime:
    """The moment that SQLite (as text) or PostgreSQL has stored."""
    when = parse_datetime(stored) if isinstance(stored, str) else stored
    assert when is not None
    return when if when.tzinfo else when.replace(tzinfo=UTC)


def turn_of(state: TableState) -> tuple[int, int, int]:
    """(version, round, number of its moves), as :func:`present_turns` has them."""
    return state.version, state.round_number, len(state.moves)


def present_turns(table_ids: Collection[str]) -> dict[str, tuple[int, int, int]]:
    """Of each table its version, its round and the moves made in it, in one short query."""
    last = Deal.objects.filter(table=OuterRef("pk")).order_by("-round")
    moved = Move.objects.filter(deal=OuterRef("last_deal")).order_by("-number")
    tables = Table.objects.filter(pk__in=table_ids).annotate(
        last_deal=Subquery(last.values("pk")[:1]),
        last_round=Subquery(last.values("round")[:1]),
        last_move=Subquery(moved.values("number")[:1]),
    )
    rows = tables.values_list("pk", "version", "last_round", "last_move")
    return {
        pk: (version, round_ or 0, 0 if number is None else number + 1)
        for pk, version, round_, number in rows
    }


def load_tables(table_ids: Collection[str]) -> list[TableState]:
    """These tables as they are now, in one short query where this process has read them since
    they last changed."""
    turns = present_turns(table_ids) if table_ids else {}
    return [
        state
        if (state := _cache.get(table_id)) is not None and turn_of(state) == turns.get(table_id)
        else load_table(table_id)
        for table_id in table_ids
    ]


def recall(table_id: str) -> TableState:
    """The table as this process last read it, for what never changes; else read now."""
    return _cache.get(table_id) or load_table(table_id)


def last_known(table_id: str) -> TableState | None:
    """The table as this process last read it, if it remembers; no database."""
    return _cache.get(table_id)


def remember_committed(state: TableState) -> None:
    """Keep a state for this process's next reader: what was read inside a transaction only once
    that is committed, for it may hold what is then rolled back."""
    if _is_alone or not _may_be_rolled_back():
        _remember(state)
    elif _cache.get(state.id) is not state:
        transaction.on_commit(partial(_remember, state))


def _may_be_rolled_back() -> bool:
    return connection.in_atomic_block


_is_alone = False


@contextmanager
def one_long_transaction() -> Iterator[None]:
    """A transaction in a process that does nothing beside it, like making the demo: what is
    read in it is remembered at once, and forgotten if it is rolled back."""
    global _is_alone
    _is_alone = True
    try:
        with transaction.atomic():
            yield
    except BaseException:
        _cache.clear()
        raise
    finally:
        _is_alone = False


def _remember(state: TableState) -> None:
    with _cache_lock:
        _cache[state.id] = state
        _cache.move_to_end(state.id)
        while len(_cache) > _CACHE_SIZE:
            _finished.pop(_cache.popitem(last=False)[0], None)
        if state.round is not None and state.round.is_over and _is_read(state):
            _finished.setdefault(state.id, {})[state.round_number] = state.round


# Rounds of bids that this process saw to their end, by table (a game has one of its own) and
# number. By these an expert knows its players: nowhere else is anything kept of how they play.
_finished: dict[str, dict[int, Round]] = {}


def _is_read(state: TableState) -> bool:
    has_expert = bots.SIMULATING in {state.setup.level, *(seat.level for seat in state.seats)}
    return has_expert and state.variant is Variant.BID


def rounds_before(state: TableState) -> tuple[Round, ...]:
    """The finished rounds of this game that this process remembers."""
    with _cache_lock:
        rounds = sorted(_finished.get(state.id, {}).items())
    return tuple(round_ for number, round_ in rounds if number < state.round_number)


# As they are stored, for the same reason as above: a table is read whole with every change that
# is no move, and the ORM takes longer to put these three together than to ask them.
_TABLE = """
    SELECT t.*, c.state AS session_state, s.news, s.counts_instead, p.moves AS given,
        EXISTS (
            SELECT 1 FROM games_table later
            WHERE later.class_session_id = t.class_session_id AND later.game > t.game
        ) AS is_past
    FROM games_table t
    LEFT JOIN classrooms_classsession c ON c.id = t.class_session_id
    LEFT JOIN games_sessionsettings s ON s.class_session_id = t.class_session_id
    LEFT JOIN games_position p ON p.id = t.position_id
    WHERE t.id = %s
"""
_LAST_DEAL = "SELECT * FROM games_deal WHERE table_id = %s ORDER BY round DESC LIMIT 1"
_SEATS = """
    SELECT s.*, k.time_factor, k.device_serial
    FROM games_seat s LEFT JOIN classrooms_student k ON k.id = s.student_id
    WHERE s.table_id = %s ORDER BY s.number
"""


def _read_table(table_id: str) -> TableState:
    """The table as stored, without the moves of its present deal (``load_table`` adds them)."""
    table: Any = next(iter(Table.objects.raw(_TABLE, [table_id])), None)
    if table is None:
        raise NotFound
    deal = next(iter(Deal.objects.raw(_LAST_DEAL, [table_id])), None)
    rows: Iterable[Any] = Seat.objects.raw(_SEATS, [table_id])
    seats = tuple(
        SeatState(
            pk=seat.pk,
            number=seat.number,
            name=seat.name,
            level=seat.level,
            serial=seat.serial,
            opened=seat.opened,
            stand_in=seat.stand_in,
            ready_at=seat.ready_at,
            student_id=seat.student_id,
            # A student's program has no more time than others'.
            time_factor=1.0 if seat.time_factor is None or table.match_id else seat.time_factor,
            device_serial=seat.device_serial or 0,
            program=seat.program,
            left_by=frozenset(seat.left_by),
            kept_for=seat.kept_for_id,
            slow=seat.slow,
            from_round=seat.from_round,
        )
        for seat in rows
    )
    if table.class_session_id is None:
        guests = _guests(table_id)
        seats = tuple(
            replace(seat, guests=frozenset(guests.get(seat.number, ()))) for seat in seats
        )
    else:
        students = [seat.student_id for seat in seats if seat.student_id]
        come_by = browsers_of(table.class_session_id, students)
        seats = tuple(
            replace(
                seat,
                browsers=frozenset(marks := come_by.get(seat.student_id or 0, {})),
                left_browsers=frozenset(mark for mark in marks if not marks[mark]),
            )
            for seat in seats
        )
    began = deal.created if deal else table.created
    variant = Variant(table.variant)
    return TableState(
        id=table.id,
        version=table.version,
        setup=Setup(
            variant=variant,
            rounds=table.rounds,
            level=table.level,
            patience=timedelta(seconds=table.patience),
            pace=table.pace,
            clock=None if table.clock is None else timedelta(seconds=table.clock),
            held=table.held,
            watching=table.watching and not table.duplicate,
            reactions=table.reactions,
            odds_panel=SessionSettings.OddsPanel(table.odds_panel),
        ),
        part=_part(table),
        watch_serial=table.watch_serial,
        paused=table.paused or table.room_paused,
        closed=table.closed,
        seats=seats,
        deal_id=deal.pk if deal else None,
        round_number=deal.round if deal else 0,
        dealt=tuple(map(tuple, deal.hands)) if deal else (),
        round=start_round(deal, variant) if deal else None,
        moves=(),
        turn_began=max(began, table.resumed or began),
        points=_points_by_round(table_id, len(seats), before=deal.round if deal else 0),
        resumed=table.resumed,
        language=languages.supported(table.language),
    )


def _part(table: Any) -> Part:
    """The part that only a table of this row's kind has."""
    boards = None
    if table.duplicate:
        boards = Boards(shown_round=table.shown_round, still_playing=table.still_playing)
    opened = {"opener_id": table.opener_id, "next_table_id": table.next_table_id}
    match Table.Kind(table.kind):
        case Table.Kind.SOLO:
            return Solo(**opened)
        case Table.Kind.FRIENDS:
            return Friends(**opened)
        case Table.Kind.STUDY:
            return Study(**opened, position_id=table.position_id, given=table.given or 0)
        case Table.Kind.HOMEWORK:
            boards = boards or Boards(shown_round=0)
            return Homework(
                number=table.number,
                boards=boards,
                teacher_id=table.teacher_id,
                beforehand=table.beforehand_id is not None,
            )
        case Table.Kind.LEAGUE:
            return InLeague()
        case Table.Kind.CLASS:
            return InClass(
                session_id=table.class_session_id,
                number=table.number,
                boards=boards,
                treatment=Table.Treatment(table.treatment) if table.treatment else None,
                is_past=bool(table.is_past),
                is_session_over=table.session_state == ClassSession.State.CLOSED,
                news=table.news or 0,
                counts_instead=bool(table.counts_instead),
                board=table.tournament_board,
                ends=table.ends,
            )
        case Table.Kind.PAPER:
            raise NotFound  # nobody looks at it, and nobody moves there
        case kind:
            assert_never(kind)


def after_deal(state: TableState, deal: Deal) -> TableState:
    """The table when its next round has just been dealt and counted as one change: what
    :func:`_read_table` finds then."""
    return replace(
        state,
        version=state.version + 1,
        deal_id=deal.pk,
        round_number=deal.round,
        dealt=tuple(map(tuple, deal.hands)),
        round=start_round(deal, state.variant),
        moves=(),
        turn_began=max(deal.created, state.resumed or deal.created),
        seats=tuple(replace(s, ready_at=None, left_by=frozenset()) for s in state.seats),
    )


def _guests(table_id: str) -> dict[int, set[int]]:
    """The guests who were let in to each seat and have not lost it, by its number."""
    guests: dict[int, set[int]] = {}
    rows = Admission.objects.filter(table=table_id, seat__isnull=False, taken_over=False)
    for number, guest in rows.values_list("seat__number", "guest"):
        guests.setdefault(number, set()).add(guest)
    return guests


def browsers_of(session_id: int, students: Collection[int]) -> dict[int, dict[str, bool]]:
    """By student, the marks of browsers by which they came in, and if each is still theirs."""
    rows = Attendance.objects.filter(class_session=session_id, student__in=students)
    return dict(rows.values_list("student", "browsers"))


def start_round(deal: Deal, variant: Variant) -> Round:
    """The rules' round of a stored deal, before its first move."""
    hands = [[parse_card(code) for code in hand] for hand in deal.hands]
    return Round.start(variant=variant, hands=hands, dealer=deal.dealer)


def _points_by_round(
    table_id: str, seats: int, *, before: int
) -> tuple[tuple[int | None, ...], ...]:
    if before <= 1:
        return ()
    rows: dict[int, list[int | None]] = {n: [None] * seats for n in range(1, before)}
    points = Result.objects.filter(deal__table=table_id, deal__round__lt=before)
    for round_number, seat, gained in points.values_list("deal__round", "seat", "points"):
        rows[round_number][seat] = gained
    return tuple(map(tuple, rows.values()))


def may_be_shown(deal: str = "") -> Q:
    """A filter: nothing of a board that some table still plays. ``deal`` is a lookup's
    prefix, like ``"deal__"``."""
    by_round = Q(**{f"{deal}round__lte": F(f"{deal}table__shown_round")})
    return Q(**{f"{deal}board": None}) | by_round


def may_be_compared(deal: str = "") -> Q:
    """A filter: ``may_be_shown``, and nothing of an experiment that is not over. Whoever looks
    on while one is played, and stops when it suits them, finds chance alone remarkable much too
    often."""
    same = {"class_session": f"{deal}table__class_session", "game": f"{deal}table__game"}
    runs = experiments_running().filter(**{key: OuterRef(way) for key, way in same.items()})
    return may_be_shown(deal) & (Q(**{f"{deal}table__treatment": ""}) | Q(~Exists(runs)))


def experiments_running() -> QuerySet[Table]:
    """The tables of experiments whose last board is still to be shown."""
    drawn = Table.objects.exclude(treatment="").filter(
        closed=False, shown_round__lt=F("rounds")
    )
    return drawn.exclude(class_session__state=ClassSession.State.CLOSED)

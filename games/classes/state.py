"""What is read of a class session: one picture of the room, for cockpit, projector and lobby.

What happens at the tables is read by :func:`games.tables.state.load_table`, here as everywhere.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from fractions import Fraction
from functools import cached_property
from statistics import median
from typing import NamedTuple

from django.core.cache import caches
from django.db.models import Count, Exists, FilteredRelation, Max, OuterRef, Q, QuerySet
from django.utils import timezone

from games.models import Deal, Result, Seat, SessionSettings, Table
from games.rules import HAND_SIZE, MAX_SEATS, MIN_SEATS, Variant, winners
from games.tables.state import (
    AWAY_AFTER,
    Browser,
    TableState,
    Viewer,
    browsers_of,
    may_be_shown,
    student_keys,
)
from xactika_site.classrooms.models import (
    Attendance,
    Classroom,
    ClassSession,
    ReturnRequest,
    Student,
)
from xactika_site.classrooms.selectors import NotFound, unclosed_session

SECONDS_A_MOVE = 6.0
"""How long a person's move takes in a class that has not played yet (an assumption)."""

SECONDS_BETWEEN_ROUNDS = 45.0

RUNNING = {"bidding", "playing"}
"""The statuses of a table in the middle of a round."""

PACE_KEPT = 60
"""Seconds that a classroom's measured pace is remembered."""


@dataclass(frozen=True, slots=True)
class StudentState:
    """A student in the session; ``table`` and ``seat`` are of the present game, None where
    that table was closed. ``writing``: the lobby still shows them their phrase, as they have
    not said that it is written down."""

    pk: int
    name: str
    attendance: int
    state: str
    joined: datetime
    last_seen: datetime | None
    time_factor: float
    table: str | None
    seat: int | None
    device_serial: int = 0
    writing: bool = False
    # The browsers they came in by, and whether each is still theirs.
    browsers: Mapping[str, bool] = field(default_factory=dict)

    def is_at(self, device: int | None, browser: str) -> bool:
        """Whether a device of this serial, with this browser, is still theirs."""
        return self.device_serial == device and self.browsers.get(browser, True)

    def is_away(self, now: datetime) -> bool:
        """Whether no device of theirs has been seen for a while, or every one was given back
        or is somebody else's by now."""
        if self.browsers and not any(self.browsers.values()):
            return True
        return self.last_seen is None or now - self.last_seen >= AWAY_AFTER

    @property
    def keys(self) -> frozenset[str]:
        """The student, and the browsers that they came in by."""
        return student_keys(self.pk, self.browsers)


class Outcome(NamedTuple):
    """What a student made of the last round of their table, by moves all their own."""

    table: str
    bid: int | None
    taken: int
    points: int


@dataclass(frozen=True)
class SessionState:
    """A class session at one moment. ``tables`` are the present game's, by number; closed
    ones stay among them. ``requests`` are (id, name, student) of those who lost their phrase;
    ``absent`` are (id, name) of the classroom's students who have not come; ``outcomes`` are
    of tables that have finished the round dealt last; ``a_move`` is how many seconds a move
    takes here; ``lines`` are what a duplicate session's boards came to, once shown. ``variant``
    and ``duplicate`` are the present game's, whatever is wished for the next one. ``dealt``
    is whether cards were dealt in it at any time; ``lesson`` is ``on`` while the class is at a
    lesson, ``over`` after one, else empty."""

    id: int
    version: int
    classroom_id: int
    classroom: str
    code: str
    state: str
    locked: bool
    needs_approval: bool
    names_hidden: bool
    expected: int
    settings: SessionSettings
    game: int
    variant: str
    duplicate: bool
    tables: tuple[str, ...]
    students: tuple[StudentState, ...]
    requests: tuple[tuple[int, str, int], ...]
    absent: tuple[tuple[int, str], ...]
    outcomes: tuple[Outcome, ...]
    lines: tuple[BoardLine, ...] = ()
    a_move: float = SECONDS_A_MOVE
    dealt: bool = False
    lesson: str = ""

    @property
    def is_closed(self) -> bool:
        return self.state == ClassSession.State.CLOSED

    @cached_property
    def by_pk(self) -> dict[int, StudentState]:
        """The students by their primary keys."""
        return {known.pk: known for known in self.students}

    @cached_property
    def here(self) -> tuple[StudentState, ...]:
        """The students who are in, at a table or not."""
        return tuple(s for s in self.students if s.state == Attendance.State.HERE)

    @property
    def asking(self) -> tuple[StudentState, ...]:
        """The students who wait for a teacher's yes."""
        return tuple(s for s in self.students if s.state == Attendance.State.ASKING)

    def lets_stay(self, viewer: Viewer) -> bool:
        """Whether a student may go on looking at a table of this session: the right to a seat
        is the table's to know, that they are here, and at this browser, is the session's."""
        if viewer.student_id is None:
            return True
        known = self.by_pk.get(viewer.student_id)
        is_here = known is not None and known.state == Attendance.State.HERE
        return is_here and known is not None and known.is_at(viewer.device, viewer.browser)

    @property
    def waiting(self) -> tuple[StudentState, ...]:
        """The students who are in and have no seat."""
        return tuple(s for s in self.here if s.table is None)


def load_session(session_id: int) -> SessionState:
    """The class session as it is now, in a dozen short queries at most. NotFound if there
    is none."""
    try:
        found = ClassSession.objects.select_related("classroom", "settings")
        session = found.get(pk=session_id)
    except ClassSession.DoesNotExist:
        raise NotFound from None
    game = present_game(session_id)
    tables = game.tables
    seats = _sitting(tables) if tables else {}
    # In each row first what is the student's, then what they are in this session, if they came.
    rows = list(
        Student.objects.filter(classroom=session.classroom_id)
        .annotate(
            come=FilteredRelation(
                "attendances", condition=Q(attendances__class_session=session_id)
            )
        )
        .order_by("come__joined", "come__pk", "name")
        .values_list(
            "pk",
            "name",
            "time_factor",
            "device_serial",
            "noted",
            "come__pk",
            "come__state",
            "come__joined",
            "come__last_seen",
            "come__browsers",
        )
    )
    runs = session.lesson_runs.values_list("ended", flat=True)
    requests = ReturnRequest.objects.filter(class_session=session, granted=False)
    return SessionState(
        id=session.pk,
        version=session.version,
        classroom_id=session.classroom_id,
        classroom=session.classroom.name,
        code=session.classroom.code,
        state=session.state,
        locked=session.locked,
        needs_approval=session.needs_approval,
        names_hidden=session.names_hidden,
        expected=session.expected,
        settings=session.settings,
        game=game.number,
        variant=game.variant or session.settings.variant,
        duplicate=game.duplicate,
        tables=tables,
        students=tuple(
            _student_state(seats.get(row[0]), *row) for row in rows if row[5] is not None
        ),
        requests=tuple(requests.order_by("pk").values_list("pk", "student__name", "student")),
        absent=tuple(row[:2] for row in rows if row[5] is None),
        a_move=_pace(session.classroom),
        outcomes=_outcomes(tables) if tables else (),
        lines=board_lines(session.pk, game) if game.duplicate else (),
        dealt=bool(tables) and has_dealt(session_id),
        lesson=_lesson_of(session.state, list(runs)),
    )


def _sitting(tables: Sequence[str]) -> dict[int, tuple[str, int, datetime | None]]:
    """The tables and seats of students, and when they were last seen there."""
    seats = Seat.objects.filter(table__in=tables, table__closed=False, student__isnull=False)
    rows = seats.values_list("table", "number", "student", "last_seen")
    return {student: (table, number, seen) for table, number, student, seen in rows}


def _lesson_of(state: str, ends: Collection[datetime | None]) -> str:
    """A closed session is at no lesson, whether it was ended or not."""
    if None in ends and state != ClassSession.State.CLOSED:
        return "on"
    return "over" if ends else ""


def has_dealt(session_id: int) -> bool:
    """Whether cards were dealt in this session at any time: before, it is no game."""
    return Deal.objects.filter(table__class_session=session_id).exists()


def _outcomes(tables: Sequence[str]) -> tuple[Outcome, ...]:
    last = Deal.objects.filter(table__in=tables).values("table").annotate(last=Max("pk"))
    rows = Result.objects.filter(by_person=True, deal__in=last.values("last"))
    return tuple(
        Outcome(*row) for row in rows.values_list("deal__table", "bid", "taken", "points")
    )


def _student_state(
    place: tuple[str, int, datetime | None] | None,
    student: int,
    name: str,
    time_factor: float,
    device_serial: int,
    noted: bool,
    attendance: int,
    state: str,
    joined: datetime,
    came: datetime | None,
    browsers: Mapping[str, bool],
) -> StudentState:
    table, seat, seen = place or (None, None, None)
    return StudentState(
        pk=student,
        name=name,
        attendance=attendance,
        state=state,
        joined=joined,
        last_seen=max(filter(None, (seen, came)), default=None),
        time_factor=time_factor,
        table=table,
        seat=seat,
        device_serial=device_serial,
        browsers=browsers,
        writing=not noted and came is not None and (seen is None or came > seen),
    )


def _pace(classroom: Classroom) -> float:
    key = f"pace.{classroom.pk}"
    cache = caches["process"]
    pace: float | None = cache.get(key)
    if pace is None:
        pace = seconds_a_move(classroom)
        cache.set(key, pace, timeout=PACE_KEPT)
    return pace


class Game(NamedTuple):
    """A session's present game: its number (0: none yet), its tables' ids by their numbers, its
    variant, and whether all its tables are dealt the same cards."""

    number: int
    tables: tuple[str, ...]
    variant: str
    duplicate: bool


def present_game(session_id: int) -> Game:
    """The game that the session plays, or has played last."""
    last = Table.objects.filter(class_session=session_id).aggregate(last=Max("game"))["last"]
    return _game(session_id, last or 0)


def game_of_table(table_id: str) -> Game:
    """The game of a class session that this table belongs to; a class may be past it."""
    session_id, game = Table.objects.values_list("class_session", "game").get(pk=table_id)
    return _game(session_id, game)


def _game(session_id: int, game: int) -> Game:
    if not game:
        return Game(0, (), "", False)
    tables = Table.objects.filter(class_session=session_id)
    rows = list(
        tables.filter(game=game).order_by("number").values_list("id", "variant", "duplicate")
    )
    variant, duplicate = rows[0][1:] if rows else ("", False)
    return Game(game, tuple(row[0] for row in rows), variant, duplicate)


def place_of(student: Student, session_id: int) -> tuple[str, int] | None:
    """The table and seat that the student has in the session's present game, unless that
    table was closed."""
    tables = present_game(session_id).tables
    seats = Seat.objects.filter(table__in=tables, table__closed=False, student=student)
    seat = seats.first()
    return None if seat is None else (seat.table_id, seat.number)


def lobby_of(browser: Browser) -> int | None:
    """The class session in which the student at this browser belongs, who came in last."""
    student, session_id = browser.student or (None, None)
    if student is None:
        return None
    come = Attendance.objects.filter(class_session=session_id, student=student)
    return session_id if come.exists() else None


def lobby_from(table_id: str, browser: Browser) -> int | None:
    """The same for somebody who was at this table: of several classes it is the table's."""
    tables = Table.objects.filter(pk=table_id)
    return lobby_of(browser.at(tables.values_list("class_session", flat=True).first()))


# A seat for whoever has none.


class Offer(NamedTuple):
    """Where the next student without a seat sits down: at this seat of this table, or (with a
    table of None) at a table more. ``why`` says why nowhere: ``lobby``, no tables stand yet;
    ``by_hand``, the teacher seats; ``alone``, no bots are wished for, and nobody waits along;
    ``board``, the next one begins for them; ``over``, nothing is left to play in this game."""

    table: str | None = None
    seat: int | None = None
    why: str = ""


def offer_seat(
    session: SessionState,
    tables: Collection[TableState],
    waiting: int,
    keys: frozenset[str] = frozenset(),
    *,
    sure: bool = False,
) -> Offer:
    """Where the next of so many ``waiting``, who has these ``keys``, sits, of all ``tables`` of
    the present game. With ``sure`` the teacher has pressed that they be seated, be it by a
    bot's side.

    A bot's seat first, at the table with most of them, but none that is kept for somebody, nor
    one whose hand would be the second of one deal that they see.
    Where no bots are wished for, a table that has not been dealt to gets a seat more, and a
    table more is for two at least.
    """
    if not tables:
        return Offer(why="lobby")
    if session.settings.seating == SessionSettings.Seating.BY_HAND and not sure:
        return Offer(why="by_hand")
    going_on = [table for table in tables if table.status not in {"game_over", "closed"}]
    is_duplicate = any(table.is_duplicate for table in going_on)
    last = max((table.round_number for table in going_on), default=0)
    has_more = bool(going_on) and (not is_duplicate or last < going_on[0].rounds)
    if is_duplicate and any(table.status in RUNNING for table in going_on):
        # They may have seen the board; the next one finds them a seat.
        return Offer(why="board" if has_more else "over")
    free = {table.id: _free(table, keys) for table in going_on}
    for table in sorted(going_on, key=lambda each: (-len(free[each.id]), each.number)):
        if free[table.id]:
            return Offer(table.id, free[table.id][0])
    without_bots = session.settings.filling == SessionSettings.Filling.UNEVEN
    if without_bots and not is_duplicate:
        undealt = [
            table
            for table in going_on
            if table.status == "waiting"
            and len(table.seats) < MAX_SEATS
            and table.may_sit(len(table.seats), keys)
        ]
        if undealt:
            smallest = min(undealt, key=lambda each: (len(each.seats), each.number))
            return Offer(smallest.id, len(smallest.seats))
        if has_more and waiting < MIN_SEATS and not sure:
            return Offer(why="alone")
    return Offer() if has_more else Offer(why="over")


def _free(table: TableState, keys: frozenset[str]) -> list[int]:
    return [
        seat.number
        for seat in table.seats
        if seat.is_bot and seat.kept_for is None and table.may_sit(seat.number, keys)
    ]


def unseated(
    session: SessionState, tables: Collection[TableState], now: datetime
) -> tuple[list[StudentState], list[StudentState]]:
    """The present students without a seat: those whom the next free one is for, and those whose
    table the teacher has closed, who wait for what the teacher does with them."""
    closed = {seat.student_id for table in tables if table.closed for seat in table.seats}
    present = [known for known in session.waiting if not known.is_away(now)]
    return (
        [known for known in present if known.pk not in closed],
        [known for known in present if known.pk in closed],
    )


def keys_of(session_id: int, students: Collection[int]) -> dict[int, frozenset[str]]:
    """The keys of these students at this moment."""
    browsers = browsers_of(session_id, students)
    return {pk: student_keys(pk, browsers.get(pk, ())) for pk in students}


def strangers(
    students: Collection[int], keys: Mapping[int, frozenset[str]]
) -> tuple[list[int], list[int]]:
    """Those of these students who may sit together, and those who share a browser with one of
    them."""
    together: list[int] = []
    others: list[int] = []
    seen: set[str] = set()
    for pk in students:
        (others if keys[pk] & seen else together).append(pk)
        seen |= keys[pk]
    return together, others


def seats_are_due(session: SessionState, tables: Collection[TableState], now: datetime) -> bool:
    """Whether somebody is here without a seat for whom there is one."""
    if session.is_closed or len(tables) < len(session.tables):
        return False
    waiting, _left = unseated(session, tables, now)
    return any(
        not offer_seat(session, tables, len(waiting), known.keys).why for known in waiting
    )


# Standings.


@dataclass(frozen=True, slots=True)
class Standing:
    """One seat's points in the present game, in a duplicate session with its score; ``rank``
    is shared by equals."""

    rank: int
    name: str
    is_bot: bool
    student: int | None
    table: int
    seat: int
    total: int
    rounds: int
    score: Fraction | None = None


def standings(tables: Sequence[TableState]) -> tuple[Standing, ...]:
    """All people of these tables by their totals, best first (in *lose* the fewest); those
    who have not finished a round are left out."""
    rows = [
        (state.totals[seat.number], state, seat)
        for state in tables
        if state.points
        for seat in state.people
    ]
    best_first = sorted(
        rows,
        key=lambda row: (
            row[0] if row[1].variant is Variant.LOSE else -row[0],
            row[1].number,
            row[2].number,
        ),
    )
    totals = [row[0] for row in best_first]
    return tuple(
        Standing(
            rank=totals.index(total) + 1,
            name=seat.name,
            is_bot=seat.is_bot,
            student=seat.student_id,
            table=state.number,
            seat=seat.number,
            total=total,
            rounds=len(state.points),
        )
        for total, state, seat in best_first
    )


def leaders(state: TableState) -> frozenset[int]:
    """The seats in front at one table."""
    return winners(state.variant, state.totals) if state.points else frozenset()


# The same cards elsewhere.


@dataclass(frozen=True, slots=True)
class BoardLine:
    """What one seat of one table made of a board. ``against`` are its points less the mean of
    the same seat at the other tables (the duplicate score), None where there is no other."""

    board: int
    table_id: str
    table: int
    seat: int
    name: str
    is_bot: bool
    student: int | None
    bid: int | None
    taken: int
    points: int
    against: Fraction | None


def board_lines(session_id: int, game: Game | None = None) -> tuple[BoardLine, ...]:
    """All seats of all tables on every board of the present (or an earlier) game that is over,
    by board, seat and table. Nothing of a board that some table still plays."""
    tables = (game or present_game(session_id)).tables
    people = {
        (seat.table_id, seat.number): seat for seat in Seat.objects.filter(table__in=tables)
    }
    rows = (
        Result.objects.filter(
            may_be_shown("deal__"), deal__table__in=tables, deal__board__isnull=False
        )
        .order_by("deal__board", "seat", "deal__table__number")
        .values_list(
            "deal__round",
            "deal__table",
            "deal__table__number",
            "seat",
            "bid",
            "taken",
            "points",
        )
    )
    found = list(rows)
    same: dict[tuple[int, int], list[int]] = {}
    for board, _id, _table, seat, _bid, _taken, points in found:
        same.setdefault((board, seat), []).append(points)
    return tuple(
        BoardLine(
            board=board,
            table_id=table_id,
            table=table,
            seat=seat,
            name=people[table_id, seat].name,
            is_bot=bool(people[table_id, seat].level),
            student=people[table_id, seat].student_id,
            bid=bid,
            taken=taken,
            points=points,
            against=against_mean(points, same[board, seat]),
        )
        for board, table_id, table, seat, bid, taken, points in found
    )


def against_mean(points: int, everywhere: Sequence[int]) -> Fraction | None:
    """Points less the mean of the same seat at the other tables; ``everywhere`` has them all,
    one's own among them. None if there is no other table."""
    others = len(everywhere) - 1
    return Fraction(points * (others + 1) - sum(everywhere), others) if others else None


def duplicate_standings(lines: Sequence[BoardLine], variant: Variant) -> tuple[Standing, ...]:
    """The people of these lines by their duplicate scores, best first (in *lose* the
    lowest)."""
    is_lose = variant is Variant.LOSE
    sums: dict[tuple[str, int], list[BoardLine]] = {}
    for line in lines:
        if not line.is_bot:
            sums.setdefault((line.table_id, line.seat), []).append(line)
    scored = [(sum(line.against or Fraction() for line in own), own) for own in sums.values()]
    scored.sort(key=lambda pair: (pair[0] if is_lose else -pair[0], pair[1][0].table))
    scores = [score for score, _own in scored]
    return tuple(
        Standing(
            rank=scores.index(score) + 1,
            name=own[0].name,
            is_bot=False,
            student=own[0].student,
            table=own[0].table,
            seat=own[0].seat,
            total=sum(line.points for line in own),
            rounds=len(own),
            score=Fraction(score),
        )
        for score, own in scored
    )


# What a game will take.


def seconds_a_move(classroom: Classroom | None) -> float:
    """How long a move took in this classroom's last fifty rounds; an assumption before. Which
    rounds these are is asked first: nothing is summed up of the others."""
    by_people = Result.objects.filter(deal=OuterRef("pk"), by_person=True)
    played = Deal.objects.filter(Exists(by_people), table__class_session__classroom=classroom)
    last = list(played.order_by("-pk").values_list("pk", flat=True)[:50])
    recent = (
        Deal.objects.filter(pk__in=last)
        .annotate(moved=Count("moves"), ended=Max("moves__made"))
        .values_list("created", "ended", "moved")
    )
    measured = [(ended - began).total_seconds() / moved for began, ended, moved in recent]
    return median(measured) if measured else SECONDS_A_MOVE


def minutes_for(*, variant: str, seats: int, rounds: int, a_move: float) -> int:
    """About how many minutes a game takes: seats times moves times the pace, and a look at
    the scores after each round."""
    moves = seats * (HAND_SIZE + (variant == Variant.BID.value))
    return max(1, round(rounds * (moves * a_move + SECONDS_BETWEEN_ROUNDS) / 60))


# A student's own.


@dataclass(frozen=True, slots=True)
class OwnRound:
    """A finished round of which a student made every move."""

    day: datetime
    session: int
    variant: str
    round: int
    bid: int | None
    taken: int
    points: int


def own_rounds(student: Student, *, limit: int = 40) -> tuple[OwnRound, ...]:
    """The student's finished rounds in this classroom, the newest first."""
    found = (
        Result.objects.filter(student=student)
        .order_by("-deal__pk")
        .values_list(
            "deal__created",
            "deal__table__class_session",
            "deal__table__variant",
            "deal__round",
            "bid",
            "taken",
            "points",
        )[:limit]
    )
    return tuple(OwnRound(*row) for row in found)


SEEN_AGAIN = timedelta(seconds=1)
"""A student seen so long after coming in has had a page of the class open."""


def never_played(classroom: Classroom) -> QuerySet[Student]:
    """The students who came and left nothing behind, no move and no answer (a script's, or
    somebody's second name). Of a session that is not closed, nobody who asks to come in, sits
    at a table, is here, or has had the lobby open and may wait for a board on a phone that
    sleeps."""
    students = Student.objects.filter(classroom=classroom)
    for link in Student._meta.related_objects:
        if link.related_model not in {Attendance, ReturnRequest, Seat}:
            rows = link.related_model._default_manager.filter(
                **{link.field.name: OuterRef("pk")}
            )
            students = students.exclude(Exists(rows))
    session = unclosed_session(classroom)
    if session is not None:
        now = timezone.now()
        come = load_session(session.pk).students
        students = students.exclude(pk__in=[s.pk for s in come if _is_waited_for(s, now)])
    return students.order_by("name")


def _is_waited_for(known: StudentState, now: datetime) -> bool:
    if known.state == Attendance.State.HERE:
        was_seen = known.last_seen is not None and known.last_seen - known.joined >= SEEN_AGAIN
        return known.table is not None or was_seen or not known.is_away(now)
    return known.state == Attendance.State.ASKING

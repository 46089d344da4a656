"""What is read of a class session: one picture of the room, for cockpit, projector and lobby.

What happens at the tables is read by :func:`games.tables.state.load_table`, here as everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

from django.db.models import Count, FilteredRelation, Q, Sum

from games.classes.dot_plots import signed_mean
from games.classes.game import BoardLine, board_lines, present_game
from games.classes.pace import pace_of
from games.classes.standings import duplicate_standings
from games.models import Deal, Result, Seat, SessionSettings, Table
from games.rules import Variant
from games.tables.state import TableState, load_table, load_tables
from games.tables.timing import AWAY_AFTER
from games.tables.view import OVER, RUNNING, Status, TableFacts, student_keys
from games.tables.viewers import Browser, Viewer
from xactika_site import languages
from xactika_site.classrooms.models import Attendance, ClassSession, ReturnRequest, Student
from xactika_site.classrooms.names import plain
from xactika_site.classrooms.selectors import NotFound, unclosed_session


def is_ended(table: TableFacts, here: Collection[int]) -> bool:
    """Whether no game is going on at a table: it is over, or none of its students is here."""
    return table.status in OVER or not any(seat.student_id in here for seat in table.people)


def is_left_over(table: TableFacts) -> bool:
    """Whether a table waits between rounds until somebody sits down; one of duplicate boards
    is dealt the next all the same."""
    return table.status == Status.ROUND_OVER and not (table.people or table.is_duplicate)


def is_in_play(table: TableFacts, here: Collection[int]) -> bool:
    """Whether one of its students is here and a table plays, or waits for its next round."""
    plays = table.status in RUNNING or table.status == Status.ROUND_OVER
    return plays and not (is_ended(table, here) or is_left_over(table))


class LessonPhase(StrEnum):
    """Whether a session's class is at a lesson, or was; at some steps it plays."""

    NONE = ""
    ON = "on"
    PLAYS = "plays"
    OVER = "over"

    @property
    def is_on(self) -> bool:
        return self in (LessonPhase.ON, LessonPhase.PLAYS)


plays_at: list[Callable[[str, int], bool]] = []
"""What knows whether a class plays at this step of a lesson: ``lessons`` adds it."""


class ChapterProgress(NamedTuple):
    """The numbers of the chapters gone through, a digit each, and how many there are; stored as
    “123/8”."""

    done: frozenset[int] = frozenset()
    of: int = 0

    @classmethod
    def parse(cls, text: str) -> ChapterProgress:
        """What is stored; nothing gone through where that is empty."""
        done, _slash, of = text.partition("/")
        return cls(frozenset(map(int, done)), int(of or 0))

    def __str__(self) -> str:
        return f"{''.join(map(str, sorted(self.done)))}/{self.of}"

    @property
    def is_all(self) -> bool:
        return 0 < len(self.done) == self.of


NEW_FOR = timedelta(hours=1)
"""Who joins so soon after they came to the class is new in the session: shown their phrase."""


@dataclass(frozen=True, slots=True)
class StudentState:
    """A student in the session; ``table`` and ``seat`` are of the present game, None where
    that table was closed. ``has_noted``: they have said that their phrase is written down, or
    were in the class before; ``writing``: else, the lobby still shows it to them."""

    pk: int
    name: str
    attendance: int
    state: Attendance.State
    joined: datetime
    last_seen: datetime | None
    time_factor: float
    table: str | None
    seat: int | None
    device_serial: int = 0
    has_noted: bool = True
    writing: bool = False
    # The browsers they came in by, and whether each is still theirs.
    browsers: Mapping[str, bool] = field(default_factory=dict)
    chapters: ChapterProgress = field(default_factory=ChapterProgress)

    def is_at(self, device: int | None, browser: str) -> bool:
        """Whether a device of this serial, with this browser, is still theirs."""
        return self.device_serial == device and self.browsers.get(browser, True)

    def is_away(self, now: datetime, after: timedelta = AWAY_AFTER) -> bool:
        """Whether no device of theirs has been seen for a while, or every one was given back
        or is somebody else's by now."""
        if self.browsers and not any(self.browsers.values()):
            return True
        return self.last_seen is None or now - self.last_seen >= after

    @property
    def keys(self) -> frozenset[str]:
        """The student, and the browsers that they came in by."""
        return student_keys(self.pk, self.browsers)


class StudentRow(NamedTuple):
    """A student's columns: first what is theirs, then what they are in this session, all None
    where they have not come to it."""

    pk: int
    name: str
    time_factor: float
    device_serial: int
    noted: bool
    created: datetime
    come__pk: int
    come__state: str
    come__joined: datetime
    come__last_seen: datetime | None
    come__browsers: Mapping[str, bool]
    come__chapters: str


class OwnRound(NamedTuple):
    """What a student made of a round of their table, by moves all their own."""

    table: str
    round: int
    student: int | None
    bid: int | None
    taken: int


class EntryRules(NamedTuple):
    """How one comes into a session: by the classroom's code, unless it is ``locked``; with a
    teacher's yes, if it is wished for or more come than are ``expected``. Once it is closed,
    into the ``next_session`` that its class has open, by its id."""

    code: str
    locked: bool
    needs_approval: bool
    expected: int
    next_session: int | None


class SessionPlay(NamedTuple):
    """What came of a session's play. ``dealt`` is whether cards were dealt in it at any time;
    of the present game ``outcomes`` are of the rounds that its tables have finished,
    ``points_by_student`` has the points and the number of the rounds that each played alone, at
    whatever table; ``lines`` are what a duplicate session's boards came to,
    once shown. ``seconds_per_move`` is this classroom's pace."""

    dealt: bool
    outcomes: tuple[OwnRound, ...]
    points_by_student: Mapping[int, tuple[int, int]]
    lines: tuple[BoardLine, ...]
    seconds_per_move: float


@dataclass(frozen=True)
class SessionState:
    """A class session at one moment. ``tables`` are the present game's, by number; closed
    ones stay among them. ``requests`` are (id, name, student) of those who lost their phrase;
    ``absent`` are (id, name) of the classroom's students who have not come, of a closed session
    those who were in the classroom before it closed. ``variant`` and
    ``duplicate`` are the present game's, whatever is wished for the next one; ``board`` is a
    tournament's that is played or was played last, else 0."""

    id: int
    version: int
    classroom_id: int
    classroom: str
    entry: EntryRules
    state: ClassSession.State
    names_hidden: bool
    language: str
    created: datetime
    settings: SessionSettings
    game: int
    variant: str
    duplicate: bool
    tables: tuple[str, ...]
    students: tuple[StudentState, ...]
    requests: tuple[tuple[int, str, int], ...]
    absent: tuple[tuple[int, str], ...]
    played: SessionPlay
    lesson: LessonPhase = LessonPhase.NONE
    board: int = 0

    @property
    def is_closed(self) -> bool:
        return self.state == ClassSession.State.CLOSED

    @cached_property
    def by_pk(self) -> dict[int, StudentState]:
        """The students by their primary keys."""
        return {student.pk: student for student in self.students}

    @cached_property
    def places(self) -> dict[int | None, tuple[int, int, str]]:
        """By student, the place in the tournament, of how many, and the fair score;
        empty while standings are hidden."""
        if not self.board or not self.settings.standings_shown:
            return {}
        rows = duplicate_standings(self.played.lines, Variant(self.variant))
        return {row.student: (row.rank, len(rows), signed_mean(row.score)) for row in rows}

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
        student = self.by_pk.get(viewer.student_id)
        return (
            student is not None
            and student.state == Attendance.State.HERE
            and student.is_at(viewer.device, viewer.browser)
        )

    @property
    def is_learning(self) -> bool:
        """Whether whoever comes in learns by playing meanwhile."""
        is_lobby = self.state == ClassSession.State.LOBBY
        return is_lobby and self.settings.chapters and not self.lesson.is_on

    @property
    def waiting(self) -> tuple[StudentState, ...]:
        """The students who are in and have no seat."""
        return tuple(s for s in self.here if s.table is None)


def load_session(session_id: int) -> SessionState:
    """The class session as it is now, in a dozen short queries at most. NotFound for none."""
    try:
        sessions = ClassSession.objects.select_related("classroom", "settings")
        session = sessions.get(pk=session_id)
    except ClassSession.DoesNotExist:
        raise NotFound from None
    # Each holds the other: nothing would let go of them but a collection of garbage.
    SessionSettings.class_session.field.delete_cached_value(session.settings)
    game = present_game(session_id)
    tables = game.tables
    seats = _seats_of_students(tables) if tables else {}
    come_students = (
        Student.objects.filter(classroom=session.classroom_id)
        .annotate(
            come=FilteredRelation(
                "attendances", condition=Q(attendances__class_session=session_id)
            )
        )
        .order_by("come__joined", "come__pk")
    )
    if session.closed:
        come_students = come_students.filter(
            Q(come__isnull=False) | Q(created__lte=session.closed)
        )
    rows = [StudentRow(*row) for row in come_students.values_list(*StudentRow._fields)]
    absent = [(row.pk, row.name) for row in rows if row.come__pk is None]
    runs = session.lesson_runs.values_list("ended", "lesson", "step")
    requests = ReturnRequest.objects.filter(class_session=session, granted=False)
    return SessionState(
        id=session.pk,
        version=session.version,
        classroom_id=session.classroom_id,
        classroom=session.classroom.name,
        entry=EntryRules(
            session.classroom.code,
            session.locked,
            session.needs_approval,
            session.expected,
            _next_session(session),
        ),
        state=ClassSession.State(session.state),
        names_hidden=session.names_hidden,
        language=languages.supported(session.language),
        created=session.created,
        settings=session.settings,
        game=game.number,
        variant=game.variant or session.settings.variant,
        duplicate=game.duplicate,
        tables=tables,
        students=tuple(
            _student_state(row, seats.get(row.pk)) for row in rows if row.come__pk is not None
        ),
        requests=tuple(requests.order_by("pk").values_list("pk", "student__name", "student")),
        absent=tuple(sorted(absent, key=lambda each: plain(each[1]))),
        played=SessionPlay(
            dealt=bool(tables) and has_dealt(session_id),
            outcomes=_own_rounds(tables) if tables else (),
            points_by_student=_points_by_student(tables) if tables else {},
            lines=board_lines(session.pk, game) if game.duplicate else (),
            seconds_per_move=pace_of(session.classroom),
        ),
        lesson=_lesson_of(session.state, list(runs)),
        board=game.board,
    )


def _next_session(session: ClassSession) -> int | None:
    """The id of the session that this one's class has open, once this one is closed."""
    if session.state != ClassSession.State.CLOSED:
        return None
    new = unclosed_session(session.classroom)
    return None if new is None else new.pk


def _seats_of_students(tables: Sequence[str]) -> dict[int, tuple[str, int, datetime | None]]:
    """The tables and seats of students, and when they were last seen there."""
    seats = Seat.objects.filter(table__in=tables, table__closed=False, student__isnull=False)
    rows = seats.values_list("table", "number", "student", "last_seen")
    return {student: (table, number, seen) for table, number, student, seen in rows}


def _lesson_of(state: str, runs: Sequence[tuple[datetime | None, str, int]]) -> LessonPhase:
    """The phase of a session's lesson, by when its lessons ended and their steps; a closed
    session has none on."""
    if state != ClassSession.State.CLOSED:
        for ended, lesson, step in runs:
            if ended is None:
                plays = any(knows(lesson, step) for knows in plays_at)
                return LessonPhase.PLAYS if plays else LessonPhase.ON
    return LessonPhase.OVER if runs else LessonPhase.NONE


def tables_in_play(state: SessionState) -> list[TableState]:
    """The tables of the present game that play, or wait for their next round, of whose students
    somebody has come."""
    here = {student.pk for student in state.here}
    return [table for table in load_tables(state.tables) if is_in_play(table, here)]


def has_dealt(session_id: int) -> bool:
    """Whether cards were dealt in this session at any time: before, it is no game."""
    return Deal.objects.filter(table__class_session=session_id).exists()


def _own_rounds(tables: Sequence[str]) -> tuple[OwnRound, ...]:
    rows = Result.objects.filter(by_person=True, deal__table__in=tables)
    facts = rows.values_list("deal__table", "deal__round", "student", "bid", "taken")
    return tuple(OwnRound(*row) for row in facts)


def _points_by_student(tables: Sequence[str]) -> dict[int, tuple[int, int]]:
    """Points and rounds by student, of rounds that they played alone."""
    played = Result.objects.filter(deal__table__in=tables, student__isnull=False).order_by()
    rows = played.values_list("student").annotate(Sum("points"), Count("pk"))
    return {student: (points, rounds) for student, points, rounds in rows}


def _student_state(
    row: StudentRow, place: tuple[str, int, datetime | None] | None
) -> StudentState:
    table, seat, seen_at_table = place or (None, None, None)
    seen_in_lobby = row.come__last_seen
    return StudentState(
        pk=row.pk,
        name=row.name,
        attendance=row.come__pk,
        state=Attendance.State(row.come__state),
        joined=row.come__joined,
        last_seen=max(filter(None, (seen_at_table, seen_in_lobby)), default=None),
        time_factor=row.time_factor,
        table=table,
        seat=seat,
        device_serial=row.device_serial,
        browsers=row.come__browsers,
        chapters=ChapterProgress.parse(row.come__chapters),
        has_noted=row.noted or row.come__joined - row.created > NEW_FOR,
        writing=not row.noted
        and seen_in_lobby is not None
        and (seen_at_table is None or seen_in_lobby > seen_at_table),
    )


class SeatAt(NamedTuple):
    """A seat, by the id of its table and its number there."""

    table: str
    number: int


def seat_of(student: Student, session_id: int) -> SeatAt | None:
    """The seat that the student has in the session's present game, unless its table was
    closed."""
    tables = present_game(session_id).tables
    seats = Seat.objects.filter(table__in=tables, table__closed=False, student=student)
    seat = seats.first()
    return None if seat is None else SeatAt(seat.table_id, seat.number)


def table_in_play(session: ClassSession, student: Student) -> str:
    """The table of the present game where this student, who has come in, is awaited; empty
    where there is none yet, it is over, or the class is paused or at a lesson."""
    if session.state != ClassSession.State.OPEN:
        return ""
    state = load_session(session.pk)
    own = state.by_pk.get(student.pk)
    if state.lesson.is_on or own is None or own.state != Attendance.State.HERE or not own.table:
        return ""
    return "" if load_table(own.table).status in OVER else own.table


def lobby_of(browser: Browser) -> int | None:
    """The id of the class session to which the student at this browser came in last."""
    student, session_id = browser.present
    if student is None:
        return None
    come = Attendance.objects.filter(class_session=session_id, student=student)
    return session_id if come.exists() else None


def lobby_from(table_id: str, browser: Browser) -> int | None:
    """The class session of a student who was at this table: of several it is the table's."""
    tables = Table.objects.filter(pk=table_id)
    return lobby_of(browser.at(tables.values_list("class_session", flat=True).first()))

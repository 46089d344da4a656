"""What is read of tables: one present state for everybody, and what each viewer may see of it.

Screens, sockets, bots and services all read through :func:`load_table`.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cached_property, partial, reduce
from threading import Lock
from typing import Any

from django.core.signing import BadSignature, Signer
from django.db import connection, transaction
from django.db.models import Exists, F, OuterRef, Q, Subquery
from django.utils.dateparse import parse_datetime

from games.models import Admission, Deal, Guest, Move, Result, Seat, Table
from games.rules import (
    DECK,
    Observation,
    Round,
    Trick,
    Variant,
    move_text,
    observe,
    parse_card,
    parse_move,
    score_round,
    winners,
)
from xactika_site.accounts.models import User
from xactika_site.classrooms.models import Attendance, Classroom, ClassSession, Student
from xactika_site.classrooms.selectors import AtDevice, SignIn, Teacher, key_hash, students_at
from xactika_site.classrooms.selectors import NotFound as NotFound

AWAY_AFTER = timedelta(seconds=25)
"""A person not seen for so long is away."""

NEXT_ROUND_AFTER = timedelta(seconds=60)
"""Between rounds the first who is ready waits no longer than this for the others."""


GUEST_COOKIE = "guest"
STUDENT_COOKIE = "student"


@dataclass(frozen=True, slots=True)
class SeatState:
    """A seat as everybody at the table may know it. ``level`` is empty for a person."""

    pk: int
    number: int
    name: str
    level: str
    serial: int
    opened: bool
    stand_in: bool
    ready_at: datetime | None
    student_id: int | None = None
    time_factor: float = 1.0
    device_serial: int = 0
    # The guests who were let in here, and whether a program was.
    guests: frozenset[int] = frozenset()
    program: bool = False
    # Marks of the browsers that this student came in by; those that are theirs no more.
    browsers: frozenset[str] = frozenset()
    left_browsers: frozenset[str] = frozenset()
    # The keys of those who held the hand of the present deal and left it.
    left_by: frozenset[str] = frozenset()
    kept_for: int | None = None

    @property
    def is_bot(self) -> bool:
        return bool(self.level)

    @property
    def is_played_by_bot(self) -> bool:
        return self.is_bot or self.stand_in

    @property
    def keys(self) -> frozenset[str]:
        """Who sits here: the student, and the browsers that they came in by."""
        return student_keys(self.student_id, self.browsers) if self.student_id else frozenset()

    def is_anothers(self, guest: Guest | None) -> bool:
        """Whether a browser was let in here, and it is not this one."""
        return bool(self.guests) and (guest is None or guest.pk not in self.guests)


def student_keys(student_id: int, browsers: Iterable[str]) -> frozenset[str]:
    """What tells that a student, or somebody at the same browser, held a hand."""
    return frozenset({str(student_id), *browsers})


@dataclass(frozen=True)
class TableState:
    """A table at one moment. ``round`` (the present deal's) is None while waiting.

    ``moves`` are the present deal's, as (seat, text); ``points`` those of finished rounds,
    by round and seat, None for boards before the table was opened. Immutable: a change makes
    a new one.
    """

    id: str
    version: int
    kind: str
    variant: Variant
    rounds: int
    patience: timedelta
    pace: float
    opener_id: int | None
    watch_serial: int
    paused: bool
    closed: bool
    next_table_id: str | None
    seats: tuple[SeatState, ...]
    deal_id: int | None
    round_number: int
    dealt: tuple[tuple[str, ...], ...]
    round: Round | None
    moves: tuple[tuple[int, str], ...]
    turn_began: datetime
    points: tuple[tuple[int | None, ...], ...]
    level: str
    class_session_id: int | None = None
    number: int = 0
    clock: timedelta | None = None
    held: bool = False
    watching: bool = False
    resumed: datetime | None = None
    is_duplicate: bool = False
    shown_round: int = 0
    still_playing: int = 0
    odds_panel: str = "off"
    # The class plays its next game already; its session is closed.
    is_past: bool = False
    is_session_over: bool = False
    news: int = 0

    @property
    def turn(self) -> str:
        """``<round>.<moves made in it>``; ``0.0`` while waiting."""
        return f"{self.round_number}.{len(self.moves)}"

    @cached_property
    def status(self) -> str:
        """waiting, bidding, playing, round_over, game_over or closed."""
        if self.closed:
            return "closed"
        if self.round is None:
            return "waiting"
        if self.round.is_over:
            is_last = self.round_number == self.rounds and self.is_shown
            return "game_over" if is_last else "round_over"
        return "bidding" if self.round.is_bidding else "playing"

    @property
    def is_shown(self) -> bool:
        """Whether a finished round may be shown: in a duplicate session when all tables have
        finished the board."""
        return not self.is_duplicate or self.round_number <= self.shown_round

    @property
    def odds(self) -> str:
        """What a seat is told of its odds: off, after (the trick) or always. A board that
        others play, too, has none."""
        return "off" if self.is_duplicate else self.odds_panel

    @cached_property
    def to_move(self) -> int | None:
        """The seat whose turn it is, if a move can be made at all."""
        return None if self.round is None or self.closed else self.round.to_move

    @cached_property
    def legal(self) -> tuple[str, ...]:
        """The moves open to the seat whose turn it is, paused or not."""
        if self.round is None or self.to_move is None:
            return ()
        return tuple(map(move_text, observe(self.round, self.to_move).legal))

    @cached_property
    def totals(self) -> tuple[int, ...]:
        """Points so far, by seat."""
        seats = range(len(self.seats))
        return tuple(sum(row[seat] or 0 for row in self.points) for seat in seats)

    @cached_property
    def gained(self) -> tuple[int, ...]:
        """Points of the present round, once it is over, by seat."""
        return score_round(self.round) if self.round and self.round.is_over else ()

    @property
    def is_running(self) -> bool:
        """Whether a round is being played: whoever leaves now has seen a hand of it."""
        return self.status in {"bidding", "playing"}

    def may_sit(self, seat: int, keys: frozenset[str]) -> bool:
        """Whether whoever these keys stand for may take this seat. Nobody, be it under another
        name at the same browser, gets a second hand of one deal."""
        return not any(
            keys & (other.keys | (other.left_by if self.is_running else frozenset()))
            for other in self.seats
            if other.number != seat
        )

    @property
    def people(self) -> tuple[SeatState, ...]:
        """The seats that are people's, whoever plays them just now."""
        return tuple(seat for seat in self.seats if not seat.is_bot)

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
    known = _cache.get(table_id)
    version, moves = _changes_since(table_id, known, lock=lock)
    is_known = known is not None and known.version == version
    while known is None or known.version != version:
        known = _read_table(table_id)
        version, moves = _changes_since(table_id, known, lock=False)
    known = known.after(moves)
    # What a transaction reads anew may be half of what it changes, under its last version.
    if is_known or _is_alone or not _may_be_rolled_back():
        remember_committed(known)
    return known


def _changes_since(
    table_id: str, known: TableState | None, *, lock: bool
) -> tuple[int, list[tuple[int, str, datetime]]]:
    deal, moves = (known.deal_id, len(known.moves)) if known else (None, 0)
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
    return rows[0][0], [(seat, text, _utc(made)) for _, seat, text, made in rows if text]


def _utc(stored: datetime | str) -> datetime:
    """A time as SQLite (text) or PostgreSQL keeps it."""
    when = parse_datetime(stored) if isinstance(stored, str) else stored
    assert when is not None
    return when if when.tzinfo else when.replace(tzinfo=UTC)


def turn_of(state: TableState) -> tuple[int, int, int]:
    """What tells whether a state is the present one: see :func:`present_turns`."""
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
            _cache.popitem(last=False)


def _read_table(table_id: str) -> TableState:
    table = Table.objects.select_related("class_session__settings").get(pk=table_id)
    session = table.class_session
    deal = Deal.objects.filter(table=table_id).order_by("-round").first()
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
            time_factor=seat.student.time_factor if seat.student else 1.0,
            device_serial=seat.student.device_serial if seat.student else 0,
            program=seat.program,
            left_by=frozenset(seat.left_by),
            kept_for=seat.kept_for_id,
        )
        for seat in Seat.objects.filter(table=table_id)
        .select_related("student")
        .order_by("number")
    )
    if session is None:
        guests = _guests(table_id)
        seats = tuple(
            replace(seat, guests=frozenset(guests.get(seat.number, ()))) for seat in seats
        )
    else:
        come_by = browsers_of(session.pk, [s.student_id for s in seats if s.student_id])
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
        kind=table.kind,
        variant=variant,
        rounds=table.rounds,
        patience=timedelta(seconds=table.patience),
        pace=table.pace,
        opener_id=table.opener_id,
        watch_serial=table.watch_serial,
        paused=table.paused or table.room_paused,
        closed=table.closed,
        next_table_id=table.next_table_id,
        seats=seats,
        deal_id=deal.pk if deal else None,
        round_number=deal.round if deal else 0,
        dealt=tuple(map(tuple, deal.hands)) if deal else (),
        round=start_round(deal, variant) if deal else None,
        moves=(),
        turn_began=max(began, table.resumed or began),
        points=_points(table_id, len(seats), before=deal.round if deal else 0),
        level=table.level,
        class_session_id=table.class_session_id,
        number=table.number,
        clock=None if table.clock is None else timedelta(seconds=table.clock),
        held=table.held,
        watching=table.watching and not table.duplicate,
        resumed=table.resumed,
        is_duplicate=table.duplicate,
        shown_round=table.shown_round,
        still_playing=table.still_playing,
        odds_panel=table.odds_panel,
        is_past=table.class_session_id is not None
        and Table.objects.filter(
            class_session=table.class_session_id, game__gt=table.game
        ).exists(),
        is_session_over=session is not None and session.state == ClassSession.State.CLOSED,
        news=session.settings.news if session else 0,
    )


def _guests(table_id: str) -> dict[int, set[int]]:
    """The guests who were let in to each seat and have not lost it, by its number."""
    found: dict[int, set[int]] = {}
    rows = Admission.objects.filter(table=table_id, seat__isnull=False, taken_over=False)
    for number, guest in rows.values_list("seat__number", "guest"):
        found.setdefault(number, set()).add(guest)
    return found


def browsers_of(session_id: int, students: Collection[int]) -> dict[int, dict[str, bool]]:
    """The marks of the browsers by which each of these students came in, and whether they are
    still theirs."""
    rows = Attendance.objects.filter(class_session=session_id, student__in=students)
    return dict(rows.values_list("student", "browsers"))


def start_round(deal: Deal, variant: Variant) -> Round:
    """The rules' round of a stored deal, before its first move."""
    hands = [[parse_card(code) for code in hand] for hand in deal.hands]
    return Round.start(variant=variant, hands=hands, dealer=deal.dealer)


def _points(table_id: str, seats: int, *, before: int) -> tuple[tuple[int | None, ...], ...]:
    rows: dict[int, list[int | None]] = {n: [None] * seats for n in range(1, before)}
    points = Result.objects.filter(deal__table=table_id, deal__round__lt=before)
    for round_number, seat, gained in points.values_list("deal__round", "seat", "points"):
        rows[round_number][seat] = gained
    return tuple(map(tuple, rows.values()))


def may_be_shown(deal: str = "") -> Q:
    """A filter: nothing of a board that some table still plays. ``deal`` is the way to the
    deal, like ``"deal__"``."""
    shown = Q(**{f"{deal}round__lte": F(f"{deal}table__shown_round")})
    return Q(**{f"{deal}board": None}) | shown


# Who may look.


@dataclass(frozen=True, slots=True)
class Viewer:
    """Somebody let in to a table: at ``seat``, or watching where it is None.

    ``serial`` is that of the link that let them in, or of the seat when they sat down there;
    a renewed link and another on the seat let nobody stay. ``device`` is the serial of a
    student's devices, ``browser`` the mark of the one they are at; ``sign_in`` is a teacher's.
    What a table does not know of these rights, its session's room does.
    """

    seat: int | None
    serial: int
    guest_id: int | None = None
    student_id: int | None = None
    is_teacher: bool = False
    device: int | None = None
    browser: str = ""
    sign_in: SignIn | None = None

    def may_stay(self, state: TableState) -> bool:
        """Whether what let this viewer in still holds."""
        if self.is_teacher:
            return True
        if self.student_id is not None and state.is_past:
            return False
        if self.seat is None:
            may_watch = state.class_session_id is None or state.watching
            return may_watch and self.serial == state.watch_serial
        seat = state.seats[self.seat]
        return (
            self.serial == seat.serial
            and (self.guest_id is None or self.guest_id in seat.guests)
            and self.device in {None, seat.device_serial}
            and self.browser not in seat.left_browsers
        )

    def is_opener(self, state: TableState) -> bool:
        """Whether this is the browser that opened the table."""
        return self.guest_id is not None and self.guest_id == state.opener_id


_signer = Signer(salt="games.link", sep=".")


def seat_token(table_id: str, seat: int, serial: int) -> str:
    """What a seat's link and a program's ``Authorization`` carry; derived, never stored."""
    return _signer.sign(f"{table_id}.{seat}.{serial}")


def watch_token(table_id: str, serial: int) -> str:
    """What the table's watch link carries."""
    return _signer.sign(f"{table_id}.watch.{serial}")


def viewer_by_token(token: str) -> tuple[str, Viewer]:
    """The table's id and the viewer that a token stands for; NotFound if forged or renewed."""
    try:
        table_id, place, serial = _signer.unsign(token[:200]).split(".")
    except (BadSignature, ValueError):
        raise NotFound from None
    viewer = Viewer(seat=None if place == "watch" else int(place), serial=int(serial))
    if not viewer.may_stay(load_table(table_id)):
        raise NotFound
    return table_id, viewer


def find_guest(key: str | None) -> Guest | None:
    """The guest whose cookie this is."""
    return Guest.objects.filter(key_hash=key_hash(key)).first() if key else None


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
    def student(self) -> tuple[Student, int] | None:
        """The student, and the class session for which they said so."""
        return self.students[0][:2] if self.students else None

    @property
    def mark(self) -> str:
        """The mark that the browser has in that session."""
        return self.students[0].mark if self.students else ""


def find_browser(cookies: Mapping[str, str], teacher: Teacher) -> Browser:
    """Who the cookies and the sign-in of a request name."""
    return Browser(
        guest=find_guest(cookies.get(GUEST_COOKIE)),
        students=students_at(cookies.get(STUDENT_COOKIE)),
        teacher=teacher if isinstance(teacher, User) else None,
    )


def viewer_by_browser(table_id: str, browser: Browser, place: str | None = None) -> Viewer:
    """How this browser may look at the table; NotFound if it may not.

    ``place`` (a seat's number, or ``"watch"``) says which is meant where it may in several
    ways.
    """
    state = load_table(table_id)
    if state.class_session_id is None:
        return viewer_by_guest(table_id, browser.guest, place)
    browser = browser.at(state.class_session_id)
    student, session_id = browser.student or (None, None)
    is_its_student = session_id == state.class_session_id and not state.is_past
    if student is not None and is_its_student:
        seat = next((s for s in state.seats if s.student_id == student.pk), None)
        attendance = Attendance.objects.filter(
            class_session=session_id, student=student, state=Attendance.State.HERE
        ).first()
        is_here = attendance is not None and attendance.browsers.get(browser.mark, True)
        if is_here and seat is not None and place in {None, str(seat.number)}:
            return Viewer(
                seat.number,
                seat.serial,
                student_id=student.pk,
                device=student.device_serial,
                browser=browser.mark,
            )
        if is_here and seat is None and state.watching and place in {None, "watch"}:
            return Viewer(
                None,
                state.watch_serial,
                student_id=student.pk,
                device=student.device_serial,
                browser=browser.mark,
            )
    if browser.teacher is not None and place in {None, "watch"}:
        classrooms = Classroom.objects.filter(teachers=browser.teacher.pk)
        if classrooms.filter(sessions=state.class_session_id).exists():
            return Viewer(None, state.watch_serial, is_teacher=True)
    raise NotFound


def viewer_by_guest(table_id: str, guest: Guest | None, place: str | None = None) -> Viewer:
    """How this browser was let in to the table; NotFound if it was not.

    A browser may hold several seats of a table (brothers and sisters at one device):
    ``place`` (a seat's number, or ``"watch"``) says which is meant; without it, the seat
    whose link was visited last, and before watching any seat.
    """
    if guest is None:
        raise NotFound
    state = load_table(table_id)
    visits = Admission.objects.filter(table=table_id, guest=guest, taken_over=False)
    visits = visits.order_by("-visited")
    places = list(visits.values_list("seat__number", flat=True))
    if place is not None:
        places = [n for n in places if ("watch" if n is None else str(n)) == place]
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
        .order_by("-visited", "-pk")
        .values_list("table", "seat__number")
    )
    found = sits_at.first() if guest else None
    return (load_table(found[0]), found[1]) if found else None


# Who is there.

Presence = Mapping[int, datetime | None]
"""When each seat's person was last seen, by seat number."""


def last_seen(table_ids: Iterable[str]) -> dict[str, dict[int, datetime | None]]:
    """When the people of these tables were last seen, by table and seat."""
    seen: dict[str, dict[int, datetime | None]] = {}
    people = Seat.objects.filter(table__in=table_ids, level="")
    for table_id, number, when in people.values_list("table", "number", "last_seen"):
        seen.setdefault(table_id, {})[number] = when
    return seen


def is_away(state: TableState, seat: int, presence: Presence, now: datetime) -> bool:
    """Whether a person who came to the table has not been seen for AWAY_AFTER."""
    if state.seats[seat].is_bot or not state.seats[seat].opened:
        return False
    seen = presence.get(seat)
    return seen is None or now - seen >= AWAY_AFTER


def is_deserted(state: TableState, presence: Presence, now: datetime) -> bool:
    """Whether nobody has been at this table of a class for longer than its patience: it goes
    on without them."""
    if state.class_session_id is None or not state.people:
        return False
    gone_for = max(AWAY_AFTER, state.patience)
    seen = [presence.get(seat.number) for seat in state.people]
    return all(when is None or now - when >= gone_for for when in seen)


def may_be_stood_in_for(
    state: TableState, seat: int, presence: Presence, now: datetime
) -> bool:
    """Whether others may ask a bot to stand in: the person is away, or has had the turn for
    longer than the table's patience."""
    if state.round is None or state.status in {"game_over", "closed"}:
        return False
    if state.seats[seat].is_played_by_bot:
        return False
    slow = state.to_move == seat and now - state.turn_began >= state.patience
    return slow or is_away(state, seat, presence, now)


def next_round_due(state: TableState, presence: Presence, now: datetime) -> bool:
    """Whether the next round may be dealt: every present person is ready, or (but never at a
    solo table) the first one who is has waited long enough."""
    if state.status != "round_over" or state.paused or state.held or state.is_duplicate:
        return False  # the boards of a duplicate session: next_board_due
    if not state.people:
        return True
    ready = [seat.ready_at for seat in state.people if seat.ready_at]
    if not ready or is_deserted(state, presence, now):
        return False  # bots end a deserted round, not a deserted game
    waiting_for = [
        seat
        for seat in state.people
        if not (seat.ready_at or seat.stand_in or is_away(state, seat.number, presence, now))
    ]
    return not waiting_for or (
        state.kind != Table.Kind.SOLO and now - min(ready) >= NEXT_ROUND_AFTER
    )


def next_board_due(
    tables: Collection[TableState], presences: Mapping[str, Presence], now: datetime
) -> bool:
    """Whether the next board may be dealt to these open tables of a duplicate session: all
    have been shown the last one, and every present person is ready or the first one who is
    has waited long enough."""
    if not tables or any(
        table.status != "round_over" or not table.is_shown or table.paused or table.held
        for table in tables
        if table.status != "waiting"
    ):
        return False
    people = [(table, seat) for table in tables for seat in table.people]
    ready = [seat.ready_at for _, seat in people if seat.ready_at]
    waiting_for = [
        seat
        for table, seat in people
        if table.status == "round_over"
        and not (seat.ready_at or seat.stand_in)
        and not is_away(table, seat.number, presences.get(table.id, {}), now)
    ]
    if not ready:  # bots play alone, or everybody has left
        return all(
            not table.people or is_deserted(table, presences.get(table.id, {}), now)
            for table in tables
        )
    return not waiting_for or now - min(ready) >= NEXT_ROUND_AFTER


def next_moment(state: TableState, presence: Presence, now: datetime) -> datetime | None:
    """When time alone will next change what this table shows or does (bots' moves apart)."""
    moments = [
        seen + AWAY_AFTER
        for seat, seen in presence.items()
        if seen and state.seats[seat].opened
    ]
    if state.to_move is not None:
        moments.append(state.turn_began + state.patience)
    if state.class_session_id is not None:
        moments += [seen + state.patience for seen in presence.values() if seen]
    moments += filter(None, (next_round_deadline(state), clock_deadline(state)))
    return min((moment for moment in moments if moment > now), default=None)


def next_round_deadline(state: TableState) -> datetime | None:
    """When the next round is dealt even if somebody is not ready; None where that hangs on
    other tables, too."""
    ready = [seat.ready_at for seat in state.people if seat.ready_at]
    if state.status != "round_over" or state.kind == Table.Kind.SOLO or not ready:
        return None
    waits = state.held or state.paused or state.is_duplicate
    return None if waits else min(ready) + NEXT_ROUND_AFTER


def clock_deadline(state: TableState) -> datetime | None:
    """When the clock plays for the person whose turn it is; None where no clock runs."""
    if state.clock is None or state.to_move is None or state.paused:
        return None
    seat = state.seats[state.to_move]
    if seat.is_played_by_bot or not seat.time_factor:
        return None
    return state.turn_began + state.clock * seat.time_factor


def clock_is_up(state: TableState, now: datetime) -> bool:
    """Whether the clock plays now for the person whose turn it is."""
    deadline = clock_deadline(state)
    return deadline is not None and now >= deadline


# What they may see.


def round_observation(state: TableState, seat: int | None) -> Observation:
    """The rules' observation of the present round, for bots; ValueError while waiting."""
    if state.round is None:
        raise ValueError("no round is being played")
    return observe(state.round, seat)


def public_observation(state: TableState, presence: Presence, now: datetime) -> dict[str, Any]:
    """The protocol's observation as a watcher may see it (docs/protocol.md)."""
    seen = observe(state.round, None) if state.round else None
    deadline = next_round_deadline(state) or clock_deadline(state)
    return {
        "type": "observation",
        "table": state.id,
        "turn": state.turn,
        "seat": None,
        "status": state.status,
        "paused": state.paused,
        "variant": state.variant.value,
        "seats": len(state.seats),
        "round": state.round_number,
        "rounds": state.rounds,
        "dealer": seen.dealer if seen else None,
        "to_move": state.to_move,
        "deadline": deadline.strftime("%Y-%m-%dT%H:%M:%SZ") if deadline else None,
        "players": [
            {
                "name": seat.name,
                "kind": "bot" if seat.is_bot else "person",
                "away": is_away(state, seat.number, presence, now),
                "stand_in": seat.stand_in,
                "ready": seat.ready_at is not None,
            }
            for seat in state.seats
        ],
        "hand": [],
        "legal": [],
        "bids": list(seen.bids) if seen else [],
        "taken": list(seen.taken) if seen else [],
        "trick": _trick(seen.trick) if seen and seen.trick else None,
        "tricks": [{**_trick(t), "winner": t.winner} for t in seen.tricks] if seen else [],
        "hand_sizes": list(seen.hand_sizes) if seen else [],
        "points": [list(row) for row in state.points],
        "totals": list(state.totals) if seen else [],
        "winners": (
            sorted(winners(state.variant, state.totals))
            if state.status == "game_over"
            else None
        ),
        "revealed": _revealed(state),
    }


def odds_about(state: TableState, seat: int) -> int | None:
    """Which move of the present deal (counted from 0) the seat's odds speak of: the one that
    it is to make, else its last; where odds come after the trick, its last in a finished one.
    None where there is none to speak of."""
    if state.odds == "off" or state.round is None:
        return None
    if state.status not in {"bidding", "playing"}:
        return None
    seats = len(state.seats)
    bids = seats if state.variant is Variant.BID else 0
    finished = bids + seats * len(state.round.tricks)
    if state.odds == "always" and state.to_move == seat:
        return len(state.moves)
    span = range(len(state.moves)) if state.odds == "always" else range(bids, finished)
    return next((n for n in reversed(span) if state.moves[n][0] == seat), None)


def odds_turn(state: TableState, seat: int) -> str:
    """A word for what the seat's odds speak of now, another as soon as that changes: its turn,
    like 3.17, or the move that it has made there, 3.17+. Empty where there is none."""
    about = odds_about(state, seat)
    if about is None:
        return ""
    return f"{state.round_number}.{about}{'+' if about < len(state.moves) else ''}"


def may_look_back(state: TableState, number: int) -> bool:
    """Whether this round of the table is over and may be shown; a table that was added later
    has no earlier boards."""
    if number == state.round_number:
        return bool(state.gained) and state.is_shown
    return 0 < number < state.round_number and state.points[number - 1][0] is not None


def seat_observation(public: dict[str, Any], state: TableState, seat: int) -> dict[str, Any]:
    """The same observation with what this seat alone may see: its hand and legal moves."""
    own = observe(state.round, seat) if state.round else None
    return {
        **public,
        "seat": seat,
        "hand": [card.code for card in own.hand] if own else [],
        "legal": list(state.legal) if state.to_move == seat and not state.paused else [],
    }


def _trick(trick: Trick) -> dict[str, Any]:
    return {
        "leader": trick.leader,
        "call": str(trick.call) if trick.call else None,
        "plays": [[seat, card.code] for seat, card in trick.plays],
    }


def _revealed(state: TableState) -> dict[str, Any] | None:
    if state.round is None or not state.round.is_over or not state.is_shown:
        return None
    dealt = {code for hand in state.dealt for code in hand}
    return {
        "hands": [list(hand) for hand in state.dealt],
        "undealt": [card.code for card in DECK if card.code not in dealt],
    }

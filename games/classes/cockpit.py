"""The cockpit: what a teacher steers a class session by, in named fragments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

from django.utils.translation import get_language

from games.classes.dot_plots import signed_mean
from games.classes.experiments import TREATMENTS
from games.classes.free_seats import WhyNoSeat, seat_on_offer
from games.classes.free_seats import unseated as unseated_now
from games.classes.standings import Ranking, duplicate_standings, leaders
from games.classes.state import SessionState, StudentState, is_ended, is_left_over
from games.models import SessionSettings
from games.rules import Variant
from games.tables.rendering import Fragments, render
from games.tables.timing import AWAY_AFTER
from games.tables.view import OVER, RUNNING, SeatState, Status, TableFacts
from xactika_site import lan
from xactika_site.accounts.models import server_time_zone, zone_named
from xactika_site.classrooms.models import Attendance, ClassSession
from xactika_site.dates import format_date

NOBODY_FOR = timedelta(minutes=2)
"""How long nobody has to come in before the cockpit says what may be in the way."""


class TroubleKind(StrEnum):
    """What holds a table up: it is paused; whoever is to move is away, has not yet written down
    their phrase, or takes long; all its people are away."""

    PAUSED = "paused"
    AWAY = "away"
    WRITING = "writing"
    SLOW = "slow"
    DESERTED = "deserted"

    @property
    def rank(self) -> int:
        """What sorts first is the most pressing."""
        kind = TroubleKind
        return {kind.AWAY: 0, kind.PAUSED: 2, kind.DESERTED: 3}.get(self, 1)


class ExperimentPhase(StrEnum):
    """Whether what a game tries is still to come, runs or is over."""

    NONE = ""
    COMES = "comes"
    RUNS = "runs"
    OVER = "over"


class Trouble(NamedTuple):
    """Why a table needs the teacher. ``holds_up`` where other tables have finished their board
    and wait for it."""

    since: str
    number: int
    kind: TroubleKind
    table: str
    seat: int
    name: str
    holds_up: bool = False


class Waiting(NamedTuple):
    """What most tables wait for, so that it is the class's and not a table's: of so many
    students so many have bid, and so many have yet to write down their phrase."""

    bid: int
    writing: int
    students: int


class Between(NamedTuple):
    """Of so many students so many are ready for the next round, for which all tables wait; or
    (``is_held``) for the teacher."""

    ready: int
    students: int
    is_held: bool


class TileSeat(NamedTuple):
    """A seat in a tile. ``total`` is None before a round is over; ``taken`` is None, too, while
    nobody may be told how a table does, ``bid`` before it is made. ``unnoted``: has yet to say
    that their phrase is written down, at a table as in the lobby."""

    name: str
    is_bot: bool
    stand_in: bool
    away: bool
    ready: bool
    total: int | None
    leads: bool
    unnoted: bool = False
    bid: int | None = None
    taken: int | None = None


class Listed(NamedTuple):
    """A student in a list beside the tables; ``table`` is where they sit, or a seat is kept for
    them, 0 for nowhere. While the class learns by playing, how many ``chapters`` they have gone
    through."""

    pk: int
    name: str
    table: int = 0
    is_here: bool = False
    is_away: bool = False
    is_unnoted: bool = False
    is_barred: bool = False
    chapters: int | None = None
    is_through: bool = False


class Unseated(NamedTuple):
    """How many are here without a seat, and why. ``board`` is the one being played."""

    why: WhyNoSeat | None
    students: int
    board: int


def _html(name: str, /, *facts: Hashable, **named: Hashable) -> str:
    """The HTML of a macro of the cockpit."""
    return render(get_language(), "cockpit", name, *facts, **named)


def cockpit_fragments(
    session: SessionState, tables: Mapping[str, TableFacts], now: datetime, base: str = ""
) -> Fragments:
    """The fragments of a cockpit for who came by the address ``base``. No hand is in it."""
    away = frozenset(
        student.pk for student in session.here if student.is_away(now) and not session.is_closed
    )
    present_now = [s for s in session.here if not session.is_closed and s.pk not in away]
    writing = frozenset(s.pk for s in present_now if s.writing)
    unnoted = frozenset(s.pk for s in present_now if not s.has_noted)
    marked = unnoted if 2 * len(unnoted) <= len(present_now) else frozenset()  # not most
    present = [tables[table_id] for table_id in session.tables if table_id in tables]
    unseated = _unseated(session, present, now)
    all_troubles = (_trouble_at(session, t, away, writing, now, present) for t in present)
    found = sorted(filter(None, all_troubles), key=lambda t: (t.kind.rank, t.since, t.number))
    troubles, waiting = _without_the_class(found, present, writing)
    of_table = {trouble.table: trouble.kind for trouble in troubles}
    numbers = tuple((table.id, table.number) for table in present)
    is_lobby = session.state == ClassSession.State.LOBBY
    is_live = bool(numbers) and not (is_lobby or session.is_closed)
    fragments = {
        "room": _room_html(session, present, away, now, base),
        "switches": _switches_html(session, present),
        "begin-then": _html("begin_then", session.lesson),
        "nobody": _html("nobody", _is_unreached(session, now, base)),
        "closing": _html(
            "closing",
            session=session.id,
            is_closed=session.is_closed,
            playing=sum(table.status in RUNNING for table in present),
        ),
        "help": _html(
            "help",
            session.id,
            tuple(troubles),
            unseated,
            is_live,
            waiting,
            _between_rounds(session, present, away),
            session.state == ClassSession.State.PAUSED,
        ),
        "tables": _html("tables", session.id, numbers, session.is_closed),
        "people": _people_html(session, present, away, unnoted, unseated),
        "board": _board_html(session),
    }
    is_told = experiment_now(session, present)[1] != ExperimentPhase.RUNS
    is_common = _common_round(session, present) != (0, 0)
    for state in present:
        kind = of_table.get(state.id)
        fragments[f"now-{state.id}"] = _now_html(
            session, state, kind, away, is_common=is_common
        )
        fragments[f"seats-{state.id}"] = _seats_html(state, away, marked, is_told=is_told)
    return fragments


def _is_unreached(session: SessionState, now: datetime, base: str) -> bool:
    """Whether no other device has found this computer for a while; not where somebody came,
    nobody new may, or the page says already that nobody can find it."""
    is_open = session.state == ClassSession.State.LOBBY and not session.entry.locked
    if not is_open or session.students or session.requests:
        return False
    if now - session.created < NOBODY_FOR or lan.is_own_machine(base):
        return False
    return not lan.visitors().have_come


def _unseated(session: SessionState, present: list[TableFacts], now: datetime) -> Unseated:
    waiting, left = unseated_now(session, present, now)
    why = seat_on_offer(session, present, len(waiting)).why
    if session.state != ClassSession.State.OPEN or not (waiting or left):
        why = None
    elif why not in {WhyNoSeat.BOARD, WhyNoSeat.OVER} and (left or not waiting):
        why = WhyNoSeat.CLOSED
    board = session.board or max((state.round_number for state in present), default=0)
    return Unseated(why, len(waiting) + len(left) if why else 0, board)


def board_ends(present: Iterable[TableFacts]) -> str:
    """When the time of a tournament's board is up that some table still plays, as pages count
    it down; empty where it has none, or is paused."""
    playing = [
        t.in_class for t in present if t.in_class and t.status in RUNNING and not t.paused
    ]
    return next((each.ends.isoformat() for each in playing if each.ends), "")


def is_waited_for(state: TableFacts, tables: Collection[TableFacts]) -> bool:
    """Whether others of these tables have finished the board that this one still plays."""
    is_playing = state.is_duplicate and state.status in RUNNING
    return is_playing and any(t.status == Status.ROUND_OVER and not t.is_shown for t in tables)


def _is_last_playing(state: TableFacts, tables: Collection[TableFacts]) -> bool:
    """Whether all other tables, of several, are over or wait for the teacher."""
    others = [t for t in tables if t.id != state.id and not is_left_over(t)]
    return bool(others) and all(
        t.status in OVER or (t.status == Status.ROUND_OVER and t.setup.held) for t in others
    )


def _board_html(session: SessionState) -> str:
    """The HTML of a duplicate session's last board that is over, standings by fair score."""
    if not session.played.lines:
        return _html("board", "", 0, ())
    last = max(line.board for line in session.played.lines)
    table = next(line.table_id for line in session.played.lines if line.board == last)
    places = tuple(
        Ranking(row.rank, row.name, row.table, row.total, row.rounds, signed_mean(row.score))
        for row in duplicate_standings(session.played.lines, Variant(session.variant))
    )
    return _html("board", table, last, places)


def _trouble_at(
    session: SessionState,
    state: TableFacts,
    away: frozenset[int],
    writing: frozenset[int],
    now: datetime,
    tables: Collection[TableFacts],
) -> Trouble | None:
    """The trouble at a table, if a hand is needed there. One that plays needs none, however
    many wait for it, nor one that waits itself, or has only bots. Where it is the last that
    plays, or others wait for its board, a turn takes long sooner."""
    if state.status in OVER or session.state != ClassSession.State.OPEN:
        return None
    people = [seat for seat in state.people if seat.student_id]
    here = [seat for seat in people if seat.student_id not in away]
    holds_up, is_last = is_waited_for(state, tables), _is_last_playing(state, tables)
    number, name = 0, ""
    kind: TroubleKind | None = None
    mover = None if state.to_move is None else state.seats[state.to_move]
    if state.paused:
        kind = TroubleKind.PAUSED
    elif state.is_duplicate and state.status not in RUNNING:
        return None
    elif mover is not None and not mover.is_played_by_bot:
        number, name = mover.number, mover.name
        lasted = now - state.turn_began
        soon = min(AWAY_AFTER, state.setup.patience)
        if mover.student_id in away:
            kind = TroubleKind.AWAY
        elif mover.student_id in writing and lasted >= soon:
            kind = TroubleKind.WRITING
        elif lasted >= (soon if holds_up or is_last else state.setup.patience):
            kind = TroubleKind.SLOW
    if not kind and people and not here:
        kind = TroubleKind.DESERTED
    if not kind:
        return None
    since = state.turn_began.isoformat()
    return Trouble(since, state.number, kind, state.id, number, name, holds_up)


MANY = 3
"""From so many slow tables on, if half of those that play are slow, the class is told of
instead."""


def _without_the_class(
    troubles: list[Trouble], present: list[TableFacts], writing: frozenset[int]
) -> tuple[list[Trouble], Waiting | None]:
    """The troubles without those of tables that write down their phrases or bid as slowly as
    most others, and how far the class is; all of them and None where that is not so."""
    bidding = {state.id for state in present if state.status == Status.BIDDING}
    slow = {
        t.table
        for t in troubles
        if t.kind == TroubleKind.WRITING or (t.kind == TroubleKind.SLOW and t.table in bidding)
    }
    running = [state for state in present if state.status in RUNNING]
    if len(slow) < max(MANY, len(running) / 2):
        return troubles, None
    bids = {
        seat.student_id: state.observation.bids[seat.number]
        for state in running
        if state.observation is not None
        for seat in state.people
    }
    bid = sum(each is not None for each in bids.values())
    waiting = Waiting(bid, len(writing & bids.keys()), len(bids))
    return [t for t in troubles if t.table not in slow], waiting


def _awaited(state: TableFacts, away: frozenset[int]) -> list[SeatState]:
    """The seats of a table that the next round waits for."""
    return [seat for seat in state.people if not (seat.stand_in or seat.student_id in away)]


def _between_rounds(
    session: SessionState, present: list[TableFacts], away: frozenset[int]
) -> Between | None:
    """How far the class is where every table that goes on has finished its round."""
    going_on = [t for t in present if not (t.status in OVER or is_left_over(t))]
    is_between = going_on and all(t.status == Status.ROUND_OVER for t in going_on)
    if not is_between or session.state != ClassSession.State.OPEN:
        return None
    ready = [bool(seat.ready_at) for t in going_on for seat in _awaited(t, away)]
    return Between(sum(ready), len(ready), session.settings.held) if ready else None


def _room_html(
    session: SessionState,
    present: list[TableFacts],
    away: frozenset[int],
    now: datetime,
    base: str,
) -> str:
    statuses = Counter(state.status for state in present)
    here = {student.pk for student in session.here} - away
    return _html(
        "room",
        session=session.id,
        classroom_id=session.classroom_id,
        classroom=session.classroom,
        state=session.state,
        code=session.entry.code,
        locked=session.entry.locked,
        here=len(here),
        away=len(away),
        came=sum(student.state != Attendance.State.ASKING for student in session.students),
        unseated=sum(student.table is None for student in session.here),
        asking=len(session.asking) + len(session.requests),
        tables=len(present),
        round_over=any(t.status == Status.ROUND_OVER and not is_left_over(t) for t in present),
        is_between=_between_rounds(session, present, away) is not None,
        all_over=any(t.status in OVER for t in present)
        and all(is_ended(t, here) for t in present),
        lesson=session.lesson,
        experiment=experiment_now(session, present),
        board=(session.board, max(session.board, session.settings.rounds)),
        round_=_common_round(session, present),
        opened=_opened(session, now),
        ends=board_ends(present),
        is_seated=bool(present) and statuses[Status.WAITING] == len(present),
        prepared=_prepared_left(session),
        moved_to=lan.shown_address(base) if lan.has_moved() else "",
    )


def _common_round(session: SessionState, present: list[TableFacts]) -> tuple[int, int]:
    """The round in which all tables are that go on, and of how many; (0, 0) where they are in
    several, or none goes on."""
    going_on = [t for t in present if not (t.status in OVER or is_left_over(t))]
    rounds = {(t.round_number, t.rounds) for t in going_on}
    if session.board or session.is_closed or len(rounds) != 1:
        return 0, 0
    return rounds.pop()


def _opened(session: SessionState, now: datetime) -> str:
    """The day on which a session was opened that is still open on another one, as words."""
    zone = zone_named(server_time_zone())  # what is pushed knows no teacher's
    day = session.created.astimezone(zone).date()
    if session.is_closed or day == now.astimezone(zone).date():
        return ""
    return format_date(day)


def experiment_now(
    session: SessionState, present: Collection[TableFacts]
) -> tuple[str, ExperimentPhase]:
    """What the present game tries, by name, and its phase; never which table has which. Empty
    where it tries nothing."""
    drawn = {state.treatment for state in present}
    kind = next((kind for kind, pair in TREATMENTS.items() if drawn & set(pair)), "")
    is_over = session.is_closed or all(state.status in OVER for state in present)
    if kind:
        phase = ExperimentPhase.OVER if is_over else ExperimentPhase.RUNS
    elif session.settings.experiment in TREATMENTS and not session.is_closed:
        kind = session.settings.experiment
        is_to_come = is_over or session.state == ClassSession.State.LOBBY
        phase = ExperimentPhase.COMES if is_to_come else ExperimentPhase.NONE
    else:
        return "", ExperimentPhase.NONE
    return str(SessionSettings.Experiment(kind).label), phase


def _prepared_left(session: SessionState) -> int:
    """How many prepared boards were never dealt; −1 where there is nothing to tell."""
    deals = session.settings.deals
    return -1 if deals is None or not session.settings.duplicate else len(deals)


def _switches_html(session: SessionState, present: list[TableFacts]) -> str:
    can_finish = any(
        state.status in {*RUNNING, Status.ROUND_OVER} and state.rounds > state.round_number
        for state in present
    )
    is_lobby = session.state == ClassSession.State.LOBBY
    return _html(
        "switches",
        session=session.id,
        is_closed=session.is_closed,
        held=session.settings.held,
        teams=session.settings.teams,
        standings=session.settings.standings_shown,
        throwing=session.settings.throwing if is_lobby else None,
        reactions=session.settings.reactions,
        names_hidden=session.names_hidden,
        can_finish=can_finish,
        expected=session.entry.expected,
        locked=session.entry.locked,
        approval=session.entry.needs_approval,
        classroom_id=session.classroom_id,
    )


def _now_html(
    session: SessionState,
    state: TableFacts,
    trouble: TroubleKind | None,
    away: frozenset[int],
    *,
    is_common: bool,
) -> str:
    """The HTML of what happens at a table just now, with its round unless all are in it
    (``is_common``); a short line changes with every move."""
    mover = None if state.to_move is None else state.seats[state.to_move]
    unready = 0 if state.setup.held else sum(not s.ready_at for s in _awaited(state, away))
    runs = session.state == ClassSession.State.OPEN and not state.paused
    return _html(
        "now",
        table=state.id,
        status=state.status,
        round=0 if state.board or is_common else state.round_number,
        trick=trick_number(state),
        seat=mover.number if mover else -1,
        mover=mover.name if mover else "",
        since=state.turn_began.isoformat() if runs and mover else "",
        kind=trouble,
        unready=unready if state.status == Status.ROUND_OVER else 0,
        board=bool(state.board),
    )


def trick_number(state: TableFacts) -> int:
    """The number of the trick that is played, from 1; 0 while none is."""
    tricks = state.observation.tricks if state.observation else ()
    return len(tricks) + 1 if state.status == Status.PLAYING else 0


def _seats_html(
    state: TableFacts, away: frozenset[int], unnoted: frozenset[int], *, is_told: bool
) -> str:
    """The HTML of who sits at a table, and of their bids, tricks and totals where it
    ``is_told`` who leads; of a board that others play, too, once it is over everywhere."""
    leading = leaders(state) if is_told else ()
    is_between = state.status == Status.ROUND_OVER
    seen = state.observation if is_told and not state.closed else None
    if state.is_duplicate and not state.is_shown:
        seen = None
    sitters = tuple(
        TileSeat(
            seat.name,
            seat.is_bot,
            seat.stand_in,
            seat.student_id in away,
            is_between and seat.ready_at is not None,
            state.totals[seat.number] if is_told and state.points else None,
            seat.number in leading,
            seat.student_id in unnoted,
            seen.bids[seat.number] if seen else None,
            seen.taken[seat.number] if seen else None,
        )
        for seat in state.seats
    )
    is_bid, is_over = state.variant is Variant.BID, state.status not in RUNNING
    return _html("seats", state.id, sitters, is_bid, is_over)


def _people_html(
    session: SessionState,
    tables: list[TableFacts],
    away: frozenset[int],
    unnoted: frozenset[int],
    unseated: Unseated,
) -> str:
    """Who asks to come in or waits for a seat, who was sent out."""

    def rows(students: tuple[StudentState, ...]) -> tuple[Listed, ...]:
        return tuple(
            Listed(
                s.pk,
                s.name,
                is_away=s.pk in away,
                is_unnoted=s.pk in unnoted,
                chapters=len(s.chapters.done) if session.is_learning else None,
                is_through=session.is_learning and s.chapters.is_all,
            )
            for s in students
        )

    number_kept = {seat.kept_for: state.number for state in tables for seat in state.seats}
    out = tuple(
        Listed(
            s.pk, s.name, number_kept.get(s.pk, 0), is_barred=s.state == Attendance.State.BARRED
        )
        for s in session.students
        if s.state in {Attendance.State.REMOVED, Attendance.State.BARRED}
    )
    here = {s.pk: s for s in session.here if s.pk not in away}
    number_of = {state.id: state.number for state in tables}
    requests = tuple(
        Listed(
            pk,
            name,
            number_of.get(here[student].table or "", 0) if student in here else 0,
            is_here=student in here,
        )
        for pk, name, student in session.requests
    )
    return _html(
        "people",
        session=session.id,
        is_closed=session.is_closed,
        crowd=(session.entry.expected, len(session.here)),
        asking=rows(session.asking),
        requests=requests,
        waiting=rows(session.waiting),
        unseated=unseated,
        has_tables=bool(session.tables),
        out=out,
        absent=session.absent,
    )

"""A class session in HTML: named fragments for the cockpit and the projector, rendered from
one picture of the session and its tables. Templates: templates/games/table/_cockpit.html and
_wall.html.

Some fragments have holes for others (``<i id="…">``). What fills a hole names the fragment
that it stands in (``data-in``), and so is sent again whenever that one is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

import segno
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language

from games.classes.lobby import lobby_fragments
from games.classes.spread import in_words, signed_mean
from games.classes.state import (
    RUNNING,
    Outcome,
    SessionState,
    StudentState,
    duplicate_standings,
    leaders,
    offer_seat,
    standings,
)
from games.classes.state import unseated as unseated_now
from games.models import SessionSettings
from games.rules import HAND_SIZE, Variant
from games.tables.fragments import GAME_NAMES, Fragments, render
from games.tables.state import AWAY_AFTER, Browser, TableState
from xactika_site.classrooms.models import Attendance, ClassSession
from xactika_site.classrooms.selectors import NotFound, SignIn, attendance_of, session_for
from xactika_site.lan import address_for_others, is_own_machine, shown_address

OVER = {"game_over", "closed"}

FEWEST = 5
"""Students of whom figures are shown to the room; of fewer they would tell about each."""

SHOWN_STANDINGS = 10
"""Rows that can be read from the last row of a room."""


@dataclass(frozen=True, slots=True)
class SessionViewer:
    """Somebody who looks at a class session: a teacher (by their sign-in) at the cockpit or the
    projector, or a student (with their attendance) in the lobby. ``device`` is the serial of a
    student's devices, ``browser`` the mark of the one they are at; others come by the address
    ``base``."""

    view: str
    student: int | None = None
    attendance: int | None = None
    base: str = ""
    device: int | None = None
    browser: str = ""
    sign_in: SignIn | None = None
    # The session's, as it was when they came: a room that knows an older one looks again.
    version: int = 0
    # When a student was last known to be here.
    seen: datetime | None = None

    def was_seen(self, within: timedelta) -> bool:
        """Whether a student was here a moment ago, which need not be noted again."""
        return self.seen is not None and timezone.now() - self.seen < within

    def may_stay(self, session: SessionState) -> bool:
        """Whether this viewer may go on looking; a student may not who was deleted, or
        signed out of this device, or has left this browser. A teacher's right is looked up
        by the room."""
        if self.student is None:
            return True
        known = session.by_pk.get(self.student)
        return known is not None and known.is_at(self.device, self.browser)


def session_viewer(
    session_id: int, browser: Browser, view: str, base: str = ""
) -> SessionViewer:
    """How this browser, which came by the address ``base``, may look at the session; NotFound
    if it may not."""
    if view in {"cockpit", "projector"} and browser.teacher is not None:
        session_for(browser.teacher, session_id)
        return SessionViewer(view, base=address_for_others(base))
    browser = browser.at(session_id)
    student, confirmed = browser.student or (None, None)
    if view == "lobby" and student is not None and confirmed == session_id:
        attendance = attendance_of(student, session_id)
        if attendance is not None and attendance.browsers.get(browser.mark, True):
            return SessionViewer(
                view,
                student.pk,
                attendance.pk,
                device=student.device_serial,
                browser=browser.mark,
                version=attendance.class_session.version,
                seen=attendance.last_seen,
            )
    raise NotFound


def session_fragments(
    session: SessionState, tables: Mapping[str, TableState], now: datetime
) -> Callable[[SessionViewer], Fragments]:
    """A function that gives each viewer their fragments of this moment."""

    def fragments_for(viewer: SessionViewer) -> Fragments:
        match viewer.view:
            case "cockpit":
                return cockpit_fragments(session, tables, now)
            case "projector":
                return projector_fragments(session, tables, viewer.base)
            case _:
                return lobby_fragments(session, tables, viewer.student)

    return fragments_for


def whole(fragments: Fragments, name: str) -> str:
    """A fragment with its holes filled, for a page's first paint."""
    html = fragments[name]
    for other, part in fragments.items():
        html = html.replace(f'<i id="{other}"></i>', part)
    return html


# The cockpit.


class Trouble(NamedTuple):
    """Why a table needs the teacher; what sorts first is the most pressing. ``holds_up`` where
    other tables have finished their board and wait for it."""

    rank: int
    since: str
    number: int
    kind: str
    table: str
    seat: int
    name: str
    holds_up: bool = False


class Sitter(NamedTuple):
    """A seat in a tile. ``total`` is None before a round is over."""

    name: str
    is_bot: bool
    stand_in: bool
    away: bool
    ready: bool
    total: int | None
    leads: bool
    writing: bool = False


class Row(NamedTuple):
    """A student in a list beside the tables; ``table`` is where they sit, or a seat is kept for
    them, 0 for nowhere."""

    pk: int
    name: str
    note: str = ""
    table: int = 0


class Unseated(NamedTuple):
    """How many are here without a seat, and why: as ``class_selectors.Offer`` says, or
    ``closed``, the teacher has closed their table. ``board`` is the one being played."""

    why: str
    students: int
    board: int


def cockpit_fragments(
    session: SessionState, tables: Mapping[str, TableState], now: datetime
) -> Fragments:
    """What the teacher steers by. No hand is in it."""
    language = get_language()
    away = frozenset(
        known.pk for known in session.here if known.is_away(now) and not session.is_closed
    )
    writing = frozenset(known.pk for known in session.here if known.writing) - away
    shown = [tables[table_id] for table_id in session.tables if table_id in tables]
    unseated = _unseated(session, shown, now)
    found = (_trouble(session, t, away, writing, now, is_waited_for(t, shown)) for t in shown)
    troubles = sorted(filter(None, found))
    of_table = {trouble.table: trouble.kind for trouble in troubles}
    numbers = tuple((table_id, n) for n, table_id in enumerate(session.tables, start=1))
    room = f"{session.game}.{len(numbers)}"
    is_live = bool(numbers) and session.state != ClassSession.State.LOBBY
    fragments = {
        "room": _room(language, session, shown, len(away)),
        "switches": _switches(language, session, shown),
        "begin-then": render(language, "cockpit", "begin_then", session.lesson),
        "closing": render(
            language,
            "cockpit",
            "closing",
            session.id,
            session.is_closed,
            session.dealt,
            session.lesson,
        ),
        "help": render(
            language, "cockpit", "help", session.id, tuple(troubles), unseated, is_live
        ),
        "tables": render(language, "cockpit", "tables", session.id, room, numbers),
        "people": _people(language, session, shown, away, unseated),
        "board": _board(language, session),
    }
    for state in shown:
        kind = of_table.get(state.id, "")
        fragments[f"now-{state.id}"] = _now(language, room, session, state, kind)
        fragments[f"seats-{state.id}"] = _seats(language, room, state, away, writing)
    return fragments


def _unseated(session: SessionState, shown: list[TableState], now: datetime) -> Unseated:
    waiting, left = unseated_now(session, shown, now)
    why = offer_seat(session, shown, len(waiting)).why
    if session.state != ClassSession.State.OPEN or not (waiting or left):
        why = ""
    elif why not in {"board", "over"} and (left or not waiting):
        why = "closed"
    board = max((state.round_number for state in shown), default=0)
    return Unseated(why, len(waiting) + len(left) if why else 0, board)


def is_waited_for(state: TableState, tables: Collection[TableState]) -> bool:
    """Whether others of these tables have finished the board that this one still plays."""
    is_playing = state.is_duplicate and state.status in RUNNING
    return is_playing and any(t.status == "round_over" and not t.is_shown for t in tables)


def _board(language: str, session: SessionState) -> str:
    """The last board of a duplicate session that is over, and the standings by its score."""
    if not session.lines:
        return render(language, "cockpit", "board", "", 0, ())
    last = max(line.board for line in session.lines)
    table = next(line.table_id for line in session.lines if line.board == last)
    places = tuple(
        Place(row.rank, row.name, row.table, row.total, row.rounds, signed_mean(row.score))
        for row in duplicate_standings(session.lines, Variant(session.variant))
    )
    return render(language, "cockpit", "board", table, last, places)


def _trouble(
    session: SessionState,
    state: TableState,
    away: frozenset[int],
    writing: frozenset[int],
    now: datetime,
    holds_up: bool,
) -> Trouble | None:
    """What is wrong at a table, if a hand is needed there. One that plays needs none, however
    many wait for it, nor one that waits itself, or has only bots."""
    if state.status in OVER or session.state != ClassSession.State.OPEN:
        return None
    people = [seat for seat in state.people if seat.student_id]
    here = [seat for seat in people if seat.student_id not in away]
    rank, kind, number, name = 9, "", 0, ""
    mover = None if state.to_move is None else state.seats[state.to_move]
    if state.paused:
        rank, kind = 2, "paused"
    elif state.is_duplicate and state.status not in RUNNING:
        return None
    elif mover is not None and not mover.is_played_by_bot:
        number, name = mover.number, mover.name
        lasted = now - state.turn_began
        if mover.student_id in away:
            rank, kind = 0, "away"
        elif mover.student_id in writing and lasted >= min(AWAY_AFTER, state.patience):
            rank, kind = 1, "writing"
        elif lasted >= state.patience:
            rank, kind = 1, "slow"
    if not kind and people and not here:
        rank, kind = 3, "deserted"
    if not kind:
        return None
    since = state.turn_began.isoformat()
    return Trouble(rank, since, state.number, kind, state.id, number, name, holds_up)


def _room(language: str, session: SessionState, shown: list[TableState], away: int) -> str:
    statuses = Counter(state.status for state in shown)
    here = len(session.here) - away
    return render(
        language,
        "cockpit",
        "room",
        session.id,
        session.classroom_id,
        session.classroom,
        session.state,
        session.code,
        session.locked,
        here,
        away,
        sum(known.table is None for known in session.here),
        len(session.asking) + len(session.requests),
        len(shown),
        bool(statuses["round_over"]),
        bool(shown) and all(state.status in OVER for state in shown),
        session.lesson,
        _prepared_left(session),
    )


def _prepared_left(session: SessionState) -> int:
    """How many prepared boards were never dealt; −1 where there is nothing to tell."""
    deals = session.settings.deals
    return -1 if deals is None or not session.settings.duplicate else len(deals)


def _switches(language: str, session: SessionState, shown: list[TableState]) -> str:
    can_finish = any(
        state.status in {*RUNNING, "round_over"} and state.rounds > state.round_number
        for state in shown
    )
    flags = (session.settings.held, session.names_hidden, can_finish, session.expected)
    return render(language, "cockpit", "switches", session.id, session.is_closed, *flags)


def _now(
    language: str, room: str, session: SessionState, state: TableState, trouble: str
) -> str:
    """What happens at a table just now; one short line of it changes with every move."""
    mover = None if state.to_move is None else state.seats[state.to_move]
    unready = sum(not seat.ready_at for seat in state.people)
    runs = session.state == ClassSession.State.OPEN and not state.paused
    return render(
        language,
        "cockpit",
        "now",
        state.id,
        room,
        state.status,
        state.round_number,
        state.rounds,
        _trick_number(state),
        mover.number if mover else -1,
        mover.name if mover else "",
        state.turn_began.isoformat() if runs and mover else "",
        trouble,
        unready if state.status == "round_over" else 0,
    )


def _trick_number(state: TableState) -> int:
    return len(state.round.tricks) + 1 if state.round and state.status == "playing" else 0


def _seats(
    language: str,
    room: str,
    state: TableState,
    away: frozenset[int],
    writing: frozenset[int],
) -> str:
    leading = leaders(state)
    is_between = state.status == "round_over"
    sitters = tuple(
        Sitter(
            seat.name,
            seat.is_bot,
            seat.stand_in,
            seat.student_id in away,
            is_between and seat.ready_at is not None,
            state.totals[seat.number] if state.points else None,
            seat.number in leading,
            seat.student_id in writing,
        )
        for seat in state.seats
    )
    return render(language, "cockpit", "seats", state.id, room, sitters)


def _people(
    language: str,
    session: SessionState,
    shown: list[TableState],
    away: frozenset[int],
    unseated: Unseated,
) -> str:
    def rows(students: tuple[StudentState, ...]) -> tuple[Row, ...]:
        return tuple(
            Row(s.pk, s.name, "away" if s.pk in away else "writing" if s.writing else "")
            for s in students
        )

    kept = {seat.kept_for: state.number for state in shown for seat in state.seats}
    out = tuple(
        Row(s.pk, s.name, s.state, kept.get(s.pk, 0))
        for s in session.students
        if s.state in {Attendance.State.REMOVED, Attendance.State.BARRED}
    )
    here = {s.pk: s for s in session.here if s.pk not in away}
    number_of = {state.id: state.number for state in shown}
    requests = tuple(
        Row(
            pk,
            name,
            "here" if student in here else "",
            number_of.get(here[student].table or "", 0) if student in here else 0,
        )
        for pk, name, student in session.requests
    )
    return render(
        language,
        "cockpit",
        "people",
        session.id,
        session.is_closed,
        session.locked,
        session.needs_approval,
        session.classroom_id,
        (session.expected, len(session.here)),
        rows(session.asking),
        requests,
        rows(session.waiting),
        unseated,
        bool(session.tables),
        session.settings.seating == SessionSettings.Seating.BY_HAND,
        out,
        session.absent,
    )


# The projector.


class Figures(NamedTuple):
    """A round in figures: of so many students; the most frequent outcome is ``usual``, tricks
    taken less those bid (in the other games tricks taken), which ``often`` of them had."""

    students: int
    low: int
    high: int
    made: int
    missed: int
    usual: int
    often: int


class Place(NamedTuple):
    """A line of the standings; ``name`` is empty while names are hidden, ``score`` where the
    tables had different cards."""

    rank: int
    name: str
    table: int
    total: int
    rounds: int
    score: str = ""


def projector_fragments(
    session: SessionState, tables: Mapping[str, TableState], base: str
) -> Fragments:
    """What the room sees on the wall. Hidden names are not in it."""
    language = get_language()
    shown = [tables[table_id] for table_id in session.tables if table_id in tables]
    playing = [state for state in shown if state.status != "closed"]
    stage = _stage(session, playing)
    places = _places(session, shown)
    numbers = tuple((table_id, n) for n, table_id in enumerate(session.tables, start=1))
    with_places = bool(places) and stage not in {"lobby", "pause"}
    room = f"{stage}.{session.game}.{len(numbers)}.{with_places:d}.{bool(playing):d}"
    variant = playing[0].variant.value if playing else session.variant
    # A session that has only held lessons is no game.
    game = "" if session.lesson and not session.dealt else str(GAME_NAMES[variant])
    # Tables go on by themselves at different paces; a round is named if all are in it.
    rounds = {state.round_number for state in playing}
    round_ = rounds.pop() if len(rounds) == 1 else 0
    of_all = max((state.rounds for state in playing), default=0)
    code = "" if session.locked or session.is_closed else session.code
    head = (session.classroom, game, stage, round_, of_all, code, shown_address(base))
    fragments = {
        "wall-head": render(language, "wall", "head", *head),
        "wall-stage": render(
            language,
            "wall",
            "stage",
            stage,
            room,
            numbers,
            with_places,
            bool(playing),
            session.dealt,
        ),
    }
    if stage == "lobby":
        url = base + reverse("join_code", args=[session.code]) if base else ""
        facts = (
            session.locked,
            session.code,
            shown_address(base),
            _qr(url),
            is_own_machine(base),
        )
        fragments["wall-join"] = render(language, "wall", "join", room, *facts)
        counts = len(session.here), len(session.asking)
        fragments["wall-here"] = render(language, "wall", "here", room, *counts)
    if stage == "play":
        for state in shown:
            fragments[f"wall-{state.id}"] = render(
                language,
                "wall",
                "table",
                state.id,
                room,
                state.number,
                state.status,
                0 if round_ else state.round_number,
                _trick_number(state),
                state.paused,
            )
    if stage in {"round", "game"}:
        figures = _figures(session, playing)
        fragments["wall-figures"] = render(
            language, "wall", "figures", room, variant, round_, figures, _strips(session)
        )
    if with_places:
        fragments["wall-standings"] = render(
            language, "wall", "standings", room, places[:SHOWN_STANDINGS], len(places), stage
        )
    return fragments


def _stage(session: SessionState, playing: list[TableState]) -> str:
    """What the wall is for at this moment."""
    state = session.state
    if state != ClassSession.State.OPEN:
        return {"lobby": "lobby", "paused": "pause", "closed": "end"}[state]
    statuses = {table.status for table in playing}
    if not statuses or not statuses <= {"round_over", "game_over"}:
        return "play"
    return "game" if statuses == {"game_over"} else "round"


def _places(session: SessionState, shown: list[TableState]) -> tuple[Place, ...]:
    """The standings; in a duplicate session of the boards that are over alone."""
    is_duplicate = any(state.is_duplicate for state in shown)
    rows = (
        duplicate_standings(session.lines, shown[0].variant)
        if is_duplicate
        else standings(shown)
    )
    return tuple(
        Place(
            row.rank,
            "" if session.names_hidden else row.name,
            row.table,
            row.total,
            row.rounds,
            signed_mean(row.score) if is_duplicate else "",
        )
        for row in rows
    )


class Strip(NamedTuple):
    """One hand of a board, at all tables: how many took 0, 1, … tricks, and a sentence."""

    seat: int
    counts: tuple[int, ...]
    summary: str


def _strips(session: SessionState) -> tuple[Strip, ...]:
    """The last board that is over, a hand at a time."""
    last = max((line.board for line in session.lines), default=0)
    strips = []
    for seat in sorted({line.seat for line in session.lines}):
        lines = [line for line in session.lines if (line.board, line.seat) == (last, seat)]
        taken = Counter(line.taken for line in lines)
        counts = tuple(taken[tricks] for tricks in range(HAND_SIZE + 1))
        strips.append(Strip(seat + 1, counts, in_words(lines, None)))
    return tuple(strips)


def _figures(session: SessionState, playing: list[TableState]) -> Figures | None:
    """The tables' last round, of the students who played all of it themselves; None for
    fewer than FEWEST."""
    ids = {state.id for state in playing}
    outcomes = [outcome for outcome in session.outcomes if outcome.table in ids]
    if len(outcomes) < FEWEST:
        return None
    is_bid = playing[0].variant is Variant.BID
    points = [outcome.points for outcome in outcomes]
    counts = Counter(map(_difference, outcomes))
    usual, often = min(counts.items(), key=lambda item: (-item[1], abs(item[0])))
    made = sum(outcome.bid == outcome.taken for outcome in outcomes) if is_bid else 0
    missed = len(outcomes) - made if is_bid else 0
    return Figures(len(outcomes), min(points), max(points), made, missed, usual, often)


def _difference(outcome: Outcome) -> int:
    return outcome.taken - (outcome.bid or 0)


@lru_cache(maxsize=50)
def _qr(url: str) -> str:
    """The code to scan as an SVG, dark on light in either theme; no style in it."""
    if not url:
        return ""
    return str(
        segno.make(url, error="m", micro=False).svg_inline(
            omitsize=True, border=3, dark="#000", light="#fff", svgclass="qr", lineclass=None
        )
    )

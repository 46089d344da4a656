"""The class's wall: who plays, how they stand, what the room has done. No hand is in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Hashable, Mapping, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple, assert_never

from django.urls import reverse
from django.utils.translation import get_language

from games.classes.cockpit import ExperimentPhase, board_ends, experiment_now, trick_number
from games.classes.dot_plots import dot_plot_words, signed_mean
from games.classes.standings import (
    Ranking,
    best_of_tables,
    better_half,
    duplicate_standings,
    standings,
    team_standings,
)
from games.classes.state import SessionState, is_ended, is_left_over
from games.rules import HAND_SIZE, Shape, Trick, Variant
from games.tables.endings import podium_size
from games.tables.rendering import GAME_NAMES, Fragments, render
from games.tables.view import RUNNING, Status, TableFacts
from xactika_site.classrooms.models import ClassSession
from xactika_site.classrooms.privacy import FEWEST
from xactika_site.lan import has_moved, is_own_machine, qr_svg, shown_address

SHOWN_STANDINGS = 10
"""Rows that can be read from the last row of a room; and never more than the better half."""

SHOWN_ARRIVALS = 48
"""Of so many who have come in the lobby's wall tells the names, the last of all."""

FIRST_PLACES = 24
"""So many places at most the lobby's wall begins with; it adds eight at a time."""

SHOWN_WHOLE = 24
"""Of so many tables the wall shows who sits there and what they still need."""


class WallStage(StrEnum):
    """What the wall is for."""

    LOBBY = "lobby"
    SEATS = "seats"
    PAUSE = "pause"
    PLAY = "play"
    ROUND = "round"
    GAME = "game"
    END = "end"


WITH_STANDINGS = {WallStage.ROUND, WallStage.GAME, WallStage.END}
"""While a round is played the wall is its tables'."""


GONE_FROM_GAME_AFTER = timedelta(minutes=3)
"""After so long the wall waits no more for a table that all are away from; between two rounds
phones go dark sooner."""


ROUND_SHOWN = timedelta(seconds=7)
"""So long the wall shows a round once the last table has finished it, though others go on."""

LATE_AFTER = timedelta(seconds=30)
"""So long those who have ended their game watch a late table; then they see who was best."""


class StandingsOf(StrEnum):
    """Of whom the standings are: of tables; of players by name; or, while names are hidden, of
    the best of each table, whom the table knows."""

    TEAMS = "teams"
    PLAYERS = "players"
    BEST = "best"


class WallSeat(NamedTuple):
    """A seat of a table on the wall; ``name`` is empty while names are hidden, ``bid`` None
    where there is none so far, ``played`` the value of its card in the trick that lies there,
    or 0; that card ``shows_call`` or not, and ``wins`` the trick or not. Whoever ``is_away``
    sleeps; ``gained`` are the points of a round that is over."""

    name: str
    bid: int | None
    taken: int
    is_turn: bool
    is_bot: bool = False
    played: int = 0
    shows_call: bool = False
    wins: bool = False
    is_away: bool = False
    gained: int | None = None

    @property
    def has_made(self) -> bool:
        """Whether they have taken what they bid."""
        return self.bid == self.taken


class RoundFigures(NamedTuple):
    """A round in figures: of so many students, ``made`` of whom have made their bids. ``piles``
    are how many had which outcome, in a row without gaps: tricks taken less those bid, as far
    down as up; in the other games tricks taken. Who made their bids has a name, if shown."""

    students: int
    made: int
    piles: tuple[tuple[int, int], ...]
    names: tuple[str, ...]


def _html(name: str, /, *facts: Hashable, **named: Hashable) -> str:
    """The HTML of a macro of the wall."""
    return render(get_language(), "wall", name, *facts, **named)


def projector_fragments(
    session: SessionState,
    tables: Mapping[str, TableFacts],
    base: str,
    now: datetime | None = None,
) -> Fragments:
    """The fragments of what the room sees on the wall; without ``now`` nobody is away. Hidden
    names are not in it."""
    present = [tables[table_id] for table_id in session.tables if table_id in tables]
    open_ = [state for state in present if state.status != Status.CLOSED]
    closed = [state for state in present if state.status == Status.CLOSED]
    # A table that nobody is left at waits between rounds, and holds up no stage.
    playing = [state for state in open_ if not is_left_over(state)] or open_
    if any(state.status == Status.GAME_OVER for state in playing):
        # Nor does one whose people have all gone, once another has come to the game's end.
        here = {
            s.pk for s in session.here if not (now and s.is_away(now, GONE_FROM_GAME_AFTER))
        }
        playing = [
            state
            for state in playing
            if state.status != Status.ROUND_OVER or not is_ended(state, here)
        ]
    late = _late(session, playing, now)
    playing = [state for state in playing if state not in late]
    stage, just_over = _stage(session, playing), _round_just_over(session, playing, now)
    if stage == WallStage.PLAY and just_over:
        stage = WallStage.ROUND
    places = _places(session, [state for state in present if state not in late])
    best = better_half(places, SHOWN_STANDINGS)
    with_places = bool(best) and session.settings.standings_shown and stage in WITH_STANDINGS
    is_end = with_places and stage in {WallStage.GAME, WallStage.END}
    podium = podium_size([row.rank for row in best]) if is_end else 0
    variant = playing[0].variant.value if playing else session.variant
    # A session that has only held lessons is no game.
    game = "" if session.lesson and not session.played.dealt else str(GAME_NAMES[variant])
    # Tables go on by themselves at different paces; a round is named if all are in it.
    rounds = {state.round_number for state in playing}
    round_ = rounds.pop() if len(rounds) == 1 else just_over if stage == WallStage.ROUND else 0
    of_all = max((state.rounds for state in playing), default=0)
    if session.board:
        round_, of_all = session.board, max(session.board, session.settings.rounds)
    fragments = {
        "wall-head": _html(
            "head",
            classroom=session.classroom,
            game=game,
            stage=stage,
            round=round_,
            rounds=of_all,
            code="" if session.entry.locked or session.is_closed else session.entry.code,
            address=shown_address(base),
            board=bool(session.board) and session.state == ClassSession.State.OPEN,
            ends=board_ends(present),
            has_moved=has_moved(),
        ),
        "wall-stage": _html(
            "stage",
            stage=stage,
            tables=session.tables,
            has_places=with_places,
            playing=bool(playing),
            whole=_is_whole(session),
            nameless=session.names_hidden,
        ),
        "wall-next": _html("next", session.entry.next_session),
    }
    match stage:
        case WallStage.LOBBY:
            fragments |= _lobby_fragments(session, base)
        case WallStage.SEATS | WallStage.PLAY:
            fragments |= _table_fragments(session, present, round_, now)
        case WallStage.ROUND | WallStage.GAME:
            waits = experiment_now(session, present)[1] == ExperimentPhase.RUNS
            fragments["wall-figures"] = _html(
                "figures",
                variant,
                round_,
                None if waits else _bid_figures(session, playing, closed, just_over),
                _board_strips(session),
                stage == WallStage.GAME,
                waits,
                bool(session.board),
                bool(podium),
                _arrivals(session),
            )
    if with_places:
        # Else the cockpit, with the points of seats, seems to say something else.
        whose = _whose_standings(session)
        shown = {row.name for row in best}
        crowd = tuple(name for name in _arrivals(session) if name and name not in shown)
        crowd = crowd if podium else ()
        behind = tuple((state.number, state.round_number, state.rounds) for state in late)
        facts_of = (best, whose, _leaves_out(session, present), podium, crowd, behind)
        fragments["wall-standings"] = _html("standings", *facts_of)
    return fragments


def _late(
    session: SessionState, playing: Sequence[TableFacts], now: datetime | None
) -> Sequence[TableFacts]:
    """Tables, at most one for three others that ended their games long ago, that still play;
    none where what came of it is secret until all have."""
    late = [state for state in playing if state.status != Status.GAME_OVER]
    waiting = [
        state
        for state in playing
        if state not in late and now and now - state.turn_began >= LATE_AFTER
    ]
    if not waiting or len(waiting) < 3 * len(late):
        return ()
    is_secret = experiment_now(session, playing)[1] == ExperimentPhase.RUNS or any(
        state.is_duplicate for state in late
    )
    return () if is_secret else late


def _leaves_out(session: SessionState, present: Sequence[TableFacts]) -> bool:
    """Whether somebody's seat has points of more rounds than they have played themselves."""
    own = session.played.points_by_student
    return any(
        sum(row[seat.number] is not None for row in state.points)
        > own.get(seat.student_id, (0, 0))[1]
        for state in present
        for seat in state.people
        if seat.student_id is not None
    )


def _is_whole(session: SessionState) -> bool:
    """Whether each table is shown with its seats; of many only how far it is."""
    return len(session.tables) <= SHOWN_WHOLE


def _lobby_fragments(session: SessionState, base: str) -> Fragments:
    """How one joins, and who has."""
    join = _html(
        "join",
        locked=session.entry.locked,
        code=session.entry.code,
        address=shown_address(base),
        qr=qr_svg(base + reverse("join_code", args=[session.entry.code]) if base else ""),
        is_alone=is_own_machine(base),
        has_moved=has_moved(),
    )
    through = sum(s.chapters.is_all for s in session.here) if session.is_learning else -1
    counts = len(session.here), len(session.asking)
    # Names keep their places while others come.
    places = max(min(session.entry.expected, FIRST_PLACES), 8 * -(-counts[0] // 8))
    free = 0 if session.names_hidden else max(0, min(places, SHOWN_ARRIVALS) - counts[0])
    facts = (*counts, _arrivals(session), through, session.names_hidden, free)
    here = _html("here", *facts)
    return {"wall-join": join, "wall-here": here}


def _table_fragments(
    session: SessionState, present: Sequence[TableFacts], round_: int, now: datetime | None
) -> Fragments:
    """A slate for each table; it names its round unless all are in one, ``round_``."""
    is_whole = _is_whole(session)
    away = {student.pk for student in session.here if now and student.is_away(now)}
    slates = {}
    for state in present:
        sitters = _wall_seats(session, state, away) if is_whole else ()
        call = _call_there(state)
        slates[f"wall-{state.id}"] = _html(
            "table",
            table=state.id,
            number=state.number,
            status=state.status,
            round=0 if round_ else state.round_number,
            trick=_trick_there(state)[0] if sitters or call else trick_number(state),
            paused=state.paused,
            sitters=sitters,
            call=call,
            is_bid=state.variant is Variant.BID,
            whole=is_whole,
            board=bool(state.board),
        )
    return slates


def thrown_html(solid: Shape) -> str:
    """The HTML that throws a solid onto the wall, where it is only appended."""
    return render("", "wall", "thrown", solid.value)


def _arrivals(session: SessionState) -> tuple[str, ...]:
    """The names of those who have come, the last ones last; empty while names are hidden."""
    last = session.here[-SHOWN_ARRIVALS:]
    return tuple("" if session.names_hidden else student.name for student in last)


def _wall_seats(
    session: SessionState, state: TableFacts, away: Container[int | None]
) -> tuple[WallSeat, ...]:
    """Who sits at a table, with bids and tricks; none of a board that others play, too, until
    it is over everywhere."""
    if state.status == Status.WAITING and not session.names_hidden:
        return tuple(
            WallSeat(s.name, None, 0, False, s.is_bot, is_away=s.student_id in away)
            for s in state.seats
        )
    if state.observation is None or state.closed or (state.is_duplicate and not state.is_shown):
        return ()
    trick = _trick_there(state)[1]
    played = dict(trick.plays) if trick else {}
    return tuple(
        WallSeat(
            name="" if session.names_hidden else seat.name,
            bid=state.observation.bids[seat.number],
            taken=state.observation.taken[seat.number],
            is_turn=state.to_move == seat.number and state.status in RUNNING,
            is_bot=seat.is_bot,
            played=card.value if (card := played.get(seat.number)) else 0,
            shows_call=bool(card and trick and trick.call and card.shows(trick.call)),
            wins=trick is not None and trick.winner == seat.number,
            is_away=not session.names_hidden and seat.student_id in away,
            gained=state.gained[seat.number] if state.is_over else None,
        )
        for seat in state.seats
    )


def _trick_there(state: TableFacts) -> tuple[int, Trick | None]:
    """The trick on a table and its number: the open one, or the last until the next is led."""
    if state.observation is None or state.status != Status.PLAYING:
        return 0, None
    trick, done = state.observation.trick, state.observation.tricks
    is_open = bool(trick and trick.plays) or not done
    return (len(done) + 1, trick) if is_open else (len(done), done[-1])


def _call_there(state: TableFacts) -> str:
    """The call of the trick there; empty where there is none to show."""
    trick = _trick_there(state)[1]
    return str(trick.call) if trick and trick.call and not state.is_duplicate else ""


def _whose_standings(session: SessionState) -> StandingsOf:
    """Whose the standings are: the teams', all players', or the best half's."""
    if session.settings.teams:
        return StandingsOf.TEAMS
    return StandingsOf.BEST if session.names_hidden else StandingsOf.PLAYERS


def _stage(session: SessionState, playing: list[TableFacts]) -> WallStage:
    """The wall's stage: what it is for at this moment."""
    match session.state:
        case ClassSession.State.LOBBY:
            are_seated = playing and not session.names_hidden
            return WallStage.SEATS if are_seated else WallStage.LOBBY
        case ClassSession.State.PAUSED:
            return WallStage.PAUSE
        case ClassSession.State.CLOSED:
            return WallStage.END
        case ClassSession.State.OPEN:
            stage = _stage_of_tables(playing)
            is_going_on = session.board and session.board < session.settings.rounds
            return WallStage.ROUND if stage == WallStage.GAME and is_going_on else stage
    assert_never(session.state)


def _stage_of_tables(playing: list[TableFacts]) -> WallStage:
    """The wall's stage while a game is on at these tables."""
    statuses = {table.status for table in playing}
    if statuses == {Status.WAITING}:
        return WallStage.SEATS
    if not statuses or not statuses <= {Status.ROUND_OVER, Status.GAME_OVER}:
        return WallStage.PLAY
    return WallStage.GAME if statuses == {Status.GAME_OVER} else WallStage.ROUND


def _round_just_over(
    session: SessionState, playing: Sequence[TableFacts], now: datetime | None
) -> int:
    """The number of the round that the last of these tables has just finished, which others may
    have left; 0 for none, and of boards and an experiment, which are shown once all wait."""
    number = min((s.round_number - (s.status in RUNNING) for s in playing), default=0)
    ended = [
        state.turn_began
        for state in playing
        if (state.status, state.round_number) == (Status.ROUND_OVER, number)
    ]
    is_recent = now and ended and now - max(ended) < ROUND_SHOWN
    is_secret = session.board or experiment_now(session, playing)[1] == ExperimentPhase.RUNS
    return number if is_recent and not is_secret else 0


def _places(session: SessionState, present: list[TableFacts]) -> tuple[Ranking, ...]:
    """The standings; in a duplicate session of the boards that are over alone."""
    is_duplicate = any(state.is_duplicate for state in present)
    rows = (
        duplicate_standings(session.played.lines, present[0].variant)
        if is_duplicate
        else standings(present, session.played.points_by_student)
    )
    whose = _whose_standings(session)
    if whose == StandingsOf.TEAMS:
        rows = team_standings(rows, present[0].variant if present else Variant.BID)
    elif whose == StandingsOf.BEST:
        rows = best_of_tables(rows)
    return tuple(
        Ranking(
            row.rank,
            row.name if whose == StandingsOf.PLAYERS else "",
            row.table,
            row.total,
            row.rounds,
            signed_mean(row.score) if row.score is not None else "",
        )
        for row in rows
    )


class HandStrip(NamedTuple):
    """One hand of a board, at all tables: how many took 0, 1, … tricks, and a sentence."""

    seat: int
    counts: tuple[int, ...]
    summary: str


def _board_strips(session: SessionState) -> tuple[HandStrip, ...]:
    """The last board that is over, a hand at a time."""
    last = max((line.board for line in session.played.lines), default=0)
    strips = []
    for seat in sorted({line.seat for line in session.played.lines}):
        lines = [
            line for line in session.played.lines if (line.board, line.seat) == (last, seat)
        ]
        taken = Counter(line.taken for line in lines)
        counts = tuple(taken[tricks] for tricks in range(HAND_SIZE + 1))
        strips.append(HandStrip(seat + 1, counts, dot_plot_words(lines, None)))
    return tuple(strips)


def _bid_figures(
    session: SessionState, playing: list[TableFacts], closed: list[TableFacts], just_over: int
) -> RoundFigures | None:
    """The round just over, or else the tables' last, of the students who played all of it
    themselves, at a table that was ``closed`` after it, too; None for fewer than FEWEST."""
    last = just_over or max(state.round_number for state in playing)
    rounds = {state.id: last for state in closed}
    rounds |= {state.id: just_over or state.round_number for state in playing}
    outcomes = [row for row in session.played.outcomes if rounds.get(row.table) == row.round]
    if len(outcomes) < FEWEST:
        return None
    is_bid = playing[0].variant is Variant.BID
    counts = Counter(outcome.taken - (outcome.bid or 0) for outcome in outcomes)
    most = max(2, *map(abs, counts))
    low, high = (-most, most) if is_bid else (0, max(4, most))
    made = {row.student for row in outcomes if row.bid == row.taken}
    return RoundFigures(
        students=len(outcomes),
        made=counts[0] if is_bid else 0,
        piles=tuple((n, counts[n]) for n in range(low, high + 1)),
        names=tuple(
            student.name
            for student in session.students
            if student.pk in made and is_bid and not session.names_hidden
        ),
    )

"""A table as it may be shown: everything about it but hands.

Pictures and announcements are made from ``TableView``, what a class's teacher and its wall see
from ``TableFacts``: no hand can get into them, as there is none in these types.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cached_property
from typing import ClassVar, NamedTuple

from games.models import PACES, Guest, SessionSettings, Table
from games.rules import Observation, Variant, winners

OddsPanel = SessionSettings.OddsPanel


class Status(StrEnum):
    """Where a table's game stands."""

    WAITING = "waiting"
    BIDDING = "bidding"
    PLAYING = "playing"
    ROUND_OVER = "round_over"
    GAME_OVER = "game_over"
    CLOSED = "closed"


RUNNING = frozenset({Status.BIDDING, Status.PLAYING})
"""In the middle of a round."""

OVER = frozenset({Status.GAME_OVER, Status.CLOSED})


class Experts(StrEnum):
    """Why bots that were to be experts count cards."""

    WARMING = "warming"
    MISSING = "missing"


class PlayerKind(StrEnum):
    """Who sits on a seat."""

    PERSON = "person"
    BOT = "bot"


@dataclass(frozen=True, slots=True)
class SeatState:
    """A seat as everybody at the table may know it. ``level`` is empty for a person."""

    pk: int
    number: int
    name: str
    level: str
    serial: int = 0
    opened: bool = False
    stand_in: bool = False
    ready_at: datetime | None = None
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
    slow: bool = False
    # The first round that who sits here plays from its first card: a bot had those before.
    from_round: int = 1

    @property
    def is_bot(self) -> bool:
        return bool(self.level)

    @property
    def is_played_by_bot(self) -> bool:
        return self.is_bot or self.stand_in

    @property
    def keys(self) -> frozenset[str]:
        """The keys of who sits here: of the student and the browsers that they came in by."""
        return student_keys(self.student_id, self.browsers) if self.student_id else frozenset()

    def is_anothers(self, guest: Guest | None) -> bool:
        """Whether a browser was let in here, and it is not this one."""
        return bool(self.guests) and (guest is None or guest.pk not in self.guests)


def student_keys(student_id: int, browsers: Iterable[str]) -> frozenset[str]:
    """The keys by which it is known that a student, or who is at their browser, held a hand."""
    return frozenset({str(student_id), *browsers})


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What a table is opened with. ``clock`` is the time after which a clock plays, None for
    none; ``odds_panel`` what is wished for, see ``TableFacts.odds``."""

    variant: Variant
    rounds: int
    level: str
    patience: timedelta
    pace: float
    clock: timedelta | None = None
    held: bool = False
    watching: bool = False
    reactions: bool = False
    odds_panel: SessionSettings.OddsPanel = OddsPanel.OFF


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A table of whoever opened it, by one browser, and the next one like it."""

    opener_id: int | None = None
    next_table_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Solo(Opened):
    """One person and bots."""

    kind: ClassVar = Table.Kind.SOLO


@dataclass(frozen=True, slots=True, kw_only=True)
class Friends(Opened):
    """Whoever was sent a link."""

    kind: ClassVar = Table.Kind.FRIENDS


@dataclass(frozen=True, slots=True, kw_only=True)
class Study(Opened):
    """Played on from a position, or (with none) a round that is nobody's; ``given`` moves were
    made there."""

    kind: ClassVar = Table.Kind.STUDY
    position_id: str | None = None
    given: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Boards:
    """The same cards at several tables: up to ``shown_round`` everything may be shown; so many
    tables still play the present board."""

    shown_round: int
    still_playing: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class InClass:
    """The table of this number in a class session, whose next game may be played already
    (``is_past``). ``counts_instead``: experts were wished for, and its bots count cards.
    ``treatment`` is what an experiment has drawn; only the table's own seats are told.
    ``board`` is a tournament's that is played here, else 0; it ``ends`` when the teacher says
    so: from then on the clock plays."""

    kind: ClassVar = Table.Kind.CLASS
    session_id: int
    number: int
    boards: Boards | None = None
    treatment: Table.Treatment | None = None
    is_past: bool = False
    is_session_over: bool = False
    news: int = 0
    counts_instead: bool = False
    board: int = 0
    ends: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Homework:
    """The board of this number of some homework, for one student, or a teacher of theirs; of a
    class session, if a teacher plays it ``beforehand``."""

    kind: ClassVar = Table.Kind.HOMEWORK
    number: int
    boards: Boards
    teacher_id: int | None = None
    beforehand: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class InLeague:
    """A table of a league's match. Other tables play its boards: nothing of them is shown."""

    kind: ClassVar = Table.Kind.LEAGUE


Part = Solo | Friends | InClass | Study | Homework | InLeague


@dataclass(frozen=True, kw_only=True)
class TableFacts:
    """What may be known of a table at one moment by everybody at it; ``part`` is what only its
    kind has. ``observation`` is the present round as a watcher sees it, None while waiting.

    ``moves`` are the present deal's, as (seat, text); ``points`` those of finished rounds,
    by round and seat, None for boards before the table was opened; ``language`` is what is
    spoken at it. Immutable: a change makes a new one.
    """

    id: str
    version: int = 0
    setup: Setup
    part: Part
    watch_serial: int = 0
    paused: bool = False
    closed: bool = False
    seats: tuple[SeatState, ...]
    deal_id: int | None = None
    round_number: int
    moves: tuple[tuple[int, str], ...]
    turn_began: datetime
    points: tuple[tuple[int | None, ...], ...]
    language: str = ""
    observation: Observation | None = None

    @cached_property
    def kind(self) -> Table.Kind:
        """Which kind of table this is."""
        return self.part.kind

    @cached_property
    def variant(self) -> Variant:
        """Which of the three games is played."""
        return self.setup.variant

    @cached_property
    def rounds(self) -> int:
        """How many rounds the game has."""
        return self.setup.rounds

    @cached_property
    def in_class(self) -> InClass | None:
        """What only a class's table has."""
        return self.part if isinstance(self.part, InClass) else None

    @cached_property
    def class_session_id(self) -> int | None:
        """The class session that it belongs to."""
        return self.part.session_id if isinstance(self.part, InClass) else None

    @cached_property
    def is_session_over(self) -> bool:
        """Whether its class session is closed."""
        return isinstance(self.part, InClass) and self.part.is_session_over

    @cached_property
    def number(self) -> int:
        """The table's number in the room, or the board's in its homework; else 0."""
        return self.part.number if isinstance(self.part, InClass | Homework) else 0

    @cached_property
    def board(self) -> int:
        """Which board of a tournament, or of homework, it plays; else 0."""
        return self.part.board if isinstance(self.part, InClass) else self.number

    @cached_property
    def news(self) -> int:
        """How often something was put before its class."""
        return self.part.news if isinstance(self.part, InClass) else 0

    @cached_property
    def opener_id(self) -> int | None:
        """The guest who opened it."""
        return self.part.opener_id if isinstance(self.part, Opened) else None

    @property
    def next_table_id(self) -> str | None:
        """The id of the table at which its people play again, if they do."""
        return self.part.next_table_id if isinstance(self.part, Opened) else None

    @cached_property
    def position_id(self) -> str | None:
        """The position that it is played on from."""
        return self.part.position_id if isinstance(self.part, Study) else None

    @cached_property
    def given(self) -> int:
        """How many of the moves were made before it was opened."""
        return self.part.given if isinstance(self.part, Study) else 0

    @cached_property
    def boards(self) -> Boards | None:
        """The boards it plays in step with others who are dealt the same cards, if so."""
        return self.part.boards if isinstance(self.part, InClass | Homework) else None

    @cached_property
    def is_duplicate(self) -> bool:
        """Whether others are dealt the same cards."""
        return self.boards is not None

    @cached_property
    def treatment(self) -> Table.Treatment | None:
        """What an experiment has drawn for it."""
        return self.part.treatment if isinstance(self.part, InClass) else None

    @property
    def turn(self) -> str:
        """``<round>.<moves made in it>``; ``0.0`` while waiting."""
        return f"{self.round_number}.{len(self.moves)}"

    @cached_property
    def status(self) -> Status:
        """The phase of the table's game."""
        if self.closed:
            return Status.CLOSED
        if self.observation is None:
            return Status.WAITING
        if self.is_over:
            is_last = self.round_number == self.rounds
            return Status.GAME_OVER if is_last and self.is_done else Status.ROUND_OVER
        return Status.BIDDING if self.observation.is_bidding else Status.PLAYING

    @property
    def is_slow(self) -> bool:
        """Whether somebody at the table has asked for slow bots."""
        return any(seat.slow for seat in self.people)

    @property
    def beat(self) -> float:
        """Seconds that a play stays visible before a bot's next one: the table's pace, and at
        least a slow one where somebody has asked for that."""
        return max(self.setup.pace, PACES["slow"]) if self.is_slow else self.setup.pace

    def has_played(self, seat: int) -> bool:
        """Whether who sits there now had the seat in this round, and was not given it since."""
        return self.seats[seat].from_round <= self.round_number

    @property
    def is_over(self) -> bool:
        """Whether the present round is over."""
        return self.observation is not None and self.observation.is_over

    @property
    def is_shown(self) -> bool:
        """Whether a finished round may be shown: in a duplicate session when all tables have
        finished the board, in a league never."""
        if self.is_in_league:
            return False
        return self.boards is None or self.round_number <= self.boards.shown_round

    @property
    def is_in_league(self) -> bool:
        """Whether programs play here: late ones lose the seat to a bot till the next board."""
        return isinstance(self.part, InLeague)

    def is_benched(self, seat: int) -> bool:
        """Whether a bot plays for a late program, which can't take its seat back."""
        return self.is_in_league and self.seats[seat].stand_in

    @property
    def is_homework(self) -> bool:
        """Whether somebody plays it alone, for their class."""
        return isinstance(self.part, Homework)

    @property
    def homework_teacher_id(self) -> int | None:
        """The teacher who plays it, as their class does."""
        return self.part.teacher_id if isinstance(self.part, Homework) else None

    @property
    def is_beforehand(self) -> bool:
        """Whether it is no homework, but a board that the class plays later."""
        return isinstance(self.part, Homework) and self.part.beforehand

    @property
    def is_done(self) -> bool:
        """Whether the table itself need not wait for others who play the same cards: where the
        round is shown, and always in homework and a league, which show theirs later."""
        return self.is_shown or self.is_homework or self.is_in_league

    @property
    def odds(self) -> SessionSettings.OddsPanel:
        """What a seat is told of its odds: off, after (the trick) or always. A board that
        others play, too, has none, but where an experiment tries what odds are worth."""
        if self.is_duplicate:
            is_tried = self.treatment == Table.Treatment.ODDS
            return OddsPanel.ALWAYS if is_tried else OddsPanel.OFF
        return self.setup.odds_panel

    @property
    def may_react(self) -> bool:
        """Whether its seats may show each other reactions: where that is switched on, in no
        experiment, and of the same cards only when all tables have played them."""
        is_on = self.setup.reactions and self.treatment is None and not self.closed
        is_hidden = self.is_duplicate and not (self.is_over and self.is_shown)
        return is_on and self.observation is not None and not is_hidden

    @cached_property
    def to_move(self) -> int | None:
        """The seat whose turn it is, if a move can be made at all."""
        return None if self.observation is None or self.closed else self.observation.to_move

    @cached_property
    def totals(self) -> tuple[int, ...]:
        """Points so far, by seat."""
        seats = range(len(self.seats))
        return tuple(sum(row[seat] or 0 for row in self.points) for seat in seats)

    @cached_property
    def gained(self) -> tuple[int, ...]:
        """Points of the present round, once it is over, by seat."""
        return tuple(gained or 0 for gained in self.points[-1]) if self.is_over else ()

    @property
    def is_running(self) -> bool:
        """Whether a round is being played: whoever leaves now has seen a hand of it."""
        return self.status in RUNNING

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


class Player(NamedTuple):
    """Who sits on a seat, as the templates read it."""

    name: str
    kind: PlayerKind
    away: bool
    stand_in: bool
    ready: bool
    here: bool


class Revealed(NamedTuple):
    """All cards of a round that may be shown, by seat, and those that nobody was dealt."""

    hands: tuple[tuple[str, ...], ...]
    undealt: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class TableView(TableFacts):
    """A table as it is shown at one moment: its facts, and who is there. ``deadline`` is when
    it goes on by itself; ``stand_in_for`` are the people for whom others may ask a bot.
    ``experts`` says why bots that were to be experts count cards, where they do: they warm up,
    or are missing on this computer."""

    players: tuple[Player, ...]
    deadline: datetime | None
    stand_in_for: tuple[tuple[int, str], ...]
    revealed: Revealed | None
    experts: Experts | None = None

    @property
    def deadline_text(self) -> str:
        """The deadline as the protocol writes it; empty where there is none."""
        return self.deadline.strftime("%Y-%m-%dT%H:%M:%SZ") if self.deadline else ""

    @property
    def winners(self) -> tuple[int, ...] | None:
        """The seats that have won the game, once it is over."""
        if self.status != Status.GAME_OVER:
            return None
        return tuple(sorted(winners(self.variant, self.totals)))

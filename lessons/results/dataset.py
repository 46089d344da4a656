"""The finished rounds of class sessions as plain values, in a fixed number of queries."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import NamedTuple

from django.db.models import BooleanField, Exists, ExpressionWrapper, OuterRef, Q, QuerySet

from games.keeping.export import finished_deals, rounds_by_students
from games.models import Deal, Guest, Move, Result, Table, TrickRecord
from games.rules import Variant
from games.study.replay.own_rounds import results_of
from games.tables.boards import board_key
from lessons.models import Forecast
from lessons.questions.forecasts import is_forecast
from xactika_site.classrooms.models import Attendance, ClassSession, Student
from xactika_site.classrooms.privacy import FEWEST


class FinishedDeal(NamedTuple):
    """A finished deal: where and when it was played, and who was dealt what: empty hands on
    paper, if no slips dealt them."""

    pk: int
    session: int
    table: str
    number: int
    game: int
    round: int
    variant: str
    dealer: int
    hands: list[list[str]]
    board: int | None
    is_drawn: bool = True
    """By chance; False at tables for which hands were prepared."""
    dealt: datetime | None = None
    tournament: bool = False

    @property
    def seats(self) -> int:
        return len(self.hands)

    @property
    def key(self) -> tuple[int, ...]:
        """What tells this board from others, equal at all tables that were dealt it."""
        return board_key(self.pk, session=self.session, game=self.game, board=self.board)


class SeatResult(NamedTuple):
    """What one seat made of a deal. ``student`` is None for bots, for rounds that several
    moved in, and for students who were deleted since."""

    deal: FinishedDeal
    seat: int
    bid: int | None
    taken: int
    points: int
    by_person: bool
    student: int | None

    @property
    def hand(self) -> list[str]:
        return self.deal.hands[self.seat]


class LedTrick(NamedTuple):
    """A trick: its exact ``chance``, when led, that nobody held a better card; whether nobody
    did (``safe``); and whether the leader took it."""

    deal: int
    leader: int
    chance: float | None
    safe: bool | None
    took: bool


@dataclass(frozen=True)
class Dataset:
    """All that is over. ``rounds`` and ``leads`` are those that class figures count: of
    people, or (``everyone``) of bots and the clock, too; ``seats`` are all results;
    ``percents`` are forecasts by (deal, seat), for 0 to 8 tricks; ``came`` are the students who
    came to the session (nobody where that is not asked)."""

    deals: tuple[FinishedDeal, ...]
    seats: tuple[SeatResult, ...]
    tricks: tuple[LedTrick, ...]
    everyone: bool = False
    percents: Mapping[tuple[int, int], list[int]] = field(default_factory=dict)
    came: frozenset[int] = frozenset()

    @cached_property
    def rounds(self) -> tuple[SeatResult, ...]:
        return tuple(played for played in self.seats if self.everyone or played.by_person)

    @cached_property
    def dealt_rounds(self) -> tuple[SeatResult, ...]:
        """The rounds whose hands are known."""
        return tuple(played for played in self.rounds if played.hand)

    @cached_property
    def bids(self) -> tuple[tuple[int, int], ...]:
        """(bid, taken) of the counted rounds of Play to Bid."""
        return tuple((p.bid, p.taken) for p in self.rounds if p.bid is not None)

    @cached_property
    def forecast_rounds(self) -> tuple[tuple[list[int], SeatResult], ...]:
        """The counted rounds with a forecast, after its percents for 0 to 8 tricks."""
        return tuple(
            (self.percents[key], played)
            for played in self.rounds
            if (key := (played.deal.pk, played.seat)) in self.percents
        )

    @property
    def forecasts(self) -> tuple[tuple[list[int], int], ...]:
        """(percents for 0 to 8 tricks, tricks taken) of these rounds."""
        return tuple((percents, played.taken) for percents, played in self.forecast_rounds)

    @property
    def forecasters(self) -> int:
        """How many students stand behind the forecasts."""
        return len({played.student for _percents, played in self.forecast_rounds} - {None})

    @cached_property
    def leads(self) -> tuple[LedTrick, ...]:
        counted = {(played.deal.pk, played.seat) for played in self.rounds}
        return tuple(led for led in self.tricks if (led.deal, led.leader) in counted)

    @cached_property
    def distinct_deals(self) -> tuple[FinishedDeal, ...]:
        """Every deal whose hands are known, once: boards were dealt to several tables."""
        known = (deal for deal in reversed(self.deals) if any(deal.hands))
        return tuple({deal.key: deal for deal in known}.values())[::-1]

    @cached_property
    def drawn_deals(self) -> tuple[FinishedDeal, ...]:
        """The deals that chance dealt, each once: only they can be held against theory."""
        return tuple(deal for deal in self.distinct_deals if deal.is_drawn)

    @cached_property
    def students(self) -> frozenset[int]:
        """The students whose rounds are counted."""
        return frozenset(p.student for p in self.rounds if p.student is not None)

    @cached_property
    def bidders(self) -> frozenset[int]:
        """The students among them who have bid."""
        bids = (p.student for p in self.rounds if p.bid is not None)
        return frozenset(student for student in bids if student is not None)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The table sizes that occur, smallest first."""
        return tuple(sorted({deal.seats for deal in self.deals}))

    @property
    def is_few(self) -> bool:
        """Whether averages would tell about single students."""
        return len(self.students) < FEWEST

    def with_deals(self, deals: Iterable[FinishedDeal]) -> Dataset:
        """The same rounds of deals that are told differently."""
        told = {deal.pk: deal for deal in deals}
        seats = (played._replace(deal=told[played.deal.pk]) for played in self.seats)
        return replace(self, deals=tuple(told.values()), seats=tuple(seats))

    def of_student(self, student: int) -> Dataset:
        """The facts of one student's rounds alone, with the deals that they were dealt in."""
        return self._restricted_to(played for played in self.seats if played.student == student)

    def of_seats(self, where: Collection[tuple[int, int]]) -> Dataset:
        """The facts of the rounds at these (deal, seat) that one person played alone."""
        return self._restricted_to(
            played
            for played in self.seats
            if played.by_person and (played.deal.pk, played.seat) in where
        )

    def _restricted_to(self, rounds: Iterable[SeatResult]) -> Dataset:
        seats = tuple(rounds)
        own = {played.deal.pk for played in seats}
        deals = tuple(deal for deal in self.deals if deal.pk in own)
        tricks = tuple(trick for trick in self.tricks if trick.deal in own)
        return replace(self, deals=deals, seats=seats, tricks=tricks)


def dataset_of_session(
    session: ClassSession, *, everyone: bool = False, came: Collection[int] | None = None
) -> Dataset:
    """The dataset of what is over in a class session; of a board that some table still plays,
    nothing. Who ``came`` is asked for where it is not known."""
    data = dataset_of_deals(finished_deals().filter(table__class_session=session), everyone)
    if came is None:
        here = Attendance.objects.filter(class_session=session)
        came = here.exclude(state=Attendance.State.ASKING).values_list("student", flat=True)
    return replace(data, came=frozenset(came) | data.students)


def dataset_of_student(student: Student) -> Dataset:
    """The dataset of what a student played, making every move, in all sessions."""
    deals = finished_deals().filter(pk__in=student.results.order_by().values("deal"))
    return dataset_of_deals(deals, False).of_student(student.pk)


def dataset_of_own_work(student: Student) -> Dataset:
    """``dataset_of_student`` with the boards of homework that has closed: each is dealt to a
    student once."""
    finished = rounds_by_students().filter(pk__in=student.results.order_by().values("deal"))
    data = dataset_of_deals(finished, False).of_student(student.pk)
    return data.with_deals(
        deal if deal.session else deal._replace(board=None) for deal in data.deals
    )


def dataset_of_guest(guest: Guest) -> Dataset:
    """The dataset of what a browser without a class has played alone, against bots and with
    friends."""
    results = results_of(guest=guest)
    others = Move.objects.filter(deal=OuterRef("deal"), seat=OuterRef("seat"), guest__gt=0)
    own = results.exclude(Exists(others.exclude(guest=guest)))
    where = set(own.values_list("deal", "seat"))
    deals = Deal.objects.filter(pk__in=own.order_by().values("deal")).order_by("pk")
    return dataset_of_deals(deals, False).of_seats(where)


IS_DRAWN = (Q(table__prepared__isnull=True) | Q(table__prepared=[])) & ~Q(
    table__kind=Table.Kind.PAPER, table__slips=None
)
"""Deals of tables for which no hands were prepared, and whose hands are known."""


def _first_games(games: Iterable[tuple[int, int, int]]) -> dict[tuple[int, int], int]:
    """By (session, game) of a tournament's board, the game of the tournament's first board."""
    first: dict[tuple[int, int], int] = {}
    last: dict[int, int] = {}
    for session, game, board in sorted(games):
        if board == 1 or session not in last:
            last[session] = game
        first[session, game] = last[session]
    return first


def dataset_of_deals(finished: QuerySet[Deal], everyone: bool) -> Dataset:
    """The facts of these deals, which are over."""
    rows = list(
        finished.select_related(None)
        .annotate(is_drawn=ExpressionWrapper(IS_DRAWN, BooleanField()))
        .values_list(
            *("pk", "table__class_session", "table", "table__number", "table__game", "round"),
            *("table__variant", "dealer", "hands", "board", "is_drawn", "created"),
            "table__tournament_board",
        )
    )
    first = _first_games({(row[1], row[4], row[-1]) for row in rows if row[-1]})
    deals = tuple(
        # A tournament's board is played as a game of its own; it counts as one board of a game.
        deal._replace(
            game=first[deal.session, deal.game], round=board, board=board, tournament=True
        )
        if board
        else deal
        for *row, board in rows
        for deal in [FinishedDeal(row[0], row[1] or 0, *row[2:])]
    )
    by_pk = {deal.pk: deal for deal in deals}
    keys = finished.order_by().values("pk")
    results = Result.objects.filter(deal__in=keys).order_by("deal", "seat")
    seats = tuple(
        SeatResult(by_pk[row[0]], *row[1:])
        for row in results.values_list(
            "deal", "seat", "bid", "taken", "points", "by_person", "student"
        )
        if row[0] in by_pk
    )
    records = TrickRecord.objects.filter(deal__in=keys).order_by("deal", "number")
    tricks = tuple(
        LedTrick(deal, leader, chance, safe, leader == taker)
        for deal, leader, chance, safe, taker in records.values_list(
            "deal", "leader", "chance", "safe", "taker"
        )
        if deal in by_pk
    )
    forecasts = Forecast.objects.filter(deal__in=keys).values_list("deal", "seat", "percents")
    percents = {(deal, seat): stored for deal, seat, stored in forecasts if is_forecast(stored)}
    return Dataset(deals, seats, tricks, everyone, percents)


def has_bids(deal: FinishedDeal) -> bool:
    """Whether bids were made in this deal."""
    return deal.variant == Variant.BID.value

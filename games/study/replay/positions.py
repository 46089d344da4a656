"""Finished rounds as positions: who may look at one, and playing on from there.

A position is a moment of a finished round and a seat. Nothing of it is kept but which: what a
seat saw is rebuilt from the stored moves (``lines``), and goes when they go.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from games import analysis
from games.analysis import bots
from games.models import (
    DEFAULT_PACE,
    DEFAULT_PATIENCE,
    Deal,
    Guest,
    Move,
    Position,
    Seat,
    Table,
)
from games.rules import Variant
from games.study.replay.lines import Line
from games.tables.dealing import seat_names
from games.tables.observation import may_look_back
from games.tables.seats import admit
from games.tables.state import TableState, load_table, may_be_shown, start_round
from games.tables.viewers import Browser, students_here, viewer_by_browser
from xactika_site import clock, languages
from xactika_site.classrooms.names import two_word_names
from xactika_site.classrooms.selectors import NotFound
from xactika_site.randomness import system_rng


@dataclass(frozen=True, slots=True)
class Sight:
    """A finished round before somebody who may see it: ``own`` is the seat at which they played
    it, None for whoever looked on, or teaches."""

    state: TableState
    deal: Deal
    line: Line
    own: int | None
    is_teacher: bool
    # Where ``line`` is another than the one that was played: whose, and to which count; or at
    # which moment another move was made, and which.
    way: tuple[int, int] | None = None
    instead: tuple[int, str] | None = None
    # Or which seat an expert has played from the first move on.
    expert: int | None = None

    @property
    def seats(self) -> int:
        return self.line.start.seats


# Who may look.


def sight_of(browser: Browser, table_id: str, number: int, place: str | None = None) -> Sight:
    """A finished round of a table, for this browser. NotFound if it may not see it, and while
    (in a duplicate session at any table) it is still being played."""
    state = load_table(table_id)
    deals = Deal.objects.filter(may_be_shown(), table=table_id, round=number)
    deal = deals.first()
    if deal is None or not may_look_back(state, number):
        raise NotFound
    own, is_teacher = _looker(browser, table_id, deal, place)
    return Sight(state, deal, line_of(state, deal), own, is_teacher)


def line_of(state: TableState, deal: Deal) -> Line:
    """A round of this table as it was played."""
    moves = Move.objects.filter(deal=deal).order_by("number").values_list("seat", "text")
    return Line(start_round(deal, state.variant), tuple(moves))


def lines_of(deals: Collection[Deal]) -> dict[int, Line]:
    """Rounds as they were played, by their deals' keys. One query beside the deals' tables."""
    moves: dict[int, list[tuple[int, str]]] = {deal.pk: [] for deal in deals}
    rows = Move.objects.filter(deal__in=list(moves)).order_by("deal", "number")
    for deal_id, seat, text in rows.values_list("deal", "seat", "text"):
        moves[deal_id].append((seat, text))
    return {
        deal.pk: Line(start_round(deal, Variant(deal.table.variant)), tuple(moves[deal.pk]))
        for deal in deals
    }


def position_for(browser: Browser, position_id: str) -> tuple[Position, Sight]:
    """A position and its round; NotFound as ``sight_of``."""
    position = Position.objects.filter(pk=position_id).select_related("deal").first()
    if position is None:
        raise NotFound
    return position, sight_of(browser, position.deal.table_id, position.deal.round)


def _looker(
    browser: Browser, table_id: str, deal: Deal, place: str | None
) -> tuple[int | None, bool]:
    """The seat at which this browser's person played the round, and whether they teach it."""
    for student in students_here(browser):
        moved = Move.objects.filter(deal=deal, student=student)
        seat = moved.order_by("number").values_list("seat", flat=True).first()
        if seat is not None and place in {None, str(seat)}:
            return seat, False
    viewer = viewer_by_browser(table_id, browser, place)
    return viewer.seat, viewer.is_teacher or viewer.teacher_id is not None


# Keeping a position, and playing on from it.


def position_at(sight: Sight, *, moment: int, seat: int) -> Position:
    """The position of this moment and seat, made if nobody has asked for it before. NotFound
    where the round has no such moment or seat, or may be seen no longer: homework that is
    opened again hides its boards and deletes their positions, and holds their tables meanwhile.
    """
    if not (0 <= moment <= sight.line.last and 0 <= seat < sight.seats):
        raise NotFound
    wanted: dict[str, Any] = {"deal": sight.deal, "moves": moment, "seat": seat}
    if not sight.state.is_homework:
        return Position.objects.get_or_create(**wanted)[0]
    with transaction.atomic():
        if not may_look_back(load_table(sight.state.id, lock=True), sight.deal.round):
            raise NotFound
        return Position.objects.get_or_create(**wanted)[0]


@transaction.atomic
def play_on(sight: Sight, *, moment: int, seat: int, guest: Guest) -> str:
    """The id of a study table opened at this moment, with the same cards: the guest has the
    seat, bots the others. NotFound where nothing is left to play."""
    position = position_at(sight, moment=moment, seat=seat)
    if sight.line.rounds[moment].is_over:
        raise NotFound
    table = Table.objects.create(
        kind=Table.Kind.STUDY,
        variant=sight.state.variant.value,
        rounds=1,
        patience=DEFAULT_PATIENCE,
        pace=DEFAULT_PACE,
        opener=guest,
        position=position,
        language=languages.present(),
    )
    levels = levels_of(sight)
    [mine] = two_word_names(system_rng, 1, languages.present())
    names = seat_names(sight.seats, {seat: mine})
    Seat.objects.bulk_create(
        Seat(
            table=table,
            number=number,
            name=names[number],
            level="" if number == seat else levels[number],
        )
        for number in range(sight.seats)
    )
    deal = Deal.objects.create(
        table=table, round=1, dealer=sight.deal.dealer, hands=sight.deal.hands
    )
    now = clock.now()
    Move.objects.bulk_create(
        Move(deal=deal, number=number, seat=mover, text=text, mover=Move.Mover.GIVEN, made=now)
        for number, (mover, text) in enumerate(sight.line.moves[:moment])
    )
    admit(table_id=table.id, seat=seat, guest=guest)
    return table.id


def levels_of(sight: Sight) -> list[str]:
    """How the seats are played on: bots as they were, people as bots that count cards; so do
    all where nothing can be simulated."""
    if not analysis.ready():
        return [bots.COUNTING] * sight.seats
    return [seat.level or bots.COUNTING for seat in sight.state.seats]

"""A finished round, read back from what is stored."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from games.models import Deal, Move
from games.rules import Card, Round, Variant, observe, parse_card, parse_move
from games.study.odds.forecasts import Turn, seat_turns
from games.tables.observation import may_look_back
from games.tables.state import TableState, start_round
from xactika_site.classrooms.selectors import NotFound


@dataclass(frozen=True, slots=True)
class PastRound:
    """A finished round as it is stored: its moves, who made them, and why."""

    round: Round
    hands: tuple[tuple[Card, ...], ...]
    moves: tuple[Move, ...]
    names: tuple[str, ...]

    @property
    def movers(self) -> tuple[tuple[str, object], ...]:
        """Who made the moves, and why."""
        return tuple((move.mover, repr(move.reason)) for move in self.moves)

    def turns(self, seat: int) -> dict[int, Turn]:
        """The seat's turns, by the number of the move."""
        pairs = [(move.seat, move.text) for move in self.moves]
        return seat_turns(observe(self.round, seat), self.hands[seat], pairs)


def past_round(state: TableState, number: int) -> PastRound:
    """A round of this table that is over; NotFound if there is none, or it may not be shown."""
    if not may_look_back(state, number):
        raise NotFound
    deal = Deal.objects.get(table=state.id, round=number)
    moves = Move.objects.filter(deal=deal).order_by("number")
    return as_played(deal, state.variant, moves, [seat.name for seat in state.seats])


def as_played(
    deal: Deal, variant: Variant, moves: Iterable[Move], names: Iterable[str] = ()
) -> PastRound:
    """The round of this deal with all its moves, which its reader may see; no database."""
    played = tuple(moves)
    round_ = start_round(deal, variant)
    for move in played:
        round_ = round_.apply(parse_move(move.text))
    hands = tuple(tuple(map(parse_card, hand)) for hand in deal.hands)
    return PastRound(round=round_, hands=hands, moves=played, names=tuple(names))

"""The bot ``counter``: counts cards, in plain Python; it needs no kernel.

It knows which unseen cards beat a card, how many of them can be in hands that are still to
play (a seat that sloughed on the call holds none), and aims at its bid: of all plays it makes
the one that brings the tricks it expects nearest to those it needs.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb, pow

from games.analysis.counting import beaters
from games.analysis.knowledge import Knowledge, read
from games.analysis.outcomes import Choice, MoveOption
from games.analysis.sense import sensible
from games.rules import Bid, Call, Card, Observation, Play, Variant


@dataclass(frozen=True, slots=True)
class Habits:
    """Numbers found by the cross-entropy method in simulated rounds against the tips
    (docs/bots.md); the counting seats of the kernel's playouts have the same.

    ``held``, ``later``: the share of better cards in opponents' hands that they will lay on
    one's lead, and on one's follow. A card is worth ``base`` + ``leading`` × its chance when
    led best + ``following`` × its chances summed over its four calls. ``over``: how much a
    trick too many weighs beside one too few. ``rest``: how much of the worth of the rest of
    the hand comes true. ``high``: how gladly high cards go.
    """

    held: float
    later: float
    base: float
    leading: float
    following: float
    over: float
    rest: float
    high: float


WITH_BIDS = Habits(0.925, 0.798, -0.17, 0.79, 0.074, 0.196, 0.44, -0.016)
WITHOUT_BIDS = Habits(0.721, 0.504, 0.005, 0.248, 0.128, 0.158, 0.366, -0.013)

FAR = 40
"""A need out of reach: in win a seat wants every trick, in lose none."""


def habits(variant: Variant) -> Habits:
    """The habits for a game with bids, or without."""
    return WITH_BIDS if variant is Variant.BID else WITHOUT_BIDS


def decide(observation: Observation) -> Choice:
    """The move of ``counter``, and what it expected of each move, best first.

    Raises Contradiction; ValueError where it is not the seat's turn.
    """
    moves, seat = observation.legal, observation.seat
    if not moves or seat is None:
        raise ValueError("it is not this seat's turn")
    if len(moves) == 1:
        return Choice(moves[0])
    knowledge = read(observation)
    moves = sensible(observation, knowledge)
    count = _Count(observation, knowledge)
    rated = [
        count.bid_cost(move) if isinstance(move, Bid) else count.play_cost(move)
        for move in moves
    ]
    # Machines differ in the last digit of a power: what is as good stays in its order.
    rated.sort(key=lambda pair: round(pair[0], 9))
    options = tuple(option for _, option in rated)
    return Choice(options[0].move, options)


class _Count:
    """What a seat counts at one point of play."""

    def __init__(self, observation: Observation, knowledge: Knowledge) -> None:
        self._observation = observation
        self._knowledge = knowledge
        self._habits = habits(observation.variant)
        self._unseen = len(knowledge.unseen)
        self._cards: dict[tuple[Call, bool], int] = {}
        self.worths = {card: self._worth_in_tricks(card) for card in observation.hand}
        self._total = sum(self.worths.values())

    def bid_cost(self, bid: Bid) -> tuple[float, MoveOption]:
        """The cost of a bid: how far it is from the worth of the hand, stretched to the best
        bid at a table of this size by a line through simulated forecasts at 2 to 10 seats."""
        wish = max(0.0, 1.3 * self._total + 2 - self._observation.seats / 4)
        return abs(wish - bid.number), MoveOption(bid, None, tricks=wish, points=None, worlds=0)

    def play_cost(self, play: Play) -> tuple[float, MoveOption]:
        """The cost of a play, in squared tricks that it leads away from the aim (one too many
        weighs more), and the option."""
        observation, own, seat = self._observation, self._habits, self._observation.seat
        assert seat is not None
        assert observation.trick is not None
        chance = self._chance_of_trick(play)
        bid = observation.bids[seat]
        need = -FAR if observation.variant is Variant.LOSE else FAR
        if bid is not None:
            need = bid - observation.taken[seat]
        rest = own.rest * (self._total - self.worths[play.card])
        miss, hit = self._cost(rest - need), self._cost(rest + 1 - need)
        cost = miss + chance * (hit - miss) + own.high * play.card.value
        tricks = observation.taken[seat] + chance + rest
        return cost, MoveOption(play, chance=chance, tricks=tricks, points=None, worlds=0)

    def _cost(self, tricks: float) -> float:
        return tricks * tricks * (self._habits.over if tricks > 0 else 1)

    def _chance_of_trick(self, play: Play) -> float:
        trick = self._observation.trick
        assert trick is not None
        if trick.call is None:
            assert play.call is not None
            return pow(self._chance(play.card, play.call), self._habits.held)
        best = max(card.value for _, card in trick.plays if card.shows(trick.call))
        if not play.card.shows(trick.call) or play.card.value < best:
            return 0.0
        return pow(self._chance(play.card, trick.call, later=True), self._habits.later)

    def _worth_in_tricks(self, card: Card) -> float:
        chances = [pow(self._chance(card, call), self._habits.held) for call in card.calls]
        own = self._habits
        line = own.base + own.leading * max(chances) + own.following * sum(chances)
        return min(1.0, max(0.0, line))

    def _chance(self, card: Card, call: Call, *, later: bool = False) -> float:
        """The chance that no opponent (or, ``later``, none still to play) has a better card."""
        better = beaters(card, call, self._knowledge.unseen)
        cards = self._cards.get((call, later))
        if cards is None:
            cards = self._cards[call, later] = self._cards_for(call, later)
        if better + cards > self._unseen:
            return 0.0
        return comb(self._unseen - better, cards) / comb(self._unseen, cards)

    def _cards_for(self, call: Call, later: bool) -> int:
        """How many unseen cards are in hands that may hold this call."""
        trick = self._observation.trick
        laid = {seat for seat, _ in trick.plays} if later and trick else set()
        rooms, voids = self._knowledge.rooms, self._knowledge.voids
        return sum(
            room
            for seat, room in enumerate(rooms)
            if seat not in laid and call not in voids[seat]
        )

"""Exact chances by counting cards: plain integers and fractions, no simulation."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction
from math import comb

from games.analysis.knowledge import Knowledge, read
from games.rules import DECK, HAND_SIZE, Call, Card, Observation, Play, Round

_ALL = frozenset(DECK)


@dataclass(frozen=True, slots=True)
class Safety:
    """How safe a card is if all unseen deals are equally likely and nobody is void.

    Of the ``unseen`` cards ``beaters`` would take the trick from it (they show the call and
    have at least its value: ties go to the later card); the ``opponents`` that still have to
    play hold ``held`` of the unseen cards. ``takes`` is false for a card that does not take
    the trick as it lies: its chance is 0.
    """

    beaters: int
    unseen: int
    held: int
    opponents: int
    takes: bool = True

    @property
    def chance(self) -> Fraction:
        """The chance that none of these opponents holds a better card: C(u−t, s) / C(u, s)."""
        if not self.takes:
            return Fraction(0)
        return Fraction(
            comb(self.unseen - self.beaters, self.held), comb(self.unseen, self.held)
        )


def beaters(card: Card, call: Call, unseen: Collection[Card]) -> int:
    """How many of the unseen cards would take a trick with this call from the card."""
    place, number, value = call.shape.position, call.number, card.value
    return sum(1 for other in unseen if other.value >= value and other.counts[place] == number)


def safety(observation: Observation, play: Play) -> Safety:
    """The safety of a play that the observation's seat could make now, as lead or follow.

    Raises Contradiction for an observation that cannot be, ValueError before the first lead.
    """
    return _safety(observation, play, read(observation))


def _safety(observation: Observation, play: Play, knowledge: Knowledge) -> Safety:
    trick = observation.trick
    if trick is None:
        raise ValueError("no trick is in play")
    call = trick.call or play.call
    if call is None:
        raise ValueError("a lead needs its call")
    laid = {seat for seat, _ in trick.plays} | {observation.seat}
    later = [seat for seat in range(observation.seats) if seat not in laid]
    best = max((card.value for _, card in trick.plays if card.shows(call)), default=0)
    return Safety(
        beaters=beaters(play.card, call, knowledge.unseen),
        unseen=len(knowledge.unseen),
        held=sum(knowledge.rooms[seat] for seat in later),
        opponents=len(later),
        takes=play.card.shows(call) and play.card.value >= best,
    )


def when_led(round: Round, number: int) -> Safety:
    """The safety of the card that was led to a finished trick (counted from 0), as it was when
    it was led and as its leader saw it: voids ignored."""
    trick = round.tricks[number]
    leader, card = trick.plays[0]
    assert trick.call is not None
    earlier = [laid for past in round.tricks[:number] for _, laid in past.plays]
    later = [laid for past in round.tricks[number:] for s, laid in past.plays if s == leader]
    unseen = _ALL.difference(earlier, later, round.hands[leader])
    opponents = round.seats - 1
    return Safety(
        beaters=beaters(card, trick.call, unseen),
        unseen=len(unseen),
        held=opponents * (HAND_SIZE - number),
        opponents=opponents,
    )

"""What a seat knows about the cards it cannot see."""

from __future__ import annotations

from dataclasses import dataclass

from games.rules import DECK, HAND_SIZE, Call, Card, Observation, Trick


class Contradiction(ValueError):
    """An observation that no deal could have led to; the message names what is wrong."""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """The unseen cards of an observation and where they may be.

    ``unseen`` are all cards that are neither in the seat's own hand nor played; ``rooms[s]``
    of them are in seat s's hand (0 for one's own) and ``undealt`` in nobody's; ``voids[s]``
    are the calls on which seat s has sloughed, and of which it therefore holds no card.
    """

    seat: int | None
    unseen: tuple[Card, ...]
    rooms: tuple[int, ...]
    undealt: int
    voids: tuple[frozenset[Call], ...]


def read(observation: Observation) -> Knowledge:
    """The knowledge of the unseen cards that follows from this observation.

    Raises :class:`Contradiction` for repeated cards, hands of a wrong size, and cards that a
    proven void forbids. Whether all voids together leave a possible deal is for the sampler.
    """
    seats, seat = observation.seats, observation.seat
    tricks = list(observation.tricks)
    if observation.trick is not None:
        tricks.append(observation.trick)
    visible: set[Card] = set()
    for card in (*(card for trick in tricks for _, card in trick.plays), *observation.hand):
        if card in visible:
            raise Contradiction(f"card {card} appears twice")
        visible.add(card)
    voids = _voids(tricks, seats)
    rooms = list(observation.hand_sizes)
    for s in range(seats):
        laid = sum(player == s for trick in tricks for player, _ in trick.plays)
        if rooms[s] + laid != HAND_SIZE:
            raise Contradiction(
                f"seat {s} has played {laid} cards and holds {rooms[s]}: not {HAND_SIZE}"
            )
    if seat is not None:
        if len(observation.hand) != rooms[seat]:
            raise Contradiction(
                f"the own hand has {len(observation.hand)} cards, not {rooms[seat]}"
            )
        for card in observation.hand:
            _check_void(seat, card, voids[seat])
        rooms[seat] = 0
    unseen = tuple(card for card in DECK if card not in visible)
    return Knowledge(
        seat=seat,
        unseen=unseen,
        rooms=tuple(rooms),
        undealt=len(unseen) - sum(rooms),
        voids=tuple(map(frozenset, voids)),
    )


def _voids(tricks: list[Trick], seats: int) -> list[set[Call]]:
    voids: list[set[Call]] = [set() for _ in range(seats)]
    for trick in tricks:
        for seat, card in trick.plays:
            if seat not in range(seats):
                raise Contradiction(f"there is no seat {seat} at a table of {seats}")
            _check_void(seat, card, voids[seat])
            if trick.call is None:
                raise Contradiction(f"seat {seat} played {card} to a trick without a call")
            if not card.shows(trick.call):
                if seat == trick.leader:
                    raise Contradiction(f"the led card {card} does not show {trick.call}")
                voids[seat].add(trick.call)
    return voids


def _check_void(seat: int, card: Card, voids: set[Call]) -> None:
    for call in card.calls:
        if call in voids:
            raise Contradiction(f"seat {seat} sloughed on {call} and yet held {card}")

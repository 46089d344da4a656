"""What a question may be about: immutable pictures of what one student may see, or of what is
finished. Selectors fill them; for practice alone, :func:`invent` does."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import Enum
from random import Random

from games.rules import (
    DECK,
    HAND_SIZE,
    MAX_SEATS,
    MIN_SEATS,
    Card,
    Observation,
    Round,
    Trick,
    Variant,
    observe,
)
from lessons.unseen import Unseen


class Family(Enum):
    """Where the data of a question comes from; its value is stored and never changes."""

    DECK = "deck"
    DEAL = "deal"
    OWN_HAND = "own-hand"
    TRICK = "trick"
    ROUND = "round"
    CLASS = "class"


@dataclass(frozen=True, slots=True)
class OwnHand:
    """One's own cards and the public plays.

    ``hand`` are the cards still held, ``hand_sizes`` those of all seats, ``tricks`` the
    finished tricks; ``trick`` is the one in play, if any. ``forecast`` is the student's own,
    if made: percents for 0 to 8 tricks that add up to 100. ``invented`` hands were never
    dealt at a table.
    """

    seat: int
    hand: tuple[Card, ...]
    hand_sizes: tuple[int, ...]
    tricks: tuple[Trick, ...] = ()
    trick: Trick | None = None
    forecast: tuple[int, ...] | None = None
    invented: bool = False

    @classmethod
    def by(
        cls, observation: Observation, *, forecast: tuple[int, ...] | None = None
    ) -> OwnHand:
        """The own hand as a seat's observation shows it; ValueError for a watcher."""
        if observation.seat is None:
            raise ValueError("a watcher holds no hand")
        return cls(
            seat=observation.seat,
            hand=observation.hand,
            hand_sizes=observation.hand_sizes,
            tricks=observation.tricks,
            trick=observation.trick,
            forecast=forecast,
        )

    @property
    def seats(self) -> int:
        """m: how many seats the table has."""
        return len(self.hand_sizes)

    @property
    def played(self) -> tuple[Trick, ...]:
        """All tricks with the one in play."""
        return self.tricks if self.trick is None else (*self.tricks, self.trick)

    @property
    def is_fresh(self) -> bool:
        """Whether no card has been played yet."""
        return not any(trick.plays for trick in self.played)

    @property
    def dealt(self) -> tuple[Card, ...]:
        """The eight cards that this seat was dealt, in the order of the deck."""
        own = (card for t in self.played for seat, card in t.plays if seat == self.seat)
        return tuple(sorted((*self.hand, *own), key=DECK.index))

    @property
    def unseen(self) -> Unseen:
        """The cards that this seat does not see, and what is known of where they are."""
        return Unseen.of(self.seat, self.hand, self.hand_sizes, self.played)


@dataclass(frozen=True, slots=True)
class FinishedRound:
    """A round that is over: its variant, dealer, bids and tricks taken, by seat."""

    variant: Variant
    dealer: int
    bids: tuple[int | None, ...]
    taken: tuple[int, ...]
    invented: bool = False

    @classmethod
    def by(cls, round: Round) -> FinishedRound:
        """The finished round that the rules' round is; ValueError while it is in play."""
        if not round.is_over:
            raise ValueError("the round is not over")
        return cls(round.variant, round.dealer, round.bids, round.taken)


@dataclass(frozen=True, slots=True)
class ClassResults:
    """What a class's finished rounds at tables of ``seats`` seats hold.

    ``rounds`` were finished; ``hands`` are their dealt hands, those of a duplicate board once;
    ``bids`` are (bid, taken) of rounds that a student played alone, without bots and clock, by
    ``students`` different students.
    """

    seats: int
    rounds: int
    students: int
    hands: tuple[tuple[Card, ...], ...]
    bids: tuple[tuple[int, int], ...] = ()
    invented: bool = False


@dataclass(frozen=True, slots=True)
class Context:
    """What there is to ask about, at this moment, for one student; the deck and the deal are
    always there. ``hand`` serves the own hand and, after a slough, the trick."""

    hand: OwnHand | None = None
    round: FinishedRound | None = None
    results: ClassResults | None = None

    def holds(self, family: Family) -> bool:
        """Whether the data of a family is there at all (it may still not suit an exercise)."""
        needed = {
            Family.OWN_HAND: self.hand,
            Family.TRICK: self.hand,
            Family.ROUND: self.round,
            Family.CLASS: self.results,
        }
        return family not in needed or needed[family] is not None


EMPTY = Context()


# Practice alone


ROUNDS = 12
"""How many rounds an invented class has played."""


def invent(rng: Random, families: Collection[Family] = tuple(Family)) -> Context:
    """A context for somebody who practises without a table, for these families.

    Cards are dealt fairly and played by random legal moves; texts then say "imagine".
    """
    hand = None
    if Family.TRICK in families:
        hand = _invented_hand_after_slough(rng)
    elif Family.OWN_HAND in families:
        hand = _invented_hand(rng)
    return Context(
        hand=hand,
        round=_invented_round(rng) if Family.ROUND in families else None,
        results=_invented_class_results(rng) if Family.CLASS in families else None,
    )


def deal(rng: Random, seats: int) -> tuple[tuple[Card, ...], ...]:
    """A fair deal of eight cards to each seat."""
    cards = rng.sample(DECK, HAND_SIZE * seats)
    return tuple(tuple(cards[seat::seats]) for seat in range(seats))


def _invented_hand(rng: Random) -> OwnHand:
    seats = rng.randint(MIN_SEATS, MAX_SEATS)
    hand = deal(rng, 1)[0]
    return OwnHand(0, hand, (HAND_SIZE,) * seats, invented=True)


def _invented_hand_after_slough(rng: Random) -> OwnHand:
    """A moment right after the first slough of a round, seen from another seat."""
    while True:
        seats = rng.randint(3, 8)
        round = Round.start(variant=Variant.WIN, hands=deal(rng, seats), dealer=0)
        while not round.is_over:
            round = round.apply(rng.choice(round.legal_moves()))
            trick = round.trick
            if trick is None or trick.call is None:
                continue
            player, card = trick.plays[-1]
            if not card.shows(trick.call):
                watcher = rng.choice([seat for seat in range(seats) if seat != player])
                return replace(OwnHand.by(observe(round, watcher)), invented=True)


def _invented_round(rng: Random) -> FinishedRound:
    """A round of Play to Bid with bids near what a table takes."""
    seats = rng.randint(3, 6)
    dealer = rng.randrange(seats)
    bids = [rng.choice((0, 1, 1, 2, 2, 3)) for _ in range(seats)]
    if sum(bids) == HAND_SIZE:
        bids[dealer] += 1
    return FinishedRound(Variant.BID, dealer, tuple(bids), _tricks(rng, seats), invented=True)


def _tricks(rng: Random, seats: int) -> tuple[int, ...]:
    takers = [rng.randrange(seats) for _ in range(HAND_SIZE)]
    return tuple(takers.count(seat) for seat in range(seats))


def _invented_class_results(rng: Random) -> ClassResults:
    seats = rng.randint(3, 5)
    hands = tuple(hand for _ in range(ROUNDS) for hand in deal(rng, seats))
    taken = [number for _ in range(ROUNDS) for number in _tricks(rng, seats)]
    bids = tuple(
        (max(0, number + rng.choice((-2, -1, 0, 0, 1, 1))), number) for number in taken
    )
    return ClassResults(
        seats=seats, rounds=ROUNDS, students=2 * seats, hands=hands, bids=bids, invented=True
    )

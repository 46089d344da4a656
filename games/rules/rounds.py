"""One round: from the deal over bids and eight tricks to its end. Immutable throughout."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from games.rules.cards import Call, Card

HAND_SIZE = 8
"""Cards in a dealt hand, and so tricks in a round."""

MIN_SEATS, MAX_SEATS = 2, 10


class Variant(Enum):
    """What a game is about: the most tricks, the fewest, or exactly what was bid."""

    WIN = "win"
    LOSE = "lose"
    BID = "bid"


@dataclass(frozen=True, slots=True)
class Bid:
    """The number of tricks (0–8) that a seat says it will take (Play to Bid, rule A)."""

    number: int


@dataclass(frozen=True, slots=True)
class Play:
    """A card laid to a trick; the leader's play carries the call, a follower's does not."""

    card: Card
    call: Call | None = None


Move = Bid | Play


class IllegalMove(ValueError):
    """A move that the rules do not allow now.

    ``code`` is stable and meant for programs: ``bad_text``, ``round_over``, ``bid_expected``,
    ``play_expected``, ``bid_out_of_range``, ``hook``, ``not_in_hand``, ``call_missing``,
    ``call_not_on_card``, ``call_by_follower``, ``must_follow``.
    """

    def __init__(self, message: str, *, code: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class Trick:
    """The cards laid so far to one trick, in the order played, as (seat, card)."""

    leader: int
    call: Call | None = None
    plays: tuple[tuple[int, Card], ...] = ()

    @property
    def winner(self) -> int | None:
        """The seat whose card takes the trick so far; None before the lead.

        Of the cards that show the call the highest value wins (rule G); of equal values
        the one played last (rule Tie).
        """
        best_seat, best_value = None, 0
        for seat, card in self.plays:
            if self.call is not None and card.value >= best_value and card.shows(self.call):
                best_seat, best_value = seat, card.value
        return best_seat


def hook(bids: Sequence[int | None]) -> int | None:
    """The bid that the dealer may not make, given all bids with only the dealer's missing.

    None when another seat's bid is still to come, the dealer has bid, or the others already
    total more than 8 (Play to Bid, rule B).
    """
    others = [bid for bid in bids if bid is not None]
    if len(others) != len(bids) - 1:
        return None
    missing = HAND_SIZE - sum(others)
    return missing if missing >= 0 else None


def legal_bids(bids: Sequence[int | None]) -> tuple[Bid, ...]:
    """The bids open to the seat whose turn it is: 0–8, less the dealer's hook."""
    forbidden = hook(bids)
    return tuple(Bid(n) for n in range(HAND_SIZE + 1) if n != forbidden)


def legal_plays(hand: Sequence[Card], call: Call | None) -> tuple[Play, ...]:
    """The plays open to a hand: to lead, every card with each of its four calls; to follow,
    the cards that show the call, or any card where there are none (rules E, F, Slough)."""
    if call is None:
        return tuple(Play(card, own) for card in hand for own in card.calls)
    following = tuple(Play(card) for card in hand if card.shows(call))
    return following or tuple(Play(card) for card in hand)


def by_value(cards: Iterable[Card]) -> list[Card]:
    """The cards as a hand is always shown: the highest values first, then by code."""
    return sorted(cards, key=lambda card: (-card.value, card.code))


@dataclass(frozen=True, slots=True)
class Round:
    """The play of one deal. Make one with :meth:`start`, go on with :meth:`apply`.

    ``hands`` are the cards still held, by seat; ``bids`` None where not (yet) made;
    ``tricks`` the finished tricks; ``trick`` the one in play (None while bidding and after
    the last). Seats are numbered 0…n−1 clockwise.
    """

    variant: Variant
    dealer: int
    hands: tuple[tuple[Card, ...], ...]
    bids: tuple[int | None, ...]
    tricks: tuple[Trick, ...] = ()
    trick: Trick | None = None

    @classmethod
    def start(cls, *, variant: Variant, hands: Sequence[Sequence[Card]], dealer: int) -> Round:
        """The round as dealt. ``hands`` holds 2–10 hands of 8 different cards, by seat;
        ``dealer`` is a seat. Raises ValueError with one clear line for anything else."""
        seats = len(hands)
        if not isinstance(variant, Variant):
            raise ValueError(f"the variant is a Variant, not {variant!r}")
        if not MIN_SEATS <= seats <= MAX_SEATS:
            raise ValueError(f"a table has {MIN_SEATS} to {MAX_SEATS} seats, not {seats}")
        for seat, hand in enumerate(hands):
            if len(hand) != HAND_SIZE:
                raise ValueError(f"seat {seat} has {len(hand)} cards, not {HAND_SIZE}")
        dealt: set[Card] = set()
        for card in (card for hand in hands for card in hand):
            if card in dealt:
                raise ValueError(f"card {card} is dealt twice")
            dealt.add(card)
        if dealer not in range(seats):
            raise ValueError(f"the dealer is a seat from 0 to {seats - 1}, not {dealer!r}")
        first_trick = None if variant is Variant.BID else Trick(leader=(dealer + 1) % seats)
        return cls(
            variant=variant,
            dealer=dealer,
            hands=tuple(map(tuple, hands)),
            bids=(None,) * seats,
            trick=first_trick,
        )

    @property
    def seats(self) -> int:
        """How many seats the table has (2–10)."""
        return len(self.hands)

    @property
    def is_bidding(self) -> bool:
        """Whether bids are still being made (only in Play to Bid)."""
        return self.variant is Variant.BID and None in self.bids

    @property
    def is_over(self) -> bool:
        """Whether all eight tricks have been taken."""
        return len(self.tricks) == HAND_SIZE

    @property
    def to_move(self) -> int | None:
        """The seat whose turn it is; None when the round is over."""
        if self.is_bidding:
            in_order = ((self.dealer + 1 + k) % self.seats for k in range(self.seats))
            return next(seat for seat in in_order if self.bids[seat] is None)
        if self.trick is None:
            return None
        return (self.trick.leader + len(self.trick.plays)) % self.seats

    @property
    def taken(self) -> tuple[int, ...]:
        """Tricks taken so far, by seat."""
        winners = [trick.winner for trick in self.tricks]
        return tuple(winners.count(seat) for seat in range(self.seats))

    def legal_moves(self) -> tuple[Move, ...]:
        """Every move that :meth:`apply` accepts now; empty when the round is over."""
        seat = self.to_move
        if seat is None:
            return ()
        if self.trick is None:
            return legal_bids(self.bids)
        return legal_plays(self.hands[seat], self.trick.call)

    def apply(self, move: Move) -> Round:
        """The round after this move of the seat in turn; IllegalMove if it may not be made."""
        seat = self.to_move
        if seat is None:
            raise IllegalMove("the round is over", code="round_over")
        if isinstance(move, Bid):
            return self._after_bid(seat, move)
        return self._after_play(seat, move)

    def _after_bid(self, seat: int, bid: Bid) -> Round:
        if not self.is_bidding:
            raise IllegalMove("a card is expected, not a bid", code="play_expected")
        if bid.number not in range(HAND_SIZE + 1):
            raise IllegalMove(f"a bid is 0 to {HAND_SIZE}", code="bid_out_of_range")
        if bid.number == hook(self.bids):
            raise IllegalMove(
                f"the dealer may not bid {bid.number}: the bids would total {HAND_SIZE}",
                code="hook",
            )
        bids = (*self.bids[:seat], bid.number, *self.bids[seat + 1 :])
        trick = None if None in bids else Trick(leader=(self.dealer + 1) % self.seats)
        return replace(self, bids=bids, trick=trick)

    def _after_play(self, seat: int, play: Play) -> Round:
        trick, hand = self.trick, self.hands[seat]
        if trick is None:
            raise IllegalMove("a bid is expected, not a card", code="bid_expected")
        if play.card not in hand:
            raise IllegalMove(f"seat {seat} does not hold {play.card}", code="not_in_hand")
        if trick.call is None:
            if play.call is None:
                raise IllegalMove("a lead needs a call", code="call_missing")
            if not play.card.shows(play.call):
                raise IllegalMove(
                    f"{play.card} does not show {play.call}", code="call_not_on_card"
                )
        elif play.call is not None:
            raise IllegalMove("only the leader calls", code="call_by_follower")
        elif not play.card.shows(trick.call) and any(c.shows(trick.call) for c in hand):
            raise IllegalMove(f"must follow {trick.call}", code="must_follow")
        rest = tuple(card for card in hand if card != play.card)
        trick = Trick(trick.leader, trick.call or play.call, (*trick.plays, (seat, play.card)))
        after = replace(
            self, hands=(*self.hands[:seat], rest, *self.hands[seat + 1 :]), trick=trick
        )
        return after if len(trick.plays) < self.seats else after._after_trick(trick)

    def _after_trick(self, trick: Trick) -> Round:
        tricks = (*self.tricks, trick)
        assert trick.winner is not None  # the led card always shows its call
        following = Trick(leader=trick.winner) if len(tricks) < HAND_SIZE else None
        return replace(self, tricks=tricks, trick=following)

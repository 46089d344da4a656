"""What one seat may see of a round, built up from what is allowed."""

from __future__ import annotations

from dataclasses import dataclass

from games.rules.cards import Card
from games.rules.rounds import HAND_SIZE, Move, Round, Trick, Variant


@dataclass(frozen=True, slots=True)
class Observation:
    """A round as one seat (or, with ``seat`` None, a watcher) may see it.

    Everything public (bids, tricks, taken, the sizes of the hands) and the seat's own
    ``hand`` with its ``legal`` moves; never another hand, never the undealt cards.
    """

    seat: int | None
    variant: Variant
    seats: int
    dealer: int
    to_move: int | None
    hand: tuple[Card, ...]
    legal: tuple[Move, ...]
    bids: tuple[int | None, ...]
    taken: tuple[int, ...]
    trick: Trick | None
    tricks: tuple[Trick, ...]
    hand_sizes: tuple[int, ...]

    @property
    def is_bidding(self) -> bool:
        """Whether somebody has yet to bid."""
        return self.variant is Variant.BID and None in self.bids

    @property
    def is_over(self) -> bool:
        """Whether all cards have been played."""
        return len(self.tricks) == HAND_SIZE


def observe(round: Round, seat: int | None) -> Observation:
    """What ``seat`` may see of the round now; None is a watcher, who sees no hand.

    Raises ValueError for a seat that the table does not have.
    """
    return _observation(round, seat, round.to_move, round.taken)


def take_seat(public: Observation, round: Round, seat: int) -> Observation:
    """What ``seat`` may see of a round of which ``public`` is a watcher's observation: nothing
    public is worked out anew. Raises ValueError like :func:`observe`."""
    return _observation(round, seat, public.to_move, public.taken)


def _observation(
    round: Round, seat: int | None, to_move: int | None, taken: tuple[int, ...]
) -> Observation:
    if seat is not None and seat not in range(round.seats):
        raise ValueError(f"no seat {seat!r} at a table of {round.seats}")
    return Observation(
        seat=seat,
        variant=round.variant,
        seats=round.seats,
        dealer=round.dealer,
        to_move=to_move,
        hand=() if seat is None else round.hands[seat],
        legal=round.legal_moves() if seat is not None and seat == to_move else (),
        bids=round.bids,
        taken=taken,
        trick=round.trick,
        tricks=round.tricks,
        hand_sizes=tuple(map(len, round.hands)),
    )

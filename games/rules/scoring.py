"""What a round is worth and who wins a game."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from games.rules.rounds import Round, Variant


def points(variant: Variant, *, bid: int | None, taken: int) -> int:
    """What one seat's round gives: in win and lose one point a trick (rule L); in bid the
    tricks taken if exactly bid, else minus the distance (Play to Bid, rule F)."""
    if variant is not Variant.BID:
        return taken
    if bid is None:
        raise ValueError("Play to Bid needs a bid to score")
    return taken if taken == bid else -abs(bid - taken)


def score_round(round: Round) -> tuple[int, ...]:
    """The points of a finished round, by seat. Raises ValueError while it is in play."""
    if not round.is_over:
        raise ValueError("the round is not over")
    return tuple(
        points(round.variant, bid=bid, taken=taken)
        for bid, taken in zip(round.bids, round.taken, strict=True)
    )


def winners(variant: Variant, totals: Sequence[int]) -> frozenset[int]:
    """The seats that win a game with these totals: highest (rules N–O and Bid G), lowest in
    Play to Lose; tied seats share the win."""
    best = min(totals) if variant is Variant.LOSE else max(totals)
    return frozenset(seat for seat, total in enumerate(totals) if total == best)


def places(variant: Variant, totals: Sequence[int] | Sequence[Fraction]) -> tuple[int, ...]:
    """Each seat's place with these totals, 1 for the winners; ties share theirs (1, 1, 3)."""
    better = totals if variant is Variant.LOSE else [-total for total in totals]
    return tuple(1 + sum(other < mine for other in better) for mine in better)

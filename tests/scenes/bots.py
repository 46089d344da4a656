"""What a bot sees, and what its rules leave open to it."""

from __future__ import annotations

from typing import Any

from games.rules import Bid, Move, Observation, Play, Trick, Variant, parse_call, parse_card
from tests.rules.deals import cards


def seen(
    hand: str,
    *,
    variant: str = "win",
    seats: int = 4,
    trick: str = "",
    bid: int | None = None,
    taken: int = 0,
) -> Observation:
    """What the seat in turn (0) sees, holding ``hand``, with ``trick`` as "call card card …"
    (empty: it leads)."""
    held = cards(hand)
    call, *laid = trick.split() or [""]
    plays = tuple(((k - len(laid)) % seats, parse_card(code)) for k, code in enumerate(laid))
    called = parse_call(call) if call else None
    if called is None:
        legal = tuple(Play(card, own) for card in held for own in card.calls)
    else:
        legal = tuple(Play(card) for card in held if card.shows(called)) or tuple(
            map(Play, held)
        )
    return Observation(
        seat=0,
        variant=Variant(variant),
        seats=seats,
        dealer=seats - 1,
        to_move=0,
        hand=held,
        legal=legal,
        bids=(bid, *[None if bid is None else 1] * (seats - 1)),
        taken=(taken, *[0] * (seats - 1)),
        trick=Trick(-len(laid) % seats, called, plays),
        tricks=(),
        hand_sizes=(len(held),) * seats,
    )


def bidding(hand: str, others: tuple[int | None, ...]) -> Observation:
    """What seat 0, in turn to bid, sees; None for bids to come."""
    bids = (None, *others)
    forbidden = 8 - sum(b or 0 for b in others) if None not in others else None
    return Observation(
        seat=0,
        variant=Variant.BID,
        seats=len(bids),
        dealer=0,
        to_move=0,
        hand=cards(hand),
        legal=tuple(Bid(n) for n in range(9) if n != forbidden),
        bids=bids,
        taken=(0,) * len(bids),
        trick=None,
        tricks=(),
        hand_sizes=(8,) * len(bids),
    )


def value(play: Play) -> int:
    return play.card.value


def extremes(plays: list[Play], rating: Any, *, highest: bool) -> set[Move]:
    best = (max if highest else min)(map(rating, plays))
    return {play for play in plays if rating(play) == best}


def by_the_book(seen: Observation, level: str) -> set[Move]:
    """Every move that its rules leave open to the foil."""
    if isinstance(seen.legal[0], Bid):
        nines = [card for card in seen.hand if card.value >= 9]
        tops = [card for card in nines if card.value >= 11]
        wish = (
            len(nines) if level == "tip-printed" else len(tops) + (len(nines) - len(tops)) // 2
        )
        if Bid(wish) in seen.legal:
            return {Bid(wish)}
        return {Bid(wish - 1) if wish > 0 else Bid(1)}
    assert seen.seat is not None
    assert seen.trick is not None
    plays = [move for move in seen.legal if isinstance(move, Play)]
    bid = seen.bids[seen.seat]
    wanting = {
        Variant.WIN: True,
        Variant.LOSE: False,
        Variant.BID: bid is not None and seen.taken[seen.seat] < bid,
    }[seen.variant]
    call = seen.trick.call
    if call is None:
        return extremes(plays, lambda p: 5 * p.card.value - 6 * p.call.number, highest=wanting)
    if not any(card.shows(call) for card in seen.hand):
        return extremes(plays, value, highest=not wanting)
    last = len(seen.trick.plays) == seen.seats - 1
    takes = []
    for play in plays:
        laid = (*seen.trick.plays, (seen.seat, play.card))
        if Trick(seen.trick.leader, call, laid).winner == seen.seat:
            takes.append(play)
    others = [play for play in plays if play not in takes]
    if wanting:
        return (
            extremes(takes, value, highest=not last)
            if takes
            else extremes(plays, value, highest=False)
        )
    if others:
        return extremes(others, value, highest=True)
    return extremes(takes, value, highest=last)

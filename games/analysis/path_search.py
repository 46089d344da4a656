"""The search of ``paths`` by the kernel. Importing this module loads it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from games.analysis import kernel
from games.rules import Play, Round, Variant

WANTS = {Variant.BID: 0, Variant.WIN: 1, Variant.LOSE: 2}


def search(
    round: Round, seat: int, plays: Sequence[Play | None], budget: int
) -> tuple[list[int], bool]:
    """The reachable numbers of further tricks after each of these plays (None: of any), as
    bits; and whether nothing was left out."""
    trick = round.trick
    assert trick is not None
    hands = [sorted(hand, key=kernel.card_index.__getitem__) for hand in round.hands]
    cards, alive = np.zeros((10, 8), np.int64), np.zeros(10, np.int64)
    for s, hand in enumerate(hands):
        cards[s, : len(hand)] = [kernel.card_index[card] for card in hand]
        alive[s] = (1 << len(hand)) - 1
    call, best, best_seat = kernel.NONE, 0, kernel.NONE
    if trick.call is not None and trick.winner is not None:
        call, best_seat = kernel.call_index[trick.call], trick.winner
        best = dict(trick.plays)[best_seat].value
    point = [seat, trick.leader, call, best, best_seat, len(trick.plays), WANTS[round.variant]]
    missing = np.zeros(10, np.int64)
    for s, (bid, taken) in enumerate(zip(round.bids, round.taken, strict=True)):
        missing[s] = 0 if s == seat or bid is None else max(0, bid - taken)
    firsts = [_place_and_shape(play, hands[seat]) for play in plays]
    masks = np.zeros(len(plays), np.int64)
    looked = kernel.search_paths(
        cards, alive, round.seats, np.array(point, np.int64), missing,
        np.array(firsts, np.int64), budget, masks,
    )  # fmt: skip
    return [int(mask) for mask in masks], looked >= 0


def _place_and_shape(play: Play | None, hand: Sequence[object]) -> tuple[int, int]:
    if play is None:
        return kernel.NONE, kernel.NONE
    return hand.index(play.card), kernel.NONE if play.call is None else play.call.shape.position

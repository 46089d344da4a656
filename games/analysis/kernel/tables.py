"""What the kernel knows about cards, as arrays; and its words for cards and calls."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from games.rules import DECK, Call, Card, Shape

UNDEALT, PLAYED, HIDDEN = -1, -2, -3
"""Where a card is that no seat holds; HIDDEN: to be dealt by the sampler."""

NONE = -1
"""No call yet, no bid yet, no seat yet."""

RANDOM, TIP, COUNTING, PRINTED, CARELESS, COUNTER, LEARNT = range(7)
"""Policies of seats in playouts: anything legal; the encyclopedia's tips; as a counting seat,
but a bid still to be made by the tips; the printed tips; the encyclopedia's but for every third
move, which may be any; as a counting seat in all; and by what was learnt from experts."""

card_at: tuple[Card, ...] = tuple(sorted(DECK, key=lambda card: (card.value, card.code)))
"""The kernel's order of cards: by value, so that a hand read in it is sorted."""

card_index: dict[Card, int] = {card: index for index, card in enumerate(card_at)}

CALLS = tuple(Call(shape, number) for shape in Shape for number in (1, 2, 3))
call_index: dict[Call, int] = {call: index for index, call in enumerate(CALLS)}
"""A call's number: three times the shape's position plus the count, less one."""

VALUE = np.array([card.value for card in card_at], np.int64)
CALLS_OF = np.array([[call_index[c] for c in card.calls] for card in card_at], np.int64)
MASK = np.array([sum(1 << call_index[c] for c in card.calls) for card in card_at], np.int64)
"""A card's four calls as bits of twelve."""

LEAST = np.array([min(card.counts) for card in card_at], np.int64)
MOST = np.array([max(card.counts) for card in card_at], np.int64)


def _shapes_with(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.array(
        [
            sum(1 << k for k in range(4) if card.counts[k] == count)
            for card, count in zip(card_at, counts, strict=True)
        ],
        np.int64,
    )


LEAST_SHAPES, MOST_SHAPES = _shapes_with(LEAST), _shapes_with(MOST)
"""Which shapes a card shows least, and most, as bits of four."""

_class = [[i for i, card in enumerate(card_at) if card.shows(call)] for call in CALLS]
BIT = np.array(
    [[1 << _class[k].index(i) for k in CALLS_OF[i]] for i in range(len(card_at))], np.int64
)
"""For each card and each of its calls: its bit among the 27 cards that show the call, which
are in the order of value."""

AT_LEAST = np.array(
    [
        [
            sum(1 << bit for bit, i in enumerate(_class[call]) if card_at[i].value >= value)
            for value in range(14)
        ]
        for call in range(12)
    ],
    np.int64,
)
"""For each call and value: which of its 27 cards have at least that value."""

_EIGHT = range(256)
SIZE = np.array([mask.bit_count() for mask in _EIGHT], np.int64)
LOWEST = np.array([(mask & -mask).bit_length() - 1 for mask in _EIGHT], np.int64)
HIGHEST = np.array([mask.bit_length() - 1 for mask in _EIGHT], np.int64)
"""Tables over sets of a hand's eight places: how many, the lowest, the highest."""
NTH = np.array(
    [([k for k in range(8) if mask >> k & 1] + [0] * 8)[:8] for mask in _EIGHT], np.int64
)
"""The places of such a set, in order."""

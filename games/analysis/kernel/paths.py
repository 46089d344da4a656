"""Every line of one seat's own plays, all hands known, against seats that follow the tips.

The same search as ``games.analysis.paths``, which says what it means, over places and bits.
"""

import numpy as np

from games.analysis.kernel.jit import Ints, entry, inner
from games.analysis.kernel.tables import (
    CALLS_OF,
    HIGHEST,
    LEAST,
    LEAST_SHAPES,
    LOWEST,
    MOST,
    MOST_SHAPES,
    NONE,
    VALUE,
)

ME, LEADER, CALL, BEST, BEST_SEAT, LAID, WANTS = range(7)
"""What ``point`` holds: whose choices are tried; the trick in play; and who wants tricks: those
with some missing to their bid (0), all (1), or nobody (2)."""

_EMPTY, _OPEN = -1, -2


@inner
def _tip_lead(alive: int, cards: Ints, wants: bool) -> tuple[int, int]:
    """The place and the shape to call: the highest 5·value − 6·count, or the lowest."""
    best, chosen = -1000, 0
    for place in range(8):
        if (alive >> place) & 1:
            card = cards[place]
            if wants:
                rating = 5 * VALUE[card] - 6 * LEAST[card]
            else:
                rating = 6 * MOST[card] - 5 * VALUE[card]
            if rating > best:
                best, chosen = rating, place
    card = cards[chosen]
    return chosen, LOWEST[LEAST_SHAPES[card]] if wants else LOWEST[MOST_SHAPES[card]]


@inner
def _highest(mask: int, cards: Ints, above: Ints) -> int:
    """The first place with the highest value of the set."""
    return LOWEST[mask & above[VALUE[cards[HIGHEST[mask]]]]]


@inner
def _tip_follow(
    alive: int, showing: int, best: int, is_last: bool, wants: bool, cards: Ints, above: Ints
) -> int:
    """The place of a follow by the tips, or of a slough."""
    legal = alive & showing
    if legal == 0:
        return LOWEST[alive] if wants else _highest(alive, cards, above)
    taking = legal & above[best]
    ducking = legal ^ taking
    if wants:
        if taking == 0:
            return LOWEST[ducking]
        return LOWEST[taking] if is_last else _highest(taking, cards, above)
    if ducking != 0:
        return _highest(ducking, cards, above)
    return _highest(taking, cards, above) if is_last else LOWEST[taking]


@inner
def _play_others(
    until: int,
    seats: int,
    wanting: int,
    trick: Ints,
    alive: Ints,
    missing: Ints,
    cards: Ints,
    showing: Ints,
    above: Ints,
) -> None:
    """Let the other seats lay their cards until it is the turn of ``until`` or all have."""
    while trick[LAID] < seats:
        seat = (trick[LEADER] + trick[LAID]) % seats
        if seat == until:
            return
        wants = missing[seat] > 0 if wanting == 0 else wanting == 1
        if trick[CALL] == NONE:
            place, shape = _tip_lead(alive[seat], cards[seat], wants)
            trick[CALL] = CALLS_OF[cards[seat, place], shape]
        else:
            place = _tip_follow(
                alive[seat],
                showing[seat, trick[CALL]],
                trick[BEST],
                trick[LAID] == seats - 1,
                wants,
                cards[seat],
                above[seat],
            )
        _play_card(seat, place, trick, alive, cards, showing)


@inner
def _play_card(
    seat: int, place: int, trick: Ints, alive: Ints, cards: Ints, showing: Ints
) -> None:
    value = VALUE[cards[seat, place]]
    if (showing[seat, trick[CALL]] >> place) & 1 and value >= trick[BEST]:
        trick[BEST], trick[BEST_SEAT] = value, seat
    alive[seat] &= ~(1 << place)
    trick[LAID] += 1


@inner
def _slot(low: int, high: int, lows: Ints, highs: Ints, values: Ints) -> int:
    """The place of a point in the table, or the empty one for it."""
    size = len(values)
    mixed = (low ^ (high * 0x9E3779B97F4A7C1)) * 0x2545F4914F6CDD1D
    mixed ^= mixed >> 29
    slot = (mixed * 0x632BE59BD9B4E019 >> 17) & (size - 1)
    while values[slot] != _EMPTY and (lows[slot] != low or highs[slot] != high):
        slot = (slot + 1) & (size - 1)
    return slot


@entry(
    "int64",
    "int64[:,::1], int64[::1], int64, int64[::1], int64[::1], int64[:,::1], int64, int64[::1]",
)
def search_paths(
    cards: Ints,
    alive_first: Ints,
    seats: int,
    point: Ints,
    missing_first: Ints,
    firsts: Ints,
    budget: int,
    masks: Ints,
) -> int:
    """How many points were looked at, negative if there were more than ``budget``; into
    ``masks[c]`` go the reachable numbers of further tricks, as bits, for each first play
    ``firsts[c]``: (place, shape or NONE), or (NONE, NONE) for the point as it is.

    ``cards[s]`` are seat s's, sorted; ``alive_first[s]`` which of these places it still
    holds; ``missing_first[s]`` how many tricks it wants to its bid.
    """
    me, wanting = point[ME], point[WANTS]
    showing = np.zeros((10, 12), np.int64)
    above = np.zeros((10, 14), np.int64)
    for seat in range(seats):
        for place in range(8):
            if (alive_first[seat] >> place) & 1:
                card = cards[seat, place]
                for k in range(4):
                    showing[seat, CALLS_OF[card, k]] |= 1 << place
                for value in range(VALUE[card] + 1):
                    above[seat, value] |= 1 << place
    size = 1 << 12
    while size < 2 * budget:
        size *= 2
    lows = np.empty(size, np.int64)
    highs = np.empty(size, np.int64)
    values = np.full(size, _EMPTY, np.int64)
    looked, is_whole = 0, True
    # By depth: a trick up to my turn, my choices in it, and what was found below.
    tricks = np.zeros((10, 7), np.int64)
    alive = np.zeros((10, 10), np.int64)
    missing = np.zeros((10, 10), np.int64)
    places = np.zeros((10, 32), np.int64)
    shapes = np.zeros((10, 32), np.int64)
    many = np.zeros(10, np.int64)
    tried = np.zeros(10, np.int64)
    reached = np.zeros(10, np.int64)
    slots = np.zeros(10, np.int64)
    took = np.zeros(10, np.int64)
    for c in range(len(firsts)):
        depth = 0
        tricks[0] = point
        for seat in range(seats):
            alive[0, seat] = alive_first[seat]
            missing[0, seat] = missing_first[seat]
        is_new = True
        while depth >= 0:
            now = tricks[depth]
            if is_new:
                is_new = False
                reached[depth], tried[depth], many[depth] = 0, 0, 0
                _play_others(
                    me, seats, wanting, now, alive[depth], missing[depth], cards, showing, above
                )
                if now[LAID] == seats:  # I have laid mine already
                    places[depth, 0], many[depth] = NONE, 1
                elif depth == 0 and firsts[c, 0] != NONE:
                    places[0, 0], shapes[0, 0], many[0] = firsts[c, 0], firsts[c, 1], 1
                else:
                    legal = alive[depth, me]
                    if now[CALL] != NONE and legal & showing[me, now[CALL]] != 0:
                        legal &= showing[me, now[CALL]]
                    n = 0
                    for place in range(8):
                        if (legal >> place) & 1:
                            for shape in range(4 if now[CALL] == NONE else 1):
                                places[depth, n], shapes[depth, n] = place, shape
                                n += 1
                    many[depth] = n
            if tried[depth] == many[depth]:
                if depth > 0:
                    values[slots[depth]] = reached[depth]
                    reached[depth - 1] |= reached[depth] << took[depth - 1]
                else:
                    masks[c] = reached[0]
                depth -= 1
                continue
            place, shape = places[depth, tried[depth]], shapes[depth, tried[depth]]
            tried[depth] += 1
            below = depth + 1
            after = tricks[below]
            after[:] = now
            for seat in range(seats):
                alive[below, seat] = alive[depth, seat]
                missing[below, seat] = missing[depth, seat]
            if place != NONE:
                if after[CALL] == NONE:
                    after[CALL] = CALLS_OF[cards[me, place], shape]
                _play_card(me, place, after, alive[below], cards, showing)
                _play_others(
                    NONE, seats, wanting, after, alive[below], missing[below], cards, showing,
                    above,
                )  # fmt: skip
            taker = after[BEST_SEAT]
            took[depth] = taker == me
            if missing[below, taker] > 0:
                missing[below, taker] -= 1
            if alive[below, 0] == 0:
                reached[depth] |= 1 << took[depth]
                continue
            after[LEADER], after[CALL], after[BEST], after[LAID] = taker, NONE, 0, 0
            low, high = 0, taker
            for seat in range(min(seats, 7)):
                low |= alive[below, seat] << 8 * seat
            for seat in range(7, seats):
                high |= alive[below, seat] << (4 + 8 * (seat - 7))
            wanted = 0
            for seat in range(seats):
                wanted = wanted * 9 + missing[below, seat]
            high |= wanted << 28
            slot = _slot(low, high, lows, highs, values)
            if values[slot] >= 0:
                reached[depth] |= values[slot] << took[depth]
            elif looked >= budget:
                is_whole = False
            else:
                looked += 1
                lows[slot], highs[slot], values[slot] = low, high, _OPEN
                slots[below] = slot
                depth, is_new = below, True
    return looked if is_whole else -looked - 1

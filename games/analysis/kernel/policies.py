"""How seats play in playouts: at random, by the tips, or by counting cards."""

from typing import NamedTuple

from games.analysis.kernel.chance import random_below
from games.analysis.kernel.jit import Floats, Ints, Seed, inner
from games.analysis.kernel.tables import (
    AT_LEAST,
    CALLS_OF,
    HIGHEST,
    LEAST,
    LEAST_SHAPES,
    LOWEST,
    MOST,
    MOST_SHAPES,
    NONE,
    NTH,
    SIZE,
    VALUE,
)


@inner
def random_member(mask: int, seed: Seed) -> int:
    """A random member of a set of places or shapes."""
    n = SIZE[mask]
    return NTH[mask, random_below(seed, n)] if n > 1 else LOWEST[mask]


@inner
def lowest_place(mask: int, above: Ints, values: Ints, seed: Seed) -> int:
    """A place with the lowest value of the set; hands are sorted by value."""
    return random_member(mask & ~above[values[LOWEST[mask]] + 1], seed)


@inner
def highest_place(mask: int, above: Ints, values: Ints, seed: Seed) -> int:
    """A place with the highest value of the set."""
    return random_member(mask & above[values[HIGHEST[mask]]], seed)


@inner
def lead_by_tip(alive: int, cards: Ints, wants: bool, seed: Seed) -> tuple[int, int]:
    """The place and the shape to call: the highest 5·value − 6·count, or the lowest."""
    best, chosen, ties = -1000, 0, 0
    for place in range(8):
        if (alive >> place) & 1:
            card = cards[place]
            if wants:
                rating, shapes = 5 * VALUE[card] - 6 * LEAST[card], LEAST_SHAPES[card]
            else:
                rating, shapes = 6 * MOST[card] - 5 * VALUE[card], MOST_SHAPES[card]
            if rating > best:
                best, chosen, ties = rating, place, SIZE[shapes]
            elif rating == best:
                ties += SIZE[shapes]
                if random_below(seed, ties) < SIZE[shapes]:
                    chosen = place
    return chosen, random_member(
        LEAST_SHAPES[cards[chosen]] if wants else MOST_SHAPES[cards[chosen]], seed
    )


@inner
def slough_by_tip(alive: int, wants: bool, above: Ints, values: Ints, seed: Seed) -> int:
    """The place of the lowest card if more tricks are wanted, else of the highest."""
    if wants:
        return lowest_place(alive, above, values, seed)
    return highest_place(alive, above, values, seed)


@inner
def follow_by_tip(
    legal: int, best: int, is_last: bool, wants: bool, above: Ints, values: Ints, seed: Seed
) -> int:
    """The place of a card to follow with; one of value ``best`` or more takes the trick."""
    taking = legal & above[best]
    ducking = legal ^ taking
    if wants:
        if taking == 0:
            return lowest_place(ducking, above, values, seed)
        if is_last:
            return lowest_place(taking, above, values, seed)
        return highest_place(taking, above, values, seed)
    if ducking != 0:
        return highest_place(ducking, above, values, seed)
    if is_last:
        return highest_place(taking, above, values, seed)
    return lowest_place(taking, above, values, seed)


@inner
def bid_by_tip(printed: bool, cards: Ints, n: int) -> int:
    """The bid by a tip: one for each 12 or 11, and of the 10s and 9s one for every two, as the
    encyclopedia has it, or for each, as it is printed."""
    high, middle = 0, 0
    for place in range(n):
        value = VALUE[cards[place]]
        if value >= 11:
            high += 1
        elif value >= 9:
            middle += 1
    return high + middle if printed else high + middle // 2


@inner
def bid_by_worth(worth: float, seats: int, no: int, zero_is_foolish: bool) -> int:
    """The bid of ``counter`` for a hand of this worth; ``no`` is the hook or NONE."""
    target = max(0.0, 1.3 * worth + 2 - seats / 4)
    nearest, least = 0, 1e18
    for bid in range(9):
        if bid == no or (bid == 0 and zero_is_foolish):
            continue
        if abs(target - bid) < least - 1e-9:
            nearest, least = bid, abs(target - bid)
    return nearest


HELD, LATER, BASE, LEADING, FOLLOWING, OVER, REST, HIGH = range(8)
"""The habits of a counting seat, found by the cross-entropy method (docs/bots.md): the share
of better cards in opponents' hands that they will lay on one's lead, and on one's follow; what
a card is worth, as a line through its chances when led best, and with any of its calls; how
much a trick too many weighs beside one too few; how much of the worth of the rest of the hand
comes true; and how gladly high cards go."""


class HandBits(NamedTuple):
    """A seat's cards by place; which places show each call, as bits; which it still holds, and
    which of these it may play."""

    cards: Ints
    showing: Ints
    alive: int
    legal: int


class CountScratch(NamedTuple):
    """Scratch of a counting seat: the unseen cards of each call as bits; at [t] the chance that
    a card with t beaters keeps a trick; what each card is worth."""

    unseen: Ints
    safe: Floats
    worth: Floats


@inner
def bit_count(mask: int) -> int:
    """How many of 27 bits are set."""
    mask = mask - ((mask >> 1) & 0x55555555)
    mask = (mask & 0x33333333) + ((mask >> 2) & 0x33333333)
    mask = (mask + (mask >> 4)) & 0x0F0F0F0F
    return ((mask * 0x01010101) & 0xFFFFFFFF) >> 24


@inner
def cost_of(tricks: float, over: float) -> float:
    """The cost of ending so many tricks from the aim: their square, by ``over`` if too many."""
    return tricks * tricks if tricks < 0 else over * tricks * tricks


@inner
def fill_safe(held: float, habits: Floats, safe: Floats) -> None:
    """At [t] the chance that a card with t beaters keeps the trick it leads: (1 − share)ᵗ."""
    safe[0] = 1.0
    for t in range(1, 28):
        safe[t] = safe[t - 1] * (1.0 - habits[HELD] * held)


@inner
def fill_worths(
    cards: Ints, alive: int, unseen: Ints, safe: Floats, habits: Floats, worth: Floats
) -> float:
    """Fill in what each card in these places is worth, in tricks; their sum."""
    total = 0.0
    for place in range(8):
        if (alive >> place) & 1:
            card = cards[place]
            led, followed = 0.0, 0.0
            for k in range(4):
                own = CALLS_OF[card, k]
                keeps = safe[bit_count(unseen[own] & AT_LEAST[own, VALUE[card]])]
                followed += keeps
                led = max(led, keeps)
            line = habits[BASE] + habits[LEADING] * led + habits[FOLLOWING] * followed
            worth[place] = min(1.0, max(0.0, line))
            total += worth[place]
    return total


@inner
def has_sure_trick(cards: Ints, unseen: Ints) -> bool:
    """Whether one of eight cards takes a trick for certain, led with the right call."""
    for place in range(8):
        for k in range(4):
            own = CALLS_OF[cards[place], k]
            if unseen[own] & AT_LEAST[own, VALUE[cards[place]]] == 0:
                return True
    return False


@inner
def play_by_count(
    hand: HandBits,
    call: int,
    best: int,
    later: float,
    need: float,
    held: float,
    habits: Floats,
    count: CountScratch,
) -> tuple[int, int]:
    """The place (and the shape to call) that brings the expected tricks nearest to the need.

    Of ``count`` the unseen cards are given, ``held`` is the share of them in opponents' hands,
    ``later`` the share of opponents still to play. A card with t beaters keeps a trick with
    chance (1 − share)ᵗ.
    """
    cards, showing, alive, legal = hand
    unseen, safe, worth = count
    fill_safe(held, habits, safe)
    total = fill_worths(cards, alive, unseen, safe, habits, worth)
    least, chosen, shape = 1e18, 0, 0
    after = 1.0 - habits[LATER] * later * held
    for place in range(8):
        if (legal >> place) & 1:
            card = cards[place]
            value = VALUE[card]
            rest = habits[REST] * (total - worth[place]) - need
            miss, hit = cost_of(rest, habits[OVER]), cost_of(rest + 1.0, habits[OVER])
            if call != NONE:
                chance = 0.0
                if (showing[call] >> place) & 1 and value >= best:
                    chance = after ** bit_count(unseen[call] & AT_LEAST[call, value])
                cost = miss + chance * (hit - miss) + habits[HIGH] * value
                if cost < least:
                    least, chosen = cost, place
            else:
                for k in range(4):
                    own = CALLS_OF[card, k]
                    chance = safe[bit_count(unseen[own] & AT_LEAST[own, value])]
                    cost = miss + chance * (hit - miss) + habits[HIGH] * value
                    if cost < least:
                        least, chosen, shape = cost, place, k
    return chosen, shape

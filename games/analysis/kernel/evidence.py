"""What the bids and plays of other seats say about their hands.

A walk over worlds whose weight is the product, over seats, of how well the hand fits the
seat's bid and plays. A play fits when somebody following the tips would have made it with that
hand. Whether it does is a matter of the single cards of the hand: each card held at the time
that the tips would have preferred speaks against it. So one byte a card says which of the
seat's (at most eight) plays it speaks against, and a hand's misfits are the bits of the union.
"""

import math

import numpy as np

from games.analysis.kernel.chance import random_below, uniform
from games.analysis.kernel.jit import Bytes, Floats, Ints, Seed, entry, inner
from games.analysis.kernel.tables import HIDDEN, LEAST, MASK, MOST, SIZE, VALUE

SEAT, CARD, CALL, LEADS, BEST, IS_LAST, WANTS = range(7)
"""What a row of ``plays`` holds: who played what to which call; whether it was the lead, the
best value so far, whether the seat was the last, and whether it wanted the trick."""


@inner
def _is_against(card: int, play: Ints) -> bool:
    """Whether a follower of the tips who held this card would not have made the play."""
    value, played = VALUE[card], VALUE[play[CARD]]
    call, best = play[CALL], play[BEST]
    wants = play[WANTS] == 1
    if play[LEADS] == 1:
        rating = 5 * played - 6 * (call % 3 + 1)
        if wants:
            return 5 * value - 6 * LEAST[card] > rating
        return 5 * value - 6 * MOST[card] < rating
    if (MASK[play[CARD]] >> call) & 1 == 0:
        return value < played if wants else value > played
    if (MASK[card] >> call) & 1 == 0:
        return False
    if wants:
        if played < best:
            return value >= best or value < played
        if play[IS_LAST] == 1:
            return best <= value < played
        return value > played
    if played < best:
        return played < value < best
    if value < best:
        return True
    return value > played if play[IS_LAST] == 1 else value < played


@entry("int64[:,::1]", "int64[:,::1]")
def read_plays(plays: Ints) -> Ints:
    """For each of ten seats and each card: which of the seat's plays it speaks against, as
    bits. The 82nd column has those against which cards speak that the seat held and played."""
    against = np.zeros((10, 82), np.int64)
    plays_made = np.zeros(10, np.int64)
    for p in range(len(plays)):
        seat = plays[p, SEAT]
        bit = 1 << plays_made[seat]
        plays_made[seat] += 1
        for card in range(81):
            if _is_against(card, plays[p]):
                against[seat, card] |= bit
        for later in range(p, len(plays)):
            if plays[later, SEAT] == seat and _is_against(plays[later, CARD], plays[p]):
                against[seat, 81] |= bit
    return against


@inner
def _log_likelihood(
    cards: Ints,
    first: int,
    end: int,
    seat: int,
    against: Ints,
    played: Ints,
    bid_fit: Floats,
    play_fit: Floats,
) -> float:
    """The log-likelihood of the seat's bid and plays with the hand in these places."""
    misfits = against[seat, 81]
    high, middle = played[seat, 1], played[seat, 2]
    for i in range(first, end):
        card = cards[i]
        misfits |= against[seat, card]
        value = VALUE[card]
        if value >= 11:
            high += 1
        elif value >= 9:
            middle += 1
    return bid_fit[seat, high, middle] + play_fit[played[seat, 0], SIZE[misfits]]


@entry(
    "void",
    "int8[:,::1], int64[::1], int64[:,::1], int64[:,::1], float64[:,:,::1]",
    "float64[:,::1], int64, uint64[::1], int8[:,::1]",
)
def sample_worlds(
    begins: Bytes,
    voids: Ints,
    against: Ints,
    played: Ints,
    bid_fit: Floats,
    play_fit: Floats,
    stride: int,
    seed: Seed,
    out: Bytes,
) -> None:
    """Fill ``out``, [world, card], with who holds each card, weighted by the evidence.

    One Metropolis walk from each row of ``begins`` but the last: the cards that are HIDDEN in
    that one may move. ``voids[s]`` are a seat's proven voids as bits, the tenth
    is for the undealt cards. A step exchanges two hidden cards; ``stride`` steps lie between
    two worlds, five times as many before a walk's first.
    """
    marks = begins[len(begins) - 1]
    walks = len(begins) - 1
    hidden = 0
    for card in range(81):
        if marks[card] == HIDDEN:
            hidden += 1
    cards = np.empty(hidden, np.int64)
    holder = np.empty(hidden, np.int64)
    starts = np.empty(12, np.int64)
    fits = np.zeros(11)
    for walk in range(walks):
        k = 0
        for seat in range(11):  # the eleventh has the undealt cards
            starts[seat] = k
            for card in range(81):
                if marks[card] == HIDDEN and begins[walk, card] == (seat if seat < 10 else -1):
                    cards[k] = card
                    holder[k] = seat
                    k += 1
        starts[11] = k
        in_hands = starts[10]
        for seat in range(10):
            fits[seat] = _log_likelihood(
                cards, starts[seat], starts[seat + 1], seat, against, played, bid_fit, play_fit
            )
        first, end = walk * len(out) // walks, (walk + 1) * len(out) // walks
        for w in range(first, end):
            for _ in range(stride * 5 if w == first else stride):
                if in_hands == 0:
                    break
                i, j = random_below(seed, in_hands), random_below(seed, hidden)
                a, b = holder[i], holder[j]
                if a == b or MASK[cards[j]] & voids[a] != 0 or MASK[cards[i]] & voids[b] != 0:
                    continue
                cards[i], cards[j] = cards[j], cards[i]
                fit_a = _log_likelihood(
                    cards, starts[a], starts[a + 1], a, against, played, bid_fit, play_fit
                )
                fit_b = 0.0
                if b < 10:
                    fit_b = _log_likelihood(
                        cards, starts[b], starts[b + 1], b, against, played, bid_fit, play_fit
                    )
                gain = fit_a + fit_b - fits[a] - fits[b]
                if gain >= 0 or uniform(seed) < math.exp(gain):
                    fits[a] = fit_a
                    if b < 10:
                        fits[b] = fit_b
                else:
                    cards[i], cards[j] = cards[j], cards[i]
            out[w] = marks
            for k in range(hidden):
                out[w, cards[k]] = holder[k] if holder[k] < 10 else -1

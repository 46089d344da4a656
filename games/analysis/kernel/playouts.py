"""Rounds played to their end by simple policies, from any point of play."""

import numpy as np

from games.analysis.kernel.chance import below, fork
from games.analysis.kernel.jit import Bytes, Floats, Ints, Seed, entry, inner
from games.analysis.kernel.policies import (
    bid_by_tip,
    follow_by_tip,
    lead_by_tip,
    one_of,
    play_by_count,
    slough_by_tip,
)
from games.analysis.kernel.tables import (
    BIT,
    CALLS_OF,
    COUNTING,
    NONE,
    PLAYED,
    RANDOM,
    SIZE,
    VALUE,
)

ME, LEADER, CALL, BEST, BEST_SEAT, LAID, DONE, DEALER, HAS_BIDS = range(9)
"""What ``point`` holds: whose judgement it is; the trick in play (its call, best value so far
and the seat that laid it, how many cards lie); tricks done; the dealer; 1 in Play to Bid."""

_FAR = 40.0
"""An aim out of reach: in win a seat wants every trick, in lose none."""


@inner
def _take_up(
    world: Bytes,
    seats: int,
    cards: Ints,
    values: Ints,
    size: Ints,
    showing: Ints,
    above: Ints,
) -> None:
    """Sort a world's hands into places: cards and values by [seat, place], and as bits of
    places which of them show a call and which have at least a value."""
    size[:] = 0
    showing[:] = 0
    for card in range(81):
        seat = world[card]
        if seat >= 0:
            place = size[seat]
            size[seat] = place + 1
            cards[seat, place] = card
            values[seat, place] = VALUE[card]
            bit = 1 << place
            for k in range(4):
                showing[seat, CALLS_OF[card, k]] |= bit
    for seat in range(seats):
        place = 0
        for value in range(14):
            while place < size[seat] and values[seat, place] < value:
                place += 1
            above[seat, value] = ((1 << size[seat]) - 1) & ~((1 << place) - 1)


@inner
def _bid(point: Ints, seats: int, forced: int, cards: Ints, size: Ints, goals: Ints) -> None:
    """Make the bids that are still to be made; the observer's is forced."""
    total = 0
    for step in range(1, seats + 1):
        seat = (point[DEALER] + step) % seats
        if goals[seat] == NONE:
            if seat == point[ME] and forced != NONE:
                goals[seat] = forced
            else:
                goals[seat] = bid_by_tip(cards[seat], size[seat])
                if step == seats and total + goals[seat] == 8:
                    goals[seat] += 1 if goals[seat] == 0 else -1
        total += goals[seat]


@entry(
    "void(int8[:,::1], int64, int64[::1], int64[::1], int64[::1], int64[::1], int64[:,::1],"
    " float64[::1], uint64[::1], int8[:,:,::1], int8[:,::1],"
    " int8[:,:,:,::1])"
)
def play_worlds(
    worlds: Bytes,
    seats: int,
    point: Ints,
    taken: Ints,
    aims: Ints,
    policies: Ints,
    candidates: Ints,
    habits: Floats,
    seed: Seed,
    tricks: Bytes,
    takers: Bytes,
    log: Bytes,
) -> None:
    """Play every world to its end once for each candidate.

    ``aims[s]`` is how many tricks seat s wants; NONE is a bid still to be made (by the
    encyclopedia's tip, with the hook). A candidate is (card, shape to call or NONE): what the
    seat in turn plays first, or (NONE, bid): what ``point[ME]`` bids, or (NONE, NONE).
    Into ``tricks[w, c]`` come the tricks of each seat in the end, into ``takers[w, c]`` who
    took the trick in play. The same chances go with the same world, whatever the candidate.
    Unless ``log`` is empty, ``log[w, c]`` gets the plays: (card, shape or NONE), in order.
    """
    me = point[ME]
    cards = np.zeros((10, 8), np.int64)
    values = np.zeros((10, 8), np.int64)
    size = np.zeros(10, np.int64)
    showing = np.zeros((10, 12), np.int64)
    above = np.zeros((10, 14), np.int64)
    alive = np.zeros(10, np.int64)
    now = np.zeros(10, np.int64)
    goals = np.zeros(10, np.int64)
    unseen_first = np.zeros(12, np.int64)
    unseen = np.zeros(12, np.int64)
    stream = np.zeros(1, np.uint64)
    safe = np.empty(28)
    worth = np.empty(8)
    counts = me != NONE and policies[me] == COUNTING
    for w in range(len(worlds)):
        _take_up(worlds[w], seats, cards, values, size, showing, above)
        hidden_first, held_first = 0, 0
        if counts:
            unseen_first[:] = 0
            for card in range(81):
                seat = worlds[w, card]
                if seat != me and seat != PLAYED:
                    hidden_first += 1
                    held_first += seat >= 0
                    for k in range(4):
                        unseen_first[CALLS_OF[card, k]] |= BIT[card, k]
        for c in range(len(candidates)):
            stream[0] = seed[0]
            fork(stream, w)
            for seat in range(seats):
                alive[seat] = (1 << size[seat]) - 1
                now[seat] = taken[seat]
                goals[seat] = aims[seat]
            unseen[:] = unseen_first
            hidden, held = hidden_first, held_first
            forced, shape = candidates[c, 0], candidates[c, 1]
            if point[HAS_BIDS] == 1:
                _bid(point, seats, shape if forced == NONE else NONE, cards, size, goals)
            leader, laid = point[LEADER], point[LAID]
            call, best, best_seat = point[CALL], point[BEST], point[BEST_SEAT]
            number = 0
            for trick in range(point[DONE], 8):
                for turn in range(laid, seats):
                    seat = leader + turn
                    if seat >= seats:
                        seat -= seats
                    wants = now[seat] < goals[seat]
                    legal = alive[seat]
                    if call != NONE and legal & showing[seat, call] != 0:
                        legal &= showing[seat, call]
                    place, chosen = 0, 0
                    if forced != NONE:
                        while cards[seat, place] != forced:
                            place += 1
                        chosen = shape
                        forced = NONE
                    elif policies[seat] == RANDOM:
                        place = one_of(legal, stream)
                        if call == NONE:
                            chosen = below(stream, 4)
                    elif policies[seat] == COUNTING and (call == NONE or SIZE[legal] > 1):
                        need = float(goals[seat] - now[seat])
                        if point[HAS_BIDS] == 0:
                            need = _FAR if goals[seat] > 0 else -_FAR
                        place, chosen = play_by_count(
                            alive[seat],
                            legal,
                            call,
                            best,
                            (seats - 1 - turn) / (seats - 1),
                            need,
                            cards[seat],
                            showing[seat],
                            unseen,
                            held / hidden,
                            habits,
                            safe,
                            worth,
                        )
                    elif call == NONE:
                        place, chosen = lead_by_tip(legal, cards[seat], wants, stream)
                    elif legal & showing[seat, call] == 0:
                        place = slough_by_tip(legal, wants, above[seat], values[seat], stream)
                    else:
                        place = follow_by_tip(
                            legal,
                            best,
                            turn == seats - 1,
                            wants,
                            above[seat],
                            values[seat],
                            stream,
                        )
                    card = cards[seat, place]
                    if len(log):
                        log[w, c, number, 0] = card
                        log[w, c, number, 1] = chosen if call == NONE else NONE
                        number += 1
                    if call == NONE:
                        call, best = CALLS_OF[card, chosen], 0
                    if (showing[seat, call] >> place) & 1 and VALUE[card] >= best:
                        best, best_seat = VALUE[card], seat
                    alive[seat] &= ~(1 << place)
                    if counts and seat != me:
                        hidden -= 1
                        held -= 1
                        for k in range(4):
                            unseen[CALLS_OF[card, k]] &= ~BIT[card, k]
                if trick == point[DONE]:
                    takers[w, c] = best_seat
                now[best_seat] += 1
                leader, call, best, laid = best_seat, NONE, 0, 0
            for seat in range(seats):
                tricks[w, c, seat] = now[seat]

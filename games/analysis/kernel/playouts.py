"""Rounds played to their end by simple policies, from any point of play."""

from typing import NamedTuple

import numpy as np

from games.analysis.kernel.chance import fork, random_below
from games.analysis.kernel.jit import Bytes, Floats, Ints, Seed, entry, inner, record
from games.analysis.kernel.likelihoods import BEST as BEST_NOW
from games.analysis.kernel.likelihoods import CALL as CALLED
from games.analysis.kernel.likelihoods import (
    FACTS,
    IS_LAST,
    LEADS,
    LEFT,
    MODEL,
    NEED,
    STATE,
    UNITS,
    Model,
    Options,
    PublicTurn,
    Reckoning,
    bid_by_learnt,
    play_by_learnt,
)
from games.analysis.kernel.policies import (
    CountScratch,
    HandBits,
    bid_by_tip,
    bid_by_worth,
    fill_safe,
    fill_worths,
    follow_by_tip,
    has_sure_trick,
    lead_by_tip,
    play_by_count,
    random_member,
    slough_by_tip,
)
from games.analysis.kernel.tables import (
    BIT,
    CALLS_OF,
    CARELESS,
    COUNTER,
    COUNTING,
    LEARNT,
    NONE,
    NTH,
    PLAYED,
    PRINTED,
    RANDOM,
    SIZE,
    VALUE,
)

ME, LEADER, CALL, BEST, BEST_SEAT, LAID, DONE, DEALER, HAS_BIDS = range(9)
"""What ``point`` holds: whose judgement it is; the trick in play (its call, best value so far
and the seat that laid it, how many cards lie); tricks done; the dealer; 1 in Play to Bid."""

CARELESS_IS_ONE_IN = 3
"""Of so many moves of a careless seat one is any legal one, on average."""

_FAR = 40.0
"""An aim out of reach: in win a seat wants every trick, in lose none."""


class PlayoutStart(NamedTuple):
    """Where playouts begin, at a table of so many seats: ``point``, and by seat the tricks
    taken, those wanted (NONE is a bid still to be made), and the proven voids as bits."""

    seats: int
    point: Ints
    taken: Ints
    aims: Ints
    voids: Ints


class Playouts(NamedTuple):
    """What playouts come to, by [world, candidate]: the tricks of each seat in the end; who
    took the trick in play; and, unless empty, the plays in order: (card, shape or NONE)."""

    tricks: Bytes
    takers: Bytes
    log: Bytes


class Seats(NamedTuple):
    """What is known of the seats as they play on: the tricks they want (``goals``) and have
    taken, their proven voids as bits (``lacks``), the places of the cards they still hold, as
    bits (``alive``); and by call the cards in hands that may show it (``able``)."""

    goals: Ints
    now: Ints
    lacks: Ints
    alive: Ints
    able: Ints


_POSITION = record(PlayoutStart, "int64, int64[::1], int64[::1], int64[::1], int64[::1]")
_PLAYED = record(Playouts, "int8[:,:,::1], int8[:,::1], int8[:,:,:,::1]")


@inner
def _sort_hands(
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
def _policy_bid(
    policy: int, cards: Ints, seats: int, no: int, model: Model, count: CountScratch, seed: Seed
) -> int:
    """What a seat bids with its eight cards, by its policy; ``no`` is the hook or NONE."""
    habits, (unseen, safe, worth) = model.habits, count
    if policy == RANDOM or (policy == CARELESS and random_below(seed, CARELESS_IS_ONE_IN) == 0):
        bid = random_below(seed, 9 if no == NONE else 8)
        return bid + 1 if no != NONE and bid >= no else bid
    if policy in (COUNTER, LEARNT):
        unseen[:] = (1 << 27) - 1
        for place in range(8):
            for k in range(4):
                unseen[CALLS_OF[cards[place], k]] &= ~BIT[cards[place], k]
        fill_safe(8 * (seats - 1) / 73, habits, safe)
        total = fill_worths(cards, 255, unseen, safe, habits, worth)
        if policy == LEARNT:
            return bid_by_learnt(total, no, model.net, seed)
        return bid_by_worth(total, seats, no, has_sure_trick(cards, unseen))
    wish = bid_by_tip(policy == PRINTED, cards, 8)
    if wish == no:
        return wish - 1 if wish else 1
    return wish


@inner
def _fill_around(
    seat: int, place: int, seats: int, call: int, known: Seats, holders: Ints, around: Floats
) -> None:
    """Fill in what a seat knows of the others before it plays by what was learnt (see
    read_turns); ``place`` is its own in the trick, from 0 for the leader."""
    goals, now, lacks, alive, able = known
    n = SIZE[alive[seat]]
    around[:] = 0.0
    later = 0
    for other in range(seats):
        need = goals[other] - now[other]
        around[0] += max(0, need) / 4
        if other != seat and (other - seat + place + seats) % seats > place:
            if need > 0:
                around[1] += 1 / 3
            if call != NONE and (lacks[other] >> call) & 1 == 0:
                later += SIZE[alive[other]]
    around[0] -= n / 4
    for k in range(12):
        holders[0, k] = able[k] - (n if (lacks[seat] >> k) & 1 == 0 else 0)
    if call != NONE:
        holders[1, call] = later


@entry(
    "void", "int8[:,::1]", _POSITION, "int64[:,::1], int64[:,::1], int64[::1]", MODEL,
    "uint64[::1]", _PLAYED,
)  # fmt: skip
def play_worlds(
    worlds: Bytes,
    position: PlayoutStart,
    policies: Ints,
    candidates: Ints,
    alone: Ints,
    model: Model,
    seed: Seed,
    played: Playouts,
) -> None:
    """Play every world to its end once for each candidate.

    ``policies`` has a row for each world in turn, by seat, and begins again after its last;
    only those that are LEARNT need the model's ``chances`` and ``net`` and the seats' proven
    voids. A candidate is (card, shape to call or NONE): what the seat in turn plays
    first, or (NONE, bid): what ``point[ME]`` bids, or (NONE, NONE). Unless ``alone`` is empty,
    world w is played with the candidate ``alone[w]`` only. The same chances go with the same
    world, whatever the candidate.
    """
    seats, point, taken, aims, voids = position
    tricks, takers, log = played
    habits = model.habits
    me = point[ME]
    cards = np.zeros((10, 8), np.int64)
    values = np.zeros((10, 8), np.int64)
    size = np.zeros(10, np.int64)
    showing = np.zeros((10, 12), np.int64)
    above = np.zeros((10, 14), np.int64)
    alive = np.zeros(10, np.int64)
    now = np.zeros(10, np.int64)
    goals = np.zeros(10, np.int64)
    public_first = np.zeros(12, np.int64)
    public = np.zeros(12, np.int64)
    unseen = np.zeros(12, np.int64)
    stream = np.zeros(1, np.uint64)
    worth = np.empty(8)
    count = CountScratch(unseen, np.empty(28), worth)
    counts = (policies >= COUNTING).any()
    learnt = (policies == LEARNT).any()
    hand, costs = np.empty(8, np.int64), np.empty((8, 4))
    better, sure = np.empty((8, 4), np.int64), np.empty(8, np.int64)
    state, facts = np.empty(STATE), np.empty((8, 4, FACTS))
    base, around, row = np.empty(UNITS), np.empty(3), np.zeros(7, np.int64)
    holders, lacks = np.zeros((2, 12), np.int64), np.zeros(10, np.int64)
    able = np.zeros(12, np.int64)
    known = Seats(goals, now, lacks, alive, able)
    moment = PublicTurn(row, public, holders, around)
    reckoning, options = (
        Reckoning(unseen, better, sure, worth, base),
        Options(costs, state, facts),
    )
    for w in range(len(worlds)):
        policy = policies[w % len(policies)]
        _sort_hands(worlds[w], seats, cards, values, size, showing, above)
        left_first, held_first = 0, 0
        if counts:
            public_first[:] = 0
            for card in range(81):
                if worlds[w, card] != PLAYED:
                    left_first += 1
                    held_first += worlds[w, card] >= 0
                    for k in range(4):
                        public_first[CALLS_OF[card, k]] |= BIT[card, k]
        for c in range(len(candidates)):
            if len(alone) > 0 and alone[w] != c:
                continue
            stream[0] = seed[0]
            fork(stream, w)
            for seat in range(seats):
                alive[seat] = (1 << size[seat]) - 1
                now[seat] = taken[seat]
                goals[seat] = aims[seat]
                lacks[seat] = voids[seat]
            if learnt:
                able[:] = 0
                for seat in range(seats):
                    for k in range(12):
                        if (voids[seat] >> k) & 1 == 0:
                            able[k] += size[seat]
            public[:] = public_first
            left, held = left_first, held_first
            forced, shape = candidates[c, 0], candidates[c, 1]
            if point[HAS_BIDS] == 1:
                total = 0
                for step in range(1, seats + 1):
                    seat = (point[DEALER] + step) % seats
                    if goals[seat] == NONE and seat == me and forced == NONE and shape != NONE:
                        goals[seat] = shape
                    elif goals[seat] == NONE:
                        goals[seat] = _policy_bid(
                            policy[seat],
                            cards[seat],
                            seats,
                            8 - total if step == seats and total <= 8 else NONE,
                            model,
                            count,
                            stream,
                        )
                    total += goals[seat]
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
                    elif policy[seat] == RANDOM or (
                        policy[seat] == CARELESS
                        and random_below(stream, CARELESS_IS_ONE_IN) == 0
                    ):
                        place = random_member(legal, stream)
                        if call == NONE:
                            chosen = random_below(stream, 4)
                    elif policy[seat] in (COUNTING, COUNTER) and (
                        call == NONE or SIZE[legal] > 1
                    ):
                        need = float(goals[seat] - now[seat])
                        if point[HAS_BIDS] == 0:
                            need = _FAR if goals[seat] > 0 else -_FAR
                        unseen[:] = public
                        for own in range(8):
                            if (alive[seat] >> own) & 1:
                                for k in range(4):
                                    unseen[CALLS_OF[cards[seat, own], k]] &= ~BIT[
                                        cards[seat, own], k
                                    ]
                        mine = SIZE[alive[seat]]
                        place, chosen = play_by_count(
                            HandBits(cards[seat], showing[seat], alive[seat], legal),
                            call,
                            best,
                            (seats - 1 - turn) / (seats - 1),
                            need,
                            (held - mine) / (left - mine),
                            habits,
                            count,
                        )
                    elif policy[seat] == LEARNT and (call == NONE or SIZE[legal] > 1):
                        n = 0
                        for k in range(8):
                            if (alive[seat] >> k) & 1:
                                hand[n] = cards[seat, k]
                                n += 1
                        row[CALLED], row[LEADS] = max(call, 0), call == NONE
                        row[BEST_NOW], row[IS_LAST] = best, turn == seats - 1
                        row[NEED], row[LEFT] = goals[seat] - now[seat], left
                        _fill_around(seat, turn, seats, call, known, holders, around)
                        if call != NONE and goals[best_seat] > now[best_seat]:
                            around[2] = 1.0
                        nth, chosen = play_by_learnt(hand, n, moment, model, reckoning, options)
                        place = NTH[alive[seat], nth]
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
                    if (showing[seat, call] >> place) & 1:
                        if VALUE[card] >= best:
                            best, best_seat = VALUE[card], seat
                    elif learnt:
                        if (lacks[seat] >> call) & 1 == 0:
                            able[call] -= SIZE[alive[seat]]
                        lacks[seat] |= 1 << call
                    alive[seat] &= ~(1 << place)
                    if learnt:
                        for k in range(12):
                            able[k] -= (lacks[seat] >> k) & 1 == 0
                    if counts:
                        left -= 1
                        held -= 1
                        for k in range(4):
                            public[CALLS_OF[card, k]] &= ~BIT[card, k]
                if trick == point[DONE]:
                    takers[w, c] = best_seat
                now[best_seat] += 1
                leader, call, best, laid = best_seat, NONE, 0, 0
            for seat in range(seats):
                tricks[w, c, seat] = now[seat]

"""What ceiling.py computes in numba: the tips and ``counter`` exactly, and what was learnt from
experts, as likelihoods and in playouts.

Compiled when first imported (half a minute). A policy fills ``costs[place, shape]`` (of a
follow only shape 0): what it would do costs least, and what costs the same is equally likely.
No types here: numba infers them from the entry points. Long because compiled functions are
handed every scratch array by name.
"""

from __future__ import annotations

from dataclasses import astuple
from math import lgamma
from typing import Any
from zlib import crc32

import numpy as np

from games.analysis.counter import WITH_BIDS
from games.analysis.kernel.chance import below, fork, unit
from games.analysis.kernel.jit import entry, inner
from games.analysis.kernel.playouts import BEST, BEST_SEAT, CALL, DEALER, DONE, LAID, LEADER, ME
from games.analysis.kernel.policies import _bits
from games.analysis.kernel.tables import (
    AT_LEAST,
    BIT,
    CALLS_OF,
    MASK,
    NONE,
    VALUE,
    call_index,
    card_index,
)
from games.analysis.simulation import _candidate as candidate
from games.rules import HAND_SIZE, Observation, Trick, hook

KIND = {
    "tip-printed": 0,
    "tip-wikipedia": 1,
    "counter": 2,
    "expert": 3,
    "learnt": 4,
    "random": 5,
}
TRIED = {
    KIND["tip-printed"]: 10.0,
    KIND["tip-wikipedia"]: 10.0,
    KIND["counter"]: 3.0,
    KIND["expert"]: 3.0,
    KIND["learnt"]: 1.0,
    KIND["random"]: 0.2,
}
"""How many hands are tried of each kind, beside what is asked for: by what each costs."""
FACTS, STATE, UNITS, STEPS, STEP = 21, 10, 16, 16, 0.3
"""Of ``learnt``: numbers said of each option, of which so many are the same for all of a turn;
hidden units; and steps of a hand's worth, by which it bids."""
OFFSETS, OUT, PAST, BIDS = 336, 352, 368, 389
"""Where in ``net``, one row, after the units' weights [fact, unit], their offsets begin, the
weights of the units, those past them [fact], and how often experts bid [step, bid]."""
HABITS = np.array(astuple(WITH_BIDS))
LOGS = np.array([lgamma(n + 1) for n in range(100)])
ALL = (1 << 27) - 1
INF = 1e18

__all__ = [
    "ALL",
    "FACTS",
    "HABITS",
    "INF",
    "KIND",
    "LOGS",
    "MASK",
    "STEP",
    "STEPS",
    "TRIED",
    "UNITS",
    "call_index",
    "candidate",
    "draw_hands",
    "facts_of",
    "join",
    "moments",
    "play_true",
    "seed_of",
    "weigh",
]


def seed_of(observation: Observation) -> int:
    """A seed from what the seat sees."""
    return crc32(repr(observation).encode())


def moments(observation: Observation, seat: int) -> tuple[Any, ...]:
    """What was public at each move of this seat.

    The number of seats; the seat's bid (NONE: not made) and the bid that it could not make;
    then by its plays: (card, call, whether led, best value so far, whether last, need); the
    cards not yet played, as bits by call and in number; for each call the cards in the
    others' hands that may show it, of all and of those still to play."""
    pub, left = np.full(12, ALL, np.int64), 81
    rooms, voids = [HAND_SIZE] * observation.seats, [0] * observation.seats
    taken, bid = 0, observation.bids[seat]
    before = list(observation.bids)
    seats = observation.seats
    order = [(observation.dealer + 1 + k) % seats for k in range(seats)]
    for later in order[order.index(seat) :]:
        before[later] = None
    no = hook(before) if bid is not None else None
    rows, pubs, lefts, everyone, later_ones, around = [], [], [], [], [], []
    won = [0] * seats
    tricks: list[Trick] = [
        *observation.tricks,
        *([observation.trick] if observation.trick else []),
    ]
    for trick in tricks:
        best, laid, holds = 0, set(), NONE
        for number, (player, card) in enumerate(trick.plays):
            assert trick.call is not None
            call = call_index[trick.call]
            if player == seat:
                assert bid is not None
                others = [s for s in range(observation.seats) if s != seat]
                to_come = [s for s in others if s not in laid]
                for group, by_call in ((others, everyone), (to_come, later_ones)):
                    by_call.append(
                        [
                            sum(rooms[s] for s in group if not voids[s] >> c & 1)
                            for c in range(12)
                        ]
                    )
                is_last = number == observation.seats - 1
                rows.append([card_index[card], call, number == 0, best, is_last, bid - taken])
                pubs.append(pub.copy())
                lefts.append(left)
                needs = [b - w for b, w in zip(observation.bids, won, strict=True)]
                around.append(
                    [
                        (sum(max(0, need) for need in needs) - rooms[seat]) / 4,
                        sum(needs[s] > 0 for s in to_come) / 3,
                        float(holds != NONE and needs[holds] > 0),
                    ]
                )
            if card.shows(trick.call):
                if card.value >= best:
                    holds = player
                best = max(best, card.value)
            else:
                voids[player] |= 1 << call
            for k in range(4):
                pub[CALLS_OF[card_index[card], k]] &= ~BIT[card_index[card], k]
            left -= 1
            rooms[player] -= 1
            laid.add(player)
        if len(trick.plays) == observation.seats:
            won[trick.winner] += 1
        taken = won[seat]
    return (
        observation.seats,
        NONE if bid is None else bid,
        NONE if no is None else no,
        np.array(rows, np.int64).reshape(-1, 6),
        np.array(pubs, np.int64).reshape(-1, 12),
        np.array(lefts, np.int64),
        np.array(everyone, np.int64).reshape(-1, 12),
        np.array(later_ones, np.int64).reshape(-1, 12),
        np.array(around, np.float64).reshape(-1, 3),
    )


@entry("void(int64[::1], uint64[::1], int64[:,::1])")
def draw_hands(pool, seed, out):  # type: ignore[no-untyped-def]
    """Fill each row with that many different cards of the pool, all sets equally likely."""
    cards = pool.copy()
    for t in range(len(out)):
        for i in range(out.shape[1]):
            j = i + below(seed, len(cards) - i)
            cards[i], cards[j] = cards[j], cards[i]
            out[t, i] = cards[i]


@inner
def _rate_tip(cards, n, call, best, is_last, wants, costs):  # type: ignore[no-untyped-def]
    costs[:] = INF
    sign = -1.0 if wants else 1.0
    if call == NONE:
        for i in range(n):
            for k in range(4):
                costs[i, k] = sign * (5 * VALUE[cards[i]] - 6 * (CALLS_OF[cards[i], k] % 3 + 1))
        return
    takes, ducks = False, False
    for i in range(n):
        if (MASK[cards[i]] >> call) & 1:
            if VALUE[cards[i]] >= best:
                takes = True
            else:
                ducks = True
    if not takes and not ducks:
        for i in range(n):
            costs[i, 0] = -sign * VALUE[cards[i]]
        return
    take = takes if wants else not ducks
    high = (take and not is_last) if wants else (not take or is_last)
    for i in range(n):
        value = VALUE[cards[i]]
        if (MASK[cards[i]] >> call) & 1 and (value >= best) == take:
            costs[i, 0] = -value if high else value


@inner
def _rate_nothing(cards, n, call, costs):  # type: ignore[no-untyped-def]
    """Anything legal is as good."""
    costs[:] = INF
    follows = False
    for i in range(n):
        follows = follows or (call != NONE and (MASK[cards[i]] >> call) & 1 == 1)
    for i in range(n):
        if not follows or (MASK[cards[i]] >> call) & 1:
            costs[i, : 4 if call == NONE else 1] = 0.0


@inner
def _log_chance(better, held, unseen, logs):  # type: ignore[no-untyped-def]
    if better + held > unseen:
        return -INF
    left = unseen - better
    return logs[left] - logs[left - held] - logs[unseen] + logs[unseen - held]


@inner
def _power(log, habit):  # type: ignore[no-untyped-def]
    return 0.0 if log <= -INF else np.exp(log * habit)


@inner
def _worths(cards, n, pub, left, everyone, habits, logs, un, better, worth, sure):  # type: ignore[no-untyped-def]
    """Fills ``better[place, shape]``, ``worth`` and ``sure``; returns the sum of the worths."""
    un[:] = pub
    for i in range(n):
        for k in range(4):
            un[CALLS_OF[cards[i], k]] &= ~BIT[cards[i], k]
    total = 0.0
    for i in range(n):
        most, whole, sure[i] = 0.0, 0.0, 0
        for k in range(4):
            own = CALLS_OF[cards[i], k]
            better[i, k] = _bits(un[own] & AT_LEAST[own, VALUE[cards[i]]])
            if better[i, k] == 0:
                sure[i] = 1
            chance = _power(_log_chance(better[i, k], everyone[own], left - n, logs), habits[0])
            most = max(most, chance)
            whole += chance
        worth[i] = min(1.0, max(0.0, habits[2] + habits[3] * most + habits[4] * whole))
        total += worth[i]
    return total


@inner
def _square(tricks, over):  # type: ignore[no-untyped-def]
    return tricks * tricks * (over if tricks > 0 else 1.0)


@inner
def _rate_counter(  # type: ignore[no-untyped-def]
    cards,
    n,
    call,
    best,
    is_last,
    need,
    pub,
    left,
    everyone,
    later,
    habits,
    logs,
    un,
    better,
    worth,
    sure,
    costs,
):
    """``counter`` with its common sense (games/analysis/counter.py, sense.py)."""
    costs[:] = INF
    total = _worths(cards, n, pub, left, everyone, habits, logs, un, better, worth, sure)
    if call == NONE:
        only, without, rest_left = False, False, False
        for i in range(n):
            for k in range(4):
                if better[i, k] == 0:
                    only = only or need == n
                    without = without or need == 0
                else:
                    rest_left = True
        for i in range(n):
            rest = habits[6] * (total - worth[i]) - need
            miss, hit = _square(rest, habits[5]), _square(rest + 1.0, habits[5])
            for k in range(4):
                is_sure = better[i, k] == 0
                if (only and not is_sure) or (without and rest_left and is_sure):
                    continue
                log = _log_chance(better[i, k], everyone[CALLS_OF[cards[i], k]], left - n, logs)
                chance = _power(log, habits[0])
                costs[i, k] = miss + chance * (hit - miss) + habits[7] * VALUE[cards[i]]
        return
    follows = False
    sures, certain_poor = 0, False
    for i in range(n):
        follows = follows or (MASK[cards[i]] >> call) & 1 == 1
        sures += sure[i]
    for i in range(n):
        shows, value = (MASK[cards[i]] >> call) & 1 == 1, VALUE[cards[i]]
        legal = shows or not follows
        beats = _bits(un[call] & AT_LEAST[call, value])
        takes = shows and value >= best and (is_last or beats == 0)
        if legal and takes and not sure[i]:
            certain_poor = True
    careful = 0 < sures <= need and (not follows or certain_poor)
    some = False
    for sweep in range(2):  # the second where nothing is left but blunders
        for i in range(n):
            shows, value = (MASK[cards[i]] >> call) & 1 == 1, VALUE[cards[i]]
            if follows and not shows:
                continue
            beats = _bits(un[call] & AT_LEAST[call, value])
            takes = shows and value >= best and (is_last or beats == 0)
            blunder = (need == 0 and takes) or (need != 0 and careful and sure[i] == 1)
            if sweep == 0 and blunder:
                continue
            some = True
            rest = habits[6] * (total - worth[i]) - need
            miss, hit = _square(rest, habits[5]), _square(rest + 1.0, habits[5])
            chance = 0.0
            if shows and value >= best:
                chance = _power(_log_chance(beats, later[call], left - n, logs), habits[1])
            costs[i, 0] = miss + chance * (hit - miss) + habits[7] * value
        if some:
            break


@inner
def _rate_learnt(  # type: ignore[no-untyped-def]
    cards,
    n,
    call,
    best,
    is_last,
    need,
    pub,
    left,
    everyone,
    later,
    around,
    habits,
    logs,
    net,
    un,
    better,
    worth,
    sure,
    costs,
    x,
    hidden,
    facts,
    keep,
):
    """What was learnt from experts; with ``keep`` only the facts of each option. ``x`` and
    ``hidden`` are scratch for a turn's facts and twice the units."""
    _rate_counter(
        cards, n, call, best, is_last, need, pub, left, everyone, later, habits, logs, un,
        better, worth, sure, costs,
    )  # fmt: skip
    least, total = INF, 0.0
    for i in range(n):
        total += worth[i]
        for k in range(4):
            least = min(least, costs[i, k])
    x[0], x[1], x[2] = n / 8, need / 4, (total - need) / 4
    x[3], x[4], x[5] = (1.0 if call == NONE else 0.0), (1.0 if is_last else 0.0), best / 12
    x[6], x[7], x[8] = around[0], around[1], around[2]
    x[9] = 1.0 if call == NONE else later[call] / max(1, everyone[call])
    for u in range(UNITS):
        hidden[0, u] = net[OFFSETS + u]
    for f in range(STATE):
        fact = x[f]
        for u in range(UNITS):
            hidden[0, u] += net[f * UNITS + u] * fact
    for i in range(n):
        value = VALUE[cards[i]]
        for k in range(4):
            if costs[i, k] >= INF:
                continue
            own = CALLS_OF[cards[i], k] if call == NONE else call
            shows = (MASK[cards[i]] >> own) & 1 == 1
            takes = shows and value >= best
            chance = 0.0
            if call == NONE:
                chance = _power(_log_chance(better[i, k], everyone[own], left - n, logs), 1.0)
            elif takes:
                beats = _bits(un[call] & AT_LEAST[call, value])
                chance = _power(_log_chance(beats, later[call], left - n, logs), 1.0)
            rest = (total - worth[i] - need) / 4
            worse = costs[i, k] - least
            x[10], x[11], x[12], x[13] = chance, worth[i], rest, value / 12
            x[14], x[15], x[16] = (
                (1.0 if shows else 0.0),
                (1.0 if takes else 0.0),
                sure[i] * 1.0,
            )
            x[17] = (own % 3 + 1) / 3 if call == NONE else 0.0
            x[18], x[19], x[20] = (
                min(worse, 8.0) / 4,
                (1.0 if worse < 1e-8 else 0.0),
                chance * rest,
            )
            if keep:
                facts[i, k] = x
                continue
            for u in range(UNITS):
                hidden[1, u] = hidden[0, u]
            score = 0.0
            for f in range(STATE, FACTS):
                fact = x[f]
                score += net[PAST + f] * fact
                for u in range(UNITS):
                    hidden[1, u] += net[f * UNITS + u] * fact
            for u in range(UNITS):
                score += net[OUT + u] * max(0.0, hidden[1, u])
            costs[i, k] = -score


@entry(
    "float64(int64[::1], int64, int64, int64, int64, int64, int64[::1], int64, int64[::1],"
    " int64[::1], float64[::1], float64[::1], float64[::1], float64[:,::1], float64[:,:,::1])"
)
def facts_of(  # type: ignore[no-untyped-def]
    cards,
    n,
    call,
    best,
    is_last,
    need,
    pub,
    left,
    everyone,
    later,
    around,
    habits,
    logs,
    costs,
    facts,
):
    """Fills what counter's costs are and what is said of each option; returns the worth."""
    un, better = np.empty(12, np.int64), np.empty((8, 4), np.int64)
    worth, sure, x = np.empty(8), np.empty(8, np.int64), np.zeros(FACTS)
    hidden = np.empty((2, UNITS))
    none = np.zeros(BIDS)  # its weights are not asked for
    _rate_learnt(
        cards, n, call, best, is_last == 1, need, pub, left, everyone, later, around, habits,
        logs, none, un, better, worth, sure, costs, x, hidden, facts, True,
    )  # fmt: skip
    return worth[:n].sum()


@inner
def _worth_of(cards, seats, habits, logs, un, better, worth, sure, full, everyone):  # type: ignore[no-untyped-def]
    """The step of worth of a hand of eight."""
    everyone[:] = 8 * (seats - 1)
    total = _worths(cards, 8, full, 81, everyone, habits, logs, un, better, worth, sure)
    return min(STEPS - 1, int(total / STEP))


@inner
def _bid_learnt(step, no, net, stream):  # type: ignore[no-untyped-def]
    """A bid as often as experts made it at this step of worth."""
    at = BIDS + 9 * step
    whole = 0.0
    for bid in range(9):
        if bid != no:
            whole += net[at + bid]
    left, found = unit(stream) * whole, 0
    for bid in range(9):
        if bid != no:
            found = bid
            left -= net[at + bid]
            if left < 0:
                break
    return found


@inner
def _bid(kind, cards, seats, no, habits, logs, un, better, worth, sure, full, everyone):  # type: ignore[no-untyped-def]
    """What this hand of eight bids; ``no`` is the hook or NONE."""
    if kind < 2:
        high, middle = 0, 0
        for i in range(8):
            high += VALUE[cards[i]] >= 11
            middle += 9 <= VALUE[cards[i]] <= 10
        wish = high + middle if kind == 0 else high + middle // 2
        if wish == no:
            return wish - 1 if wish else 1
        return wish
    everyone[:] = 8 * (seats - 1)
    total = _worths(cards, 8, full, 81, everyone, habits, logs, un, better, worth, sure)
    zero = False
    for i in range(8):
        zero = zero or sure[i] == 1
    target = max(0.0, 1.3 * total + 2 - seats / 4)
    found, least = 0, INF
    for bid in range(9):
        if bid == no or (bid == 0 and zero):
            continue
        if abs(target - bid) < least - 1e-9:
            found, least = bid, abs(target - bid)
    return found


@entry(
    "void(int64, float64, int64[:,::1], int64, int64, int64, int64[:,::1], int64[:,::1],"
    " int64[::1], int64[:,::1], int64[:,::1], float64[:,::1], float64[::1], float64[::1],"
    " float64[::1], float64[::1])"
)
def weigh(  # type: ignore[no-untyped-def]
    kind,
    surprise,
    tried,
    seats,
    bid,
    no,
    rows,
    pubs,
    lefts,
    everyone,
    later,
    around,
    habits,
    logs,
    net,
    weights,
):
    """The likelihood of the seat's bid and plays for each row of hidden cards."""
    cards, costs = np.empty(8, np.int64), np.empty((8, 4))
    un, full, near = np.empty(12, np.int64), np.full(12, ALL, np.int64), np.empty(12, np.int64)
    better, worth, sure = np.empty((8, 4), np.int64), np.empty(8), np.empty(8, np.int64)
    plays, room = len(rows), tried.shape[1]
    x, hidden, facts = np.zeros(FACTS), np.empty((2, UNITS)), np.empty((1, 1, 1))
    for t in range(len(tried)):
        weight = 1.0
        for i in range(room):
            cards[i] = tried[t, i]
        for p in range(plays):
            cards[room + plays - 1 - p] = rows[p, 0]
        if bid != NONE and kind == 5:
            weight = 1 / 9 if no == NONE else 1 / 8
        elif bid != NONE and kind == 4:
            step = _worth_of(cards, seats, habits, logs, un, better, worth, sure, full, near)
            weight = net[BIDS + 9 * step + bid]
            if no != NONE:
                weight /= 1.0 - net[BIDS + 9 * step + no]
        elif bid != NONE:
            says = _bid(
                kind, cards, seats, no, habits, logs, un, better, worth, sure, full, near
            )
            if kind < 3:
                weight = 1.0 if says == bid else 0.0
            else:  # an expert: near what counter bids
                weight = np.exp(-0.8 * (says - bid) ** 2)
        for p in range(plays):
            if weight == 0.0:
                break
            n = room + plays - p
            call = NONE if rows[p, 2] == 1 else rows[p, 1]
            if kind == 5:
                _rate_nothing(cards, n, call, costs)
            elif kind < 2:
                _rate_tip(cards, n, call, rows[p, 3], rows[p, 4] == 1, rows[p, 5] > 0, costs)
            elif kind < 4:
                _rate_counter(
                    cards, n, call, rows[p, 3], rows[p, 4] == 1, rows[p, 5], pubs[p], lefts[p],
                    everyone[p], later[p], habits, logs, un, better, worth, sure, costs,
                )  # fmt: skip
            else:
                _rate_learnt(
                    cards, n, call, rows[p, 3], rows[p, 4] == 1, rows[p, 5], pubs[p], lefts[p],
                    everyone[p], later[p], around[p], habits, logs, net, un, better, worth,
                    sure, costs, x, hidden, facts, False,
                )  # fmt: skip
            least, legal, ties = INF, 0, 0
            for i in range(n):
                for k in range(4):
                    least = min(least, costs[i, k])
            for i in range(n):
                for k in range(4):
                    legal += costs[i, k] < INF
                    ties += costs[i, k] < least + 1e-8
            shape = 0
            if call == NONE:
                shape = rows[p, 1] // 3
            fits = 1.0 / ties if costs[n - 1, shape] < least + 1e-8 else 0.0
            if kind == 4:
                whole = 0.0
                for i in range(n):
                    for k in range(4):
                        if costs[i, k] < INF:
                            whole += np.exp(least - costs[i, k])
                own = costs[n - 1, shape]
                fits = np.exp(least - own) / whole if own < INF else 0.0
                weight *= 0.97 * fits + 0.03 / legal
            else:
                weight *= fits if kind != 3 else (1 - surprise) * fits + surprise / legal
        weights[t] = weight


@entry(
    "int64(int64[::1], int64[::1], int64[:,:,::1], float64[:,::1], int64[::1], uint64[::1],"
    " int8[:,::1], int64[:,::1])"
)
def join(players, rooms, hands, sums, sizes, seed, worlds, picks):  # type: ignore[no-untyped-def]
    """Fills worlds with a hand for each of the players, drawn by its weight, until no card is
    in two hands; ``picks`` says which. Returns how many worlds could be filled."""
    for w in range(len(worlds)):
        for tries in range(20001):
            if tries == 20000:
                return w
            low, high, clash = 0, 0, False
            for p in range(len(players)):
                wanted, a, b = unit(seed) * sums[p, sizes[p] - 1], 0, sizes[p] - 1
                while a < b:
                    m = (a + b) // 2
                    if sums[p, m] > wanted:
                        b = m
                    else:
                        a = m + 1
                picks[w, p] = a
                for i in range(rooms[p]):
                    card = hands[p, a, i]
                    if card < 60:
                        clash = clash or (low >> card) & 1 == 1
                        low |= 1 << card
                    else:
                        clash = clash or (high >> (card - 60)) & 1 == 1
                        high |= 1 << (card - 60)
                if clash:
                    break
            if not clash:
                break
        for p in range(len(players)):
            for i in range(rooms[p]):
                worlds[w, hands[p, picks[w, p], i]] = players[p]
    return len(worlds)


@entry(
    "void(int8[:,::1], int64, int64[::1], int64[::1], int64[::1], int64[:,::1], int64[::1],"
    " int64[:,::1], float64[::1], float64[::1], float64[::1], uint64[::1], int8[:,:,::1],"
    " int8[:,::1])"
)
def play_true(  # type: ignore[no-untyped-def]
    worlds,
    seats,
    point,
    taken,
    aims,
    kinds,
    masks,
    candidates,
    habits,
    logs,
    net,
    seed,
    tricks,
    takers,
):
    """As kernel.play_worlds, with each seat by its kind in each world (experts as counter)."""
    x, hidden, facts = np.zeros(FACTS), np.empty((2, UNITS)), np.empty((1, 1, 1))
    around = np.zeros(3)
    hands, first = np.zeros((10, 8), np.int64), np.zeros((10, 8), np.int64)
    size, first_size = np.zeros(10, np.int64), np.zeros(10, np.int64)
    pub, voids = np.zeros(12, np.int64), np.zeros(10, np.int64)
    now, goals = np.zeros(10, np.int64), np.zeros(10, np.int64)
    un, full, near = np.empty(12, np.int64), np.full(12, ALL, np.int64), np.empty(12, np.int64)
    costs, later = np.empty((8, 4)), np.empty(12, np.int64)
    better, worth, sure = np.empty((8, 4), np.int64), np.empty(8), np.empty(8, np.int64)
    stream = np.zeros(1, np.uint64)
    for w in range(len(worlds)):
        first_size[:] = 0
        for card in range(81):
            seat = worlds[w, card]
            if seat >= 0:
                first[seat, first_size[seat]] = card
                first_size[seat] += 1
        for c in range(len(candidates)):
            stream[0] = seed[0]
            fork(stream, w)
            pub[:] = 0
            left = 0
            for card in range(81):
                if worlds[w, card] != -2:
                    left += 1
                    for k in range(4):
                        pub[CALLS_OF[card, k]] |= BIT[card, k]
            for seat in range(seats):
                hands[seat] = first[seat]
                size[seat] = first_size[seat]
                now[seat], goals[seat], voids[seat] = taken[seat], aims[seat], masks[seat]
            forced, shape = candidates[c, 0], candidates[c, 1]
            total = 0
            for step in range(1, seats + 1):
                seat = (point[DEALER] + step) % seats
                if goals[seat] == NONE:
                    if seat == point[ME] and forced == NONE:
                        goals[seat] = shape
                    else:
                        no = 8 - total if step == seats and total <= 8 else NONE
                        if kinds[w, seat] == 4:
                            at = _worth_of(
                                hands[seat], seats, habits, logs, un, better, worth, sure,
                                full, near,
                            )  # fmt: skip
                            goals[seat] = _bid_learnt(at, no, net, stream)
                        elif kinds[w, seat] == 5:
                            goals[seat] = below(stream, 9 if no == NONE else 8)
                            goals[seat] += no != NONE and goals[seat] >= no
                        else:
                            goals[seat] = _bid(
                                kinds[w, seat], hands[seat], seats, no, habits, logs, un,
                                better, worth, sure, full, near,
                            )  # fmt: skip
                total += goals[seat]
            leader, laid = point[LEADER], point[LAID]
            call, best, best_seat = point[CALL], point[BEST], point[BEST_SEAT]
            for trick in range(point[DONE], 8):
                for turn in range(laid, seats):
                    seat = (leader + turn) % seats
                    n, place, chosen = size[seat], 0, 0
                    if forced != NONE:
                        while hands[seat, place] != forced:
                            place += 1
                        chosen = shape
                        forced = NONE
                    elif n > 1 or call == NONE:
                        if kinds[w, seat] == 5:
                            _rate_nothing(hands[seat], n, call, costs)
                        elif kinds[w, seat] < 2:
                            wants = now[seat] < goals[seat]
                            is_last = turn == seats - 1
                            _rate_tip(hands[seat], n, call, best, is_last, wants, costs)
                        else:
                            near[:] = 0
                            later[:] = 0
                            for other in range(seats):
                                if other != seat:
                                    is_later = (other - leader) % seats > turn
                                    for k in range(12):
                                        if (voids[other] >> k) & 1 == 0:
                                            near[k] += size[other]
                                            if is_later:
                                                later[k] += size[other]
                            if kinds[w, seat] < 4:
                                _rate_counter(
                                    hands[seat], n, call, best, turn == seats - 1,
                                    goals[seat] - now[seat], pub, left, near, later, habits,
                                    logs, un, better, worth, sure, costs,
                                )  # fmt: skip
                            else:
                                around[:] = 0
                                for other in range(seats):
                                    wish = goals[other] - now[other]
                                    if wish > 0:
                                        around[0] += wish
                                        if other != seat and (other - leader) % seats > turn:
                                            around[1] += 1 / 3
                                around[0] = (around[0] - n) / 4
                                if call != NONE and goals[best_seat] > now[best_seat]:
                                    around[2] = 1.0
                                _rate_learnt(
                                    hands[seat], n, call, best, turn == seats - 1,
                                    goals[seat] - now[seat], pub, left, near, later, around,
                                    habits, logs, net, un, better, worth, sure, costs, x,
                                    hidden, facts, False,
                                )  # fmt: skip
                        least, ties = INF, 0
                        for i in range(n):
                            for k in range(4):
                                if costs[i, k] < least - 1e-8:
                                    least, ties, place, chosen = costs[i, k], 1, i, k
                                elif costs[i, k] < least + 1e-8:
                                    ties += 1
                                    if below(stream, ties) == 0:
                                        place, chosen = i, k
                    card = hands[seat, place]
                    if call == NONE:
                        call, best = CALLS_OF[card, chosen], 0
                    if (MASK[card] >> call) & 1:
                        if VALUE[card] >= best:
                            best, best_seat = VALUE[card], seat
                    else:
                        voids[seat] |= 1 << call
                    for i in range(place, n - 1):
                        hands[seat, i] = hands[seat, i + 1]
                    size[seat] = n - 1
                    left -= 1
                    for k in range(4):
                        pub[CALLS_OF[card, k]] &= ~BIT[card, k]
                if trick == point[DONE]:
                    takers[w, c] = best_seat
                now[best_seat] += 1
                leader, call, best, laid = best_seat, NONE, 0, 0
            for seat in range(seats):
                tricks[w, c, seat] = now[seat]

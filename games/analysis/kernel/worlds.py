"""Worlds drawn uniformly from all that agree with what is known.

What is known of where a hidden card is comes down to *groups*: the seats with the same proven
voids share one, and group 0, with no voids, also has the undealt cards. ``voids[g]`` are the
group's calls as bits of twelve, ``places`` lists who holds its places (``starts[g]`` to
``starts[g + 1]``; seats first, then UNDEALT). A card may be in every group whose voids it does
not show; inside a group all orders are equally likely. ``cards`` are the hidden cards, first
the ``bound`` ones, which some group may not have.

Where the table of :func:`count_table` fits, :func:`deal_worlds` draws independent worlds,
exactly uniform. :func:`mix_worlds` is the Markov chain for the rest (many seats with
many different voids, which is rare). Both kinds of its steps keep the uniform distribution;
its proposals can reach every world from every other in one step, so that there is no other
distribution it keeps.
"""

import math

import numpy as np

from games.analysis.kernel.chance import random_below, uniform
from games.analysis.kernel.jit import Bytes, Floats, Ints, Seed, entry, inner
from games.analysis.kernel.tables import MASK

_FACTORIALS = np.array([math.factorial(n) for n in range(82)], np.float64)
_LOGS = np.log(_FACTORIALS)


@inner
def _deal_places(dealt: Ints, starts: Ints, places: Ints, seed: Seed, world: Bytes) -> None:
    """Hand each group's cards to its places in a random order."""
    for g in range(len(starts) - 1):
        end = starts[g + 1]
        for i in range(starts[g], end):
            if places[i] >= 0:
                j = i + random_below(seed, end - i)
                dealt[i], dealt[j] = dealt[j], dealt[i]
            world[dealt[i]] = places[i]


@inner
def _redeal_pair(
    dealt: Ints, spots: Ints, g: int, h: int, voids: Ints, starts: Ints, seed: Seed
) -> None:
    """Deal the cards that groups g and h could exchange among the two afresh."""
    n = 0
    for a, b in ((g, h), (h, g)):
        for i in range(starts[a], starts[a + 1]):
            if MASK[dealt[i]] & voids[b] == 0:
                spots[n] = i
                n += 1
    for k in range(n - 1, 0, -1):
        i, j = spots[k], spots[random_below(seed, k + 1)]
        dealt[i], dealt[j] = dealt[j], dealt[i]


@inner
def _redeal_all(dealt: Ints, voids: Ints, starts: Ints, seed: Seed) -> bool:
    """Deal all cards afresh in place, the last group first, each by lot; False (the deal is
    then unfinished) where too few cards fit a group."""
    for g in range(len(voids) - 1, -1, -1):
        free = starts[g + 1]  # what the groups dealt before have left
        able = 0
        for i in range(free):
            if MASK[dealt[i]] & voids[g] == 0:
                dealt[i], dealt[able] = dealt[able], dealt[i]
                able += 1
        size = starts[g + 1] - starts[g]
        if able < size:
            return False
        for k in range(size):
            j = random_below(seed, able - k)
            last = able - k - 1
            dealt[j], dealt[last] = dealt[last], dealt[j]
            dealt[last], dealt[free - k - 1] = dealt[free - k - 1], dealt[last]
    return True


@inner
def _log_proposal_weight(dealt: Ints, voids: Ints, starts: Ints) -> float:
    """The logarithm of one over the chance that ``_redeal_all`` makes this deal."""
    weight = 0.0
    for g in range(len(voids) - 1, 0, -1):
        able = 0
        for i in range(starts[g + 1]):
            if MASK[dealt[i]] & voids[g] == 0:
                able += 1
        size = starts[g + 1] - starts[g]
        weight += _LOGS[able] - _LOGS[size] - _LOGS[able - size]
    return weight


@entry("float64[:,::1]", "int64[::1], int64, int64[::1], int64[::1]")
def count_table(cards: Ints, bound: int, voids: Ints, starts: Ints) -> Floats:
    """``table[i, rooms]``: in how many ways the cards from the i-th on can be dealt to the
    groups, over (number of free cards)!, where ``rooms`` writes how many places each group
    from 1 on still has, as the digits of one number; group 0 has what is left."""
    groups = len(voids)
    strides = np.ones(groups + 1, np.int64)
    for g in range(1, groups):
        strides[g + 1] = strides[g] * (starts[g + 1] - starts[g] + 1)
    states = strides[groups]
    table = np.zeros((bound + 1, states))
    rooms = np.zeros(groups, np.int64)
    for i in range(bound, -1, -1):
        left = len(cards) - i
        for state in range(states):
            rooms[0] = left
            for g in range(1, groups):
                size = starts[g + 1] - starts[g] + 1
                rooms[g] = (state // strides[g]) % size
                rooms[0] -= rooms[g]
            if rooms[0] < 0:
                continue
            ways = 0.0
            if i == bound:
                ways = 1.0
                for g in range(groups):
                    ways /= _FACTORIALS[rooms[g]]
            else:
                for g in range(groups):
                    if rooms[g] > 0 and MASK[cards[i]] & voids[g] == 0:
                        ways += table[i + 1, state - (strides[g] if g > 0 else 0)]
            table[i, state] = ways
    return table


@entry(
    "void",
    "float64[:,::1], int64[::1], int64, int64[::1], int64[::1]",
    "int64[::1], uint64[::1], int8[:,::1]",
)
def deal_worlds(
    table: Floats,
    cards: Ints,
    bound: int,
    voids: Ints,
    starts: Ints,
    places: Ints,
    seed: Seed,
    out: Bytes,
) -> None:
    """Fill each row of ``out`` with a world: its HIDDEN cards dealt, independently and exactly
    uniformly. ``table`` is count_table's."""
    groups = len(voids)
    strides = np.ones(groups + 1, np.int64)
    for g in range(1, groups):
        strides[g + 1] = strides[g] * (starts[g + 1] - starts[g] + 1)
    dealt = np.empty(len(cards), np.int64)
    free = cards[bound:].copy()
    rooms = np.empty(groups, np.int64)
    for w in range(len(out)):
        state = strides[groups] - 1
        for g in range(groups):
            rooms[g] = starts[g + 1] - starts[g]
        for i in range(bound):
            mark = uniform(seed) * table[i, state]
            chosen = -1
            for g in range(groups):
                if rooms[g] > 0 and MASK[cards[i]] & voids[g] == 0:
                    ways = table[i + 1, state - (strides[g] if g > 0 else 0)]
                    if ways > 0:
                        chosen = g
                        mark -= ways
                        if mark < 0:
                            break
            rooms[chosen] -= 1
            dealt[starts[chosen] + rooms[chosen]] = cards[i]
            if chosen > 0:
                state -= strides[chosen]
        k = 0  # group 0 comes last: it gets what the others leave, and is shuffled when seated
        for g in range(groups - 1, -1, -1):
            for room in range(rooms[g]):
                if g > 0:
                    j = k + random_below(seed, len(free) - k)
                    free[k], free[j] = free[j], free[k]
                dealt[starts[g] + room] = free[k]
                k += 1
        _deal_places(dealt, starts, places, seed, out[w])


@entry("boolean", "int64[::1], int64[::1], int64[::1], int64[::1]")
def first_world(cards: Ints, voids: Ints, starts: Ints, dealt: Ints) -> bool:
    """Whether there is a possible deal; if so it is put into ``dealt``, by place.

    Augmenting paths: a card for which all its groups are full pushes another one on.
    """
    groups = len(voids)
    filled = np.zeros(groups, np.int64)
    came_from = np.empty(groups, np.int64)
    pushed = np.empty(groups, np.int64)
    queue = np.empty(groups, np.int64)
    for card in cards:
        head, tail, group = 0, 0, -1
        came_from[:] = -2
        for g in range(groups):
            if MASK[card] & voids[g] == 0:
                came_from[g] = -1
                queue[tail] = g
                tail += 1
        while head < tail and group < 0:
            g = queue[head]
            head += 1
            if filled[g] < starts[g + 1] - starts[g]:
                group = g
                break
            for h in range(groups):
                if came_from[h] == -2:
                    for i in range(starts[g], starts[g + 1]):
                        if MASK[dealt[i]] & voids[h] == 0:
                            came_from[h] = g
                            pushed[h] = i
                            queue[tail] = h
                            tail += 1
                            break
        if group < 0:
            return False
        hole = starts[group] + filled[group]
        filled[group] += 1
        while came_from[group] >= 0:
            dealt[hole] = dealt[pushed[group]]
            hole = pushed[group]
            group = came_from[group]
        dealt[hole] = card
    return True


@entry(
    "void",
    "int64[::1], int64[::1], int64[::1], int64[::1], int64[::1], uint64[::1], int8[:,::1]",
)
def mix_worlds(
    cards: Ints,
    voids: Ints,
    starts: Ints,
    places: Ints,
    dealt: Ints,
    seed: Seed,
    out: Bytes,
) -> None:
    """Fill each row of ``out`` with a world from a Markov chain that starts at ``dealt``.

    Between two worlds it takes six steps a group (thinning: neighbours in ``out`` are then
    nearly independent), each a pair redealt, which is quick but changes little; with every
    eighth a whole new deal is proposed, which is dear but reaches all worlds. tests/analysis
    holds its frequencies against those of all worlds."""
    groups = len(voids)
    scratch = np.empty(len(cards), np.int64)
    spots = np.empty(len(cards), np.int64)
    weight = _log_proposal_weight(dealt, voids, starts)
    # Burn-in: eight worlds that still resemble the start are dropped.
    for w in range(-8, len(out)):
        for step in range(6 * groups):
            if step % 8 == 0:
                scratch[:] = dealt
                if _redeal_all(scratch, voids, starts, seed):
                    other = _log_proposal_weight(scratch, voids, starts)
                    if uniform(seed) < math.exp(min(0.0, other - weight)):
                        dealt[:] = scratch
                        weight = other
            g, h = random_below(seed, groups), random_below(seed, groups)
            if g != h:
                _redeal_pair(dealt, spots, g, h, voids, starts, seed)
                weight = _log_proposal_weight(dealt, voids, starts)
        if w >= 0:
            scratch[:] = dealt
            _deal_places(scratch, starts, places, seed, out[w])

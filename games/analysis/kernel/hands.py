"""Hands drawn for each seat by itself, and worlds in which no card is in two of them."""

import numpy as np

from games.analysis.kernel.chance import random_below, uniform
from games.analysis.kernel.jit import Bytes, Floats, Ints, Seed, entry, inner
from games.analysis.kernel.tables import NONE, UNDEALT

PICKS = 4096
"""How many hands of each seat there are to pick from, each there as often as it weighs."""

TRIES = 200
"""How many of them are tried for one that fits beside the other seats' hands."""


@entry("void", "int64[::1], uint64[::1], int64[:,::1]")
def draw_hands(pool: Ints, seed: Seed, out: Ints) -> None:
    """Fill each row with that many different cards of the pool, all sets equally likely."""
    cards = pool.copy()
    for t in range(len(out)):
        for i in range(out.shape[1]):
            j = i + random_below(seed, len(cards) - i)
            cards[i], cards[j] = cards[j], cards[i]
            out[t, i] = cards[i]


@entry("void", "int64[::1], int64[:,::1]")
def fill_combinations(pool: Ints, out: Ints) -> None:
    """Fill ``out``, [hand, place], with the combinations of the pool: C(n, k) rows of k."""
    room = out.shape[1]
    places = np.arange(room)
    for t in range(len(out)):
        for i in range(room):
            out[t, i] = pool[places[i]]
        i = room - 1
        while i >= 0 and places[i] == len(pool) - room + i:
            i -= 1
        if i >= 0:
            places[i] += 1
            for j in range(i + 1, room):
                places[j] = places[j - 1] + 1


@entry("void", "float64[::1], uint64[::1], int64[::1]")
def pick_by_weight(weights: Floats, seed: Seed, picks: Ints) -> None:
    """Fill ``picks`` with places of ``weights``, each as often as it weighs, but for rounding
    up or down by chance (systematic resampling); where none weighs anything, all alike."""
    step = weights.sum() / len(picks)
    if step == 0.0:
        for p in range(len(picks)):
            picks[p] = p * len(weights) // len(picks)
        return
    mark, before, t = uniform(seed) * step, 0.0, 0
    for p in range(len(picks)):
        while t < len(weights) - 1 and before + weights[t] <= mark:
            before += weights[t]
            t += 1
        picks[p] = t
        mark += step


@inner
def _bits_of(cards: Ints, room: int) -> tuple[int, int]:
    """A hand as bits: the first sixty cards, and the rest."""
    low, high = 0, 0
    for i in range(room):
        if cards[i] < 60:
            low |= 1 << cards[i]
        else:
            high |= 1 << (cards[i] - 60)
    return low, high


@entry(
    "void",
    "int8[:,::1], int64[::1], int64[::1], int64[:,:,::1], int64[:,::1]",
    "int64, uint64[::1], int8[:,::1], int64[:,::1]",
)
def join_hands(
    begins: Bytes,
    players: Ints,
    rooms: Ints,
    hands: Ints,
    picks: Ints,
    sweeps: int,
    seed: Seed,
    out: Bytes,
    chosen: Ints,
) -> None:
    """Fill each row of ``out`` with a world: of each player a hand as likely as it is in
    ``picks``, given that no card is in two hands.

    Gibbs sampling, from as many ``begins`` (possible worlds) as there are chains, which take
    turns: in each sweep each player's hand is drawn anew until one fits beside the others'. A
    player for whom none of TRIES fits keeps what it has, so that tables of many seats stay
    nearer to where they began. ``hands[player]`` are the cards of each hand, of which ``rooms``
    are used. ``begins`` are changed; ``chosen[world, player]`` is the place of the hand, NONE
    while it is the beginning's own.
    """
    chains, count = len(begins), len(players)
    low, high = np.zeros((chains, count), np.int64), np.zeros((chains, count), np.int64)
    all_low, all_high = np.zeros(chains, np.int64), np.zeros(chains, np.int64)
    place = np.full((chains, count), NONE, np.int64)
    cards = np.empty(8, np.int64)
    for chain in range(chains):
        for p in range(count):
            n = 0
            for card in range(81):
                if begins[chain, card] == players[p]:
                    cards[n] = card
                    n += 1
            low[chain, p], high[chain, p] = _bits_of(cards, n)
            all_low[chain] |= low[chain, p]
            all_high[chain] |= high[chain, p]
    for w in range(len(out)):
        chain = w % chains
        world = begins[chain]
        for _ in range(sweeps if w < chains else 1):
            for p in range(count):
                others_low = all_low[chain] & ~low[chain, p]
                others_high = all_high[chain] & ~high[chain, p]
                for _ in range(TRIES):
                    hand = picks[p, random_below(seed, picks.shape[1])]
                    a, b = _bits_of(hands[p, hand], rooms[p])
                    if a & others_low == 0 and b & others_high == 0:
                        for card in range(81):
                            if world[card] == players[p]:
                                world[card] = UNDEALT
                        for i in range(rooms[p]):
                            world[hands[p, hand, i]] = players[p]
                        low[chain, p], high[chain, p] = a, b
                        all_low[chain], all_high[chain] = others_low | a, others_high | b
                        place[chain, p] = hand
                        break
        out[w] = world
        chosen[w] = place[chain]

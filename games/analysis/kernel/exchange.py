"""Cards that seats exchange, so that worlds become as likely as all seats' moves make them."""

import numpy as np

from games.analysis.kernel.chance import below, unit
from games.analysis.kernel.jit import Floats, Ints, Seed, entry
from games.analysis.kernel.likelihoods import weigh
from games.analysis.kernel.tables import MASK

ANEW = 0.25
"""How often a seat that exchanges a card may be of another kind then."""

LEAST = 1e-12
"""What the least likely hand weighs, so that a world can get away from it."""


@entry(
    "void(int64[:,:,::1], int64[::1], int64[:,::1], float64[:,::1], int64[::1], int64[::1],"
    " float64[:,::1], int64[::1], float64[::1], int64, int64[::1], int64[::1], int64[::1],"
    " int64[:,:,::1], int64[:,:,::1], int64[:,:,:,::1], float64[:,:,::1], float64[:,:,:,::1],"
    " float64[::1], float64[::1], int64, uint64[::1])"
)
def exchange_cards(
    hands: Ints,
    rooms: Ints,
    kinds: Ints,
    weights: Floats,
    players: Ints,
    voids: Ints,
    until: Floats,
    policies: Ints,
    slips: Floats,
    seats: int,
    bids: Ints,
    nos: Ints,
    made: Ints,
    rows: Ints,
    public: Ints,
    holders: Ints,
    around: Floats,
    chances: Floats,
    habits: Floats,
    net: Floats,
    steps: int,
    seed: Seed,
) -> None:
    """So many steps of Metropolis in each world: two places exchange a card, chosen by chance,
    if that is as likely or by as much as it is.

    ``hands`` [place, world, card], ``kinds`` and ``weights`` [place, world] are changed. A
    place is one of ``players``, or the last, of undealt cards; ``rooms`` of a hand's cards are
    used. A player is of each kind as often as ``until`` [place, kind] says, sums of chances. Of
    the rest, all by seat, see likelihoods.weigh; ``weights`` are those and LEAST.
    """
    count, worlds = len(players), hands.shape[1]
    spots, drawn = np.empty((2, worlds), np.int64), np.empty((2, worlds), np.int64)
    now, ratio = np.empty((2, worlds)), np.empty(worlds)
    chosen, fits = np.empty(worlds, np.int64), np.empty(worlds)
    places, pair = count + (rooms[count] > 0), np.empty(2, np.int64)
    for _ in range(steps):
        pair[0], pair[1] = below(seed, places), below(seed, places - 1)
        pair[1] += pair[1] >= pair[0]
        one, other = pair
        for w in range(worlds):
            i, j = below(seed, rooms[one]), below(seed, rooms[other])
            spots[0, w], spots[1, w] = i, j
            hands[one, w, i], hands[other, w, j] = hands[other, w, j], hands[one, w, i]
            ratio[w] = 1.0
            for s in range(2):
                if pair[s] < count:
                    card = hands[pair[s], w, spots[s, w]]
                    if MASK[card] & voids[players[pair[s]]]:
                        ratio[w] = 0.0
        for s in range(2):
            place = pair[s]
            if place == count:
                continue
            seat, room = players[place], rooms[place]
            for w in range(worlds):
                drawn[s, w] = kinds[place, w]
                if unit(seed) < ANEW:
                    mark = unit(seed)
                    drawn[s, w] = 0
                    while drawn[s, w] < len(policies) - 1 and until[place, drawn[s, w]] <= mark:
                        drawn[s, w] += 1
            tried = np.empty((worlds, room), np.int64)
            for kind in range(len(policies)):
                n = 0
                for w in range(worlds):
                    if drawn[s, w] == kind and ratio[w] > 0.0:
                        tried[n] = hands[place, w, :room]
                        chosen[n] = w
                        n += 1
                if n == 0:
                    continue
                weigh(
                    policies[kind], slips[kind], tried[:n], seats, bids[seat], nos[seat],
                    made[seat], rows[seat], public[seat], holders[seat], around[seat], chances,
                    habits, net, fits[:n],
                )  # fmt: skip
                for m in range(n):
                    now[s, chosen[m]] = fits[m] + LEAST
                    ratio[chosen[m]] *= now[s, chosen[m]] / weights[place, chosen[m]]
        for w in range(worlds):
            if unit(seed) < ratio[w]:
                for s in range(2):
                    if pair[s] < count:
                        kinds[pair[s], w] = drawn[s, w]
                        weights[pair[s], w] = now[s, w]
            else:
                i, j = spots[0, w], spots[1, w]
                hands[one, w, i], hands[other, w, j] = hands[other, w, j], hands[one, w, i]

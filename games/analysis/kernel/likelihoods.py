"""How likely a seat's bid and plays are with each hand that it may hold, by kinds of players.

A kind is a policy and how often it slips, that is, does anything legal instead. Of the tips and
``counter`` (games/analysis/bots.py, counter.py, sense.py) a policy makes the moves that
*cost* least, of equals any as likely; an expert makes each as often as was learnt from experts
(games/analysis/players.py). A play is a place of the hand and, of a lead, a shape: ``costs``
are by [place, shape], of a follow by [place, 0], INF for what the policy does not do.
"""

import math
from typing import NamedTuple

import numpy as np

from games.analysis.kernel.chance import uniform
from games.analysis.kernel.jit import Floats, Ints, Seed, entry, inner, record, summing
from games.analysis.kernel.policies import (
    BASE,
    FOLLOWING,
    HIGH,
    LEADING,
    OVER,
    REST,
    bid_by_tip,
    bid_by_worth,
    bit_count,
    cost_of,
)
from games.analysis.kernel.tables import AT_LEAST, BIT, CALLS_OF, MASK, NONE, VALUE

PRINTED, WIKIPEDIA, COUNTER, EXPERT = range(4)
"""The policies."""

CARD, CALL, LEADS, BEST, IS_LAST, NEED, LEFT = range(7)
"""What a row of a seat's ``rows`` holds: the card it played to which call; whether it led, the
best value so far, whether it was the last; the tricks it needed; the cards not yet played."""

STATE, FACTS, UNITS, STEPS, STEP = 10, 11, 16, 16, 0.3
"""Of what was learnt: numbers said of each turn, and of each option; hidden units; and steps of
a hand's worth, by which experts bid."""
OFFSETS, OUT, PAST, BIDS, WEIGHTS = 336, 352, 368, 389, 533
"""Where in the weights, after the units' own [fact, unit], begin their offsets, the weights of
the units, those past them [fact], and how often experts bid [step, bid]; and how many."""

AS_HELD, AS_LATER, PLAIN = range(3)
"""Of ``chances`` [habit, held, unseen, t]: that none of t unseen cards is among so many of them
that are held; to the power of a counting seat's habits, for its leads and for its follows, or
as it is."""

INF = 1e18
_ALL = (1 << 27) - 1
_HARDLY_EVER, _HOPELESS = 0.01, 1e-8


class Model(NamedTuple):
    """What seats go by: chances [habit, held, unseen, t], the habits of a counting seat, and
    the weights that were learnt."""

    chances: Floats
    habits: Floats
    net: Floats


class PublicTurns(NamedTuple):
    """What was public at each play of a seat, by the number of the play, or of all seats, by
    seat first (see read_turns)."""

    rows: Ints
    public: Ints
    holders: Ints
    around: Floats


class PublicTurn(NamedTuple):
    """What was public at one play."""

    row: Ints
    public: Ints
    holders: Ints
    around: Floats


class Bidding(NamedTuple):
    """How many seats; the bid of one, and the bid that it could not make, or NONE."""

    seats: int
    bid: int
    no: int


class Options(NamedTuple):
    """What is said of a turn, and of each option, by [place, shape]: its cost and facts."""

    costs: Floats
    state: Floats
    facts: Floats


class Reckoning(NamedTuple):
    """Scratch of who judges a hand: the cards that it does not see, by call, as bits; by place
    how many of them beat its card for each of the card's calls (``better``), whether none does
    for some call (``sure``), and what the card is worth; and the hidden units of what was
    learnt (``base``)."""

    unseen: Ints
    better: Ints
    sure: Ints
    worth: Floats
    base: Floats


MODEL = record(Model, "float64[:,:,:,::1], float64[::1], float64[::1]")
_ALL_TURNS = record(
    PublicTurns, "int64[:,:,::1], int64[:,:,::1], int64[:,:,:,::1], float64[:,:,::1]"
)
_TURNS = record(PublicTurns, "int64[:,::1], int64[:,::1], int64[:,:,::1], float64[:,::1]")
_TURN = record(PublicTurn, "int64[::1], int64[::1], int64[:,::1], float64[::1]")
_BIDDING = record(Bidding, "int64, int64, int64")
_OPTIONS = record(Options, "float64[:,::1], float64[::1], float64[:,:,::1]")


@entry("void", "int64[:,::1], int64, int64[::1], int64[::1]", _ALL_TURNS)
def read_turns(
    plays: Ints, seats: int, bids: Ints, plays_made: Ints, turns: PublicTurns
) -> None:
    """Fills ``turns`` with what was public at each play, by seat and the number of its plays.

    ``plays`` are (seat, card, call) in order. Fills ``plays_made[seat]``, too; of ``turns``
    ``rows``; the cards not yet played, by call, as bits (``public``); for each call the cards
    in hands that may show it, of all others (``holders[…, 0]``) and of those still to play; and
    ``around``: how many more tricks are wanted than there are, how many of those still to play
    want one, and whether who takes the trick so far does."""
    rows, public, holders, around = turns
    now = np.full(12, _ALL, np.int64)
    won, rooms = np.zeros(10, np.int64), np.full(10, 8, np.int64)
    voids = np.zeros(10, np.int64)
    left, laid, best, taker = 81, 0, 0, 0
    plays_made[:] = 0
    holders[:] = 0
    around[:] = 0.0
    for p in range(len(plays)):
        seat, card, call = plays[p, 0], plays[p, 1], plays[p, 2]
        number = p % seats
        if number == 0:
            laid, best, taker = 0, 0, NONE
        m = plays_made[seat]
        plays_made[seat] = m + 1
        row = rows[seat, m]
        row[CARD], row[CALL], row[LEADS], row[BEST] = card, call, number == 0, best
        row[IS_LAST] = number == seats - 1
        row[NEED], row[LEFT] = bids[seat] - won[seat], left
        public[seat, m] = now
        wanted = 0
        for other in range(seats):
            need = bids[other] - won[other]
            wanted += max(0, need)
            if other == seat:
                continue
            is_later = (laid >> other) & 1 == 0
            if is_later and need > 0:
                around[seat, m, 1] += 1 / 3
            for k in range(12):
                if (voids[other] >> k) & 1 == 0:
                    holders[seat, m, 0, k] += rooms[other]
                    if is_later:
                        holders[seat, m, 1, k] += rooms[other]
        around[seat, m, 0] = (wanted - rooms[seat]) / 4
        if taker != NONE and bids[taker] > won[taker]:
            around[seat, m, 2] = 1.0
        if (MASK[card] >> call) & 1:
            if VALUE[card] >= best:
                best, taker = VALUE[card], seat
        else:
            voids[seat] |= 1 << call
        for k in range(4):
            now[CALLS_OF[card, k]] &= ~BIT[card, k]
        left -= 1
        rooms[seat] -= 1
        laid |= 1 << seat
        if number == seats - 1:
            won[taker] += 1


@inner
def _count_beaters(
    cards: Ints, n: int, public: Ints, unseen: Ints, better: Ints, sure: Ints
) -> None:
    """Fills which cards the seat does not see, by call; for each of its own and of the card's
    calls how many of them beat it, and whether none does for some call."""
    for k in range(12):
        unseen[k] = public[k]
    for i in range(n):
        for k in range(4):
            unseen[CALLS_OF[cards[i], k]] &= ~BIT[cards[i], k]
    for i in range(n):
        sure[i] = 0
        for k in range(4):
            own = CALLS_OF[cards[i], k]
            better[i, k] = bit_count(unseen[own] & AT_LEAST[own, VALUE[cards[i]]])
            if better[i, k] == 0:
                sure[i] = 1


@inner
def _fill_worths(
    cards: Ints,
    n: int,
    better: Ints,
    everyone: Ints,
    hidden: int,
    chances: Floats,
    habits: Floats,
    worth: Floats,
) -> float:
    """Fills what each card is worth to a counting seat; returns the sum."""
    total = 0.0
    for i in range(n):
        most, whole = 0.0, 0.0
        for k in range(4):
            chance = chances[AS_HELD, everyone[CALLS_OF[cards[i], k]], hidden, better[i, k]]
            most = max(most, chance)
            whole += chance
        line = habits[BASE] + habits[LEADING] * most + habits[FOLLOWING] * whole
        worth[i] = min(1.0, max(0.0, line))
        total += worth[i]
    return total


@inner
def _fill_tip_costs(
    cards: Ints, n: int, call: int, best: int, is_last: bool, wants: bool, costs: Floats
) -> None:
    """Fills the costs of the tips' cards and calls: the least is what a bot plays."""
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
        costs[i, 0] = INF
        if (MASK[cards[i]] >> call) & 1 and (value >= best) == take:
            costs[i, 0] = -value if high else value


@inner
def _fill_lead_costs(
    cards: Ints,
    n: int,
    turn: PublicTurn,
    model: Model,
    reckoning: Reckoning,
    total: float,
    costs: Floats,
) -> None:
    """A counting seat's leads, but for those that are blunders."""
    row, _, holders, _ = turn
    chances, habits, _ = model
    _, better, _, worth, _ = reckoning
    need, hidden = row[NEED], row[LEFT] - n
    some_sure, some_other = False, False
    for i in range(n):
        for k in range(4):
            if better[i, k] == 0:
                some_sure = True
            else:
                some_other = True
    for i in range(n):
        rest = habits[REST] * (total - worth[i]) - need
        miss, hit = cost_of(rest, habits[OVER]), cost_of(rest + 1.0, habits[OVER])
        for k in range(4):
            is_sure = better[i, k] == 0
            if (need == n and some_sure and not is_sure) or (
                need == 0 and some_other and is_sure
            ):
                costs[i, k] = INF
                continue
            everyone = holders[0, CALLS_OF[cards[i], k]]
            chance = chances[AS_HELD, everyone, hidden, better[i, k]]
            costs[i, k] = miss + chance * (hit - miss) + habits[HIGH] * VALUE[cards[i]]


@inner
def _fill_follow_costs(
    cards: Ints,
    n: int,
    turn: PublicTurn,
    model: Model,
    reckoning: Reckoning,
    total: float,
    costs: Floats,
) -> None:
    """A counting seat's follows, but for those that are blunders."""
    row, _, holders, _ = turn
    chances, habits, _ = model
    unseen, _, sure, worth, _ = reckoning
    call, best, is_last, need = row[CALL], row[BEST], row[IS_LAST] == 1, row[NEED]
    after = chances[AS_LATER, holders[1, call], row[LEFT] - n]
    follows = False
    for i in range(n):
        follows = follows or (MASK[cards[i]] >> call) & 1 == 1
    sures, certain_other = 0, False
    for i in range(n):
        sures += sure[i]
        shows, value = (MASK[cards[i]] >> call) & 1 == 1, VALUE[cards[i]]
        is_certain = is_last or unseen[call] & AT_LEAST[call, value] == 0
        if shows and value >= best and sure[i] == 0 and is_certain:
            certain_other = True
    careful = 0 < sures <= need and (not follows or certain_other)
    some = False
    for sweep in range(2):  # the second where nothing is left but blunders
        for i in range(n):
            shows, value = (MASK[cards[i]] >> call) & 1 == 1, VALUE[cards[i]]
            costs[i, 0] = INF
            if follows and not shows:
                continue
            takes = shows and value >= best
            beats = bit_count(unseen[call] & AT_LEAST[call, value])
            blunder = careful and sure[i] == 1
            if need == 0:
                blunder = takes and (is_last or beats == 0)
            if sweep == 0 and blunder:
                continue
            some = True
            rest = habits[REST] * (total - worth[i]) - need
            miss, hit = cost_of(rest, habits[OVER]), cost_of(rest + 1.0, habits[OVER])
            chance = after[beats] if takes else 0.0
            costs[i, 0] = miss + chance * (hit - miss) + habits[HIGH] * value
        if some:
            break


@inner
def _fill_costs(
    cards: Ints, n: int, turn: PublicTurn, model: Model, reckoning: Reckoning, costs: Floats
) -> float:
    """What the hand is worth to a counting seat; its costs of the options are filled in."""
    row, public, holders, _ = turn
    chances, habits, _ = model
    unseen, better, sure, worth, _ = reckoning
    _count_beaters(cards, n, public, unseen, better, sure)
    total = _fill_worths(cards, n, better, holders[0], row[LEFT] - n, chances, habits, worth)
    if row[LEADS] == 1:
        _fill_lead_costs(cards, n, turn, model, reckoning, total, costs)
    else:
        _fill_follow_costs(cards, n, turn, model, reckoning, total, costs)
    return total


@inner
def _fill_facts(
    cards: Ints,
    n: int,
    turn: PublicTurn,
    chances: Floats,
    reckoning: Reckoning,
    total: float,
    options: Options,
) -> None:
    """Fills what is said of the turn (``state``) and of each option that ``costs`` has
    (``facts[place, shape]``), all about as large as 1."""
    row, _, holders, around = turn
    unseen, better, sure, worth, _ = reckoning
    costs, state, facts = options
    least, call, leads = INF, row[CALL], row[LEADS] == 1
    shapes, hidden = 4 if leads else 1, row[LEFT] - n
    for i in range(n):
        for k in range(shapes):
            least = min(least, costs[i, k])
    state[0], state[1], state[2] = n / 8, row[NEED] / 4, (total - row[NEED]) / 4
    state[3], state[4], state[5] = row[LEADS], row[IS_LAST], row[BEST] / 12
    state[6], state[7], state[8] = around[0], around[1], around[2]
    state[9] = 1.0 if leads else holders[1, call] / max(1, holders[0, call])
    for i in range(n):
        value, rest = VALUE[cards[i]], (total - worth[i] - row[NEED]) / 4
        for k in range(shapes):
            if costs[i, k] >= INF:
                continue
            own = CALLS_OF[cards[i], k] if leads else call
            shows = (MASK[cards[i]] >> own) & 1 == 1
            takes = shows and value >= row[BEST]
            chance = 0.0
            if leads:
                chance = chances[PLAIN, holders[0, own], hidden, better[i, k]]
            elif takes:
                beats = bit_count(unseen[call] & AT_LEAST[call, value])
                chance = chances[PLAIN, holders[1, call], hidden, beats]
            x, worse = facts[i, k], costs[i, k] - least
            x[0], x[1], x[2], x[3] = chance, worth[i], rest, value / 12
            x[4], x[5], x[6] = shows, takes, sure[i]
            x[7] = (own % 3 + 1) / 3 if leads else 0.0
            x[8], x[9], x[10] = min(worse, 8.0) / 4, worse < 1e-8, chance * rest


@summing
def _fill_base(state: Floats, net: Floats, base: Floats) -> None:
    """Fills the hidden units with what is the same for all options of the turn."""
    for u in range(UNITS):
        unit = net[OFFSETS + u]
        for f in range(STATE):
            unit += net[f * UNITS + u] * state[f]
        base[u] = unit


@summing
def _score(x: Floats, net: Floats, base: Floats) -> float:
    """The score of an option by what was learnt."""
    score = 0.0
    for f in range(FACTS):
        score += net[PAST + STATE + f] * x[f]
    for u in range(UNITS):
        unit = base[u]
        for f in range(FACTS):
            unit += net[(STATE + f) * UNITS + u] * x[f]
        score += net[OUT + u] * max(unit, 0.0)
    return score


@inner
def fill_scores(
    n: int, shapes: int, costs: Floats, state: Floats, facts: Floats, net: Floats, base: Floats
) -> None:
    """Puts, in place of the costs of a counting seat, those of what was learnt."""
    _fill_base(state, net, base)
    for i in range(n):
        for k in range(shapes):
            if costs[i, k] < INF:
                costs[i, k] = -_score(facts[i, k], net, base)


@inner
def _choice_chance(n: int, shapes: int, shape: int, costs: Floats) -> float:
    """How often the last card of the hand is chosen, and the shape: a softmax of −costs."""
    own = costs[n - 1, shape]
    if own >= INF:
        return 0.0
    whole = 0.0
    for i in range(n):
        for k in range(shapes):
            if costs[i, k] < INF:
                whole += math.exp(own - costs[i, k])
    return 1.0 / whole


@inner
def _tie_chance(n: int, shapes: int, shape: int, costs: Floats) -> float:
    """How often the last card of the hand is chosen, and the shape, of what costs least."""
    own, ties = costs[n - 1, shape], 0
    if own >= INF:
        return 0.0
    for i in range(n):
        for k in range(shapes):
            if costs[i, k] < own - 1e-8:
                return 0.0
            ties += costs[i, k] < own + 1e-8
    return 1.0 / ties


@inner
def bid_by_learnt(worth: float, no: int, net: Floats, seed: Seed) -> int:
    """A bid as often as experts made it with a hand of this worth."""
    at = BIDS + 9 * min(STEPS - 1, int(worth / STEP))
    mark, drawn = uniform(seed) * (1.0 - (net[at + no] if no != NONE else 0.0)), 0
    for bid in range(9):
        if bid != no:
            drawn = bid
            mark -= net[at + bid]
            if mark < 0:
                break
    return drawn


@inner
def _bid_likelihood(
    policy: int,
    cards: Ints,
    seats: int,
    bid: int,
    no: int,
    total: float,
    holds_sure: bool,
    net: Floats,
) -> float:
    """The likelihood of the bid with these eight cards."""
    if policy == EXPERT:
        at = BIDS + 9 * min(STEPS - 1, int(total / STEP))
        return net[at + bid] / (1.0 - (net[at + no] if no != NONE else 0.0))
    if policy == COUNTER:
        return 1.0 if bid_by_worth(total, seats, no, holds_sure) == bid else 0.0
    wish = bid_by_tip(policy == PRINTED, cards, 8)
    if wish == no:
        wish = wish - 1 if wish else 1
    return 1.0 if wish == bid else 0.0


@entry("void", "int64, float64, int64[:,::1]", _BIDDING, "int64", _TURNS, MODEL, "float64[::1]")
def fill_likelihoods(
    policy: int,
    slips: float,
    tried: Ints,
    bidding: Bidding,
    plays_made: int,
    turns: PublicTurns,
    model: Model,
    weights: Floats,
) -> None:
    """Fill in the likelihood of the seat's bid and plays for each row of hidden cards.

    ``slips`` is the share of moves that are anything legal, ``plays_made`` how many plays the
    seat made. What would be two slips of somebody who hardly ever slips is 0."""
    seats, bid, no = bidding
    rows, public, holders, around = turns
    chances, habits, net = model
    cards, room = np.empty(8, np.int64), tried.shape[1]
    unseen, better = np.empty(12, np.int64), np.empty((8, 4), np.int64)
    sure, worth, costs = np.empty(8, np.int64), np.empty(8), np.empty((8, 4))
    state, facts, base = np.empty(STATE), np.empty((8, 4, FACTS)), np.empty(UNITS)
    reckoning = Reckoning(unseen, better, sure, worth, base)
    options = Options(costs, state, facts)
    full, others = np.full(12, _ALL, np.int64), np.full(12, 8 * (seats - 1), np.int64)
    counts = policy >= COUNTER and slips < 1.0
    weights[:] = 1.0
    if bid != NONE:
        for t in range(len(tried)):
            for i in range(room):
                cards[i] = tried[t, i]
            for p in range(plays_made):
                cards[room + p] = rows[p, CARD]
            total, holds_sure = 0.0, False
            if counts:
                _count_beaters(cards, 8, full, unseen, better, sure)
                total = _fill_worths(cards, 8, better, others, 73, chances, habits, worth)
                holds_sure = bool(sure.any())
            fit = 0.0
            if slips < 1.0:
                fit = _bid_likelihood(policy, cards, seats, bid, no, total, holds_sure, net)
            weights[t] = (1.0 - slips) * fit + slips / (9 if no == NONE else 8)
    for p in range(plays_made):
        row = rows[p]
        turn = PublicTurn(row, public[p], holders[p], around[p])
        n, leads, call = room + plays_made - p, row[LEADS] == 1, row[CALL]
        shapes, shape = (4, call // 3) if leads else (1, 0)
        for i in range(plays_made - p):
            cards[n - 1 - i] = rows[p + i, CARD]
        for t in range(len(tried)):
            if weights[t] < _HOPELESS and slips < _HARDLY_EVER:
                weights[t] = 0.0
                continue
            for i in range(room):
                cards[i] = tried[t, i]
            legal = 0
            for i in range(n):
                legal += (MASK[cards[i]] >> call) & 1
            if leads or legal == 0:
                legal = shapes * n
            elif (MASK[cards[n - 1]] >> call) & 1 == 0:  # it would have had to follow
                weights[t] = 0.0
                continue
            fit = 0.0
            if counts:
                total = _fill_costs(cards, n, turn, model, reckoning, costs)
                if policy == EXPERT:
                    _fill_facts(cards, n, turn, chances, reckoning, total, options)
                    fill_scores(n, shapes, costs, state, facts, net, base)
                    fit = _choice_chance(n, shapes, shape, costs)
            elif slips < 1.0:
                called = NONE if leads else call
                _fill_tip_costs(
                    cards, n, called, row[BEST], row[IS_LAST] == 1, row[NEED] > 0, costs
                )
            if policy != EXPERT and slips < 1.0:
                fit = _tie_chance(n, shapes, shape, costs)
            weights[t] *= (1.0 - slips) * fit + slips / legal


@inner
def _fill_costs_and_facts(
    cards: Ints, n: int, turn: PublicTurn, model: Model, reckoning: Reckoning, options: Options
) -> float:
    """Fill ``options`` with costs and facts; the hand's worth in tricks to a counting seat."""
    total = _fill_costs(cards, n, turn, model, reckoning, options.costs)
    _fill_facts(cards, n, turn, model.chances, reckoning, total, options)
    return total


@entry("float64", "int64[::1]", _TURN, MODEL, _OPTIONS)
def fill_options(cards: Ints, turn: PublicTurn, model: Model, options: Options) -> float:
    """What a hand, before the play, is worth to a counting seat, in tricks; fills ``options``
    with its costs and with the facts of the turn and of each option, to learn from."""
    reckoning = Reckoning(
        np.empty(12, np.int64),
        np.empty((8, 4), np.int64),
        np.empty(8, np.int64),
        np.empty(8),
        np.empty(UNITS),
    )
    options.costs[:] = INF
    return _fill_costs_and_facts(cards, len(cards), turn, model, reckoning, options)


@inner
def play_by_learnt(
    cards: Ints, n: int, turn: PublicTurn, model: Model, reckoning: Reckoning, options: Options
) -> tuple[int, int]:
    """The place and the shape that an expert chooses most often."""
    _fill_costs_and_facts(cards, n, turn, model, reckoning, options)
    costs, state, facts = options
    shapes = 4 if turn.row[LEADS] == 1 else 1
    fill_scores(n, shapes, costs, state, facts, model.net, reckoning.base)
    least, place, shape = INF, 0, 0
    for i in range(n):
        for k in range(shapes):
            if costs[i, k] < least:
                least, place, shape = costs[i, k], i, k
    return place, shape

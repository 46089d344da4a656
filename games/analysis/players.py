"""What kinds of players sit at a table, from what they bid and played; and worlds dealt by it.

Each other seat is one of a few kinds (``KINDS``), by chances that a finished round sharpens:
then all hands are known, and with them how likely each kind would have bid and played so.
Within a round every seat's hidden cards are drawn by themselves, weighed by how likely each
kind makes the seat's bid and plays with them, and joined to worlds in which no card is in two
hands (policy-based inference: Rebstock, Solinas, Buro and Sturtevant 2019). Experts are judged
by a small policy learnt from their play (``experts.txt``, made by benchmarks/learnt.py).
Games with bids only. Importing this module loads the compiled kernel.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb, lgamma

import numpy as np
from numpy.typing import NDArray

from games.analysis import experience, kernel
from games.analysis.evidence import Witness
from games.analysis.simulation import HABITS, Worlds, WorldSampler
from games.rules import HAND_SIZE, Observation, Round, Variant, hook, observe

Players = tuple[tuple[float, ...], ...]
"""By seat: how likely it is each of KINDS; 0 for what it hardly can be."""

KINDS = ("tip-printed", "tip-wikipedia", "careless", "counter", "expert", "random")
_POLICY = (0, 1, 1, 2, 3, 0)
_SLIPS = (0.002, 0.002, 1 / 3, 0.002, 0.03, 1.0)
"""By kind: the policy (kernel.likelihoods), and the share of moves that may be any."""
_TRIED = (4.0, 4.0, 1.5, 1.5, 1.0, 0.2)
"""How many of HANDS are tried of each kind: the more the faster it is weighed."""
_PLAYS_AS = np.array(
    [
        kernel.PRINTED, kernel.TIP, kernel.CARELESS, kernel.COUNTER, kernel.LEARNT,
        kernel.RANDOM,
    ],
    np.int64,
)  # fmt: skip
"""How each kind bids and plays in playouts."""
_EXPERT, _QUICK = KINDS.index("expert"), 7
"""With so many cards in hand, bids being made, experts count in playouts: they play much alike,
and that is quick."""

HANDS = 2400
"""How many hands are tried for all other seats together."""

UNLIKELY = 1e-3
"""A kind that is so much less likely than the likeliest is not thought of any more."""

CHAINS, MANY_CHAINS, SWEEPS = 16, 256, 3
"""Worlds come from so many chains, from many where more than four play, as new hands seldom fit
beside so many others; so many rounds of drawing lie before a chain's first."""

STRANGER = (0.3, 0.3, 0.15, 0.12, 0.12, 0.01)
"""Of each kind: most follow the tips, for these are what the game teaches, and hardly anybody
plays anything."""


def strangers(seats: int) -> Players:
    """The players of so many seats of which nothing is known."""
    return (STRANGER,) * seats


@lru_cache
def learnt_weights(seats: int) -> NDArray[np.float64] | None:
    """The weights learnt from experts at tables of so many (kernel.likelihoods); None where its
    file cannot be used, and of more than eight seats."""
    numbers = experience.at_table(seats)
    return None if numbers is None else np.array(numbers)


@lru_cache
def tempered_void_chances() -> NDArray[np.float64]:
    """At [habit, held, unseen, t] the chance that none of t unseen cards is among so many of
    them that are held (kernel.likelihoods): two binomial coefficients, one over the other, to
    the power of the habit; 0 where it can't be."""
    logs = np.array([lgamma(n + 1) for n in range(82)])
    held, unseen, t = np.ogrid[:73, :82, :28]
    is_possible = held + t <= unseen
    left = np.where(is_possible, unseen - t, 81)
    log = logs[left] - logs[np.maximum(left - held, 0)]
    log = log - logs[unseen] + logs[np.maximum(unseen - held, 0)]
    own = HABITS[Variant.BID]
    powers = [own[kernel.HELD], own[kernel.LATER], 1.0]
    return np.stack([np.where(is_possible, np.exp(power * log), 0.0) for power in powers])


class _PublicTurns:
    """What was public at each play, for all seats."""

    def __init__(self, observation: Observation) -> None:
        self.seats, self.bids = observation.seats, observation.bids
        self.dealer = observation.dealer
        plays = [
            (seat, kernel.card_index[card], kernel.call_index[trick.call])
            for trick in (*observation.tricks, observation.trick)
            if trick is not None and trick.call is not None
            for seat, card in trick.plays
        ]
        self.plays_made = np.zeros(10, np.int64)
        self.turns = kernel.PublicTurns(
            rows=np.empty((10, HAND_SIZE, 7), np.int64),
            public=np.empty((10, HAND_SIZE, 12), np.int64),
            holders=np.empty((10, HAND_SIZE, 2, 12), np.int64),
            around=np.empty((10, HAND_SIZE, 3)),
        )
        kernel.read_turns(
            np.array(plays, np.int64).reshape(-1, 3), self.seats,
            np.array([kernel.NONE if bid is None else bid for bid in self.bids], np.int64),
            self.plays_made, self.turns,
        )  # fmt: skip

    def weigh(self, seat: int, kind: int, hands: NDArray[np.int64]) -> NDArray[np.float64]:
        """By row of hidden cards, the likelihood of the seat's bid and plays by this kind."""
        bid, no = self.bids[seat], None
        if bid is not None and seat == self.dealer:
            no = hook([None if s == seat else each for s, each in enumerate(self.bids)])
        weights, net = np.empty(len(hands)), learnt_weights(self.seats)
        assert net is not None  # or nobody is read
        bidding = kernel.Bidding(
            self.seats, kernel.NONE if bid is None else bid, kernel.NONE if no is None else no
        )
        kernel.fill_likelihoods(
            _POLICY[kind],
            _SLIPS[kind],
            hands,
            bidding,
            self.plays_made[seat],
            kernel.PublicTurns(*(turns[seat] for turns in self.turns)),
            kernel.Model(tempered_void_chances(), HABITS[Variant.BID], net),
            weights,
        )
        return weights


@lru_cache(maxsize=500)
def players_after(players: Players, round: Round) -> Players:
    """The players as they are known when a round of bids is over, all hands being known. A seat
    that did what none of its kinds would do is a stranger again: somebody else may play for it
    now."""
    if learnt_weights(round.seats) is None:
        return players
    public = _PublicTurns(observe(round, None))
    return tuple(
        _weighed(public, seat, before) or _weighed(public, seat, STRANGER)
        for seat, before in enumerate(players)
    )


def _weighed(public: _PublicTurns, seat: int, before: tuple[float, ...]) -> tuple[float, ...]:
    """How likely each kind is after a finished round; empty where none would play so."""
    none = np.empty((1, 0), np.int64)
    now = [
        chance * float(public.weigh(seat, kind, none)[0]) if chance else 0.0
        for kind, chance in enumerate(before)
    ]
    likely = [chance if chance > UNLIKELY * max(now) else 0.0 for chance in now]
    return tuple(chance / sum(likely) for chance in likely) if any(likely) else ()


class Reader:
    """Deals worlds as likely as the bids and plays of the other seats make them, each seat
    being one of some kinds of ``players``."""

    def __init__(
        self, observation: Observation, sampler: WorldSampler, players: Players, *, seed: int
    ) -> None:
        self._seed = np.array([seed], np.uint64)
        public = _PublicTurns(observation)
        unseen = np.flatnonzero(sampler.known_world == kernel.HIDDEN)
        rooms = observation.hand_sizes
        others = [s for s in range(observation.seats) if s != observation.seat and rooms[s]]
        self._players = np.array(others, np.int64)
        self._rooms = np.array([rooms[seat] for seat in others], np.int64)
        self._picks = np.empty((len(others), kernel.PICKS), np.int64)
        hands, kinds = [], []
        for p, seat in enumerate(others):
            pool = unseen[kernel.MASK[unseen] & sampler.voids[seat] == 0]
            tried, weights, of_kind = [], [], []
            for kind, chance in enumerate(players[seat]):
                if chance:
                    some = self._hands(
                        pool, rooms[seat], round(HANDS * _TRIED[kind] / len(others))
                    )
                    tried.append(some)
                    weights.append(public.weigh(seat, kind, some) * (chance / len(some)))
                    of_kind.append(np.full(len(some), kind))
            kernel.pick_by_weight(np.concatenate(weights), self._seed, self._picks[p])
            hands.append(np.concatenate(tried))
            kinds.append(np.concatenate(of_kind))
        most = max(map(len, hands))
        self._tried = np.zeros((len(others), most, HAND_SIZE), np.int64)
        self._kinds = np.zeros((len(others), most + 1), np.int64)
        for p, (some, each) in enumerate(zip(hands, kinds, strict=True)):
            self._tried[p, : len(some), : some.shape[1]] = some
            self._kinds[p, : len(each)] = each
            self._kinds[p, -1] = np.argmax(players[others[p]])  # of hands that the walk dealt
        chains = CHAINS if observation.seats <= 4 else MANY_CHAINS
        self._chains = Witness(observation, sampler).deal(chains, seed=seed)[0]
        self._sweeps = SWEEPS
        self._policies = np.full(observation.seats, kernel.TIP, np.int64)
        if observation.seat is not None:
            self._policies[observation.seat] = kernel.LEARNT
        self._plays_as = _PLAYS_AS.copy()
        if not observation.is_bidding and len(observation.hand) >= _QUICK:
            self._plays_as[_EXPERT] = kernel.COUNTER

    def _hands(self, pool: NDArray[np.int64], room: int, count: int) -> NDArray[np.int64]:
        """So many hands, or each possible one."""
        ways = comb(len(pool), room)
        hands = np.empty((min(ways, count), room), np.int64)
        if ways <= count:
            kernel.fill_combinations(pool, hands)
        else:
            kernel.draw_hands(pool, self._seed, hands)
        return hands

    def deal(self, count: int, *, seed: int) -> tuple[Worlds, NDArray[np.int64]]:
        """So many further worlds, and the policies that go with them, as [world, seat]."""
        worlds = np.empty((count, 81), np.int8)
        chosen = np.empty((count, len(self._players)), np.int64)
        kernel.join_hands(
            self._chains, self._players, self._rooms, self._tried, self._picks, self._sweeps,
            np.array([seed], np.uint64), worlds, chosen,
        )  # fmt: skip
        self._sweeps = 1
        policies = np.repeat(self._policies[None, :], count, axis=0)
        for p, seat in enumerate(self._players):
            policies[:, seat] = self._plays_as[self._kinds[p, chosen[:, p]]]
        return worlds, policies

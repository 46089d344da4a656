"""From the rules' values to the kernel's arrays and back: worlds dealt and played to their end.

Importing this module loads the compiled kernel: see ``games.analysis.load``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import astuple
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.analysis import kernel
from games.analysis.counter import habits
from games.analysis.jobs import check_wanted
from games.analysis.knowledge import Contradiction, Knowledge
from games.analysis.outcomes import Outcome
from games.rules import HAND_SIZE, Bid, Card, Move, Observation, Round, Variant, points

BATCH = 1_000
"""Worlds between two looks at whether to go on."""

MAX_WORLDS = 200_000

TABLE_LIMIT = 400_000
"""Entries of the sampler's table above which worlds come from its Markov chain."""

HABITS = {variant: np.array(astuple(habits(variant))) for variant in Variant}

Worlds = NDArray[np.int8]

NO_VOIDS = np.zeros(10, np.int64)
NO_ALONE = np.empty(0, np.int64)
NO_LOG = np.empty((0, 0, 0, 2), np.int8)
Learnt = tuple[NDArray[np.float64], NDArray[np.float64]]
NOTHING_LEARNT: Learnt = np.empty((0, 0, 0, 0)), np.empty(0)


class WorldSampler:
    """Deals worlds that agree with what a seat knows, all equally likely."""

    def __init__(
        self, knowledge: Knowledge, hand: Sequence[Card] = (), *, table_limit: int = TABLE_LIMIT
    ) -> None:
        """``hand`` is the knowing seat's own. Raises :class:`Contradiction` if the voids leave
        no possible deal."""
        self.known_world = np.full(81, kernel.PLAYED, np.int8)
        unseen = [kernel.card_index[card] for card in knowledge.unseen]
        self.known_world[unseen] = kernel.HIDDEN
        owner = kernel.NONE if knowledge.seat is None else knowledge.seat
        for card in hand:
            self.known_world[kernel.card_index[card]] = owner
        masks = [sum(1 << kernel.call_index[call] for call in void) for void in knowledge.voids]
        self.voids = np.array([*masks, *[0] * (11 - len(masks))], np.int64)
        groups: dict[int, list[int]] = {0: []}
        for seat, mask in enumerate(masks):
            if knowledge.rooms[seat]:
                groups.setdefault(mask, []).extend([seat] * knowledge.rooms[seat])
        groups[0].extend([kernel.UNDEALT] * knowledge.undealt)
        sizes = [len(places) for places in groups.values()]
        self._groups = np.array(list(groups), np.int64)
        self._starts = np.cumsum([0, *sizes]).astype(np.int64)
        self._places = np.array([s for places in groups.values() for s in places], np.int64)
        binding = kernel.MASK[unseen] & np.bitwise_or.reduce(self._groups)
        self._cards = np.array(unseen, np.int64)[np.argsort(binding == 0, kind="stable")]
        self._bound = int(np.count_nonzero(binding))
        self._dealt = np.empty(len(unseen), np.int64)
        self._table: Any = None
        if not kernel.first_world(self._cards, self._groups, self._starts, self._dealt):
            raise Contradiction("no deal of the unseen cards agrees with all proven voids")
        if (self._bound + 1) * prod(size + 1 for size in sizes[1:]) <= table_limit:
            self._table = kernel.count_table(
                self._cards, self._bound, self._groups, self._starts
            )

    @property
    def is_exact(self) -> bool:
        """Whether worlds are independent draws, not steps of a Markov chain."""
        return self._table is not None

    def deal(self, count: int, *, seed: int) -> Worlds:
        """So many worlds, as rows of 81 bytes."""
        worlds = np.empty((count, 81), np.int8)
        worlds[:] = self.known_world
        state = np.array([seed], np.uint64)
        if self.is_exact:
            kernel.deal_worlds(
                self._table, self._cards, self._bound, self._groups, self._starts,
                self._places, state, worlds,
            )  # fmt: skip
        else:
            kernel.mix_worlds(
                self._cards, self._groups, self._starts, self._places, self._dealt.copy(),
                state, worlds,
            )  # fmt: skip
        return worlds


class PlayoutPoint:
    """A point of play in the kernel's words; plays worlds on from there."""

    def __init__(
        self,
        observation: Observation,
        *,
        policies: Sequence[int],
        voids: NDArray[np.int64] = NO_VOIDS,
        learnt: Learnt = NOTHING_LEARNT,
    ) -> None:
        """``policies[s]`` is how seat s plays (kernel.TIP, COUNTING and so on). Seats that are
        kernel.LEARNT need the table's proven ``voids``, as bits by seat, and what was
        ``learnt`` (chances and weights, see games.analysis.players)."""
        trick = observation.trick
        call, best, best_seat = kernel.NONE, 0, kernel.NONE
        plays: dict[int, Card] = {}
        leader = (observation.dealer + 1) % observation.seats
        if trick is not None:
            leader, plays = trick.leader, dict(trick.plays)
        if trick is not None and trick.call is not None and trick.winner is not None:
            call, best_seat = kernel.call_index[trick.call], trick.winner
            best = plays[best_seat].value
        me = kernel.NONE if observation.seat is None else observation.seat
        done, has_bids = len(observation.tricks), observation.variant is Variant.BID
        point = [
            me,
            leader,
            call,
            best,
            best_seat,
            len(plays),
            done,
            observation.dealer,
            has_bids,
        ]
        self._position = kernel.PlayoutStart(
            seats=observation.seats,
            point=np.array(point, np.int64),
            taken=np.array(observation.taken, np.int64),
            aims=np.array(aims(observation), np.int64),
            voids=voids,
        )
        self._policies = np.array([policies], np.int64)
        chances, net = learnt
        self._model = kernel.Model(chances, HABITS[observation.variant], net)

    def play(
        self,
        worlds: Worlds,
        moves: Sequence[Move | None],
        *,
        seed: int,
        policies: NDArray[np.int64] | None = None,
        log: NDArray[np.int8] = NO_LOG,
    ) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
        """Play each world out once with each move first (None: as the policy has it).

        Returns the tricks of every seat in the end, as [world, move, seat], and who took the
        trick in play, as [world, move]. A world has the same chances whatever the move. Of
        [world, seat], ``policies`` stand in for the stage's. A
        ``log`` of [world, move, play, 2] gets the plays (see kernel.play_worlds).
        """
        candidates = np.array([_kernel_move(move) for move in moves], np.int64)
        tricks = np.empty((len(worlds), len(moves), self._position.seats), np.int8)
        takers = np.empty((len(worlds), len(moves)), np.int8)
        kernel.play_worlds(
            worlds,
            self._position,
            self._policies if policies is None else policies,
            candidates,
            NO_ALONE,
            self._model,
            np.array([seed], np.uint64),
            kernel.Playouts(tricks, takers, log),
        )
        return tricks, takers


def aims(observation: Observation) -> list[int]:
    """How many tricks each seat wants: all, none, its bid, or NONE where it has yet to bid."""
    if observation.variant is Variant.BID:
        return [kernel.NONE if bid is None else bid for bid in observation.bids]
    return [9 if observation.variant is Variant.WIN else 0] * observation.seats


def _kernel_move(move: Move | None) -> tuple[int, int]:
    """A move as the kernel has it: (card, shape), or (NONE, bid); NONE where it has none."""
    if move is None:
        return kernel.NONE, kernel.NONE
    if isinstance(move, Bid):
        return kernel.NONE, move.number
    shape = kernel.NONE if move.call is None else move.call.shape.position
    return kernel.card_index[move.card], shape


def points_by_tricks(variant: Variant, bid: int | None) -> tuple[int, ...]:
    """A seat's points for 0, 1, … 8 tricks taken; all 0 while it has not bid."""
    if variant is Variant.BID and bid is None:
        return (0,) * (HAND_SIZE + 1)
    return tuple(points(variant, bid=bid, taken=taken) for taken in range(HAND_SIZE + 1))


def policies(observation: Observation) -> list[int]:
    """The policies that odds are simulated with: the seat itself counts cards and aims at its
    bid, the others follow the tips."""
    chosen = [kernel.TIP] * observation.seats
    if observation.seat is not None:
        chosen[observation.seat] = kernel.COUNTING
    return chosen


def simulate(
    observation: Observation,
    deal: Callable[[int, int], Worlds],
    moves: Sequence[Move | None],
    *,
    worlds: int,
    seed: int,
) -> tuple[Outcome, ...]:
    """The outcome of each move for the observation's seat; ``deal(count, seed)`` gives worlds.
    Raises ``jobs.Cancelled`` between two batches."""
    if not 1 <= worlds <= MAX_WORLDS:
        raise ValueError(f"worlds are 1 to {MAX_WORLDS:,}, not {worlds:,}")
    seat = observation.seat
    if seat is None:
        raise ValueError("a watcher has no moves")
    point = PlayoutPoint(observation, policies=policies(observation))
    tricks = np.zeros((len(moves), HAND_SIZE + 1), np.int64)
    taking = np.zeros(len(moves), np.int64)
    for size, own in batches(worlds, seed):
        final, takers = point.play(deal(size, own), moves, seed=own)
        tricks += tally(final[:, :, seat])
        taking += (takers == seat).sum(axis=0)
    return tuple(
        outcome(observation, move, int(taking[m]), tricks[m]) for m, move in enumerate(moves)
    )


def batches(worlds: int, seed: int) -> Iterator[tuple[int, int]]:
    """(worlds, seed) of each batch of so many worlds; raises ``jobs.Cancelled`` before one that
    nobody waits for any more."""
    for number, start in enumerate(range(0, worlds, BATCH)):
        check_wanted()
        own = seed ^ (number * 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF)
        yield min(BATCH, worlds - start), own


def tally(tricks: NDArray[np.int8]) -> NDArray[np.int64]:
    """How often 0…8 tricks were taken: of [world, move] the counts as [move, tricks]."""
    each = range(HAND_SIZE + 1)
    return np.stack([(tricks == k).sum(axis=0) for k in each], axis=1).astype(np.int64)


def outcome(
    observation: Observation, move: Move | None, taking: int, tricks: NDArray[np.int64]
) -> Outcome:
    """The outcome of a move, of how many worlds ended with each number of tricks."""
    seat = observation.seat
    assert seat is not None
    bid = move.number if isinstance(move, Bid) else observation.bids[seat]
    return Outcome(
        move=move,
        worlds=int(tricks.sum()),
        taking=None if observation.trick is None else taking,
        tricks=tuple(map(int, tricks)),
        worth=points_by_tricks(observation.variant, bid),
    )


def world_of(round: Round) -> Worlds:
    """The one world of a round whose hands are known, as one row."""
    world = np.full((1, 81), kernel.UNDEALT, np.int8)
    for trick in (*round.tricks, *([] if round.trick is None else [round.trick])):
        world[0, [kernel.card_index[card] for _, card in trick.plays]] = kernel.PLAYED
    for seat, hand in enumerate(round.hands):
        world[0, [kernel.card_index[card] for card in hand]] = seat
    return world

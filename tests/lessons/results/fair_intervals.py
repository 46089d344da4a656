"""Thousands of classes that play, all at once: do the intervals of the pages of results hold
what such classes come to in the long run?

Every student bids by the high cards of the hand and by a habit of their own, leads what beats
most of its class and follows as high as it can or as low, all with some noise. So tables with
the same cards bid and lead alike, and those who sit together miss together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, product
from math import comb

import numpy as np
from numpy.typing import NDArray

from lessons.results import inference
from lessons.results.dealt import dealing
from tests.lessons.results.fair import SIZES, Starmap

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

COUNTS = np.array(list(product((1, 2, 3), repeat=4)))
VALUE = COUNTS.sum(axis=1)
CALLS = np.array([[c[k // 3] == k % 3 + 1 for c in COUNTS] for k in range(12)])
"""Which cards show each of the twelve calls."""

TOO_HIGH, HABIT, LEADS_BY = 0.3, 0.6, 0.8
"""How much the class bids too high, how students differ in that, and how much chance there is
in what is led."""

AT_ONCE = 40_000
"""Deals that are played at once."""


@dataclass(frozen=True, slots=True)
class Kind:
    """How many sit at a table, how many rounds they play, whether all play the same boards,
    between how many students there are."""

    seats: int
    rounds: int
    duplicate: bool
    students: tuple[int, int] = (8, 40)

    def __str__(self) -> str:
        cards = "duplicate" if self.duplicate else "separate"
        return f"{cards}, {self.seats} seats, {self.rounds} rounds"


@dataclass(frozen=True)
class Played:
    """What came of many deals: of each its class, table and board; by seat ``off`` (bid less
    taken) and the ``points``; the total ``value`` of its cards; by trick the ``chance`` that a
    lead was safe and whether it was."""

    of: Ints
    table: Ints
    board: Ints
    off: Ints
    points: Ints
    value: Ints
    chance: Floats
    safe: NDArray[np.bool_]


def play(kind: Kind, classes: int, rng: np.random.Generator) -> Played:
    """So many classes of this kind."""
    low, high = kind.students
    tables = np.maximum(1, rng.integers(low, high + 1, classes) // kind.seats)
    of = np.repeat(np.arange(classes), tables * kind.rounds)
    table = np.repeat(np.arange(tables.sum()), kind.rounds)
    number = np.tile(np.arange(kind.rounds), int(tables.sum()))
    board = of * kind.rounds + number if kind.duplicate else np.arange(len(of))
    order = np.argsort(rng.random((board.max() + 1, 81), np.float32), axis=1)
    cards = order[:, : 8 * kind.seats].reshape(-1, kind.seats, 8)
    habits = rng.normal(TOO_HIGH, HABIT, (int(tables.sum()), kind.seats))
    found = []
    for first in range(0, len(of), AT_ONCE):
        now = slice(first, first + AT_ONCE)
        dealt = cards[board[now]]
        taken, chance, safe = _tricks(dealt, number[now] % kind.seats, rng)
        high_cards = (VALUE[dealt] >= 9).sum(axis=2)
        means = 8 / kind.seats + 0.6 * (high_cards - 8 * 31 / 81) + habits[table[now]]
        bids = np.clip(np.rint(means + rng.normal(0, 0.5, means.shape)), 0, 8)
        off = bids.astype(int) - taken
        found.append((off, np.where(off == 0, taken, -np.abs(off)), chance, safe))
    off, points, chances, safes = (np.concatenate(each) for each in zip(*found, strict=True))
    value = VALUE[cards].sum(axis=(1, 2))[board]
    return Played(of, table, board, off, points, value, chances, safes)


def _tricks(
    cards: Ints, leader: Ints, rng: np.random.Generator
) -> tuple[Ints, Floats, NDArray[np.bool_]]:
    """Eight tricks at many tables at once: how many each seat took, and of each lead the exact
    chance that nobody held a better card, and whether nobody did."""
    deals, seats, _hand = cards.shape
    every = np.arange(deals)
    where = np.full((deals, 81), -1)
    for seat in range(seats):
        where[every[:, None], cards[:, seat]] = seat
    left = np.ones(cards.shape, bool)
    taken = np.zeros((deals, seats), int)
    chances, safe = np.empty((deals, 8)), np.empty((deals, 8), bool)
    for trick in range(8):
        own, has = cards[every, leader], left[every, leader]
        counts = COUNTS[own]
        worth = VALUE[own][:, :, None] - counts + rng.normal(0, LEADS_BY, counts.shape)
        best = np.where(has[:, :, None], worth, -99).reshape(deals, -1).argmax(axis=1)
        place, shape = best // 4, best % 4
        led = own[every, place]
        call = 3 * shape + COUNTS[led, shape] - 1
        better = CALLS[call] & (VALUE[led][:, None] <= VALUE)
        unseen = (where != -2) & (where != leader[:, None])
        rivals = (better & unseen).sum(axis=1)
        many, out = 81 - (8 - trick) - seats * trick, (seats - 1) * (8 - trick)
        table = [comb(many - t, out) / comb(many, out) for t in range(28)]
        chances[:, trick] = np.array(table)[rivals]
        safe[:, trick] = ~(better & (where >= 0) & (where != leader[:, None])).any(axis=1)
        left[every, leader, place] = False
        where[every, led] = -2
        highest, winner = VALUE[led].copy(), leader.copy()
        for step in range(1, seats):
            seat = (leader + step) % seats
            own, has = cards[every, seat], left[every, seat]
            shows = CALLS[call[:, None], own] & has
            value = VALUE[own] + rng.normal(0, 0.4, own.shape)
            beats = shows & (VALUE[own] >= highest[:, None])
            may = np.where(beats.any(axis=1)[:, None], beats, np.where(
                shows.any(axis=1)[:, None], shows, has))  # fmt: skip
            sign = np.where(beats.any(axis=1), 1, -1)[:, None]
            place = np.where(may, sign * value, -99).argmax(axis=1)
            left[every, seat, place] = False
            card = own[every, place]
            where[every, card] = -2
            wins = shows[every, place] & (VALUE[card] >= highest)
            highest = np.where(wins, VALUE[card], highest)
            winner = np.where(wins, seat, winner)
        taken[every, winner] += 1
        leader = winner
    return taken, chances, safe


# What the pages make of it.


def group(chance: Floats) -> Ints:
    """The group of leads on the page: fifths, and certain ones alone."""
    found: Ints = np.where(chance >= 1, 5, np.minimum((chance * 5).astype(int), 4))
    return found


def by_class(played: Played) -> Iterator[slice]:
    """The deals of each class."""
    ends = np.flatnonzero(np.diff(played.of)) + 1
    edges = [0, *ends.tolist(), len(played.of)]
    for first, end in pairwise(edges):
        yield slice(first, end)


def count(kind: Kind, classes: int, seed: int = 31) -> dict[str, tuple[float, int]]:
    """Of each interval, the share of classes in which it holds what such classes come to, and
    in how many there was one."""
    rng = np.random.default_rng([seed, kind.seats, kind.rounds, kind.duplicate])
    told, held = Counter[str](), Counter[str]()
    parts = [play(kind, min(1000, classes - n), rng) for n in range(0, classes, 1000)]
    groups = [group(part.chance) for part in parts]
    shares = {"leads": _share([part.safe for part in parts])}
    for n in range(5):
        own = [part.safe[at == n] for part, at in zip(parts, groups, strict=True)]
        shares[f"leads {20 * n} to {20 * n + 20}%"] = _share(own)
    bias = _share([part.off for part in parts])
    for part, at in zip(parts, groups, strict=True):
        for now in by_class(part):
            boards, tables = part.board[now].tolist(), part.table[now].tolist()
            found = {"bids": (inference.mean_interval(_misses(part, now)), bias)}
            found["all cards"] = (_two_deviations(part, now), 8.0)
            for n, (key, share) in enumerate(shares.items(), -1):
                kept = at[now] == n if n >= 0 else np.ones_like(part.safe[now])
                hits = [
                    inference.Hit(tables[deal], boards[deal], came)
                    for deal, came in zip(
                        np.nonzero(kept)[0].tolist(), part.safe[now][kept].tolist(), strict=True
                    )
                ]
                found[key] = (inference.share_interval(hits), share)
            for key, (between, true) in found.items():
                if between is not None:
                    told[key] += 1
                    held[key] += between[0] <= true <= between[1]
    return {key: (held[key] / n, n) for key, n in told.items()}


def _two_deviations(part: Played, now: slice) -> tuple[float, float]:
    """Of the mean of all cards: the dotted lines of a classroom's page, after its last deal."""
    _boards, first = np.unique(part.board[now], return_index=True)
    seats = part.off.shape[1]
    *_before, last = dealing.running_mean((seats, n) for n in part.value[now][first].tolist())
    return last.mean - 2 * last.deviation, last.mean + 2 * last.deviation


def _misses(part: Played, now: slice) -> list[inference.Miss]:
    rows = zip(part.table[now].tolist(), part.board[now].tolist(), strict=True)
    return [
        inference.Miss(table, board, off)
        for (table, board), offs in zip(rows, part.off[now].tolist(), strict=True)
        for off in offs
    ]


def _share(parts: list[NDArray[np.bool_]] | list[Ints]) -> float:
    return sum(float(part.sum()) for part in parts) / sum(part.size for part in parts)


def kinds() -> list[Kind]:
    """All sizes, separate tables and duplicate ones."""
    return [Kind(*size, duplicate) for duplicate in (False, True) for size in SIZES]


def lines(classes: int, starmap: Starmap) -> Iterator[dict[str, object]]:
    """Of each kind how often each interval holds."""
    counted = starmap(count, [(kind, classes) for kind in kinds()])
    for kind, found in zip(kinds(), counted, strict=True):
        shares = {key: round(share, 4) for key, (share, _n) in found.items()}
        yield {"of": str(kind), "classes": classes, **shares}

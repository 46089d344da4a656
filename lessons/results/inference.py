"""How often luck alone goes as far as what was seen: the numbers behind verdicts, but
an experiment's (``games/analysis/draws.py``). Pure.

``tests/lessons/results/fair_classes.py`` plays thousands of fair classes through the pages
that say these verdicts and counts the wrong ones (docs/results.md)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import lru_cache
from math import erfc, sqrt
from typing import NamedTuple

from games.analysis.significance import t_quantile

DEALT = 2000
"""Classes that are dealt to see how far luck goes."""


def normal_p_value(z: float) -> float:
    """The two-sided p-value of a standard normal deviate: how often luck goes at least so many
    standard deviations from theory, up or down."""
    return erfc(abs(z) / sqrt(2))


def goodness_of_fit(counts: Sequence[int], shares: Sequence[float]) -> float:
    """The p-value of counts beside a multinomial model, by Monte Carlo (Barnard 1963): how
    often independent hands that fall into categories with these ``shares`` miss the expected
    counts by as much, all categories together; always the same classes are dealt."""
    gaps = _chance_distances(sum(counts), tuple(shares))
    own = sum(abs(n - sum(counts) * share) for n, share in zip(counts, shares, strict=True))
    return (1 + sum(gap >= own - 1e-6 for gap in gaps)) / (1 + len(gaps))


@lru_cache(maxsize=64)
def _chance_distances(hands: int, shares: tuple[float, ...]) -> tuple[float, ...]:
    """By simulated sample, the sum of the differences of its counts from those expected."""
    import numpy as np  # late: only pages of such a lesson need it

    chances = np.array(shares) / sum(shares)
    dealt = np.random.default_rng(hands).multinomial(hands, chances, size=DEALT)
    gaps: list[float] = np.abs(dealt - hands * np.array(shares)).sum(axis=1).tolist()
    return tuple(gaps)


# Intervals: where a figure of these players would lie in most other sessions, with other cards.


class Hit(NamedTuple):
    """Something that happened or did not: at which table, of which board."""

    table: Hashable
    board: Hashable
    came: bool


class Miss(NamedTuple):
    """By how much something missed: at which table, of which board; or by how much so many
    missed there, together."""

    table: Hashable
    board: Hashable
    off: int
    many: int = 1


FLOOR = 0.5
"""Squares of tricks: two tables that are one trick apart, together. Whole numbers may agree by
luck, which proves nothing."""


def share_interval(hits: Iterable[Hit]) -> tuple[float, float] | None:
    """The 95% confidence interval of a share, robust to clusters: made so that
    in 95 of 100 sessions it holds the true share. None where all rests on one board, which
    cannot tell how boards differ.

    Boards are drawn anew, with all that happened at every table that played them (Korn and
    Graubard 1998, by Wilson's interval). Tables with the same cards do alike, even where few
    boards do not show it: so many of them count as the root of their number, at most.
    """
    boards: dict[Hashable, list[Hit]] = defaultdict(list)
    for hit in hits:
        boards[hit.board].append(hit)
    if len(boards) < 2:
        return None
    rows = [
        (sum(hit.came for hit in own), len(own), len({hit.table for hit in own}))
        for own in boards.values()
    ]
    count = sum(n for _came, n, _tables in rows)
    share = sum(came for came, _n, _tables in rows) / count
    effective = sum(n / sqrt(tables) for _came, n, tables in rows)
    squares = sum((came - share * n) ** 2 for came, n, _tables in rows)
    varies = squares * len(rows) / (len(rows) - 1) / count**2
    if varies > 1e-15:
        effective = min(effective, share * (1 - share) / varies)
    weight = t_quantile(len(rows) - 1) ** 2 / effective
    middle = (share + weight / 2) / (1 + weight)
    half = sqrt(weight * share * (1 - share) + weight**2 / 4) / (1 + weight)
    return max(0.0, middle - half), min(1.0, middle + half)


def mean_interval(misses: Iterable[Miss]) -> tuple[float, float] | None:
    """The 95% confidence interval of a mean, robust to clusters: made so that in
    95 of 100 sessions it holds the true mean. None where all rests on one table, or on one
    board.

    Whole tables are drawn anew: what one seat bids the others answer, and they sit together
    round after round. Where several played the same boards these are drawn anew, too; each has
    its own bound, and both are added up as squares.
    """
    tables, boards = defaultdict[Hashable, int](int), defaultdict[Hashable, int](int)
    at_table, of_board = defaultdict[Hashable, int](int), defaultdict[Hashable, int](int)
    pairs = set()
    for table, board, off, many in misses:
        tables[table] += off
        boards[board] += off
        at_table[table] += many
        of_board[board] += many
        pairs.add((table, board))
    if len(tables) < 2 or len(boards) < 2:
        return None
    count = sum(at_table.values())
    mean = sum(tables.values()) / count
    squares = _bound(tables, at_table, mean)
    if len(pairs) > len(boards):
        squares += _bound(boards, of_board, mean)
    return mean - sqrt(squares), mean + sqrt(squares)


MIN_PAIRS = 10
"""Of fewer pairs nothing is said."""


class PairedCosts(NamedTuple):
    """What something cost beside what else would have cost: of which board."""

    board: Hashable
    ours: float
    other: float


def saved_interval(pairs: Sequence[PairedCosts]) -> tuple[float, float] | None:
    """The 95% confidence interval of a ratio, by the jackknife: made so that in 95 of 100
    sessions it holds the true share by which ours cost less. None of few pairs, or where all
    rests on one board.

    Boards are left out one by one, with all that happened at every table that played them (the
    jackknife of a ratio of two sums); of boards that weigh unequally fewer count.
    """
    boards: dict[Hashable, list[PairedCosts]] = defaultdict(list)
    for pair in pairs:
        boards[pair.board].append(pair)
    count, other = len(boards), sum(pair.other for pair in pairs)
    if count < 2 or len(pairs) < MIN_PAIRS or not other:
        return None
    saved = 1 - sum(pair.ours for pair in pairs) / other
    weights, squares = 0.0, 0.0
    for own in boards.values():
        weight = sum(pair.other for pair in own) / other
        off = sum(pair.other * (1 - saved) - pair.ours for pair in own)
        squares += (off / (1 - weight)) ** 2 if weight < 1 else 0
        weights += weight**2
    squares = max(squares, FLOOR) * count / (count - 1)
    half = t_quantile(1 / weights - 1 + 1e-6) * sqrt(squares) / other
    return saved - half, saved + half


def _bound(offs: Mapping[Hashable, int], counts: Mapping[Hashable, int], mean: float) -> float:
    """The square of how far a mean goes if these groups are drawn anew, at most: at least a
    whole trick in one of them. ``offs`` are sums, of so many (``counts``)."""
    freedom = len(offs) - 1
    squares = sum((off - counts[group] * mean) ** 2 for group, off in offs.items())
    count = sum(counts.values())
    return t_quantile(freedom) ** 2 * max(squares, FLOOR) * len(offs) / freedom / count**2

"""How good forecasts are: the ranked probability score, beside always saying what is usual.

A forecast gives nine chances, for 0 to 8 tricks. Eight questions lie in it, "at least one
trick?" to "all eight?": each is missed by as much as was said of what did not come, and the
squares of the misses are added up (Epstein 1969). So a chance that was put one trick off costs
less than one that was put five tricks off, and saying what one believes is best. Pure; exact.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

from lessons.results import inference

USUAL: dict[int, tuple[int, ...]] = {
    2: (88, 543, 1474, 1945, 1903, 1945, 1474, 543, 88),
    3: (535, 1688, 2683, 2321, 1584, 869, 274, 43, 3),
    4: (1220, 2526, 3008, 1952, 928, 311, 50, 5, 0),
    5: (1931, 3007, 2952, 1497, 485, 115, 13, 1, 0),
    6: (2603, 3262, 2708, 1107, 269, 45, 5, 0, 0),
    7: (3195, 3362, 2458, 809, 155, 19, 1, 0, 0),
    8: (3803, 3285, 2148, 647, 106, 10, 0, 0, 0),
    9: (4266, 3240, 1917, 498, 74, 5, 0, 0, 0),
    10: (4718, 3102, 1702, 420, 53, 4, 0, 0, 0),
}
"""What is usual at a table of so many seats: of 10,000 seats how many take 0 to 8 tricks where
everybody bids and plays by the encyclopedia's tip (7,700 rounds and more of each size). Fixed:
an average of the class's own forecasts would beat most of them."""


def ranked_probability_score(shares: Sequence[int], taken: int) -> Fraction:
    """The ranked probability score of one forecast, in any whole parts: 0 where all was said of
    what came, 1 for each trick that a sure one is off.

    >>> ranked_probability_score([0, 0, 100, 0, 0, 0, 0, 0, 0], 5)
    Fraction(3, 1)
    >>> ranked_probability_score([10, 20, 50, 20], 2)
    Fraction(7, 50)
    """
    total, so_far, squares = sum(shares), 0, 0
    for tricks, share in enumerate(shares[:-1]):
        so_far += share
        squares += (so_far - total * (taken <= tricks)) ** 2
    return Fraction(squares, total**2)


class JudgedForecast(NamedTuple):
    """A forecast in percents, the tricks that came, the seats at the table, and which board."""

    percents: Sequence[int]
    taken: int
    seats: int
    board: Hashable = None


class Score(NamedTuple):
    """The scores of some forecasts, added up, beside those of what is usual; and one by one."""

    forecasts: int
    ours: Fraction
    usual: Fraction
    pairs: tuple[inference.PairedCosts, ...] = ()

    @property
    def skill_score(self) -> Fraction:
        """The skill score: the share by which they miss less than the usual; below 0, more."""
        return 1 - self.ours / self.usual if self.usual else Fraction()

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95% confidence interval of the skill score."""
        return inference.saved_interval(self.pairs)

    @property
    def is_significant(self) -> bool:
        """Whether luck alone seldom goes so far from what is usual."""
        return self.interval is not None and not self.interval[0] <= 0 <= self.interval[1]


def score_of(rows: Iterable[JudgedForecast]) -> Score:
    """The score of these forecasts together: of sums, so that no single hand decides."""
    return sum_of(_score_alone(row) for row in rows)


def _score_alone(row: JudgedForecast) -> Score:
    ours = ranked_probability_score(row.percents, row.taken)
    usual = ranked_probability_score(USUAL[row.seats], row.taken)
    return Score(1, ours, usual, (inference.PairedCosts(row.board, float(ours), float(usual)),))


def sum_of(scores: Iterable[Score]) -> Score:
    """Several scores as one."""
    parts = list(scores)
    return Score(
        sum(each.forecasts for each in parts),
        sum((each.ours for each in parts), Fraction()),
        sum((each.usual for each in parts), Fraction()),
        tuple(pair for each in parts for pair in each.pairs),
    )

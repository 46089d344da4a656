"""Two treatments drawn for whole tables, and drawn anew to see what chance alone does. Pure.

Tables that begin together are drawn together, as one *wave*. Of all ways to give treatments A
and B to its tables those are equally likely that leave all tables so far, of earlier waves,
too, as even as they can be. What is drawn anew is drawn by the same rule, so that every way
that might have come is as likely as the one that came: the comparison is exact without any
model of players (a randomization test, with whole tables as its units).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import comb
from random import Random
from typing import TYPE_CHECKING, Any

from games.analysis.significance import ALPHA

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_ASSIGNMENTS = 10_000
"""All assignments are gone through up to so many; of more, so many are drawn."""

FEWEST_TABLES = 6
"""Of fewer tables nothing is judged: every difference is among the commonest there are."""

_CLOSE = 1e-9  # two differences that are equal, but for how floats are rounded


def balanced_counts(before: int, new: int) -> tuple[int, ...]:
    """How many of ``new`` tables may get the treatment that is behind after ``before`` tables
    (either, if they are even): one number, or two that leave both equally balanced.

    >>> [balanced_counts(*each) for each in ((0, 10), (0, 7), (7, 1), (7, 2))]
    [(5,), (3, 4), (1,), (1, 2)]
    """
    lead = before % 2
    gaps = {k: abs(2 * k - new - lead) for k in range(new + 1)}
    return tuple(k for k, gap in gaps.items() if gap == min(gaps.values()))


def assignment_count(waves: Sequence[int]) -> int:
    """The number of equally likely assignments of tables in waves of these sizes.

    >>> assignment_count([10]), assignment_count([7]), assignment_count([7, 1])
    (252, 70, 70)
    """
    count, before = 1, 0
    for new in waves:  # after an odd number A may be ahead, or B: as many ways follow either
        count *= sum(comb(new, k) for k in balanced_counts(before, new))
        before += new
    return count


def assignments(waves: Sequence[int]) -> Iterator[tuple[bool, ...]]:
    """Each assignment of such waves: by table, wave by wave, whether it gets A.

    >>> sorted(assignments([1, 1]))
    [(False, True), (True, False)]
    """
    if not waves:
        yield ()
        return
    for earlier in assignments(waves[:-1]):
        is_a_ahead = _a_is_ahead(earlier)
        for k in balanced_counts(len(earlier), waves[-1]):
            for chosen in combinations(range(waves[-1]), k):
                yield earlier + tuple((n in chosen) != is_a_ahead for n in range(waves[-1]))


def draw_wave(before: Sequence[bool], new: int, rng: Random) -> tuple[bool, ...]:
    """Whether each of ``new`` tables gets A, after those drawn ``before``: one of the equally
    likely ways."""
    few, *more = balanced_counts(len(before), new)
    many = more[0] if more else few
    total = comb(new, few) + (comb(new, many) if more else 0)
    k = few if rng.randrange(total) < comb(new, few) else many
    chosen = set(rng.sample(range(new), k))
    return tuple((n in chosen) != _a_is_ahead(before) for n in range(new))


def _a_is_ahead(drawn: Sequence[bool]) -> bool:
    return 2 * sum(drawn) > len(drawn)


@dataclass(frozen=True, slots=True)
class RandomizationTest:
    """The same tables drawn anew: the difference of the treatments' means in each assignment, A
    less B; ``is_all`` if these are all there are, else they were drawn. ``observed`` is the
    difference in the one that came, ``tables`` how many are compared."""

    differences: tuple[float, ...]
    is_all: bool
    observed: float
    tables: int

    def count_as_extreme(self, first: int | None = None) -> int:
        """How many of the (``first``) differences are at least as far from 0, up or down, as
        the one observed."""
        far = abs(self.observed) - _CLOSE
        return sum(abs(difference) >= far for difference in self.differences[:first])

    @property
    def p_value(self) -> float:
        """How often chance alone does as much: the p-value, two-sided. Where some were
        drawn, the one that came counts as one of them, so that it is never too small."""
        own = not self.is_all
        return (own + self.count_as_extreme()) / (own + len(self.differences))

    @property
    def is_judged(self) -> bool:
        """Whether there are tables enough for a verdict."""
        return self.tables >= FEWEST_TABLES

    @property
    def is_rare(self) -> bool:
        """Whether chance alone does as much in less than one draw of twenty: the verdict."""
        return self.is_judged and self.p_value < ALPHA

    @property
    def could_be_rare(self) -> bool:
        """Whether any result of these tables could have been called rare."""
        far = max(map(abs, self.differences)) - _CLOSE
        farthest = sum(abs(each) >= far for each in self.differences)
        return self.is_judged and (not self.is_all or farthest / len(self.differences) < ALPHA)


def randomization_test(
    waves: Sequence[int], is_a: Sequence[bool], means: Sequence[float | None], *, seed: int = 0
) -> RandomizationTest | None:
    """The randomization test of the difference between both treatments: what it would have been
    in the other ways. ``means`` are the tables' own, None for a table that came to nothing: it
    is drawn with the others and compared with none. None where either treatment has no table to
    compare. ``seed`` settles which ways are drawn where there are too many."""
    import numpy as np  # late: only pages of an experiment need it

    counted = [n for n, mean in enumerate(means) if mean is not None]
    values = np.array([means[n] for n in counted], float)
    own = np.array([[is_a[n] for n in counted]], bool)
    if not 0 < own.sum() < len(counted):
        return None
    is_all = assignment_count(waves) <= MOST_ASSIGNMENTS
    key = tuple(waves)
    drawn = _shuffled_assignments(key) if is_all else _sampled_assignments(key, seed)
    differences = _differences(drawn[:, counted], values)
    return RandomizationTest(
        tuple(differences[~np.isnan(differences)].tolist()),
        is_all,
        float(_differences(own, values)[0]),
        len(counted),
    )


def _differences(drawn: NDArray[Any], values: NDArray[Any]) -> NDArray[Any]:
    """A's mean less B's, by way; nan where either has nothing to compare."""
    import numpy as np

    of_a = drawn.sum(axis=1)
    of_b = drawn.shape[1] - of_a
    sum_a = drawn @ values
    with np.errstate(invalid="ignore", divide="ignore"):
        differences: NDArray[Any] = sum_a / of_a - (values.sum() - sum_a) / of_b
    differences[(of_a == 0) | (of_b == 0)] = np.nan
    return differences


@lru_cache(maxsize=32)
def _shuffled_assignments(waves: tuple[int, ...]) -> NDArray[Any]:
    """All assignments, shuffled with a fixed seed, so that the first are a random sample."""
    import numpy as np

    every_way = np.array(list(assignments(waves)), bool)
    return np.random.default_rng(0).permutation(every_way)


@lru_cache(maxsize=8)
def _sampled_assignments(waves: tuple[int, ...], seed: int) -> NDArray[Any]:
    """MOST_ASSIGNMENTS by lot, a row each: for every table, wave by wave, whether it gets A."""
    import numpy as np

    rng = np.random.default_rng(seed)
    drawn = np.zeros((MOST_ASSIGNMENTS, 0), bool)
    for new in waves:
        before = drawn.shape[1]
        options = balanced_counts(before, new)
        weights = np.array([comb(new, k) for k in options], float)
        k = rng.choice(options, size=MOST_ASSIGNMENTS, p=weights / weights.sum())
        places = rng.random((MOST_ASSIGNMENTS, new)).argsort(axis=1).argsort(axis=1)
        is_a_ahead = 2 * drawn.sum(axis=1) > before
        drawn = np.hstack([drawn, (places < k[:, None]) != is_a_ahead[:, None]])
    return drawn

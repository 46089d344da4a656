"""What a class gained between two tests whose forms are crossed, and how sure that is. Pure.

``benchmarks/learners.py`` lets thousands of classes learn, guess, copy and stay away, and
counts how often these verdicts are wrong (docs/assessment.md)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import sqrt
from typing import TYPE_CHECKING, NamedTuple

from games.analysis.draws import RandomizationTest
from games.analysis.significance import ALPHA, t_quantile

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[tuple[int, ...], np.dtype[np.float64]]

FEWEST_A_HALF = 8
"""Below so many with both tests in either half there is a picture and no verdict."""

FEWEST_A_SKILL = 10
"""Of a skill nothing is said of fewer with both tests."""

FLIPS = 1999
"""Ways in which the signs are flipped."""

ANSWER_VARIANCE = 0.22
"""Of an answer to one question around the share that its student gets right: somewhat less than
the .25 of a coin, as students differ."""


LESSON_GAIN, FAIR = 0.2, 0.5
"""With a control: what a lesson gives of the share right about it, one question of five; and
how likely a class has to see that much for one to be offered."""

HARDER = 4
"""A test with a control sees as much as one of a quarter of its questions: half of them are
about a lesson, and two gains are compared."""


class PairedShares(NamedTuple):
    """The shares right of one student who took both tests."""

    first: float
    second: float
    is_a_first: bool

    @property
    def gain(self) -> float:
        return self.second - self.first


class Gain(NamedTuple):
    """What a class gained: the mean of the halves' mean gains, in which the difference between
    the forms (B less A, as both halves estimate it) cancels; its 95% confidence
    interval and the p-value of no gain, None where too few took both tests."""

    mean: float
    form_difference: float
    low: float | None = None
    high: float | None = None
    p_value: float | None = None

    @property
    def is_shown(self) -> bool:
        """Whether the class gained more than luck does, all but once in twenty."""
        return self.low is not None and self.low > 0

    @property
    def is_loss(self) -> bool:
        return self.high is not None and self.high < 0

    def of(self, pair: PairedShares) -> float:
        """One student's gain less the forms' difference."""
        return pair.gain + (-self.form_difference if pair.is_a_first else self.form_difference)


def gain_of(pairs: Sequence[PairedShares]) -> Gain | None:
    """The gain of these students and its interval; None where a half is empty.

    The interval holds every gain that flipping signs does not refute: of the residuals under
    it, the forms' difference fitted, signs are flipped at random, and the studentized mean is
    compared (Freedman and Lane 1983 for the nuisance; Hemerik, Goeman and Finos 2020 for the
    signs). It supposes no shape of the errors but that they are symmetric.
    """
    halves = [
        [pair.gain for pair in pairs if pair.is_a_first is side] for side in (True, False)
    ]
    if not all(halves):
        return None
    means = [sum(half) / len(half) for half in halves]
    gain = Gain((means[0] + means[1]) / 2, (means[0] - means[1]) / 2)
    if min(map(len, halves)) < FEWEST_A_HALF:
        return gain
    low, high, p_value = _interval(tuple(halves[0]), tuple(halves[1]))
    return gain._replace(low=low, high=high, p_value=p_value)


def gain_test(pairs: Sequence[PairedShares], length: int) -> RandomizationTest | None:
    """The randomization test of the gain in questions of a form of this length: nobody gained,
    and signs are flipped at random, each by its own spread, as ``gain_of`` compares it
    (studentized, times our standard error); its ``tables`` are students. None without a
    verdict."""
    gain = gain_of(pairs)
    if gain is None or gain.p_value is None:
        return None
    halves = [
        tuple(pair.gain for pair in pairs if pair.is_a_first is way) for way in (True, False)
    ]
    flips = _Flips(halves[0], halves[1])
    sizes = tuple(float(each) for each in length * flips.error * flips.studentized(0.0))
    return RandomizationTest(sizes, False, length * flips.mean, len(pairs))


@lru_cache(maxsize=256)
def _interval(
    a_first: tuple[float, ...], b_first: tuple[float, ...]
) -> tuple[float, float, float]:
    """(low, high, p): the 95% confidence interval of the gain, and the p-value of none."""
    flips = _Flips(a_first, b_first)
    reach = 4 * t_quantile(len(a_first) + len(b_first) - 2) * flips.error + 1e-9
    ends = [_end(flips.p_value, flips.mean, flips.mean + way * reach) for way in (-1, 1)]
    return ends[0], ends[1], flips.p_value(0.0)


class _Flips:
    """The gains of both halves: their mean, its standard error, and both with signs flipped."""

    def __init__(self, a_first: Sequence[float], b_first: Sequence[float]) -> None:
        import numpy as np  # late: only pages with such a result need it

        self._halves = [np.array(a_first), np.array(b_first)]
        self._students = len(a_first) + len(b_first)
        self._signs = np.split(_signs(self._students), [len(a_first)], axis=1)
        means, errors = _estimate(
            [np.array([half.sum()]) for half in self._halves], self._halves
        )
        self.mean, self.error = float(means[0]), float(errors[0])

    def studentized(self, true: float) -> Array:
        """By flip the mean by its standard error, were this the true gain: of what is left
        beside it and the forms' difference, which is fitted."""
        import numpy as np

        left = [half - true for half in self._halves]
        form = (left[0].sum() - left[1].sum()) / self._students
        rest = [left[0] - form, left[1] + form]
        sums = [flip @ half for flip, half in zip(self._signs, rest, strict=True)]
        means, errors = _estimate(sums, rest)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.nan_to_num(means / errors, nan=0.0)

    def p_value(self, true: float) -> float:
        """How often flipped signs go as far as the gain that came, were this the true one."""
        import numpy as np

        sizes = np.abs(self.studentized(true))
        off = abs(self.mean - true)
        own = off / self.error if self.error else float("inf") if off else 0.0
        return float(1 + np.count_nonzero(sizes >= own - 1e-9)) / (1 + len(sizes))


def _end(p_value: Callable[[float], float], inside: float, outside: float) -> float:
    """The gain between these two at which the p-value crosses ALPHA: an end of the interval."""
    for _step in range(14):
        middle = (inside + outside) / 2
        if p_value(middle) >= ALPHA:
            inside = middle
        else:
            outside = middle
    return inside


@lru_cache(maxsize=8)
def _signs(students: int) -> Array:
    """FLIPS rows of signs; always the same, so that a page says the same."""
    import numpy as np

    rng = np.random.default_rng(students)
    return rng.choice((-1.0, 1.0), size=(FLIPS, students))


def _estimate(sums: Sequence[Array], halves: Sequence[Array]) -> tuple[Array, Array]:
    """The mean of both halves' means and its standard error (Welch), for each sum of a half's
    gains with their signs flipped: flipping leaves their squares."""
    import numpy as np

    means, squares = np.zeros(len(sums[0])), np.zeros(len(sums[0]))
    for total, half in zip(sums, halves, strict=True):
        n = len(half)
        means += total / n / 2
        squares += np.maximum(half @ half - total**2 / n, 0) / (n - 1) / n / 4
    return means, np.sqrt(squares)


@lru_cache(maxsize=256)
def power(students: int, questions: float, gain: float) -> float:
    """How likely a class of so many students sees this gain in its share right, with so many
    questions a test: from the noncentral t of a class whose answers vary by
    ANSWER_VARIANCE. 0 for classes without a verdict."""
    if students < 2 * FEWEST_A_HALF:
        return 0.0
    import numpy as np

    error = sqrt(2 * ANSWER_VARIANCE / questions / students)
    rng = np.random.default_rng(0)
    freedom = students - 2
    normal = rng.normal(gain / error, 1, 40_000)
    scale = np.sqrt(rng.chisquare(freedom, 40_000) / freedom)
    return float(np.mean(normal / scale > t_quantile(freedom)))

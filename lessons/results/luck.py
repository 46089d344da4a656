"""How often luck alone goes as far as what was seen: the numbers behind every verdict. Pure.

``tests/lessons/results/fair_classes.py`` plays thousands of fair classes through the pages
that say these verdicts and counts the wrong ones (docs/results.md)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import atan, cos, erfc, pi, sin, sqrt

RARE = 0.05
"""Below it luck goes less often than in one class of twenty."""

DEALT = 2000
"""Classes that are dealt to see how far luck goes."""


def by_normal(size: float) -> float:
    """How often luck goes at least so many standard deviations from theory, up or down."""
    return erfc(abs(size) / sqrt(2))


def by_student(size: float, freedom: int) -> float:
    """The same where the deviation was itself estimated, with so many degrees of freedom:
    Student's t, by the finite sums of Abramowitz and Stegun 26.7.3 and 26.7.4. Of nothing to
    estimate from, always.

    >>> round(by_student(2.306, 8), 3), round(by_student(12.706, 1), 3)
    (0.05, 0.05)
    """
    if freedom < 1:
        return 1.0
    angle = atan(abs(size) / sqrt(freedom))
    term, total = (cos(angle), 0.0) if freedom % 2 else (1.0, 0.0)
    for n in range(1 + freedom % 2, freedom, 2):
        total += term
        term *= cos(angle) ** 2 * n / (n + 1)
    within = sin(angle) * total
    if freedom % 2:
        within = (angle + within) * 2 / pi
    return max(0.0, 1 - within)


def of_groups(sums: Sequence[float], variance: float) -> float:
    """How often luck goes as far from 0 as the total of these sums. Each is of one board, and
    boards are independent; what was made of one board at several tables is not. ``variance``
    is the total's if all that was added up were independent: the larger one counts, since few
    boards may agree by luck."""
    boards, total = len(sums), sum(sums)
    if boards < 2:
        return 1.0
    mean = total / boards
    among = boards / (boards - 1) * sum((each - mean) ** 2 for each in sums)
    deviation = sqrt(max(among, variance))
    return by_student(total / deviation, boards - 1) if deviation else 1.0


def of_shares(counts: Sequence[int], shares: Sequence[float]) -> float:
    """How often independent hands that fall into categories with these ``shares`` miss the
    expected counts by as much, all categories together: of classes that are dealt the same
    number of hands, always the same classes."""
    gaps = _gaps(sum(counts), tuple(shares))
    own = sum(abs(n - sum(counts) * share) for n, share in zip(counts, shares, strict=True))
    return (1 + sum(gap >= own - 1e-6 for gap in gaps)) / (1 + len(gaps))


@lru_cache(maxsize=64)
def _gaps(hands: int, shares: tuple[float, ...]) -> tuple[float, ...]:
    import numpy as np  # late: only pages of such a lesson need it

    chances = np.array(shares) / sum(shares)
    dealt = np.random.default_rng(hands).multinomial(hands, chances, size=DEALT)
    gaps: list[float] = np.abs(dealt - hands * np.array(shares)).sum(axis=1).tolist()
    return tuple(gaps)

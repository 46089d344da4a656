"""How often luck alone goes as far as what was seen: the numbers behind every verdict. Pure.

``tests/lessons/results/fair_classes.py`` plays thousands of fair classes through the pages
that say these verdicts and counts the wrong ones (docs/results.md)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import erfc, sqrt

RARE = 0.05
"""Below it luck goes less often than in one class of twenty."""

DEALT = 2000
"""Classes that are dealt to see how far luck goes."""


def by_normal(size: float) -> float:
    """How often luck goes at least so many standard deviations from theory, up or down."""
    return erfc(abs(size) / sqrt(2))


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

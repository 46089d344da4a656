"""Intervals of luck beside their formulas, worked out by hand."""

from __future__ import annotations

from math import sqrt

import pytest

from lessons.results.inference import (
    Hit,
    Miss,
    PairedCosts,
    mean_interval,
    saved_interval,
    share_interval,
)

BY_1 = 12.706
"""Student's bound of one degree of freedom."""


def test_what_was_saved_on_two_boards() -> None:
    """On one it was half, on the other nothing: a quarter of 20; each board weighs half, and is
    2.5 off."""
    pairs = [PairedCosts(board, ours, 2) for board, ours in ((1, 1), (2, 2)) for _ in range(5)]
    half = BY_1 * sqrt(2 * (2.5 / 0.5) ** 2 * 2 / 1) / 20
    assert saved_interval(pairs) == pytest.approx((0.25 - half, 0.25 + half))


def test_the_mean_of_two_tables() -> None:
    """One is 2 off twice, the other never: the mean is 1, each table's sum 2 away from it."""
    misses = [Miss(table, board, off) for board, (table, off) in enumerate([(1, 2), (1, 2)])]
    misses += [Miss(2, board, 0) for board in (2, 3)]
    half = BY_1 * sqrt((2**2 + 2**2) * 2 / 1 / 4**2)
    assert mean_interval(misses) == pytest.approx((1 - half, 1 + half))


def test_tables_with_the_same_boards_are_drawn_by_both() -> None:
    """Two tables, both on two boards: the tables are as before, the boards agree and are held
    to be a trick apart."""
    misses = [Miss(table, board, off) for table, off in ((1, 2), (2, 0)) for board in (1, 2)]
    half = BY_1 * sqrt((8 + 0.5) * 2 / 1 / 4**2)
    assert mean_interval(misses) == pytest.approx((1 - half, 1 + half))


def test_a_share_of_two_boards() -> None:
    """All came on one and nothing on the other: as good as 0.5 * 0.5 / (2 * 4 * 2 / 1 / 16)
    that are independent, in Wilson's interval."""
    hits = [Hit(1, board, board == 1) for board in (1, 2) for _ in range(2)]
    weight = BY_1**2 / (0.25 / (2 * 1**2 * 2 / 1 / 4**2))
    half = sqrt(weight * 0.25 + weight**2 / 4) / (1 + weight)
    assert share_interval(hits) == pytest.approx((0.5 - half, 0.5 + half))


def test_boards_that_many_tables_share_count_as_the_root_of_their_number() -> None:
    """Four tables, two boards, half came on each: two hits of four, by the root of four tables
    as good as two a board."""
    hits = [Hit(table, board, table < 3) for board in (1, 2) for table in (1, 2, 3, 4)]
    weight = BY_1**2 / (2 * 4 / sqrt(4))
    half = sqrt(weight * 0.25 + weight**2 / 4) / (1 + weight)
    assert share_interval(hits) == pytest.approx((0.5 - half, 0.5 + half))


@pytest.mark.parametrize("count", [8, 9])
def test_of_few_pairs_or_one_board_nothing_is_said(count: int) -> None:
    assert saved_interval([PairedCosts(number % 2, 1, 2) for number in range(count)]) is None
    assert saved_interval([PairedCosts(1, 1, 2) for _ in range(20)]) is None
    assert mean_interval([Miss(1, 1, 0), Miss(1, 2, 1)]) is None
    assert mean_interval([Miss(1, 1, 0), Miss(2, 1, 1)]) is None
    assert share_interval([Hit(1, 1, True), Hit(2, 1, False)]) is None

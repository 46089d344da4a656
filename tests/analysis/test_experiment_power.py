"""What the teacher is told beforehand: how often an experiment sees that two tips differ."""

from __future__ import annotations

import os
from random import Random

import pytest

from benchmarks.experiment import a_class, is_rare, shares
from games.analysis.draws import draw_wave, randomization_test
from games.classes.experiments import POWER

SOAK = os.environ.get("XACTIKA_SOAK") == "1"


def test_false_alarms_of_tables_that_play_alike() -> None:
    """Both halves bid by tip A. Tables of a class are as good as drawn anew, so that a few
    classes, each with many lots, tell as much as a thousand classes with one."""
    rng, rare, lots = Random(11), 0, 0
    for _class in range(5):
        both = a_class(5, 2, rng, same=True)
        points = [*both[0], *both[1]]
        usual = [sum(table[board] for table in points) / 10 for board in range(2)]
        means = [
            sum(own - mean for own, mean in zip(table, usual, strict=True)) / 2
            for table in points
        ]
        for _lot in range(200):
            drawn = randomization_test([10], draw_wave((), 10, rng), means)
            rare += drawn is not None and drawn.is_rare
            lots += 1
    assert lots == 1000
    assert rare <= 60


def test_six_tables_never_see_it() -> None:
    rng = Random(12)
    both = a_class(6, 1, rng)
    assert not is_rare(both, 6, rng)


@pytest.mark.skipif(not SOAK, reason="plays 150 classes of twenty tables by each tip")
@pytest.mark.parametrize("boards", [4, 8])
def test_the_figures_told_beforehand(boards: int) -> None:
    tables = tuple(POWER[boards])
    for line in shares(150, boards, seed=99, tables=tables, follows=1.0):
        told = POWER[boards][int(line["tables"])]
        assert abs(10 * line["rare"] - told) <= 1.7, line  # half a class, and 3 SD of 150


@pytest.mark.skipif(not SOAK, reason="plays 1,000 classes of ten tables")
def test_false_alarms_of_a_thousand_classes() -> None:
    (line,) = shares(1000, 2, seed=7, tables=(10,), follows=1.0, same=True)
    assert line["rare"] <= 0.06

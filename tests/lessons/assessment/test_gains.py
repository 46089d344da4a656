"""What a class gained: by hand, by symmetry, and in classes that have learnt nothing."""

from __future__ import annotations

from random import Random

import pytest

from games.analysis.significance import ALPHA
from lessons.assessment.assessed import AnswerSheet, Assessed, Given, Taken, discrimination
from lessons.assessment.gains import FEWEST_A_HALF, PairedShares, gain_of, gain_test, power
from lessons.exercises import EXERCISES
from lessons.models import Assessment, Taker
from tests.scenes import present

Half = list[tuple[float, float]]


def pairs_of(a_first: Half, b_first: Half) -> list[PairedShares]:
    return [PairedShares(*each, True) for each in a_first] + [
        PairedShares(*each, False) for each in b_first
    ]


def test_the_forms_difference_cancels() -> None:
    """B is easier by a fifth, everybody gains a tenth."""
    gain = present(gain_of(pairs_of([(0.2, 0.5), (0.4, 0.7)], [(0.4, 0.3), (0.6, 0.5)])))
    assert gain.mean == pytest.approx(0.1)
    assert gain.form_difference == pytest.approx(0.2)
    assert [gain.of(each) for each in pairs_of([(0.2, 0.5)], [(0.4, 0.3)])] == pytest.approx(
        [0.1, 0.1]
    )


@pytest.mark.parametrize("drift", [0.0, 0.3])
def test_a_control_tells_the_lessons_from_the_time(drift: float) -> None:
    """Everybody gains by time and practice, in one lesson's questions more; half of them had
    lesson "one", which gives a fifth of the questions about it, the others lesson "two", which
    gives a tenth: the lessons' mean is .15, by other arithmetic than the page's."""
    assessment = Assessment(
        lesson="the-deal",
        control_lesson="the-lead",
        form_a=[{"exercise": key} for key in by_lesson(3, 10) + by_lesson(4, 10)],
    )
    taken = []
    for place, lesson in enumerate(["the-deal"] * 10 + ["the-lead"] * 10):
        gains = {"the-deal": drift, "the-lead": 0.1}
        gains[lesson] += 0.2 if lesson == "the-deal" else 0.1
        form = Taker.Form.A if place % 2 else Taker.Form.B
        after = sheet_of(0.2 + gains["the-deal"], 0.2 + gains["the-lead"])
        taken.append(Taken(place, form, sheet_of(0.2, 0.2), after, lesson))
    effect = present(gain_of(Assessed(assessment, tuple(taken)).contrasts()))
    assert effect.mean == pytest.approx(0.15)
    assert effect.is_shown


def by_lesson(number: int, count: int) -> list[str]:
    """So many types of a lesson, again from the first where it has fewer."""
    keys = [each.key for each in EXERCISES.values() if each.lesson == number]
    return [keys[place % len(keys)] for place in range(count)]


def sheet_of(*shares: float) -> AnswerSheet:
    """Of ten questions about each lesson these shares are right."""
    given = {
        10 * lesson + number: Given(number <= round(10 * share), ())
        for lesson, share in enumerate(shares)
        for number in range(1, 11)
    }
    return AnswerSheet(20, given)


def test_few_have_a_picture_and_no_verdict() -> None:
    half: Half = [(0.1, 0.9)] * (FEWEST_A_HALF - 1)
    gain = present(gain_of(pairs_of(half, [*half, (0.1, 0.9)])))
    assert (gain.low, gain.high, gain.p_value, gain.is_shown) == (None, None, None, False)
    assert gain_of(pairs_of(half, [])) is None


def a_class(
    rng: Random, *, size: tuple[int, int], gain: float, form: float
) -> list[PairedShares]:
    """So many in either half, each with their own share, ten questions a test."""

    def right(share: float) -> float:
        return sum(rng.random() < share for _question in range(10)) / 10

    found = []
    for is_a_first in [True] * size[0] + [False] * size[1]:
        share = min(0.9, max(0.1, rng.gauss(0.45, 0.2)))
        first = right(share + (0 if is_a_first else form))
        second = right(share + gain + (form if is_a_first else 0))
        found.append(PairedShares(first, second, is_a_first))
    return found


@pytest.mark.parametrize("size", [(8, 8), (9, 16)])
def test_classes_that_learnt_nothing_are_seldom_told_so(size: tuple[int, int]) -> None:
    """120 classes: more than 15 misses would be beyond one in a thousand. The great run is
    ``benchmarks.learners``."""
    rng = Random(7)
    gains = [gain_of(a_class(rng, size=size, gain=0, form=0.15)) for _class in range(120)]
    covered = [each for each in gains if each and (each.low or 0) <= 0 <= (each.high or 0)]
    assert len(covered) >= 105
    assert sum(bool(each and each.is_shown) for each in gains) <= 10


def test_a_large_gain_is_seen() -> None:
    rng = Random(8)
    gains = [gain_of(a_class(rng, size=(12, 12), gain=0.3, form=0.1)) for _class in range(20)]
    assert sum(bool(each and each.is_shown) for each in gains) >= 19


def test_a_gain_and_its_mirror_are_as_sure() -> None:
    found = a_class(Random(9), size=(10, 12), gain=0.1, form=0.1)
    mirrored = [PairedShares(-each.first, -each.second, each.is_a_first) for each in found]
    gain, loss = gain_of(found), gain_of(mirrored)
    assert gain is not None
    assert loss is not None
    assert loss.mean == pytest.approx(-gain.mean)
    assert loss.p_value == pytest.approx(gain.p_value or 0, abs=0.02)
    assert loss.high == pytest.approx(-(gain.low or 0), abs=0.02)


def test_everybody_gains_the_same() -> None:
    """No residuals: the interval is the gain."""
    gain = present(gain_of(pairs_of([(0.2, 0.4)] * 9, [(0.5, 0.7)] * 9)))
    assert gain.low == pytest.approx(0.2, abs=0.01)
    assert gain.high == pytest.approx(0.2, abs=0.01)


def test_power_grows_with_class_questions_and_gain() -> None:
    assert power(15, 10, 0.15) == 0
    assert power(24, 10, 0.0) == pytest.approx(0.025, abs=0.01)
    assert power(24, 10, 0.05) < power(24, 10, 0.1) < power(24, 10, 0.15)
    assert power(16, 10, 0.1) < power(32, 10, 0.1)
    assert power(24, 8, 0.1) < power(24, 12, 0.1)


def test_discrimination_is_a_correlation() -> None:
    right = [True] * 5 + [False] * 5
    rest = [0.9, 0.8, 0.7, 0.8, 0.9, 0.1, 0.2, 0.3, 0.2, 0.1]
    told = present(discrimination(right, rest))
    mean_x, mean_y = 0.5, sum(rest) / 10
    cov = sum((x - mean_x) * (y - mean_y) for x, y in zip(right, rest, strict=True))
    sd = (sum((x - mean_x) ** 2 for x in right) * sum((y - mean_y) ** 2 for y in rest)) ** 0.5
    assert told == pytest.approx(cov / sd)
    assert discrimination(right[:9], rest[:9]) is None
    assert discrimination([True] * 10, rest) is None
    assert discrimination(right, [0.5] * 10) is None


def test_the_picture_of_luck_says_what_the_interval_says() -> None:
    """Its bars are compared as the p-value is: rare where the interval leaves nought out."""
    rng = Random(10)
    for gain in (0.0, 0.1, 0.15):
        pairs = a_class(rng, size=(10, 11), gain=gain, form=0.1)
        found, chance = gain_of(pairs), gain_test(pairs, 10)
        assert found is not None
        assert chance is not None
        assert chance.observed == pytest.approx(10 * found.mean)
        assert chance.p_value == pytest.approx(found.p_value)
        assert (chance.p_value < ALPHA) == (not (found.low or 0) <= 0 <= (found.high or 0))
    assert gain_test(pairs[:12], 10) is None

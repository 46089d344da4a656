"""What pages say of luck: seldom wrong of a fair class, and not blind for one that is not."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from math import sqrt
from random import Random

import numpy as np
import pytest

from games.analysis.significance import ALPHA
from lessons.results import inference
from lessons.results.bids import bidding
from lessons.results.dataset import Dataset
from lessons.results.dealt import dealing
from lessons.results.learned.learning import Learning
from lessons.results.session import dashboard
from lessons.results.taught import taught_lessons
from lessons.results.words import verdict
from tests.lessons.results.fair_classes import (
    FAR,
    POWERS,
    Kind,
    a_class,
    a_lesson,
    count,
    kinds,
    page,
)
from tests.scenes import SOAK

CLASSES = 10_002 if SOAK else 24
VERDICTS = ("chance goes", "chance does", "goes this far", "too sure", "surer", "be luck")


def most(classes: int) -> float:
    """6% of so few classes, and what luck adds to that in one test of 10,000."""
    return 0.06 * classes + 3.7 * sqrt(0.06 * 0.94 * classes)


@pytest.mark.parametrize("duplicate", [False, True])
@pytest.mark.parametrize("forecasts", POWERS)
def test_fair_classes_are_seldom_told_something_wrong(forecasts: str, duplicate: bool) -> None:
    """At most six of a hundred, of all sizes together; in the soak of 10,000."""
    shown = kinds(forecasts, duplicate=duplicate)
    found = {kind: count(kind, CLASSES // len(shown)) for kind in shown}
    together = sum(found.values(), Counter())
    for about in ("any", "student's forecasts", "score wrongly", "student's score wrongly"):
        assert together[about] <= (0.06 * CLASSES if SOAK else most(CLASSES)), found


@pytest.mark.parametrize("duplicate", [False, True])
def test_a_large_class_that_is_too_sure_is_told_so(duplicate: bool) -> None:
    """Not always, and more seldom where all tables play the same eight boards."""
    kind = Kind(4, 8, duplicate, "too sure", students=(36, 40))
    told = count(kind, 40)
    assert told["noticed"] > (2 if duplicate else 14)


def test_cards_that_were_not_shuffled_are_noticed() -> None:
    """Of 40 students, each hand's lowest card was swapped for the best that was left over."""
    rng = np.random.default_rng(2)
    facts = a_class(Kind(4, 8, duplicate=False, students=(40, 40)), rng)
    deals = tuple(deal._replace(hands=_stacked(deal.hands)) for deal in facts.deals)
    said = page(replace(facts, deals=deals), ())
    assert FAR in said["hands"]
    assert FAR in said["tile hands"]
    assert said["tile hands"].startswith("Our deals were unusual.")
    prepared = tuple(deal._replace(is_drawn=False) for deal in deals)
    told = page(replace(facts, deals=prepared), ())
    assert "prepared, not left to chance" in told["hands"]
    assert not any(FAR in text for text in told.values())


def _stacked(hands: list[list[str]]) -> list[list[str]]:
    used = {code for hand in hands for code in hand}
    left = sorted(set(dealing.VALUE) - used, key=dealing.VALUE.__getitem__)
    return [[*sorted(hand, key=dealing.VALUE.__getitem__)[1:], left.pop()] for hand in hands]


@pytest.mark.parametrize(
    "kind", [Kind(4, 8, True, lesson=True), Kind(2, 2, False, lesson=True)]
)
def test_a_figure_has_one_verdict_on_a_page(kind: Kind) -> None:
    """The mean card value on top and at its chart, a lesson's chart on top and beside it."""
    for seed in range(12 if SOAK else 6):
        rng = np.random.default_rng(seed)
        facts = a_class(kind, rng)
        lessons = a_lesson(facts, rng)
        said = page(facts, lessons)
        if "hold a sure winner" not in said["tile hands"]:
            assert _verdict(said["tile hands"]) == _verdict(said["hands"])
        assert taught_lessons.verdict_count(facts, lessons) == 4 + bool(facts.forecasts)
        not_played = Dataset((), (), (), came=facts.came)
        only = tuple(replace(each, data=not_played) for each in lessons)
        told = page(not_played, only)
        (top,) = (key for key in told if key.startswith("tile lesson"))
        assert _verdict(told[top]) == _verdict(told[top.removeprefix("tile ")])
        assert taught_lessons.verdict_count(not_played, only) == 2


def _verdict(text: str) -> str:
    (found,) = (words for words in VERDICTS[:3] if words in text)
    return text[max(0, text.index(found) - 12) :].partition(".")[0]


def test_verdicts_stand_only_where_they_are_judged() -> None:
    """Leads, points, bids and standings are told without one."""
    rng = np.random.default_rng(5)
    facts = a_class(Kind(4, 8, True, lesson=True), rng)
    said = page(facts, a_lesson(facts, rng))
    judged = {key for key, text in said.items() if any(words in text for words in VERDICTS)}
    of_lesson = {key for key in said if key.startswith("lesson") and "steps" not in key}
    judged -= {"forecasts", "student's forecasts", "calibration"}
    judged -= {"bids-by-seat"}  # it says what overlapping strokes mean
    judged -= {"tile hands", "tile forecasts", "tile points"}  # their panels' sentences
    assert judged == {"hands", "points", *of_lesson}
    assert "It may just be luck" in said["points"]


@pytest.mark.parametrize("of", [1, 3])
def test_the_farthest_of_several_is_not_said_to_be_rarer_than_it_is(of: int) -> None:
    """Fair figures: "farther than in 19 of 20 classes" is said of one class in twenty."""
    rng = Random(6)
    trials = 4000
    said = Counter(
        verdict(
            inference.normal_p_value(max(abs(rng.gauss(0, 1)) for _figure in range(of))), of=of
        )
        for _class in range(trials)
    )
    far = sum(n for words, n in said.items() if FAR in words)
    assert 0.036 < far / trials < 0.056


def test_a_lesson_s_chart_is_judged_as_a_whole() -> None:
    """Its tallest bar may be just as high as theory has it, and the others far off."""
    shares = [0.5, 0.25, 0.25]
    assert inference.goodness_of_fit([100, 50, 50], shares) == 1
    assert inference.goodness_of_fit([100, 80, 20], shares) < 0.002
    assert inference.goodness_of_fit([100, 55, 45], shares) > 0.5


@pytest.mark.parametrize("hands", [20, 400])
def test_luck_with_shares_is_as_rare_as_it_says(hands: int) -> None:
    rng = np.random.default_rng(9)
    shares = [0.03, 0.15, 0.27, 0.29, 0.18, 0.06, 0.02]
    rare = sum(
        inference.goodness_of_fit(counts, shares) < ALPHA
        for counts in rng.multinomial(hands, shares, size=400).tolist()
    )
    assert rare <= 34  # 20 expected


def test_luck_that_may_do_it_is_no_praise() -> None:
    """Of a class that is too sure and too small to show it, nothing good is said either."""
    kind = Kind(4, 2, True, "too sure", students=(8, 8))
    rng = np.random.default_rng(1)
    for _class in range(20):
        facts = a_class(kind, rng)
        trust = bidding.likely_reliability(facts)
        if trust is None or abs(trust.gap) < Fraction(1, 20):
            continue
        said = page(facts, ())["forecasts"]
        assert "It may just be luck" in said or "too sure" in said


def test_leads_are_in_no_tile() -> None:
    """How far luck goes with them cannot be said: they are shown beside theory, not judged."""
    facts = a_class(Kind(4, 8, False), np.random.default_rng(3))
    only_leads = replace(facts, deals=tuple(d._replace(is_drawn=False) for d in facts.deals))
    found = dashboard.dashboard(only_leads, Learning((), {}))
    assert "chance" not in {tile.key for tile in found}
    assert {departure.key for departure in dealing.departures(facts)} == {
        "mean-card", "boss-hands",
    }  # fmt: skip

"""Intervals on pages of results: they hold what they promise, of separate tables and of tables
with the same boards, and are wide where there is little to go by."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import sqrt
from random import Random

import numpy as np
import pytest

from games.analysis.significance import T_QUANTILES, t_quantile
from lessons.results import inference
from lessons.results.bids import bid_panels, bidding
from lessons.results.bids.bidding import errors
from lessons.results.dealt import deal_panels, dealing
from lessons.results.inference import Hit, Miss
from tests.lessons.results.fair_intervals import Kind, count, kinds, play
from tests.scenes import SOAK, present

from . import fair_classes

CLASSES = 10_000 if SOAK else 60


@pytest.mark.parametrize("kind", kinds(), ids=str)
def test_intervals_hold_what_such_classes_come_to(kind: Kind) -> None:
    """At least 94 of 100; in the soak of 10,000 classes of each size."""
    found = count(kind, CLASSES)
    assert {"bids", "leads", "all cards", "leads 40 to 60%"} <= set(found)
    for key, (share, classes) in found.items():
        least = 0.94 - (0 if SOAK else 3.7 * sqrt(0.94 * 0.06 / classes))
        assert share >= least, key


def test_bounds_that_take_hands_for_independent_would_not_hold() -> None:
    """The very mistake: every lead at every table of a board for itself."""
    kind, rng = Kind(2, 2, duplicate=True, students=(38, 40)), np.random.default_rng(4)
    part = play(kind, 300, rng)
    true, held = float(part.safe.mean()), 0
    for now in (part.of == n for n in range(300)):
        share, many = part.safe[now].mean(), part.safe[now].size
        held += abs(share - true) <= 1.96 * sqrt(share * (1 - share) / many)
    assert held < 0.85 * 300


def test_the_classes_play_by_the_rules() -> None:
    """Of first leads the exact chance is the true one: nobody has shown a void, nor anything
    else."""
    part = play(Kind(4, 2, duplicate=False), 1500, np.random.default_rng(5))
    gaps = part.safe - part.chance
    usual = sqrt((part.chance[:, 0] * (1 - part.chance[:, 0])).mean() / len(gaps))
    assert abs(gaps[:, 0].mean()) < 4 * usual
    assert (part.safe[part.chance >= 1]).all()
    assert not part.safe[part.chance == 0].any()


# Shares.


def test_tables_with_the_same_cards_are_no_further_boards() -> None:
    rng = Random(2)
    came = {(board, trick): rng.random() < 0.6 for board in range(8) for trick in range(8)}
    one = [Hit(0, board, hit) for (board, _trick), hit in came.items()]
    ten = [hit._replace(table=table) for hit in one for table in range(10)]
    apart = [hit._replace(table=n, board=(n, hit.board)) for n in range(10) for hit in one]
    assert width(inference.share_interval(ten)) > 0.8 * width(inference.share_interval(one))
    assert width(inference.share_interval(apart)) < 0.45 * width(inference.share_interval(ten))


def width(ends: tuple[float, float] | None) -> float:
    assert ends is not None
    return ends[1] - ends[0]


def test_of_few_boards_little_is_said_and_of_one_nothing() -> None:
    assert inference.share_interval([]) is None
    assert inference.share_interval([Hit(table, 1, True) for table in range(20)]) is None
    two = present(
        inference.share_interval([Hit(t, b, True) for t in range(20) for b in range(2)])
    )
    assert two[0] < 0.1
    assert two[1] == pytest.approx(1)
    many = present(inference.share_interval([Hit(0, b, True) for b in range(400)]))
    assert 0.98 < many[0] < 1


# Means.


def test_whole_tables_and_boards_are_drawn_anew() -> None:
    """People who sit together miss together; so do tables with the same cards."""
    by_table = [Miss(t, (t, r), t % 3) for t in range(12) for r in range(8) for _seat in "1234"]
    alone = [Miss(n, n, row.off) for n, row in enumerate(by_table)]
    assert width(inference.mean_interval(by_table)) > 4 * width(inference.mean_interval(alone))
    by_board = [Miss(t, b, b % 3) for t in range(12) for b in range(8) for _seat in "1234"]
    apart = [row._replace(board=(row.table, row.board)) for row in by_board]
    assert width(inference.mean_interval(by_board)) > 4 * width(inference.mean_interval(apart))


def test_whoever_agrees_by_luck_has_proved_nothing() -> None:
    assert inference.mean_interval([]) is None
    assert inference.mean_interval([Miss(1, n, 1) for n in range(8)]) is None
    assert inference.mean_interval([Miss(n, 1, 1) for n in range(8)]) is None
    assert width(inference.mean_interval([Miss(n, n, 1) for n in (1, 2)])) > 8


def test_quantiles_of_t_are_those_of_the_books() -> None:
    """By simulation: of 400,000 samples 95 of 100 lie between."""
    rng = np.random.default_rng(7)
    for freedom in (1, 2, 3, 5, 12, 30):
        drawn = rng.standard_t(freedom, 400_000)
        assert (abs(drawn) <= t_quantile(freedom)).mean() == pytest.approx(0.95, abs=0.002)
    assert t_quantile(999) == t_quantile(30.9) == t_quantile(30)
    assert all(a > b for a, b in pairwise(T_QUANTILES))


def test_the_dotted_lines_hold_at_each_deal_and_not_all_the_way() -> None:
    """As docs/results.md has it: a quarter of classes are outside at some of 30 deals, half of
    them at some of 1,000."""
    rng = np.random.default_rng(1)
    gaps = rng.standard_normal((4000, 1000)).cumsum(axis=1)
    outside = abs(gaps) > 2 * np.sqrt(np.arange(1, 1001))
    assert outside[:, -1].mean() < 0.06
    assert outside[:, :30].any(axis=1).mean() == pytest.approx(0.25, abs=0.03)
    assert outside.any(axis=1).mean() == pytest.approx(0.5, abs=0.03)


# Who bids how.


def test_the_best_guess_is_better_than_the_mean() -> None:
    """Of the habits of classes that bid, few hands each or many, alike or not."""
    rng = np.random.default_rng(3)
    for differ in (0.0, 0.4, 1.0):
        own, guessed = 0.0, 0.0
        for _class in range(CLASSES // 4):
            habits = rng.normal(0.4, differ, 20)
            people = {
                n: errors((int(e), 0) for e in np.rint(rng.normal(habit, 1.5, hands)))
                for n, (habit, hands) in enumerate(
                    zip(habits, rng.integers(1, 16, 20), strict=True)
                )
            }
            guesses = bidding.shrunk_means(people)
            own += sum((float(people[n].bias or 0) - habits[n]) ** 2 for n in people)
            guessed += sum((guesses[n] - habits[n]) ** 2 for n in people)
        assert guessed < (0.9 if differ == 1 else 0.6) * own, differ


def test_the_best_guess_lies_between_the_mean_and_the_class() -> None:
    people = {1: errors([(3, 0)]), 2: errors([(1, 0), (2, 0)] * 12), 3: errors([(0, 1)] * 9)}
    guesses = bidding.shrunk_means(people)
    assert guesses[1] < 3
    assert 3 - guesses[1] > 20 * abs(1.5 - guesses[2])  # one hand tells less than 24
    assert bidding.shrunk_means({1: errors([(3, 0)])}) == {1: 3}
    assert bidding.shrunk_means({1: errors([(3, 0)]), 2: errors([(0, 0)])}) == {1: 3, 2: 0}
    alike = {n: errors([(1, 0), (0, 0)]) for n in range(5)}
    assert set(bidding.shrunk_means(alike).values()) == {0.5}
    assert bidding.shrunk_means({}) == {}


# On the page.


def test_the_page_says_how_far_luck_goes_or_that_it_cannot() -> None:
    facts = fair_classes.a_class(
        fair_classes.Kind(4, 8, duplicate=True), np.random.default_rng(1)
    )
    range_ = present(bidding.bias_interval(facts))
    assert "Margin (95%): " in bid_panels.bias(facts).summary
    assert bid_panels.bias(facts).caveat == "19 of 20 such margins contain the true figure."
    leads = deal_panels.leads(facts)
    assert "Margin (95%): " in leads.summary
    groups = [g for g in dealing.leads_by_chance(facts) if g.low < 1]
    assert len(present(leads.figure)["data"][1]["x"]) == len(groups)
    # In homework a student's boards are a table's, and no table has a number.
    at_home = tuple(p._replace(deal=p.deal._replace(number=0)) for p in facts.seats)
    assert bidding.bias_interval(replace(facts, seats=at_home)) == range_
    first = facts.deals[0].key
    deals = tuple(deal for deal in facts.deals if deal.key == first)
    kept = {deal.pk for deal in deals}
    one = replace(
        facts,
        deals=deals,
        seats=tuple(played for played in facts.seats if played.deal.pk in kept),
        tricks=tuple(led for led in facts.tricks if led.deal in kept),
    )
    assert bidding.bias_interval(one) is None
    assert "can’t show how far luck goes" in bid_panels.bias(one).caveat
    assert "Margin" not in bid_panels.bias(one).summary + deal_panels.leads(one).summary


def test_a_margin_wider_than_half_a_hand_is_neither_said_nor_drawn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    facts = fair_classes.a_class(
        fair_classes.Kind(4, 8, duplicate=True), np.random.default_rng(1)
    )
    drawn = len(present(bid_panels.bias(facts).figure)["layout"]["shapes"])
    monkeypatch.setattr(bidding, "bias_interval", lambda _data: (-5.5, 2.8))
    wide = bid_panels.bias(facts)
    assert "Margin" not in wide.summary
    assert wide.caveat == "Little data: luck counts a lot."
    assert len(present(wide.figure)["layout"].get("shapes", ())) == drawn - 1

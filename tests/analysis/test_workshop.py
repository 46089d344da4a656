"""Rules on ten thousand boards: beside rounds played by the rules' own code, one by one."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from math import ceil, sqrt
from random import Random
from statistics import fmean, stdev

import numpy as np
import pytest

from games.analysis import bots, counter, workshop
from games.analysis.workshop import PRINTED, SIZES, WIKIPEDIA, Rule, clamped_rule, compare, play
from games.rules import DECK, HAND_SIZE, Bid, Card, Move, Observation, Round, Variant, observe
from games.rules.scoring import score_round

SOAK = os.environ.get("XACTIKA_SOAK") == "1"
SOME = [WIKIPEDIA, PRINTED, Rule(1, 0.6, 0.35, 0.2, 0.45), Rule(0, 0, 0), Rule(1.5, 1.5, 1.5)]


def wish(rule: Rule, hand: Sequence[Card], seats: int) -> float:
    """The worth in tricks, not yet rounded, of a hand of cards at a table of so many."""
    worth = rule.few * (SIZES[-1] - seats)
    for card in hand:
        if card.value >= 11:
            worth += rule.high
        elif card.value >= 9:
            worth += rule.ten if card.value == 10 else rule.nine
            worth += rule.single * (1 in card.counts)
    return worth


@pytest.mark.parametrize(
    ("rule", "tip"), [(WIKIPEDIA, bots.wikipedia_bid), (PRINTED, bots.printed_bid)]
)
def test_the_tips_are_rules(rule: Rule, tip: object) -> None:
    rng = Random("tips")
    for _ in range(500):
        hand = rng.sample(DECK, HAND_SIZE)
        assert whole(wish(rule, hand, 6)) == min(HAND_SIZE, tip(hand))  # type: ignore[operator]


@pytest.mark.parametrize(("seats", "more"), [(2, 3), (3, 1)])
def test_few_players_bid_so_many_more_than_the_tip(
    monkeypatch: pytest.MonkeyPatch, seats: int, more: int
) -> None:
    """As ``games.tables.offers.MORE_OF_FEW`` says: no other whole number brings more."""
    monkeypatch.setattr(workshop, "SIZES", (seats, seats + 1))
    rules = [replace(WIKIPEDIA, few=n) for n in range(5)]
    points = [play(rule, seed=seats, boards=4000).points_by_seats[0] for rule in rules]
    assert points.index(max(points)) == more, points


def whole(wish: float) -> int:
    return min(HAND_SIZE, max(0, ceil(round(wish, 9) - 0.5)))


@pytest.mark.parametrize("rule", SOME[:3])
def test_rounds_played_one_by_one_come_to_the_same(rule: Rule) -> None:
    """With the rules' own rounds, tips and counting bot, on boards of their own."""
    rng = Random(f"one by one {rule}")
    points = []
    for number in range(240):
        seats = SIZES[number % len(SIZES)]
        deck = rng.sample(DECK, HAND_SIZE * seats)
        hands = [deck[seat::seats] for seat in range(seats)]
        round_ = Round.start(variant=Variant.BID, hands=hands, dealer=rng.randrange(seats))
        while (seat := round_.to_move) is not None:
            round_ = round_.apply(move_of(rule, observe(round_, seat), rng))
        points.append(score_round(round_)[0])
    error = stdev(points) / sqrt(len(points))
    assert fmean(points) == pytest.approx(play(rule, seed=3).mean, abs=3.5 * error)


def move_of(rule: Rule, seen: Observation, rng: Random) -> Move:
    if seen.seat:
        return bots.choose(seen, level="tip-wikipedia", rng=rng)
    if not isinstance(seen.legal[0], Bid):
        return counter.decide(seen).move
    wished = wish(rule, seen.hand, seen.seats)
    near = [move for move in seen.legal if isinstance(move, Bid)]
    if Bid(whole(wished)) in near:
        return Bid(whole(wished))
    return min(near, key=lambda bid: (abs(bid.number - wished), -bid.number))


def test_every_rule_gets_the_same_boards_and_another_seed_gives_others() -> None:
    one, again = play(PRINTED, seed=1), play(PRINTED, seed=1)
    assert (one.points == again.points).all()
    assert compare(one, again) == (0, 0)
    assert (play(PRINTED, seed=2).points != one.points).any()


def test_shares_and_tables_add_up() -> None:
    for rule in SOME:
        played = play(rule, seed=1)
        assert len(played.points) == workshop.BOARDS
        assert played.made + played.over_share + played.under_share == pytest.approx(1)
        assert fmean(played.points_by_seats) == pytest.approx(played.mean)


def test_a_bid_that_is_not_allowed_goes_to_the_nearest() -> None:
    """Whoever wishes a little more than the forbidden bid gets one more, else one fewer; 0 can
    only become 1, and 8 only 7."""
    boards = workshop._deal_boards(1, workshop.BOARDS)
    is_last = boards.forbidden >= 0
    assert 0 < is_last.mean() < 1 / 3
    for few in (-5.0, 0.0, 0.1, 5.0):
        played = play(replace(WIKIPEDIA, few=few), seed=1)
        wish = boards.features @ np.array([1, 0.5, 0.5, 0, few])
        bids = np.clip(np.ceil(np.round(wish, 9) - 0.5), 0, HAND_SIZE)
        assert played.moved == (bids == boards.forbidden).sum()
        assert played.moved > 0


def test_a_rule_of_the_first_worth_beats_one_that_bids_nothing() -> None:
    best, nothing = play(Rule(few=0.4), seed=1), play(Rule(0, 0, 0), seed=1)
    assert compare(best, nothing).mean > 1
    assert not compare(best, nothing).is_tie


def test_ties_are_named_as_ties() -> None:
    near = [play(Rule(few=few), seed=1) for few in (0.4, 0.45)]
    far = play(PRINTED, seed=1)
    behind = workshop.gaps_to_best([far, *near], alpha=0.05)
    assert {n for n, gap in behind.items() if gap.is_tie} == {1, 2}
    assert [*behind][-1] == 0
    assert workshop.gaps_to_best([far], alpha=0.05) == {0: (0, 0)}


def test_a_contest_plays_its_leaders_again_on_fresh_boards() -> None:
    near = [Rule(few=few) for few in (0.4, 0.45)]
    found = workshop.contest([PRINTED, *near, near[0], WIKIPEDIA], seed=1)
    assert [each.played.rule for each in found[2:]] == [WIKIPEDIA, PRINTED]
    assert {each.played.rule for each in found[:2]} == set(near)  # once, though handed in twice
    for each in found:
        assert each.played.points.tolist() == play(each.played.rule, seed=1).points.tolist()
        if each.again is None:
            assert each.behind is not None
            assert not each.behind.is_tie
            assert each.behind.mean > 0
            assert not each.is_first
        else:
            assert (each.again.points != each.played.points).any()
    first, second = (each.again for each in found[:2])
    assert first is not None
    assert second is not None
    assert first.mean >= second.mean
    assert found[0].is_first
    fresh = compare(first, second)
    assert found[1].is_first == fresh.is_tie
    assert sum(each.behind is None for each in found) == 1
    assert workshop.contest([], seed=1) == ()


@pytest.mark.parametrize("equal", [2, 3, 12])
def test_of_equal_rules_none_is_called_ahead(
    equal: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In at most one contest of twenty, of two and of many; here of boards that are drawn."""
    rng = np.random.default_rng(equal)
    blank = play(WIKIPEDIA, seed=1)

    def drawn(rule: Rule, *, seed: int) -> workshop.RuleResult:
        return replace(blank, rule=rule, points=rng.normal(size=200) + (rule.high - 9))

    monkeypatch.setattr(workshop, "play", drawn)
    rules = [Rule(high=9, few=n) for n in range(equal)]
    contests, wrong = 2000 if SOAK else 600, 0
    for _contest in range(contests):
        found = workshop.contest([*rules, Rule(high=8.5)], seed=1)
        first = {each.played.rule for each in found if each.is_first}
        wrong += first != set(rules)
    assert wrong <= 0.05 * contests + (0 if SOAK else 2.5 * sqrt(0.05 * 0.95 * contests))


def test_who_is_alone_ahead_plays_again_with_the_second() -> None:
    found = workshop.contest([Rule(few=0.4), PRINTED, Rule(0, 0, 0)], seed=7)
    assert [each.again is None for each in found] == [False, False, True]
    assert [each.is_first for each in found] == [True, False, False]


def test_the_interval_holds_the_true_difference_nineteen_times_in_twenty() -> None:
    one, other = Rule(few=0.4), WIKIPEDIA
    found = []
    for seed in range(300 if SOAK else 100):
        a, b = (play(rule, seed=1000 + seed, boards=400) for rule in (one, other))
        found.append(compare(a, b))
    truth = fmean(mean for mean, _half in found)
    covered = fmean(abs(mean - truth) <= half for mean, half in found)
    assert covered >= 0.94 - 3 * sqrt(0.95 * 0.05 / len(found))


def test_numbers_outside_their_slider_are_taken_to_its_end() -> None:
    assert clamped_rule({"high": 99, "ten": -3, "nine": 0.512}) == Rule(1.5, 0, 0.5)


def test_fewer_boards_than_tables_are_refused() -> None:
    with pytest.raises(ValueError, match="at least 18"):
        play(WIKIPEDIA, seed=1, boards=17)

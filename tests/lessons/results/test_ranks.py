"""Sentences that rank say what is so: of equals, of few, and of who had everything right."""

from __future__ import annotations

from collections import Counter
from typing import Any, cast

import pytest
from django.utils import translation

from lessons.measures.page import page
from lessons.results.bids import bid_panels
from lessons.results.dataset import Dataset, FinishedDeal, SeatResult
from lessons.results.learned import learning_panels
from lessons.results.learned.learning import Attempt, Learning
from lessons.results.points import point_panels
from lessons.results.points.standings import SameHand
from lessons.results.session import learned_tiles
from lessons.results.students import student_panels
from lessons.results.students.peers import Peers
from lessons.results.taught import lesson_panels
from tests.scenes import present

from .fair_intervals import Kind
from .fair_ranks import count, kinds

HALF = ("first or last", "farthest off")
"""Sentences that say *mostly*; the others are always so."""


@pytest.mark.parametrize("duplicate", [False, True])
def test_ranks_say_what_is_so(duplicate: bool) -> None:
    lines = (count(kind, 12) for kind in kinds(duplicate=duplicate))
    found: Counter[str] = sum(lines, Counter())
    said = [key for key in found if not key.endswith(", not so")]
    assert len(said) > 5
    for sentence in said:
        not_so = found[f"{sentence}, not so"]
        if not any(words in sentence for words in HALF):
            assert not not_so, sentence
        elif found[sentence] > 100:
            assert not_so < found[sentence] / 2, sentence


def test_few_are_not_promised_that_they_come_nearer_to_the_middle() -> None:
    four, many = (count(Kind(2, 2, False, (n, n)), 30) for n in (4, 12))
    assert not [key for key in four if "stand: first or last" in key]
    assert [key for key in many if "stand: first or last" in key]
    told = {key.partition(" answer: first or last")[0] for key in many + four} - {*many, *four}
    assert told
    assert told.isdisjoint("2345")


def answered(*students: tuple[str, str]) -> Learning:
    """Of each student an exercise, and its questions: 1 right first time, 0 not."""
    rows = [
        Attempt(100 * student + n, exercise, student, 0, mark == "1", ())
        for student, (exercise, marks) in enumerate(students)
        for n, mark in enumerate(marks)
    ]
    return Learning(tuple(rows), {n: f"S{n}" for n in range(len(students))})


class TestWhoNeedsHelp:
    def test_one_who_had_all_right_does_not_stand_first(self) -> None:
        learning = answered(("deck-size", "1"), ("deck-size", "1111111110"))
        panel = learning_panels.by_student(learning, names=learning.names)
        assert [row[0].text for row in cast("Any", present(panel.grid).rows)] == ["S1", "S0"]

    def test_nobody_looks_first_at_what_was_all_right(self) -> None:
        learning = answered(("deck-size", "1"), ("value-chance", "1111111110"))
        said = learning_panels.exercises(learning).summary
        assert "9 of 10 right first time" in said
        assert "1 of 1" not in said

    def test_what_goes_better_than_the_best_is_not_to_practise(self) -> None:
        learning = answered(("deck-size", "1" * 16 + "0" * 4), ("bid-errors", "111110"))
        opening = student_panels.opening(learning, Peers())
        assert "16 of 20" in opening.text
        assert not opening.practise


def test_of_equals_no_mistake_is_the_commonest() -> None:
    rows = (
        Attempt(1, "deck-size", 1, 0, False, ("adds-choices",)),
        Attempt(2, "deck-pie", 2, 0, False, ("equiprobable",)),
    )
    tile = present(learned_tiles.commonest_mistakes(Learning(rows, {})))
    assert tile.claim == "Commonest mistakes, equally"
    assert tile.number == "1 student each"


def test_fewest_names_all_that_as_few_did() -> None:
    def said(did: list[tuple[str, int]]) -> list[str]:
        facts = {**lesson_panels._fewest_facts(did), "all": 5}
        return page("lesson-steps").texts("say", facts)

    assert said([("A", 3), ("B", 5)]) == ["Least done in the lesson: “A” (3 of 5)."]
    assert said([("A", 3), ("B", 3), ("C", 5)]) == [
        "Least done in the lesson: “A”, “B” (3 of 5)."
    ]
    assert said([("A", 5), ("B", 5)]) == []


def test_how_far_apart_are_the_fewest_and_the_most_not_the_tables() -> None:
    hand = SameHand(1, 1, 0, ((2, 0, 0), (2, 2, 0), (2, 2, 0), (2, 4, 0)))
    deal = FinishedDeal(1, 1, "t", 1, 1, 1, "bid", 0, [], 1)
    rows = tuple(SeatResult(deal, 0, *each, True, n) for n, each in enumerate(hand.outcomes))
    said = point_panels.same_hand(Dataset((deal,), rows, ())).summary
    assert said == (
        "Board 1, seat 1: 0 to 4 tricks with the same cards. Fewest and most are 4.0 apart on "
        "average."
    )
    for taken, apart in ((1, "1,0"), (2, "2,0")):
        with translation.override("fr"):
            two = (rows[0], rows[1]._replace(taken=taken))
            said = point_panels.same_hand(Dataset((deal,), two, ())).summary
            assert said.endswith(f"plus\u00a0: {apart} d’écart en moyenne.")


def test_the_dealer_bids_last() -> None:
    deal = FinishedDeal(1, 1, "t", 1, 1, 1, "bid", 2, [[], [], [], []], None)
    rows = [SeatResult(deal, seat, 1 + seat, 1, 0, True, seat) for seat in range(4)]
    grid = present(bid_panels.bids_by_seat(Dataset((deal,), tuple(rows), ())).grid)
    assert [row[:3] for row in grid.rows] == [(1, 1, 3), (2, 1, 0), (3, 1, 1), (4, 1, 2)]

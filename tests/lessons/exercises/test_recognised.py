"""Misconceptions are named where they were made, and not where something else was."""

from __future__ import annotations

from fractions import Fraction

import pytest

from lessons.exercises import EXERCISES, AnswerGrade, Instance, grade
from lessons.exercises.skills import Misconception
from tests.scenes.exercises import FULL, deck_question, questions, right_texts


def named(question: Instance, **texts: str) -> tuple[Misconception, ...]:
    verdict = grade(question, {**right_texts(question, 0), **texts})
    assert verdict.grade is AnswerGrade.WRONG
    return verdict.misconceptions


def test_numbers_of_cards_are_not_called_percent() -> None:
    pie = deck_question("deck-pie", slices="patterns", **FULL)
    counts = {"s0": "36", "s1": "24", "s2": "18", "s3": "3"}
    assert named(pie, **counts) == (Misconception.COUNTS_AS_DEGREES,)
    percents = {"s0": "44.4", "s1": "29.6", "s2": "22.2", "s3": "3.7"}
    assert named(pie, **percents) == (Misconception.PERCENT_AS_DEGREES,)
    for question in questions("deck-pie"):
        cards = {f"s{k}": str(row[1]) for k, row in enumerate(question.tables[0].rows)}
        assert named(question, **cards) == (Misconception.COUNTS_AS_DEGREES,)
        total = sum(map(int, cards.values()))
        shares = {key: f"{100 * int(n) / total:.1f}" for key, n in cards.items()}
        assert named(question, **shares) == (Misconception.PERCENT_AS_DEGREES,)


def test_the_decks_mean_beside_the_right_curve_is_not_called_a_misplaced_curve() -> None:
    for question in questions("count-curve"):
        centre = 2 * len(question.parameters["shapes"])
        verdict = grade(question, {**right_texts(question, 0), "mean": str(centre)})
        assert verdict.misconceptions == (Misconception.IGNORES_CONDITION,)
        assert "curve" not in verdict.message
        assert "the whole deck" in verdict.message


def test_the_curve_of_the_third_class_is_recognised() -> None:
    for question in questions("count-curve"):
        p = question.parameters
        third = deck_question("count-curve", **{**p, "count": 4 - p["count"]})
        curve = {key: str(height) for key, height in third.right.items() if key != "mean"}
        assert named(question, **curve) == (Misconception.OTHER_CLASS,)
        assert named(question, mean=str(third.right["mean"])) == (Misconception.OTHER_CLASS,)


CHANCES = (
    "value-chance", "either-chance", "equal-values", "none-of-them", "any-void",
    "unseen-card", "safe-lead", "after-slough",
)  # fmt: skip


@pytest.mark.parametrize("key", CHANCES)
def test_the_chance_of_the_opposite_is_recognised(key: str) -> None:
    assert Misconception.OPPOSITE in EXERCISES[key].misconceptions
    for question in questions(key):
        right = question.right["chance"]
        assert isinstance(right, Fraction)
        assert named(question, chance=str(1 - right)) == (Misconception.OPPOSITE,)


def test_the_opposite_of_either_condition_is_recognised() -> None:
    for question in questions("inverse-chance"):
        for field in ("shown", "valued"):
            right = question.right[field]
            assert isinstance(right, Fraction)
            assert named(question, **{field: str(1 - right)}) == (Misconception.OPPOSITE,)


def test_whoever_keeps_all_27_is_told() -> None:
    for question in questions("unseen-card"):
        assert named(question, chance="27/73") == (Misconception.KEEPS_CLASS,)


def test_a_z_that_points_to_the_other_side_is_recognised() -> None:
    for question in questions("hand-spread:C"):
        z = float(question.right["z"])
        assert named(question, z=f"{-z:.4f}") == (Misconception.FLIPPED_SIGN,)


def test_what_is_said_of_one_field_names_it_and_a_question_needs_no_colon() -> None:
    (question, *_more) = questions("safest-lead")
    assert grade(question, {}).message == (
        "Which lead is the safest? Choose one of the answers. "
        "Unseen cards that could beat it: Type an answer first."
    )

"""What was stored before exercises drew differently: it opens, and is graded as it was."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lessons.exercises import EXERCISES, AnswerGrade, grade, rebuild
from lessons.exercises.answers import LONGEST

STORED: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent / "stored_questions.json").read_text(encoding="utf-8")
)
"""Questions of every type with what answered them rightly and their options, as stored when
options had no order of their own and 19, 22, 23 and 24 always asked the same; and first
editions of those that have a second."""


def test_every_type_of_then_has_stored_questions() -> None:
    first = {key for key, exercise in EXERCISES.items() if exercise.number <= 25}
    assert {each["stored"]["exercise"] for each in STORED} == first


@pytest.mark.parametrize("old", STORED, ids=lambda old: old["stored"]["exercise"])
def test_a_stored_question_opens_and_grades_as_before(old: dict[str, Any]) -> None:
    question = rebuild(old["stored"])
    assert grade(question, old["right"]).grade is AnswerGrade.RIGHT
    options = {
        field.key: [option.key for option in field.options]
        for field in question.fields
        if field.options
    }
    assert options == old["options"]
    for wrong in question.wrong:
        texts = {key: str(answer) for key, answer in wrong.answers.items()}
        if all(len(text) <= LONGEST and "Root" not in text for text in texts.values()):
            verdict = grade(question, {**old["right"], **texts})
            assert verdict.grade is AnswerGrade.WRONG


def test_whether_a_question_is_fair_is_judged_when_it_is_dealt() -> None:
    """One that would not be dealt today was dealt once: it opens, and right stays right."""
    smaller = {"shapes": [0, 1, 2], "counts": [1, 2, 3]}  # 3 to the 3, whichever is the base
    question = rebuild({"exercise": "deck-size", "seed": 1, "parameters": smaller})
    assert not question.is_fair
    assert grade(question, "27").grade is AnswerGrade.RIGHT


def test_options_that_came_later_stand_below_those_with_a_stored_place() -> None:
    stored = {
        "exercise": "independence",
        "seed": 1,
        "parameters": {
            "events": [["call", "1-ball"], ["call", "1-cube"]],
            "order": {"reason": ["together", "equal"]},
        },
    }
    keys = [option.key for option in rebuild(stored).fields[1].options]
    assert keys == ["together", "equal", "unequal", "exclusive"]


def test_an_old_question_on_a_slough_counts_every_card_once() -> None:
    parameters = {
        "invented": False, "call": "1-ball", "card": "1133", "hand": ["2222"],
        "trick": ["1111", "2223"], "shown": [2, 7], "other": [3, 7], "void": 13,
        "elsewhere": 27, "undealt": 41, "seats": 5,
    }  # fmt: skip
    stored = {"exercise": "after-slough", "seed": 1, "parameters": parameters}
    (table,) = rebuild(stored).tables
    assert [int(str(cards)) for _where, cards in table.rows] == [7, 7, 6, 7, 41]

"""Boxes that ask for percents: a bare number, a share, and what is neither."""

from __future__ import annotations

from random import Random

import pytest

from lessons.exercises import (
    AnswerGrade,
    Instance,
    grade,
    in_our_notation,
    rebuild,
    stored_words,
)
from lessons.exercises.answers import Form
from lessons.exercises.authored import Authored, read_questions


def asking(right: str, wrong: str = "7/100") -> Instance:
    text = f"# Share\nHow many?\npercent: Share\nright: {right}\nwrong: {wrong}\n> Of all?"
    (question,) = read_questions(text)
    assert isinstance(question, Authored)
    return rebuild({"exercise": "authored", "parameters": question.parameters(Random(1))})


@pytest.mark.parametrize(
    ("right", "typed"),
    [
        *(("60/100", typed) for typed in ("60", "60 %", "0.6", ".6", "3/5", "0,6")),
        *(("6/1000", typed) for typed in ("0.6", ".6", "0.6 %", "0.006")),
        ("2/300", "0.667"),
    ],
)
def test_a_share_and_a_percentage_are_both_taken(right: str, typed: str) -> None:
    question = asking(right)
    assert grade(question, typed).grade is AnswerGrade.RIGHT
    stored = in_our_notation(question, {"f0": typed})["f0"]
    again = stored_words(Form.PERCENT, stored)
    assert grade(question, again).grade is AnswerGrade.RIGHT


@pytest.mark.parametrize(("typed", "read"), [(".6", "0.6 was read as 60%."), ("6", "")])
def test_what_is_read_as_a_share_and_wrong_is_told_how(typed: str, read: str) -> None:
    verdict = grade(asking("20/100"), typed)
    assert verdict.grade is AnswerGrade.WRONG
    assert verdict.message.endswith(read)
    assert ("read as" in verdict.message) is bool(read)


def test_a_named_wrong_percentage_is_found_however_it_is_written() -> None:
    question = asking("3/100")
    for typed in ("7", "7 %", "0.07", "7/100"):
        assert grade(question, typed).message == "Of all?"
        assert in_our_notation(question, {"f0": typed})["f0"] == "7/100"


def test_what_was_stored_before_reads_the_same() -> None:
    assert stored_words(Form.PERCENT, "60") == stored_words(Form.PERCENT, "3/5") == "60%"


TWO = (
    "# Two\nHow many, and which share?\nnumber: How many\nright: 8\nwrong: 9\n> One too many.\n"
    "percent: Share\nright: 3/100\nwrong: 7/100\n> Of all?\n"
)


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (("9", "7"), "How many: One too many. Share: Of all?"),
        (("9", "3"), "One too many."),
        (("8", "7"), "Of all?"),
        (("9", "44"), "How many: One too many."),
    ],
)
def test_each_box_is_told_its_own(typed: tuple[str, str], told: str) -> None:
    (written,) = read_questions(TWO)
    assert isinstance(written, Authored)
    question = rebuild({"exercise": "authored", "parameters": written.parameters(Random(1))})
    verdict = grade(question, {"f0": typed[0], "f1": typed[1]})
    assert verdict.message == told

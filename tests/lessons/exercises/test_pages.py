"""Pages of question types: how they are read, and the questions made of them."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from lessons.exercises import written
from lessons.exercises.contexts import Context
from lessons.exercises.engine import Parameters
from lessons.exercises.page import read
from lessons.questions import check
from xactika_site.texts import Problem

PAGE = """\
number: 1
title: How many?
from: deck
kind: numbers
lesson: 1
skill: counting
levels: B

# B
The table says how many cards each seat holds, but one
number of each row is missing. Is it
show or hide?

count cards=8: Cards
choice sure: Sure?
- yes: Yes
- no right: No

step 1/10 chance: What share is it?
hint: Count.
"""


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> written.Written:
    """The type whose page this is."""
    (tmp_path / "test-page.txt").write_text(PAGE, encoding="utf-8")
    monkeypatch.setattr(written, "PAGES", tmp_path)

    class Type(written.Written):
        key = "test-page"

        def draw(self, rng: Random, context: Context) -> Parameters:
            return {}

    return Type()


def test_a_word_within_a_paragraph_begins_no_line(page: written.Written) -> None:
    assert page.build({}).prompt == (
        "The table says how many cards each seat holds, but one number of each row is missing. "
        "Is it show or hide?"
    )


def test_a_page_gives_numbers_and_marks_the_right_option(page: written.Written) -> None:
    assert page.build({}).right == {"cards": 8, "sure": "no"}
    hint = page.build({}).hint
    assert hint
    assert hint.right == Fraction(1, 10)


# What is wrong in a page is told, with its line.


@pytest.mark.parametrize(
    ("old", "new", "line", "told"),
    [
        ("number: 1\n", "", 1, "“number:” is missing"),
        ("from: deck", "from: moon", 1, "'moon' is not a valid Family"),
        ("# B", "# D", 9, "a heading names levels"),
        (
            "count cards=8: Cards",
            "strange cards=8: Cards",
            14,
            "a prompt begins with a capital",
        ),
        ("hint: Count.", "- hint", 20, "nothing is listed below “step”"),
        ("hint: Count.", "wrong forgetful cards=7: No.", 20, "the first word is a misconc"),
        ("hint: Count.", "looks equiprobable odd: No.", 20, "write “looks misconception"),
        ("hint: Count.", "hint when cards: Count.", 20, "write “when fact=value”"),
        ("- yes: Yes", "- Yes", 16, "write “- its-key: what it says”"),
    ],
)
def test_what_cannot_be_read(tmp_path: Path, old: str, new: str, line: int, told: str) -> None:
    path = tmp_path / "test-page.txt"
    path.write_text(PAGE.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(Problem) as problem:
        read(path)
    assert told in problem.value.message
    assert problem.value.line == line


@pytest.mark.parametrize(
    ("old", "new", "line", "told"),
    [
        ("hint: Count.", "hint: Count [all].", 20, "nothing is called “[all]”"),
        ("hint: Count.", "hint: [lucky].", 20, "is nothing to print"),
        ("hint: Count.", "hint: [lucky decimal].", 20, "is not written as “decimal”"),
        (
            "hint: Count.",
            "hint: [eight vlaue].",
            20,
            "8 is not written as “vlaue”, but",
        ),
        ("hint: Count.", "hint: [eight value3].", 20, "tex_value() takes 1"),
        ("hint: Count.", "hint: Count.\nhint: Again.", 21, "a question has one “hint”"),
        ("hint: Count.", "hint when cards=9: [all].", 20, "nothing is called “[all]”"),
        ("hint: Count.", "hint when lucky=yes: Count.", 1, "have no hint"),
        ("count cards=8", "count cards", 14, "nothing is called “cards”"),
        ("- no right: No", "- no: No", 15, "nothing is called “sure”"),
        ("hint: Count.", "wrong opposite moon=1: No.", 20, "no field is called “moon”"),
        ("hint: Count.", "wrong gambler cards=7", 20, "no “gambler” in the stock"),
        ("hint: Count.", "wrong gambler cards=8: No.", 1, "no fair question"),
    ],
)
def test_what_is_found_by_asking(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str, line: int, told: str
) -> None:
    (tmp_path / "test-page.txt").write_text(PAGE.replace(old, new, 1), encoding="utf-8")
    monkeypatch.setattr(written, "PAGES", tmp_path)

    class Type(written.Written):
        key = "test-page"

        def draw(self, rng: Random, context: Context) -> Parameters:
            return {"lucky": rng.random() < 0.5, "eight": 8}

    monkeypatch.setattr(check, "EXERCISES", {"test-page": Type()})
    found = [*check.problems()]
    assert [(each.line, told in each.message) for each in found] == [(line, True)], found

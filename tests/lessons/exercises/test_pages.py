"""Pages of question types: how they are read, and the questions made of them."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from lessons.exercises import written
from lessons.exercises.contexts import Context
from lessons.exercises.engine import Parameters

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
    hint = page.hint({})
    assert hint
    assert hint.right == Fraction(1, 10)

"""An answer as it is stored: never what was typed."""

from __future__ import annotations

from fractions import Fraction

import pytest

from lessons.exercises import EXERCISES, grading, in_our_notation
from lessons.exercises.answers import Form, read
from tests.scenes.exercises import dealt
from tests.scenes.written import forms


@pytest.mark.parametrize("key", EXERCISES)
def test_a_choice_is_its_key_and_a_number_a_fraction(key: str) -> None:
    question = dealt(key, 0)
    typed = {
        field.key: right if isinstance(right, str) else forms(right, field.form)[0]
        for field in question.fields
        for right in [question.right[field.key]]
    }
    stored = in_our_notation(question, typed)
    assert stored.keys() == typed.keys()
    for field in question.fields:
        right = question.right[field.key]
        if isinstance(right, str):
            assert stored[field.key] == right
        else:
            assert stored[field.key] == str(Fraction(stored[field.key]))


def test_a_bare_number_above_one_may_lack_its_percent_sign() -> None:
    assert grading._lacks_percent(read("2"), Fraction(2, 100))
    assert not grading._lacks_percent(read("1"), Fraction(1, 100))  # a chance of one


def test_whoever_writes_no_percent_is_told_how_one_looks() -> None:
    wanted = "In percent, please, like 28%."
    assert grading._wanted_words(Form.PERCENT) == wanted

"""Questions for Moodle, read back by a reader of our own: the same answers are right, the same
hints are given. No Moodle was asked."""

from __future__ import annotations

import re
from fractions import Fraction
from html import unescape
from typing import NamedTuple
from xml.etree import ElementTree

import pytest

from lessons.exercises import Instance
from lessons.exercises.answers import Form
from lessons.exercises.texts import decimal, exact_percent
from lessons.questions.moodle import has_moodle_form, moodle_xml
from tests.games.classroom import a_teacher, signed_in
from tests.scenes.exercises import KEYS, dealt


class Choice(NamedTuple):
    """An answer as Moodle reads it."""

    is_right: bool
    text: str
    hint: str


def questions() -> list[Instance]:
    """Two of each type and level that can be asked there."""
    every = (dealt(key, seed) for key in KEYS for seed in range(2))
    return [question for question in every if has_moodle_form(question)]


def read(xml: str) -> list[tuple[str, dict[str, list[Choice]]]]:
    """Each question's text and, by the words before it, the answers of each box."""
    found = []
    for each in ElementTree.fromstring(xml).findall("question[@type='cloze']"):
        text = each.findtext("questiontext/text") or ""
        boxes = re.findall(
            r"(?:>|^)([^<>{]*){1:(NUMERICAL|MULTICHOICE_V):((?:\\}|[^}])*)}", text
        )
        found.append((text, {f"{n} {b[0]}": _choices(b[2]) for n, b in enumerate(boxes)}))
    return found


def _choices(text: str) -> list[Choice]:
    choices = []
    for part in text.split("~"):
        found = re.fullmatch(r"(=|%0%)?(.+?)(?:(?<!\\|&)#(.*))?", part, re.DOTALL)
        assert found, part
        answer, hint = (
            unescape(re.sub(r"\\([}#])", r"\1", each or "")) for each in found.group(2, 3)
        )
        choices.append(Choice(found[1] == "=", answer, hint))
    return choices


def test_what_is_right_here_is_right_there() -> None:
    every = questions()
    assert len({question.exercise for question in every}) > 25
    for question, (text, boxes) in zip(every, read(moodle_xml(every, "a/b")), strict=True):
        assert len(boxes) == len(question.fields), text
        assert "{1:" not in re.sub(r"{1:(NUMERICAL|MULTICHOICE_V):((?:\\}|[^}])*)}", "", text)
        in_tables = [key for table in question.tables for key in table.blanks]
        keys = in_tables + [f.key for f in question.fields if f.key not in in_tables]
        fields = {field.key: field for field in question.fields}
        for key, choices in zip(keys, boxes.values(), strict=True):
            right = question.right[key]
            assert [choice.is_right for choice in choices].count(True) == 1
            (best,) = (choice for choice in choices if choice.is_right)
            if isinstance(right, str):
                labels = {option.key: option.label for option in fields[key].options}
                assert best.text == labels[right]
                continue
            typed = decimal(right)
            if fields[key].form is Form.PERCENT and isinstance(right, Fraction):
                typed = exact_percent(right)[:-2]
            near = [c for c in choices if _is_near(typed.replace("\u2212", "-"), c.text)]
            assert near == [best], (question.exercise, typed, choices)
            hints = {wrong.hint for wrong in question.wrong}
            assert all(choice.hint in hints for choice in choices if choice is not best)


def _is_near(typed: str, answer: str) -> bool:
    value, tolerance = map(float, answer.split(":"))
    return abs(float(typed.replace(",", "")) - value) <= tolerance + 1e-12


@pytest.mark.django_db
def test_a_worksheet_can_be_taken_along() -> None:
    teacher = signed_in(a_teacher())
    answer = teacher.get("/lessons/sample-space/worksheet/?seed=7&copy=1-2&moodle=1")
    assert answer.headers["Content-Disposition"].endswith('-7-1.xml"')
    assert len(read(answer.text)) > 4

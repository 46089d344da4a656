"""A step's first sentence, which stands before its picture."""

from __future__ import annotations

import pytest

from lessons.course import lessons, markup


@pytest.mark.parametrize(
    ("text", "first", "rest"),
    [
        ("One. Two. Three.", "One.", "Two. Three."),
        ("How many? Count.", "How many?", "Count."),
        ("Only one", "Only one", ""),
        ("", "", ""),
        ("**Bold. Still bold.** After.", "<strong>Bold. Still bold.</strong>", "After."),
        ("It is [% chance of value 8] here. So.", "It is 23.5% here.", "So."),
    ],
)
def test_a_text_is_cut_after_its_first_sentence(text: str, first: str, rest: str) -> None:
    assert markup.first_sentence(text) == (first, rest)


def test_nothing_of_a_lesson_is_lost_by_it() -> None:
    for lesson in lessons():
        for step in lesson.steps:
            for text in step.paragraphs[:1]:
                first, rest = markup.first_sentence(text)
                assert f"{first} {rest}".split() == markup.html(text).split()
                assert len(first) > 8

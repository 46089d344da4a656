"""What the reading of pages counts."""

from __future__ import annotations

import pytest

from tests.site.reading import Page, Reader, counts, reader_of, sentences


def test_sentences_are_read_as_a_reader_meets_them() -> None:
    assert sentences("You have <b>%(n)d</b> cards.  Play one! Then?") == [
        "You have 4 cards.",
        "Play one!",
        "Then?",
    ]
    assert sentences(r"%(name)s · %(n)d") == []
    assert sentences(r"Half of \(\frac{8}{81}\) is [share].") == ["Half of 4 is 4."]


def test_a_grade_is_of_sentences_and_not_of_labels() -> None:
    assert counts(["Play", "My games"], "en") is None
    found = counts(["Play", "The cat sat on the mat."], "en")
    assert found == (6, 1, 6)
    assert found.grade("en") == pytest.approx(0.39 * 6 + 11.8 - 15.59)
    assert found.grade("fr") == pytest.approx((121.2 - (207 - 1.015 * 6 - 73.6)) / 7)


def test_what_a_student_stumbles_over_is_told() -> None:
    long = " ".join(["word"] * 23) + "."
    told = ["Whoever leads, wins.", long, "Short."]
    assert len(list(Page("games/words.py", "en", tuple(told)).problems())) == 2
    assert len(list(Page("templates/classrooms/x.html", "en", tuple(told)).problems())) == 1
    assert list(Page("games/words.py", "fr", ("Pas de chicane.",)).problems())


def test_whose_a_page_is_goes_by_its_longest_beginning() -> None:
    assert reader_of("games/words.py") == Reader.STUDENT
    assert reader_of("templates/lessons/results/mine.html") == Reader.STUDENT
    assert reader_of("templates/lessons/results/session.html") == Reader.TEACHER

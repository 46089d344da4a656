"""Types of question under the glass: whose answers count, and how hard questions are."""

from __future__ import annotations

from math import exp
from random import Random

import pytest

from lessons.models import Question
from lessons.results.learned.items import FEWEST_ANSWERS, figures, first_answers, panels
from lessons.results.learned.rasch import Response, difficulties
from tests.games.classroom import a_classroom, a_teacher, signed_in
from tests.scenes import results
from tests.scenes.homework import a_class
from tests.scenes.results import SLIP
from xactika_site.classrooms.models import Classroom, Student


def answered(
    student: Student, *rights: bool, hints: int = 0, key: str = "deck-size", level: str = "A"
) -> Question:
    """A question of this type with these answers, one after the other."""
    given = [is_right or SLIP for is_right in rights]
    more = {"parameters": {"level": level}, "hints": hints}
    return results.answered(None, student, key, *given, **more)


@pytest.mark.django_db
def test_first_answers_without_hint_are_counted() -> None:
    students = a_class(6)
    for student in students:
        answered(student, False, True)
    answered(students[0], True)  # not the first any more
    answered(students[1], True, key="value-chance")  # one student alone
    answered(students[2], True, hints=1, level="B")
    (found,) = figures(first_answers())
    assert (found.exercise.key, found.level) == ("deck-size", "A")
    assert (found.answers, found.right, found.share) == (6, 0, 0)
    assert found.difficulty is None


@pytest.mark.django_db
def test_hints_are_counted_apart() -> None:
    students = a_class(8)
    for student in students[:6]:
        answered(student, True)
    for student in students[6:]:
        answered(student, True, hints=2)
    (late,) = a_class(1, students[0].classroom)
    answered(late, False, True, hints=1)  # the hint came after: wrong, and counted
    (found,) = figures(first_answers())
    assert (found.answers, found.right, found.helped) == (7, 6, 2)


@pytest.mark.django_db
def test_a_demo_is_nobody() -> None:
    students = a_class(6)
    for student in students:
        answered(student, True)
    Classroom.objects.update(demo=True)
    assert figures(first_answers()) == []


@pytest.mark.django_db
def test_difficulty_needs_answers_of_two_classes() -> None:
    rng = Random(1)
    half = FEWEST_ANSWERS // 2
    classes = [a_class(half, a_classroom(a_teacher(), name)) for name in ("7a", "7b")]
    hard = {"deck-size": 0.8, "value-chance": 0.3}
    for student in classes[0]:
        for key, share in hard.items():
            answered(student, rng.random() < share, key=key)
    assert all(each.difficulty is None for each in figures(first_answers()))
    for student in classes[1]:
        for key, share in hard.items():
            answered(student, rng.random() < share, key=key)
    easy, difficult = figures(first_answers())
    assert easy.difficulty is not None
    assert difficult.difficulty is not None
    assert easy.difficulty.value < difficult.difficulty.value
    assert easy.mistake
    (shown,) = panels([easy, difficult])
    assert shown.figure is not None
    assert "Hardest: " in shown.summary
    assert shown.grid is not None
    page = signed_in(a_teacher("another")).get("/teach/question-figures/").text
    assert "How hard are the questions?" in page
    assert "Quiet Otter" not in page


def test_few_answers_leave_the_page_empty() -> None:
    assert all(panel.is_empty for panel in panels([]))


def test_difficulties_are_found_again() -> None:
    """Whoever answers: the able ones get hard items, the others easy ones."""
    rng = Random(2)
    true = {item: -2 + 4 * item / 11 for item in range(12)}
    responses = []
    for student in range(400):
        able = rng.gauss(0.5, 1)
        asked = range(6, 12) if able > 0.5 else range(7)
        for item in rng.sample(asked, 5):
            chance = 1 / (1 + exp(true[item] - able))
            responses.append(Response(student, item, rng.random() < chance))
    found = difficulties(responses)
    assert found.keys() == true.keys()
    off = [(found[item].value - true[item]) / found[item].error for item in true]
    assert max(map(abs, off)) < 4.5  # items are joined by one alone
    assert all(0 < each.error < 0.6 for each in found.values())
    order = sorted(true, key=lambda item: found[item].value)
    assert sum(abs(place - item) for place, item in enumerate(order)) <= 10


def test_what_all_or_nobody_got_right_has_no_difficulty() -> None:
    responses = [
        Response(student, item, item == 1 or (item == 2 and student % 2 > 0))
        for student in range(20)
        for item in range(3)
    ]
    assert difficulties(responses) == {}


def test_items_that_nothing_joins_are_not_compared() -> None:
    rng = Random(3)
    responses = [
        Response((group, student), item, rng.random() < share)
        for group, items in enumerate([{"a": 0.8, "b": 0.3, "e": 0.5}, {"c": 0.7, "d": 0.2}])
        for student in range(60)
        for item, share in items.items()
    ]
    assert difficulties(responses).keys() == {"a", "b", "e"}

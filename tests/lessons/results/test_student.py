"""One student's page: what they answered, and what they did in lessons, in their own words."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from lessons.course import lesson
from lessons.models import Commitment
from lessons.visits import doing, holding
from lessons.visits.ways import Visitor
from tests.games.classroom import a_session, device_of, signed_in, students_in
from tests.scenes.results import SLIP, answered
from xactika_site.classrooms.models import ClassSession, Student

pytestmark = pytest.mark.django_db
DEALS = "class-deals"


@pytest.fixture
def at_lesson() -> tuple[ClassSession, Student]:
    session = a_session()
    (student,) = students_in(session, 1)
    holding.hold(session=session, slug=DEALS)
    return session, student


def predict(session: ClassSession, student: Student, number: int, value: int) -> None:
    visitor = Visitor(student=student, session=session.pk)
    doing.predict(lesson=lesson(DEALS), visitor=visitor, number=number, value=value)


def table(page: Client, address: str, key: str) -> list[list[str]]:
    """The rows of a panel's table."""
    html = page.get(address).text
    section = re.search(rf'<section[^>]* id="{key}".*?</section>', html, re.DOTALL)
    if section is None:
        return []
    rows = re.findall(r"<tr>(.*?)</tr>", section[0], re.DOTALL)[1:]
    return [
        [re.sub(r"<[^>]+>", "", cell).strip() for cell in re.findall(r"<t[hd].*?</t[hd]>", row)]
        for row in rows
    ]


def pages(session: ClassSession, student: Student) -> list[tuple[Client, str]]:
    """The page as the teacher sees it, and as the student does."""
    teacher = signed_in(session.classroom.teachers.get())
    return [
        (teacher, f"/teach/students/{student.pk}/results/"),
        (device_of(student, session), f"/class/{session.pk}/results/"),
    ]


def test_what_was_said_and_what_is_true(at_lesson: tuple[ClassSession, Student]) -> None:
    session, student = at_lesson
    predict(session, student, 1, 50)
    asked = ["How many hands have a void?", "6", "50 of 100 hands"]
    for reader, address in pages(session, student):  # on the wall it is not revealed yet
        assert table(reader, address, "own-steps") == [[*asked, "not revealed yet"]]
        assert "33.9" not in reader.get(address).text
    holding.open_step(session=session, number=2)
    visitor = Visitor(student=student, session=session.pk)
    doing.deal_hands(lesson=lesson(DEALS), visitor=visitor, number=2)
    holding.open_step(session=session, number=3)
    for reader, address in pages(session, student):
        assert table(reader, address, "own-steps") == [
            [*asked, "It is: 33.9 of 100 hands"],
            ["Deal some hands", "6", "Hands dealt: 10", "–"],
        ]


def test_reasons_and_tries(at_lesson: tuple[ClassSession, Student]) -> None:
    session, student = at_lesson
    holding.end_lesson(session=session)
    holding.hold(session=session, slug=DEALS)
    holding.open_step(session=session, number=11)
    visitor = Visitor(student=student, session=session.pk)
    for chosen, outcome in ((1, "not yet"), (0, "right at try 2")):
        doing.explain(lesson=lesson(DEALS), visitor=visitor, number=11, chosen=[chosen])
        for reader, address in pages(session, student):
            ((title, number, _said, became),) = table(reader, address, "own-steps")
            assert (title, number, became) == ("What does a class prove?", "6", outcome)


def test_every_question_with_its_answers(at_lesson: tuple[ClassSession, Student]) -> None:
    session, student = at_lesson
    answered(session, student, "deck-size", True)
    answered(session, student, "deck-size", SLIP, True)
    answered(session, student, "deck-size", SLIP)
    for reader, address in pages(session, student):
        rows = table(reader, address, "own-answers")
        assert [row[2:] for row in rows] == [
            ["1", "not yet"],
            ["2", "right at try 2"],
            ["1", "Right first time"],
        ]
        assert {row[0] for row in rows} == {"How many cards?"}


def test_what_a_changed_lesson_no_longer_has_is_left_out(
    at_lesson: tuple[ClassSession, Student],
) -> None:
    session, student = at_lesson
    predict(session, student, 1, 50)
    Commitment.objects.update(value={"choice": 99})
    for reader, address in pages(session, student):
        ((*_asked, said, _became),) = table(reader, address, "own-steps")
        assert said == "–"
    Commitment.objects.update(step="gone")
    for reader, address in pages(session, student):
        assert table(reader, address, "own-steps") == []

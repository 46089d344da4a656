"""The top of a student's page: what can be said aloud, the class beside it, counts beside
shares; each number worked out again from the moves and answers."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from games.classes import closing
from lessons.exercises import EXERCISES
from lessons.results.dataset import Dataset
from lessons.results.learned import learning_panels
from lessons.results.learned.learning import Attempt, Learning
from lessons.results.news import settings_of
from lessons.results.students import student_panels
from lessons.results.students.peers import Peers, peers_of
from lessons.results.words import number, percent, signed
from tests.games.classroom import device_of, signed_in
from tests.scenes import present
from tests.scenes.results import SLIP, Row, answered, generated, work_out
from xactika_site.classrooms.models import ClassSession, Student

COUNT, CHANCE, GIVEN = "deck-size", "none-of-them", "after-slough"
"""Exercises of three skills, of lessons 1, 3 and 4."""

SPREAD, COMBINING = "deck-spread", "either-chance"
"""Of two skills whose titles stand the other way round in the alphabet."""


def tried(*right: tuple[str, bool]) -> Learning:
    """One student's questions, each answered once."""
    return Learning(
        tuple(Attempt(n, key, 1, 0, good, ()) for n, (key, good) in enumerate(right)), {}
    )


def text_of(page: Client, address: str) -> tuple[str, list[str]]:
    """The opening and the figures, as they are read."""
    html = page.get(address).text
    parts = [
        re.search(r'<p class="opening">(.*?)</p>', html, re.DOTALL),
        re.search(r'<ul class="tallies"[^>]*>(.*?)</ul>', html, re.DOTALL),
    ]
    opening, tallies = (part[1] for part in parts if part)
    figures = [words(figure) for figure in tallies.split("</li>")]
    return words(opening), figures[:-1]


def words(html: str) -> str:
    """Text as it is read; what breaks lines in the source does not."""
    return re.sub(r"[ \n]+", " ", re.sub(r"<[^>]+>", "", html)).strip(" ")


def of_class(rows: list[Row]) -> tuple[float, float]:
    """(the share of bids that came true, the mean of bid − taken)"""
    bids = [(row.bid, row.taken) for row in rows if row.bid is not None]
    return (
        sum(bid == taken for bid, taken in bids) / len(bids),
        sum(bid - taken for bid, taken in bids) / len(bids),
    )


@pytest.fixture
def played() -> tuple[ClassSession, Student, list[Row]]:
    """A class of nine, and one of it who has played most."""
    session, people = generated(17, students=9, seats=3, rounds=4)
    rows = work_out(session).own
    student = max(people, key=lambda each: sum(row.student == each.pk for row in rows))
    for each in people:
        answered(session, each, COUNT, each is student)
    for _question in range(3):
        answered(session, student, COUNT, True)
    for _question in range(4):
        answered(session, student, CHANCE, False)
    return session, student, rows


@pytest.mark.django_db
class TestThePage:
    def test_it_can_be_said_aloud_and_the_class_stands_beside(
        self, played: tuple[ClassSession, Student, list[Row]]
    ) -> None:
        session, student, rows = played
        own = [row for row in rows if row.student == student.pk]
        made, far = of_class(own)
        class_made, class_far = of_class(rows)
        hits = sum(row.bid == row.taken for row in own)
        teacher = signed_in(session.classroom.teachers.get())
        opening, figures = text_of(teacher, f"/teach/students/{student.pk}/results/")
        assert opening == (
            "Goes well: “Counting what is possible”, 100% (4 of 4). "
            "To practise: Drawing without putting back (0 of 4 right first time), "
            "with Lesson 3: The deal."
        )
        usual = len(rows) / len({row.student for row in rows})
        assert figures == [
            f"{len(own)} rounds played in class The class: {number(usual)}.",
            f"{percent(made)} {hits} of {len(own)} bids right "
            f"The class: {percent(class_made)}.",
            f"{signed(far)} Bid − taken The class: {signed(class_far)}.",
            f"50% of 8 questions right first time The class: {percent(1 / 4)}.",
        ]
        assert class_made not in (0, made)

    def test_a_name_only_where_names_are_shown(
        self, played: tuple[ClassSession, Student, list[Row]]
    ) -> None:
        session, student, _rows = played
        teacher = signed_in(session.classroom.teachers.get())
        address = f"/teach/students/{student.pk}/results/"
        assert student.name not in teacher.get(address).text
        shows = f"/teach/classrooms/{session.classroom_id}/results/names/"
        teacher.post(shows, {"do": "show", "next": address})
        assert student.name in teacher.get(address).text

    def test_students_see_the_class_beside_them_with_the_teachers_leave(
        self, played: tuple[ClassSession, Student, list[Row]]
    ) -> None:
        session, student, _rows = played
        closing.close_session(session_id=session.pk)
        reader, address = device_of(student, session), f"/class/{session.pk}/results/"
        assert "The class" not in " ".join(text_of(reader, address)[1])
        settings = settings_of(session)
        settings.charts_for_students = True
        settings.save()
        figures = text_of(reader, address)[1]
        assert sum("The class:" in figure for figure in figures) == 4
        html = reader.get(address).text
        assert 'id="own-calibration"' in html
        assert 'id="calibration"' in html
        ids = re.findall(r' id="([^"]+)"', html)
        assert len(set(ids)) == len(ids)  # each chart finds its own numbers

    def test_of_few_the_class_is_not_told(self) -> None:
        session, people = generated(5, students=3, seats=3, rounds=2)
        for student in people:
            answered(session, student, COUNT, SLIP, True)
        assert peers_of(people[0], []) == Peers()


class TestWhatGoesWell:
    def test_the_best_skill_and_the_weakest_with_its_lesson(self) -> None:
        four = [(COUNT, True), (CHANCE, False)] * 4
        learning = tried(*four, (COUNT, True), *[(GIVEN, True)] * 4)
        found = student_panels.opening(learning, Peers())
        assert "Goes well: “Counting what is possible”, 100% (5 of 5)." in found.text
        assert (found.practise, found.counts) == ("Drawing without putting back", "0 of 4")
        assert found.lesson.startswith("Lesson 3:")
        assert found.page == "/lessons/the-deal/"

    def test_equals_are_told_apart_as_in_the_panel(self) -> None:
        """Of skills that went alike both name the same, whatever their titles begin with."""
        learning = tried(*[(SPREAD, False), (COMBINING, False), (COUNT, True)] * 4)
        found = student_panels.opening(learning, Peers())
        assert found.practise == EXERCISES[SPREAD].skill.title
        assert (
            f"To practise: “{found.practise}”"
            in learning_panels.skills(learning, own=True).summary
        )

    def test_of_equals_what_is_not_right_yet_is_to_be_practised(self) -> None:
        """The class's page says of the other that it was got right."""
        again = Attempt(0, SPREAD, 1, 1, True, ())
        learning = tried(*[(SPREAD, False), (COMBINING, False), (COUNT, True)] * 4)
        learning = Learning((*learning.attempts, again), {})
        found = student_panels.opening(learning, Peers())
        assert found.practise == EXERCISES[COMBINING].skill.title
        said = learning_panels.skills(learning, own=True).summary
        assert f"To practise: “{found.practise}”" in said

    def test_of_fewer_than_four_questions_nothing_is_said(self) -> None:
        often = [(COUNT, True)] * 7 + [(COUNT, False)]
        seldom = [(CHANCE, False)] * 4 + [(CHANCE, True)]
        learning = tried(*often, *seldom, (GIVEN, True))
        found = student_panels.opening(learning, Peers())
        assert "(7 of 8)" in found.text  # not 1 of 1
        learning = tried(*often, *seldom, (GIVEN, False))
        found = student_panels.opening(learning, Peers())
        assert found.counts == "1 of 5"  # not 0 of 1

    def test_what_was_all_right_is_not_to_be_practised(self) -> None:
        learning = tried(*[(COUNT, True)] * 9, (COUNT, False), *[(CHANCE, True)] * 4)
        found = student_panels.opening(learning, Peers())
        assert found.practise == ""  # one of ten was wrong of what goes best
        learning = tried(
            *[(COUNT, True)] * 10, *[(CHANCE, True)] * 8, (CHANCE, False), (GIVEN, True)
        )
        assert student_panels.opening(learning, Peers()).counts == "8 of 9"

    def test_where_all_is_right_nothing_is_to_practise(self) -> None:
        learning = tried(*[(COUNT, True), (CHANCE, True)] * 4)
        found = student_panels.opening(learning, Peers())
        assert "Goes well" in found.text
        assert found.practise == ""

    def test_just_over_half_right_is_not_called_going_well(self) -> None:
        for right, said in ((6, False), (7, True)):
            learning = tried(*[(COUNT, n < right) for n in range(10)])
            assert ("Goes well" in student_panels.opening(learning, Peers()).text) is said

    def test_where_all_is_wrong_nothing_goes_well(self) -> None:
        learning = tried(*[(COUNT, False)] * 4)
        found = student_panels.opening(learning, Peers())
        assert found.text == ""
        assert (found.practise, found.counts) == ("Counting what is possible", "0 of 4")
        skills = learning_panels.skills(learning, own=True)
        assert "Goes well" not in skills.summary

    def test_counts_stand_beside_the_shares(self) -> None:
        learning = tried(*[(COUNT, True), (CHANCE, False)] * 4)
        panels = student_panels.panels(Dataset((), (), ()), learning, (), (), ())
        skills = next(panel for panel in panels if panel.key == "skills")
        assert skills.summary == (
            "Goes well: “Counting what is possible”, 100% (4 of 4). To practise: "
            "“Drawing without putting back”, 0% (0 of 4)."
        )
        assert present(skills.figure)["data"][0]["text"] == [  # upwards: the weakest on top
            "100%<br>(4 of 4)",
            "0%<br>(0 of 4)",
        ]

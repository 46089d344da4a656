"""Chapters of a page of results: every panel stands in one, and who needs help is counted."""

from __future__ import annotations

import re

import pytest

from lessons.measures.grid import Ratio
from lessons.measures.panels import Panel
from lessons.results.dataset import dataset_of_session
from lessons.results.learned import learning_panels
from lessons.results.learned.learning import learning_of_session
from lessons.results.session import sections
from lessons.results.session.session_panels import panels
from tests.games.classroom import playing
from tests.scenes.results import PAGES, SLIP, answered, generated, grown, teacher_of


@pytest.mark.django_db
def test_every_panel_stands_in_one_chapter() -> None:
    session, _people = generated(3, students=9, seats=3, rounds=3, duplicate=True)
    data = dataset_of_session(session)
    shown = panels(data, name=lambda place: str(place.student))
    learned = learning_panels.panels(learning_of_session(session), ())
    found = sections.of_session(shown, [], learned, lessons_first=False)
    keys = [panel.key for section in found for panel in section.panels]
    assert sorted(keys) == sorted(panel.key for panel in (*shown, *learned))
    assert [section.key for section in found] == ["played", "bid", "dealt", "learned"]
    assert [panel.key for panel in found[0].panels][-1] == "standings-1"


def test_chapters_without_a_panel_are_left_out() -> None:
    only = [Panel("term-sessions", "When?", "Then.")]
    assert [section.key for section in sections.chapters(only, "term")] == ["what-when"]
    assert sections.chapters([], "student") == []
    assert sections.each_student([], []) == []


@pytest.mark.django_db
def test_a_page_has_each_address_once_and_every_link_of_its_menu_leads_somewhere() -> None:
    session = grown(6, 2)
    browser = teacher_of(session)
    student = session.classroom.students.order_by("pk")[0]
    for page in PAGES:
        if page.endswith(".xlsx"):
            continue
        address = page.format(s=session.pk, c=session.classroom_id, p=student.pk)
        html = browser.get(address).text
        ids = re.findall(r'\sid="([^"]+)"', html)
        assert len(ids) == len(set(ids)), address
        assert set(re.findall(r'href="#([^"]+)"', html)) <= set(ids), address
        assert session.classroom.name in html.partition("<h1")[2].partition("</h1>")[0] or (
            "wall" in address
        ), address


@pytest.mark.django_db
def test_who_needs_help_is_said_with_how_many_and_one_question_puts_nobody_first() -> None:
    session, people = playing(3, seats=3, rounds=1)
    one, many, good = people
    answered(session, one, "deck-size", SLIP)
    for _time in range(4):
        answered(session, many, "deck-size", SLIP)
    answered(session, many, "deck-size", True)
    for _time in range(3):
        answered(session, good, "deck-size", True)
    names = {student.pk: student.name for student in people}
    panel = learning_panels.by_student(learning_of_session(session), names=names)
    assert panel.grid
    assert [str(row[0].text) for row in panel.grid.rows] == [  # type: ignore[union-attr]
        names[many.pk], names[one.pk], names[good.pk],
    ]  # fmt: skip
    assert [row[-1] for row in panel.grid.rows] == [Ratio(1, 5), Ratio(0, 1), Ratio(3, 3)]
    assert [row[-1] for row in panel.grid.numbers.rows] == ["1 of 5", "0 of 1", "3 of 3"]
    assert panel.grid.plain[0][-1] == 0.2

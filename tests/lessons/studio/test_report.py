"""Lesson 8: every question that it offers can be drawn, and a report is its address."""

from __future__ import annotations

import re

import pytest
from django.http import QueryDict
from django.test import Client

from lessons.course import lesson, lessons
from lessons.models import Commitment, Visit
from lessons.results import news
from lessons.studio.settings import read
from lessons.visits.presentation import graph_of
from tests.games.classroom import device_of, playing
from tests.scenes.by_students import finish_round

PAGE = "/lessons/our-question/report/"
ASKS = lesson("our-question").asks


@pytest.mark.parametrize("choice", range(6))
@pytest.mark.parametrize("in_class", [True, False])
def test_every_question_can_be_drawn(choice: int, in_class: bool) -> None:
    assert ASKS is not None
    assert len(ASKS.graphs) == len(ASKS.statements) == 6
    graph = QueryDict(graph_of(ASKS, choice, in_class=in_class)).dict()
    reading = read(graph)
    assert not reading.wrong
    assert not reading.notes  # nothing had to be put right
    for name, text in graph.items():
        value = getattr(reading.settings, name)
        assert str(getattr(value, "value", value)) == text


def test_only_one_lesson_has_reports() -> None:
    assert [each.slug for each in lessons() if each.asks] == ["our-question"]


@pytest.mark.django_db
class TestTheReport:
    def test_it_is_what_its_address_says(self) -> None:
        html = Client().get(PAGE, {"q": "3", "e": "1", "f": "0", "l": ["0", "2"], "n": "1"})
        text = html.text
        said = text[text.index('<article class="report"') :]
        assert "Are high cards dealt fairly to all seats?" in said
        assert "as much as luck allows" in said
        assert "about as close as luck allows" in said
        assert "They are few rounds." in said
        assert "Bots played, too." in said
        assert "They’re our class’s" not in said
        assert "in another class" in said
        assert not Visit.objects.exists()
        assert "guest" not in html.cookies

    def test_a_graph_of_the_studio_goes_in(self) -> None:
        html = Client().get(PAGE, {"q": "0", "of": "deck", "show": "value"}).text
        assert '<article class="report"' in html
        assert "chart" in html
        assert 'name="show" value="value"' in html  # and stays when the report is written

    @pytest.mark.parametrize(
        "sent",
        [
            {"q": "99"}, {"q": "-1"}, {"q": "<script>"}, {"f": "x" * 9000}, {"l": "7"},
            {"of": "nobody"}, {"show": "x", "of": "class"},
            {"of": "class", "session": "999999"},
        ],
    )  # fmt: skip
    def test_nonsense_is_left_out(self, sent: dict[str, str]) -> None:
        answer = Client().get(PAGE, sent)
        assert answer.status_code in (200, 404)
        assert b"<script>" not in answer.content

    def test_no_report_of_other_lessons(self) -> None:
        assert Client().get("/lessons/the-lead/report/").status_code == 404
        assert Client().get("/lessons/no-such/report/").status_code == 404

    def test_it_begins_with_what_was_chosen(self) -> None:
        session, students = playing(2)
        visit = Visit.objects.create(student=students[0], lesson="our-question")
        Commitment.objects.create(visit=visit, step="question", value={"choice": 2})
        browser = device_of(students[0], session)
        html = browser.get(PAGE).text
        assert "Does the first leader take more tricks?" in html[html.index("<article") :]
        assert re.search(r'name="of" value="class"', html)
        step = browser.get("/lessons/our-question/?step=4").text
        assert "Our report" not in step  # what is expected comes first

    def test_every_question_of_a_class_that_has_played_has_its_graph(self) -> None:
        """But for the one whose numbers the group counts itself."""
        session, students = playing(6, seats=3, rounds=2)
        finish_round(session)
        news.show_charts_to_students(session=session, on=True)
        assert ASKS is not None
        browser = device_of(students[0], session)
        for choice, graph in enumerate(ASKS.graphs):
            html = browser.get(PAGE, {"q": str(choice)}).text
            said = html[html.index('<article class="report"') :]
            assert ASKS.statements[choice].text[:20] in said
            if "of=own" in graph:
                assert 'role="status"' in said
            else:
                assert 'id="chart"' in said, graph
                assert 'class="told"' not in said

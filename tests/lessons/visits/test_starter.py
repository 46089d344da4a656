"""Five puzzles with a class: predicted on each device, locked, shown on the wall."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, timedelta

import pytest
from django.test import Client

from games.analysis.puzzles import BALANCED, Kind, puzzles
from games.study.puzzles.words import answer_words
from lessons.course import StepKind, lesson, lessons
from lessons.course.markup import faults
from lessons.course.starter import sets, slug_for, starter
from lessons.models import LessonRun
from lessons.results.dataset import dataset_of_session
from lessons.results.taught.taught_lessons import taught_lessons
from lessons.visits.ways import runs_of
from tests.games.classroom import device_of, students_in
from tests.scenes import present
from tests.scenes.lessons import leading, text_of

pytestmark = pytest.mark.django_db
SLUG = "starter-1"
OFFERED = {f"starter-{n}" for n, each in enumerate(sets(), 1) if min(each) >= BALANCED}
"""The others keep their address, for the classes that had them."""


def test_every_set_is_five_different_puzzles_of_all_kinds() -> None:
    assert len(sets()) >= 30
    numbers = [number for each in sets() for number in each]
    assert len(set(numbers)) == len(numbers) == 5 * len(sets())
    for each in sets():
        assert {puzzles()[number].kind for number in each} == set(Kind)


@pytest.mark.parametrize("number", range(1, len(sets()) + 1, 6))
def test_a_set_asks_and_then_tells(number: int) -> None:
    course = starter(f"starter-{number}")
    assert [step.kind for step in course.steps] == [StepKind.PREDICT, StepKind.REVEAL] * 5
    for asked in course.steps[::2]:
        assert asked.shows.puzzle is not None
        puzzle = puzzles()[asked.shows.puzzle]
        right = [each.text for each in asked.statements if each.is_right]
        assert right == [answer_words(puzzle, puzzle.answer)]
        assert len({each.text for each in asked.statements}) == len(asked.statements)
        assert 3 <= len(asked.statements) <= 5
        assert course.steps[course.reveal_of(asked.name) - 1].shows.puzzle == asked.shows.puzzle
    texts = [text for step in course.steps for text in (step.title, *step.paragraphs)]
    assert [text for text in texts if faults(text)] == []


def test_another_day_has_another_set() -> None:
    days = [date(2026, 9, 1) + timedelta(days=n) for n in range(len(OFFERED))]
    assert {slug_for(day) for day in days} == OFFERED


def test_a_class_is_offered_one_that_it_has_not_had() -> None:
    day, had = date(2026, 9, 1), set[str]()
    for _lesson in OFFERED:
        had.add(slug_for(day, had))
    assert had == OFFERED
    assert slug_for(day, had) == slug_for(day)


def test_the_choice_offers_another_one_after_it_was_held() -> None:
    _session, browser, page = leading()
    offered = present(re.search(r'value="hold:(starter-\d+)"', browser.get(page).text))
    browser.post(page, {"do": f"hold:{offered[1]}"})
    browser.post(page, {"do": "end"})
    assert f"hold:{offered[1]}" not in browser.get(page).text


def test_only_who_is_in_a_session_that_holds_it_finds_it() -> None:
    session, browser, page = leading()
    (student,) = students_in(session, 1)
    device, address = device_of(student, session), f"/lessons/{SLUG}/"
    guess = {"step": "1", "do": "predict", "value": "0"}

    def found(client: Client) -> list[int]:
        asked = [client.get(address), client.post(f"{address}do/", guess)]
        return [answer.status_code for answer in asked]

    assert found(device) == found(Client()) == found(browser) == [404, 404]
    assert Client().get(f"{address}room/").headers["HX-Redirect"] == "/lessons/"
    browser.post(page, {"do": f"hold:{SLUG}"})
    assert found(Client()) == found(browser) == [404, 404]
    assert found(device) == [200, 302]
    browser.post(page, {"do": "end"})
    assert found(device) == [200, 302]
    assert device.get("/lessons/starter-2/").status_code == 404


@pytest.mark.parametrize(
    "slug", ["starter-0", "starter-999", "starter-", "starter-01", "starter-x"]
)
def test_a_set_that_there_is_not_is_not_found(slug: str) -> None:
    with pytest.raises(KeyError):
        lesson(slug)
    assert Client().get(f"/lessons/{slug}/").status_code == 404


def in_a_line(paragraphs: Iterable[str]) -> list[str]:
    return [" ".join(text.split()) for text in paragraphs]


def test_a_teacher_leads_from_the_choice_to_the_end() -> None:
    session, browser, page = leading()
    students = students_in(session, 6)
    choice = present(re.search(r'value="hold:(starter-\d+)"', browser.get(page).text))
    assert choice[1] in {f"starter-{n}" for n in range(1, len(sets()) + 1)}
    assert browser.post(page, {"do": f"hold:{SLUG}"}).status_code == 302
    course = starter(SLUG)
    wall, devices = f"{page}wall/", [device_of(student, session) for student in students]
    for number, step in enumerate(course.steps, start=1):
        browser.post(page, {"do": f"open:{number}"})
        told = in_a_line(lesson(SLUG).steps[number - 1].paragraphs) if step.of else []
        pages = [text_of(each.get(f"/lessons/{SLUG}/?step={number}")) for each in devices[:1]]
        pages += [text_of(browser.get(page)), text_of(browser.get(wall))]
        if step.kind is StepKind.REVEAL:
            assert all(text in shown for text in told[:1] for shown in pages[:2])
            continue
        assert not any("is-true" in each.get(f"/lessons/{SLUG}/").text for each in devices[:1])
        reasons = in_a_line(course.steps[number].paragraphs)
        assert reasons
        assert not any(text in shown for text in reasons for shown in pages)
        for n, each in enumerate(devices):
            form = {
                "step": f"{number}",
                "do": "predict",
                "value": f"{n % len(step.statements)}",
            }
            assert each.post(f"/lessons/{SLUG}/do/", form).status_code == 302
        browser.post(page, {"do": "close"})
        assert "What your class said" in text_of(browser.get(wall))
    browser.post(page, {"do": "end"})
    assert LessonRun.objects.get().ended is not None
    for over in (browser.get(page).text, browser.get(wall).text):
        assert "The lesson is over." in over
        assert over.partition('class="bars-table')[2].count("<tr>") == 6  # a row a puzzle


def test_it_is_none_of_the_course_and_counts_nowhere() -> None:
    session, browser, page = leading()
    student = students_in(session, 1)[0]
    browser.post(page, {"do": f"hold:{SLUG}"})
    form = {"step": "1", "do": "predict", "value": "0"}
    device_of(student, session).post(f"/lessons/{SLUG}/do/", form)
    browser.post(page, {"do": "end"})
    assert SLUG not in {each.slug for each in lessons()}
    assert runs_of(session) == []
    assert taught_lessons(session, dataset_of_session(session)) == ()
    assert "Five puzzles" not in text_of(browser.get(f"/teach/sessions/{session.pk}/results/"))
    for more in ("teacher/", "worksheet/"):
        assert browser.get(f"/lessons/{SLUG}/{more}").status_code == 404
    assert browser.get("/lessons/").status_code == 200

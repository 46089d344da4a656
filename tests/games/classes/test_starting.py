"""A class begins: what it costs until each of its students sits at a table."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

import pytest
from django.db import connection
from django.template import Context, Template
from django.templatetags.i18n import TranslateNode
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from games.classes import steering
from games.models import SessionSettings
from games.tables.state import _read_table, load_table
from lessons.visits.holding import hold
from tests.games.classroom import a_session, device_of, picture, students_in
from xactika_site.classrooms.models import ClassSession

pytestmark = pytest.mark.django_db(transaction=True)


def begun(how_many: int) -> tuple[ClassSession, list[tuple[Client, str]]]:
    """A class that begins, and its students' browsers with the pages of their tables."""
    session = a_session()
    students = {student.pk: student for student in students_in(session, how_many)}
    steering.start(session_id=session.pk)
    pages = [
        (device_of(students[known.pk], session), f"/tables/{known.table}/")
        for known in picture(session).here
    ]
    return session, pages


def test_a_table_just_dealt_is_known_as_it_is_stored() -> None:
    session, _pages = begun(7)
    for table_id in picture(session).tables:
        with CaptureQueriesContext(connection) as asked:
            state = load_table(table_id)
        assert len(asked) == 1
        assert state == _read_table(table_id)
        assert state.round is not None


def statements_of_a_start(how_many: int) -> int:
    session = a_session()
    students_in(session, how_many)
    with CaptureQueriesContext(connection) as made:
        steering.start(session_id=session.pk)
    return len(made)


def test_each_further_table_costs_a_start_few_statements() -> None:
    """Nobody else stores a move meanwhile. Most of them read what has just been stored."""
    few, many = statements_of_a_start(8), statements_of_a_start(16)
    assert (many - few) / 2 <= 18


@pytest.fixture
def translated(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The texts of templates that are translated."""
    found: list[Any] = []
    render = TranslateNode.render

    def counted(node: TranslateNode, context: Context) -> str:
        found.append(node)
        return render(node, context)

    monkeypatch.setattr(TranslateNode, "render", counted)
    return found


def test_what_is_the_same_at_every_table_is_put_together_once(translated: list[Any]) -> None:
    _session, [(browser, address), (other, elsewhere), *_] = begun(6)
    browser.get(address)
    translated.clear()
    assert "Stats table" in other.get(elsewhere).text
    assert len(translated) < 25


def test_what_is_kept_is_told_apart_by_language_and_facts() -> None:
    part = Template(
        "{% load kept %}{% kept fact %}{{ fact }} {{ other }} {{ when|date:'F' }};{% endkept %}"
    )

    def shown(fact: object, other: object, language: str = "en") -> str:
        with translation.override(language):
            context = Context({"fact": fact, "other": other, "when": date(2026, 2, 1)})
            return part.render(context)

    assert shown(1, 1) == "1 1 February;"
    assert shown(1, 2) == "1 1 February;"
    assert shown(2, 3) == "2 3 February;"
    assert shown(1, 4, "fr") == "1 4 février;"
    for fact in range(200):
        shown(fact, 5)
    assert shown(2, 6) == "2 6 February;", "it is not kept without end"


def test_a_table_fetches_no_lesson_before_there_is_one() -> None:
    session, [(browser, address), *_] = begun(4)

    def triggers() -> list[str]:
        page = browser.get(address).text
        return re.findall(r'hx-trigger="([^"]*)"', page)

    assert triggers() == ["news", "fetch", "fetch"]
    hold(session=session, slug="stats-table")
    assert triggers() == ["load, news", "load, fetch", "fetch"]


def test_a_waiting_device_fetches_what_the_table_will_need() -> None:
    session, (first, *_rest) = begun(4)
    device, table = first
    lobby = page_at(device, f"/class/{session.pk}/")
    ahead = re.search(r'data-ahead="([^"]*)"', lobby)
    assert ahead
    named = files_named_by(lobby)
    assert files_named_by(page_at(device, table)) <= named | {*ahead[1].split()}
    assert not named & {*ahead[1].split()}


@pytest.mark.parametrize("questions", SessionSettings.Questions)
def test_a_table_without_questions_fetches_none(questions: SessionSettings.Questions) -> None:
    session, (first, *_rest) = begun(4)
    SessionSettings.objects.filter(class_session=session).update(questions=questions)
    asked = re.search(r'id="own-question"[^>]*hx-trigger="([^"]*)"', page_at(*first))
    assert asked
    assert ("load" in asked[1]) is (questions != SessionSettings.Questions.OFF)


def files_named_by(page: str) -> set[str]:
    return {*re.findall(r'(?:src|href)="(/static/[^"#]+)', page)}


def page_at(device: Client, address: str) -> str:
    """Without hashes in the names of files: fragments may be remembered from other tests."""
    return re.sub(r"\.[0-9a-f]{12}\.", ".", device.get(address).text)

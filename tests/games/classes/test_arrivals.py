"""A class that comes in: each arrival costs about the same however many are here already."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.classes import forming
from games.classes.lobby import lobby_fragments
from games.classes.projector import projector_fragments
from games.classes.state import SessionState, load_session
from games.live import rooms
from lessons.visits.holding import hold
from tests.games.classroom import a_session, device_of, picture, students_in
from tests.scenes.coming_in import in_lobby, student_header
from xactika_site.classrooms.models import ClassSession, Student

pytestmark = pytest.mark.django_db


def queries_of(session: ClassSession) -> tuple[list[str], int]:
    """The queries of somebody new who comes in and loads the lobby, and the
    length of the longest."""
    browser, address = Client(), f"/join/{session.classroom.code}/?step=new"
    page = browser.get(address).text
    offer = re.search(r'name="offer" value="([^"]*)"', page)
    assert offer is not None
    with CaptureQueriesContext(connection) as made:
        browser.post(address, {"do": "new", "offer": offer[1]})
        assert browser.get(f"/class/{session.pk}/").status_code == 200
    said = [re.sub(r"'[^']*'|\d+", "…", query["sql"]) for query in made]
    return said, max(len(query["sql"]) for query in made)


def test_coming_in_asks_for_no_more_as_the_class_grows() -> None:
    session = a_session()
    ClassSession.objects.filter(pk=session.pk).update(expected=500)
    first, longest = queries_of(session)
    students_in(session, 12)
    later, longest_later = queries_of(session)
    assert len(later) <= len(first) <= 40
    assert longest_later <= longest + 50


def test_a_lobby_fetches_nothing_before_there_is_anything() -> None:
    session = a_session()
    (student,) = students_in(session, 1)
    browser = device_of(student, session)

    def triggers() -> list[str]:
        page = browser.get(f"/class/{session.pk}/").text
        return re.findall(r'hx-trigger="([^"]*)"', page)

    assert triggers() == ["news", "fetch"]
    hold(session=session, slug="stats-table")
    assert triggers() == ["load, news", "load, fetch"]


def lobby(session: ClassSession, student: Student) -> str:
    return lobby_fragments(picture(session), {}, student.pk)["lobby"]


def test_a_lecture_hall_is_not_told_of_each_arrival() -> None:
    session = a_session()
    ClassSession.objects.filter(pk=session.pk).update(expected=500)
    students = students_in(session, 49)
    assert "49 students are here" in lobby(session, students[0])
    students_in(session, 2)
    told = lobby(session, students[0])
    assert "50+ students are here" in told
    students_in(session, 8)
    assert lobby(session, students[0]) == told
    students_in(session, 1)
    assert "60+ students are here" in lobby(session, students[0])


def test_the_wall_is_sent_the_last_names_and_no_code_to_scan_with_each_arrival() -> None:
    session = a_session()

    def wall() -> dict[str, str]:
        return projector_fragments(picture(session), {}, "http://cards.school")

    before = wall()
    students_in(session, 1)
    changed = {name for name, html in wall().items() if before[name] != html}
    assert changed == {"wall-here"}
    hall = replace(picture(session), students=picture(session).students * 500)
    assert len(projector_fragments(hall, {}, "")["wall-here"]) < 10_000


def test_a_lecture_hall_that_comes_in_is_drawn_less_often() -> None:
    session = a_session()
    ClassSession.objects.filter(pk=session.pk).update(expected=500)
    students_in(session, 4)
    state = picture(session)
    assert rooms.pause_after(None) == rooms.pause_after(state) == rooms.SESSION_BEAT
    hall = replace(state, students=state.students * 50)
    assert rooms.pause_after(hall) == 2 * rooms.SESSION_BEAT
    assert (
        rooms.pause_after(replace(state, students=state.students * 125)) == rooms.SLOWEST_BEAT
    )
    forming.form_tables(session_id=session.pk)
    assert rooms.pause_after(picture(session)) == rooms.SESSION_BEAT


@pytest.mark.django_db(transaction=True)
async def test_a_line_that_opens_is_shown_what_is_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    session = await database_sync_to_async(a_session)()
    students = await database_sync_to_async(students_in)(session, 3)
    reads: list[int] = []

    def reading(**arguments: Any) -> SessionState:
        reads.append(1)
        return load_session(**arguments)

    monkeypatch.setattr(rooms, "load_session", reading)
    sockets = []
    for student in students:
        sockets.append(await in_lobby(session, student_header(student, session)))
        assert "3 students are here" in await sockets[-1].text()
    assert len(reads) == 1

"""A class that begins with learning by playing: where all are, and the way to the tables."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.utils import timezone

from games.classes import closing, joining, learning, steering
from games.classes.pictures import session_pictures
from games.classes.viewers import SessionView, SessionViewer
from games.tables.state import load_table
from tests.games.classroom import a_session, device_of, picture, students_in
from xactika_site.classrooms.models import Attendance, ClassSession, Student

pytestmark = pytest.mark.django_db

CHAPTERS = 8
FIRST = "/learn/play/read-a-card/"
LAST = "/learn/play/first-round/"


def a_class(how_many: int = 3) -> tuple[ClassSession, list[Student]]:
    session = a_session(chapters=True)
    return session, students_in(session, how_many)


def shown(session: ClassSession, view: str, student: Student | None = None) -> dict[str, str]:
    """The pictures of this view."""
    state = picture(session)
    tables = {table: load_table(table) for table in state.tables}
    viewer = SessionViewer(SessionView(view), student.pk if student else None)
    return session_pictures(state, tables, timezone.now())(viewer).fragments


def go_through(student: Student, session: ClassSession, chapters: int = CHAPTERS) -> None:
    attendance = Attendance.objects.get(student=student, class_session=session)
    for number in range(1, chapters + 1):
        learning.note_chapter(attendance=attendance, number=number, of=CHAPTERS)


def test_whoever_comes_in_is_led_to_the_chapters_and_on_to_a_table() -> None:
    session, students = a_class()
    lobby = shown(session, "lobby", students[0])["lobby"]
    assert 'data-go="/learn/play/"' in lobby
    go_through(students[0], session)
    lobby = shown(session, "lobby", students[0])["lobby"]
    assert "data-go" not in lobby
    assert ">Play<" in lobby
    steering.start(session_id=session.pk)
    for student in students:
        assert 'data-go="/tables/' in shown(session, "lobby", student)["lobby"]
    late = joining.join(session=session, name="Late Heron")
    assert "/learn/play/" not in shown(session, "lobby", late)["lobby"]


def test_without_the_switch_a_lobby_is_a_lobby() -> None:
    session = a_session()
    (student,) = students_in(session, 1)
    assert "/learn/play/" not in shown(session, "lobby", student)["lobby"]
    assert "through" not in shown(session, "projector")["wall-here"]


def test_cockpit_and_wall_tell_how_far_the_class_is() -> None:
    session, students = a_class()
    go_through(students[0], session)
    go_through(students[1], session, 3)
    people = shown(session, "cockpit")["people"]
    assert people.count('class="through"') == 1
    assert "3 chapters" in people
    assert "0 chapters" not in people
    assert "through the chapters: 1" in shown(session, "projector")["wall-here"]
    steering.start(session_id=session.pk)
    assert "chapters" not in shown(session, "cockpit")["people"]


def test_a_chapter_counts_once_and_for_this_student_alone() -> None:
    session, students = a_class(2)
    browser = device_of(students[0], session)
    # Marks of whoever had this device before are not theirs.
    browser.cookies["chapters"] = "exactly.slough"
    for _twice in range(2):
        browser.get(FIRST, {"move": "1233"})
    first, second = picture(session).here
    assert (str(first.chapters), str(second.chapters)) == ("1/8", "/0")
    assert browser.get("/learn/play/").headers["Location"] == "/learn/play/exactly/"
    page = browser.get("/learn/play/exactly/").text
    assert f'ws-connect="/ws/sessions/{session.pk}/?view=lobby"' in page
    assert page.count('class="done"') == 1
    assert f"<b>{students[0].name}</b> · {session.classroom}" in page
    assert f'<span class="who">{students[0].name}</span>' in page  # whose figure sits there
    before = picture(session).version
    browser.get(FIRST, {"move": "1233"})
    assert picture(session).version == before


def test_the_end_in_a_class_offers_another_round_and_no_table_of_ones_own() -> None:
    session, students = a_class(1)
    browser, own = device_of(students[0], session), ""
    while "?moves=" in (page := browser.get(LAST, {"moves": own}).text):
        own = page.split('<ul class="plain">')[1].split("?moves=")[1].split('"')[0]
        own = own.replace("%2C", ",").replace("%3A", ":")
    assert 'id="go-on"' in page
    assert 'id="play-on"' not in page
    assert 'id="play-on"' in Client().get(LAST, {"moves": own}).text


def test_a_chapter_leads_back_to_the_class_and_so_does_the_first_page() -> None:
    session, students = a_class(1)
    browser = device_of(students[0], session)
    way = f'href="/class/{session.pk}/"'

    def ways(page: str) -> tuple[int, int]:
        return page.count(way), len(re.findall(r">\s*Leave\s*<", page))

    assert ways(browser.get(FIRST).text) == (1, 0)
    assert ways(Client().get(FIRST).text) == (0, 1)
    session.settings.chapters = False
    session.settings.save()
    page = browser.get("/").text
    assert way in page
    assert f"{students[0].name}, {session.classroom.name}" in " ".join(page.split())
    ClassSession.objects.update(state=ClassSession.State.CLOSED)
    assert way not in browser.get("/").text
    assert way not in Client().get("/").text


def test_whom_the_session_is_over_for_is_taken_from_a_chapter_to_where_that_is_said() -> None:
    session, students = a_class(2)
    joining.send_out(session_id=session.pk, student_id=students[1].pk)
    assert f'data-go="/class/{session.pk}/"' in shown(session, "lobby", students[1])["lobby"]
    closing.close_session(session_id=session.pk)
    lobby = shown(session, "lobby", students[0])["lobby"]
    assert f'data-go="/class/{session.pk}/"' in lobby
    assert "The session is over." in lobby


@pytest.mark.parametrize("state", ["removed", "closed", "off"])
def test_who_is_not_in_such_a_class_learns_like_anybody(state: str) -> None:
    session, students = a_class(1)
    browser = device_of(students[0], session)
    if state == "removed":
        Attendance.objects.update(state=Attendance.State.REMOVED)
    elif state == "closed":
        ClassSession.objects.update(state=ClassSession.State.CLOSED)
    else:
        session.settings.chapters = False
        session.settings.save()
    browser.get(FIRST, {"move": "1233"})
    assert browser.cookies["chapters"].value == "read-a-card"
    assert Attendance.objects.get().chapters == ""


def test_a_form_has_the_switch() -> None:
    from games.pages.forms import SessionForm

    assert "chapters" in SessionForm().fields

"""Ended rights end at once: the open sockets of whoever may look no longer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from channels.db import database_sync_to_async as in_db
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse

from games.classes import closing, joining
from games.classes.state import seat_of
from games.live import rooms
from games.live.hub import hub as the_hub
from games.models import Move
from games.tables import seats
from games.tables.state import load_table
from tests.games.classroom import a_session, a_teacher, device_of, picture, playing, signed_in
from tests.games.sockets import Socket, connect
from xactika_site.accounts.models import User
from xactika_site.classrooms.models import ClassSession, Student
from xactika_site.classrooms.selectors import phrase_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _no_look_without_a_bell(monkeypatch: pytest.MonkeyPatch) -> None:
    """What ends here ends by a bell, and not because a room looks every few seconds."""
    monkeypatch.setattr(rooms, "LOOK_EVERY", 60.0)


def cookies_of(browser: Client) -> tuple[bytes, bytes]:
    """A browser's cookies, as a header."""
    pairs = (f"{name}={morsel.value}" for name, morsel in browser.cookies.items())
    return b"cookie", "; ".join(pairs).encode()


async def at_table(browser: Client, table_id: str) -> Socket:
    """An open table page of this browser, which has been shown the table."""
    socket = await connect(table_id, html=True, headers=(cookies_of(browser),))
    assert 'id="scores"' in await socket.text()
    return socket


async def at_session(browser: Client, session: ClassSession, view: str) -> Socket:
    """An open lobby, cockpit or projector of this browser, which has been shown something."""
    path = f"/ws/sessions/{session.pk}/"
    headers = (cookies_of(browser),)
    socket = await connect("", path=path, html=True, headers=headers, query=f"view={view}")
    await socket.text()
    return socket


async def is_shut_out(socket: Socket) -> None:
    """It is closed with 4404, and told nothing more."""
    while (event := await socket.hear())["type"] == "websocket.send":
        pass
    assert event == {"type": "websocket.close", "code": 4404}
    assert await socket.everything(0.05) == []
    await socket.leave()


async def stays(socket: Socket) -> None:
    """It has not been closed."""
    await socket.everything()
    assert not any(event["type"] == "websocket.close" for event in socket.said)
    await socket.leave()


# Students.


def come_back(session: ClassSession, student: Student, browser: Client | None = None) -> Client:
    """A browser at which this student has given the phrase."""
    browser = browser or Client()
    answer = browser.post(
        f"/join/{session.classroom.code}/", {"do": "before", "phrase": phrase_of(student)}
    )
    assert answer.status_code == 302
    return browser


def sign_out_everywhere(_session: ClassSession, student: Student, _browser: Client) -> None:
    signed_in(a_teacher()).post(f"/teach/students/{student.pk}/change/", {"do": "sign-out"})


def i_am_done(session: ClassSession, _student: Student, browser: Client) -> None:
    assert browser.post(f"/class/{session.pk}/done/").status_code == 302


def somebody_else(session: ClassSession, student: Student, browser: Client) -> None:
    """Another student says at the same browser who they are."""
    other = Student.objects.exclude(pk=student.pk).latest("pk")
    come_back(session, other, browser)


def barred(session: ClassSession, student: Student, _browser: Client) -> None:
    joining.send_out(session_id=session.pk, student_id=student.pk, bar=True)


def deleted(_session: ClassSession, student: Student, _browser: Client) -> None:
    seats.remove_student(student=student)


ENDS = [sign_out_everywhere, i_am_done, somebody_else, barred, deleted]
OF_THIS_BROWSER = {i_am_done, somebody_else}


def scene(*, watching: bool) -> tuple[ClassSession, Student, str, Client, Client, Client]:
    """A class that plays: a student with two devices, at a table or watching it; another."""
    session, students = playing(6, seats=3, watching=watching, seating="by_hand")
    one, mate = students[0], students[3]
    table_id = (seat_of(one, session.pk) or ("", 0))[0]
    if watching:
        one = joining.join(session=session, name="Late Owl")
    devices = [come_back(session, who) for who in (one, one, mate)]
    return session, one, table_id, *devices  # type: ignore[return-value]


@pytest.mark.parametrize("watching", [False, True], ids=["seated", "watching"])
@pytest.mark.parametrize("end", ENDS)
async def test_a_students_open_pages_end(end: Callable[..., None], watching: bool) -> None:
    session, student, table_id, browser, other_device, mates = await in_db(scene)(
        watching=watching
    )
    lobby = await at_session(browser, session, "lobby")
    pages = [await at_table(browser, table_id), await at_table(browser, table_id)]
    elsewhere = await at_table(other_device, table_id)
    mates_table = (await in_db(picture)(session)).tables[-1]
    mate = await at_table(mates, mates_table)
    await in_db(end)(session, student, browser)
    for page in pages:
        await is_shut_out(page)
    await (stays if end in OF_THIS_BROWSER else is_shut_out)(elsewhere)
    # Whoever is barred is told so in the lobby.
    await (stays if end is barred else is_shut_out)(lobby)
    await stays(mate)


@pytest.mark.parametrize("end", [sign_out_everywhere, i_am_done])
async def test_whose_right_has_ended_makes_no_move_though_the_bell_was_lost(
    end: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    session, student, table_id, browser, *_others = await in_db(scene)(watching=False)
    page = await at_table(browser, table_id)
    await page.everything()
    monkeypatch.setattr(the_hub, "ring", lambda _table_id: None)
    monkeypatch.setattr("games.tables.notify.notify_now", lambda *_told: None)
    await in_db(end)(session, student, browser)
    state = await in_db(load_table)(table_id)
    await page.move(state.turn, "3")
    await is_shut_out(page)
    assert not await in_db(Move.objects.exists)()


async def test_i_am_done_ends_the_other_tabs_of_a_session_that_is_over() -> None:
    session, student, table_id, browser, *_others = await in_db(scene)(watching=False)
    await in_db(closing.close_session)(session_id=session.pk)
    pages = [await at_table(browser, table_id), await at_session(browser, session, "lobby")]
    await in_db(i_am_done)(session, student, browser)
    for page in pages:
        await is_shut_out(page)


async def test_the_same_browser_comes_back_after_it_was_done() -> None:
    session, student, table_id, browser, *_others = await in_db(scene)(watching=False)
    await in_db(i_am_done)(session, student, browser)
    await in_db(come_back)(session, student, browser)
    await stays(await at_table(browser, table_id))


# Teachers.


def sign_out(browser: Client, **_more: Any) -> None:
    assert browser.post(reverse("logout")).status_code == 302


def leave_the_classroom(browser: Client, session: ClassSession, **_more: Any) -> None:
    answer = browser.post(f"/teach/classrooms/{session.classroom_id}/change/", {"do": "leave"})
    assert answer.status_code == 302


def delete_the_account(browser: Client, **_more: Any) -> None:
    answer = browser.post(reverse("goodbye"), {"password": "a long pass phrase"})
    assert answer.status_code == 302


def change_the_password(teacher: User, **_more: Any) -> None:
    """At another browser, as somebody does who has left one signed in."""
    answer = signed_in(teacher).post(
        reverse("password"),
        {
            "old_password": "a long pass phrase",
            "new_password1": "another long pass phrase",
            "new_password2": "another long pass phrase",
        },
    )
    assert answer.status_code == 302


TEACHERS_ENDS = [sign_out, leave_the_classroom, delete_the_account, change_the_password]


@pytest.mark.parametrize("end", TEACHERS_ENDS)
async def test_a_teachers_open_pages_end(end: Callable[..., None]) -> None:
    def two_teachers() -> tuple[ClassSession, User, Client, Client]:
        session, _students = playing(4)
        leaves = a_teacher("second")
        session.classroom.teachers.add(leaves)
        return session, leaves, signed_in(leaves), signed_in(a_teacher())

    session, teacher, browser, colleague = await in_db(two_teachers)()
    table_id = (await in_db(picture)(session)).tables[0]
    views = ["cockpit", "projector"]
    pages = [await at_session(browser, session, view) for view in views]
    pages.append(await at_table(browser, table_id))
    others = [await at_session(colleague, session, view) for view in views]
    others.append(await at_table(colleague, table_id))
    await in_db(end)(browser=browser, session=session, teacher=teacher)
    for page in pages:
        await is_shut_out(page)
    for other in others:
        await stays(other)


async def test_a_sign_in_that_runs_out_ends_without_a_bell(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rooms, "LOOK_EVERY", 0.2)
    session, _students = await in_db(playing)(4)
    cockpit = await at_session(
        await in_db(signed_in)(await in_db(a_teacher)()), session, "cockpit"
    )
    await in_db(Session.objects.all().update)(expire_date="2020-01-01T00:00:00Z")
    await is_shut_out(cockpit)


# What is over leads on.


async def test_open_pages_of_a_closed_session_lead_to_the_next_one() -> None:
    session, students = await in_db(playing)(2)
    wall = await at_session(
        await in_db(signed_in)(await in_db(a_teacher)()), session, "projector"
    )
    lobby = await at_session(await in_db(device_of)(students[0], session), session, "lobby")
    await in_db(closing.close_session)(session_id=session.pk)
    for page, is_over in (wall, 'data-stage="end"'), (lobby, 'data-moment="closed"'):
        while is_over not in (said := await page.text()):
            pass
        assert "Go to the new session" not in said
    await in_db(a_session)(session.classroom)
    for page in wall, lobby:
        assert "Go to the new session" in await page.text()
        await stays(page)

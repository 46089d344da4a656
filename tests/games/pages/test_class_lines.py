"""Who may what in a class, and the open lines of its lobby and tables."""

from __future__ import annotations

import pytest
from channels.db import database_sync_to_async
from django.test import Client
from pytest_django import Settings

from games.classes import closing, forming, joining, seating, steering
from games.classes.state import seat_of
from games.tables import seats
from games.tables.viewers import STUDENT_COOKIE
from tests.games.classroom import (
    a_session,
    picture,
    playing,
    students_in,
)
from tests.games.conftest import Clock
from tests.games.sockets import Socket, connect
from tests.games.table import a_browser, finish, play
from tests.permissions.world import browsers_of_class
from tests.scenes.coming_in import (
    address_of,
    come_in,
    in_lobby,
    is_shut_out,
    lobby_of,
    moment_at,
    student_header,
    text,
)
from xactika_site.classrooms import services as classrooms
from xactika_site.classrooms.models import (
    Attendance,
    Classroom,
    ClassSession,
    ReturnRequest,
    Student,
)

pytestmark = pytest.mark.django_db


def in_play() -> tuple[ClassSession, dict[str, Client]]:
    """A session that plays, and the browsers of the table of permission."""
    session, students = playing(5)
    return session, browsers_of_class(session, students)


def test_unknown_and_forbidden_sessions_look_alike() -> None:
    session, browsers = in_play()
    browsers |= {"guest": a_browser()[0], "nobody": Client()}
    for who in ("elsewhere", "guest", "nobody"):
        for end in ("", "done/"):
            ask = browsers[who].post if end else browsers[who].get
            there, nowhere = ask(f"/class/{session.pk}/{end}"), ask(f"/class/{10**30}/{end}")
            assert (there.status_code, nowhere.status_code) == (404, 404)
            assert there.content == nowhere.content


@pytest.mark.parametrize("key", ["", "x", "1.0.1", "1.0.1.forged", "a" * 5000])
def test_a_forged_device_is_nobody(key: str) -> None:
    session = a_session()
    students_in(session, 1)
    browser = Client()
    browser.cookies[STUDENT_COOKIE] = key
    assert browser.get(lobby_of(session)).status_code == 404
    assert "Your name in this class" in text(browser.get(address_of(session)))


def test_a_deleted_student_is_nobody() -> None:
    session = a_session()
    browser = come_in(session)
    seats.remove_student(student=Student.objects.get())
    # The device was in this class, and finds the way in again, as somebody new.
    assert browser.get(lobby_of(session)).headers["Location"] == address_of(session)
    assert "Your name in this class" in text(browser.get(address_of(session)))


def test_cookies_travel_only_encrypted_where_the_site_is(settings: Settings) -> None:
    settings.IS_HTTPS = True
    browser = come_in(a_session())
    for name in (STUDENT_COOKIE, "offer", "phrase"):
        assert browser.cookies[name]["secure"]
        assert browser.cookies[name]["httponly"]


# The sockets.


@pytest.mark.django_db(transaction=True)
async def test_the_lobby_goes_along_with_the_class() -> None:
    in_db = database_sync_to_async
    session = await in_db(a_session)()
    one, two = await in_db(students_in)(session, 2)
    socket = await in_lobby(session, student_header(one, session))
    await moment_at(socket, "here")
    await in_db(forming.form_tables)(session_id=session.pk)
    assert two.name in await moment_at(socket, "seated")
    await in_db(steering.start)(session_id=session.pk)
    assert "data-go" in await moment_at(socket, "playing")
    await in_db(joining.send_out)(session_id=session.pk, student_id=one.pk)
    assert "Back to the class" in await moment_at(socket, "removed")
    await in_db(joining.let_in)(session_id=session.pk, student_id=one.pk)
    await moment_at(socket, "playing")
    await in_db(closing.close_session)(session_id=session.pk)
    assert "The session is over" in await moment_at(socket, "closed")


@pytest.mark.django_db(transaction=True)
async def test_a_lobby_is_whole_from_its_first_frame_on() -> None:
    """Though the room has not met all its tables."""
    session, browsers = await database_sync_to_async(in_play)()
    moments = {who: who for who in ("asking", "removed", "barred")} | {"student": "playing"}
    for who, moment in moments.items():
        key = browsers[who].cookies[STUDENT_COOKIE].value
        socket = await in_lobby(session, (b"cookie", f"{STUDENT_COOKIE}={key}".encode()))
        assert f'data-moment="{moment}"' in await socket.text()


@pytest.mark.django_db(transaction=True)
async def test_of_a_session_that_is_deleted_no_lobby_is_shown() -> None:
    in_db = database_sync_to_async
    session = await in_db(a_session)()
    lobbies = [
        await in_lobby(session, student_header(student, session))
        for student in await in_db(students_in)(session, 2)
    ]
    await moment_at(lobbies[0], "here")
    await in_db(closing.delete_session)(session_id=session.pk)
    for lobby in lobbies:
        await is_shut_out(lobby)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "how",
    [
        *("sent out", "next game", "signed out", "moved", "after its table was closed"),
        *("deleted", "session deleted", "classroom deleted"),
    ],
)
async def test_an_open_table_page_is_told_where_it_belongs(how: str) -> None:
    in_db = database_sync_to_async
    session, students = await in_db(playing)(8, rounds=1)
    one = students[0]
    table, _seat = await in_db(seat_of)(one, session.pk)
    others = [other for other in (await in_db(picture)(session)).tables if other != table]
    cookie = student_header(one, session)
    socket = await connect(table, html=True, headers=(cookie,))
    assert 'id="hand"' in await socket.text()
    if how == "sent out":
        await in_db(joining.send_out)(session_id=session.pk, student_id=one.pk)
    elif how == "deleted":
        await in_db(seats.remove_student)(student=one)
    elif how == "session deleted":
        await in_db(closing.delete_session)(session_id=session.pk)
    elif how == "classroom deleted":
        classroom = await in_db(Classroom.objects.get)()
        await in_db(closing.delete_classroom)(classroom=classroom)
    elif how == "after its table was closed":
        await in_db(steering.close_table)(session_id=session.pk, table_id=table)
        await socket.everything()  # its last tricks may still be looked at
        assert not any(event["type"] == "websocket.close" for event in socket.said)
        await in_db(seating.add_table)(session_id=session.pk)
    elif how == "signed out":
        await in_db(classrooms.ask_to_return)(session=session, name=one.name)
        request = await in_db(ReturnRequest.objects.get)()
        answer = in_db(joining.answer_request)
        await answer(session_id=session.pk, request_id=request.pk, granted=True)
    else:
        for each in (table, *others):
            await in_db(finish)(each)
        if how == "moved":
            await in_db(steering.next_game)(session_id=session.pk, reseat=True)
        else:
            await in_db(steering.next_game)(session_id=session.pk)
    await is_shut_out(socket)
    said = "".join(event.get("text", "") for event in socket.said)
    if how == "after its table was closed":
        assert f'data-leave="/class/{session.pk}/"' in said
        await socket.leave()
        return
    # A device that was signed out belongs nowhere, as one whose student is gone.
    nowhere = how == "signed out" or "deleted" in how
    for went, named in (("session", "this session"), ("classroom", "the class")):
        words = f"Your teacher has deleted {named}."
        assert (words in said) is (how == f"{went} deleted")
    assert (f'data-leave="/class/{session.pk}/"' in said) is not nowhere
    again = await connect(table, html=True, headers=(cookie,))
    await is_shut_out(again)
    assert not any("data-card" in event.get("text", "") for event in again.said)


async def spoken(socket: Socket, words: str) -> str:
    """Wait until the live region says so; the page's fragments in the same frame."""
    while True:
        page, _region, said = (await socket.text()).partition('<div id="live"')
        if words in said:
            return page


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("game", ["in mid-trick", "over"])
async def test_an_open_table_page_is_told_that_the_session_is_over(game: str) -> None:
    in_db = database_sync_to_async
    session, (one,) = await in_db(playing)(1, rounds=1, seats=2)
    table, _seat = await in_db(seat_of)(one, session.pk)
    if game == "over":
        await in_db(finish)(table)
    else:
        await in_db(play)(table, lambda state: len(state.moves) == 4)
    socket = await connect(table, html=True, headers=(student_header(one, session),))
    await socket.text()
    await in_db(closing.close_session)(session_id=session.pk)
    over = "The session is over. Thank you!"
    page = await spoken(socket, over)
    assert over in page
    assert "Back to the class" in page


@pytest.mark.django_db(transaction=True)
async def test_a_listener_is_told_that_the_table_stops_and_goes_on() -> None:
    in_db = database_sync_to_async
    session, (one,) = await in_db(playing)(1)
    table, _seat = await in_db(seat_of)(one, session.pk)
    socket = await connect(table, html=True, headers=(student_header(one, session),))
    await socket.text()
    pause = in_db(steering.pause_room)
    for paused, words in ((True, "Your teacher has paused the game."), (False, "goes on.")):
        await pause(session_id=session.pk, paused=paused)
        await spoken(socket, words)


def test_the_room_counts_who_is_away(clock: Clock) -> None:
    session = a_session()
    (student,) = students_in(session, 1)
    assert not picture(session).students[0].is_away(clock())
    clock.forward(60)
    assert picture(session).students[0].is_away(clock())
    joining.come_in(session=session, student=student)
    assert picture(session).students[0].state == Attendance.State.HERE

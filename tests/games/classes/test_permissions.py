"""Who may what in a class, beside the table of permission (``tests/permissions``): what is not
found is all alike, tables that may be watched, sockets."""

from __future__ import annotations

import re

import pytest
from channels.db import database_sync_to_async as in_db
from django.test import Client

from games.live import consumers
from games.tables.viewers import STUDENT_COOKIE
from tests.games.classroom import a_teacher, picture, playing, signed_in
from tests.games.sockets import PATIENCE, Socket, connect
from tests.games.table import rows
from tests.permissions.world import browsers_of_class
from xactika_site.classrooms.models import ClassSession

TEACHERS = {"teacher", "second"}
OF_A_TEACHER = (
    *("classrooms/{classroom}/session/", "sessions/{session}/", "sessions/{session}/settings/"),
    *("sessions/{session}/groups/", "sessions/{session}/projector/"),
    *("sessions/{session}/projector/replay/", "sessions/{session}/lesson/"),
    *("sessions/{session}/lesson/wall/", "sessions/{session}/tables/{table}/"),
)
CARD = re.compile(r"(?<![0-9A-Za-z])[123]{4}(?![0-9A-Za-z])")


def in_play(**settings: object) -> tuple[ClassSession, str, dict[str, Client]]:
    """A class that plays, its first table, and the browsers of the table of permission."""
    session, students = playing(7, seats=3, rounds=2, seating="arrival", **settings)
    table = picture(session).tables[0]
    return session, table, browsers_of_class(session, students)


def without_token(html: str) -> str:
    """A page but for the forms' protection, which is another each time."""
    return re.sub(r'value="[0-9A-Za-z]{64}"', "", html)


@pytest.mark.django_db
def test_unknown_and_anothers_look_alike() -> None:
    session, table, browsers = in_play()
    there = {"classroom": session.classroom_id, "session": session.pk, "table": table}
    nowhere = {"classroom": 9999, "session": 9999, "table": "bcdfghjkmnpqrstvwxzb"}
    far = {"classroom": "9" * 30, "session": "9" * 30, "table": "x"}
    for address in OF_A_TEACHER:
        answers = [
            browsers["another"].get("/teach/" + address.format(**words))
            for words in (there, nowhere, far)
        ]
        assert {answer.status_code for answer in answers} == {404}
        assert len({without_token(answer.text) for answer in answers}) == 1


@pytest.mark.django_db
def test_a_table_of_another_session_is_not_in_this_ones_panel() -> None:
    session, _students = playing(2)
    other, _others = playing(2)
    foreign = picture(other).tables[0]
    teacher = signed_in(a_teacher())
    path = f"/teach/sessions/{session.pk}/"
    assert teacher.get(f"{path}tables/{foreign}/").status_code == 404
    before = rows(foreign)
    for what in ("pause-table", "close-table", "finish"):
        assert teacher.post(f"{path}do/", {"do": f"{what}:{foreign}"}).status_code == 404
    assert rows(foreign) == before


@pytest.mark.django_db
@pytest.mark.parametrize("how", ["allowed", "duplicate"])
def test_students_watch_where_the_teacher_allows_it(how: str) -> None:
    _session, table, browsers = in_play(watching=True, duplicate=how == "duplicate")
    lookers = {*TEACHERS, "student"} | ({"neighbour"} if how == "allowed" else set())
    for who, browser in browsers.items():
        answer = browser.get(f"/tables/{table}/")
        assert (answer.status_code == 200) is (who in lookers), who


# The sockets.


def cookie_of(browser: Client) -> tuple[bytes, bytes]:
    """A browser's cookies, as a header."""
    jar = browser.cookies
    names = ("sessionid", STUDENT_COOKIE, "guest")
    pairs = [f"{name}={jar[name].value}" for name in names if name in jar]
    return b"cookie", "; ".join(pairs).encode()


async def at_cockpit(
    number: int, browser: Client, origin: str | None = "http://testserver"
) -> Socket:
    path, headers = f"/ws/sessions/{number}/", (cookie_of(browser),)
    return await connect(
        "", path=path, html=True, origin=origin, headers=headers, query="view=cockpit"
    )


@pytest.mark.django_db(transaction=True)
async def test_a_sessions_socket_ends_with_the_first_message_too_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(consumers, "monotonic", lambda: 1000.25)
    session, _table, browsers = await in_db(in_play)()
    socket = await at_cockpit(session.pk, browsers["teacher"])
    for _ in range(consumers.MAX_MESSAGES_A_SECOND):
        await socket.say(type="throw")
    said = [event["type"] for event in await socket.everything()]
    assert "websocket.close" not in said
    await socket.say(type="throw")
    *_said, last = await socket.everything(PATIENCE)
    assert last["code"] == consumers.TOO_FAST


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("html", [False, True], ids=["json", "html"])
@pytest.mark.usefixtures("way", "made_up")
async def test_what_each_gets_by_a_class_tables_socket(html: bool) -> None:
    _session, table, browsers = await in_db(in_play)()
    for who, browser in browsers.items():
        socket = await connect(table, html=html, headers=(cookie_of(browser),))
        first = await socket.text()
        if who == "student":
            assert len(set(CARD.findall(first))) >= 8
        else:
            assert not CARD.search(first)  # nobody has led yet
        if who not in {*TEACHERS, "student"}:
            while (event := await socket.hear())["type"] == "websocket.send":
                pass
            assert event == {"type": "websocket.close", "code": 4404}


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("way", "made_up")
async def test_only_its_teachers_get_a_cockpit_by_socket() -> None:
    session, _table, browsers = await in_db(in_play)()
    for who, browser in browsers.items():
        socket = await at_cockpit(session.pk, browser)
        heard = await socket.text()
        if who in TEACHERS:
            assert 'id="room"' in heard
        else:
            assert 'id="notice"' in heard
            assert (await socket.hear())["code"] == 4404


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("origin", [None, "http://evil.example", "null"])
@pytest.mark.usefixtures("way")
async def test_a_foreign_page_gets_no_socket(origin: str | None) -> None:
    session, _students = await in_db(playing)(2)
    teacher = await in_db(signed_in)(await in_db(a_teacher)())
    socket = await at_cockpit(session.pk, teacher, origin)
    assert 'id="notice"' in await socket.text()
    assert (await socket.hear())["code"] == 4404


@pytest.mark.django_db(transaction=True)
async def test_another_sessions_cockpit_is_not_found() -> None:
    session, _students = await in_db(playing)(2)
    teacher = await in_db(signed_in)(await in_db(a_teacher)())
    for number in (session.pk + 1000, int("9" * 18)):
        socket = await at_cockpit(number, teacher)
        assert 'id="notice"' in await socket.text()

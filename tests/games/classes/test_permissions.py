"""A fixed cast against every address and socket of a teacher's side of a class session."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import product
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.test import Client

from games.classes import joining
from games.models import SessionSettings
from games.tables.viewers import STUDENT_COOKIE
from tests.games.classroom import (
    a_session,
    a_teacher,
    device_of,
    picture,
    playing,
    signed_in,
    students_in,
)
from tests.games.sockets import connect
from tests.games.table import a_browser, play, rows
from tests.scenes import Each, again
from xactika_site.classrooms.models import Attendance, ClassSession

CAST = ("teacher", "second", "another", "student", "guest", "nobody")
"""The classroom's teacher and its second one, a teacher of another classroom, a student of the
session, a browser that plays elsewhere, and one without any cookie."""

TEACHERS = ("teacher", "second")

# By route: the address, and for GET and POST what the classroom's teachers get.
CLASS_ROWS: dict[str, tuple[str, dict[str, int]]] = {
    "teach/classrooms/<int:classroom_id>/session/": (
        "/teach/classrooms/{classroom}/session/",
        {"GET": 302, "POST": 302},  # to the session that is open there
    ),
    "teach/sessions/<int:session_id>/": ("/teach/sessions/{session}/", {"GET": 200}),
    "teach/sessions/<int:session_id>/do/": ("/teach/sessions/{session}/do/", {"POST": 302}),
    "teach/sessions/<int:session_id>/settings/": (
        "/teach/sessions/{session}/settings/",
        {"GET": 200, "POST": 302},
    ),
    "teach/sessions/<int:session_id>/groups/": (
        "/teach/sessions/{session}/groups/",
        {"GET": 200, "POST": 409},  # the class plays already
    ),
    "teach/sessions/<int:session_id>/projector/": (
        "/teach/sessions/{session}/projector/",
        {"GET": 200},
    ),
    "teach/sessions/<int:session_id>/projector/replay/": (
        "/teach/sessions/{session}/projector/replay/",
        {"GET": 302, "POST": 404},  # nothing is led: to the game's wall
    ),
    "teach/sessions/<int:session_id>/lesson/": (
        "/teach/sessions/{session}/lesson/",
        {"GET": 200, "POST": 404},  # what the form asks is nothing of a lesson
    ),
    "teach/sessions/<int:session_id>/lesson/wall/": (
        "/teach/sessions/{session}/lesson/wall/",
        {"GET": 302},  # to the game's wall: the session is at no lesson
    ),
    "teach/sessions/<int:session_id>/tables/<slug:table_id>/": (
        "/teach/sessions/{session}/tables/{table}/",
        {"GET": 200},
    ),
}
FORM = {
    "do": "pause",
    "variant": "lose",
    "seats": "2",
    "rounds": "1",
    "level": "random",
    "seating": "arrival",
    "filling": "bots",
    "patience": "30.0",
    "clock": "",
    "questions": "off",
    "pace": "0.3",
    "odds_panel": "off",
}


@dataclass
class Cast:
    """A class in play, and everybody's browser."""

    session: ClassSession
    table_id: str
    browsers: dict[str, Client]

    def path(self, route: str) -> str:
        return CLASS_ROWS[route][0].format(
            classroom=self.session.classroom_id, session=self.session.pk, table=self.table_id
        )

    def stored(self) -> list[Any]:
        """What a steering hand would change."""
        return [
            rows(self.table_id),
            list(ClassSession.objects.order_by("pk").values()),
            list(SessionSettings.objects.order_by("pk").values()),
        ]


def cast_in_play() -> Cast:
    session, students = playing(3, seats=4)
    session.classroom.teachers.add(a_teacher("second"))
    a_session(None)  # the first teacher's other classroom
    browsers = {name: signed_in(a_teacher(name)) for name in CAST[:3]}
    browsers["student"] = device_of(students[0], session)
    browsers["guest"] = a_browser()[0]
    browsers["nobody"] = Client()
    return Cast(session, picture(session).tables[0], browsers)


def ask(browser: Client, method: str, path: str) -> Any:
    return browser.get(path) if method == "GET" else browser.post(path, FORM)


def without_token(answer: Any) -> str:
    """A page's text but for the forms' protection, which is another each time."""
    return re.sub(r'value="[0-9A-Za-z]{64}"', "", answer.content.decode())


@pytest.mark.django_db
def test_unknown_and_anothers_look_alike() -> None:
    cast = cast_in_play()
    another = cast.browsers["another"]
    for route, (address, methods) in CLASS_ROWS.items():
        nowhere = address.format(classroom=9999, session=9999, table="bcdfghjkmnpqrstvwxzb")
        far = address.format(classroom="9" * 30, session="9" * 30, table="x")
        for method in methods:
            there = ask(another, method, cast.path(route))
            for path in (nowhere, far):
                answer = ask(another, method, path)
                assert answer.status_code == there.status_code == 404
                assert without_token(answer) == without_token(there)


@pytest.mark.django_db
def test_a_table_of_another_session_is_not_in_this_ones_panel() -> None:
    cast = cast_in_play()
    other, _ = playing(2)
    foreign = picture(other).tables[0]
    teacher = cast.browsers["teacher"]
    path = f"/teach/sessions/{cast.session.pk}/tables/{foreign}/"
    assert teacher.get(path).status_code == 404
    do = f"/teach/sessions/{cast.session.pk}/do/"
    before = rows(foreign)
    for what in ("pause-table", "close-table", "finish"):
        assert teacher.post(do, {"do": f"{what}:{foreign}"}).status_code == 404
    assert rows(foreign) == before


# The class's tables.

AT_TABLES = (
    *("teacher", "second", "another", "mine", "neighbour", "asking", "removed", "barred"),
    *("done", "elsewhere", "guest", "nobody"),
)
"""Beside the teachers: a student at this table and one at the next; one who waits for a yes,
two who were sent out of this table; a device that forgot its student; a student of the
teacher's other class."""


def cast_at_tables(**settings: Any) -> Cast:
    session, students = playing(6, seats=4, seating="arrival", **settings)
    table = picture(session).tables[0]
    mine, removed, barred, neighbour = *students[:3], students[3]
    (asking,) = students_in(session, 1)
    joining.send_out(session_id=session.pk, student_id=asking.pk)
    Attendance.objects.filter(student=asking).update(state=Attendance.State.ASKING)
    for student, bar in ((removed, False), (barred, True)):
        joining.send_out(session_id=session.pk, student_id=student.pk, bar=bar)
    session.classroom.teachers.add(a_teacher("second"))
    other = a_session(None)
    (elsewhere,) = students_in(other, 1)
    browsers = {name: signed_in(a_teacher(name)) for name in AT_TABLES[:3]}
    here = {"mine": mine, "neighbour": neighbour, "asking": asking, "removed": removed}
    browsers |= {name: device_of(student, session) for name, student in here.items()}
    browsers["barred"] = device_of(barred, session)
    browsers["done"] = device_of(mine, session)
    browsers["done"].post(f"/class/{session.pk}/done/")
    browsers["elsewhere"] = device_of(elsewhere, other)
    browsers["guest"] = a_browser()[0]
    browsers["nobody"] = Client()
    return Cast(session, table, browsers)


# Below a table's address: who gets what; everybody else gets 404.
LOOKERS_ON = dict.fromkeys(TEACHERS, 200)
TABLE_ROWS: dict[str, tuple[str, dict[str, int]]] = {
    "": ("GET", {**LOOKERS_ON, "mine": 200}),
    "?as=watch": ("GET", LOOKERS_ON),
    "?as=0": ("GET", {"mine": 200}),
    "?as=1": ("GET", {}),
    "odds/": ("GET", {"mine": 204}),
    "review/1/": ("GET", {"mine": 200}),
    "boards/1/": ("GET", {}),
    "steer/": ("POST", {}),
    "again/": ("POST", {}),
}


def test_who_gets_what_at_a_class_table(each: Each) -> None:
    cast = cast_at_tables()
    play(cast.table_id)
    before = rows(cast.table_id)
    for (below, (method, gets)), who in product(TABLE_ROWS.items(), AT_TABLES):
        with each(below=below, who=who):
            path = f"/tables/{cast.table_id}/{below}"
            answer = ask(again(cast.browsers[who]), method, path)
            assert answer.status_code == gets.get(who, 404)
            if answer.status_code == 404:
                assert rows(cast.table_id) == before
                assert not CARD.search(answer.content.decode())


@pytest.mark.django_db
@pytest.mark.parametrize("how", ["allowed", "duplicate"])
def test_students_watch_where_the_teacher_allows_it(how: str) -> None:
    cast = cast_at_tables(watching=True, duplicate=how == "duplicate")
    lookers = {*TEACHERS, "mine"} | ({"neighbour"} if how == "allowed" else set())
    for who, browser in cast.browsers.items():
        answer = browser.get(f"/tables/{cast.table_id}/")
        assert (answer.status_code == 200) is (who in lookers), who


CARD = re.compile(r"(?<![0-9A-Za-z])[123]{4}(?![0-9A-Za-z])")


# The sockets.


def cookie_of(browser: Client) -> bytes:
    jar = browser.cookies
    names = ("sessionid", STUDENT_COOKIE, "guest")
    return "; ".join(f"{name}={jar[name].value}" for name in names if name in jar).encode()


SEES = {
    "cockpit": TEACHERS,
    "projector": TEACHERS,
    "": (),
    "x": (),
    "cockpit%00": (),
    "Cockpit": (),
}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("view", SEES)
@pytest.mark.usefixtures("way", "made_up")
async def test_what_each_gets_by_socket(view: str) -> None:
    cast = await database_sync_to_async(cast_in_play)()
    for who, browser in cast.browsers.items():
        socket = await connect(
            "",
            path=f"/ws/sessions/{cast.session.pk}/",
            place=None,
            html=True,
            headers=((b"cookie", cookie_of(browser)),),
            query=f"view={view}",
        )
        heard = await socket.text()
        if who in SEES[view]:
            first = "room" if view == "cockpit" else "wall-head"
            assert f'id="{first}"' in heard
        else:
            assert 'id="notice"' in heard
            assert (await socket.hear())["code"] == 4404
        await socket.leave()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("html", [False, True], ids=["json", "html"])
@pytest.mark.usefixtures("way", "made_up")
async def test_what_each_gets_by_a_class_tables_socket(html: bool) -> None:
    cast = await database_sync_to_async(cast_at_tables)()
    for who, browser in cast.browsers.items():
        cookie = ((b"cookie", cookie_of(browser)),)
        socket = await connect(cast.table_id, html=html, headers=cookie)
        first = await socket.text()
        if who == "mine":
            assert len(set(CARD.findall(first))) >= 8
        else:
            assert not CARD.search(first)  # nobody has led yet
        if who not in {*TEACHERS, "mine"}:
            while (event := await socket.hear())["type"] == "websocket.send":
                pass
            assert event == {"type": "websocket.close", "code": 4404}
        await socket.leave()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("origin", [None, "http://evil.example", "null"])
@pytest.mark.usefixtures("way")
async def test_a_foreign_page_gets_no_socket(origin: str | None) -> None:
    cast = await database_sync_to_async(cast_in_play)()
    socket = await connect(
        "",
        path=f"/ws/sessions/{cast.session.pk}/",
        html=True,
        origin=origin,
        headers=((b"cookie", cookie_of(cast.browsers["teacher"])),),
        query="view=cockpit",
    )
    assert 'id="notice"' in await socket.text()
    assert (await socket.hear())["code"] == 4404
    await socket.leave()


@pytest.mark.django_db(transaction=True)
async def test_another_sessions_cockpit_is_not_found() -> None:
    cast = await database_sync_to_async(cast_in_play)()
    for number in (cast.session.pk + 1000, int("9" * 18)):
        socket = await connect(
            "",
            path=f"/ws/sessions/{number}/",
            html=True,
            headers=((b"cookie", cookie_of(cast.browsers["teacher"])),),
            query="view=cockpit",
        )
        assert 'id="notice"' in await socket.text()
        await socket.leave()

"""Coming in by the class's code, and the lobby, as pages and as sockets."""

from __future__ import annotations

import re
from typing import Any

from django.test import Client

from games.classes.lobby import lobby_fragments
from games.classes.state import load_session
from games.tables.state import load_table
from games.tables.viewers import STUDENT_COOKIE
from tests.games.sockets import Socket, connect
from tests.scenes import present
from xactika_site.classrooms.models import ClassSession, Student
from xactika_site.classrooms.selectors import device_key


def address_of(session: ClassSession) -> str:
    return f"/join/{session.classroom.code}/"


def lobby_of(session: ClassSession) -> str:
    return f"/class/{session.pk}/"


def text(response: Any) -> str:
    """The words of a page, tags and doubled spaces left out."""
    words = re.sub(r"<[^>]*>", " ", response.text)
    return " ".join(words.split())


def offer_in(response: Any) -> str:
    found = present(re.search(r'name="offer" value="([^"]*)"', response.text))
    return found[1]


def name_in(response: Any) -> str:
    found = present(re.search(r'class="my-name">([^<]*)<', response.text))
    return found[1]


def come_in(session: ClassSession, browser: Client | None = None) -> Client:
    """Somebody new, at a browser, by the page."""
    browser = browser or Client()
    offer = offer_in(browser.get(address_of(session) + "?step=new"))
    answer = browser.post(address_of(session) + "?step=new", {"do": "new", "offer": offer})
    assert (answer.status_code, answer.headers["Location"]) == (302, lobby_of(session))
    return browser


def post(session: ClassSession, browser: Client, do: str, **fields: str) -> Any:
    return browser.post(address_of(session), {"do": do, **fields})


def moment_of(session: ClassSession, student: Student) -> str:
    """The moment that a student's lobby tells of."""
    state = load_session(session.pk)
    tables = {table_id: load_table(table_id) for table_id in state.tables}
    html = lobby_fragments(state, tables, student.pk)["lobby"]
    found = present(re.search(r'data-moment="(\w+)"', html))
    return found[1]


def student_header(student: Student, session: ClassSession) -> tuple[bytes, bytes]:
    return (b"cookie", f"{STUDENT_COOKIE}={device_key(student, session)}".encode())


async def in_lobby(session: ClassSession, *headers: tuple[bytes, bytes]) -> Socket:
    path = f"/ws/sessions/{session.pk}/"
    return await connect("", path=path, html=True, view="lobby", headers=headers)


async def moment_at(socket: Socket, kind: str) -> str:
    """The next frame that tells of this moment."""
    while f'data-moment="{kind}"' not in (frame := await socket.text()):
        pass
    return frame


async def is_shut_out(socket: Socket) -> None:
    while (event := await socket.hear())["type"] == "websocket.send":
        pass
    assert event == {"type": "websocket.close", "code": 4404}

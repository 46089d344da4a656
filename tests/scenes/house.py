"""A table of friends whose sockets and pages are opened, in-process."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from channels.db import database_sync_to_async

from games.models import Guest
from games.tables import opening, seats
from games.tables.viewers import seat_token, watch_token
from tests.games.sockets import OPEN, AskingCommunicator, Socket, connect
from tests.games.table import deal, friends

HANDS = deal("1111 1112 2111", "1121 1211 2112", "1122 1212 1221", "2211 3333 2113")


def in_db(function: Callable[..., Any]) -> Callable[..., Any]:
    """A synchronous function that touches the database, to be awaited."""
    answer: Callable[..., Any] = database_sync_to_async(function)
    return answer


class House:
    """A table of friends with the HANDS dealt, and ways to connect to it."""

    def __init__(self, table_id: str, opener: Guest, keys: dict[int | None, str]) -> None:
        self.table_id, self.opener, self.keys = table_id, opener, keys

    def token(self, seat: int | None, serial: int = 0) -> str:
        if seat is None:
            return watch_token(self.table_id, serial)
        return seat_token(self.table_id, seat, serial)

    async def program(self, seat: int | None = 0, **options: Any) -> Socket:
        return await connect(self.table_id, token=self.token(seat), **options)

    async def browser(self, seat: int | None = 0, **options: Any) -> Socket:
        return await connect(self.table_id, key=self.keys[seat], **options)

    async def steer(self, service: Callable[..., Any], **arguments: Any) -> None:
        await in_db(service)(table_id=self.table_id, guest=self.opener, **arguments)


def _house(**options: Any) -> House:
    options = {"deals": [HANDS] * 8, "patience": 3600, **options}
    opener, key = opening.new_guest()
    keys: dict[int | None, str] = {0: key}
    table_id = friends(opener=opener, **options)
    for place in (1, None):
        guest, keys[place] = opening.new_guest()
        seats.admit(table_id=table_id, seat=place, guest=guest)
    return House(table_id, opener, keys)


async def a_house(**options: Any) -> House:
    house: House = await in_db(_house)(**options)
    return house


async def a_program(seat: int = 1, **options: Any) -> tuple[House, Socket]:
    """A house, and a program at this seat that has been shown the table."""
    house = await a_house(**options)
    socket = await house.program(seat)
    await socket.observation()
    return house, socket


async def a_browsers_page() -> tuple[House, Socket]:
    """A house, and the socket of a browser's page at seat 1 that has been shown the table."""
    house = await a_house()
    socket = await house.browser(1, html=True)
    await socket.text()
    return house, socket


class Page(AskingCommunicator):
    """A browser's page at a table, which asks when it is told to."""

    def __init__(self, table_id: str, key: str, *, application: Any = None) -> None:
        super().__init__(
            {
                "path": f"/ws/tables/{table_id}/",
                "query_string": b"line=a",
                "headers": [
                    (b"host", b"testserver"),
                    (b"origin", b"http://testserver"),
                    (b"cookie", f"guest={key}".encode()),
                ],
            }
        )
        if application is not None:
            self.application = application
        OPEN.append(self)

    async def told(self, *messages: dict[str, Any]) -> str:
        """What is new, in one text."""
        self._messages += map(json.dumps, messages)
        return "".join((await self.ask()).get("frames", []))

    async def leave(self) -> None:
        """Say so, whoever was let in."""
        OPEN.remove(self)
        if self.statuses[-1:] in ([200], [204]):
            await self.ask(leaves=True)
            await self.wait(1)


def page_of(house: House, seat: int | None = 0, **more: Any) -> Page:
    return Page(house.table_id, house.keys[seat], **more)


async def refused(socket: Socket, code: str, reason: str | None = None) -> None:
    """The next frames must be this error and, as the client may be behind, the observation."""
    error = await socket.error()
    assert (error["code"], error.get("reason")) == (code, reason)
    assert set(error) == {"type", "code", "message"} | ({"reason"} if reason else set())
    assert error["message"]
    assert "\n" not in error["message"]
    assert (await socket.frame())["type"] == "observation"


def kinds(events: list[dict[str, Any]]) -> list[str]:
    """What was sent, in short: error codes, "observation" and "close"."""
    said = []
    for event in events:
        if event["type"] == "websocket.close":
            said.append(f"close {event['code']}")
        else:
            frame = json.loads(event["text"])
            said.append(frame.get("code", frame["type"]))
    return said


def ids(html: str) -> list[str]:
    """The ids of the elements that a frame brings."""
    return re.findall(r'<[a-z]+ id="([\w-]+)"', html)

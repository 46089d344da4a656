"""What one browser may have open, and what of it waits for others: counted, not timed."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from games.live import asking, connections, consumers
from games.live.asking import Asking
from tests.games.sockets import PATIENCE, SOCKETS
from tests.games.table import a_browser
from tests.scenes.house import Page, a_house, in_db, page_of
from xactika_site import clients
from xactika_site.lanes import Buckets

pytestmark = pytest.mark.django_db(transaction=True)


async def test_of_too_many_sockets_at_a_table_the_oldest_ends() -> None:
    house = await a_house()
    most = consumers.MOST_AT_ONE_PLACE
    mine = []
    for _ in range(most):  # each at home before the next: the first is the oldest
        mine.append(await house.program(0))
        await mine[-1].observation()
    other = await house.program(1)
    await other.observation()
    newest = await house.program(0)
    await newest.observation()
    while (event := await mine[0].hear())["type"] != "websocket.close":
        pass
    assert event["code"] == consumers.TOO_FAST
    assert len(consumers._open["token " + house.table_id + " 0", path_of(house)]) == most
    await other.say(type="next", turn="1.0")  # answered as ever
    await other.error()
    for socket in (*mine, other, newest):
        await socket.leave()
    assert not consumers._open


def path_of(house: Any) -> str:
    return f"/ws/tables/{house.table_id}/"


async def test_lines_count_as_sockets_and_their_oldest_ends_too() -> None:
    house = await a_house()
    door = Asking(SOCKETS, SOCKETS)
    pages = []
    most = consumers.MOST_AT_ONE_PLACE
    for n in range(most + 5):
        page = page_of(house, application=door)
        page.scope["query_string"] = f"line={n}".encode()
        await page.told()
        pages.append(page)
    async with asyncio.timeout(PATIENCE):
        while (alive := sum(line.closed is None for line in door._polled.values())) != most:
            assert alive > most
            await asyncio.sleep(0.01)


async def test_so_many_new_lines_are_refused_before_anything_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    house = await a_house()
    door = Asking(SOCKETS, SOCKETS)
    monkeypatch.setattr(asking, "ARRIVALS", Buckets(5, 0, nobodys=(5, 0)))
    found = []

    async def noted(*arguments: Any, **more: Any) -> Any:
        if arguments[1] is consumers.find_viewer:
            found.append(more["table_id"])
        return await connections.run_at_door(*arguments, **more)

    monkeypatch.setattr(consumers, "run_at_door", noted)
    pages: list[Page] = []
    for n in range(40):
        page = page_of(house, application=door)
        page.scope["query_string"] = f"line={n}".encode()
        pages.append(page)
        try:
            await page.told()
        except ValueError:  # no JSON: refused
            assert page.statuses == [503]
    assert len(found) <= 10  # of a browser that is not known at first, and then is
    for page in pages:
        if page.statuses[0] != 503:
            await page.leave()


async def test_letting_in_stands_behind_no_move(monkeypatch: pytest.MonkeyPatch) -> None:
    """While the door is full of one browser's handshakes, a move is made."""
    house = await a_house()
    playing = await house.program(1)
    await playing.observation()
    shut, find = threading.Event(), consumers.find_viewer

    def slowly(**who: Any) -> Any:
        assert shut.wait(10)
        return find(**who)

    monkeypatch.setattr(consumers, "find_viewer", slowly)
    crowd = [asyncio.create_task(house.program(0)) for _ in range(15)]
    async with asyncio.timeout(PATIENCE):
        while not connections._DOOR.waiting:
            await asyncio.sleep(0.01)
    await playing.move("1.0", "2")
    seen = await playing.observation(turn="1.1")
    assert seen["bids"][1] == 2
    shut.set()
    await asyncio.gather(*crowd)


async def test_who_is_known_waits_behind_no_stranger(monkeypatch: pytest.MonkeyPatch) -> None:
    """Made-up cookies share a place at the door; a student's own socket takes its turn."""
    shut, order = threading.Event(), []

    def note(name: str) -> None:
        assert shut.wait(10)
        order.append(name)

    door = connections.run_at_door
    strangers = [asyncio.create_task(door("", note, name="stranger")) for _ in range(200)]
    await asyncio.sleep(0)
    known = asyncio.create_task(door("student 1", note, name="student"))
    await asyncio.sleep(0)
    shut.set()
    await asyncio.gather(known, *strangers)
    assert order.index("student") <= connections._DOOR._threads + 1


async def test_a_cookie_is_known_once_it_has_let_somebody_in() -> None:
    browser, guest = await in_db(a_browser)()
    key = str(browser.cookies["guest"].value)
    headers = {b"cookie": f"guest={key}".encode()}
    assert clients.client_of(headers) == clients.NOBODY
    await in_db(browser.get)("/")
    assert clients.client_of(headers) == f"guest {guest.pk}"

"""Sockets by plain requests: what a line keeps, that asking costs nothing, when it ends.

Who is let in, what they are shown and when their right ends is tested together with the
sockets, by the fixture ``way``."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest

from games.live import asking, hub
from games.live.asking import Asking
from games.models import Move
from games.tables import opening, steering
from games.tables.state import load_table
from tests.games.sockets import PATIENCE, SOCKETS
from tests.games.table import is_away, solo
from tests.scenes.house import Page, a_house, in_db, page_of

pytestmark = pytest.mark.django_db(transaction=True)


def turns_in(html: str) -> list[str]:
    return re.findall(r'data-turn="([0-9.]+)"', html)


async def test_the_first_answer_is_the_sockets_and_then_there_is_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    house = await a_house()
    page, socket = page_of(house), await house.browser(0, html=True)
    first = await page.told()
    assert first == await socket.text()
    monkeypatch.setattr("games.live.consumers.in_database", None)  # nothing is read
    for _ in range(3):
        assert await page.told() == ""
    assert page.statuses == [200, 204, 204, 204]
    monkeypatch.undo()


async def test_a_move_is_answered_by_what_it_has_brought_about() -> None:
    house = await a_house()
    page, other = page_of(house), page_of(house, 1)
    await page.told()
    await other.told()
    move = {"type": "move", "turn": "1.0", "move": "3"}
    assert turns_in(await other.told(move)) == ["1.1"]
    assert turns_in(await page.told()) == ["1.1"]
    again = await other.told(move)
    assert "Too late, the game went on" in again
    assert turns_in(again) == ["1.1"]  # with the present picture
    assert await in_db(Move.objects.count)() == 1


async def test_only_the_newest_waits_for_a_page_and_all_that_is_to_be_heard() -> None:
    house = await a_house()
    page, socket = page_of(house), await house.browser(0, html=True)
    await page.told()
    for paused in (True, False, True, False):
        await house.steer(steering.set_paused, paused=paused)
        said = "<p>The table is" if paused else "<p>The game goes"
        while said not in await socket.text():  # or two of them are one picture
            pass
    first, last = (await page.ask())["frames"]
    assert 'class="paused"' in first
    assert 'id="bar"' in last
    assert 'class="paused"' not in last
    heard = re.findall("<p>The (table is|game goes)", first + last)
    assert heard == ["table is", "game goes"] * 2


async def test_an_answer_that_was_lost_comes_again() -> None:
    house = await a_house()
    page = page_of(house)
    await page.ask()
    got = page.got
    await house.steer(steering.set_paused, paused=True)
    page.got = got
    while not (news := await page.ask()):
        await asyncio.sleep(0.01)
    assert news["from"] == got
    page.got = got
    assert await page.ask() == news
    assert await page.ask() == {}


async def test_who_has_been_at_another_process_begins_anew() -> None:
    """What was kept there is not sent again and again, nor said twice."""
    house = await a_house()
    page = page_of(house)
    first = await page.ask()
    await house.steer(steering.set_paused, paused=True)
    while 'class="paused"' not in await page.told():
        await asyncio.sleep(0.01)
    for _ in range(3):
        page.got = 1
        news = await page.ask()
        assert news["from"] != first["from"]
        assert len(news["frames"]) == 1
        assert 'class="paused"' in news["frames"][0]
        assert 'id="live"' not in news["frames"][0]
    assert len(page.application._polled) == 1


async def test_bots_move_though_nobody_has_a_socket() -> None:
    opener, key = await in_db(opening.new_guest)()
    table_id = await in_db(solo)(opener=opener, variant="win", seats=3, pace=0)
    page = Page(table_id, key)
    html = await page.told()
    async with asyncio.timeout(PATIENCE):
        while 'id="play"' not in html:
            await asyncio.sleep(0.02)  # else the room, which waits for a thread, gets no turn
            html += await page.told()
        state = await in_db(load_table)(table_id)
        assert state.to_move == 0
        html = await page.told({"type": "move", "turn": state.turn, "move": state.legal[0]})
        while 'id="play"' not in html:
            await asyncio.sleep(0.02)
            html += await page.told()
    assert len((await in_db(load_table)(table_id)).moves) >= len(state.moves) + 3


@pytest.mark.parametrize("says_so", [True, False])
async def test_who_asks_is_here_and_who_asks_no_more_is_gone(
    monkeypatch: pytest.MonkeyPatch, says_so: bool
) -> None:
    monkeypatch.setattr(asking, "ASKS_WITHIN", 10 if says_so else 2)
    monkeypatch.setattr(hub, "GONE_AFTER", 0.05)
    house = await a_house()
    page, socket = page_of(house), await house.browser(1)
    await page.told()
    await socket.everything(0.1)
    assert not await in_db(is_away)(house.table_id, 0)
    await asyncio.sleep(1.1)
    await page.told()  # the time begins anew
    await asyncio.sleep(1.1)
    assert len(hub.hub.rooms[house.table_id].connections) == 2
    if says_so:
        await page.leave()
    while not (await socket.observation())["players"][0]["away"]:
        pass
    async with asyncio.timeout(PATIENCE):
        while page.application._polled:  # told, and forgotten just after
            await asyncio.sleep(0.01)
    await socket.leave()
    assert house.table_id not in hub.hub.rooms


async def test_anothers_line_is_not_mine() -> None:
    house = await a_house()
    one = page_of(house)
    held = await one.told()
    other = page_of(house, 1, application=one.application)
    assert await other.told() != held
    stranger = Page(house.table_id, "x" * 43, application=one.application)
    answer = await stranger.ask()
    assert (stranger.statuses, answer["closed"]) == ([404], 4404)
    assert 'id="notice"' in answer["frames"][0]
    assert len(one.application._polled) == 2


async def test_a_right_that_ends_is_told_at_the_next_question() -> None:
    house = await a_house()
    page = page_of(house, 1)
    await page.told()
    await house.steer(steering.renew_link, seat=1)
    while not (answer := await page.ask()):
        await asyncio.sleep(0.01)
    assert (page.statuses[-1], answer["closed"]) == (404, 4404)
    assert "We can’t find that table" in answer["frames"][-1]
    assert not any('id="hand"' in frame for frame in answer["frames"])
    assert page.application._polled == {}
    assert (await page.ask())["closed"] == 4404  # it is let in anew, or not


async def answer_to(application: Any, body: bytes, **scope: Any) -> int:
    said: list[Any] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body}

    async def send(message: Any) -> None:
        said.append(message)

    whole = {"type": "http", "method": "POST", "path": "/ask/tables/x/", "headers": []}
    await application({**whole, "query_string": b"", **scope}, receive, send)
    return int(said[0]["status"])


async def a_page(_scope: Any, _receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 299, "headers": []})


@pytest.mark.parametrize(
    "body",
    [
        *("", "{", "[]", "1", '"got"', "null", "{}", '{"got": "1"}', '{"got": true}'),
        *('{"got": 0, "messages": {}}', '{"got": 0, "messages": [1]}', "[" * 60_000),
        '{"got": 0, "messages": ["' + "x" * asking.MOST_BYTES + '"]}',
    ],
)
async def test_what_is_no_question_is_not_answered(body: str) -> None:
    application = Asking(SOCKETS, a_page)
    assert await answer_to(application, body.encode()) == 400
    assert application._polled == {}


async def test_everything_else_is_a_page() -> None:
    application = Asking(SOCKETS, a_page)
    assert await answer_to(application, b'{"got": 0}', method="GET") == 299
    assert await answer_to(application, b'{"got": 0}', path="/asked/") == 299


async def test_there_are_not_more_lines_than_can_be_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(asking, "MOST_POLLED", 1)
    house = await a_house()
    page = page_of(house)
    await page.told()
    other = page_of(house, 1, application=page.application)
    assert (await answer_to(page.application, b'{"got": 0}', **other.scope)) == 503


async def test_what_fails_is_told_and_ends(caplog: pytest.LogCaptureFixture) -> None:
    async def broken(*_all: Any) -> None:
        raise ValueError("a mistake")

    page = Page("x", "y", application=Asking(broken, a_page))
    answer = await page.ask()
    assert answer["closed"] == asking.FAILED
    assert "a line has failed" in caplog.text

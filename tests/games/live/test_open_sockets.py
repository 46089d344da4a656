"""Open sockets: what a browser is sent, who is away, and who is shut out."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import sqlite3
from dataclasses import replace
from datetime import timedelta
from time import monotonic
from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client
from pytest_django import Settings

from games.live.connections import Connection
from games.live.consumers import signed_in_teacher
from games.live.hub import hub
from games.models import Move, Seat, Table
from games.tables import moves, steering
from tests.games.classroom import a_teacher
from tests.games.sockets import PATIENCE, Socket, connect
from tests.games.table import is_away, play
from tests.scenes.house import (
    HANDS,
    a_browsers_page,
    a_house,
    a_program,
    ids,
    in_db,
    kinds,
    refused,
)
from xactika_site import clock, health

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("quiet")]


BID_STORED = "8 tricks, bids total 3"


async def test_a_browser_gets_fragments_and_then_only_what_changed() -> None:
    house = await a_house()
    socket = await house.browser(1, html=True)
    first = await socket.text()
    assert {"bar", "prompt", "called", "slot-0", "hand", "scores", "seat-0", "seat-3"} <= set(
        ids(first)
    )
    assert set(re.findall(r'data-card="(\d{4})"', first)) == set(HANDS["hands"][1])
    await socket.move("1.0", "3")
    then = await socket.text()
    assert {"turn", "prompt", "bar", "called"} <= set(ids(then))
    assert not {"scores", "seat-0", "live"} & set(ids(then))
    assert BID_STORED in then


async def test_a_browser_is_told_by_a_notice() -> None:
    _house, socket = await a_browsers_page()
    for message, words in [
        ({"type": "move", "turn": "1.0", "move": "9"}, "A bid is a number from 0 to 8."),
        ({"type": "move", "turn": "0.9", "move": "3"}, "Too late, the game went on."),
        ({"type": "x"}, "Unknown type"),
    ]:
        await socket.say(**message)
        notice = await socket.text()
        assert ids(notice) == ["notice"]
        assert words in notice
        if message["type"] != "x":
            assert "prompt" in ids(await socket.text())  # then the whole picture again


async def test_what_could_not_be_stored_is_told_and_can_be_sent_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A full disk: a notice, the same picture, an open socket; another error is our mistake."""
    _house, socket = await a_browsers_page()

    def fail(**_arguments: Any) -> None:
        cause = sqlite3.OperationalError("database or disk is full")
        cause.sqlite_errorname = "SQLITE_FULL"
        raise OperationalError from cause

    monkeypatch.setattr(health, "_told_at", {})
    with monkeypatch.context() as full:
        full.setattr(moves, "make_move", fail)
        await socket.move("1.0", "3")
        notice = await socket.text()
        assert ids(notice) == ["notice"]
        assert "That wasn’t saved. Try again" in notice
        assert "prompt" in ids(await socket.text())
    await socket.move("1.0", "3")
    assert BID_STORED in await socket.text()
    await socket.leave()
    errors = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert [record.getMessage() for record in errors] == [health.REASONS[health.Fault.DISK]]
    caplog.clear()


async def test_what_htmx_sends_with_a_form_is_understood() -> None:
    _house, socket = await a_browsers_page()
    headers = {"HX-Request": "true", "HX-Trigger": None, "HX-Current-URL": "http://testserver/"}
    await socket.say(type="move", turn="1.0", move="3", card="1111", HEADERS=headers)
    assert BID_STORED in await socket.text()


async def test_a_fragment_never_brings_another_seats_cards() -> None:
    house = await a_house(variant="win")
    for seat in (0, 1, None):
        socket = await house.browser(seat, html=True)
        html = await socket.text()
        own = set() if seat is None else set(HANDS["hands"][seat])
        assert set(re.findall(r"(?<!\d)[123]{4}(?!\d)", html)) == own


# Coming, going and being shut out.


async def until_away(socket: Socket, seat: int, away: bool) -> None:
    while (await socket.observation())["players"][seat]["away"] is not away:
        pass


async def test_a_deal_asks_again_who_is_here() -> None:
    """What was known a moment ago is of before the start, which counts the lobby as here."""
    house, socket = await a_program()
    room = hub.rooms[house.table_id]
    state = room.state
    assert state is not None
    long_ago = clock.now() - timedelta(minutes=5)
    await in_db(Seat.objects.filter(table=house.table_id).update)(last_seen=long_ago)
    room.presence_read = monotonic()
    await room._read_presence(replace(state, version=state.version + 1), 1)
    assert room.presence[1] != long_ago
    await room._read_presence(replace(state, version=state.version + 1, deal_id=0), 1)
    assert room.presence[1] == long_ago
    await socket.leave()


async def test_going_and_coming_back_is_seen_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.live.hub.GONE_AFTER", 0.05)
    house = await a_house()
    socket, other = await house.program(0), await house.program(1)
    await until_away(socket, 1, False)
    await other.observation()
    await other.leave()
    await until_away(socket, 1, True)
    other = await house.program(1)
    await until_away(socket, 1, False)


async def test_a_short_loss_is_not_going_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.live.hub.GONE_AFTER", 1.5)
    house = await a_house()
    socket, other = await house.program(0), await house.program(1)
    await other.observation()
    await other.leave()
    other = await house.program(1)
    await asyncio.sleep(1.7)
    for event in await socket.everything():
        assert not json.loads(event["text"])["players"][1]["away"]


async def test_somebody_who_was_ready_and_leaves_is_away_soon(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("games.live.hub.GONE_AFTER", 0.05)
    house = await a_house(rounds=2, variant="win")
    turn = (await in_db(play)(house.table_id)).turn
    other = await house.program(1)
    await other.observation()
    await asyncio.sleep(1.2)
    await other.say(type="next", turn=turn)
    await other.observation()
    await other.leave()
    async with asyncio.timeout(PATIENCE):
        while not await in_db(is_away)(house.table_id, 1):
            await asyncio.sleep(0.02)


async def test_a_second_connection_keeps_the_person_here(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("games.live.hub.GONE_AFTER", 0.05)
    house = await a_house()
    socket, one, two = [await house.program(seat) for seat in (0, 1, 1)]
    await one.observation()
    await two.observation()
    await one.leave()
    await asyncio.sleep(0.3)
    for event in await socket.everything():
        assert not json.loads(event["text"])["players"][1]["away"]


async def test_another_processs_change_is_seen_at_the_next_look() -> None:
    house, socket = await a_program()
    await in_db(lambda: Table.objects.update(paused=True, version=90))()
    hub.look_again(house.table_id, *hub.rooms[house.table_id].connections)
    await socket.observation(paused=True)


async def test_a_renewed_link_closes_its_sockets_and_no_others() -> None:
    house = await a_house()
    out = [await house.program(1), await house.browser(1)]
    stays, watcher = await house.program(0), await house.program(None)
    for socket in (*out, stays, watcher):
        await socket.observation()
    await house.steer(steering.renew_link, seat=1)
    for socket in out:
        events = await socket.everything(PATIENCE)
        assert kinds(events)[-2:] == ["not_found", "close 4404"]
        assert kinds(events).count("close 4404") == 1
        await socket.leave()
    await stays.say(type="move", turn="1.0", move="3")
    assert (await stays.error())["code"] == "not_your_turn"
    again = await connect(house.table_id, token=house.token(1, serial=1))
    assert (await again.observation())["seat"] == 1


async def test_who_is_shut_out_and_has_gone_already_is_no_fault(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A closed socket is an OSError to whoever writes to it, as ASGI has it."""

    async def has_gone() -> None:
        raise OSError

    Connection("", is_html=False, send=lambda _text: None, close=has_gone).expel()
    await asyncio.sleep(0.01)
    assert not caplog.records


async def test_who_is_shut_out_makes_no_move_though_the_bell_was_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    house, socket = await a_program()
    monkeypatch.setattr(hub, "ring", lambda *_told: None)
    monkeypatch.setattr("games.tables.notify.notify_now", lambda *_told: None)
    await house.steer(steering.renew_link, seat=1)
    await socket.move("1.0", "3")
    said = kinds(await socket.everything(PATIENCE))
    assert await in_db(Move.objects.count)() == 0
    assert said[-2:] == ["not_found", "close 4404"]


async def test_a_table_that_is_deleted_closes_its_sockets() -> None:
    _house, socket = await a_program()
    await in_db(lambda: Table.objects.all().delete())()
    await socket.move("1.0", "3")
    assert kinds(await socket.everything(PATIENCE)) == ["not_found", "close 4404"]


async def test_a_closed_table_is_shown_and_takes_nothing() -> None:
    house, socket = await a_program()
    await house.steer(steering.close_table)
    seen = await socket.observation(status="closed")
    assert (seen["to_move"], seen["legal"], seen["revealed"]) == (None, [], None)
    await socket.move("1.0", "3")
    await refused(socket, "not_your_turn")


async def test_a_reconnect_shows_the_same() -> None:
    house = await a_house()
    socket = await house.program(1)
    first = await socket.text()
    await socket.leave()
    socket = await house.program(1)
    assert json.loads(await socket.text()) == json.loads(first)


async def test_a_table_rests_when_nobody_is_left() -> None:
    house = await a_house()
    sockets = [await house.program(seat) for seat in (0, 1, None)]
    for socket in sockets:
        await socket.observation()
    assert house.table_id in hub.rooms
    for socket in sockets:
        await socket.leave()
    assert house.table_id not in hub.rooms


def test_a_socket_knows_teachers_by_the_sessions_of_the_settings(settings: Settings) -> None:
    settings.SESSION_ENGINE = "django.contrib.sessions.backends.cache"
    teacher = a_teacher()
    client = Client()
    client.force_login(teacher)
    cookies = {settings.SESSION_COOKIE_NAME: client.cookies[settings.SESSION_COOKIE_NAME].value}
    assert signed_in_teacher(cookies)[0] == teacher

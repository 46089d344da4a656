"""Experts that are not ready: bots count cards meanwhile; the same cards everywhere wait."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from types import SimpleNamespace
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.test import Client

from games import analysis
from games.analysis import bots
from games.classes import steering
from games.live import rooms
from games.models import Move, Seat, SessionSettings, Table
from games.tables import moves
from games.tables.state import load_table
from games.tables.viewers import seat_token
from tests.games.classroom import device_of, picture, playing
from tests.games.sockets import PATIENCE, connect
from tests.games.table import a_browser, solo

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(params=["warming", "missing"])
def kernel(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """A computer on which simulations are not ready, or never will be."""
    monkeypatch.setattr(analysis, "ready", lambda: False)
    monkeypatch.setattr(analysis, "is_impossible", lambda: request.param == "missing")
    return str(request.param)


WORDS = "No experts now: bots count cards."


def test_a_table_says_why_its_experts_only_count(kernel: str) -> None:
    browser, guest = a_browser()
    for level, is_told in (("expert", True), ("counter", False)):
        table_id = solo(guest, level=level)
        page = browser.get(f"/tables/{table_id}/").content.decode()
        assert (WORDS in page) is is_told


def until_a_bot(table_id: str) -> None:
    """People make their moves until a bot is to move."""
    while (state := load_table(table_id)).to_move is not None:
        if state.seats[state.to_move].is_bot:
            return
        moves.make_move(
            table_id=table_id, seat=state.to_move, turn=state.turn, text=state.legal[0]
        )


def test_a_move_is_kept_as_the_bots_that_made_it(kernel: str) -> None:
    _browser, guest = a_browser()
    table_id = solo(guest, level="expert")
    until_a_bot(table_id)
    moves.make_bot_move(table_id=table_id, turn=load_table(table_id).turn)
    assert Move.objects.filter(mover=Move.Mover.BOT).get().level == "counter"


def test_without_numba_it_is_said_where_experts_and_odds_are_wished_for(kernel: str) -> None:
    browser, guest = a_browser()
    asked = browser.get("/play/").content.decode()
    assert ("Experts: not on this computer" in asked) is (kernel == "missing")
    table_id = solo(guest, level="random")
    Table.objects.filter(pk=table_id).update(odds_panel="always")
    while load_table(table_id).to_move != 0:
        moves.make_bot_move(table_id=table_id, turn=load_table(table_id).turn)
    told = browser.get(f"/tables/{table_id}/odds/").content.decode()
    assert ("can’t simulate deals" in told) is (kernel == "missing")
    assert ("hx-get" in told) is (kernel == "warming")  # it asks again only if there is a use
    table = browser.get(f"/tables/{table_id}/").content.decode()
    assert ("can’t simulate deals" in table) is (kernel == "missing")  # beside the switch


def _a_class() -> tuple[Any, list[str], Client]:
    session, students = playing(2, seats=3, rounds=2, duplicate=True, level="expert")
    client = device_of(students[0], session)
    tables = list(picture(session).tables)
    until_a_bot(tables[0])
    return session, tables, client


def _moves_by_bots() -> list[str]:
    rows = Move.objects.exclude(mover=Move.Mover.PERSON)
    return list(rows.values_list("level", flat=True))


async def _count_instead() -> None:
    async with asyncio.timeout(PATIENCE):
        while not await SessionSettings.objects.filter(counts_instead=True).aexists():
            await asyncio.sleep(0.02)


async def _look_on(table_id: str, until: Awaitable[None]) -> None:
    state = await database_sync_to_async(load_table)(table_id=table_id)
    seat = next(seat.number for seat in state.seats if not seat.is_bot)
    token = seat_token(table_id, seat, state.seats[seat].serial)
    socket = await connect(table_id, token=token)
    await until
    await socket.leave()


async def test_the_same_cards_wait_for_experts_and_then_are_played_without(
    kernel: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rooms, "LOOK_FOR_EXPERTS_EVERY", 0.02)
    session, tables, _client = await database_sync_to_async(_a_class)()
    if kernel == "warming":
        await _look_on(tables[0], asyncio.sleep(0.6))
        assert await database_sync_to_async(_moves_by_bots)() == []
        monkeypatch.setattr(rooms, "EXPERTS_WITHIN", 0.0)
    await _look_on(tables[0], _count_instead())
    settings = await SessionSettings.objects.aget(class_session=session)
    assert (settings.level, settings.counts_instead) == ("counter", True)
    levels = {seat.level async for seat in Seat.objects.filter(table__in=tables)}
    assert levels == {"", "counter"}
    assert {table.level async for table in Table.objects.all()} == {"counter"}
    assert set(await database_sync_to_async(_moves_by_bots)()) <= {"counter"}
    page = (await database_sync_to_async(_client.get)(f"/tables/{tables[0]}/")).content.decode()
    assert WORDS in page


def test_a_teacher_may_wish_for_experts_again() -> None:
    session, _students = playing(2, seats=3, rounds=2, duplicate=True, level="expert")
    steering.fall_back_to_counting(session_id=session.pk)
    settings = picture(session).settings
    assert settings.counts_instead
    steering.change_settings(session_id=session.pk, settings=settings)
    assert picture(session).settings.counts_instead
    settings = picture(session).settings
    settings.level = bots.SIMULATING
    steering.change_settings(session_id=session.pk, settings=settings)
    assert not picture(session).settings.counts_instead


def test_who_wished_for_other_bots_keeps_them() -> None:
    session, _students = playing(2, seats=3, rounds=2, duplicate=True, level="random")
    steering.fall_back_to_counting(session_id=session.pk)
    assert picture(session).settings.level == "random"


async def test_where_many_tables_wait_for_the_bots_experts_hurry(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given: list[float | None] = []

    def decide(*, state: Any, seconds: float | None) -> None:
        given.append(seconds)

    monkeypatch.setattr(moves, "decide_move", decide)
    for tables in (rooms.HURRIED_FROM + 3, 2):
        given.clear()
        await asyncio.gather(
            *(rooms._bot_choice(SimpleNamespace(id=str(n))) for n in range(tables))  # type: ignore[arg-type]
        )
        at_leisure = min(tables, rooms.HURRIED_FROM)
        assert given == [None] * at_leisure + [bots.HURRIED] * (tables - at_leisure)

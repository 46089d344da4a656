"""When a room reads its table, and when it knows what a move has just made of it."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from time import monotonic
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.db import OperationalError
from django.utils import timezone

from games.live import hub, rooms
from games.live.hub import Hub
from games.models import Seat
from games.tables import notify
from games.tables.state import TableState, load_table
from games.tables.timing import AWAY_AFTER
from games.tables.viewers import seat_token
from tests.games.sockets import PATIENCE, connect
from tests.games.table import deal, friends, play

pytestmark = pytest.mark.django_db(transaction=True)

HANDS = deal("1111 1112", "1121 1211", "1122 1212", "2211 3333")


def a_table() -> str:
    return friends(deals=[HANDS] * 8, patience=3600)


def bid(state: TableState, *numbers: int) -> TableState:
    """The table after these bids."""
    for number in numbers:
        assert state.to_move is not None
        state = state.after([(state.to_move, str(number), timezone.now())])
    return state


async def test_a_move_stored_here_is_shown_without_being_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table_id = await database_sync_to_async(a_table)()
    seats = [await connect(table_id, token=seat_token(table_id, n, 0)) for n in range(4)]
    for socket in seats:
        await socket.everything(quiet=0.3)
    read: list[str] = []

    def reading(**which: Any) -> TableState:
        read.append(which["table_id"])
        return load_table(**which)

    monkeypatch.setattr(rooms, "load_table", reading)
    to_move = (await database_sync_to_async(load_table)(table_id)).to_move
    assert to_move is not None
    await seats[to_move].move("1.0", "2")
    for socket in seats:
        await socket.observation(turn="1.1")
    assert read == []
    await database_sync_to_async(notify.table_changed)(table_id)
    async with asyncio.timeout(PATIENCE):
        while not read:
            await asyncio.sleep(0.01)


async def a_room(state: TableState) -> rooms.Room:
    """A room that has shown this, and does nothing by itself."""
    room = rooms.Room(state.id, Hub())
    room.task.cancel()
    await asyncio.sleep(0)
    room.state = state
    return room


async def test_two_moves_whose_bells_come_the_wrong_way_round() -> None:
    table_id = await database_sync_to_async(a_table)()
    first = await database_sync_to_async(load_table)(table_id)
    room = await a_room(first)
    one, two = bid(first, 2), bid(first, 2, 1)
    for bells in ([two], [one, two], [two, one]):
        for present in bells:
            room.wake(present)
        assert room._committed_state() is two
    room.state = two
    room.wake(one)
    assert room._committed_state() is None


async def test_two_who_are_ready_and_whose_bells_come_the_wrong_way_round() -> None:
    table_id = await database_sync_to_async(a_table)()
    over = await database_sync_to_async(play)(table_id)
    room = rooms.Room(table_id, Hub())
    await asyncio.wait_for(shown(room, over.version), PATIENCE)
    one, two = (replace(over, version=over.version + more) for more in (1, 2))
    room.wake(two)
    await asyncio.sleep(rooms.NO_HASTE / 10)
    room.wake(one)
    await asyncio.wait_for(shown(room, two.version), PATIENCE)
    room.task.cancel()


async def shown(room: rooms.Room, version: int) -> None:
    """Return once the room has shown this version of its table."""
    while room.state is None or room.state.version != version:
        await asyncio.sleep(0.01)


async def test_what_changed_otherwise_is_read() -> None:
    table_id = await database_sync_to_async(a_table)()
    first = await database_sync_to_async(load_table)(table_id)
    room = await a_room(first)
    for bells in ([None, bid(first, 2)], [bid(first, 2), None], [None]):
        for present in bells:
            room.wake(present)
        assert room._committed_state() is None
    assert room._committed_state() is None


@pytest.mark.parametrize("database", ["gone", "busy"])
async def test_who_is_here_is_noted_again_soon_where_it_could_not_be_stored(
    monkeypatch: pytest.MonkeyPatch, database: str
) -> None:
    """The next regular note might come too late: its people would count as away meanwhile."""
    monkeypatch.setattr(hub, "SEEN_EVERY", 0.5)
    monkeypatch.setattr(hub, "NOTE_AGAIN_AFTER", 0.05)
    noted = asyncio.Event()
    tries: list[int] = []

    def mark_seen(*, seats: list[int], **_more: Any) -> int:
        tries.append(1)
        if len(tries) > 1:
            noted.set()
        elif database == "gone":
            raise OperationalError("gone")
        else:
            return 0  # their seats were locked
        return len(seats)

    monkeypatch.setattr("games.tables.seats.mark_seen", mark_seen)
    table_id = await database_sync_to_async(a_table)()
    socket = await connect(table_id, token=seat_token(table_id, 0, 0))
    await socket.observation()
    monkeypatch.setattr(hub, "SEEN_EVERY", 3600)  # the regular notes after the first
    async with asyncio.timeout(10):
        while not noted.is_set():
            await asyncio.sleep(0.05)


async def test_who_is_noted_as_here_again_without_a_bell_is_shown_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Taken for gone by one process, say, while they had come to another."""
    monkeypatch.setattr(rooms, "SEEN_EVERY", 0.1)
    table_id = await database_sync_to_async(a_table)()
    mine = Seat.objects.filter(table=table_id, number=0)
    socket = await connect(table_id, token=seat_token(table_id, 1, 0))
    await socket.everything(quiet=0.3)
    await database_sync_to_async(mine.update)(last_seen=timezone.now() - 2 * AWAY_AFTER)
    await database_sync_to_async(notify.table_changed)(table_id)
    while not (await socket.observation())["players"][0]["away"]:
        pass
    await database_sync_to_async(mine.update)(last_seen=timezone.now())
    while (await socket.observation())["players"][0]["away"]:
        pass


async def test_a_change_stored_here_leaves_who_is_here_as_it_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table_id = await database_sync_to_async(a_table)()
    read: list[Any] = []

    def reading(table_ids: Any) -> dict[str, Any]:
        read.append(table_ids)
        return {}

    monkeypatch.setattr(rooms, "last_seen", reading)
    state = await database_sync_to_async(load_table)(table_id)
    room = await a_room(state)
    for later, changes, looks in ((0, 0, 0), (1, 1, 0), (1, 0, 1), (2, 1, 1)):
        read.clear()
        room.presence_read = monotonic()
        changed = replace(state, version=state.version + later)
        await room._read_presence(changed, changes)
        assert len(read) == looks

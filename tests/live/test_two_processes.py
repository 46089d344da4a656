"""PostgreSQL, Redis and two server processes: one table, its people on both."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.live.backing import Postgres, Redis, find_program
from tests.live.boards import press, shell
from tests.live.classroom import OPEN, Device, come_in, until
from tests.live.joining import found
from tests.live.program import Client, later, listen, play
from tests.server import WITHOUT_EXPERTS, Server

MISSING = [name for name in ("redis-server", "initdb") if find_program(name) is None]
pytestmark = pytest.mark.skipif(
    bool(MISSING) and os.environ.get("XACTIKA_REQUIRE_SERVICES") != "1",
    reason=f"not installed, so not tested over two processes: {', '.join(MISSING)}",
)


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Server]]:
    folder = tmp_path_factory.mktemp("pair")
    with Postgres() as postgres, Redis(folder) as redis:
        where: dict[str, Any] = {"DATABASE_URL": postgres.url, "REDIS_URL": redis.url}
        # By themselves they look at nothing for as long as these tests last.
        rarely = "import django; django.setup(); from games.live import rooms; "
        where["start_with"] = f"{WITHOUT_EXPERTS}; {rarely}rooms.LOOK_EVERY = 3600"
        with Server(folder, **where) as first, Server(folder, **where) as second:
            yield first, second


async def test_a_game_over_two_processes(pair: tuple[Server, Server]) -> None:
    """Two rounds with people on both processes and a bot; each move reaches all of them."""
    table = pair[0].open_table(variant="bid", seats=4, people=3, rounds=2, pace=0)

    async def sit(number: int, token: str) -> dict[str, Any]:
        server = pair[number % 2]
        async with Client(server.websocket_base, table["table"], token) as client:
            return await play(client, Random(number))

    tokens = [seat["token"] for seat in table["seats"]]
    ends = await asyncio.wait_for(
        asyncio.gather(*(sit(number, token) for number, token in enumerate(tokens))), 90
    )
    assert {seen["status"] for seen in ends} == {"game_over"}
    assert len({str(seen["points"]) for seen in ends}) == 1
    assert pair[1].manage("rebuild_results", "--check").startswith("2 finished rounds, 0 ")
    for server in pair:
        assert server.log.read_text(encoding="utf-8").count("Traceback") == 0


async def test_a_class_over_two_processes(pair: tuple[Server, Server]) -> None:
    """Students come in and sit at either process; the cockpit and the lobby at the other hear
    of it by the bell."""
    first, second = pair
    session, code, teacher = await asyncio.to_thread(shell, first, OPEN)
    view = f"/ws/sessions/{session}/?view="
    cockpit = Device(first, f"{view}cockpit", f"sessionid={teacher}")
    wall = Device(second, f"{view}projector", f"sessionid={teacher}")

    async def shows(device: Device, words: str) -> str:
        while words not in (frame := await device.receive()):
            pass
        return frame

    async with cockpit, wall:
        await shows(cockpit, 'id="people"')
        await shows(wall, 'id="wall-join"')
        cookies = [
            await asyncio.to_thread(come_in, f"{server.base}/join/{code}/")
            for server in (second, first)
        ]
        await shows(cockpit, "<b>2</b> here")
        await shows(wall, "<b>2</b> are here")
        lobbies = [
            Device(server, f"{view}lobby", each)
            for server, each in zip(pair, cookies, strict=True)
        ]
        async with lobbies[0], lobbies[1]:
            await asyncio.to_thread(press, second, session, teacher, "start")
            goals = [await shows(lobby, "data-go=") for lobby in lobbies]
        tables = {found(r'data-go="/tables/(\w+)/"', goal) for goal in goals}
        await shows(cockpit, "Playing")
        (table,) = tables
        seats = [
            Device(server, f"/ws/tables/{table}/?format=json", each)
            for server, each in zip(pair, cookies, strict=True)
        ]
        async with seats[0], seats[1]:
            for what, paused in (("pause", True), ("resume", False), ("pause", True)):
                await asyncio.to_thread(press, second, session, teacher, what)
                for seat in seats:
                    while (await seat.observation())["paused"] is not paused:
                        pass
            await shows(cockpit, "Paused")
            await asyncio.to_thread(press, first, session, teacher, "close")
            for seat in seats:
                while (await seat.observation())["status"] != "closed":
                    pass
        await shows(wall, "The session is over")


async def test_of_two_moves_for_one_turn_one_wins(pair: tuple[Server, Server]) -> None:
    """The same person on both processes sends different moves for one turn."""
    table = pair[0].open_table(variant="win", seats=2, people=1, rounds=1, pace=0)
    where = (table["table"], table["seats"][0]["token"])
    async with (
        Client(pair[0].websocket_base, *where) as first,
        Client(pair[1].websocket_base, *where) as second,
    ):
        for client in (first, second):
            while not (seen := await client.observation())["legal"]:
                pass
        turn, moves = seen["turn"], seen["legal"]
        await first.send(type="move", turn=turn, move=moves[0])
        await second.send(type="move", turn=turn, move=moves[-1])
        for client in (first, second):
            while not later((seen := await client.observation())["turn"], turn):
                pass
        # The loser's error may come just before or just after the picture of the new turn.
        done = asyncio.Event()
        listening = [asyncio.create_task(listen(c, done)) for c in (first, second)]

        def errors() -> list[str]:
            return [text for c in (first, second) for text in c.frames if "stale_turn" in text]

        await until(lambda: bool(errors()))
        done.set()
        await asyncio.gather(*listening)
        assert len(errors()) == 1


async def test_one_process_ends_and_its_people_go_on_at_the_other(
    pair: tuple[Server, Server], tmp_path: Path
) -> None:
    """A process killed in mid-round: its person reconnects to the other and plays on."""
    table = pair[0].open_table(variant="win", seats=2, people=2, rounds=1, pace=0)
    given = pair[0].environment
    third = Server(tmp_path, DATABASE_URL=given["DATABASE_URL"], REDIS_URL=given["REDIS_URL"])
    third.start()
    where = table["table"]
    tokens = [seat["token"] for seat in table["seats"]]

    async def stay() -> dict[str, Any]:
        async with Client(pair[0].websocket_base, where, tokens[0]) as client:
            return await play(client, Random(1))

    async def move_house() -> dict[str, Any]:
        async with Client(third.websocket_base, where, tokens[1]) as client:
            await play(client, Random(2), until=lambda seen: len(seen["tricks"]) >= 3)
            third.kill()
        async with Client(pair[1].websocket_base, where, tokens[1]) as client:
            return await play(client, Random(3))

    try:
        ends = await asyncio.wait_for(asyncio.gather(stay(), move_house()), 60)
    finally:
        third.stop()
    assert {seen["status"] for seen in ends} == {"game_over"}

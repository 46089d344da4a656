"""SIGKILL at any instant: every acknowledged move is there, every table can be played on."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import websockets

from tests.live.acknowledged import flat, open_one, play_table, stored_moves
from tests.server import Server

TABLES = 3


async def test_killed_at_random_instants(tmp_path: Path, soak: bool) -> None:
    kills, rounds = (100, 8) if soak else (3, 3)
    rng = Random(20)
    with Server(tmp_path) as server:
        tables = [open_one(server, variant, rounds) for variant in ("win", "lose", "bid")]
        acknowledged: dict[str, dict[str, str]] = {table["table"]: {} for table in tables}
        for _ in range(kills):
            await play_until_killed(server, tables, acknowledged, rng)
            server.start()
            assert stored_moves(server).items() >= flat(acknowledged).items()
            tables = [
                open_again_if_over(server, table, acknowledged, rounds) for table in tables
            ]
        # Every table can be played to its end, also those that were killed most.
        for table in tables:
            ends = await play_table(server, table, acknowledged[table["table"]], rng)
            assert {seen["status"] for seen in ends} == {"game_over"}
        assert stored_moves(server).items() >= flat(acknowledged).items()
        assert server.manage("rebuild_results", "--check").endswith(", 0 differed\n")
        assert "Traceback" not in server.log.read_text(encoding="utf-8")


def open_again_if_over(
    server: Server,
    table: dict[str, Any],
    acknowledged: dict[str, dict[str, str]],
    rounds: int,
) -> dict[str, Any]:
    """The table, or a new one where its game is nearly over."""
    made = acknowledged[table["table"]]
    if not any(turn.startswith(f"{rounds}.") for turn in made):
        return table
    new = open_one(server, table["variant"], rounds)
    acknowledged[new["table"]] = {}
    return new


async def play_until_killed(
    server: Server,
    tables: list[dict[str, Any]],
    acknowledged: dict[str, dict[str, str]],
    rng: Random,
) -> None:
    games = [
        asyncio.create_task(play_table(server, table, acknowledged[table["table"]], rng))
        for table in tables
    ]
    await asyncio.sleep(0.15 + rng.random() * 0.6)
    server.kill()
    for game in games:
        game.cancel()
        # Its sockets may have been in the middle of their handshakes.
        with suppress(asyncio.CancelledError, websockets.WebSocketException, OSError):
            await game


def test_reading_past_the_product_sees_moves(tmp_path: Path) -> None:
    """The comparison above is not empty by accident."""

    async def one_round(server: Server) -> dict[str, str]:
        table = server.open_table(variant="win", seats=2, people=1, rounds=1, pace=0)
        acknowledged: dict[str, str] = {}
        await play_table(server, table, acknowledged, Random(1))
        return acknowledged

    with Server(tmp_path) as server:
        acknowledged = asyncio.run(one_round(server))
        assert len(acknowledged) == 8
        assert len(stored_moves(server)) == 16

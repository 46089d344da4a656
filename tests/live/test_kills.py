"""SIGKILL at any instant: every acknowledged move is there, every table can be played on."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import websockets

from tests.live.program import Client, play
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


def open_one(server: Server, variant: str, rounds: int) -> dict[str, Any]:
    return server.open_table(
        variant=variant, seats=4, people=3, pace=0.01, rounds=rounds, patience=300
    ) | {"variant": variant}


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


async def play_table(
    server: Server, table: dict[str, Any], acknowledged: dict[str, str], rng: Random
) -> list[dict[str, Any]]:
    async def sit(token: str) -> dict[str, Any]:
        async with Client(server.websocket_base, table["table"], token) as client:
            return await play(client, rng, acknowledged=acknowledged)

    return await asyncio.gather(*(sit(seat["token"]) for seat in table["seats"]))


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


def flat(acknowledged: dict[str, dict[str, str]]) -> dict[tuple[str, str], str]:
    return {
        (table, turn): move
        for table, moves in acknowledged.items()
        for turn, move in moves.items()
    }


def stored_moves(server: Server) -> dict[tuple[str, str], str]:
    """All moves in the database, by table and turn, read past the product."""
    path = server.environment["DATABASE_URL"].removeprefix("sqlite:///")
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
        rows = database.execute(
            "SELECT table_id, round, number, text FROM games_move m"
            " JOIN games_deal d ON d.id = m.deal_id"
        ).fetchall()
    database.close()
    return {(table, f"{round_}.{number}"): text for table, round_, number, text in rows}


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

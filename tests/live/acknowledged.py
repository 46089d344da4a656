"""Tables in play, whose acknowledged moves are compared with what is stored."""

from __future__ import annotations

import asyncio
import sqlite3
from random import Random
from typing import Any

from tests.live.program import Client, play
from tests.server import Server


def open_one(server: Server, variant: str, rounds: int) -> dict[str, Any]:
    return server.open_table(
        variant=variant, seats=4, people=3, pace=0.01, rounds=rounds, patience=300
    ) | {"variant": variant}


async def play_table(
    server: Server, table: dict[str, Any], acknowledged: dict[str, str], rng: Random
) -> list[dict[str, Any]]:
    async def sit(token: str) -> dict[str, Any]:
        async with Client(server.websocket_base, table["table"], token) as client:
            return await play(client, rng, acknowledged=acknowledged)

    return await asyncio.gather(*(sit(seat["token"]) for seat in table["seats"]))


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

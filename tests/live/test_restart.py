"""Two processes on PostgreSQL and Redis behind nginx, as docs/operations.md sets them up: one
after the other is restarted, or the database goes away, and a class plays on."""

from __future__ import annotations

import asyncio
import http.client
import os
import socket
import ssl
from contextlib import suppress
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

import psycopg
import pytest
import websockets

from tests.live.backing import Nginx, Postgres, Redis, find_program
from tests.live.program import Client, play
from tests.server import Server

MISSING = [
    name
    for name in ("redis-server", "initdb", "nginx", "openssl")
    if find_program(name) is None
]
pytestmark = pytest.mark.skipif(
    bool(MISSING) and os.environ.get("XACTIKA_REQUIRE_SERVICES") != "1",
    reason=f"not installed, so not tested behind nginx: {', '.join(MISSING)}",
)

ANY_CERTIFICATE = ssl.create_default_context()
ANY_CERTIFICATE.check_hostname = False
ANY_CERTIFICATE.verify_mode = ssl.CERT_NONE

MOVES = """
SELECT d.table_id, d.round, m.number, m.text
FROM games_move m JOIN games_deal d ON d.id = m.deal_id
"""


class Through(Client):
    """A program that comes by nginx, and takes a moment for each move."""

    def __init__(self, nginx: Nginx, table: str, token: str) -> None:
        super().__init__("wss://cards.school", table, token)
        self.port = nginx.port

    async def __aenter__(self) -> Through:
        self.socket = await websockets.connect(
            self.address,
            host="127.0.0.1",
            port=self.port,
            ssl=ANY_CERTIFICATE,
            additional_headers=self.headers,
            compression=None,
            proxy=None,
            open_timeout=30,
        )
        return self

    async def send(self, **message: Any) -> None:
        await asyncio.sleep(0.2)
        await super().send(**message)


class Person:
    """Somebody with a seat, who comes back whenever the connection is lost."""

    def __init__(self, nginx: Nginx, table: str, token: str) -> None:
        self.where = (nginx, table, token)
        self.table = table
        self.acknowledged: dict[str, str] = {}
        self.turn = ""
        self.losses = 0
        self.longest_away = 0.0

    async def stay(self, rng: Random, enough: asyncio.Event) -> None:
        lost = monotonic()
        while not enough.is_set():
            with suppress(websockets.WebSocketException, OSError):
                async with Through(*self.where) as client:
                    self.longest_away = max(self.longest_away, monotonic() - lost)
                    await play(client, rng, until=self.sees, acknowledged=self.acknowledged)
                    return
            if self.turn:
                self.losses += 1
                lost = monotonic()
            await asyncio.sleep(0.2)

    def sees(self, seen: dict[str, Any]) -> bool:
        self.turn = str(seen["turn"])
        return bool(seen["status"] == "game_over")


def page(nginx: Nginx, path: str) -> int:
    """The status that a browser gets, on a connection of its own."""
    browser = http.client.HTTPSConnection("127.0.0.1", nginx.port, context=ANY_CERTIFICATE)
    try:
        browser.request("GET", path, headers={"Host": "cards.school"})
        return browser.getresponse().status
    finally:
        browser.close()


async def look_at_pages(nginx: Nginx, found: list[int], enough: asyncio.Event) -> None:
    while not enough.is_set():
        found.append(await asyncio.to_thread(page, nginx, "/teach/login/"))
        await asyncio.sleep(0.1)


def a_pair(folder: Path, postgres: Postgres, redis: Redis) -> tuple[Server, Server]:
    where: dict[str, Any] = {
        "DATABASE_URL": postgres.url,
        "REDIS_URL": redis.url,
        "XACTIKA_BASE_URL": "https://cards.school",
    }
    return Server(folder, experts=True, **where), Server(folder, experts=True, **where)


def stored(postgres: Postgres) -> dict[tuple[str, str], str]:
    """All moves in the database, by table and turn, read past the product."""
    with psycopg.connect(postgres.url) as line:
        rows = line.execute(MOVES).fetchall()
    moves = {(table, f"{round_}.{number}"): text for table, round_, number, text in rows}
    assert len(moves) == len(rows)  # none is there twice
    return moves


@pytest.mark.skipif(
    os.environ.get("XACTIKA_SOAK") != "1", reason="half a minute; the long checks do it"
)
async def test_restarted_one_by_one_no_move_is_lost(tmp_path: Path) -> None:
    """Eight people at four tables; each process is stopped and started again, the second as
    soon as the first serves. Whoever was there comes back and plays on; pages are there
    throughout."""
    with Postgres() as postgres, Redis(tmp_path) as redis:
        first, second = a_pair(tmp_path, postgres, redis)
        with first, second, Nginx(tmp_path, first.port, second.port) as nginx:
            tables = [
                first.open_table(variant="win", seats=2, people=2, rounds=8) for _ in "1234"
            ]
            people = [
                Person(nginx, table["table"], seat["token"])
                for table in tables
                for seat in table["seats"]
            ]
            enough, pages = asyncio.Event(), list[int]()
            looking = asyncio.create_task(look_at_pages(nginx, pages, enough))
            playing = [
                asyncio.create_task(person.stay(Random(number), enough))
                for number, person in enumerate(people)
            ]
            await moved(people)
            for server in (first, second):
                await asyncio.to_thread(server.stop)
                await asyncio.to_thread(server.start)
                await moved(people)
            enough.set()
            await looking
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
            made = {
                (person.table, turn): move
                for person in people
                for turn, move in person.acknowledged.items()
            }
            assert stored(postgres).items() >= made.items()
            assert len(made) > len(people)
            assert sum(person.losses for person in people) >= len(people)
            assert set(pages) == {200}, pages
            for server in (first, second):
                assert "Traceback" not in server.log.read_text(encoding="utf-8")
            # A proxy's own lines would name whoever asked, and for what.
            assert nginx.errors.read_text(encoding="utf-8") == ""


async def moved(people: list[Person]) -> None:
    """At each table everybody has seen a move that was made from now on."""
    before = [person.turn for person in people]
    async with asyncio.timeout(60):
        while any(person.turn == then for person, then in zip(people, before, strict=True)):
            await asyncio.sleep(0.1)


def test_systemd_is_told_when_the_server_serves(tmp_path: Path) -> None:
    """So that the next one is stopped only then."""
    address = tmp_path / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(str(address))
        line.settimeout(60)
        with Server(tmp_path, experts=True, NOTIFY_SOCKET=str(address)):
            assert line.recv(100) == b"READY=1"

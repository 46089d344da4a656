"""What the server stands on goes away and comes back: Redis, room on the disk."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest
import websockets
from redis import Redis as RedisClient

from tests.live.backing import Postgres, Redis, find_program
from tests.live.browser import Browser
from tests.live.joining import OPEN, come_in, in_django
from tests.live.program import PATIENCE, Client, later
from tests.live.wires import Wire
from tests.server import ROOT, Server, free_port

needs_redis = pytest.mark.skipif(
    find_program("redis-server") is None and os.environ.get("XACTIKA_REQUIRE_SERVICES") != "1",
    reason="redis-server is not installed, so not tested with it going away",
)

needs_postgres = pytest.mark.skipif(
    find_program("initdb") is None and os.environ.get("XACTIKA_REQUIRE_SERVICES") != "1",
    reason="PostgreSQL is not installed, so not tested with it going away",
)

SOLO = {
    "kind": "solo",
    "variant": "bid",
    "seats": "4",
    "rounds": "8",
    "level": "tip-printed",
    "pace": "slow",
}


def health(server: Server) -> tuple[int, dict[str, str]]:
    status, text = Browser(server.base).get("/healthz")
    return status, json.loads(text)


async def becomes(server: Server, why: str) -> None:
    """/healthz says so; empty for well."""
    wanted = (503, {"status": "failing", "why": why}) if why else (200, {"status": "ok"})
    async with asyncio.timeout(PATIENCE):
        while await asyncio.to_thread(health, server) != wanted:
            await asyncio.sleep(0.2)


def lines_of(server: Server, words: str) -> int:
    return sum(words in line for line in server.log.read_text(encoding="utf-8").splitlines())


async def until_turn(client: Client, turn: str) -> dict[str, Any]:
    """The first observation that is later than a turn."""
    while not later((seen := await client.observation())["turn"], turn):
        pass
    return seen


class Two:
    """Two people at a table, who take turns; each move must be shown to both."""

    def __init__(self, *clients: Client) -> None:
        self.clients = clients
        self.seen: dict[Client, dict[str, Any]] = {}

    async def catch_up(self, turn: str) -> None:
        async with asyncio.timeout(PATIENCE):
            for client in self.clients:
                self.seen[client] = await until_turn(client, turn)

    async def play(self, moves: int) -> None:
        for _ in range(moves):
            mover = next(client for client in self.clients if self.seen[client]["legal"])
            turn, move = self.seen[mover]["turn"], self.seen[mover]["legal"][0]
            await mover.send(type="move", turn=turn, move=move)
            await self.catch_up(turn)


@needs_redis
@needs_postgres
async def test_tables_go_on_while_redis_is_away(tmp_path: Path) -> None:
    """Two processes, a person on each. Without Redis each sees the other's moves within a few
    seconds, forms are answered, the log has one line; when it is back, all is as before."""
    with Postgres() as postgres, Redis(tmp_path) as redis:
        where: dict[str, Any] = {"REDIS_URL": redis.url, "DATABASE_URL": postgres.url}
        with Server(tmp_path, **where) as first, Server(tmp_path, **where) as second:
            servers = (first, second)
            table = first.open_table(variant="win", seats=2, people=2, rounds=8)
            places = [(table["table"], seat["token"]) for seat in table["seats"]]
            browser, newcomer = Browser(first.base), Browser(second.base)
            for each in (browser, newcomer):
                await asyncio.to_thread(each.get, "/play/")
            async with (
                Client(first.websocket_base, *places[0]) as one,
                Client(second.websocket_base, *places[1]) as two,
            ):
                people = Two(one, two)
                await people.catch_up("0.0")
                await people.play(2)
                _session, code = in_django(first, OPEN)
                await asyncio.to_thread(redis.stop)
                await people.play(2)
                came = await asyncio.to_thread(come_in, f"{first.base}/join/{code}/")
                assert came.count(" ") == 1  # a name of two words
                for each in (browser, newcomer):  # where the bell goes through a socket's hub
                    status, page = await asyncio.to_thread(each.post, "/play/", **SOLO)
                    assert (status, "Your hand" in page) == (200, True), page[:500]
                status, page = await asyncio.to_thread(
                    browser.post, "/teach/login/", username="ada", password="x"
                )
                assert (status, "Not now" in page) == (503, True)
                for server in (first, second):
                    await becomes(server, "redis")
                await asyncio.to_thread(redis.start)
                for server in (first, second):
                    await becomes(server, "")
                await people.play(2)
                async with asyncio.timeout(PATIENCE):
                    while not all(lines_of(each, "Redis answers again") for each in servers):
                        await asyncio.sleep(0.1)
            for server in (first, second):
                assert lines_of(server, "Traceback") == 0, server.log.read_text(
                    encoding="utf-8"
                )[-3000:]
                assert lines_of(server, "Redis does not answer") == 1
                assert lines_of(server, "Redis answers again") == 1


@needs_redis
async def test_lines_to_redis_that_vanished_are_replaced(tmp_path: Path) -> None:
    """As when its machine was switched off: nobody says goodbye, and a listener never hears."""
    with Redis(tmp_path) as redis:
        async with Wire(redis.port) as wire:
            server = Server(tmp_path, REDIS_URL=f"redis://127.0.0.1:{wire.port}/0")
            await asyncio.to_thread(server.__enter__)
            try:
                table = server.open_table(variant="win", seats=2, people=1, rounds=1)
                place = (table["table"], table["seats"][0]["token"])
                async with Client(server.websocket_base, *place) as client:
                    await client.observation()
                    async with asyncio.timeout(60):
                        while redis_hears(redis) == 0:
                            await asyncio.sleep(0.1)
                        wire.forget()
                        while not lines_of(server, "Redis answers again"):
                            await asyncio.sleep(0.1)
                assert lines_of(server, "Traceback") == 0, server.log.read_text(
                    encoding="utf-8"
                )[-3000:]
            finally:
                await asyncio.to_thread(server.__exit__)


def redis_hears(redis: Redis) -> int:
    """How many processes listen to its bells."""
    with RedisClient(port=redis.port) as line:
        return sum(number for _, number in line.pubsub_numsub(*line.pubsub_channels()))


def let_write(server: Server, most: int) -> None:
    """How long a file the server may write, as when a disk is full; -1 for any."""
    assert server.process is not None
    _soft, hard = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (most, hard))


async def says(server: Server, words: str) -> None:
    """Until the log has a line with these words."""
    async with asyncio.timeout(PATIENCE):
        while not lines_of(server, words):
            await asyncio.sleep(0.1)


async def test_a_full_disk_is_told_and_nothing_is_lost(tmp_path: Path) -> None:
    """Whoever moves or sends a form is told to try again, the monitor and the log (once) say
    why; with room again the same move is made, and nothing that was shown is missing."""
    with Server(tmp_path) as server:
        table = server.open_table(variant="win", seats=2, people=2, rounds=8)
        places = [(table["table"], seat["token"]) for seat in table["seats"]]
        browser = Browser(server.base)
        await asyncio.to_thread(browser.get, "/play/")
        async with (
            Client(server.websocket_base, *places[0]) as one,
            Client(server.websocket_base, *places[1]) as two,
        ):
            people = Two(one, two)
            await people.catch_up("0.0")
            await people.play(2)
            let_write(server, server.log.stat().st_size + 8192)
            await becomes(server, "disk")
            mover = next(client for client in people.clients if people.seen[client]["legal"])
            seen = people.seen[mover]
            for _ in range(30):
                await mover.send(type="move", turn=seen["turn"], move=seen["legal"][0])
                while (frame := json.loads(await mover.receive()))["type"] == "observation":
                    assert frame["turn"] == seen["turn"]
                assert frame["code"] == "unavailable"
                assert "Try again in a moment" in frame["message"]
            status, page = await asyncio.to_thread(browser.post, "/play/", **SOLO)
            assert (status, "Not now" in page) == (503, True)
            async with Client(server.websocket_base, *places[0]) as late:
                with pytest.raises(websockets.ConnectionClosed):
                    await late.receive()
                assert late.socket.close_code == 1013
            let_write(server, resource.RLIM_INFINITY)
            await becomes(server, "")
            await mover.send(type="move", turn=seen["turn"], move=seen["legal"][0])
            await people.catch_up(seen["turn"])
            await people.play(3)
            await says(server, "there is room on the disk again")
        told = server.log.read_text(encoding="utf-8")
        assert told.count("the disk is full") == 1, told[-3000:]
        assert told.count('again"') == 1, told[-3000:]
        assert told.count("Traceback") == 0, told[-3000:]
        assert server.manage("rebuild_results", "--check").startswith("0 finished rounds, 0 ")


@needs_postgres
async def test_a_database_that_is_gone_is_told_and_nothing_is_half_done(
    tmp_path: Path,
) -> None:
    """Pages and moves are answered that nothing was stored, new sockets are sent away for a
    moment, the process lives; when the database is back, the same move is made, and of all that
    was refused nothing is there."""
    soon = (
        "import xactika_site.settings as s; "
        "s.DATABASES['default']['OPTIONS']['pool']['timeout'] = 1"
    )
    with (
        Postgres() as postgres,
        Server(
            tmp_path, start_with=soon, DATABASE_URL=postgres.url, XACTIKA_METRICS="local"
        ) as server,
    ):
        table = server.open_table(variant="win", seats=2, people=2, rounds=8)
        places = [(table["table"], seat["token"]) for seat in table["seats"]]
        browser = Browser(server.base)
        await asyncio.to_thread(browser.get, "/play/")
        async with (
            Client(server.websocket_base, *places[0]) as one,
            Client(server.websocket_base, *places[1]) as two,
        ):
            people = Two(one, two)
            await people.catch_up("0.0")
            await people.play(2)
            before = rows(postgres)
            await asyncio.to_thread(postgres.stop)
            # More pages than there are threads for them.
            many, press = ThreadPoolExecutor(20), partial(browser.post, "/play/", **SOLO)
            loop = asyncio.get_running_loop()
            pages = [loop.run_in_executor(many, press) for _ in range(20)]
            async with asyncio.timeout(PATIENCE):
                for path, said in (("/livez", "alive"), ("/metrics", "xactika_sockets")):
                    status, text = await asyncio.to_thread(Browser(server.base).get, path)
                    assert (status, said in text) == (200, True)
            for status, page in await asyncio.gather(*pages):
                assert (status, "Not now" in page) == (503, True), page[:500]
            mover = next(client for client in people.clients if people.seen[client]["legal"])
            seen = people.seen[mover]
            await mover.send(type="move", turn=seen["turn"], move=seen["legal"][0])
            while (frame := json.loads(await mover.receive()))["type"] == "observation":
                assert frame["turn"] == seen["turn"]
            assert frame["code"] == "unavailable"
            async with Client(server.websocket_base, *places[0]) as late:
                with pytest.raises(websockets.ConnectionClosed):
                    await late.receive()
                assert late.socket.close_code == 1013
            await becomes(server, "database")
            await asyncio.to_thread(postgres.start)
            await becomes(server, "")
            assert rows(postgres) == before
            await mover.send(type="move", turn=seen["turn"], move=seen["legal"][0])
            await people.catch_up(seen["turn"])
            await people.play(3)
            status, page = await asyncio.to_thread(browser.post, "/play/", **SOLO)
            assert (status, "Your hand" in page) == (200, True), server.log.read_text(
                encoding="utf-8"
            )[-3000:]
            await says(server, "the database answers again")
        told = server.log.read_text(encoding="utf-8")
        assert told.count("Traceback") == 0, told[-3000:]
        assert told.count("the database does not answer") == 1, told[-3000:]
        assert told.count('again"') == 1, told[-3000:]


def rows(postgres: Postgres) -> dict[str, int]:
    """How many rows each table of the database has."""
    with psycopg.connect(postgres.url) as line:
        names = line.execute(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'"
        ).fetchall()
        return {
            name: line.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]  # type: ignore[index]
            for (name,) in names
        }


@needs_postgres
def test_without_its_database_the_start_ends_in_one_line(tmp_path: Path) -> None:
    nowhere = f"postgres://cards:hunter2@127.0.0.1:{free_port()}/cards"
    server = Server(tmp_path, DATABASE_URL=nowhere)
    done = subprocess.run(
        [sys.executable, "-m", "xactika_site"],
        cwd=ROOT,
        env=server.environment,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )
    assert done.returncode != 0
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr[-800:]
    assert done.stderr.startswith("the database does not answer")
    assert "hunter2" not in done.stderr
    assert done.stdout == ""


def the_second(server: Server, **changes: str) -> subprocess.CompletedProcess[str]:
    """What becomes of another process beside a server, with nearly the same settings."""
    return subprocess.run(
        [sys.executable, "-m", "xactika_site"],
        cwd=ROOT,
        env={**server.environment, "PORT": "0", **changes},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )


def is_refused(done: subprocess.CompletedProcess[str], name: str) -> None:
    assert done.returncode != 0
    assert done.stderr.startswith(f"Xactika is already running with {name}: "), done.stderr
    assert done.stderr.endswith("need PostgreSQL in DATABASE_URL, and REDIS_URL)\n")
    assert len(done.stderr.splitlines()) == 1
    assert done.stdout == ""


@needs_redis
def test_of_several_on_sqlite_the_second_ends_in_one_line(tmp_path: Path) -> None:
    with Redis(tmp_path) as redis, Server(tmp_path, REDIS_URL=redis.url) as server:
        is_refused(the_second(server), "server.sqlite3")
        assert health(server)[0] == 200


@needs_postgres
def test_of_several_without_redis_the_second_ends_in_one_line(tmp_path: Path) -> None:
    """Also one that has its data elsewhere, as on another machine."""
    with (
        Postgres() as postgres,
        Server(tmp_path, DATABASE_URL=postgres.url) as server,
    ):
        is_refused(the_second(server), "postgres")
        is_refused(the_second(server, XACTIKA_DATA=str(tmp_path / "another")), "postgres")
        assert health(server)[0] == 200
        server.kill()
        server.start()  # whoever was killed is in nobody's way


@pytest.mark.parametrize("what", ["the server", "purge_expired"])
def test_without_redis_the_start_ends_in_one_line(tmp_path: Path, what: str) -> None:
    server = Server(tmp_path, REDIS_URL=f"redis://127.0.0.1:{free_port()}/0")
    soon = "import xactika_site.health as h; h.WAIT_FOR_REDIS = 1; import runpy, sys; "
    start = "runpy.run_module('xactika_site', run_name='__main__')"
    if what == "purge_expired":
        start = (
            "sys.argv[1:] = ['purge_expired']; runpy.run_path('manage.py', run_name='__main__')"
        )
    done = subprocess.run(
        [sys.executable, "-c", soon + start],
        cwd=ROOT,
        env={**server.environment, "DJANGO_SETTINGS_MODULE": "xactika_site.settings"},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )
    assert done.returncode != 0
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr[-800:]
    assert done.stderr.startswith("REDIS_URL: no answer from Redis")
    assert done.stdout == ""

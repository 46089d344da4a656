"""What a move costs: the real server under full tables, beside the floor (floor.py).

From the repository's root::

    python -m benchmarks.moves                                # everything: about ten minutes
    python -m benchmarks.moves --repeat 1 --only html-saturated floor-saturated

Each run starts a server of its own on a free loopback port and a temporary SQLite file, seats
four clients at every table, and plays whole games of random legal moves. A move's latency is
the time from sending it until all four sockets have the frame that it caused. The server's CPU
is its process's alone and includes the deals between rounds, which are not counted as moves.
Prints one JSON line per peer, face and load, and the ratios last; progress goes to stderr.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, NamedTuple

import psutil
import uvloop
from websockets.asyncio.client import connect

ROOT = Path(__file__).resolve().parent.parent
SERVERS = {"xactika": ["-m", "xactika_site"], "floor": ["-m", "benchmarks.floor"]}
PEERS = {"floor": "floor", "html": "xactika", "json": "xactika"}  # by face
LOADS = ("saturated", "paced")
ROUNDS, MOVES_A_ROUND = 8, 36
WARM_UP = 2.0
"""Seconds of load before anything is measured."""


# What a client makes of a frame. It looks no closer than it must: one seat of four moves.


class Seen(NamedTuple):
    """``round`` where the frame tells it; ``turn`` and ``moves`` where this seat can act."""

    is_picture: bool
    round: int | None = None
    turn: str | None = None
    moves: list[str] | None = None


_BAR_ROUND = re.compile(rb'id="bar"[^>]*>\s*<p><b>[^<\d]*(\d+)')
_FORM_TURN = re.compile(rb'name="turn" value="([^"]+)"')
_BUTTON = re.compile(rb'<(?:button|input)[^>]* name="move" value="([^"]+)"')
_TURN = re.compile(rb'"turn": ?"((\d+)\.\d+)"')
_LEGAL = re.compile(rb'"legal": ?\[([^\]]+)\]')


def read_html(frame: bytes) -> Seen:
    """Of a browser's fragments: after every move the seats change, after every deal the bar."""
    if b'id="notice"' in frame:
        raise RuntimeError(f"the server refused: {frame.decode()}")
    bar = _BAR_ROUND.search(frame) if b'id="bar"' in frame else None
    may_move = b'name="move"' in frame
    form = _FORM_TURN.search(frame) if may_move or b'value="next"' in frame else None
    return Seen(
        is_picture=b'id="seats"' in frame,
        round=int(bar[1]) if bar else None,
        turn=form[1].decode() if form else None,
        moves=[text.decode() for text in _BUTTON.findall(frame)] if may_move else None,
    )


def read_json(frame: bytes) -> Seen:
    turn, legal = _TURN.search(frame), _LEGAL.search(frame)
    if turn is None:
        raise RuntimeError(f"the server refused: {frame.decode()}")
    moves = json.loads(b"[" + legal[1] + b"]") if legal else None
    return Seen(is_picture=True, round=int(turn[2]), turn=turn[1].decode(), moves=moves)


def read_floor(_frame: bytes) -> Seen:
    return Seen(is_picture=True, round=1, moves=["1332:2-star"])


READERS = {"html": read_html, "json": read_json, "floor": read_floor}


class Table:
    """Four sockets of one table, and the game as they see it."""

    def __init__(self, number: int, face: str) -> None:
        self.read = READERS[face]
        self.rng = Random(number)  # noqa: S311
        self.sockets: list[Any] = []
        self.readers: list[asyncio.Task[None]] = []
        self.round = 0
        self.turn: str | None = None
        self.options: tuple[int, list[str]] | None = None  # the seat to move and its moves
        self.bytes_received = 0
        self.ended = 0.0
        self._missing: set[int] = set()  # seats that still wait for what is awaited
        self._awaits_round = False
        self._all_have_it = asyncio.Event()
        self._failure: BaseException | None = None

    @property
    def is_over(self) -> bool:
        return self.options is None and self.round == ROUNDS

    async def sit_down(self, url: str, tokens: list[str]) -> None:
        """Connect every seat; return when all of them see the first round."""
        self._await(is_round=True)
        for seat, token in enumerate(tokens):
            ws = await connect(
                url,
                additional_headers={"Authorization": f"Bearer {token}"},
                compression=None,
                ping_interval=None,
                proxy=None,
            )
            self.sockets.append(ws)
            self.readers.append(asyncio.create_task(self._listen(seat, ws)))
        await self._arrived()

    async def move(self) -> float:
        """Make a random legal move; the seconds until all four sockets have its frame."""
        assert self.options is not None  # noqa: S101
        seat, moves = self.options
        self.options = None
        message = {"type": "move", "turn": self.turn, "move": self.rng.choice(moves)}
        self._await(is_round=False)
        began = time.perf_counter()
        await self.sockets[seat].send(json.dumps(message))
        await self._arrived()
        return self.ended - began

    async def next_round(self) -> None:
        """All four say that they are ready; return when all of them see the next round."""
        message = json.dumps({"type": "next", "turn": self.turn})
        self._await(is_round=True)
        for ws in self.sockets:
            await ws.send(message)
        await self._arrived()

    def _await(self, *, is_round: bool) -> None:
        self._awaits_round, self._turn_before = is_round, self.turn
        self._missing = set(range(4))
        self._all_have_it.clear()

    async def _arrived(self) -> None:
        await self._all_have_it.wait()
        if self._failure:
            raise self._failure

    async def _listen(self, seat: int, ws: Any) -> None:
        try:
            while True:
                self._take(seat, await ws.recv(decode=False))
        except Exception as error:
            self._failure = error
            self._all_have_it.set()

    def _take(self, seat: int, frame: bytes) -> None:
        seen = self.read(frame)
        if seen.turn:
            self.turn = seen.turn
        if seen.moves:
            self.options = (seat, seen.moves)
        if self._awaits_round:
            is_awaited = seen.round is not None and seen.round > self.round
        else:
            is_awaited = seen.is_picture and (not seen.turn or seen.turn != self._turn_before)
            self.bytes_received += len(frame)
        if is_awaited and seat in self._missing:
            self._missing.discard(seat)
            if not self._missing:
                self.ended = time.perf_counter()
                self.round += self._awaits_round
                self._all_have_it.set()

    def stand_up(self) -> None:
        for reader, ws in zip(self.readers, self.sockets, strict=True):
            reader.cancel()
            ws.transport.abort()


class Run:
    """One server under one load."""

    def __init__(self, tables: list[Table], *, is_paced: bool) -> None:
        self.tables, self.is_paced = tables, is_paced
        self.latencies: list[float] = []
        self.ended = asyncio.Event()

    async def play(self, table: Table, *, number: int, moves: int | None = None) -> None:
        """Play on (for ``moves`` moves, if given). The first finished game ends the run."""
        due = time.perf_counter() + number / len(self.tables)
        try:
            while moves is None or moves > 0:
                if self.is_paced and moves is None:
                    await asyncio.sleep(max(0.0, due - time.perf_counter()))
                    due += 1.0
                self.latencies.append(await table.move())
                moves = None if moves is None else moves - 1
                if table.is_over:
                    break
                if table.options is None:
                    await table.next_round()
        except BaseException:
            self.ended.set()
            raise
        if moves is None:
            self.ended.set()

    async def last(self, seconds: float) -> None:
        try:
            await asyncio.wait_for(self.ended.wait(), seconds)
        except TimeoutError:
            pass

    async def measure(self, server: psutil.Process, *, seconds: float, spread: bool) -> dict:
        """Warm up, then measure; ``spread`` first brings the tables to different moments of
        their first round, so that a short run sees every moment as often as whole games do."""
        if spread:
            await asyncio.gather(
                *(
                    self.play(table, number=i, moves=i * MOVES_A_ROUND // len(self.tables))
                    for i, table in enumerate(self.tables)
                )
            )
        players = [
            asyncio.create_task(self.play(table, number=i)) for i, table in enumerate(self.tables)
        ]
        await self.last(WARM_UP)
        self.latencies.clear()
        bytes_before = sum(table.bytes_received for table in self.tables)
        began, cpu, own = time.perf_counter(), cpu_seconds(server), time.process_time()
        await self.last(seconds)
        took = time.perf_counter() - began
        cpu, own = cpu_seconds(server) - cpu, time.process_time() - own
        latencies = sorted(self.latencies)
        sent = sum(table.bytes_received for table in self.tables) - bytes_before
        for task in players:
            task.cancel()
        for outcome in await asyncio.gather(*players, return_exceptions=True):
            if isinstance(outcome, Exception):
                raise outcome
        if not latencies:
            raise RuntimeError("the games were over before anything was measured")
        moves = len(latencies)
        return {
            "moves_per_s": moves / took,
            "p50_ms": latencies[moves // 2] * 1000,
            "p99_ms": latencies[moves * 99 // 100] * 1000,
            "server_cpu_ms_per_move": cpu / moves * 1000,
            "server_rss_mb": server.memory_info().rss / 2**20,
            "bytes_per_move": sent / moves,
            "driver_cpu_ms_per_move": own / moves * 1000,
            "seconds": took,
        }


def cpu_seconds(process: psutil.Process) -> float:
    times = process.cpu_times()
    return times.user + times.system


@contextmanager
def serving(peer: str, folder: Path) -> Iterator[tuple[psutil.Process, int]]:
    """A server of its own: its process and port. It is ended afterwards, whatever happens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    floor_database = folder / f"floor-{port}.sqlite3"
    env = {**os.environ, "PORT": str(port), "FLOOR_DATABASE": str(floor_database)}
    with (folder / f"{port}.log").open("w+") as log:
        server = subprocess.Popen(  # noqa: S603
            [sys.executable, *SERVERS[peer]], cwd=ROOT, env=env, stdout=log, stderr=log
        )
        try:
            for _ in range(300):
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", port)) == 0:
                        break
                if server.poll() is not None:
                    raise SystemExit(f"{peer} did not start: {Path(log.name).read_text()}")
                time.sleep(0.1)
            yield psutil.Process(server.pid), port
        finally:
            server.terminate()
            try:
                server.wait(10)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


async def run(
    face: str, load: str, games: list[tuple[str, list[str]]], *, seconds: float, folder: Path
) -> dict:
    """Measure one face under one load at these games, as (table id, tokens by seat)."""
    query = "?format=json" if face == "json" else ""
    tables = [Table(number, face) for number in range(len(games))]
    with serving(PEERS[face], folder) as (server, port):
        try:
            async with asyncio.timeout(seconds + 120):
                for table, (name, tokens) in zip(tables, games, strict=True):
                    url = f"ws://127.0.0.1:{port}/ws/tables/{name}/{query}"
                    await table.sit_down(url, tokens)
                return await Run(tables, is_paced=load == "paced").measure(
                    server, seconds=seconds, spread=face != "floor"
                )
        finally:
            for table in tables:
                table.stand_up()


def open_games(folder: Path, count: int) -> list[tuple[str, list[str]]]:
    """A fresh database in ``folder`` with so many tables of four people, as (id, tokens)."""
    for name in ("XACTIKA_DEBUG", "XACTIKA_BASE_URL", "XACTIKA_ALLOWED_HOSTS", "REDIS_URL"):
        os.environ.pop(name, None)
    os.environ["XACTIKA_SECRET_KEY"] = secrets.token_urlsafe(50)
    os.environ["DATABASE_URL"] = f"sqlite:///{folder}/xactika.sqlite3"
    os.environ["DJANGO_SETTINGS_MODULE"] = "xactika_site.settings"
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection

    from games import selectors, services
    from games.rules import Variant

    call_command("migrate", verbosity=0)
    wanted = services.TableSettings(
        variant=Variant.BID, seats=4, people=4, rounds=ROUNDS, patience=3600, pace=0
    )
    ids = [services.open_table(kind="friends", settings=wanted).id for _ in range(count)]
    connection.close()
    return [(name, [selectors.seat_token(name, seat, 0) for seat in range(4)]) for name in ids]


def ratios(runs: dict[tuple[str, str], list[dict]]) -> dict[str, float]:
    """Ours over the floor's, run by run: CPU at saturation, p99 at one move a second."""
    found = {}
    for load, figure in (("saturated", "server_cpu_ms_per_move"), ("paced", "p99_ms")):
        for face in ("html", "json"):
            pairs = zip(runs.get((face, load), []), runs.get(("floor", load), []), strict=False)
            if of_each := [ours[figure] / floor[figure] for ours, floor in pairs]:
                name = f"{load}_{figure.removeprefix('server_').removesuffix('_ms')}_{face}"
                found[f"{name}_to_floor"] = round(median(of_each), 2)
    return found


def say(line: object, *, file: Any = None) -> None:
    print(json.dumps(line), file=file, flush=True)  # noqa: T201


def main() -> None:
    names = [f"{face}-{load}" for load in LOADS for face in PEERS]
    parser = argparse.ArgumentParser(prog="python -m benchmarks.moves")
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=10.0, help="measured in each run")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--only", nargs="+", choices=names, default=names, metavar="RUN")
    options = parser.parse_args()
    chosen = [tuple(name.split("-")) for name in names if name in options.only]
    runs: dict[tuple[str, str], list[dict]] = {key: [] for key in chosen}
    with tempfile.TemporaryDirectory(prefix="xactika-moves-") as name:
        folder = Path(name)
        games = open_games(folder, options.tables * len(chosen) * options.repeat)
        for number in range(options.repeat):
            for face, load in chosen:
                mine, games = games[: options.tables], games[options.tables :]
                result = uvloop.run(
                    run(face, load, mine, seconds=options.seconds, folder=folder)
                )
                say({"run": number + 1, "face": face, "load": load, **result}, file=sys.stderr)
                runs[face, load].append(result)
    for (face, load), results in runs.items():
        about = {"peer": PEERS[face], "face": face, "load": load}
        sizes = {"tables": options.tables, "sockets": options.tables * 4}
        figures = {key: round(median(r[key] for r in results), 2) for key in results[0]}
        say({**about, **figures, **sizes, "runs": len(results)})
    say({"ratios": ratios(runs)})


if __name__ == "__main__":
    main()

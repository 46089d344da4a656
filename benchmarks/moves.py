"""What a move costs: the real server under full tables, beside the floor (floor.py).

From the repository's root, all of it in about six minutes; benchmarks/README.md says more::

    python -m benchmarks.moves

Each run starts a server of its own on a free loopback port, seats four clients at every table
and plays whole games of random legal moves. A move's latency is the time from sending it until
all four sockets have the frame that it caused. The server's CPU is its own process's alone; it
includes the deals between rounds, which count as no moves. On a virtual machine the host takes
its processors away now and then: how much of each second is told, and with --stolen a run that
was not left alone is run again. Prints one JSON line for each peer, face and load, and the
ratios last; single runs go to stderr.
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
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import psutil
import uvloop
from websockets.asyncio.client import connect

from benchmarks import boardgame

ROOT = Path(__file__).resolve().parent.parent
SERVERS = {
    "floor": [sys.executable, "-m", "benchmarks.floor"],
    "xactika": [sys.executable, "-m", "xactika_site"],
    "boardgame": boardgame.SERVER,
}
PEERS = {"floor": "floor", "html": "xactika", "json": "xactika", "boardgame": "boardgame"}
"""Which server shows a face: one prebuilt string, a browser's HTML, a program's JSON, and
what boardgame.io sends, whose packages are fetched only when it is asked for."""

ROUNDS, MOVES_A_ROUND, SEATS = 8, 36, 4
WARM_UP = 2.0
"""Seconds of load before anything is measured."""

Game = tuple[str, list[str]]
"""A table's id and its seats' tokens."""

Seen = tuple[str, list[str]]
"""What a client makes of a frame, looking no closer than it must: the turn, as <round>.<moves
made in it> (empty where the frame does not tell), and the moves that it can make itself."""

_TURN_SHOWN = re.compile(rb'id="turn" data-turn="([^"]+)"')
_CHOICE = re.compile(rb'name="(?:bid|card)"(?: form="play")? id="[^"]*" value="([^"]*)">')
_TURN = re.compile(rb'"turn": ?"([^"]+)"')
_LEGAL = re.compile(rb'"legal": ?(\[[^\]]+\])')


def read_html(frame: bytes) -> Seen:
    """A browser's fragments: the turn that they show, and what to press."""
    if b'id="notice"' in frame:
        raise RuntimeError(f"refused: {frame.decode()}")
    turn = _TURN_SHOWN.search(frame)
    moves = [text.decode() for text in _CHOICE.findall(frame)] if b'id="play"' in frame else []
    if b'data-kind="lead"' in frame:
        shapes = ("ball", "cube", "cone", "star")
        moves = [f"{c}:{n}-{shape}" for c in moves for n, shape in zip(c, shapes, strict=True)]
    return turn[1].decode() if turn else "", moves


def read_json(frame: bytes) -> Seen:
    turn, legal = _TURN.search(frame), _LEGAL.search(frame)
    if turn is None:
        raise RuntimeError(f"refused: {frame.decode()}")
    return turn[1].decode(), json.loads(legal[1]) if legal else []


def read_floor(_frame: bytes) -> Seen:
    return f"1.{time.perf_counter_ns()}", ["1332:2-star"]


READERS = {"html": read_html, "json": read_json, "floor": read_floor}
READERS |= {"boardgame": boardgame.read}


async def browser_socket(port: int, path: str, cookie: str, **more: Any) -> Any:
    """A socket as one of our pages opens it."""
    return await connect(
        f"ws://127.0.0.1:{port}{path}",
        additional_headers={"Cookie": cookie},
        origin=f"http://127.0.0.1:{port}",  # type: ignore[arg-type]
        compression=None,
        proxy=None,
        **more,
    )


async def program_socket(url: str, token: str) -> Any:
    """A socket as a program opens it."""
    who = {"Authorization": f"Bearer {token}"}
    return await connect(url, additional_headers=who, compression=None, proxy=None)


class Table:
    """The sockets of one table, and the game as they see it."""

    def __init__(self, number: int, face: str) -> None:
        self.number, self.face = number, face
        self.read = READERS[face]
        self.rng = Random(number)
        self.sockets: list[Any] = []
        self.round = 0
        self.turn = ""
        self.options: tuple[int, list[str]] | None = None  # the seat to move and its moves
        self.bytes_of_moves = 0
        self._listeners: list[asyncio.Task[None]] = []

    @property
    def is_over(self) -> bool:
        return self.options is None and self.round == ROUNDS

    async def sit_down(self, url: str, tokens: list[str]) -> None:
        """Connect every seat; return when all of them see the first round."""
        complete = self._await(a_round=True)
        for seat, token in enumerate(tokens):
            ws = await program_socket(url, token)
            self.sockets.append(ws)
            if self.face == "boardgame":
                self._take(seat, await boardgame.enter(ws, self.number, seat))
            self._listeners.append(asyncio.create_task(self._listen(seat, ws)))
        await complete

    async def move(self) -> float:
        """Make a random legal move; the seconds until all four sockets have its frame."""
        assert self.options is not None
        seat, moves = self.options
        self.options = None
        chosen = self.rng.choice(moves)
        complete = self._await(a_round=False)
        began = time.perf_counter()
        if self.face == "boardgame":
            message = boardgame.move(self.number, seat, self.turn, chosen)
        else:
            message = json.dumps({"type": "move", "turn": self.turn, "move": chosen})
        await self.sockets[seat].send(message)
        return await complete - began

    async def next_round(self) -> None:
        """Everybody is ready; return when all of them see the next round."""
        complete = self._await(a_round=True)
        message = json.dumps({"type": "next", "turn": self.turn})
        for ws in self.sockets:
            await ws.send(message)
        await complete

    def _await(self, *, a_round: bool) -> asyncio.Future[float]:
        self._awaits_round, self._turn_before = a_round, self.turn
        self._missing = set(range(SEATS))
        self._complete = asyncio.get_running_loop().create_future()
        return self._complete

    async def _listen(self, seat: int, ws: Any) -> None:
        try:
            while True:
                frame = await ws.recv(decode=False)
                if frame == boardgame.PING:
                    await ws.send(boardgame.PONG)
                else:
                    self._take(seat, frame)
        except Exception as error:
            if not self._complete.done():
                self._complete.set_exception(error)

    def _take(self, seat: int, frame: bytes) -> None:
        turn, moves = self.read(frame)
        if moves:
            self.options = (seat, moves)
        if not self._awaits_round:
            self.bytes_of_moves += len(frame)
        if turn in ("", self._turn_before) or seat not in self._missing:
            return
        if self._awaits_round and int(turn.partition(".")[0]) == self.round:
            return  # it only says that somebody came, or is ready
        self.turn = turn
        self._missing.discard(seat)
        if not self._missing:
            self.round += self._awaits_round
            self._complete.set_result(time.perf_counter())


async def play(
    table: Table,
    latencies: list[float],
    *,
    moves: int = -1,
    due: float | None = None,
    every: float = 1.0,
) -> None:
    """Play the game on, or so many moves of it: one ``every`` so many seconds from ``due`` on,
    or each as soon as the one before has reached everybody."""
    while moves != 0 and not table.is_over:
        if due is not None:
            await asyncio.sleep(due - time.perf_counter())
            due += every
        latencies.append(await table.move())
        moves -= 1
        if table.options is None and not table.is_over:
            await table.next_round()


async def spread_over_a_round(tables: Sequence[Table], rounds: int = 0) -> None:
    """Play on, after so many whole rounds, until each table is at another moment of its round,
    so that a short run, too, sees them all."""
    count = len(tables)
    shares = [MOVES_A_ROUND * (rounds * count + n) // count for n in range(count)]
    pairs = zip(tables, shares, strict=True)
    await asyncio.gather(*(play(table, [], moves=share) for table, share in pairs))


async def run(
    face: str, load: str, games: list[Game], server: psutil.Process, port: int, seconds: float
) -> dict[str, float]:
    """Sit down, warm up, and measure one load until the time or the first game is over."""
    tables = [Table(number, face) for number in range(len(games))]
    query = "?format=json" if face == "json" else ""
    for table, (name, tokens) in zip(tables, games, strict=True):
        address = boardgame.ADDRESS if face == "boardgame" else f"ws/tables/{name}/{query}"
        await table.sit_down(f"ws://127.0.0.1:{port}/{address}", tokens)
    if face != "floor":
        # Those that end a round in the same second are not next to each other in it.
        await spread_over_a_round(Random(len(tables)).sample(tables, len(tables)))
    latencies: list[float] = []
    now, players = time.perf_counter(), []
    for number, table in enumerate(tables):
        due = now + number / len(tables) if load == "paced" else None
        players.append(asyncio.create_task(play(table, latencies, due=due)))

    async def last(wanted: float) -> None:
        how = asyncio.FIRST_COMPLETED
        for ended in (await asyncio.wait(players, timeout=wanted, return_when=how))[0]:
            ended.result()  # raises what went wrong

    def spent() -> tuple[float, float, float, float, int]:
        cpu, sent = server.cpu_times(), sum(table.bytes_of_moves for table in tables)
        stolen = getattr(psutil.cpu_times(), "steal", 0.0)
        return time.perf_counter(), cpu.user + cpu.system, time.process_time(), stolen, sent

    await last(WARM_UP)
    latencies.clear()
    before = spent()
    await last(seconds)
    took, cpu, own, stolen, sent = (b - a for a, b in zip(before, spent(), strict=True))
    times = sorted(latencies)
    moves = len(times)
    if not moves:
        raise RuntimeError("the games were over before anything was measured: take more tables")
    return {
        "moves_per_s": moves / took,
        "p50_ms": times[moves // 2] * 1000,
        "p99_ms": times[moves * 99 // 100] * 1000,
        "server_cpu_ms_per_move": cpu / moves * 1000,
        "server_rss_mb": server.memory_info().rss / 2**20,
        "bytes_per_move": sent / moves,
        "driver_cpu_ms_per_move": own / moves * 1000,
        "stolen_ms_per_s": stolen / took * 1000,
        "seconds": took,
    }


@contextmanager
def serving(peer: str, folder: Path) -> Iterator[tuple[psutil.Process, int]]:
    """A server's process and port; it is ended afterwards, whatever happens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    env = {**os.environ, "PORT": str(port), "FLOOR_DATABASE": f"{folder}/floor-{port}.sqlite3"}
    env |= {"NODE_PATH": f"{folder}/node_modules", "BOARDGAME_FOLDER": f"{folder}/games-{port}"}
    log = folder / f"{port}.log"
    with log.open("w", encoding="utf-8") as out:
        server = subprocess.Popen(SERVERS[peer], cwd=ROOT, env=env, stdout=out, stderr=out)
    try:
        for _ in range(300):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            if server.poll() is not None:
                raise SystemExit(f"{peer} did not start: {log.read_text(encoding='utf-8')}")
            time.sleep(0.1)
        yield psutil.Process(server.pid), port
    finally:
        server.terminate()
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def prepare(folder: Path, database: str = "", redis: str = "") -> None:
    """A new database, which the servers will use: a file of the folder, if none is given."""
    for name in ("XACTIKA_DEBUG", "XACTIKA_BASE_URL", "XACTIKA_ALLOWED_HOSTS", "REDIS_URL"):
        os.environ.pop(name, None)
    os.environ["XACTIKA_SECRET_KEY"] = secrets.token_urlsafe(50)
    os.environ["DATABASE_URL"] = database or f"sqlite:///{folder}/xactika.sqlite3"
    if redis:
        os.environ["REDIS_URL"] = redis
    os.environ["DJANGO_SETTINGS_MODULE"] = "xactika_site.settings"
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)


def open_games(count: int) -> list[Game]:
    """So many tables of four people."""
    from django.db import connection

    from games.rules import Variant
    from games.tables import opening
    from games.tables.viewers import seat_token

    settings = opening.TableSettings(
        variant=Variant.BID, seats=SEATS, people=SEATS, rounds=ROUNDS, patience=3600, pace=0
    )
    ids = [opening.open_table(kind="friends", settings=settings).id for _ in range(count)]
    connection.close()
    return [(name, [seat_token(name, n, 0) for n in range(SEATS)]) for name in ids]


def run_left_alone(
    peer: str, face: str, load: str, folder: Path, options: argparse.Namespace
) -> dict[str, float]:
    """A run of which the host took no more than is allowed; after ten, the last."""
    for _ in range(10):
        with serving(peer, folder) as (server, port):
            job = run(face, load, open_games(options.tables), server, port, options.seconds)
            result = uvloop.run(asyncio.wait_for(job, options.seconds + 120))
        print(json.dumps({"face": face, "load": load, **result}), file=sys.stderr)
        if result["stolen_ms_per_s"] <= options.stolen:
            break
    return result


def ratios(runs: dict[tuple[str, str], list[dict[str, float]]]) -> dict[str, float]:
    """Ours to a peer's, run by run: CPU when saturated, p99 at one move a second."""
    found = {}
    for load, figure in (("saturated", "server_cpu_ms_per_move"), ("paced", "p99_ms")):
        for face, peer in (("html", "floor"), ("json", "floor"), ("json", "boardgame")):
            pairs = zip(runs.get((face, load), []), runs.get((peer, load), []), strict=False)
            if each := [ours[figure] / theirs[figure] for ours, theirs in pairs]:
                found[f"{face}_{load}_{figure}_to_{peer}"] = round(median(each), 2)
    return found


def main() -> None:
    names = [f"{face}-{load}" for load in ("saturated", "paced") for face in PEERS]
    usual = [name for name in names if not name.startswith("boardgame")]
    parser = argparse.ArgumentParser(prog="python -m benchmarks.moves")
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=10.0, help="measured in each run")
    parser.add_argument("--repeat", type=int, default=3, help="interleaved; medians are given")
    parser.add_argument(
        "--stolen",
        type=float,
        default=float("inf"),
        help="ms of a second: a run of which the host took more is run again, up to ten times",
    )
    parser.add_argument("--only", nargs="+", choices=names, default=usual, metavar="RUN")
    options = parser.parse_args()
    runs: dict[tuple[str, str], list[dict[str, float]]] = {}
    with tempfile.TemporaryDirectory(prefix="xactika-moves-") as name:
        if any(one.startswith("boardgame") for one in options.only):
            boardgame.install(Path(name))
        prepare(Path(name))
        for _ in range(options.repeat):
            for face, load in (one.split("-") for one in names if one in options.only):
                result = run_left_alone(PEERS[face], face, load, Path(name), options)
                runs.setdefault((face, load), []).append(result)
    for (face, load), results in runs.items():
        line: dict[str, Any] = {"peer": PEERS[face], "face": face, "load": load}
        line |= {key: round(median(r[key] for r in results), 2) for key in results[0]}
        line |= {"tables": options.tables, "sockets": options.tables * SEATS}
        print(json.dumps({**line, "runs": len(results)}))
    print(json.dumps({"ratios": ratios(runs)}))


if __name__ == "__main__":
    main()

"""A school of several processes on PostgreSQL and Redis, each behind wires of our own, and a
crew that plays there."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import struct
import subprocess
import tempfile
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

import psutil

from tests.live.backing import Postgres, Redis
from tests.live.crew import CLOCK, PATIENCE, Book, Player, Seat, Table
from tests.live.wires import Wire
from tests.server import Server

OPEN = """
import json
from games.classes.state import load_session
from games.management.commands.open_table import describe
from games.models import Table
from games.rules import Variant
from games.tables import opening
from tests.games.classroom import a_classroom, playing
tables = [
    opening.open_table(kind=Table.Kind.FRIENDS, settings=opening.TableSettings(
        variant=Variant(variant), seats=seats, people=people, rounds=8, level="tip-printed",
        patience={patience}, pace=0.5, deals=None,
    )) for variant, seats, people in {friends}
]
for _ in range({classes}):
    session, _students = playing(
        3, classroom=a_classroom(), clock={clock}, patience={patience}, pace=0.5, rounds=8,
        level="tip-printed",
    )
    tables += Table.objects.filter(pk__in=load_session(session.pk).tables)
print(json.dumps([
    [table.id, table.clock is not None, [
        [seat["seat"], seat["token"]] for seat in describe(table, "")["seats"]
    ]] for table in tables
]))
"""
FRIENDS = [("bid", 4, 4), ("win", 4, 2), ("lose", 2, 2), ("bid", 3, 2), ("win", 4, 3)]


class Disk:
    """A small disk of its own, in a file, for the database: it can be full, and slow. Needs
    root and the kernel's loop devices."""

    def __init__(self, folder: Path) -> None:
        self.image = folder / "disk.img"

    @staticmethod
    def can_be() -> bool:
        return (
            os.geteuid() == 0
            and Path("/dev/loop-control").exists()
            and Path("/sys/fs/cgroup/blkio/blkio.throttle.write_iops_device").exists()
            and shutil.which("mkfs.ext4") is not None
        )

    def __enter__(self) -> Disk:
        # Not in the tests' own folder, where PostgreSQL's user may not look.
        self.folder = Path(tempfile.mkdtemp(prefix="xactika-disk-"))
        self.ballast = self.folder / "ballast"
        self.group = Path(f"/sys/fs/cgroup/blkio/{self.folder.name}")
        with self.image.open("wb") as file:
            file.truncate(512 * 2**20)
        for command in (
            ["mkfs.ext4", "-q", "-F", str(self.image)],
            ["mount", "-o", "loop", str(self.image), str(self.folder)],
        ):
            subprocess.run(command, check=True)
        self.folder.chmod(0o755)
        self.group.mkdir(exist_ok=True)
        return self

    def __exit__(self, *_exc: object) -> None:
        subprocess.run(["umount", "--lazy", str(self.folder)], check=True)
        self.folder.rmdir()
        with suppress(OSError):
            self.group.rmdir()

    def fill(self) -> None:
        with self.ballast.open("wb") as file:
            space = os.statvfs(self.folder)
            os.posix_fallocate(file.fileno(), 0, space.f_bavail * space.f_frsize)

    def free(self) -> None:
        self.ballast.unlink(missing_ok=True)

    def slow(self, process: int, writes: int) -> None:
        """So many writes a second for a process and its children; 0 for any."""
        parent = psutil.Process(process)
        for one in (parent, *parent.children(recursive=True)):
            with suppress(OSError):
                (self.group / "cgroup.procs").write_text(str(one.pid), encoding="utf-8")
        device = self.folder.stat().st_dev
        limit = f"{os.major(device)}:{os.minor(device)} {writes}"
        (self.group / "blkio.throttle.write_iops_device").write_text(limit, encoding="utf-8")


WITHIN = 180
"""Seconds in which everybody is to have come in: no measure, others may be busy here, too."""


@dataclass
class Process:
    """A server process and the wires at its three sides."""

    server: Server
    front: Wire
    postgres: Wire
    redis: Wire
    clock: Path
    log_read: int = 0

    def signal(self, number: int) -> None:
        assert self.server.process is not None
        self.server.process.send_signal(number)

    def memory(self) -> tuple[int, float]:
        """Which process it is now, and what it has, in MB."""
        assert self.server.process is not None
        pid = self.server.process.pid
        return pid, round(psutil.Process(pid).memory_info().rss / 2**20, 2)

    def set_clock(self, ahead: float) -> None:
        with self.clock.open("r+b") as file:
            file.write(struct.pack("d", ahead))

    def failures(self) -> list[str]:
        """The last line of each traceback that has been logged since one asked."""
        with self.server.log.open(encoding="utf-8") as log:
            log.seek(self.log_read)
            text = log.read()
            self.log_read = log.tell()
        told = []
        for line in text.splitlines():
            with suppress(ValueError, AttributeError):
                if "exc_info" in (entry := json.loads(line)):
                    told.append(entry["exc_info"].splitlines()[-1])
                continue
            if "Traceback" in line:
                told.append(text[-3000:])
        return told


@dataclass
class School:
    """Everything that runs, on free loopback ports; use as an async context manager."""

    folder: Path
    rng: Random
    processes: int = 2
    tables: int = 20
    rate: float = 60.0
    """Moves a second, about."""
    simulations: bool = True
    """Without them processes start sooner; nobody here plays by them."""
    crew: list[Player] = field(default_factory=list)
    houses: list[Process] = field(default_factory=list)
    lag: float = 0.0
    _feeling: asyncio.Task[None] | None = None

    async def __aenter__(self) -> School:
        self._stack = AsyncExitStack()
        try:
            await self._begin(self._stack)
        except BaseException:
            await self.__aexit__()
            raise
        return self

    async def _begin(self, stack: AsyncExitStack) -> None:
        self.disk = stack.enter_context(Disk(self.folder)) if Disk.can_be() else None
        self.postgres = stack.enter_context(Postgres(self.disk.folder if self.disk else None))
        self.redis = stack.enter_context(Redis(self.folder))
        self.desk = self._server(self.postgres.port, self.redis.port)
        for number in range(self.processes):
            self.houses.append(await self._open(number))
        self.book = Book(self.folder / "acknowledged")
        stack.callback(self.book.file.close)
        starting = (asyncio.to_thread(house.server.start) for house in self.houses)
        await asyncio.gather(self.open_tables(), *starting)
        self._feeling = asyncio.create_task(self._feel())

    async def _feel(self) -> None:
        """How late this process itself is woken: what it measures means little where that is
        long."""
        while True:
            due = monotonic() + 0.1
            await asyncio.sleep(0.1)
            self.lag = max(self.lag, monotonic() - due)

    async def __aexit__(self, *_exc: object) -> None:
        if self._feeling:
            self._feeling.cancel()
        while still := [player.task for player in self.crew if not player.task.done()]:
            for task in still:  # again, for whoever just then got what it waited for
                task.cancel()
            await asyncio.wait(still, timeout=0.5)
        await asyncio.gather(*(asyncio.to_thread(h.server.stop) for h in self.houses))
        await self._stack.aclose()

    def _server(self, postgres: int, redis: int, **more: Any) -> Server:
        return Server(
            self.folder,
            DATABASE_URL=f"postgres://postgres@127.0.0.1:{postgres}/postgres",
            REDIS_URL=f"redis://127.0.0.1:{redis}/0",
            **more,
        )

    async def _open(self, number: int) -> Process:
        clock = self.folder / f"clock-{number}"
        clock.write_bytes(struct.pack("d", 0.0))
        enter = self._stack.enter_async_context
        postgres = await enter(Wire(self.postgres.port))
        to_redis = await enter(Wire(self.redis.port))
        server = self._server(
            postgres.port,
            to_redis.port,
            start_with="import tests.live.skew",
            experts=self.simulations,
            forked=not self.simulations,
            TEST_CLOCK=str(clock),
        )
        front = await enter(Wire(server.port))
        return Process(server, front, postgres, to_redis, clock)

    async def open_tables(self) -> None:
        """As many as there are to be; of every ten one is a class's, with a clock."""
        playing = self.book.tables.keys() - self.book.over
        missing = self.tables - len(playing)
        classes = missing // 10 or (1 if missing and self.tables < 10 else 0)
        friends = [self.rng.choice(FRIENDS) for _ in range(missing - classes)]
        if not missing:
            return
        code = OPEN.format(friends=friends, classes=classes, patience=PATIENCE, clock=CLOCK)
        told = await asyncio.to_thread(self.desk.manage, "shell", "--no-imports", "-c", code)
        for table_id, has_clock, seats in json.loads(told.splitlines()[-1]):
            self._seat(Table(table_id, has_clock, self.book.fair()), seats)

    def _seat(self, table: Table, seats: list[tuple[int, str]]) -> None:
        """The first at any process, the others at the next ones."""
        self.book.tables[table.id] = table
        first = self.rng.randrange(self.processes)
        places = [(number, token, False) for number, token in seats]
        if self.rng.random() < 0.3:
            places.append((*seats[0], True))
        for at, (number, token, html) in enumerate(places):
            ports = [
                self.houses[(first + at + further) % self.processes].front.port
                for further in range(self.processes)
            ]
            idle = table.has_clock and at == 1
            seat = Seat(table, number, token, tuple(ports), html, idle)
            think = self.tables / self.rate
            self.crew.append(Player(self.book, seat, Random(self.rng.random()), think))

    async def goes_on(self, *, clocks: bool = True) -> None:
        """Wait until everybody is there and each table has had a new turn; without ``clocks``
        not those where somebody never plays, and the clock takes its time."""
        tables = [
            table
            for table in self.book.tables.values()
            if table.status != "round_over" and (clocks or not table.has_clock)
        ]
        turns = [table.turn for table in tables]
        async with asyncio.timeout(WITHIN):
            while any(
                table.turn == turn and table.id not in self.book.over
                for table, turn in zip(tables, turns, strict=True)
            ):
                await asyncio.sleep(0.1)
            while not all(
                player.is_here or player.table.id in self.book.over for player in self.crew
            ):
                await asyncio.sleep(0.1)

    def wrongly_away(self) -> int:
        """How many who have been here for long are shown as away at their tables."""
        here = {
            (player.table.id, player.seat.number)
            for player in self.crew
            if player.is_here and monotonic() - player.back_at > 12
        }
        return len(
            {
                (player.table.id, number)
                for player in self.crew
                if player.is_here and player.seen
                for number, one in enumerate(player.seen["players"])
                if one["away"] and (player.table.id, number) in here
            }
        )

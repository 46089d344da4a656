"""A school at once: 500 students in 13 classes on one process, a move per table every 3 s.

From the repository's root, in about five minutes::

    python -m benchmarks.school
    TMPDIR=/dev/shm chrt -r 1 python -m benchmarks.school      # where others work, too

One server with 125 tables of four students as browsers do it, twelve classes of ten tables and
one of five. The classes start by their teachers' click while others play. A click is done when
all four at the table have its frame. Loads, one after the other in the same server, so that
each shows what the next one adds:

- ``alone``: one table, four moves a second, everybody else quiet: the floor;
- ``tables``: all tables, a move every 3 s each, evenly, each at another moment of its round;
- ``watched``: the same with cockpit and projector of twelve classes open;
- ``charts``: the same with *The game so far* unfolded in these cockpits, fetched every five
  seconds;
- ``results``: ``watched`` with twelve teachers' pages of results open, which ask every six
  seconds and are sent anew when a round has ended, as they often are;
- ``end``: the same, and a round's last move is made at every table in the same instant, then
  everybody is ready in the same instant: until all see the next deal.

Prints a JSON line for each load, and the ratios last.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import psutil
import uvloop
from asgiref.sync import sync_to_async

from benchmarks.classroom import ClassTable, Onlookers, open_lobby, seats_in
from benchmarks.joining import Device
from benchmarks.moves import MOVES_A_ROUND, play, prepare, serving, spread_over_a_round

SIZES = (*(10,) * 12, 5)
"""Tables of each class."""

WATCHED = 12
EVERY, ALONE_EVERY, ASK_EVERY, CHARTS_EVERY = 3.0, 0.25, 6.0, 5.0
LOADS = ("alone", "tables", "watched", "charts", "results", "end")
PLAYED = 2
"""Whole rounds that are over before anything is measured, so that there are results."""

_SINCE = re.compile(r"data-version=\"([^\"]+)\"")


class Teacher:
    """A teacher's browser: starts the class, and may have its results open."""

    def __init__(self, port: int, session: int, cookie: str) -> None:
        self.session = session
        self.device = Device(port)
        self.device.cookies["sessionid"] = cookie
        self.opened: list[float] = []

    async def start(self) -> float:
        """Start the class; how long that took, in seconds."""
        await self.device.ask("page", f"/teach/sessions/{self.session}/")
        began = time.perf_counter()
        form = {"do": "start", "csrfmiddlewaretoken": self.device.cookies["csrftoken"]}
        answer = await self.device.ask("page", f"/teach/sessions/{self.session}/do/", form)
        if answer.status != 302:
            raise RuntimeError(f"not started: {answer.status}")
        return time.perf_counter() - began

    async def have_charts_open(self, first: float) -> None:
        """Fetch the cockpit's charts as one does where they are unfolded, until cancelled."""
        await asyncio.sleep(first)
        while True:
            began = time.perf_counter()
            answer = await self.device.ask("page", f"/teach/sessions/{self.session}/in-play/")
            if answer.status != 200:
                raise RuntimeError(f"charts: {answer.status}")
            self.opened.append(time.perf_counter() - began)
            await asyncio.sleep(CHARTS_EVERY)

    async def have_results_open(self, first: float) -> None:
        """Ask as an open page does, until cancelled."""
        await asyncio.sleep(first)
        address, since = f"/teach/sessions/{self.session}/results/", ""
        while True:
            began = time.perf_counter()
            answer = await self.device.ask("page", f"{address}{since}")
            if answer.status == 200:
                self.opened.append(time.perf_counter() - began)
                found = _SINCE.search(answer.text)
                assert found is not None
                since = f"?since={found[1]}"
            elif answer.status != 204:
                raise RuntimeError(f"results: {answer.status}")
            await asyncio.sleep(ASK_EVERY)


class School:
    """All that is connected to one server."""

    def __init__(
        self, server: psutil.Process, port: int, lobbies: list[tuple[int, str]], seconds: float
    ) -> None:
        self.server, self.port, self.seconds = server, port, seconds
        self.teachers = [Teacher(port, *lobby) for lobby in lobbies]
        self.lobbies = lobbies
        self.tables: list[ClassTable] = []

    async def come(self) -> dict[str, Any]:
        """Every class starts, one directly after the other, and sits down; then all play."""
        starts = []
        for teacher in self.teachers:
            starts.append(await teacher.start())
            for table_id, cookies in await sync_to_async(seats_in)(teacher.session):
                table = ClassTable(len(self.tables), "html")
                self.tables.append(table)
                await table.sit_down_as(self.port, table_id, cookies)
        await spread_over_a_round(self.tables, PLAYED)
        return {"load": "start", "classes": len(starts), **figures(starts)}

    @asynccontextmanager
    async def around(self, load: str) -> AsyncIterator[None]:
        """What is open beside the tables under this load."""
        async with AsyncExitStack() as stack:
            watched = self.lobbies[:WATCHED]
            if load in {"watched", "charts", "results", "end"}:
                for session, cookie in watched:
                    onlookers = Onlookers(self.port, session, cookie)
                    await onlookers.open()
                    stack.push_async_callback(onlookers.close)
            if load in {"charts", "results", "end"}:
                for number, teacher in enumerate(self.teachers[:WATCHED]):
                    is_of_charts = load == "charts"
                    open_page = (
                        teacher.have_charts_open if is_of_charts else teacher.have_results_open
                    )
                    first = (CHARTS_EVERY if is_of_charts else ASK_EVERY) * number / WATCHED
                    task = asyncio.create_task(open_page(first))
                    stack.push_async_callback(ended, task)
            yield

    async def measure(self, load: str) -> dict[str, Any]:
        for teacher in self.teachers:
            teacher.opened.clear()
        async with self.around(load):
            await asyncio.sleep(1)
            cpu, began = self._cpu(), time.perf_counter()
            found = await (self._end() if load == "end" else self._paced(load == "alone"))
            share = (self._cpu() - cpu) / (time.perf_counter() - began)
        line: dict[str, Any] = {"load": load, **found, "cores": round(share, 2)}
        if opened := [spent for teacher in self.teachers for spent in teacher.opened]:
            line["pages"] = figures(opened)
        return {**line, "rss_mb": round(self.server.memory_info().rss / 2**20)}

    async def _paced(self, is_alone: bool) -> dict[str, Any]:
        tables = self.tables[-1:] if is_alone else self.tables
        every = ALONE_EVERY if is_alone else EVERY
        latencies: list[float] = []
        now, moves = time.perf_counter(), int(self.seconds / every)
        dues = [now + number * every / len(tables) for number in range(len(tables))]
        await asyncio.gather(
            *(
                play(table, latencies, moves=moves, due=due, every=every)
                for table, due in zip(tables, dues, strict=True)
            )
        )
        return figures(latencies)

    async def _end(self) -> dict[str, Any]:
        """The last move of a round everywhere at once, then the next deal everywhere at once;
        twice."""
        moves: list[float] = []
        deals: list[float] = []

        async def timed_deal(table: ClassTable) -> None:
            if table.is_over:  # that which played alone has come further than the others
                return
            began = time.perf_counter()
            await table.next_round()
            deals.append(time.perf_counter() - began)

        for _time in range(2):
            await asyncio.gather(*map(to_the_last_move, self.tables))
            await asyncio.sleep(ASK_EVERY)
            moves += await asyncio.gather(*(table.move() for table in self.tables))
            await asyncio.sleep(2)
            await asyncio.gather(*map(timed_deal, self.tables))
        return {**figures(moves), "deals": figures(deals)}

    def _cpu(self) -> float:
        times = self.server.cpu_times()
        return float(times.user + times.system)


async def to_the_last_move(table: ClassTable) -> None:
    """Play on until the next move ends the round."""
    made = int(table.turn.partition(".")[2])
    await play(table, [], moves=MOVES_A_ROUND - 1 - made)


async def ended(task: asyncio.Task[None]) -> None:
    """End a task that goes on for ever; raise what went wrong in it before."""
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


def figures(seconds: list[float]) -> dict[str, Any]:
    """How many, and p50, p99 and the longest in milliseconds."""
    ordered = sorted(seconds)
    marks = {"p50_ms": len(ordered) // 2, "p99_ms": len(ordered) * 99 // 100, "worst_ms": -1}
    return {"n": len(ordered), **{k: round(ordered[i] * 1000, 1) for k, i in marks.items()}}


async def run(
    server: psutil.Process, port: int, lobbies: list[tuple[int, str]], options: Any
) -> None:
    school = School(server, port, lobbies, options.seconds)
    lines = {"start": await school.come()}
    print(json.dumps(lines["start"]), flush=True)
    for load in options.only:
        lines[load] = await school.measure(load)
        print(json.dumps(lines[load]), flush=True)
    alone = lines.get("alone")
    if alone is not None:
        ratios = {k: round(line["p99_ms"] / alone["p99_ms"], 1) for k, line in lines.items()}
        print(json.dumps({"p99_to_alone": ratios}))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.school")
    parser.add_argument("--seconds", type=float, default=24.0, help="of each load")
    parser.add_argument("--only", choices=LOADS, nargs="+", default=LOADS)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="xactika-school-") as name:
        folder = Path(name)
        prepare(folder)
        lobbies = [open_lobby(f"class {n}", tables) for n, tables in enumerate(SIZES)]
        with serving("xactika", folder) as (server, port):
            uvloop.run(asyncio.wait_for(run(server, port, lobbies, options), 1200))
            log = (folder / f"{port}.log").read_text(encoding="utf-8")
            print(json.dumps({"tracebacks": log.count("Traceback")}))


if __name__ == "__main__":
    main()

"""What it costs classes to begin: from the teacher's press until the last student sits.

From the repository's root, in a minute::

    python -m benchmarks.starting
    python -m benchmarks.starting --classes 1 --repeat 5

Thirteen classes of 38 wait in their lobbies as browsers do it, each lobby with its socket, each
class with its cockpit and its projector open; beside them ten tables of four play, a move a
second each. Their teachers press "Start the game", one after another within five seconds. Each
lobby's page is told where its table is, loads that page with all that it needs (scripts and
styles once a device), and opens the table's socket; a student sits once that has shown the own
hand. Prints a JSON line for each turn: when the last one sat, counted from the first press, and
how long each waited, counted from the press for their class; the server's processor time for
each student (user and system, less what the tables beside take in as long a time before); the
p99 of moves at the tables beside, before and meanwhile; and how long a press took to be
answered. Each turn has a server of its own.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

import psutil
import uvloop

from benchmarks.joining import Classes, Device, open_classes, rest, spent, watch
from benchmarks.moves import MOVES_A_ROUND, Table, open_games, play, prepare, serving
from benchmarks.school import Teacher, ended, figures

STUDENTS = 38
BESIDE = 10
"""Tables that play beside them."""

_GOAL = re.compile(rb'data-go="(/tables/[^"]+)"')


class Student(Device):
    """A student's device: waits in the lobby, and goes to the table that it is told of."""

    def __init__(self, port: int, session: int, cookie: str) -> None:
        super().__init__(port)
        self.session = session
        self.cookies["student"] = cookie
        self.goal: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.is_seated = False
        self.seen_at = 0.0

    async def wait_in_lobby(self) -> None:
        """The lobby's page and its socket, until that has shown something."""
        await self.open(f"/class/{self.session}/")
        await self._connect(f"/ws/sessions/{self.session}/?view=lobby", wait=True)

    async def sit(self) -> float:
        """Once the class plays: to the table, until the own hand is seen. When that was."""
        path = await self.goal
        await self.close()
        self.has_picture.clear()
        self.is_seated = True
        _path, page = await self.open(path)
        await self.live(page)
        return self.seen_at

    async def _listen(self) -> None:
        async for frame in self._socket:
            data = frame.encode() if isinstance(frame, str) else frame
            if not self.is_seated and (goal := _GOAL.search(data)):
                if not self.goal.done():
                    self.goal.set_result(goal[1].decode())
            elif b'id="hand"' in data and not self.seen_at:
                self.seen_at = time.perf_counter()
            if self.seen_at or not self.is_seated:
                self.has_picture.set()


def open_lobbies(count: int) -> tuple[Classes, dict[int, list[str]]]:
    """So many classes that have come in, and the cookies of their students."""
    from django.db import connection

    from games.classes import joining
    from xactika_site.classrooms.models import ClassSession
    from xactika_site.classrooms.selectors import device_key

    classes = open_classes(count, STUDENTS)
    cookies: dict[int, list[str]] = {}
    for pk, _code, _cookie in classes:
        session = ClassSession.objects.get(pk=pk)
        students = [joining.join(session=session, name=f"Student {n}") for n in range(STUDENTS)]
        cookies[pk] = [device_key(student, session) for student in students]
    connection.close()
    return classes, cookies


async def run(
    server: psutil.Process,
    port: int,
    lobbies: tuple[Classes, dict[int, list[str]]],
    games: list[Any],
    seconds: float,
) -> dict[str, Any]:
    """All wait, all begin; one turn."""
    classes, cookies = lobbies
    onlookers = await watch(port, classes)
    teachers = [Teacher(port, session, cookie) for session, _code, cookie in classes]
    students = {
        s: [Student(port, s, cookie) for cookie in cookies[s]] for s, _code, _c in classes
    }
    for each in students.values():
        await asyncio.gather(*(student.wait_in_lobby() for student in each))
    tables = [Table(number, "html") for number in range(len(games))]
    for number, (table, (name, tokens)) in enumerate(zip(tables, games, strict=True)):
        await table.sit_down(f"ws://127.0.0.1:{port}/ws/tables/{name}/", tokens)
        await play(table, [], moves=MOVES_A_ROUND * number // len(tables))
    await rest(server)
    latencies: list[float] = []
    now = time.perf_counter()
    playing = [
        asyncio.create_task(play(table, latencies, due=now + number / len(tables)))
        for number, table in enumerate(tables)
    ]
    await asyncio.sleep(1)
    latencies.clear()
    before, began = spent(server), time.perf_counter()
    await asyncio.sleep(6)
    beside = (spent(server) - before) / (time.perf_counter() - began)
    quiet = figures(latencies)
    latencies.clear()
    before, own, began = spent(server), time.process_time(), time.perf_counter()
    presses: list[float] = []
    waits: list[float] = []
    sat: list[float] = []

    async def begin(number: int) -> None:
        due = began + seconds * number / len(teachers)
        await asyncio.sleep(due - time.perf_counter())
        seated = asyncio.gather(*(one.sit() for one in students[teachers[number].session]))
        presses.append(await teachers[number].start())
        for at in await seated:
            sat.append(at - began)
            waits.append(at - due)

    await asyncio.gather(*map(begin, range(len(teachers))))
    took = time.perf_counter() - began
    cost, own = spent(server) - before - beside * took, time.process_time() - own
    meanwhile = figures(latencies)
    for task in playing:
        await ended(task)
    requests = students[classes[0][0]][0].requests
    for looking in onlookers:
        await looking.close()
    for each in students.values():
        await asyncio.gather(*(student.close() for student in each))
    count = len(sat)
    return {
        "classes": len(classes),
        "students": count,
        "last_sits_s": round(max(sat), 2),
        "waits": figures(waits),
        "cpu_ms_per_student": round(cost / count, 1),
        "beside_cpu_ms_per_s": round(beside, 1),
        "driver_cpu_ms_per_student": round(own * 1000 / count, 1),
        "moves_before": quiet,
        "moves_meanwhile": meanwhile,
        "press": figures(presses),
        "requests": dict(requests),
        "rss_mb": round(server.memory_info().rss / 2**20),
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.starting")
    parser.add_argument("--classes", type=int, default=13)
    parser.add_argument("--seconds", type=float, default=5.0, help="within which they begin")
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    costs = []
    with tempfile.TemporaryDirectory(prefix="xactika-starting-") as name:
        folder = Path(name)
        prepare(folder)
        for _ in range(options.repeat):
            lobbies, games = open_lobbies(options.classes), open_games(BESIDE)
            with serving("xactika", folder) as (server, port):
                job = run(server, port, lobbies, games, options.seconds)
                line = uvloop.run(asyncio.wait_for(job, 300))
            costs.append(line["cpu_ms_per_student"])
            print(json.dumps(line), flush=True)
    print(json.dumps({"cpu_ms_per_student": median(costs)}))


if __name__ == "__main__":
    main()

"""What an open cockpit and projector cost: a class of 40 students at ten tables in play.

From the repository's root::

    python -m benchmarks.classroom

Each run starts the real server, with one class session of ten tables, four students at each as
browsers do it (a student's cookie and Origin, HTML fragments), playing whole games of *Play to
Bid* by random legal moves. After warming up the run measures the server's CPU per move without
anybody else, then with a teacher's cockpit and projector open, by turns within the same
server; what differs is theirs. Loads: ``paced``, one move a second at every table (a quick
class), and ``saturated``. Prints one JSON line for each load, medians of all turns; single
turns go to stderr.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from statistics import median
from typing import Any

import psutil
import uvloop

from benchmarks.moves import (
    ROUNDS,
    SEATS,
    Table,
    browser_socket,
    play,
    prepare,
    serving,
    spread_over_a_round,
)

TABLES = 10
VIEWS = ("cockpit", "projector")

Seats = list[tuple[str, list[str]]]
"""Tables by id, with the cookie of each seat's student."""


class ClassTable(Table):
    """A table whose clients are students' browsers."""

    async def sit_down_as(
        self, port: int, table_id: str, cookies: list[str], *others: int
    ) -> None:
        """Connect every seat, to each of the processes in turn where there are others; return
        when all of them see the first round."""
        ports = port, *others
        complete = self._await(a_round=True)
        for seat, cookie in enumerate(cookies):
            port = ports[seat % len(ports)]
            path = f"/ws/tables/{table_id}/?as={seat}"
            ws = await browser_socket(port, path, f"student={cookie}")
            self.sockets.append(ws)
            self._listeners.append(asyncio.create_task(self._listen(seat, ws)))
        await complete


class Listeners:
    """Sockets that only listen; counts what they are sent, in bytes by what they look at."""

    def __init__(self) -> None:
        self.frames = 0
        self.received: Counter[str] = Counter()
        self._tasks: list[asyncio.Task[None]] = []

    def begin(self, ws: Any, view: str) -> None:
        self._tasks.append(asyncio.create_task(self._listen(ws, view)))

    async def _listen(self, ws: Any, view: str) -> None:
        async with ws:
            async for frame in ws:
                self.received[view] += len(frame)
                self.frames += 1

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        self._tasks = []


class Onlookers(Listeners):
    """A teacher's cockpit and projector."""

    def __init__(self, port: int, session: int, cookie: str) -> None:
        super().__init__()
        self.port, self.session, self.cookie = port, session, cookie

    async def open(self) -> None:
        for view in VIEWS:
            path = f"/ws/sessions/{self.session}/?view={view}"
            self.begin(await browser_socket(self.port, path, f"sessionid={self.cookie}"), view)


def teacher_and_cookie(name: str) -> tuple[Any, str]:
    """A new teacher of this user name, and the cookie of a browser where they are signed in."""
    from importlib import import_module

    from django.conf import settings
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY

    from xactika_site.accounts.models import User

    teacher = User.objects.create_user(name)
    teacher.set_unusable_password()
    teacher.save()
    store = import_module(settings.SESSION_ENGINE).SessionStore()
    store[SESSION_KEY] = str(teacher.pk)
    store[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    store[HASH_SESSION_KEY] = teacher.get_session_auth_hash()
    store.create()
    return teacher, str(store.session_key)


def open_class(name: str) -> tuple[int, str, Seats]:
    """A class in play in the new database: its session, the teacher's cookie, its seats."""
    from django.db import connection

    from games.classes import steering

    session, cookie = open_lobby(name, TABLES)
    steering.start(session_id=session)
    seats = seats_in(session)
    connection.close()
    return session, cookie, seats


def open_lobby(name: str, tables: int) -> tuple[int, str]:
    """A class that has come in, for so many tables: its session, the teacher's cookie."""
    from games.classes import joining, sessions
    from games.models import SessionSettings
    from xactika_site.classrooms import services as classrooms

    teacher, cookie = teacher_and_cookie(name)
    classroom = classrooms.open_classroom(name="benchmark", teacher=teacher)
    wishes = SessionSettings(seats=SEATS, rounds=ROUNDS, patience=3600, pace=0)
    session = sessions.open_session(classroom=classroom, settings=wishes)
    for number in range(tables * SEATS):
        joining.join(session=session, name=f"Student {number}")
    return session.pk, cookie


def seats_in(session: int) -> Seats:
    """The tables of a class session in play, and who sits there."""
    from games.classes.state import load_session
    from xactika_site.classrooms.models import ClassSession, Student
    from xactika_site.classrooms.selectors import device_key

    state, this = load_session(session), ClassSession.objects.get(pk=session)
    students = Student.objects.in_bulk([known.pk for known in state.students])
    seats: dict[str, list[str]] = {table: [""] * SEATS for table in state.tables}
    for known in state.students:
        if known.table is not None and known.seat is not None:
            seats[known.table][known.seat] = device_key(students[known.pk], this)
    return list(seats.items())


async def run(
    load: str, port: int, server: psutil.Process, one: tuple[int, str, Seats], options: Any
) -> list[tuple[float, float, float]]:
    """Turns without and with onlookers: of each pair CPU per move without, with, and the
    bytes a second that the onlookers got."""
    session, cookie, seats = one
    tables = [ClassTable(number, "html") for number in range(TABLES)]
    for table, (table_id, cookies) in zip(tables, seats, strict=True):
        await table.sit_down_as(port, table_id, cookies)
    await spread_over_a_round(tables)
    latencies: list[float] = []
    now = time.perf_counter()
    players = [
        asyncio.create_task(
            play(table, latencies, due=now + n / TABLES if load == "paced" else None)
        )
        for n, table in enumerate(tables)
    ]

    async def measure() -> float:
        await asyncio.sleep(options.settle)
        before, moves = server.cpu_times(), len(latencies)
        await asyncio.sleep(options.seconds if load == "paced" else options.seconds / 8)
        after = server.cpu_times()
        for player in players:
            if player.done():
                player.result()
                raise RuntimeError("the games were over: fewer or shorter turns")
        spent: float = after.user + after.system - before.user - before.system
        return spent / (len(latencies) - moves) * 1000

    pairs = []
    for _ in range(options.turns):
        without = await measure()
        onlookers = Onlookers(port, session, cookie)
        await onlookers.open()
        with_them = await measure()
        if not onlookers.frames:
            raise RuntimeError("cockpit and projector were shown nothing")
        span = options.settle + (options.seconds if load == "paced" else options.seconds / 8)
        await onlookers.close()
        pairs.append((without, with_them, onlookers.received.total() / span))
        line = {"load": load, "without": without, "with": with_them}
        print(json.dumps(line), file=sys.stderr)
    for player in players:
        player.cancel()
    return pairs


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.classroom")
    parser.add_argument("--seconds", type=float, default=16.0, help="of each paced turn")
    parser.add_argument("--settle", type=float, default=1.0, help="before each turn")
    parser.add_argument("--turns", type=int, default=5, help="without and with, alternating")
    parser.add_argument("--only", choices=["paced", "saturated"], nargs="+")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="xactika-classroom-") as name:
        folder = Path(name)
        prepare(folder)
        for load in options.only or ["paced", "saturated"]:
            turns = options.turns
            pairs: list[Any] = []
            for _ in range(1 if load == "paced" else turns):
                one = open_class(f"{load} {len(pairs)}")
                options.turns = turns if load == "paced" else 1
                with serving("xactika", folder) as (server, port):
                    job = run(load, port, server, one, options)
                    pairs += uvloop.run(asyncio.wait_for(job, 600))
            options.turns = turns
            print(
                json.dumps(
                    {
                        "load": load,
                        "students": TABLES * SEATS,
                        "tables": TABLES,
                        "cpu_ms_per_move": round(median(p[0] for p in pairs), 3),
                        "with_cockpit_and_projector": round(median(p[1] for p in pairs), 3),
                        "ratio": round(median(p[1] / p[0] for p in pairs), 3),
                        "onlookers_kb_per_s": round(median(p[2] for p in pairs) / 1000, 1),
                        "turns": len(pairs),
                    }
                )
            )


if __name__ == "__main__":
    main()

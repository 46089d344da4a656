"""What may go wrong with a school of several processes: each fault, and what was found."""

from __future__ import annotations

import asyncio
import os
import signal
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic
from typing import Any

import psutil
import psycopg
import redis

from tests.live.school import School
from tests.live.wires import Wire

SLOW = 12
"""Writes a second of a slow disk."""


async def suffer(
    school: School, kind: str, *, quiet: float, length: float = 1.0
) -> dict[str, Any]:
    """A fault, then quiet seconds; what was found. ``length`` stretches it."""
    school.crew = [player for player in school.crew if not player.task.done()]
    for player in school.crew:
        player.go_home()
    await asyncio.sleep((1 + school.rng.random() * 2) * length)
    fault, book = KINDS[kind], school.book
    book.longest, book.wrong, book.unavailable, school.lag = (0.0, ""), [], 0, 0.0
    began, moves, taken = monotonic(), book.moves, stolen()
    if fault.stops_all:
        book.everything_stops()
    try:
        what = await fault.do(school, length)
    finally:
        book.everything_is_back()
    ended = monotonic()
    waiting = {
        table.id: table.turn
        for table in book.tables.values()
        if table.id not in book.over and table.status in {"bidding", "playing"}
    }
    await asyncio.sleep(quiet)
    for table in book.tables.values():
        book.note_wait(table)
    still = [table for table, turn in waiting.items() if book.tables[table].turn == turn]
    back = [player.back_at - ended for player in school.crew if player.back_at > ended]
    missing = [p for p in school.crew if not p.is_here and p.table.id not in book.over]
    now = monotonic()
    blind = [
        player
        for player in school.crew
        if player.is_here and player.turn < player.table.turn and now - player.table.seen_at > 5
    ]
    checked = await asyncio.to_thread(book.check, school.postgres.url)
    failures = Counter(line for house in school.houses for line in house.failures())
    found = {
        "fault": kind,
        "what": what,
        "seconds": round(ended - began, 1),
        "moves": book.moves - moves,
        "acknowledged": checked,
        "unavailable": book.unavailable,
        "wrong": book.wrong[:20],
        "late": round(book.longest[0], 1),
        "late_at": book.longest[1] if book.longest[0] > 5 else "",
        "standing": len(still),
        "back": round(max(back, default=0.0), 1),
        "came_back": len(back),
        "missing": len(missing),
        "blind": len(blind),
        "away": school.wrongly_away(),
        "tracebacks": dict(failures),
        "lag": round(school.lag, 2),
        "load": round(os.getloadavg()[0], 1),
        "stolen_ms_per_s": round(1000 * (stolen() - taken) / (monotonic() - began)),
        "at": round(monotonic(), 1),
        "memory": [house.memory() for house in school.houses],
    }
    found["passed"] = passes(found)
    await school.open_tables()
    return found


def stolen() -> float:
    """Seconds that a virtual machine's host has taken its processors away; where that is much,
    how long anything took says little."""
    return float(getattr(psutil.cpu_times(), "steal", 0.0))


def passes(found: dict[str, Any]) -> bool:
    """Whether a fault was borne as it ought to be."""
    return not (
        found["wrong"]
        or found["late"] > 5
        or found["back"] > 3
        or found["missing"]
        or found["blind"]
        or found["away"]
        or found["tracebacks"]
    )


# What may go wrong. Each returns, in a few words, what it did; it is over then.


@dataclass(frozen=True)
class Fault:
    do: Callable[[School, float], Awaitable[str]]
    stops_all: bool = False
    """Nothing can be stored anywhere meanwhile: tables wait, and may."""
    needs_disk: bool = False


async def kill(school: School, _length: float) -> str:
    house = school.rng.choice(school.houses)
    house.server.kill()
    await asyncio.sleep(school.rng.random())
    await asyncio.to_thread(house.server.start)
    return "SIGKILL"


async def stop(school: School, length: float) -> str:
    house = school.rng.choice(school.houses)
    house.signal(signal.SIGSTOP)
    await asyncio.sleep(20 * length)
    house.signal(signal.SIGCONT)
    return f"SIGSTOP for {20 * length:.0f} s"


async def redis_restart(school: School, length: float) -> str:
    how = school.rng.choice(("terminate", "kill"))
    getattr(school.redis.process, how)()
    await asyncio.to_thread(school.redis.process.wait)
    await asyncio.sleep(4 * length * school.rng.random())
    await asyncio.to_thread(school.redis.start)
    return how


async def redis_pause(school: School, length: float) -> str:
    school.redis.process.send_signal(signal.SIGSTOP)
    seconds = 10 * length * school.rng.random()
    await asyncio.sleep(seconds)
    school.redis.process.send_signal(signal.SIGCONT)
    return f"for {seconds:.1f} s"


async def redis_flush(school: School, _length: float) -> str:
    with redis.Redis(port=school.redis.port) as client:
        client.flushall()
        for type_ in ("pubsub", "normal") if school.rng.random() < 0.5 else ():
            client.execute_command("CLIENT", "KILL", "TYPE", type_)
            return "flushed, and all clients cut"
    return "flushed"


async def postgres_restart(school: School, length: float) -> str:
    how = school.rng.choice((signal.SIGINT, signal.SIGQUIT))
    await asyncio.to_thread(school.postgres.stop, how)
    await asyncio.sleep(4 * length * school.rng.random())
    await asyncio.to_thread(school.postgres.start)
    return how.name


async def postgres_backend(school: School, _length: float) -> str:
    share = school.rng.choice((0.1, 0.5, 1.0))
    with psycopg.connect(school.postgres.url, autocommit=True) as line:
        ended = line.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE random() < %s"
            " AND backend_type = 'client backend' AND pid <> pg_backend_pid()",
            [share],
        ).fetchall()
    return f"{len(ended)} terminated"


async def disk_slow(school: School, length: float) -> str:
    assert school.disk
    school.disk.slow(school.postgres.process.pid, SLOW)
    await asyncio.sleep(10 * length)
    school.disk.slow(school.postgres.process.pid, 0)
    return f"{SLOW} writes a second for {10 * length:.0f} s"


async def disk_full(school: School, length: float) -> str:
    """Where tables are to grow PostgreSQL refuses; where its log is, it gives up."""
    assert school.disk
    school.disk.fill()
    # A page of a table may have room for a while; the log needs another file soon.
    of_log = school.rng.random() < 0.5 or length < 1
    if of_log:
        await asyncio.to_thread(use_up_the_log, school.postgres.url)
    with suppress(TimeoutError):
        async with asyncio.timeout(40):  # a page of a table may have room for some moves yet
            while not school.book.unavailable:
                await asyncio.sleep(0.1)
    await asyncio.sleep(8 * length)
    school.disk.free()
    ended = school.postgres.process.poll() is not None
    if ended:
        await asyncio.to_thread(school.postgres.start)
    await asyncio.to_thread(answers, school.postgres.url)
    what = "for the log" if of_log else "for tables"
    what += "" if school.book.unavailable else ", which nobody met"
    return f"{what}{', PostgreSQL ended and was started' if ended else ''}"


def use_up_the_log(database: str) -> None:
    """Until PostgreSQL needs another file for its log, and cannot have it."""
    with suppress(psycopg.Error), psycopg.connect(database, autocommit=True) as line:
        for _ in range(200):
            line.execute("UPDATE django_content_type SET model = model")
            line.execute("SELECT pg_switch_wal()")


def answers(database: str) -> None:
    """Wait until a database can be written to."""
    for _ in range(200):
        with suppress(psycopg.Error), psycopg.connect(database) as line:
            line.execute("UPDATE django_content_type SET model = model")
            return
        asyncio.run(asyncio.sleep(0.05))


def on_a_wire(side: str, *ways: str) -> Callable[[School, float], Awaitable[str]]:
    async def disturb(school: School, length: float) -> str:
        wire: Wire = getattr(school.rng.choice(school.houses), side)
        how = school.rng.choice(("hold", "lose", "cut", "shut", *ways))
        getattr(wire, how)()
        if how in {"hold", "lose", "shut"}:
            await asyncio.sleep(8 * length)
        wire.mend()
        return how

    return disturb


async def clients_cut(school: School, _length: float) -> str:
    share = school.rng.random()
    for house in school.houses:
        house.front.cut(house.front.some(school.rng, share))
    return f"{share:.0%}"


async def clients_held(school: School, length: float) -> str:
    front = school.rng.choice(school.houses).front
    front.hold()
    await asyncio.sleep(8 * length)
    front.mend()
    return f"for {8 * length:.0f} s"


async def clients_half_open(school: School, length: float) -> str:
    front = school.rng.choice(school.houses).front
    share = school.rng.random()
    front.lose(front.some(school.rng, share))
    await asyncio.sleep(15 * length)
    front.mend()
    return f"{share:.0%} for {15 * length:.0f} s"


async def clocks(school: School, length: float) -> str:
    house, ahead = school.rng.choice(school.houses), school.rng.choice((30, -30))
    house.set_clock(ahead)
    await asyncio.sleep(20 * length)
    away = school.wrongly_away()
    house.set_clock(0)
    if away:
        school.book.wrong.append(f"{away} who are here are shown as away")
    return f"{ahead:+} s for {20 * length:.0f} s"


KINDS: dict[str, Fault] = {
    "process killed": Fault(kill),
    "process stopped": Fault(stop),
    "redis restarted": Fault(redis_restart),
    "redis paused": Fault(redis_pause),
    "redis flushed": Fault(redis_flush),
    "redis wire": Fault(on_a_wire("redis", "forget")),
    "postgres restarted": Fault(postgres_restart, stops_all=True),
    "postgres backend": Fault(postgres_backend),
    "postgres wire": Fault(on_a_wire("postgres")),
    "disk slow": Fault(disk_slow, needs_disk=True),
    "disk full": Fault(disk_full, stops_all=True, needs_disk=True),
    "clients cut": Fault(clients_cut),
    "clients held": Fault(clients_held),
    "clients half-open": Fault(clients_half_open),
    "clocks apart": Fault(clocks),
}

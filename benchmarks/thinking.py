"""What thinking costs the people at the tables: bots that are experts, and odds looked up.

From the repository's root::

    python -m benchmarks.thinking

One server; people at tables of four make one move a second at each, as browsers do it. A
person's click is the time from sending a move until all four have its frame. Turns without and
with the other work alternate within the same server. Loads: ``experts``, 50 further tables of
four `expert` bots at their usual pace; ``odds``, every seat looks up its odds at each of its
turns (a class of 40 at ten tables); ``study``, 100 study tables at which somebody plays on from
a position, an action every five seconds at each, the bots' as they come. Prints a JSON line for
each load, medians of the turns' ratios; single turns go to stderr.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

import psutil
import uvloop

from benchmarks.classroom import Listeners
from benchmarks.joining import Device
from benchmarks.moves import (
    MOVES_A_ROUND,
    SEATS,
    Game,
    Table,
    open_games,
    play,
    prepare,
    program_socket,
    serving,
)

PEOPLE = {"experts": 25, "odds": 10, "study": 25}
"""Tables of people in each load."""

BOTS = 50
"""Tables of expert bots."""

STUDYING, THINKS = 100, 5.0
"""Study tables at once, and seconds from one action to the next at each."""


class Watchers(Listeners):
    """Somebody who looks on at each table of bots: it plays while they do."""

    def __init__(self, port: int, tokens: list[tuple[str, str]]) -> None:
        super().__init__()
        self.port, self.tokens = port, tokens

    async def open(self) -> None:
        for table, token in self.tokens:
            url = f"ws://127.0.0.1:{self.port}/ws/tables/{table}/?format=json"
            self.begin(await program_socket(url, token), "table")


class Lookers:
    """Whoever is to move at a table asks for the odds, once a turn."""

    def __init__(self, port: int, tables: list[Table], games: list[Game], key: str) -> None:
        self.port, self.key = port, key
        self.pairs = list(zip(tables, games, strict=True))
        self.frames = 0
        self.times: list[float] = []
        self._task: asyncio.Task[None] | None = None
        self._asking: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        self._task = asyncio.create_task(self._watch())

    async def _watch(self) -> None:
        asked: dict[str, str] = {}
        while True:
            for table, (name, _tokens) in self.pairs:
                if table.options is not None and asked.get(name) != table.turn:
                    asked[name] = table.turn
                    task = asyncio.create_task(self._ask(name, table.options[0]))
                    self._asking.add(task)
                    task.add_done_callback(self._asking.discard)
            await asyncio.sleep(0.01)

    async def _ask(self, name: str, seat: int) -> None:
        began = time.perf_counter()
        device = Device(self.port)
        device.cookies["guest"] = self.key
        answer = await device.ask("page", f"/tables/{name}/odds/?as={seat}")
        await device.close()
        if answer.status not in (200, 204):
            raise RuntimeError(f"odds were refused: {answer.status}")
        if answer.status == 200:
            self.frames += 1
            self.times.append(time.perf_counter() - began)

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
        await asyncio.gather(*self._asking)


class Studying:
    """People who play on from a position, each alone, one round after the other."""

    def __init__(self, port: int, tokens: list[tuple[str, str]]) -> None:
        self.port, self.left = port, tokens
        self.frames = 0
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        self._tasks = [
            asyncio.create_task(self._study(THINKS * number / STUDYING))
            for number in range(STUDYING)
        ]

    async def _study(self, wait: float) -> None:
        await asyncio.sleep(wait)
        while True:
            table, token = self.left.pop()
            url = f"ws://127.0.0.1:{self.port}/ws/tables/{table}/?format=json"
            async with await program_socket(url, token) as ws:
                await self._play(ws)

    async def _play(self, ws: Any) -> None:
        acted = time.perf_counter()
        async for frame in ws:
            seen = json.loads(frame)
            if seen.get("status") == "game_over":
                return
            if seen.get("legal"):
                await asyncio.sleep(max(0.2, acted + THINKS - time.perf_counter()))
                acted = time.perf_counter()
                move = {"type": "move", "turn": seen["turn"], "move": seen["legal"][0]}
                await ws.send(json.dumps(move))
                self.frames += 1

    async def close(self) -> None:
        for task in self._tasks:
            if task.done() and not task.cancelled():
                task.result()
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


async def run(
    load: str, port: int, server: psutil.Process, games: list[Game], extra: Any, options: Any
) -> list[dict[str, float]]:
    """Turns without and with the other work, in pairs."""
    tables = [Table(number, "html") for number in range(len(games))]
    for table, (name, tokens) in zip(tables, games, strict=True):
        await table.sit_down(f"ws://127.0.0.1:{port}/ws/tables/{name}/", tokens)
    latencies: list[float] = []
    now = time.perf_counter()
    players = [
        asyncio.create_task(play(table, latencies, due=now + number / len(tables)))
        for number, table in enumerate(tables)
    ]

    async def measure() -> tuple[float, float, float]:
        await asyncio.sleep(options.settle)
        latencies.clear()
        before = server.cpu_times()
        await asyncio.sleep(options.seconds)
        after = server.cpu_times()
        for player in players:
            if player.done():
                player.result()
                raise RuntimeError("the games were over: fewer or shorter turns")
        times = sorted(latencies)
        spent = after.user + after.system - before.user - before.system
        share = spent / options.seconds
        return times[len(times) // 2] * 1000, times[len(times) * 99 // 100] * 1000, share

    pairs = []
    for _ in range(options.turns):
        p50, p99, cores = await measure()
        others: Watchers | Lookers | Studying
        if load == "experts":
            others = Watchers(port, extra)
        elif load == "study":
            others = Studying(port, extra)
        else:
            others = Lookers(port, tables, games, extra)
        await others.open()
        p50_with, p99_with, cores_with = await measure()
        await others.close()
        if not others.frames:
            raise RuntimeError("the other work did not happen")
        pair = {
            "p50_ms": p50,
            "p99_ms": p99,
            "cores": cores,
            "p50_ms_with": p50_with,
            "p99_ms_with": p99_with,
            "cores_with": cores_with,
            "ratio": p99_with / p99,
            "others_per_s": others.frames / (options.seconds + options.settle),
        }
        if isinstance(others, Lookers):
            pair["odds_ms"] = median(others.times) * 1000
        pairs.append(pair)
        print(json.dumps({"load": load, **pair}), file=sys.stderr)
    for player in players:
        player.cancel()
    return pairs


def bot_tables() -> list[tuple[str, str]]:
    """Tables of experts in the new database, with their watch tokens; each at another moment
    of its first round, so that they do not all end it at once."""
    from random import Random

    from django.db import connection

    from games.analysis import bots
    from games.rules import Variant
    from games.tables import moves, opening
    from games.tables.observation import round_observation
    from games.tables.state import load_table
    from games.tables.viewers import watch_token

    settings = opening.TableSettings(
        variant=Variant.BID, seats=SEATS, people=0, rounds=8, level="expert"
    )
    ids = [opening.open_table(kind="friends", settings=settings).id for _ in range(BOTS)]
    for number, name in enumerate(ids):
        for _ in range(MOVES_A_ROUND * number // BOTS):
            state = load_table(name)
            assert state.to_move is not None
            seen = round_observation(state, state.to_move)
            choice = bots.decide(seen, level="tip-wikipedia", rng=Random(number))
            moves.make_bot_move(table_id=name, turn=state.turn, choice=choice)
    connection.close()
    return [(name, watch_token(name, 0)) for name in ids]


def study_tables(turns: int) -> list[tuple[str, str]]:
    """Study tables enough for so many turns, with their players' tokens: all of one position,
    the deal of a round that bots have played."""
    from django.db import connection

    from games.rules import Variant, move_text
    from games.study.replay.positions import play_on, sight_of
    from games.tables import moves, opening
    from games.tables.state import load_table
    from games.tables.viewers import Browser, seat_token

    guest = opening.new_guest()[0]
    settings = opening.TableSettings(variant=Variant.BID, seats=SEATS, people=1, rounds=1)
    name = opening.open_table(kind="solo", settings=settings, opener=guest).id
    while (state := load_table(name)).to_move is not None:
        text = move_text(moves.decide_move(state=state).move)
        moves.make_move(table_id=name, seat=state.to_move, turn=state.turn, text=text)
    sight = sight_of(Browser(guest=guest), name, 1)
    ids = [
        play_on(sight, moment=0, seat=number % SEATS, guest=guest)
        for number in range(STUDYING * (turns + 1))
    ]
    tokens = [
        (
            table,
            seat_token(table, number % SEATS, load_table(table).seats[number % SEATS].serial),
        )
        for number, table in enumerate(ids)
    ]
    connection.close()
    return tokens


def simulated(tables: list[tuple[str, str]]) -> float:
    """The share of the experts' moves, where they had a choice, that were simulated."""
    from django.db import connection

    from games.models import Move

    names = [name for name, _ in tables]
    kept = Move.objects.filter(deal__table__in=names).exclude(reason=None)
    reasons = list(kept.values_list("reason", flat=True))
    connection.close()
    simulated = sum(bool(reason[0][4] > 0) for reason in reasons if reason)
    return simulated / len(reasons)


def looked_up(games: list[Game]) -> str:
    """Odds always on at these tables; the cookie of a browser that holds all their seats."""
    from django.db import connection

    from games.models import Table as Row
    from games.tables import opening, seats

    guest, key = opening.new_guest()
    for name, _tokens in games:
        for seat in range(SEATS):
            seats.admit(table_id=name, seat=seat, guest=guest)
    Row.objects.filter(pk__in=[name for name, _ in games]).update(odds_panel="always")
    connection.close()
    return key


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.thinking")
    parser.add_argument("--seconds", type=float, default=20.0, help="of each turn")
    parser.add_argument("--settle", type=float, default=3.0, help="before each turn")
    parser.add_argument("--turns", type=int, default=3, help="without and with, alternating")
    parser.add_argument("--only", choices=list(PEOPLE), nargs="+", default=list(PEOPLE))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="xactika-thinking-") as name:
        prepare(Path(name))
        opened = open_games(sum(PEOPLE.values()))
        for load in options.only:
            games, opened = opened[: PEOPLE[load]], opened[PEOPLE[load] :]
            extra: Any
            if load == "experts":
                extra = bot_tables()
            elif load == "study":
                extra = study_tables(options.turns)
            else:
                extra = looked_up(games)
            with serving("xactika", Path(name)) as (server, port):
                time.sleep(5)  # the kernel is being loaded
                job = run(load, port, server, games, extra, options)
                pairs = uvloop.run(asyncio.wait_for(job, 900))
                memory = server.memory_info().rss / 2**20
            line: dict[str, Any] = {"load": load, "people": PEOPLE[load] * SEATS}
            line |= {key: round(median(p[key] for p in pairs), 2) for key in pairs[0]}
            line |= {"server_rss_mb": round(memory), "turns": len(pairs)}
            if load == "experts":
                line["simulated"] = round(simulated(extra), 3)
            print(json.dumps(line))


if __name__ == "__main__":
    main()

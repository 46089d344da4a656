"""Nobody stops the room: what others notice of floods, and of a real lesson at its fullest.

From the repository's root, in about five minutes::

    python -m benchmarks.room

Ten tables of four students play, a move a second each; meanwhile somebody without a cookie
opens ``/join/`` and a teacher presses the cockpit's buttons, several times a second. Each flood
(benchmarks/floods.py) is one browser's, a process of its own, and lasts ten seconds; a minute
after the last one memory is told again. Prints a JSON line for each: p50, p99 and the longest
in milliseconds of moves (until all four at the table see it), of joining and of the cockpit.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import uvloop

from benchmarks.classroom import ClassTable, open_class, open_lobby
from benchmarks.joining import Device
from benchmarks.moves import play, prepare, serving

SECONDS = 10.0
PAGES = ("workshop", "deals", "samples", "chances", "expert", "again", "review")


def stranger() -> dict[str, Any]:
    """A guest who has played a round alone against bots: their cookie, the table, the position
    and a move that they could have made otherwise."""
    from random import Random

    from django.db import connection

    from games.rules import Variant
    from games.study.positions import position_at, sight_of
    from games.study.what_if import others
    from games.tables import moves, opening, seats
    from games.tables.state import load_table
    from games.tables.viewers import Browser

    guest, key = opening.new_guest()
    wishes = opening.TableSettings(variant=Variant.BID, seats=4, people=1, rounds=2)
    table = opening.open_table(kind="solo", settings=wishes, opener=guest).id
    seats.open_seat(table_id=table, seat=0)
    rng = Random(1)
    while (state := load_table(table)).status in ("bidding", "playing"):
        if state.to_move == 0:
            moves.make_move(
                table_id=table, seat=0, turn=state.turn, text=rng.choice(state.legal),
                guest_id=guest.pk,
            )  # fmt: skip
        else:
            moves.make_bot_move(
                table_id=table, turn=state.turn, for_anybody=False,
                choice=moves.decide_move(state=state),
            )  # fmt: skip
    sight = sight_of(Browser(guest=guest), table, 1)
    position = position_at(sight, moment=0, seat=0)
    turns = [n for n in range(sight.line.last) if sight.line.moves[n][0] == 0]
    instead = next((n, text[0][0]) for n in turns if (text := others(sight.line, n)))
    connection.close()
    return {
        "cookies": {"guest": key},
        "table": table,
        "position": position.pk,
        "instead": "{}.{}".format(*instead),
    }


def floods(facts: dict[str, Any]) -> dict[str, tuple[str, dict[str, Any]]]:
    """By name which flood, and what it needs to know."""
    known = {"cookies": facts["cookies"]}
    from games.pages.forms import FriendsForm

    table, position = facts["table"], f"/positions/{facts['position']}/"
    token = "a" * 32
    game = {field.name: field.initial for field in FriendsForm()}
    return {
        "hit-and-run": ("hit-and-run", {}),
        "workshop": ("workshop", {"path": "/lessons/workshop/"}),
        "deals": ("deals", {"path": "/graphs/"}),
        "samples": ("samples", {"path": "/graphs/"}),
        "chances": ("pages", {**known, "path": f"{position}chances/"}),
        "expert": ("pages", {**known, "path": f"{position}?expert=0"}),
        "again": ("pages", {**known, "path": f"{position}again/?instead={facts['instead']}"}),
        "review": ("pages", {**known, "path": f"/tables/{table}/review/1/"}),
        "handshakes": ("handshakes", {**known, "path": f"/ws/tables/{table}/?as=0"}),
        "asks": ("asks", {**known, "path": f"/ask/tables/{table}/"}),
        "study tables": (
            "opening",
            {**known, "path": f"{position}play/", "form": {"at": 0, "seat": 0}, "token": token},
        ),
        "friends' tables": (
            "opening",
            {
                **known,
                "path": "/play/",
                "form": {**game, "kind": "friends"},
                "token": token,
            },
        ),
        "new guests": (
            "opening",
            {"cookies": {}, "path": "/play/", "form": {**game, "seats": 4}, "token": token},
        ),
    }


class Others:
    """Everybody else in the room, and how long they wait, by what they do."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.tables: list[ClassTable] = []
        self.waits: dict[str, list[float]] = {"moves": [], "join": [], "cockpit": []}

    async def sit_down(self, seats: Any) -> None:
        for table_id, cookies in seats:
            table = ClassTable(len(self.tables), "html")
            await table.sit_down_as(self.port, table_id, cookies)
            self.tables.append(table)
        count = len(self.tables)
        shares = [36 * n // count for n in range(count)]
        pairs = zip(self.tables, shares, strict=True)
        await asyncio.gather(*(play(table, [], moves=share) for table, share in pairs))

    async def go_on(self, session: int, cookie: str) -> None:
        """Play, join and press buttons until cancelled."""
        now = time.perf_counter()
        await asyncio.gather(
            *(
                play(table, self.waits["moves"], due=now + n / len(self.tables))
                for n, table in enumerate(self.tables)
            ),
            self.every(0.1, "join", self.join),
            self.every(0.25, "cockpit", self.presser(session, cookie)),
        )

    async def join(self) -> None:
        device = Device(self.port)
        await device.ask("page", "/join/")
        await device.close()

    def presser(self, session: int, cookie: str) -> Callable[[], Coroutine[Any, Any, None]]:
        teacher = Device(self.port)
        teacher.cookies |= {"sessionid": cookie, "csrftoken": "b" * 32}
        words = ["lock", "unlock"]

        async def press() -> None:
            form = {"do": words[0], "csrfmiddlewaretoken": "b" * 32}
            words.reverse()
            answer = await teacher.ask("page", f"/teach/sessions/{session}/do/", form)
            assert answer.status in (204, 302), answer.status

        return press

    async def every(
        self, seconds: float, what: str, do: Callable[[], Coroutine[Any, Any, None]]
    ) -> None:
        """Do it so often, whether or not it was done in time, and note how long it took."""
        due, tasks = time.perf_counter(), set()

        async def one() -> None:
            began = time.perf_counter()
            await do()
            self.waits[what].append(time.perf_counter() - began)

        while True:
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            due += seconds
            if len(tasks) < 50:
                tasks.add(task := asyncio.create_task(one()))
                task.add_done_callback(tasks.discard)

    def figures(self) -> dict[str, Any]:
        """Of all that was noted since this was last asked for."""
        told = {what: spread(times) for what, times in self.waits.items()}
        for times in self.waits.values():
            times.clear()
        return told


def spread(times: list[float]) -> dict[str, float]:
    """How many, and the median, the 99th percentile and the longest, in milliseconds."""
    ms = sorted(1000 * each for each in times)
    if not ms:
        return {"n": 0}
    at = {"p50": len(ms) // 2, "p99": len(ms) * 99 // 100, "max": -1}
    return {"n": len(ms), **{name: round(ms[place], 1) for name, place in at.items()}}


def megabytes(server: psutil.Process) -> float:
    return round(server.memory_info().rss / 2**20, 1)


async def withstand(
    server: psutil.Process, port: int, facts: dict[str, Any], one: Any, other: Any, options: Any
) -> None:
    """Each flood in its turn, and what everybody else noticed."""
    _session, _cookie, seats = one
    others = Others(port)
    await others.sit_down(seats)
    going = asyncio.create_task(others.go_on(*other))
    await asyncio.sleep(6)  # the kernel loads
    guest = Device(port)
    guest.cookies |= facts["cookies"]
    for _kind, known in floods(facts).values():
        if not known.get("path", "/ws/").startswith(("/ws/", "/ask/")):
            await guest.ask("page", known["path"])  # what is only loaded once, is
    others.figures()
    await asyncio.sleep(options.seconds)
    before = megabytes(server)
    print(json.dumps({"flood": "none", **others.figures(), "mb": before}), flush=True)
    for name, (kind, known) in floods(facts).items():
        if options.only and name not in options.only:
            continue
        command = [sys.executable, "-m", "benchmarks.floods", kind, str(port)]
        sender = await asyncio.create_subprocess_exec(
            *command, str(options.seconds), json.dumps(known), stdout=subprocess.PIPE
        )
        out, _errors = await sender.communicate()
        line = {"flood": name, **others.figures(), "mb": megabytes(server)}
        print(json.dumps({**line, "came": json.loads(out or b"{}")}), flush=True)
        await asyncio.sleep(2)
        others.figures()
        if going.done():
            going.result()
    await asyncio.sleep(options.rest)
    after = megabytes(server)
    print(json.dumps({"memory": {"before": before, "after": after}}), flush=True)
    going.cancel()
    with suppress(asyncio.CancelledError):
        await going


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.room")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="of each flood")
    parser.add_argument("--rest", type=float, default=60.0, help="before memory is told again")
    parser.add_argument("--only", nargs="+", help="these floods")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="xactika-room-") as name:
        folder = Path(name)
        prepare(folder)
        from games import analysis

        analysis.load()
        facts = stranger()
        one, other = open_class("room"), open_lobby("beside", 5)
        with serving("xactika", folder) as (server, port):
            job = withstand(server, port, facts, one, other, options)
            uvloop.run(asyncio.wait_for(job, 900))


if __name__ == "__main__":
    main()

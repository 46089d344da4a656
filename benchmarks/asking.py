"""What it costs a server that pages ask instead of holding a socket, and how soon they know.

From the repository's root, in its environment; the first in a minute, the second in half one::

    python -m benchmarks.asking
    python -m benchmarks.asking --round

Without ``--round`` thirty pages at eight tables, none of which has a socket: processor time
(user and system) of the server for a question that brings nothing new, beside a table's whole
page; and for a move that all four at a table see, by questions and by sockets. With it a class
of 24 plays a round at six tables, six of them by asking every two seconds, each move half a
second after its turn is seen: how long after a move was sent others saw it. Prints JSON lines.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import tempfile
import time
from itertools import count
from pathlib import Path
from statistics import median
from typing import Any

import psutil
import uvloop

from benchmarks.joining import Device, spent
from benchmarks.moves import (
    SEATS,
    Game,
    browser_socket,
    open_games,
    prepare,
    read_html,
    serving,
)

PAGES, QUESTIONS, TIMES = 30, 60, 3
EVERY, THINKS = 2.0, 0.5

_names = count()


class Page:
    """One seat's page: the turn that it shows, and what may be done."""

    def __init__(self, port: int, game: Game, seat: int, *, html: bool) -> None:
        self.device = Device(port)
        self.table, self.token, self.seat, self.html = game[0], game[1][seat], seat, html
        face = f"?as={seat}" if html else f"?as={seat}&format=json"
        self.page = f"/tables/{self.table}/?as={seat}"
        self.address = f"/ask/tables/{self.table}/{face}&line={next(_names)}"
        self.path = f"/ws/tables/{self.table}/{face}"
        self.turn = ""
        self.legal: list[str] = []
        self.is_over = False
        self.shown_at: dict[str, float] = {}
        self._got = 0
        self._socket: Any = None

    async def come_in(self) -> None:
        await self.device.ask("page", f"/seat/{self.token}/")
        assert "guest" in self.device.cookies

    # By asking.

    async def ask(self, *messages: dict[str, str]) -> int:
        question = {"got": self._got, "messages": list(map(json.dumps, messages))}
        body = json.dumps(question).encode()
        answer = await self.device.ask("line", self.address, body)
        if answer.status == 200:
            said = json.loads(answer.text)
            self._got = said["from"] + len(said["frames"])
            for frame in said["frames"]:
                self._take(frame)
        return answer.status

    # By socket.

    async def connect(self) -> None:
        cookie = f"guest={self.device.cookies['guest']}"
        self._socket = await browser_socket(self.device.port, self.path, cookie)

    async def hear(self) -> None:
        self._take(await self._socket.recv())

    async def send(self, message: dict[str, str]) -> None:
        await self._socket.send(json.dumps(message))

    async def leave(self) -> None:
        if self._socket is not None:
            await self._socket.close()

    def _take(self, frame: str) -> None:
        now = time.perf_counter()
        if self.html:
            turn, legal = read_html(frame.encode())
            self.turn = turn or self.turn
            self.legal = legal if 'id="hand"' in frame else self.legal
            self.is_over = self.is_over or 'data-status="round_over"' in frame
        else:
            seen = json.loads(frame)
            if seen["type"] == "error":
                raise RuntimeError(f"refused: {frame}")
            self.turn, self.legal = seen["turn"], seen["legal"]
            self.is_over = seen["status"] == "round_over"
        self.shown_at.setdefault(self.turn, now)


# What it costs.


async def costs(server: psutil.Process, port: int, games: list[Game]) -> dict[str, Any]:
    """One after the other on an idle server; medians of some turns."""
    pages = [Page(port, game, seat, html=True) for game in games[:8] for seat in range(SEATS)][
        :PAGES
    ]
    for page in pages:
        await page.come_in()
        assert await page.ask() == 200
    await asyncio.sleep(3)  # until the kernel is loaded beside

    async def nothing_new() -> float:
        before, empty = spent(server), 0
        for _ in range(QUESTIONS):
            for page in pages:
                empty += await page.ask() == 204
        assert empty > 0.95 * QUESTIONS * len(pages), empty
        return (spent(server) - before) / (QUESTIONS * len(pages))

    async def whole_page() -> float:
        before = spent(server)
        for _ in range(5):
            for page in pages:
                assert (await page.device.ask("page", page.page)).status == 200
        return (spent(server) - before) / (5 * len(pages))

    turns: dict[str, list[float]] = {"nothing_new": [], "page": []}
    for _ in range(TIMES):
        turns["nothing_new"].append(await nothing_new())
        turns["page"].append(await whole_page())
    found = {name: median(values) for name, values in turns.items()}
    by_asking, by_sockets = [], []
    for number in range(0, 2 * TIMES, 2):
        by_asking.append(await round_cost(server, port, games[8 + number], asks=True))
        by_sockets.append(await round_cost(server, port, games[9 + number], asks=False))
    found |= {"move_by_asking": median(by_asking), "move_by_sockets": median(by_sockets)}
    second = PAGES / EVERY * found["nothing_new"]
    return {
        **{f"{name}_ms": round(value, 3) for name, value in found.items()},
        "question_beside_page": round(found["nothing_new"] / found["page"], 3),
        "move_beside_sockets": round(found["move_by_asking"] / found["move_by_sockets"], 2),
        "thirty_pages_percent_of_a_core": round(second / 10, 2),
    }


async def round_cost(server: psutil.Process, port: int, game: Game, *, asks: bool) -> float:
    """Milliseconds of the server for each move of one round, until all four pages show it."""
    pages = [Page(port, game, seat, html=True) for seat in range(SEATS)]
    for page in pages:
        await page.come_in()
    for page in () if asks else pages:
        await page.connect()

    async def show(pages: list[Page]) -> None:
        for page in pages:
            await (page.ask() if asks else page.hear())

    while not any(page.legal for page in pages):
        await show(pages)
    before, moves = spent(server), 0
    while not all(page.is_over for page in pages):
        mover = next(page for page in pages if page.legal)
        turn, legal, mover.legal = mover.turn, mover.legal, []
        move = {"type": "move", "turn": turn, "move": legal[0]}
        await (mover.ask(move) if asks else mover.send(move))
        moves += 1
        while behind := [page for page in pages if not is_later(page.turn, turn)]:
            await show(behind)
    cost = (spent(server) - before) / moves
    for page in pages:
        await page.leave()
    return cost


def is_later(one: str, other: str) -> bool:
    first, second = (tuple(map(int, turn.split("."))) for turn in (one or "0.0", other))
    return first > second


# How soon.


async def a_round(port: int, games: list[Game]) -> dict[str, Any]:
    """Six tables of four, at each of which one asks."""
    tables = [
        [Page(port, game, seat, html=False) for seat in range(SEATS)] for game in games[:6]
    ]
    sent: dict[tuple[str, str], tuple[float, bool]] = {}

    async def play(page: Page, *, asks: bool) -> None:
        rng, last = random.Random(page.token), time.perf_counter()
        await asyncio.sleep(rng.random() * (EVERY if asks else 0))
        if not asks:
            await page.connect()
        while True:
            messages = []
            if page.legal and (page.table, page.turn) not in sent:
                await asyncio.sleep(THINKS)
                sent[page.table, page.turn] = (time.perf_counter(), asks)
                move = rng.choice(page.legal)
                messages = [{"type": "move", "turn": page.turn, "move": move}]
            if asks:
                if not messages:
                    await asyncio.sleep(max(0.0, last + EVERY - time.perf_counter()))
                await page.ask(*messages)
                last = time.perf_counter()
            else:
                for message in messages:
                    await page.send(message)
                await page.hear()
            if page.is_over:
                await page.leave()
                return

    for page in (page for pages in tables for page in pages):
        await page.come_in()
    began = time.perf_counter()
    await asyncio.gather(
        *(play(page, asks=page.seat == 0) for pages in tables for page in pages)
    )
    waits: dict[str, list[float]] = {"asking_page_sees": [], "asking_pages_move_is_seen": []}
    for pages in tables:
        for page in pages:
            turns = sorted(page.shown_at, key=lambda t: tuple(map(int, t.split("."))))
            for turn in sorted({t for table, t in sent if table == page.table}):
                at, by_asking = sent[page.table, turn]
                shown = [page.shown_at[t] for t in turns if is_later(t, turn)]
                if not shown:
                    continue
                if page.seat == 0 and not by_asking:
                    waits["asking_page_sees"].append(min(shown) - at)
                elif page.seat != 0 and by_asking:
                    waits["asking_pages_move_is_seen"].append(min(shown) - at)
    return {
        "students": 4 * len(tables),
        "asking": len(tables),
        "moves": len(sent),
        "seconds": round(time.perf_counter() - began, 1),
        **{
            f"{name}_{what}_s": round(value, 3)
            for name, values in waits.items()
            for what, value in (("p50", median(values)), ("worst", max(values)))
        },
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.asking")
    parser.add_argument("--round", action="store_true", help="how soon, not at what cost")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="xactika-asking-") as name:
        folder = Path(name)
        prepare(folder)
        games = open_games(6 if options.round else 8 + 2 * TIMES)
        with serving("xactika", folder) as (server, port):
            job = a_round(port, games) if options.round else costs(server, port, games)
            print(json.dumps(uvloop.run(asyncio.wait_for(job, 300))))


if __name__ == "__main__":
    main()

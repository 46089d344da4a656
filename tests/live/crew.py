"""Programs that play at many tables at once, come back by themselves, and write down whatever
they were told, to be held against what is stored."""

from __future__ import annotations

import asyncio
import json
import re
from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

import psycopg
import websockets

from games.rules import IllegalMove, Round, Variant, parse_card, parse_move
from tests.live.program import CARD

PATIENCE, CLOCK = 8.0, 12.0
"""Seconds of the tables here."""

TRY_AGAIN, OPEN_WITHIN, ASK_AGAIN = 0.25, 3.0, 1.5

NEXT_ROUND = 60.0
"""Seconds that a table waits between rounds for whoever is neither ready nor away."""

Turn = tuple[int, int]
STORED = """
SELECT d.table_id, d.round, t.variant, d.dealer, d.hands,
    extract(epoch FROM pg_xact_commit_timestamp(d.xmin))::float,
    array_agg(concat_ws(' ', m.number, m.seat, m.mover,
        extract(epoch FROM pg_xact_commit_timestamp(m.xmin)), m.text) ORDER BY m.number)
    FILTER (WHERE m.id IS NOT NULL)
FROM games_deal d JOIN games_table t ON t.id = d.table_id
LEFT JOIN games_move m ON m.deal_id = d.id
WHERE (d.table_id, d.round) IN (SELECT * FROM unnest(%s::text[], %s::int[]))
GROUP BY d.id, t.id
"""
"""With the moments at which PostgreSQL itself stored each deal and move."""

EARLY = 4.0
"""Seconds that a clock may seem early, as some may pass between a move and its storing."""


@dataclass
class Told:
    """What was told of one round of a table, and is still to be held against the database."""

    acknowledged: dict[int, str] = field(default_factory=dict)
    plays: list[list[Any]] = field(default_factory=list)
    bids: int = 0
    cards: dict[tuple[int, int | None], set[str]] = field(
        default_factory=lambda: defaultdict(set)
    )


@dataclass
class Table:
    """How a table goes on. ``since`` is when it last did, by the book's fair clock."""

    id: str
    has_clock: bool
    since: float
    turn: Turn = (0, 0)
    status: str = "waiting"
    seen_at: float = 0.0

    def may_wait(self) -> float:
        """Seconds that a turn may take, told by its patience or its clock."""
        if self.status == "round_over":
            return NEXT_ROUND
        return max(PATIENCE, CLOCK if self.has_clock else 0.0)


class Book:
    """What all players were told."""

    def __init__(self, file: Path) -> None:
        self.file = file.open("w", buffering=1, encoding="utf-8")
        self.told: dict[tuple[str, int], Told] = defaultdict(Told)
        self.tables: dict[str, Table] = {}
        self.over: set[str] = set()
        self.away_since: float | None = None
        self.away = 0.0
        self.moves = self.unavailable = 0
        self.longest = (0.0, "")
        self.wrong: list[str] = []

    def fair(self) -> float:
        """Seconds, without those in which nothing could be stored anywhere."""
        now = monotonic()
        return now - self.away - (0.0 if self.away_since is None else now - self.away_since)

    def everything_stops(self) -> None:
        self.away_since = monotonic()

    def everything_is_back(self) -> None:
        if self.away_since is not None:
            self.away += monotonic() - self.away_since
            self.away_since = None

    def seen(self, table: Table, turn: Turn, status: str) -> None:
        """Somebody at the table has been shown this."""
        if turn <= table.turn:
            return
        self.note_wait(table)
        table.turn, table.status = turn, status
        table.since, table.seen_at = self.fair(), monotonic()
        self.moves += 1
        if status in {"game_over", "closed"}:
            self.over.add(table.id)

    def note_wait(self, table: Table) -> None:
        """How much longer than it may the table has waited for this turn."""
        if table.id not in self.over and table.turn > (0, 0):
            late = self.fair() - table.since - table.may_wait()
            kind = "with a clock" if table.has_clock else "of friends"
            where = f"{table.id} {kind} {table.turn} {table.status}"
            self.longest = max(self.longest, (late, where))

    def acknowledge(self, table: str, turn: Turn, move: str) -> None:
        print(table, *turn, move, file=self.file)
        self.told[table, turn[0]].acknowledged[turn[1]] = move

    def check(self, database: str) -> int:
        """Hold all that was told since the last time against what is stored; what differs is
        added to ``wrong``. How many acknowledged moves were looked for."""
        told, self.told = self.told, defaultdict(Told)
        keys = [key for key in told if key[1] > 0]
        with psycopg.connect(database) as line:
            rows = line.execute(
                STORED, [[table for table, _ in keys], [number for _, number in keys]]
            ).fetchall()
        found = {(row[0], row[1]): row[2:] for row in rows}
        for key in keys:
            if key not in found:
                self.wrong.append(f"{key}: the round is lost")
                continue
            self.wrong += [f"{key}: {what}" for what in differences(told[key], *found[key])]
        # Cards shown before a round began: none may be.
        for (table, number), each in told.items():
            if number == 0 and any(each.cards.values()):
                self.wrong.append(f"{table}: cards while waiting")
        return sum(len(each.acknowledged) for each in told.values())


def differences(
    told: Told, variant: str, dealer: int, hands: Any, dealt: float, moves: list[str] | None
) -> Iterable[str]:
    """Whatever was told of a round and is not so."""
    hands = json.loads(hands) if isinstance(hands, str) else hands
    rows = [move.split(" ", 4) for move in moves or ()]
    if [int(row[0]) for row in rows] != [*range(len(rows))]:
        yield f"moves are stored as {[row[0] for row in rows]}"
        return
    texts = [row[4] for row in rows]
    try:
        round_ = Round.start(
            variant=Variant(variant),
            hands=[[parse_card(code) for code in hand] for hand in hands],
            dealer=dealer,
        )
        for row in rows:
            if round_.to_move != int(row[1]):
                yield f"move {row[0]} is another seat's"
            round_ = round_.apply(parse_move(row[4]))
    except IllegalMove as why:
        yield f"a move is stored that cannot be: {why}"
        return
    for number, move in told.acknowledged.items():
        if number >= len(rows) or texts[number] != move:
            yield f"the acknowledged move {number}, {move}, is lost"
    bids = sum(len(text) < 4 for text in texts)
    plays = [[int(row[1]), row[4]] for row in rows[bids:]]
    if told.bids > bids or plays[: len(told.plays)] != told.plays:
        yield f"shown were {told.bids} bids and {told.plays}, stored {bids} and {plays}"
    for (number, seat), cards in told.cards.items():
        if number >= len(rows) and round_.is_over:
            continue
        may_see = {text[:4] for text in texts[:number] if len(text) >= 4}
        if cards - may_see - (set() if seat is None else set(hands[seat])):
            yield f"seat {seat} was shown hidden cards at move {number}"
    stored = [dealt, *(float(row[3]) for row in rows)]
    for number, row in enumerate(rows):
        took = stored[number + 1] - stored[number]
        if row[2] == "clock" and took < CLOCK - EARLY:
            yield f"the clock took move {number} after {took:.1f} s"


def plays_of(frame: dict[str, Any]) -> list[list[Any]]:
    """The cards played in an observation's round, as (seat, move)."""
    tricks = [*frame["tricks"], *filter(None, [frame["trick"]])]
    return [
        [seat, card if number else f"{card}:{trick['call']}"]
        for trick in tricks
        for number, (seat, card) in enumerate(trick["plays"])
    ]


def was_made(frame: dict[str, Any], plays: list[list[Any]], number: int, move: str) -> bool:
    """Whether this observation shows that its seat's move was made as that number of the round,
    not another one, by a bot that stood in."""
    seat = frame["seat"]
    if len(move) < 4:
        return bool(frame["bids"][seat] == int(move))
    at = number - sum(bid is not None for bid in frame["bids"])
    return plays[at : at + 1] == [[seat, move]]


@dataclass
class Seat:
    """A place at a table, and by which ports its socket goes: its own process's first."""

    table: Table
    number: int
    token: str
    ports: tuple[int, ...]
    html: bool = False
    idle: bool = False
    """Somebody who never plays: the clock does."""


class Player:
    """A socket that comes back whenever it is lost; a program plays, a page only looks."""

    def __init__(self, book: Book, seat: Seat, rng: Random, think: float) -> None:
        self.book, self.seat, self.rng, self.think = book, seat, rng, think
        self.table = seat.table
        self.turn: Turn = (0, 0)
        self.seen: dict[str, Any] = {}
        self.sent: tuple[Turn, str] | None = None
        self.port = 0
        self.back_at = 0.0
        self.is_here = False
        self.failed = 0
        self._home = asyncio.Event()
        self.task = asyncio.create_task(self._stay())

    def go_home(self) -> None:
        """Whoever came to another process goes back to its own."""
        if self.is_here and self.port != self.seat.ports[0]:
            self._home.set()

    async def _stay(self) -> None:
        tries = 0
        while self.table.id not in self.book.over:
            self.port = self.seat.ports[tries % len(self.seat.ports)]
            tries += 1
            with suppress(websockets.WebSocketException, OSError, TimeoutError):
                async with self._connect() as socket:
                    await self._listen(socket)
                    tries = 0
            if self.is_here:
                self.is_here, tries = False, 0
            if self._home.is_set():
                self._home.clear()
                continue
            await asyncio.sleep(TRY_AGAIN)

    def _connect(self) -> websockets.connect:
        face = "" if self.seat.html else "?format=json"
        return websockets.connect(
            f"ws://127.0.0.1:{self.port}/ws/tables/{self.table.id}/{face}",
            additional_headers={"Authorization": f"Bearer {self.seat.token}"},
            compression=None,
            proxy=None,
            open_timeout=OPEN_WITHIN,
            close_timeout=1,
        )

    async def _listen(self, socket: websockets.ClientConnection) -> None:
        act_at, again = monotonic() + self.think * self.rng.uniform(0.5, 1.5), ASK_AGAIN
        while not self._home.is_set() and self.table.id not in self.book.over:
            wait = max(0.0, min(act_at - monotonic(), 1.0))
            try:
                text = str(await asyncio.wait_for(socket.recv(), wait))
            except TimeoutError:
                if monotonic() >= act_at:
                    await self._act(socket)
                    act_at, again = self._ask_again(again), again * 2
                continue
            if not self.is_here:
                self.is_here, self.back_at = True, monotonic()
            if self.seat.html:
                self._hear_page(text)
            elif self._hear(json.loads(text), text):
                act_at, again = monotonic() + self.think * self.rng.uniform(0.5, 1.5), ASK_AGAIN

    def _ask_again(self, after: float) -> float:
        """When to look again whether there is something to ask for: once the table's patience
        is over, as often as somebody would press a button that does nothing."""
        now, over = monotonic(), self.table.seen_at + PATIENCE
        return min(now + after, over + 0.1 if over > now else now + ASK_AGAIN)

    # What one is told.

    def _hear_page(self, text: str) -> None:
        if named := re.search(r'id="turn" data-turn="(\d+)\.(\d+)"', text):
            self.turn = (int(named[1]), int(named[2]))
        self._saw(text)

    def _saw(self, text: str) -> None:
        if cards := CARD.findall(text):
            told = self.book.told[self.table.id, self.turn[0]]
            told.cards[self.turn[1], self.seat.number].update(cards)

    def _hear(self, frame: dict[str, Any], text: str) -> bool:
        """Whether it is something new."""
        if frame["type"] != "observation":
            self._saw(text)
            is_away = bool(frame["code"] == "unavailable")
            self.book.unavailable += is_away
            return is_away
        before, self.seen = self.turn, frame
        self.turn = tuple(map(int, frame["turn"].split(".")))  # type: ignore[assignment]
        self._saw(text)
        self.book.seen(self.table, self.turn, frame["status"])
        told = self.book.told[self.table.id, self.turn[0]]
        plays = plays_of(frame)
        told.plays = max(told.plays, plays, key=len)
        told.bids = max(told.bids, sum(bid is not None for bid in frame["bids"]))
        if self.sent and self.turn > self.sent[0]:
            (turn, move), self.sent = self.sent, None
            if turn[0] == self.turn[0] and was_made(frame, plays, turn[1], move):
                self.book.acknowledge(self.table.id, turn, move)
        return before != self.turn

    # What one does.

    async def _act(self, socket: websockets.ClientConnection) -> None:
        seen, me = self.seen, self.seat.number
        if not seen or self.seat.html:
            return
        request: dict[str, Any] | None = None
        if seen["players"][me]["stand_in"] and not self.seat.idle:
            request = {"type": "take_back"}
        elif seen["status"] == "round_over" and not seen["players"][me]["ready"]:
            request = {"type": "next", "turn": seen["turn"]}
        elif seen["legal"] and not self.seat.idle:
            again = self.sent is not None and self.sent[0] == self.turn
            move = self.sent[1] if self.sent and again else self.rng.choice(seen["legal"])
            self.sent = (self.turn, move)
            request = {"type": "move", "turn": seen["turn"], "move": move}
        elif (
            seen["to_move"] not in (None, me)
            and not self.table.has_clock
            and monotonic() - self.table.seen_at > PATIENCE
        ):
            request = {"type": "stand_in", "turn": seen["turn"], "seat": seen["to_move"]}
        if request:
            await socket.send(json.dumps(request))

"""Programs at tables on the same boards, and a teacher’s pages that look on."""

from __future__ import annotations

import asyncio
import json
import time
import urllib.parse
import urllib.request
from random import Random
from typing import Any

import websockets

from tests.live.program import CARD, later
from tests.server import Server


class Student:
    """A student's program: plays legal moves at random, and looks at every frame it gets."""

    def __init__(self, server: Server, table: str, cookie: str, pk: int, rng: Random) -> None:
        self.table, self.pk, self.rng = table, pk, rng
        self.address = f"{server.websocket_base}/ws/tables/{table}/?format=json"
        self.headers = {"Cookie": f"student={cookie}"}
        self.origin: Any = server.base
        self.dealt: dict[int, set[str]] = {}
        self.revealed: dict[int, float] = {}
        self.last: dict[str, Any] = {}

    async def play(self) -> None:
        """Until the game is over, or the table is closed."""
        async with websockets.connect(
            self.address,
            additional_headers=self.headers,
            origin=self.origin,
            compression=None,
            proxy=None,
        ) as socket:
            moved = ""
            while True:
                # Not wait_for: it may swallow the cancelling of who deserts the table.
                async with asyncio.timeout(60):
                    seen = json.loads(await socket.recv())
                if seen["type"] != "observation":
                    continue
                self.look(seen)
                if seen["status"] in {"game_over", "closed"}:
                    return
                await asyncio.sleep(self.rng.random() / 50)
                if seen["legal"] and seen["turn"] != moved:
                    moved = seen["turn"]
                    move = self.rng.choice(seen["legal"])
                    await socket.send(json.dumps({"type": "move", "turn": moved, "move": move}))
                me = seen["players"][seen["seat"]]
                if seen["status"] == "round_over" and not me["ready"]:
                    await socket.send(json.dumps({"type": "next", "turn": seen["turn"]}))

    def look(self, seen: dict[str, Any]) -> None:
        """Nothing but one's own hand and what was played at one's own table."""
        assert not self.last or not later(self.last["turn"], seen["turn"])
        self.last = seen
        board = seen["round"]
        self.dealt.setdefault(board, set(seen["hand"]))
        if seen["revealed"]:
            self.revealed.setdefault(board, time.time())
            return
        tricks = [*seen["tricks"], *([seen["trick"]] if seen["trick"] else [])]
        open_cards = {code for trick in tricks for _seat, code in trick["plays"]}
        allowed = self.dealt[board] | open_cards
        assert set(CARD.findall(json.dumps(seen))) <= allowed
        assert seen["winners"] is None


class Onlooker:
    """A cockpit or projector; no card code is ever in what it gets."""

    def __init__(self, server: Server, session: int, view: str, cookie: str) -> None:
        self.address = f"{server.websocket_base}/ws/sessions/{session}/?view={view}"
        self.headers = {"Cookie": f"sessionid={cookie}"}
        self.origin: Any = server.base
        self.frames = 0

    async def watch(self) -> None:
        async with websockets.connect(
            self.address,
            additional_headers=self.headers,
            origin=self.origin,
            compression=None,
            proxy=None,
        ) as socket:
            while True:
                frame = await socket.recv()
                self.frames += 1
                assert not CARD.findall(str(frame))
                assert 'class="card' not in str(frame)


def press(server: Server, session: int, cookie: str, what: str) -> None:
    """A teacher presses a button of the cockpit."""
    token = "x" * 32
    request = urllib.request.Request(
        f"{server.base}/teach/sessions/{session}/do/",
        data=urllib.parse.urlencode({"do": what}).encode(),
        headers={
            "Cookie": f"sessionid={cookie}; csrftoken={token}",
            "X-CSRFToken": token,
            "HX-Request": "true",
        },
    )
    with urllib.request.urlopen(request, timeout=20) as answer:
        assert answer.status == 204


def shell(server: Server, code: str) -> Any:
    return json.loads(server.manage("shell", "--no-imports", "-c", code))


def score(dealer: int, hands: list[list[str]], texts: list[str]) -> list[int]:
    """A round's points by seat, without the product's rules: from the texts of its moves."""
    seats = len(hands)
    bids = {}
    for number, text in enumerate(texts[:seats]):
        bids[(dealer + 1 + number) % seats] = int(text)
    taken = [0] * seats
    leader = (dealer + 1) % seats
    for start in range(seats, len(texts), seats):
        trick = texts[start : start + seats]
        card, _colon, call = trick[0].partition(":")
        count, _dash, shape = call.partition("-")
        place = ("ball", "cube", "cone", "star").index(shape)
        best, winner = 0, leader
        for step, text in enumerate(trick):
            code = text[:4]
            value = sum(map(int, code))
            if code[place] == count and value >= best:
                best, winner = value, (leader + step) % seats
        assert card[place] == count
        taken[winner] += 1
        leader = winner
    return [
        bids[seat] if bids[seat] == taken[seat] else -abs(bids[seat] - taken[seat])
        for seat in range(seats)
    ]

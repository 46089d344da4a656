"""Programs that play on the wire, and keep every frame that they were sent."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from random import Random
from typing import Any

import websockets

CARD = re.compile(r"(?<![0-9A-Za-z])[123]{4}(?![0-9A-Za-z])")

PATIENCE = 120
"""Seconds that any one thing may take: a computer of many may stand still for half a minute."""


class Client:
    """One connection with a seat's or the watch token. ``frames`` are all texts received."""

    def __init__(self, base: str, table: str, token: str, *, html: bool = False) -> None:
        face = "" if html else "?format=json"
        self.address = f"{base}/ws/tables/{table}/{face}"
        self.headers = {"Authorization": f"Bearer {token}"}
        self.frames: list[str] = []
        self.refused = ""
        self.socket: Any = None

    async def __aenter__(self) -> Client:
        self.socket = await websockets.connect(
            self.address, additional_headers=self.headers, compression=None, proxy=None
        )
        return self

    async def __aexit__(self, *_exc: object) -> None:
        await self.socket.close()

    async def receive(self) -> str:
        async with asyncio.timeout(PATIENCE):
            text = str(await self.socket.recv())
        self.frames.append(text)
        return text

    async def observation(self) -> dict[str, Any]:
        """The next observation; ``refused`` is the last error's code on the way to it."""
        self.refused = ""
        while True:
            frame: dict[str, Any] = json.loads(await self.receive())
            if frame["type"] == "observation":
                return frame
            self.refused = frame.get("code", "")

    async def send(self, **message: Any) -> None:
        await self.socket.send(json.dumps(message))


Until = Callable[[dict[str, Any]], bool]


def game_over(seen: dict[str, Any]) -> bool:
    return bool(seen["status"] == "game_over")


async def play(
    client: Client,
    rng: Random,
    *,
    until: Until = game_over,
    acknowledged: dict[str, str] | None = None,
) -> dict[str, Any]:
    """Play random legal moves until the table is as wanted; the last observation.

    ``acknowledged`` gathers, by turn, the moves that an observation has shown to be made.
    """
    sent: tuple[str, str] | None = None
    while True:
        seen = await client.observation()
        if sent and acknowledged is not None and later(seen["turn"], sent[0]):
            acknowledged[sent[0]] = sent[1]
            sent = None
        if until(seen):
            return seen
        if seen["legal"]:
            # A turn may be shown twice (an answer to a "next" that came late): the move stays.
            again = sent is not None and sent[0] == seen["turn"]
            move = sent[1] if sent and again else rng.choice(seen["legal"])
            sent = (seen["turn"], move)
            await client.send(type="move", turn=seen["turn"], move=move)
        elif (
            seen["status"] == "round_over"
            and seen["seat"] is not None
            and not seen["players"][seen["seat"]]["ready"]
        ):
            await client.send(type="next", turn=seen["turn"])


def later(turn: str, than: str) -> bool:
    """Whether one turn comes after another."""
    return tuple(map(int, turn.split("."))) > tuple(map(int, than.split(".")))


async def listen(client: Client, done: asyncio.Event) -> None:
    """Only receive, until told to stop."""
    stopping = asyncio.ensure_future(done.wait())
    receiving = asyncio.ensure_future(client.socket.recv())
    try:
        while True:
            await asyncio.wait({receiving, stopping}, return_when=asyncio.FIRST_COMPLETED)
            if not receiving.done():
                return
            client.frames.append(str(receiving.result()))
            receiving = asyncio.ensure_future(client.socket.recv())
    finally:
        stopping.cancel()
        receiving.cancel()

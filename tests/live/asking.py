"""A browser behind a filter that lets no WebSocket through, as the server sees it."""

from __future__ import annotations

import asyncio
import json
from itertools import count
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import websockets

from tests.live.classroom import Device
from tests.server import Server

_names = count()


class AskingDevice(Device):
    """The same as a socket, by plain requests: it asks again and again, and at once when it has
    something to say. ``statuses`` are those of all answers."""

    every = 0.2
    """Seconds between two questions. A page's are two; a test has less time."""

    def __init__(self, server: Server, path: str, cookies: str) -> None:
        super().__init__(server, path, cookies)
        mark = "&" if "?" in path else "?"
        path = path.replace("/ws/", "/ask/")
        self.address = f"{server.base}{path}{mark}line={next(_names)}"
        self.statuses: list[int] = []
        self._got = 0
        self._unsent: list[str] = []
        self._has_more = asyncio.Event()
        self._news: asyncio.Queue[str | None] = asyncio.Queue()

    async def __aenter__(self) -> AskingDevice:
        self.socket = self  # for who listens to that
        self._asking = asyncio.create_task(self._go_on_asking())
        return self

    async def __aexit__(self, *_exc: object) -> None:
        self._asking.cancel()
        await asyncio.to_thread(self._ask, [], leaves=True)

    async def recv(self) -> str:
        """The next frame, as a socket's."""
        text = await self._news.get()
        if text is None:
            raise websockets.ConnectionClosedOK(None, None)
        return text

    async def send(self, text: str = "", **message: Any) -> None:
        """Say something, with the next question, which is asked at once."""
        self._unsent.append(text or json.dumps(message))
        self._has_more.set()

    async def _go_on_asking(self) -> None:
        while True:
            self._has_more.clear()
            messages, self._unsent = self._unsent, []
            answer = await asyncio.to_thread(self._ask, messages)
            for text in answer.get("frames", []):
                self._news.put_nowait(text)
            if answer.get("closed") is not None:
                self._news.put_nowait(None)
                return
            if not self._has_more.is_set():
                try:
                    async with asyncio.timeout(self.every):
                        await self._has_more.wait()
                except TimeoutError:
                    pass

    def _ask(self, messages: list[str], **more: Any) -> dict[str, Any]:
        question = {"got": self._got, "messages": messages, **more}
        request = Request(self.address, json.dumps(question).encode(), self.headers)
        try:
            with urlopen(request, timeout=30) as answer:
                status, body = answer.status, answer.read()
        except HTTPError as refused:
            status, body = refused.code, refused.read()
        self.statuses.append(status)
        said: dict[str, Any] = json.loads(body or b"{}")
        if said:
            self._got = said["from"] + len(said["frames"])
        return said

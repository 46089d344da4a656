"""For browsers behind a filter that lets no WebSocket through: the same sockets, by requests.

A page asks every two seconds. Between its requests a polled socket stands in for it: to the
consumers it is a WebSocket, so who may look, what they are shown and when a right ends is
decided in one place. docs/decisions/0036-without-sockets.md.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable
from typing import NamedTuple

from games.live.consumers import NOT_FOUND
from xactika_site.clients import client_of
from xactika_site.http import Application, Message, Receive, Scope, Send
from xactika_site.lanes import ARRIVALS, BUSY
from xactika_site.logs import count_line

log = logging.getLogger("xactika.sockets")

ASKED, SOCKETS = "/ask/", "/ws/"
"""What such an address begins with, and that of the socket which it stands for."""

ASKS_WITHIN = 20.0
"""Seconds after which a page that has not asked again is gone."""

ANSWER_WITHIN = 1.0
"""Seconds that a request waits at most for what it has brought about."""

QUIET = 0.05
"""Seconds without anything new after which a request is answered."""

MOST_BYTES = 65_536
MOST_POLLED = 4_096

FAILED = 1011

_WHO = (b"host", b"origin", b"cookie", b"authorization")
"""The headers that say who asks: with another one it is another socket, let in anew."""


class PageRequest(NamedTuple):
    """What a page says each time: how far it has got, what its forms send, whether it goes."""

    got: int
    messages: list[str]
    leaves: bool


class PolledSocket:
    """A socket of ours whose other end asks for its frames.

    Nothing is sent in between: whatever wants to be waits, and newer pictures replace it there,
    as with a socket whose client is slow. ``frames`` are kept until the page says that it has
    got them; they are counted, and from the clock on, so that none is taken for another.
    """

    def __init__(self, socket: Application, scope: Scope, forget: Callable[[], object]) -> None:
        self.first = time.monotonic_ns() // 1_000_000
        self.frames: list[str] = []
        self.closed: int | None = None
        self._forget = forget
        self._coming: asyncio.Queue[Message] = asyncio.Queue()
        self._coming.put_nowait({"type": "websocket.connect"})
        self._is_new = True
        self._asking, self._is_asked = 0, asyncio.Event()
        self._waiting, self._news = 0, asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._end = self._loop.call_later(ASKS_WITHIN, self.end)
        self._task = asyncio.create_task(self._serve(socket, scope))

    async def _serve(self, socket: Application, scope: Scope) -> None:
        try:
            await socket(scope, self._coming.get, self._send)
        except Exception:
            log.exception("a line has failed")
        finally:
            self._close(FAILED)

    async def _send(self, message: Message) -> None:
        if message["type"] == "websocket.close":
            self._close(message["code"])
        elif message["type"] == "websocket.send":
            self._waiting += 1
            await self._is_asked.wait()
            self._waiting -= 1
            if self.closed is None:
                self.frames.append(message["text"])
                self._news.set()

    def _close(self, code: int) -> None:
        if self.closed is None:
            self.closed = code
            self._coming.put_nowait({"type": "websocket.disconnect", "code": code})
        self._is_asked.set()  # nobody waits at one that has ended
        self._news.set()

    def end(self) -> None:
        """Let go of the page, which is gone."""
        self._end.cancel()
        self._forget()
        self._close(FAILED)

    def is_of(self, got: int) -> bool:
        """Whether a page that has got so far was here last, and not at another process."""
        return not self.frames or 0 <= got - self.first <= len(self.frames)

    async def ask(self, request: PageRequest) -> None:
        """Take what the page sends, and let ``frames`` be what it has not got."""
        self._end.cancel()
        self._end = self._loop.call_later(ASKS_WITHIN, self.end)
        got = request.got - self.first
        if 0 < got <= len(self.frames):
            del self.frames[:got]
            self.first += got
        self._asking += 1
        self._is_asked.set()
        try:
            await self._hear(request.messages)
        finally:
            self._asking -= 1
            if not self._asking and self.closed is None:
                self._is_asked.clear()

    async def _hear(self, messages: list[str]) -> None:
        patience = QUIET if self._waiting else 0.0
        while self._waiting and self.closed is None:
            await asyncio.sleep(0)
        self._news.clear()
        for text in messages:
            self._coming.put_nowait({"type": "websocket.receive", "text": text})
        if messages or self._is_new:
            patience, self._is_new = ANSWER_WITHIN, False
        until = self._loop.time() + ANSWER_WITHIN
        while patience and self.closed is None and self._loop.time() < until:
            try:
                async with asyncio.timeout(patience):
                    await self._news.wait()
            except TimeoutError:
                return
            self._news.clear()
            patience = QUIET


class Asking:
    """Answers what asks for a socket's frames; everything else goes on to ``pages``."""

    def __init__(self, sockets: Application, pages: Application) -> None:
        self._sockets, self._pages = sockets, pages
        self._polled: dict[object, PolledSocket] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["method"] != "POST" or not scope["path"].startswith(ASKED):
            await self._pages(scope, receive, send)
            return
        body = await _body(receive)
        request = None if body is None else _parsed_request(body)
        if request is None:
            await _answer(send, 400)
            return
        headers = dict(scope["headers"])
        who = (scope["path"], scope["query_string"], *(headers.get(name) for name in _WHO))
        polled = self._polled.get(who)
        if request.leaves:
            if polled is not None:
                polled.end()
            await _answer(send, 204)
            return
        if polled is not None and not polled.is_of(request.got):
            polled.end()
            polled = None
        if polled is None:
            if len(self._polled) >= MOST_POLLED or not ARRIVALS.take(client_of(headers)):
                count_line(log, "lines", BUSY, where=ASKED)
                await _answer(send, 503)
                return
            path = SOCKETS + scope["path"].removeprefix(ASKED)
            socket = {"type": "websocket", "path": path, "raw_path": path.encode()}
            polled = PolledSocket(
                self._sockets,
                {**scope, **socket, "subprotocols": []},
                forget=lambda: self._polled.pop(who, None),
            )
            self._polled[who] = polled
        await polled.ask(request)
        if polled.closed is not None:
            polled.end()
        elif not polled.frames:
            await _answer(send, 204)
            return
        answer = {"from": polled.first, "frames": polled.frames, "closed": polled.closed}
        await _answer(
            send, 404 if polled.closed == NOT_FOUND else 200, json.dumps(answer).encode()
        )


async def _body(receive: Receive) -> bytes | None:
    """The request's body; None for one that is too long, or whose sender has gone."""
    body = bytearray()
    while True:
        message = await receive()
        body += message.get("body", b"")
        if message["type"] == "http.disconnect" or len(body) > MOST_BYTES:
            return None
        if not message.get("more_body"):
            return bytes(body)


def _parsed_request(body: bytes) -> PageRequest | None:
    try:
        data = json.loads(body)
        got, messages = data["got"], data.get("messages", [])
    except (ValueError, RecursionError, KeyError, TypeError):
        return None
    if type(got) is not int or not isinstance(messages, list):
        return None
    if not all(isinstance(text, str) for text in messages):
        return None
    return PageRequest(got, messages, data.get("leaves") is True)


async def _answer(send: Send, status: int, body: bytes = b"") -> None:
    headers = [(b"cache-control", b"no-store"), (b"x-content-type-options", b"nosniff")]
    if status == 503:
        headers.append((b"retry-after", b"3"))
    if status != 204:
        headers.append((b"content-type", b"application/json"))
        headers.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})

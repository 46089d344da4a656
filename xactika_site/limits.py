"""What a connection may cost: how long a request may take to arrive, how large it may be, how
many connections there are. Set so that a school of 500 behind one address never meets them:
docs/decisions/0018-limits.md.
"""

from __future__ import annotations

import logging
from asyncio import Transport
from asyncio.events import TimerHandle

from django.template.loader import render_to_string
from django.utils.translation import override
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from xactika_site import languages
from xactika_site.clients import client_of
from xactika_site.http import Application, Message, Receive, Scope, Send
from xactika_site.lanes import ARRIVALS, BUSY
from xactika_site.logs import count_line
from xactika_site.security import POLICY

log = logging.getLogger("xactika.lanes")

MAX_BODY = 1024 * 1024
"""Bytes of a request's body. The largest that we ask for, a file of deals, has 100 KB."""

READ_TO_ITS_END = 16 * MAX_BODY
"""A body no longer than this is thrown away to its end, as most browsers show an answer only
then; what is longer is cut off at once."""

HEAD_WITHIN = 20.0
"""Seconds from a connection's opening, or from its next request's first byte, until the whole
head of a request must have come."""

BODY_WITHIN = 60.0
"""Seconds until its body must have come."""

TAKEN_WITHIN = 60.0
"""Seconds that a client may leave an answer lying without reading on."""

MAX_CONNECTIONS = 16_384
RESERVED_FILES = 256
"""Descriptors kept for the database, Redis, files and logs."""


def raise_file_limit() -> int:
    """How many connections fit, when this process may open as many files as the system admits.
    Windows has no such limit."""
    try:
        import resource
    except ImportError:
        return MAX_CONNECTIONS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_CONNECTIONS + RESERVED_FILES
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        soft = most
    soft = wanted if soft == resource.RLIM_INFINITY else soft
    return max(64, min(MAX_CONNECTIONS, soft - RESERVED_FILES))


_COME_BACK = (
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 3\r\n"
    b"Content-Length: 0\r\nConnection: close\r\n\r\n"
)


class HttpConnection(HttpToolsProtocol):
    """uvicorn's connection, with an end to waiting and a ceiling.

    It also mends a race: the client has all of an answer a moment before the application says
    that it was the last of it. A WebSocket that is asked for in between would be ended by the
    keep-alive timer which is set after that answer.
    """

    most = MAX_CONNECTIONS
    idle: dict[HttpConnection, None] = {}
    """Connections whose request has not come yet, the oldest first: they make room."""

    _deadline: TimerHandle | None = None
    _unread: TimerHandle | None = None
    _upgrade_waits = False

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.idle[self] = None
        self._expect_within(HEAD_WITHIN)
        if len(self.connections) > self.most:
            oldest = next(iter(self.idle))
            oldest._stop_expecting()
            oldest.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_expecting()
        self._stop_watching()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._deadline is None:
            self._expect_within(HEAD_WITHIN)
        super().data_received(data)

    def on_headers_complete(self) -> None:
        self._expect_within(BODY_WITHIN)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._stop_expecting()
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        is_new = not self._upgrade_waits
        if is_new and not ARRIVALS.take(client_of(dict(self.headers))):
            count_line(log, "sockets", BUSY, where="/ws/")
            self.transport.write(_COME_BACK)
            self.transport.close()
            return
        if self.cycle is not None and not self.cycle.response_complete:
            self._upgrade_waits = True
            self.flow.pause_reading()
            return
        self._stop_expecting()
        self._stop_watching()
        super().handle_websocket_upgrade()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.transport.is_closing():
            self._must_be_taken()
        elif self._upgrade_waits and self.cycle.response_complete:
            self._unset_keepalive_if_required()
            self.handle_websocket_upgrade()
        elif self.timeout_keep_alive_task is not None:
            self.idle[self] = None

    def pause_writing(self) -> None:
        super().pause_writing()
        self._must_be_taken()

    def resume_writing(self) -> None:
        super().resume_writing()
        if not self.transport.is_closing():
            self._stop_watching()

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        self._must_be_taken()

    def _expect_within(self, seconds: float) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = self.loop.call_later(seconds, self.transport.abort)

    def _stop_expecting(self) -> None:
        self.idle.pop(self, None)
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _must_be_taken(self) -> None:
        if self._unread is None:
            self._unread = self.loop.call_later(TAKEN_WITHIN, self.transport.abort)

    def _stop_watching(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None


class TooLarge(Exception):
    """The body has more than ``MAX_BODY`` bytes."""


def with_small_bodies(application: Application) -> Application:
    """The application, which sees no request's body longer than ``MAX_BODY``: 413 instead."""

    async def limited(scope: Scope, receive: Receive, send: Send) -> None:
        announced = dict(scope["headers"]).get(b"content-length", b"0")
        length = int(announced) if announced.isdigit() else 0
        if length > MAX_BODY:
            await _throw_away(length, receive)
            await _refuse(scope, send)
            return
        came, has_answered = 0, False

        async def receive_little() -> Message:
            nonlocal came
            message = await receive()
            came += len(message.get("body", b""))
            if came > MAX_BODY:
                raise TooLarge
            return message

        async def note_answer(message: Message) -> None:
            nonlocal has_answered
            has_answered = True
            await send(message)

        try:
            await application(scope, receive_little, note_answer)
        except TooLarge:
            if not has_answered:
                await _refuse(scope, send)

    return limited


async def _throw_away(length: int, receive: Receive) -> None:
    if length <= READ_TO_ITS_END:
        while (await receive()).get("more_body"):
            pass


async def _refuse(scope: Scope, send: Send) -> None:
    with override(languages.wished_in(scope["headers"])):
        page = render_to_string("413.html").encode()
    headers = [
        (b"content-type", b"text/html; charset=utf-8"),
        (b"content-length", str(len(page)).encode()),
        (b"content-security-policy", POLICY.encode()),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": page})

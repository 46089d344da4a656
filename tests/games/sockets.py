"""A socket at a table, in-process, as a program or a browser opens it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from functools import wraps
from time import monotonic
from typing import Any

# Not channels.testing: it needs daphne, which we leave out.
from asgiref.testing import ApplicationCommunicator
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.sessions import CookieMiddleware

from games.live.asking import Asking
from games.urls import websocket_urlpatterns

SOCKETS = CookieMiddleware(URLRouter(websocket_urlpatterns))
APPLICATION = ProtocolTypeRouter({"websocket": SOCKETS})
PATIENCE = 20.0


class AskingCommunicator:
    """A socket's other end as a browser without sockets has it: it asks, here every 20 ms."""

    is_used = False
    """Whether ``connect`` gives these; set by the fixture ``way``."""

    def __init__(self, scope: dict[str, Any]) -> None:
        self.application = Asking(SOCKETS, SOCKETS)
        path = str(scope["path"]).replace("/ws/", "/ask/", 1)
        self.scope = {**scope, "type": "http", "method": "POST", "path": path}
        self.output_queue: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.got = 0
        self.statuses: list[int] = []
        self._messages: list[str] = []
        self._asking: asyncio.Task[None] | None = None

    async def ask(self, **more: Any) -> dict[str, Any]:
        """Ask once: what was answered, or nothing."""
        messages, self._messages = self._messages, []
        question = json.dumps({"got": self.got, "messages": messages, **more}).encode()
        said: list[Any] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": question}

        async def send(message: Any) -> None:
            said.append(message)

        await self.application(self.scope, receive, send)
        self.statuses.append(said[0]["status"])
        if said[0]["status"] == 204:
            return {}
        answer: dict[str, Any] = json.loads(said[1]["body"])
        self.got = answer["from"] + len(answer["frames"])
        return answer

    async def _go_on_asking(self) -> None:
        while True:
            answer = await self.ask()
            for text in answer.get("frames", []):
                self.output_queue.put_nowait({"type": "websocket.send", "text": text})
            if (code := answer.get("closed")) is not None:
                self.output_queue.put_nowait({"type": "websocket.close", "code": code})
                return
            await asyncio.sleep(0.02)

    async def send_input(self, message: dict[str, Any]) -> None:
        if message["type"] == "websocket.connect":
            self.output_queue.put_nowait({"type": "websocket.accept"})
            self._asking = asyncio.create_task(self._go_on_asking())
        elif message["type"] == "websocket.receive":
            self._messages.append(message["text"])
        elif self._asking is not None:
            self._asking.cancel()
            await self.ask(leaves=True)

    async def receive_output(self, timeout: float) -> dict[str, Any]:
        async with asyncio.timeout(timeout):
            return await self.output_queue.get()

    async def receive_nothing(self, timeout: float) -> bool:
        await asyncio.sleep(timeout)
        return self.output_queue.empty()

    async def wait(self, _timeout: float) -> None:
        await asyncio.sleep(0.01)  # until the line's socket has ended


class Socket:
    """One open connection; ``said`` keeps every event that the server sent."""

    def __init__(self, communicator: ApplicationCommunicator | AskingCommunicator) -> None:
        self.line = communicator
        self.said: list[dict[str, Any]] = []

    async def hear(self, patience: float = PATIENCE) -> dict[str, Any]:
        """The next event: ``websocket.send`` or ``websocket.close``."""
        event: dict[str, Any] = await self.line.receive_output(patience)
        self.said.append(event)
        return event

    async def text(self) -> str:
        event = await self.hear()
        assert event["type"] == "websocket.send"
        return str(event["text"])

    async def frame(self) -> dict[str, Any]:
        """The next frame, as JSON."""
        answer: dict[str, Any] = json.loads(await self.text())
        return answer

    async def observation(self, **facts: Any) -> dict[str, Any]:
        """The next observation; with ``facts``, the first that has them."""
        until = monotonic() + PATIENCE
        while True:
            frame = await self.frame()
            assert frame["type"] == "observation"
            if all(frame[name] == value for name, value in facts.items()):
                return frame
            assert monotonic() < until

    async def error(self) -> dict[str, Any]:
        """The next error; observations before it are passed over."""
        while (frame := await self.frame())["type"] == "observation":
            pass
        assert frame["type"] == "error"
        return frame

    async def is_not_found(self) -> None:
        """It must be told so, closed with 4404, and told nothing more."""
        frame = await self.frame()
        assert (frame["type"], frame["code"]) == ("error", "not_found")
        assert await self.hear() == {"type": "websocket.close", "code": 4404}
        assert len(self.said) == 2
        assert await self.line.receive_nothing(0.02)

    async def say(self, **message: Any) -> None:
        await self.send(json.dumps(message))

    async def send(self, text: str | bytes) -> None:
        kind = "text" if isinstance(text, str) else "bytes"
        await self.line.send_input({"type": "websocket.receive", kind: text})

    async def move(self, turn: str, text: str) -> None:
        await self.say(type="move", turn=turn, move=text)

    async def everything(self, quiet: float = 0.1) -> list[dict[str, Any]]:
        """All events until nothing comes any more, or the line is closed."""
        events: list[dict[str, Any]] = []
        while not events or events[-1]["type"] != "websocket.close":
            try:
                async with asyncio.timeout(quiet):
                    # Not receive_output: its timeout would end the application.
                    events.append(await self.line.output_queue.get())
            except TimeoutError:
                break
        self.said += events
        return events

    async def leave(self) -> None:
        """Hang up; an error inside the server is raised here."""
        OPEN.remove(self)
        await self.line.send_input({"type": "websocket.disconnect", "code": 1000})
        await self.line.wait(PATIENCE)


async def connect(
    table_id: str,
    *,
    key: str | None = None,
    token: str | None = None,
    origin: str | None = "http://testserver",
    host: str = "testserver",
    place: str | None = None,
    view: str | None = None,
    html: bool = False,
    path: str | None = None,
    headers: tuple[tuple[bytes, bytes], ...] = (),
    query: str = "",
) -> Socket:
    """A socket that has been accepted, with a guest's cookie or a program's token (which
    comes without Origin unless one is given in ``headers``)."""
    asked = [query] if query else []
    if not html:
        asked.append("format=json")
    if place:
        asked.append(f"as={place}")
    if view:
        asked.append(f"view={view}")
    sent = [(b"host", host.encode()), *headers]
    if key is not None:
        sent.append((b"cookie", f"guest={key}".encode()))
    if token is not None:
        sent.append((b"authorization", f"Bearer {token}".encode()))
    elif origin is not None:
        sent.append((b"origin", origin.encode("latin-1")))
    scope = {
        "type": "websocket",
        "path": path if path is not None else f"/ws/tables/{table_id}/",
        "query_string": "&".join(asked).encode(),
        "headers": sent,
        "subprotocols": [],
    }
    communicator: Any = (
        AskingCommunicator(scope)
        if AskingCommunicator.is_used
        else ApplicationCommunicator(APPLICATION, scope)
    )
    await communicator.send_input({"type": "websocket.connect"})
    assert await communicator.receive_output(PATIENCE) == {"type": "websocket.accept"}
    OPEN.append(socket := Socket(communicator))
    return socket


OPEN: list[Any] = []
"""The sockets, and pages that ask, that have not hung up."""


def hung_up(test: Callable[..., Any]) -> Callable[..., Any]:
    """The test, at the end of which all hang up."""

    @wraps(test)
    async def whole(**fixtures: Any) -> None:
        OPEN.clear()
        try:
            await test(**fixtures)
        finally:
            for socket in [*OPEN]:
                await socket.leave()

    return whole

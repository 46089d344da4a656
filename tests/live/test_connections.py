"""What a connection may do: be kept alive, become a WebSocket, and not much else for ever."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import os
import re
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from tests.live.backing import Nginx, find_program
from tests.server import Server
from xactika_site.limits import MAX_BODY, HttpConnection
from xactika_site.locations import static_folder

KEPT_ALIVE = 1


class Line:
    """A bare connection, on which a test says what no client library would."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        self.read = b""

    def __enter__(self) -> Line:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.socket.close()

    def say(self, *lines: str, body: bytes = b"") -> None:
        text = "\r\n".join((*lines, f"Host: 127.0.0.1:{self.socket.getpeername()[1]}", "", ""))
        self.socket.sendall(text.encode() + body)

    def hear(self, until: bytes = b"\r\n\r\n") -> bytes:
        while until not in self.read:
            part = self.socket.recv(65536)
            assert part, f"closed after {self.read[:200]!r}"
            self.read += part
        heard, _, self.read = self.read.partition(until)
        return heard

    def answer(self) -> tuple[int, bytes]:
        """The status and body of an answer that tells its length."""
        head = self.hear()
        length = int(re.search(rb"content-length: (\d+)", head.lower())[1])  # type: ignore[index]
        while len(self.read) < length:
            part = self.socket.recv(65536)
            assert part
            self.read += part
        body, self.read = self.read[:length], self.read[length:]
        return int(head.split()[1]), body

    def is_closed_within(self, seconds: float) -> bool:
        """Whether the other side ends it, and says nothing that was not read yet."""
        self.socket.settimeout(seconds)
        try:
            while self.socket.recv(65536):
                pass
        except TimeoutError:
            return False
        except ConnectionError:
            pass
        return True


def a_static_file() -> str:
    manifest = json.loads((static_folder() / "staticfiles.json").read_text(encoding="utf-8"))
    return f"/static/{manifest['paths']['games/table.js']}"


def upgrade(line: Line, path: str, token: str) -> None:
    """Ask for a WebSocket, and hear that it is there."""
    line.say(
        f"GET {path} HTTP/1.1",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
        f"Authorization: Bearer {token}",
    )
    assert line.hear().startswith(b"HTTP/1.1 101 ")


async def streams_then_talks(scope: Any, receive: Any, send: Any) -> None:
    """A small application: an answer whose end is told a moment after its last byte, as that of
    streamed ones is, and WebSockets that stay."""
    if scope["type"] == "http":
        headers = [(b"content-length", b"5")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"cards", "more_body": True})
        await asyncio.sleep(0.3)
        await send({"type": "http.response.body", "body": b""})
        return
    await send({"type": "websocket.accept"})
    await asyncio.sleep(KEPT_ALIVE + 1)
    await send({"type": "websocket.send", "text": "still here"})


async def test_a_websocket_outlives_the_answer_before_it() -> None:
    """The upgrade is asked for as soon as the answer's last byte is here, as browsers and
    proxies that keep connections alive do it."""
    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(
        streams_then_talks,
        http=HttpConnection,
        lifespan="off",
        log_config=None,
        timeout_keep_alive=KEPT_ALIVE,
    )
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve(sockets=[listening]))

    def talk() -> bytes:
        with Line(listening.getsockname()[1]) as line:
            line.say("GET / HTTP/1.1")
            assert line.answer() == (200, b"cards")
            upgrade(line, "/", "")
            return line.hear(b"still here")

    try:
        await asyncio.to_thread(talk)
    finally:
        server.should_exit = True
        await serving


@pytest.fixture
def nginx(server: Server, tmp_path: Path) -> Iterator[int]:
    """nginx as docs/operations.md sets it up, without encryption; its port."""
    if find_program("nginx") is None:
        pytest.skip("nginx is not installed")
    with Nginx(tmp_path, server.port, encrypted=False) as running:
        yield running.port


def test_websockets_stay_open_behind_nginx_with_keepalive(server: Server, nginx: int) -> None:
    """nginx lends a connection that has just served a file to the next WebSocket."""
    table = server.open_table(seats=2, people=2)
    with contextlib.ExitStack() as stack:
        lines = [stack.enter_context(Line(nginx)) for _ in range(10)]
        for line in lines:
            line.say(f"GET {a_static_file()} HTTP/1.1")
            assert line.answer()[0] == 200
            upgrade(
                line, f"/ws/tables/{table['table']}/?format=json", table["seats"][0]["token"]
            )
        time.sleep(5.5)  # uvicorn's keep-alive time, and a little more
        assert not any(line.is_closed_within(0.05) for line in lines)


def test_a_request_that_does_not_end_is_ended(tmp_path: Path) -> None:
    """Nothing, half of a head, a blank line after an answer, half of a body: none holds a
    descriptor."""
    soon = "import xactika_site.limits as l; l.HEAD_WITHIN, l.BODY_WITHIN = 6, 3"
    with (
        Server(tmp_path, start_with=soon) as server,
        Line(server.port) as silent,
        Line(server.port) as half,
        Line(server.port) as blank,
        Line(server.port) as body,
    ):
        body.say("POST /play/ HTTP/1.1", "Content-Length: 10", body=b"kind=")
        half.socket.sendall(b"GET / HTTP/1.1\r\nHost: ")
        blank.say("GET /healthz HTTP/1.1")
        assert blank.answer()[0] == 200
        blank.socket.sendall(b"\r\n")
        assert body.is_closed_within(30)
        half.socket.sendall(b"1")  # a drop now and then does not make it longer
        assert half.is_closed_within(30)
        assert silent.is_closed_within(30)
        assert blank.is_closed_within(30)


def test_a_body_larger_than_anything_we_ask_for_is_refused(server: Server) -> None:
    # A huge one at once, before it is sent.
    with Line(server.port) as line:
        line.say("POST /play/ HTTP/1.1", f"Content-Length: {400 * MAX_BODY}")
        status, page = line.answer()
        assert status == 413
        assert "That’s too large".encode() in page
        assert b"Go back" in page
        assert line.is_closed_within(30)
    # One that is a little too large when it has come, so that a browser shows the page.
    with Line(server.port) as line:
        line.say("POST /play/ HTTP/1.1", f"Content-Length: {3 * MAX_BODY}")
        line.socket.sendall(b"x" * 3 * MAX_BODY)
        assert line.answer()[0] == 413
    # One of unknown length as soon as it is too long.
    with Line(server.port) as line:
        line.say("POST /play/ HTTP/1.1", "Transfer-Encoding: chunked")
        with contextlib.suppress(ConnectionError):
            for _ in range(40):
                line.socket.sendall(b"%x\r\n%s\r\n" % (MAX_BODY // 10, b"x" * (MAX_BODY // 10)))
        assert line.answer()[0] == 413
    # One that fits is read: its form is stale, and no more.
    with Line(server.port) as line:
        line.say("POST /play/ HTTP/1.1", "Content-Length: 100000")
        line.socket.sendall(b"x" * 100_000)
        assert line.answer()[0] == 403
    assert "Traceback" not in server.log.read_text(encoding="utf-8")


def test_who_waits_without_asking_makes_room(tmp_path: Path) -> None:
    """A server that may open few files: a flood of silent connections shuts nobody out."""
    few = "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (400, 400))"
    with Server(tmp_path, start_with=few) as server, contextlib.ExitStack() as stack:
        table = server.open_table(seats=2, people=2)
        seated = stack.enter_context(Line(server.port))
        upgrade(seated, f"/ws/tables/{table['table']}/?format=json", table["seats"][0]["token"])
        silent = [stack.enter_context(Line(server.port)) for _ in range(500)]
        for _ in range(3):
            with Line(server.port) as line:
                line.say("GET /healthz HTTP/1.1")
                assert line.answer()[0] == 200
        assert silent[0].is_closed_within(30)
        assert not silent[-1].is_closed_within(0.1)
        assert not seated.is_closed_within(0.1)
        assert "Too many open files" not in server.log.read_text(encoding="utf-8")

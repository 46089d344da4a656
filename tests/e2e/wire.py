"""A stretch of network between a browser and the server that a test can cut, mend and hold.

Chromium's own "offline" leaves open sockets alone; a cable that is pulled does not.
"""

from __future__ import annotations

import contextlib
import re
import socket
import struct
import threading
from base64 import b64encode
from hashlib import sha1

MAGIC = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
"""What every server mixes into its answer to a WebSocket's key (RFC 6455)."""

RESET_ON_CLOSE = struct.pack("ii", 1, 0)


class Wire:
    """Forwards a port of its own to the server's; give ``base`` to a browser context."""

    def __init__(self, port: int) -> None:
        self._target = ("127.0.0.1", port)
        self._flowing = threading.Event()
        self._flowing.set()
        self._whole = True
        self._ends: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.base = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Break every connection; new ones fail until the wire is mended."""
        with self._lock:
            self._whole = False
            for end in self._ends:
                _break(end)
            self._ends.clear()

    def mend(self) -> None:
        with self._lock:
            self._whole = True

    def hold(self) -> None:
        """Keep back what the server says; what the browser says still arrives."""
        self._flowing.clear()

    def release(self) -> None:
        self._flowing.set()

    def close(self) -> None:
        self._listener.close()
        self.release()
        self.cut()

    def _accept(self) -> None:
        while True:
            try:
                browser, _ = self._listener.accept()
            except OSError:
                return
            self._join(browser)

    def _join(self, browser: socket.socket) -> None:
        with self._lock:
            if not self._whole:
                _break(browser)
                return
            try:
                server = socket.create_connection(self._target)
            except OSError:
                _break(browser)
                return
            self._ends |= {browser, server}
        for source, sink, gate in ((browser, server, None), (server, browser, self._flowing)):
            threading.Thread(target=self._pump, args=(source, sink, gate), daemon=True).start()

    def _pump(
        self, source: socket.socket, sink: socket.socket, gate: threading.Event | None
    ) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                if gate is not None:
                    gate.wait()
                sink.sendall(data)
        with self._lock:
            for end in (source, sink):
                if end in self._ends:
                    self._ends.discard(end)
                    _break(end)


class Filter(Wire):
    """A school's filter that knows no WebSockets. Set what it ``does``: it "refuses" to open
    one, with the status ``refusal``; it stays "silent"; it opens it itself and stays "mute"; or
    it is "open"."""

    def __init__(self, port: int, does: str = "refuses", refusal: int = 403) -> None:
        self.does, self.refusal = does, refusal
        super().__init__(port)

    def _join(self, browser: socket.socket) -> None:
        threading.Thread(target=self._look, args=(browser,), daemon=True).start()

    def _look(self, browser: socket.socket) -> None:
        with contextlib.suppress(OSError):
            head = b""
            while b"\r\n\r\n" not in head and (data := browser.recv(65536, socket.MSG_PEEK)):
                head = data
            if self.does == "open" or b"upgrade: websocket" not in head.lower():
                super()._join(browser)
                return
            with self._lock:
                self._ends.add(browser)
            if self.does == "refuses":
                browser.recv(65536)
                answer = f"HTTP/1.1 {self.refusal} No\r\nContent-Length: 0\r\n"
                browser.sendall(f"{answer}Connection: close\r\n\r\n".encode())
                browser.close()
            elif self.does == "mute":
                key = re.search(rb"sec-websocket-key: *(\S+)", head, re.IGNORECASE)
                assert key
                accept = b64encode(sha1(key[1] + MAGIC, usedforsecurity=False).digest())
                browser.sendall(
                    b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                    b"Connection: Upgrade\r\nSec-WebSocket-Accept: " + accept + b"\r\n\r\n"
                )


def _break(end: socket.socket) -> None:
    with contextlib.suppress(OSError):
        end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET_ON_CLOSE)
        end.shutdown(socket.SHUT_RDWR)
    end.close()

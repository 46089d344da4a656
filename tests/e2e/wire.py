"""A stretch of network between a browser and the server that a test can cut, mend and hold.

Chromium's own "offline" leaves open sockets alone; a cable that is pulled does not.
"""

from __future__ import annotations

import contextlib
import socket
import struct
import threading

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


def _break(end: socket.socket) -> None:
    with contextlib.suppress(OSError):
        end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET_ON_CLOSE)
        end.shutdown(socket.SHUT_RDWR)
    end.close()

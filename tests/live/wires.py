"""A small proxy: what goes between two programs can be held up, lost or cut."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import Callable
from random import Random
from typing import cast

RESET = struct.pack("ii", 1, 0)
"""No goodbye: whoever is at the other end is told that there is nobody."""


class Wire:
    """A loopback port of our own in front of another one.

    ``hold`` keeps everything back, ``lose`` swallows it, as a half-open connection does,
    ``cut`` resets what is connected, ``shut`` refuses whoever comes; ``mend`` ends all of
    these: what was held goes on, what was lost is reset.
    """

    def __init__(self, target: int) -> None:
        self.target = target
        self.port = 0
        self.lines: set[_Line] = set()
        self.forgotten: list[_Line] = []
        self.holds_new = self.loses_new = self.is_shut = False
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> Wire:
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(
            lambda: _Line(self).near, "127.0.0.1", 0, backlog=2048
        )
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_exc: object) -> None:
        assert self._server is not None
        self._server.close()
        self.cut([*self.lines, *self.forgotten])
        await asyncio.sleep(0)

    def some(self, rng: Random, share: float) -> list[_Line]:
        """A share of the lines that there are."""
        return rng.sample([*self.lines], round(share * len(self.lines)))

    def hold(self) -> None:
        self.holds_new = True
        for line in self.lines:
            line.is_held = True

    def lose(self, lines: list[_Line] | None = None) -> None:
        """These lines, or all that there are and will be."""
        self.loses_new = lines is None
        for line in self.lines if lines is None else lines:
            line.is_lost = True

    def forget(self) -> None:
        """The lines that there are end, and neither side is told; new ones are as always."""
        self.lose([*self.lines])
        self.forgotten += self.lines
        self.lines.clear()

    def cut(self, lines: list[_Line] | None = None) -> None:
        for line in tuple(self.lines) if lines is None else lines:
            line.end()

    def shut(self) -> None:
        self.is_shut = True
        self.cut()

    def mend(self) -> None:
        self.holds_new = self.loses_new = self.is_shut = False
        for line in tuple(self.lines):
            if line.is_lost:
                line.end()
            elif line.is_held:
                line.is_held = False
                line.flush()


class _End(asyncio.Protocol):
    """One of a line's two sockets."""

    def __init__(self, line: _Line) -> None:
        self.line = line
        self.transport: asyncio.Transport | None = None
        self.other: _End = self
        self.waiting: list[Callable[[asyncio.Transport], None]] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.line.made(self)

    def data_received(self, data: bytes) -> None:
        if not self.line.is_lost:
            self.other.do(lambda transport: transport.write(data))

    def eof_received(self) -> bool:
        if not self.line.is_lost:
            self.other.do(lambda transport: transport.write_eof())
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.line.is_lost:  # nobody is told that a half-open line has ended
            self.other.do(lambda transport: transport.abort() if exc else transport.close())
        self.line.lost()

    def do(self, what: Callable[[asyncio.Transport], None]) -> None:
        """Now, or once the line is there and not held."""
        self.waiting.append(what)
        self.line.flush()


class _Line:
    """A connection through a wire."""

    def __init__(self, wire: Wire) -> None:
        self.wire = wire
        self.near, self.far = _End(self), _End(self)
        self.near.other, self.far.other = self.far, self.near
        self.is_held, self.is_lost = wire.holds_new, wire.loses_new
        self.is_over = False
        self._task: asyncio.Task[None] | None = None

    def made(self, end: _End) -> None:
        if end is self.far:
            self.flush()
        elif self.wire.is_shut:
            self.end()
        else:
            self.wire.lines.add(self)
            self._task = asyncio.create_task(self._reach())

    async def _reach(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            await loop.create_connection(lambda: self.far, "127.0.0.1", self.wire.target)
        except OSError:
            self.end()
        if self.is_over:
            self.end()

    def flush(self) -> None:
        if self.is_held:
            return
        for end in (self.near, self.far):
            while end.transport is not None and end.waiting:
                what = end.waiting.pop(0)
                if not end.transport.is_closing():
                    what(end.transport)

    def lost(self) -> None:
        ends = (self.near, self.far)
        if all(end.transport is None or end.transport.is_closing() for end in ends):
            self.wire.lines.discard(self)

    def end(self) -> None:
        """Reset both sides."""
        self.is_over = True
        self.wire.lines.discard(self)
        for end in (self.near, self.far):
            if end.transport is not None and not end.transport.is_closing():
                line = end.transport.get_extra_info("socket")
                line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
                end.transport.abort()

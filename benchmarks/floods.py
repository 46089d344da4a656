"""Floods, each from one browser, for room.py: as a process of its own, so that what they cost
the one who sends them is not taken for the server's.

    python -m benchmarks.floods KIND PORT SECONDS FACTS

FACTS is JSON: what a flood needs to know (cookies, addresses). Prints how many it has sent, and
what came back, by status. Only to this machine; each ends by itself.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator
from contextlib import suppress
from itertools import count
from typing import Any
from urllib.parse import urlencode

Answers = Counter[str]


def request(
    port: int, path: str, cookies: dict[str, str], form: bytes | None = None, **more: str
) -> bytes:
    """A request's bytes, of a connection that is kept."""
    lines = [f"{'GET' if form is None else 'POST'} {path} HTTP/1.1", f"Host: 127.0.0.1:{port}"]
    if cookies:
        lines.append("Cookie: " + "; ".join(map("=".join, cookies.items())))
    if form is not None:
        lines.append(f"Content-Length: {len(form)}")
        lines.append(f"Origin: http://127.0.0.1:{port}")
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in more.items()]
    return "\r\n".join([*lines, "", ""]).encode() + (form or b"")


async def answer(reader: asyncio.StreamReader) -> int:
    """The status of the next response, which is read to its end."""
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    if b"content-length:" in head:
        length = int(head.partition(b"content-length:")[2].partition(b"\r\n")[0])
        await reader.readexactly(length)
    elif b"chunked" in head:
        while int(size := await reader.readline(), 16):
            await reader.readexactly(int(size, 16) + 2)
        await reader.readline()
    return int(head.split(b" ", 2)[1])


async def keep_asking(
    port: int, requests: Iterator[bytes], until: float, answers: Answers
) -> None:
    """One connection that asks again as soon as it is answered."""
    while time.monotonic() < until:
        with suppress(OSError, asyncio.IncompleteReadError, ValueError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            try:
                while time.monotonic() < until:
                    writer.write(next(requests))
                    answers[str(await asyncio.wait_for(answer(reader), 60))] += 1
            finally:
                writer.close()


async def hit_and_run(port: int, until: float, facts: dict[str, Any], answers: Answers) -> None:
    """60 requests in an instant, each for a rule of its own, and hung up at once; every second
    again."""
    numbers = count(int(time.time()) % 7)
    while time.monotonic() < until:
        writers = []
        for _ in range(60):
            _reader, writer = await asyncio.open_connection("127.0.0.1", port)
            n = next(numbers)
            rule = {"over": f"{n % 41 * 0.05:.2f}", "rest": f"{n // 41 % 21 * 0.05:.2f}"}
            writer.write(request(port, f"/lessons/workshop/?{urlencode(rule)}", {}))
            writers.append(writer)
            answers["sent"] += 1
        await asyncio.gather(*(writer.drain() for writer in writers))
        for writer in writers:
            writer.transport.abort()
        await asyncio.sleep(facts.get("every", 1.0))


def pages(address: Callable[[int], str], connections: int) -> Any:
    """A flood of so many connections that ask for these pages as quickly as they can."""

    async def flood(port: int, until: float, facts: dict[str, Any], answers: Answers) -> None:
        cookies = facts.get("cookies", {})
        path = facts.get("path", "")
        asked = (request(port, path + address(n), cookies) for n in count())
        await asyncio.gather(
            *(keep_asking(port, asked, until, answers) for _ in range(connections))
        )

    return flood


async def handshakes(port: int, until: float, facts: dict[str, Any], answers: Answers) -> None:
    """530 handshakes a second with one guest's cookie; each is hung up when it is answered."""
    head: dict[str, Any] = {
        "Upgrade": "websocket", "Connection": "Upgrade", "Sec_WebSocket_Version": "13",
        "Sec_WebSocket_Key": "dGhlIHNhbXBsZSBub25jZQ==", "Origin": f"http://127.0.0.1:{port}",
    }  # fmt: skip
    data = request(port, facts["path"], facts["cookies"], **head)

    async def shake() -> None:
        with suppress(OSError, asyncio.IncompleteReadError, TimeoutError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(data)
            try:
                line = await asyncio.wait_for(reader.readline(), 20)
                answers[line.split(b" ", 2)[1].decode() if b" " in line else "none"] += 1
            finally:
                writer.transport.abort()

    began = time.monotonic()
    tasks: set[asyncio.Task[None]] = set()
    for n in count():
        if time.monotonic() >= until:
            break
        await asyncio.sleep(max(0.0, began + n / 530 - time.monotonic()))
        if len(tasks) < 600:
            task = asyncio.create_task(shake())
            tasks.add(task)
            task.add_done_callback(tasks.discard)
    for task in tasks:
        task.cancel()


async def asks(port: int, until: float, facts: dict[str, Any], answers: Answers) -> None:
    """4,400 questions of nine bytes, each by an address of its own, over 16 connections."""
    numbers = iter(range(4_400))

    def lines() -> Iterator[bytes]:
        for n in numbers:
            path = f"{facts['path']}?line={n}"
            yield request(port, path, facts["cookies"], b'{"got":0}')

    asked = lines()

    async def one() -> None:
        with suppress(StopIteration, RuntimeError):
            await keep_asking(port, asked, until, answers)

    await asyncio.gather(*(one() for _ in range(16)))


async def opening(port: int, until: float, facts: dict[str, Any], answers: Answers) -> None:
    """16 connections that open tables (study tables, or friends') as quickly as they can."""
    form = urlencode({**facts["form"], "csrfmiddlewaretoken": facts["token"]}).encode()
    cookies = {**facts["cookies"], "csrftoken": facts["token"]}
    kind = {"Content_Type": "application/x-www-form-urlencoded"}
    data = request(port, facts["path"], cookies, form, **kind)
    await asyncio.gather(
        *(keep_asking(port, (data for _ in count()), until, answers) for _ in range(16))
    )


def workshop_page(n: int) -> str:
    """A rule of its own each time."""
    return f"?over={n % 41 * 0.05:.2f}&rest={n // 41 % 21 * 0.05:.2f}"


Flood = Callable[[int, float, dict[str, Any], Answers], Coroutine[Any, Any, None]]
FLOODS: dict[str, Flood] = {
    "hit-and-run": hit_and_run,
    "pages": pages(lambda _n: "", 32),
    "workshop": pages(workshop_page, 32),
    "deals": pages(lambda n: f"?of=dealt&hands=1000000&show=mean&seed={n}", 32),
    "samples": pages(lambda n: f"?of=samples&hands=10000&size=100&show=mean&seed={n}", 32),
    "handshakes": handshakes,
    "asks": asks,
    "opening": opening,
}


async def main(kind: str, port: int, seconds: float, facts: dict[str, Any]) -> Answers:
    """What came back."""
    answers: Answers = Counter()
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds + 5):
            await FLOODS[kind](port, time.monotonic() + seconds, facts, answers)
    return answers


if __name__ == "__main__":
    kind, port, seconds, facts = sys.argv[1:]
    came = asyncio.run(main(kind, int(port), float(seconds), json.loads(facts)))
    print(json.dumps(came))

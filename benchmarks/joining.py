"""What it costs a class to come in: from the code's page to the lobby with all that it loads.

From the repository's root; the first in half a minute, the second in two and a half::

    python -m benchmarks.joining
    python -m benchmarks.joining --rush

Each student is a new device with nothing in its cache: it opens the page for the code, types
it, takes the name that it is offered, and loads the lobby, each page with its style sheets,
scripts and fragments over up to six connections, as a browser does, and at last the lobby's
socket with its first picture. A file is fetched once a device. The lobby stays open, as it
does in class.

Without ``--rush`` three classes of 40 come in, one student at a time, all cockpits and
projectors open: the processor time (user and system) of the server for each student. First
``together``, each as soon as the lobby of the one before has loaded: cockpit, projector and
lobbies then show several at once. Then three classes ``apart``, each student after the lobby's
socket has shown the one before: everybody's page is drawn anew for each of them.
With it 500 come in 60 seconds, evenly, into thirteen classes, then into one: how long each
waited in all, from the first request until the lobby and all that it loads are there and its
socket is open (and until that has brought its first picture). Prints JSON lines.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import brotli
import psutil
import uvloop

from benchmarks.classroom import VIEWS, Onlookers, teacher_and_cookie
from benchmarks.moves import browser_socket, prepare, serving

CONNECTIONS = 6
"""So many at once does a browser open to one server."""

_STATIC = re.compile(r'["\s](/static/[^"#?\s]+)')
_FETCHED = re.compile(r'hx-get="([^"]+)"\s+hx-trigger="load')
_SOCKET = re.compile(r'ws-connect="([^"]+)"')
_FIELD = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)"')

Classes = list[tuple[int, str, str]]
"""Sessions, with the class's code and the teacher's cookie."""


class Answer:
    """A response: its status, headers (lower case) and body, as sent."""

    def __init__(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
        self.status, self.body = status, body
        self.headers = dict(headers)
        self.cookies = [value for name, value in headers if name == "set-cookie"]

    @property
    def text(self) -> str:
        encoding = self.headers.get("content-encoding", "")
        body = brotli.decompress(self.body) if encoding == "br" else self.body
        return str(body.decode())


class Device:
    """A browser that was never here. ``requests`` counts what it asked for, ``slowest`` is the
    longest time that it waited for one answer."""

    found_in: dict[str, list[str]] = {}
    """What a file names in turn, read once for all devices."""
    address = "127.0.0.1"
    """Where it is, of this machine's own addresses."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.cookies: dict[str, str] = {}
        self.cached: set[str] = set()
        self.requests: Counter[str] = Counter()
        self.slowest = 0.0
        self.bytes = 0
        self.loaded = 0.0
        self.has_picture = asyncio.Event()
        self._idle: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []
        self._places = asyncio.Semaphore(CONNECTIONS)
        self._socket: Any = None
        self._listener: asyncio.Task[None] | None = None

    async def come_in(self, code: str, *, wait: bool = True) -> None:
        """From the page for the code to the lobby and all that it loads; with ``wait`` until
        its socket has brought its first picture, too."""
        await self.open("/join/")
        _path, page = await self.open(f"/join/?code={code}")
        path = f"/join/{code}/"
        for _ in range(10):
            form = {**dict(_FIELD.findall(page)), "do": "new"}
            path, page = await self.open(path, form)
            if "ws-connect" in page:
                break
        await self.live(page, wait=wait)

    async def live(self, page: str, *, wait: bool = True) -> None:
        """What a page of a class or a table loads by itself: its fragments, and its socket."""
        address = _SOCKET.search(page)
        assert address is not None, page
        await asyncio.gather(
            self._connect(address[1], wait=wait),
            *(self.ask("fragment", path) for path in _FETCHED.findall(page)),
        )
        for _reader, writer in self._idle:
            writer.close()

    async def open(self, path: str, form: dict[str, str] | None = None) -> tuple[str, str]:
        """Where a page was found in the end, and its text, once all that it loads is here."""
        answer = await self.ask("page", path, form)
        while answer.status in (301, 302):
            path = answer.headers["location"]
            answer = await self.ask("page", path)
        if answer.status not in (200, 422):
            raise RuntimeError(f"{path}: {answer.status}")
        page = answer.text
        await asyncio.gather(*map(self._load, dict.fromkeys(_STATIC.findall(page))))
        return path, page

    async def _load(self, path: str) -> None:
        if path in self.cached:
            return
        self.cached.add(path)
        answer = await self.ask("static", path)
        if answer.status != 200 or "immutable" not in answer.headers["cache-control"]:
            raise RuntimeError(f"{path}: {answer.status} {answer.headers}")
        if path not in self.found_in:
            text = answer.text if path.endswith((".js", ".css")) else ""
            folder = path.rsplit("/", 1)[0]
            names = re.findall(r'(?:import|from) ?"\./([^"]+)"|url\("?\./([^")]+)', text)
            self.found_in[path] = [f"{folder}/{a or b}" for a, b in names]
        await asyncio.gather(*map(self._load, self.found_in[path]))

    async def ask(
        self, kind: str, path: str, form: dict[str, str] | bytes | None = None, *more: str
    ) -> Answer:
        """One request, with more headers, on a connection of its own until the answer is
        here. What is sent are a form's fields, or anything else as it is."""
        lines = [
            f"{'GET' if form is None else 'POST'} {path} HTTP/1.1",
            f"Host: 127.0.0.1:{self.port}",
            "User-Agent: Mozilla/5.0 (X11; CrOS x86_64) AppleWebKit/537.36 Chrome/109.0",
            "Accept: */*",
            "Accept-Language: en-US,en;q=0.9",
            "Accept-Encoding: gzip, deflate, br",
            f"Referer: http://127.0.0.1:{self.port}/join/",
            f"Origin: http://127.0.0.1:{self.port}",
        ]
        if self.cookies:
            lines.append("Cookie: " + "; ".join(map("=".join, self.cookies.items())))
        lines += more
        if kind == "fragment":
            lines += ["HX-Request: true"]
        body = form if isinstance(form, bytes) else urlencode(form or {}).encode()
        if isinstance(form, dict):
            lines += ["Content-Type: application/x-www-form-urlencoded"]
        if form is not None:
            lines += [f"Content-Length: {len(body)}"]
        data = "\r\n".join([*lines, "", ""]).encode() + body
        began = time.perf_counter()
        async with self._places:
            while True:
                is_used = bool(self._idle)
                if is_used:
                    reader, writer = self._idle.pop()
                else:
                    reader, writer = await asyncio.open_connection(
                        "127.0.0.1", self.port, local_addr=(self.address, 0)
                    )
                try:
                    writer.write(data)
                    answer = await _read(reader)
                    break
                except (asyncio.IncompleteReadError, ConnectionError):
                    if not is_used:
                        raise  # only one that was kept may have been closed meanwhile
            self._idle.append((reader, writer))
        self.slowest = max(self.slowest, time.perf_counter() - began)
        self.requests[kind] += 1
        self.bytes += len(answer.body)
        for cookie in answer.cookies:
            name, value = cookie.partition(";")[0].split("=", 1)
            self.cookies[name] = value
        return answer

    async def _connect(self, path: str, *, wait: bool) -> None:
        began = time.perf_counter()
        cookie = "; ".join(map("=".join, self.cookies.items()))
        self._socket = await browser_socket(self.port, path, cookie, open_timeout=60)
        self.slowest = max(self.slowest, time.perf_counter() - began)
        self.loaded = time.perf_counter()
        self.requests["socket"] += 1
        self._listener = asyncio.create_task(self._listen())
        if wait:
            await self.has_picture.wait()

    async def _listen(self) -> None:
        async for frame in self._socket:
            self.bytes += len(frame)
            self.has_picture.set()

    async def close(self) -> None:
        for _reader, writer in self._idle:
            writer.close()
        if self._listener is not None:
            self._listener.cancel()
            await self._socket.close()


async def _read(reader: asyncio.StreamReader) -> Answer:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    status = int(head[0].split(" ", 2)[1])
    headers = [
        (name.lower(), value.strip())
        for name, _, value in (line.partition(":") for line in head[1:] if line)
    ]
    answer = Answer(status, headers, b"")
    if "content-length" in answer.headers:
        answer.body = await reader.readexactly(int(answer.headers["content-length"]))
    elif answer.headers.get("transfer-encoding") == "chunked":
        while size := int((await reader.readline()).strip(), 16):
            answer.body += await reader.readexactly(size)
            await reader.readexactly(2)
        await reader.readexactly(2)
    return answer


def open_classes(count: int, expected: int) -> Classes:
    """So many classes in the new database, each with its lobby open for so many students."""
    from django.db import connection

    from games.classes import sessions
    from games.models import SessionSettings
    from xactika_site.classrooms import services as classrooms

    found = []
    for number in range(count):
        teacher, cookie = teacher_and_cookie(f"{time.time_ns()} {number}")
        classroom = classrooms.open_classroom(name=f"{number}", teacher=teacher)
        session = sessions.open_session(
            classroom=classroom, settings=SessionSettings(seats=4), expected=expected
        )
        found.append((session.pk, classroom.code, cookie))
    connection.close()
    return found


async def watch(port: int, classes: Classes) -> list[Onlookers]:
    """The cockpit and the projector of every class, open."""
    found = [Onlookers(port, session, cookie) for session, _code, cookie in classes]
    for onlookers in found:
        await onlookers.open()
    return found


def spent(server: psutil.Process) -> float:
    """Processor time of the server so far, in milliseconds."""
    times = server.cpu_times()
    return float(times.user + times.system) * 1000


async def rest(server: psutil.Process) -> None:
    """Until the server has loaded what it loads beside its first requests."""
    before = -1000.0
    while spent(server) - before > 20:
        before = spent(server)
        await asyncio.sleep(1)


async def by_turns(server: psutil.Process, port: int, classes: Classes) -> dict[str, Any]:
    """One student after another; the first five of all only warm the server up."""
    onlookers = await watch(port, classes)
    devices: list[Device] = []
    for _ in range(5):
        devices.append(Device(port))
        await devices[-1].come_in(classes[0][1])
    await rest(server)
    half = len(classes) // 2
    costs: dict[str, list[float]] = {"together": [], "apart": []}
    waits = []
    for number, (_session, code, _cookie) in enumerate(classes):
        how = "together" if number < half else "apart"
        before = spent(server)
        for _ in range(STUDENTS):
            began = time.perf_counter()
            devices.append(Device(port))
            await devices[-1].come_in(code, wait=how == "apart")
            waits.append(devices[-1].loaded - began)
        for device in devices[-STUDENTS:]:
            await device.has_picture.wait()
        costs[how].append((spent(server) - before) / STUDENTS)
        print(json.dumps({how: costs[how][-1]}), file=sys.stderr)
    last = devices[-1]
    for each in onlookers:
        await each.close()
    await asyncio.gather(*(device.close() for device in devices))
    return {
        "students": len(waits),
        **{f"cpu_ms_{how}": round(sorted(c)[len(c) // 2], 1) for how, c in costs.items()},
        "requests": dict(last.requests),
        "kb_per_student": round(last.bytes / 1000),
        "p50_s": round(sorted(waits)[len(waits) // 2], 3),
    }


STUDENTS = 40
"""Of one class, where classes come in by turns."""


async def rush(
    server: psutil.Process, port: int, classes: Classes, students: int, seconds: float
) -> dict[str, Any]:
    """All within so many seconds, evenly, one class after the other in turn."""
    onlookers = await watch(port, classes)
    await rest(server)
    devices = [Device(port) for _ in range(students)]
    waits: list[float] = []
    pictures: list[float] = []
    start, before = time.perf_counter(), spent(server)
    own = time.process_time()

    async def come(number: int) -> None:
        due = start + number * seconds / students
        await asyncio.sleep(due - time.perf_counter())
        await devices[number].come_in(classes[number % len(classes)][1])
        waits.append(devices[number].loaded - due)
        pictures.append(time.perf_counter() - due)

    await asyncio.gather(*map(come, range(students)))
    took, cost = time.perf_counter() - start, spent(server) - before
    own = time.process_time() - own
    for each in onlookers:
        await each.close()
    waits.sort()
    pictures.sort()
    slowest = sorted(device.slowest for device in devices)
    result: dict[str, Any] = {
        "students": students,
        "classes": len(classes),
        "seconds": round(took, 1),
        "p50_s": round(waits[students // 2], 3),
        "p99_s": round(waits[students * 99 // 100], 3),
        "worst_s": round(waits[-1], 3),
        "picture_p99_s": round(pictures[students * 99 // 100], 3),
        "slowest_answer_p99_s": round(slowest[students * 99 // 100], 3),
        "cpu_ms_per_student": round(cost / students, 1),
        "driver_cpu_ms_per_student": round(own * 1000 / students, 1),
        "rss_mb": round(server.memory_info().rss / 2**20),
        "lobby_kb_per_student": round(
            sum(device.bytes for device in devices) / students / 1000
        ),
        "onlookers_kb": {
            view: round(sum(each.received[view] for each in onlookers) / 1000) for view in VIEWS
        },
    }
    await asyncio.gather(*(device.close() for device in devices))
    return result


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.joining")
    parser.add_argument("--rush", action="store_true", help="500 in 60 s, not one by one")
    parser.add_argument("--classes", type=int, nargs="+", default=[13, 1], help="of the rush")
    parser.add_argument("--students", type=int, default=500, help="of the rush")
    parser.add_argument("--seconds", type=float, default=60.0, help="of the rush")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="xactika-joining-") as name:
        folder = Path(name)
        prepare(folder)
        if not options.rush:
            classes = open_classes(6, STUDENTS + 5)
            with serving("xactika", folder) as (server, port):
                result = uvloop.run(asyncio.wait_for(by_turns(server, port, classes), 600))
            print(json.dumps({"load": "one by one", **result}))
            return
        for count in options.classes:
            classes = open_classes(count, -(-options.students // count))
            with serving("xactika", folder) as (server, port):
                job = rush(server, port, classes, options.students, options.seconds)
                result = uvloop.run(asyncio.wait_for(job, options.seconds * 10))
            print(json.dumps({"load": "rush", **result}), flush=True)


if __name__ == "__main__":
    main()

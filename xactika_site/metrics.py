"""What a school's monitoring may ask of this process: whether it lives, and figures in the text
format of Prometheus. Nothing in them is of a person: no names, addresses, tables or classes.
docs/decisions/0055-metrics.md.
"""

from __future__ import annotations

import ipaddress
import os
import re
import time
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from secrets import compare_digest
from threading import Lock

from django.conf import settings

from xactika_site import __version__
from xactika_site.http import Application, Receive, Scope, Send

LOCAL = "local"
"""XACTIKA_METRICS for whoever asks from this machine; any other value is a token."""

BOUNDS = (0.005, 0.025, 0.1, 0.5, 2.5, 10.0)
"""Seconds up to which waits are counted."""

Sample = tuple[str, float]
"""What stands behind a figure's name, like ``_count{code="paused"}``, and its value."""

_BEGAN = time.time()
_lock = Lock()


class Counter:
    """How often something happened since the start. Any thread may count."""

    kind = "counter"

    def __init__(
        self, name: str, meaning: str, label: str, values: tuple[str, ...] = ()
    ) -> None:
        self.name, self.meaning, self._label = name, meaning, label
        self._counts = dict.fromkeys(values, 0)
        _figures.append(self)

    def one(self, which: str) -> None:
        """Count one more."""
        with _lock:
            self._counts[which] = self._counts.get(which, 0) + 1

    def samples(self) -> Iterator[Sample]:
        """The counts, a sample for each thing that is told apart."""
        with _lock:
            counts = sorted(self._counts.items())
        for which, count in counts:
            yield _labelled(self._label, which), count


class Waits:
    """How long something took, in seconds: how often up to each bound, and all together."""

    kind = "histogram"

    def __init__(self, name: str, meaning: str) -> None:
        self.name, self.meaning = name, meaning
        self._counts, self._sum = [0] * (len(BOUNDS) + 1), 0.0
        _figures.append(self)

    def took(self, seconds: float) -> None:
        """Count one more, with how long it took."""
        with _lock:
            self._counts[bisect_left(BOUNDS, seconds)] += 1
            self._sum += seconds

    def samples(self) -> Iterator[Sample]:
        """The histogram: buckets, each with all that are smaller, then sum and count."""
        with _lock:
            counts, total = tuple(self._counts), self._sum
        so_far = 0
        for bound, count in zip((*map(str, BOUNDS), "+Inf"), counts, strict=True):
            so_far += count
            yield "_bucket" + _labelled("le", bound), so_far
        yield "_sum", total
        yield "_count", so_far


class Gauge:
    """How much of something there is now, as ``read`` says, by what is told apart."""

    kind = "gauge"

    def __init__(
        self, name: str, meaning: str, label: str, read: Callable[[], Mapping[str, float]]
    ) -> None:
        self.name, self.meaning, self._label, self._read = name, meaning, label, read
        _figures.append(self)

    def samples(self) -> Iterator[Sample]:
        """One for each thing that is told apart."""
        for which, value in sorted(self._read().items()):
            yield _labelled(self._label, which), value


class _Plain:
    """A figure of the process itself, under the name that every monitoring knows."""

    def __init__(self, name: str, kind: str, meaning: str, value: float) -> None:
        self.name, self.kind, self.meaning, self._value = name, kind, meaning, value

    def samples(self) -> Iterator[Sample]:
        yield "", self._value


_figures: list[Counter | Waits | Gauge] = []

MOVES = Counter(
    "xactika_moves_total",
    "Moves that this process has stored, by who made them.",
    "mover",
    ("person", "bot", "clock"),
)
REFUSALS = Counter(
    "xactika_refusals_total", "What sockets asked for and did not get, by the reason.", "code"
)
PAGES = Counter(
    "xactika_pages_total",
    "Pages answered, by the first digit of the status.",
    "status",
    ("2xx", "3xx", "4xx", "5xx"),
)
AWAY = Counter(
    "xactika_away_total",
    "How often something was found to be away, by what it was.",
    "what",
    ("damaged", "database", "disk", "readonly", "redis"),
)
QUEUE = Waits(
    "xactika_database_queue_seconds",
    "How long what tables and class sessions ask waited for a thread of the database.",
)
DATABASE = Waits(
    "xactika_database_seconds", "How long the database took for it then, with the work around."
)
REDIS = Waits("xactika_redis_seconds", "How long telling the other processes took.")


def _labelled(label: str, value: str) -> str:
    safe = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'{{{label}="{safe}"}}'


def _of_the_process() -> Iterator[_Plain]:
    """What this system tells: memory and files on Linux only."""
    yield _Plain("process_start_time_seconds", "gauge", "When it started, since 1970.", _BEGAN)
    yield _Plain(
        "process_cpu_seconds_total", "counter", "Processor time, all its threads.",
        time.process_time(),
    )  # fmt: skip
    with suppress(OSError, AttributeError):  # not everywhere
        pages = int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[1])
        size = pages * os.sysconf("SC_PAGE_SIZE")
        yield _Plain("process_resident_memory_bytes", "gauge", "Memory that it holds.", size)
        files = sum(1 for _file in Path("/proc/self/fd").iterdir())
        yield _Plain("process_open_fds", "gauge", "Files and connections open.", files)
    with suppress(ImportError):
        import resource

        most = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        yield _Plain("process_max_fds", "gauge", "How many it may open.", most)


def text() -> str:
    """All figures, in the text format 0.0.4."""
    lines = [
        "# HELP xactika_info What runs.",
        "# TYPE xactika_info gauge",
        "xactika_info" + _labelled("version", __version__) + " 1",
    ]
    for figure in (*_figures, *_of_the_process()):
        lines += [
            f"# HELP {figure.name} {figure.meaning}",
            f"# TYPE {figure.name} {figure.kind}",
            *(f"{figure.name}{rest} {value}" for rest, value in figure.samples()),
        ]
    return "\n".join(lines) + "\n"


class Monitored:
    """Answers ``/livez`` and, where it is asked for, ``/metrics``; everything else goes on.

    Here, and not among the pages: those wait for threads, which wait for the database.
    """

    def __init__(self, application: Application) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or hand it on."""
        if scope["method"] in ("GET", "HEAD"):
            if scope["path"] == "/livez":
                await _answer(scope, send, "application/json", '{"status": "alive"}')
                return
            if scope["path"] == "/metrics" and may_read(scope):
                await _answer(scope, send, "text/plain; version=0.0.4; charset=utf-8", text())
                return
        await self._application(scope, receive, send)


_OF_A_PROXY = re.compile(
    rb"x-(?!prometheus-).*|cf-.*|cdn-.*|fastly-.*|(?:true-)?client-ip|forwarded|via"
)
"""Headers that proxies add: nearly all have names of their own, with X- before them."""

_HERE = re.compile(rb"(?:127\.0\.0\.1|localhost|\[::1\])(?::[0-9]+)?", re.IGNORECASE)
"""The Host of a request that was meant for this machine."""


def may_read(scope: Scope) -> bool:
    """Whether XACTIKA_METRICS lets whoever asks read the figures. Nobody, where it is unset."""
    headers: list[tuple[bytes, bytes]] = scope["headers"]
    if settings.METRICS == LOCAL:
        # What a proxy on this machine hands on comes from elsewhere, whatever it says; and what
        # a page in this machine's browser asks bears the name by which that page came.
        hosts = [value for name, value in headers if name == b"host"]
        return (
            _is_this_machine(scope.get("client"))
            and len(hosts) == 1
            and _HERE.fullmatch(hosts[0]) is not None
            and not any(_OF_A_PROXY.fullmatch(name) for name, _value in headers)
        )
    wanted = f"Bearer {settings.METRICS}".encode()
    token = dict(headers).get(b"authorization", b"")
    return bool(settings.METRICS) and compare_digest(token, wanted)


def _is_this_machine(client: tuple[str, int] | None) -> bool:
    try:
        address = ipaddress.ip_address(client[0] if client else "")
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return bool((mapped or address).is_loopback)


async def _answer(scope: Scope, send: Send, kind: str, text: str) -> None:
    body = text.encode()
    headers = [
        (b"content-type", kind.encode()),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        (b"x-content-type-options", b"nosniff"),
    ]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    is_asked_for = scope["method"] == "GET"
    await send({"type": "http.response.body", "body": body if is_asked_for else b""})

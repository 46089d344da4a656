"""Servers started at the same time, and all that a page loads."""

from __future__ import annotations

import http.client
import re
import shutil
import subprocess
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import cycle
from pathlib import Path

from tests.server import TEST_KEY, WITHOUT_EXPERTS, free_port, migrated
from xactika_site.locations import sqlite_url

SERVE = "from xactika_site.command import main; sys.argv[1:] = ['serve']; main()"
PAGES = ("/", "/graphs/", "/learn/")
FORMS = ("br", "gzip", "identity")


class Start:
    """A server that begins to start, with a database and a port of its own."""

    def __init__(
        self, python: Path, checkout: Path, folder: Path, environment: dict[str, str], run: str
    ) -> None:
        self.port = free_port()
        self._log = folder / f"{self.port}.log"
        database = folder / f"{self.port}.sqlite3"
        shutil.copyfile(migrated(), database)
        own = {
            "DATABASE_URL": sqlite_url(database),
            "PORT": str(self.port),
            "XACTIKA_SECRET_KEY": TEST_KEY,
        }
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [python, "-c", f"{WITHOUT_EXPERTS}; {run.format(port=self.port)}"],
                cwd=checkout,
                env=environment | own,
                stdout=log,
                stderr=log,
            )

    def __enter__(self) -> Start:
        return self

    def __exit__(self, *_exc: object) -> None:
        self._process.terminate()
        self._process.wait(30)

    def must_come_up(self) -> None:
        """Wait for its first answer."""
        deadline = time.monotonic() + 120
        while True:
            assert self._process.poll() is None, self._log.read_text(encoding="utf-8")
            assert time.monotonic() < deadline, self._log.read_text(encoding="utf-8")
            with suppress(OSError), urllib.request.urlopen(f"{self.base}/healthz", timeout=5):
                return
            time.sleep(0.05)

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.port}"


def wrong_answer(port: int, path: str, form: str) -> str:
    """What is wrong with one answer; nothing where its body is as long as its header says."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        line.request("GET", path, headers={"Accept-Encoding": form})
        answer = line.getresponse()
        body, length = answer.read(), answer.headers["Content-Length"]
    except (OSError, http.client.HTTPException) as why:
        return f"{path} ({form}): {why!r}"
    finally:
        line.close()
    if answer.status == 200 and body and len(body) == int(length):
        return ""
    return f"{path} ({form}): {answer.status}, {len(body)} bytes of {length}"


@contextmanager
def loaded_over_and_over(server: Start) -> Iterator[list[str]]:
    """Meanwhile pages of a server are loaded with all that they name, in each form. What was
    wrong is there at the end."""
    wrong: list[str] = []
    paths: set[str] = set(PAGES)
    for page in PAGES:
        with urllib.request.urlopen(server.base + page, timeout=30) as answer:
            paths |= set(re.findall(r'"(/static/[^"]+)"', answer.read().decode()))
    assert len(paths) > 12
    ended = threading.Event()

    def load() -> None:
        for rounds, form in enumerate(cycle(FORMS)):
            if ended.is_set() and rounds > len(FORMS):
                return
            wrong.extend(filter(None, (wrong_answer(server.port, p, form) for p in paths)))

    loading = threading.Thread(target=load)
    loading.start()
    try:
        yield wrong
    finally:
        ended.set()
        loading.join()


def must_all_come_up(
    python: Path, checkout: Path, folder: Path, environment: dict[str, str], change: Path | None
) -> None:
    """Two servers started at once; then five, while pages of the first are loaded over and
    over. In between somebody works at the style sheets in ``change``."""

    def start() -> Start:
        return servers.enter_context(Start(python, checkout, folder, environment, SERVE))

    with ExitStack() as servers:
        two = [start(), start()]
        for server in two:
            server.must_come_up()
        with loaded_over_and_over(two[0]) as wrong:
            if change is not None:
                for file in change.rglob("*.css"):
                    file.write_text(
                        file.read_text(encoding="utf-8") + "changed { }\n", encoding="utf-8"
                    )
            for server in [start() for _ in range(5)]:
                server.must_come_up()
        assert not wrong

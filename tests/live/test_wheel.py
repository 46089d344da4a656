"""What a teacher installs: the wheel, in an environment of its own, away from the source.

``make wheel`` builds it. Needs the network, for what it depends on; skipped without, unless
XACTIKA_REQUIRE_SERVICES says that it must be there. ``make soak`` tries pip, too.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from html import unescape
from http.cookiejar import CookieJar
from pathlib import Path
from random import Random
from urllib.parse import urlencode, urljoin, urlsplit

import psutil
import pytest

from tests.live.program import Client, play
from tests.live.starts import must_all_come_up
from tests.server import ROOT, free_port
from tests.site.databases import an_earlier_one, is_there
from xactika_site import lan
from xactika_site.locations import sqlite_url

MUST_BE_THERE = os.environ.get("XACTIKA_REQUIRE_SERVICES") == "1"
HOME = "Ana María 100% #1"
TOOLS = {
    "uv": [
        [sys.executable, "-m", "uv", "venv", "--quiet", "--python", sys.executable, "{folder}"],
        [
            *(sys.executable, "-m", "uv", "pip", "install", "--quiet", "--system-certs"),
            *("--link-mode", "copy", "--python", "{folder}/bin/python", "{wheel}"),
        ],
    ],
    "pip": [
        [sys.executable, "-m", "venv", "{folder}"],
        [
            *("{folder}/bin/python", "-m", "pip", "install", "--quiet"),
            *("--disable-pip-version-check", "{wheel}"),
        ],
    ],
}


@dataclass
class Installation:
    """Where it lies, and whose home it is used from."""

    folder: Path
    home: Path

    @property
    def environment(self) -> dict[str, str]:
        """Nothing of ours, and no tools: no make, no git, no compiler."""
        return {
            "HOME": str(self.home),
            "PATH": str(self.folder / "bin"),
            "PYTHONUNBUFFERED": "1",
        }

    def run(self, *arguments: str, **changes: str) -> str:
        """What ``xactika`` prints, run in the root folder."""
        return subprocess.run(
            [self.folder / "bin" / "xactika", *arguments],
            cwd="/",
            env=self.environment | changes,
            capture_output=True,
            encoding="utf-8",
            check=True,
            timeout=120,
        ).stdout

    def files(self) -> dict[str, int]:
        """What lies in site-packages, with the times of its last change."""
        (packages,) = self.folder.glob("lib/python*/site-packages")
        found = (path for path in packages.rglob("*") if path.suffix != ".pyc")
        return {str(path): path.stat().st_mtime_ns for path in found if path.is_file()}


def _install(tool: str, folder: Path) -> None:
    wheels = sorted((ROOT / "dist").glob("*.whl"))
    assert wheels, "make wheel builds it"
    for command in TOOLS[tool]:
        filled = [part.format(folder=folder, wheel=wheels[-1]) for part in command]
        done = subprocess.run(filled, cwd="/", capture_output=True, encoding="utf-8")
        if done.returncode and not MUST_BE_THERE:
            pytest.skip("the wheel cannot be installed here: is there a network?")
        assert done.returncode == 0, done.stderr[-2000:]


@pytest.fixture(scope="module", params=TOOLS)
def installed(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Installation]:
    if request.param == "pip" and os.environ.get("XACTIKA_SOAK") != "1":
        pytest.skip("pip takes long; start.yml installs with both on every system")
    folder = tmp_path_factory.mktemp(request.param)
    _install(request.param, folder / "environment")
    home = folder / HOME
    home.mkdir()
    packages = folder / "environment" / "lib"
    _allow_writing(packages, allowed=False)
    yield Installation(folder / "environment", home)
    _allow_writing(packages, allowed=True)  # or they could not be deleted


def _allow_writing(folder: Path, *, allowed: bool) -> None:
    for path in (folder, *folder.rglob("*")):
        if not path.is_symlink():
            mode = path.stat().st_mode
            path.chmod(mode | 0o200 if allowed else mode & ~0o222)


class Running:
    """A started ``xactika``, and a browser with cookies beside it."""

    def __init__(self, installed: Installation, *arguments: str, **changes: str) -> None:
        self.base = f"http://127.0.0.1:{free_port()}"
        self.log = installed.home / f"{self.base.rpartition(':')[2]}.log"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [installed.folder / "bin" / "xactika", *arguments, "--no-browser"],
                cwd="/",
                env=installed.environment | {"PORT": self.base.rpartition(":")[2]} | changes,
                stdout=log,
                stderr=log,
            )
        self._browser = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(CookieJar()), urllib.request.ProxyHandler({})
        )
        deadline = time.monotonic() + 120
        while "Stop with Ctrl+C" not in self.told:
            assert self.process.poll() is None, self.told
            assert time.monotonic() < deadline, self.told
            time.sleep(0.1)

    @property
    def told(self) -> str:
        return self.log.read_text(encoding="utf-8")

    def get(self, path: str, base: str = "") -> str:
        with self._browser.open(urljoin(base or self.base, path), timeout=60) as answer:
            kind: str = answer.headers["Content-Type"]
            return str(answer.read().decode()) if kind.startswith("text") else kind

    def sign_in(self) -> None:
        """As the demo's teacher."""
        name, password = re.findall(r"(?:user name|password) +(\S+)", self.told)
        page = self.get("/teach/")
        (token,) = set(re.findall(r'name="csrfmiddlewaretoken" value="([^"]+)"', page))
        data = urlencode(
            {"csrfmiddlewaretoken": token, "username": name, "password": password}
        ).encode()
        request = urllib.request.Request(f"{self.base}/teach/login/", data)
        with self._browser.open(request, timeout=60) as answer:
            assert answer.status == 200

    def stop(self) -> None:
        """Also what it compiles for experts, which would go on for half a minute."""
        compiling = psutil.Process(self.process.pid).children()
        self.process.terminate()
        assert self.process.wait(20) == 0 or self.process.returncode < 0
        for process in compiling:
            with suppress(psutil.NoSuchProcess):
                process.kill()


@pytest.fixture(scope="module")
def running(installed: Installation) -> Iterator[Running]:
    before = installed.files()
    it = Running(installed)
    yield it
    it.stop()
    assert installed.files() == before  # nothing is written beside the program
    assert "Traceback" not in it.told


def links(page: str) -> set[str]:
    """Where a page leads on this server, without its places on a page."""
    found = {unescape(link) for link in re.findall(r'(?:href|src)="([^"#]+)', page)}
    return {link for link in found if not urlsplit(link).netloc and link.startswith("/")}


def test_every_page_opens_from_an_installed_wheel(running: Running) -> None:
    """Charts, lessons, worksheets, prints: whatever the demo's teacher can come to."""
    running.sign_in()
    seen: dict[str, str] = {}
    ahead = {"/", "/play/", "/learn/", "/lessons/", "/graphs/", "/teach/", "/teach/guide/"}
    kinds: dict[str, int] = {}
    while ahead:
        path = ahead.pop()
        try:
            page = seen[path] = running.get(path)
        except urllib.error.HTTPError as why:
            if why.code != 405:  # what wants a button
                raise AssertionError(f"{path}: {why.code}") from why
            continue
        for link in links(page) - seen.keys():
            kind = re.sub(r"\d+|[0-9a-f]{12}", "n", link.partition("?")[0])
            kinds[kind] = kinds.get(kind, 0) + 1
            if kinds[kind] <= 2:  # two of a kind are enough
                ahead.add(link)
    everything = " ".join(seen)
    for part in ("lessons/charts.", "worksheet", "results", "games/cards.", "/lessons/"):
        assert part in everything, part
    assert len(seen) > 60


async def test_a_round_is_played_over_a_socket(
    installed: Installation, running: Running
) -> None:
    (demo,) = installed.home.rglob("demo.sqlite3")
    told = installed.run(
        *("manage", "open_table", "--people", "1", "--pace", "0", "--bots", "expert"),
        *("--base", running.base, "--json"),
        DATABASE_URL=sqlite_url(demo),
    )
    table = json.loads(told)
    token = table["seats"][0]["token"]
    base = running.base.replace("http", "ws")
    async with Client(base, table["table"], token) as client:
        seen = await play(client, Random(1), until=lambda seen: seen["status"] == "round_over")
    assert sum(seen["taken"]) == 8


def test_started_at_once_all_come_up(installed: Installation, tmp_path: Path) -> None:
    """Also where nothing was collected yet."""
    environment = installed.environment | {"HOME": str(tmp_path)}
    python = installed.folder / "bin" / "python"
    must_all_come_up(python, Path("/"), tmp_path, environment, None)


def test_the_room_is_served_at_another_address(installed: Installation) -> None:
    address = lan.own_address()
    if address is None:
        pytest.skip("this machine is in no network")
    it = Running(installed, "class")
    try:
        (told,) = re.findall(r"Students join at +(\S+)", it.told)
        assert urlsplit(told).hostname == address
        assert "Join" in it.get(told)
    finally:
        it.stop()
    (stored,) = installed.home.rglob("xactika.sqlite3")
    assert stored.parent.name == "xactika"


def test_an_upgrade_keeps_what_was_there(installed: Installation) -> None:
    """The data of a checkout are named, and those of an earlier version are changed."""
    folder = installed.home / "data of the checkout"
    folder.mkdir()
    path = an_earlier_one(folder)
    it = Running(installed, "class", XACTIKA_DATA=str(folder))
    try:
        assert "Join" in it.get("/join/", base=it.base)
    finally:
        it.stop()
    (copy,) = folder.glob("xactika.before-*.sqlite3")
    assert str(copy) in it.told
    assert is_there(path)
    assert is_there(copy)


@pytest.mark.skipif(
    os.environ.get("XACTIKA_SOAK") != "1", reason="a second start; the long checks try it"
)
def test_the_script_for_other_systems_passes(installed: Installation, tmp_path: Path) -> None:
    """As .github/workflows/start.yml runs it there."""
    done = subprocess.run(
        [installed.folder / "bin" / "python", ROOT / "tests" / "smoke.py"],
        cwd="/",
        env=installed.environment | {"HOME": str(tmp_path), "PORT": str(free_port())},
        capture_output=True,
        encoding="utf-8",
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "a round over a socket" in done.stdout


def test_the_doctor_tells_one_screen(installed: Installation) -> None:
    told = installed.run("doctor")
    assert len(told.splitlines()) < 25
    for word in ("Python", "Data", "Port", "Addresses", "Experts"):
        assert word in told
    assert "cannot be found out" not in told

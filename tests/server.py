"""The real server as a subprocess on a database of its own, for tests on the wire."""

from __future__ import annotations

import atexit
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any, ClassVar
from urllib.parse import unquote

from filelock import FileLock

from tests import commands
from tests.e2e import made_up
from xactika_site.locations import sqlite_url

ROOT = Path(__file__).resolve().parent.parent
TEST_KEY = "a key that keeps nothing but tests"
WITHOUT_EXPERTS = "import sys; sys.modules['numba'] = None"

MIGRATED = ROOT / ".pytest_cache" / "migrated"


def digest_of_migrations() -> str:
    """Another one as soon as any migration is another, of ours or of a dependency."""
    files = sorted(
        file
        for app in ("games", "lessons", "xactika_site")
        for file in (ROOT / app).rglob("migrations/*.py")
    )
    files += [ROOT / "requirements.lock"]
    return sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]


def migrated() -> Path:
    """A SQLite file to be copied, with every migration applied."""

    def migrate(part: Path) -> None:
        subprocess.run(
            [sys.executable, "manage.py", "migrate", "-v0"],
            cwd=ROOT,
            env={
                **os.environ,
                "DATABASE_URL": sqlite_url(part),
                "XACTIKA_SECRET_KEY": TEST_KEY,
            },
            check=True,
        )

    return made_once("", migrate)


def made_once(which: str, make: Callable[[Path], None]) -> Path:
    """A SQLite file that belongs to these migrations: what takes seconds is made but once."""
    model = MIGRATED / f"{digest_of_migrations()}{which}.sqlite3"
    MIGRATED.mkdir(parents=True, exist_ok=True)
    # Named by its kind: one takes it for held that the file is there, another leaves it there.
    with FileLock(MIGRATED / f"{FileLock.__name__}{which}.lock"):
        if not model.exists():
            part = MIGRATED / f"{os.getpid()}.part"
            make(part)
            part.replace(model)
    return model


def free_port() -> int:
    """None of those that the system gives to whoever connects: until the server listens, or
    while it is away, it might give this one, or connect somebody who knocks with itself."""
    while True:
        port = 20_000 + int.from_bytes(os.urandom(2), "big") % 12_000
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


class Commands:
    """A process for the commands of all servers that share most of an environment, and for
    their starts (commands.py)."""

    _all: ClassVar[list[tuple[dict[str, str], str, Commands]]] = []
    _lock = Lock()

    @classmethod
    def of(cls, environment: dict[str, str], start_with: str) -> Commands:
        with cls._lock:
            for *known, commands_ in cls._all:
                if known == [environment, start_with]:
                    return commands_
            cls._all.append((environment, start_with, cls(environment, start_with)))
            return cls._all[-1][2]

    def __init__(self, environment: dict[str, str], start_with: str) -> None:
        run = "import runpy; runpy.run_module('tests.commands', run_name='__main__')"
        self._one = Lock()
        self._process = subprocess.Popen(
            [sys.executable, "-c", f"{start_with or 'pass'}; {run}"],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )
        atexit.register(self._process.communicate)  # it ends with what it reads

    def ask(self, what: str, *for_it: Any) -> Any:
        """What one of its functions returns."""
        asked, answers = self._process.stdin, self._process.stdout
        assert asked is not None
        assert answers is not None
        with self._one:
            print(json.dumps([what, *for_it]), file=asked, flush=True)
            return json.loads(answers.readline())


class Forked:
    """A server's process that the one for commands has begun; much of ``Popen``."""

    def __init__(self, commands_: Commands, log: Path, own: dict[str, str]) -> None:
        self._commands = commands_
        self.pid: int = commands_.ask("serve", str(log), own)
        self.returncode: int | None = None

    def poll(self) -> int | None:
        if self.returncode is None:
            self.returncode = self._commands.ask("poll", self.pid)
        return self.returncode

    def wait(self, timeout: float = 60) -> int:
        deadline = time.monotonic() + timeout
        while (status := self.poll()) is None:
            if time.monotonic() > deadline:
                raise subprocess.TimeoutExpired("the server", timeout)
            time.sleep(0.02)
        return status

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


class Server:
    """``python -m xactika_site`` on a free loopback port; use as a context manager.

    ``environment`` adds to or overrides what the server sees (DATABASE_URL, REDIS_URL, …),
    ``arguments`` are the command line's; ``asks`` is the host name to ask whether it is there;
    ``start_with`` is Python that the process runs first. With none of these, and without
    ``experts``, which each start would warm up, it is a fork of a process that has imported
    everything: that takes a tenth of the time. ``forked`` says whether it is.
    """

    def __init__(
        self,
        folder: Path,
        *,
        arguments: tuple[str, ...] = (),
        asks: str = "127.0.0.1",
        experts: bool = False,
        start_with: str = "",
        forked: bool | None = None,
        **environment: str,
    ) -> None:
        self.port = free_port()
        self.asks = asks
        plain = not (experts or arguments or start_with or made_up.FOUND)
        plain = plain and os.name == "posix"
        self.forked, self.start_with = (plain if forked is None else forked), start_with
        self.command = ["-m", "xactika_site", *arguments]
        if not experts:
            start_with = f"{start_with or 'pass'}; {WITHOUT_EXPERTS}"
        if made_up.FOUND:
            start_with = f"{made_up.SPEAK}; {start_with or 'pass'}"
        if start_with:
            run = "import runpy; runpy.run_module('xactika_site', run_name='__main__')"
            self.command = ["-c", f"{start_with}; {run}", *arguments]
        self.base = f"http://127.0.0.1:{self.port}"
        self.websocket_base = f"ws://127.0.0.1:{self.port}"
        self.log = folder / f"server-{self.port}.log"
        not_theirs = ("XACTIKA_", "REDIS_", "PYTEST_CURRENT_TEST")
        clean = {k: v for k, v in os.environ.items() if not k.startswith(not_theirs)}
        self.environment = {
            **clean,
            "PORT": str(self.port),
            "XACTIKA_SECRET_KEY": TEST_KEY,
            "DATABASE_URL": sqlite_url(folder / "server.sqlite3"),
            "PYTHONUNBUFFERED": "1",
            "PYTHONIOENCODING": "utf-8",
            **environment,
        }
        self.process: subprocess.Popen[bytes] | Forked | None = None

    def __enter__(self) -> Server:
        self.migrate()
        self.start()
        return self

    def __exit__(self, *_exc: object) -> None:
        self.stop()

    def migrate(self) -> None:
        """Prepare the database; a new SQLite file as a copy of one that was migrated before.
        A PostgreSQL of ours is such a copy already."""
        url = self.environment["DATABASE_URL"]
        if not url.startswith("sqlite:///"):
            return
        path = Path(unquote(url.removeprefix("sqlite:///")))
        if path.exists():
            self.manage("migrate", "-v0")
        else:
            shutil.copyfile(migrated(), path)

    def manage(self, *arguments: str) -> str:
        """The output of a management command; CalledProcessError if it fails."""
        if os.name != "posix":
            line = [sys.executable, "manage.py", *arguments]
            done = subprocess.run(
                line,
                cwd=ROOT,
                env=self.environment,
                check=True,
                capture_output=True,
                encoding="utf-8",
            )
            return done.stdout
        commands_, own = self._commands()
        status, told, errors = commands_.ask("manage", arguments, own)
        if status:
            failed = subprocess.CalledProcessError(status, arguments, told, errors)
            failed.add_note(str(errors))
            raise failed
        return str(told)

    def _commands(self, start_with: str = "") -> tuple[Commands, dict[str, str]]:
        """The process for commands, and what is another's in its environment."""
        own = {k: v for k, v in self.environment.items() if k in commands.OWN}
        shared = {k: v for k, v in self.environment.items() if k not in own}
        if not own["DATABASE_URL"].startswith("sqlite:///"):  # of which kind models know
            shared["DATABASE_URL"] = "postgres://127.0.0.1/another"
        return Commands.of(shared, start_with), own

    def _begin(self) -> subprocess.Popen[bytes] | Forked:
        if self.forked:
            commands_, own = self._commands(self.start_with)
            return Forked(commands_, self.log, own)
        with self.log.open("ab") as log:
            return subprocess.Popen(
                [sys.executable, *self.command],
                cwd=ROOT,
                env=self.environment,
                stdout=log,
                stderr=log,
            )

    def start(self) -> None:
        self.process = self._begin()
        deadline = time.monotonic() + 180
        while time.monotonic() < deadline:
            try:
                with urllib.request.urlopen(
                    f"http://{self.asks}:{self.port}/healthz", timeout=5
                ):
                    return
            except OSError:
                if self.process.poll() is not None:
                    break
                time.sleep(0.05)
        self.stop()
        raise RuntimeError(f"the server did not start:\n{self.log.read_text(encoding='utf-8')}")

    def kill(self) -> None:
        """SIGKILL: no goodbye of any kind."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        if self.process is None or self.process.poll() is not None:
            return
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(timeout=15)
        except subprocess.TimeoutExpired:
            self.kill()

    def open_table(self, **options: object) -> dict[str, Any]:
        """What ``manage.py open_table --json`` prints, for e.g. ``seats=4, people=2``."""
        arguments = [
            text for name, value in options.items() for text in (f"--{name}", str(value))
        ]
        line = self.manage("open_table", *arguments, "--base", self.base, "--json")
        answer: dict[str, Any] = json.loads(line)
        return answer

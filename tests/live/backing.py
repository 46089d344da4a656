"""PostgreSQL and Redis of our own, on free loopback ports, ended with the test."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import psycopg
import redis

from tests.server import free_port


def find_program(name: str) -> str | None:
    """Where a program is, also in Debian's folders of PostgreSQL versions."""
    candidates = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), reverse=True)
    return shutil.which(name) or (str(candidates[0]) if candidates else None)


class Redis:
    """A Redis without a file, to stop and start again; ``url`` is what REDIS_URL wants."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.log = folder / "redis.log"

    def __enter__(self) -> Redis:
        self.start()
        return self

    def start(self) -> None:
        program = find_program("redis-server")
        assert program is not None
        options = ["--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [program, "--port", str(self.port), *options], stdout=log, stderr=log
            )
        client = redis.Redis(port=self.port)
        for _ in range(200):
            try:
                client.ping()
                break
            except redis.ConnectionError:
                time.sleep(0.05)
        client.close()

    def __exit__(self, *_exc: object) -> None:
        self.stop()

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(timeout=20)


class Postgres:
    """A PostgreSQL cluster in a temporary folder; ``url`` is what DATABASE_URL wants.

    PostgreSQL refuses to run as root, so root lends it to the user it is packaged with.
    """

    def __init__(self) -> None:
        self.port = free_port()
        self.url = f"postgres://postgres@127.0.0.1:{self.port}/postgres"
        self.user: str | None = "postgres" if os.geteuid() == 0 else None

    def __enter__(self) -> Postgres:
        data = Path(tempfile.mkdtemp(prefix="xactika-postgres-"))
        self.data = data
        if self.user:
            account = pwd.getpwnam(self.user)
            os.chown(data, account.pw_uid, account.pw_gid)
        initdb, postgres = find_program("initdb"), find_program("postgres")
        assert initdb
        assert postgres
        subprocess.run(
            [initdb, "-D", str(data), "-U", "postgres", "-A", "trust", "--no-sync"],
            check=True,
            capture_output=True,
            user=self.user,
            cwd="/",
        )
        options = ["-p", str(self.port), "-h", "127.0.0.1", "-k", str(data), "-F"]
        self.process = subprocess.Popen(
            [postgres, "-D", str(data), *options],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            user=self.user,
            cwd="/",
        )
        for _ in range(200):
            try:
                psycopg.connect(self.url).close()
                break
            except psycopg.OperationalError:
                time.sleep(0.05)
        return self

    def __exit__(self, *_exc: object) -> None:
        self.process.send_signal(signal.SIGINT)  # PostgreSQL's fast shutdown
        self.process.wait(timeout=20)
        shutil.rmtree(self.data)

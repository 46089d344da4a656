"""PostgreSQL and Redis of our own, on free loopback ports, ended with the test."""

from __future__ import annotations

import os
import pwd
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import psycopg
import redis
from filelock import FileLock

from tests.server import MIGRATED, ROOT, TEST_KEY, digest_of_migrations, free_port


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

    PostgreSQL refuses to run as root, so root lends it to the user it is packaged with. Given a
    ``disk``, it lies there in small files, and waits for what it writes as a real one does. It
    is a copy of one that was made and migrated before, or ``empty``.
    """

    def __init__(self, disk: Path | None = None, *, empty: bool = False) -> None:
        self.disk, self.empty = disk, empty
        self.port = free_port()
        self.url = f"postgres://postgres@127.0.0.1:{self.port}/postgres"
        self.user: str | None = "postgres" if os.geteuid() == 0 else None

    def __enter__(self) -> Postgres:
        data = Path(tempfile.mkdtemp(prefix="xactika-postgres-", dir=self.disk))
        self.data = data
        if self.empty:
            self._initialise()
        else:
            copy(migrated_cluster(), data)
        self.start()
        return self

    def _initialise(self) -> None:
        if self.user:
            account = pwd.getpwnam(self.user)
            os.chown(self.data, account.pw_uid, account.pw_gid)
        initdb = find_program("initdb")
        assert initdb
        command = [initdb, "-D", str(self.data), "-U", "postgres", "-A", "trust", "--no-sync"]
        subprocess.run(
            [*command, "--wal-segsize=1"],
            check=True,
            capture_output=True,
            user=self.user,
            cwd="/",
        )

    def start(self) -> None:
        postgres = find_program("postgres")
        assert postgres
        options = ["-p", str(self.port), "-h", "127.0.0.1", "-k", str(self.data)]
        options += ["-c", "track_commit_timestamp=on"]
        options += (
            ["-c", "min_wal_size=4MB", "-c", "max_wal_size=16MB"] if self.disk else ["-F"]
        )
        self.process = subprocess.Popen(
            [postgres, "-D", str(self.data), *options],
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

    def __exit__(self, *_exc: object) -> None:
        self.stop()
        shutil.rmtree(self.data)

    def stop(self, how: int = signal.SIGINT) -> None:
        """PostgreSQL's fast shutdown; SIGQUIT is a crash, after which it recovers."""
        if self.process.poll() is not None:
            return
        self.process.send_signal(how)
        self.process.wait(timeout=20)


def migrated_cluster() -> Path:
    """The files of a PostgreSQL that has stopped, to be copied, with every migration applied:
    that is made but once, which takes many seconds."""
    model = MIGRATED / f"{digest_of_migrations()}.postgres"
    MIGRATED.mkdir(parents=True, exist_ok=True)
    with FileLock(MIGRATED / "postgres.lock"):
        if not model.exists():
            part = MIGRATED / f"{os.getpid()}.postgres.part"
            with Postgres(empty=True) as made:
                subprocess.run(
                    [sys.executable, "manage.py", "migrate", "-v0"],
                    cwd=ROOT,
                    env={
                        **os.environ,
                        "DATABASE_URL": made.url,
                        "XACTIKA_SECRET_KEY": TEST_KEY,
                    },
                    check=True,
                )
                made.stop()
                part.mkdir()
                copy(made.data, part)
            part.rename(model)
    return model


def copy(cluster: Path, to: Path) -> None:
    """With the owners of the files."""
    subprocess.run(["cp", "-a", f"{cluster}/.", str(to)], check=True)


class Nginx:
    """nginx as docs/operations.md sets it up, in front of these ports; only addresses, folders
    and the certificate are others. ``port`` is where it listens."""

    def __init__(self, folder: Path, *ports: int, encrypted: bool = True) -> None:
        self.port = free_port()
        self.folder = folder
        self.errors = folder / "xactika.log"
        text = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
        told = text[text.index("map $http_upgrade") :]
        told = told[: told.index("\n```")]
        (options,) = set(re.findall(r"    server 127\.0\.0\.1:800\d([^;]*);", told))
        told = re.sub(r"    server 127\.0\.0\.1:8002[^\n]*\n", "", told)
        servers = "".join(f"    server 127.0.0.1:{port}{options};\n" for port in ports)
        told = re.sub(r"    server 127\.0\.0\.1:8001[^\n]*\n", servers, told)
        told = told.replace("/var/log/nginx", str(folder))
        told = told.replace("443 ssl", f"127.0.0.1:{self.port}{' ssl' if encrypted else ''}")
        if encrypted:
            told = told.replace(
                "# ssl_certificate …; ssl_certificate_key …;", self._certificate()
            )
        folders = "".join(
            f"{name}_temp_path {folder}/{name};\n"
            for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        self.file = folder / "nginx.conf"
        self.file.write_text(
            f"daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/errors;\n"
            f"events {{}}\nhttp {{\n{folders}{told}\n}}\n",
            encoding="utf-8",
        )

    def _certificate(self) -> str:
        key, certificate = self.folder / "key.pem", self.folder / "certificate.pem"
        command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt"]
        command += ["ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=cards.school"]
        subprocess.run(
            [*command, "-keyout", str(key), "-out", str(certificate)],
            check=True,
            capture_output=True,
        )
        return f"ssl_certificate {certificate}; ssl_certificate_key {key};"

    def __enter__(self) -> Nginx:
        program = find_program("nginx")
        assert program is not None
        folder = str(self.folder)
        self.process = subprocess.Popen(
            [program, "-p", folder, "-c", str(self.file), "-e", f"{folder}/errors"]
        )
        for _ in range(100):
            with suppress(ConnectionError), socket.create_connection(("127.0.0.1", self.port)):
                break
            time.sleep(0.05)
        return self

    def __exit__(self, *_exc: object) -> None:
        self.process.terminate()
        self.process.wait(timeout=20)

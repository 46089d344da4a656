"""docs/operations.md followed to the letter: each of its commands for a server is run as it
stands there, on the installed wheel.

Only what belongs to the whole machine is another: folders lie in a temporary one, ports,
PostgreSQL and Redis are the test's own, and ``sudo``, ``systemctl``, ``systemd-run`` and
``journalctl`` are stand-ins that do what the unit file says. What the wheel depends on is not
fetched, but lent by this environment.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import site
import sqlite3
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from zipfile import ZipFile

import psycopg
import pytest

from tests.live.backing import Postgres, Redis, find_program
from tests.server import ROOT, TEST_KEY, free_port
from xactika_site import __version__
from xactika_site.database import BACKUPS

NEEDED = ("redis-server", "initdb", "psql", "flock")
MISSING = [name for name in NEEDED if find_program(name) is None]
pytestmark = [
    pytest.mark.skipif(
        os.environ.get("XACTIKA_SOAK") != "1", reason="takes a minute; the long checks do it"
    ),
    pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}"),
]

DOCUMENT = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")

STAND_INS = """#!{python}
import os, re, signal, socket, subprocess, sys, time
ROOT, name, args = {root!r}, os.path.basename(sys.argv[0]), sys.argv[1:]

def settings(file):
    lines = open(file).read().splitlines() if os.path.exists(file) else []
    return dict(line.split("=", 1) for line in lines if "=" in line)

def start(unit):
    port = unit.split("@")[1]
    text = open(ROOT + "/etc/systemd/system/xactika@.service").read()
    text = text.replace("%i", port).replace("%S", ROOT + "/var/lib")
    env = dict(os.environ, **settings(ROOT + "/etc/xactika.env"))
    for line in re.findall("^Environment=(.*)", text, re.M):
        env.update(part.split("=", 1) for part in line.split())
    folder = ROOT + "/var/lib/xactika"
    os.makedirs(folder, exist_ok=True)
    os.umask(0o077)
    for command in re.findall("^ExecStartPre=(.*)", text, re.M):
        subprocess.run(command, shell=True, check=True, env=env, cwd=folder)
    (command,) = re.findall("^ExecStart=(.*)", text, re.M)
    told = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    told.bind(ROOT + "/notify")
    told.settimeout(120)
    log = open(ROOT + "/journal." + port, "a")
    env["NOTIFY_SOCKET"] = ROOT + "/notify"
    process = subprocess.Popen(command.split(), env=env, cwd=folder, stdout=log, stderr=log)
    open(ROOT + "/pid." + port, "w").write(str(process.pid))
    assert "Type=notify" in text and told.recv(100) == b"READY=1"
    os.unlink(ROOT + "/notify")

def stop(unit):
    file = ROOT + "/pid." + unit.split("@")[1]
    pid = int(open(file).read())
    os.kill(pid, signal.SIGTERM)
    while os.path.exists(f"/proc/{{pid}}") and "Z" not in open(f"/proc/{{pid}}/stat").read():
        time.sleep(0.1)
    os.unlink(file)

if name == "sudo":
    args = args[2:] if args[0] == "-u" else args
    os.execvp(args[0], args)
elif name == "systemctl":
    what, units = args[0], [arg for arg in args[1:] if arg != "--now"]
    for unit in units:
        if what in ("stop", "restart", "disable"):
            stop(unit)
        if what in ("start", "restart", "enable"):
            start(unit)
elif name == "systemd-run":
    env = dict(os.environ)
    while args[0].startswith("-"):
        if args[0] == "-E":
            env.update([args[1].split("=", 1)])
        if args[0] == "-p" and args[1].startswith("EnvironmentFile=-"):
            env.update(settings(args[1].split("=-", 1)[1]))
        args = args[1:] if args[0].startswith("--") else args[2:]
    os.execvpe(args[0], args, env)
elif name == "journalctl":
    print(open(ROOT + "/journal." + args[1].split("@")[1]).read())
"""


def blocks() -> list[str]:
    """What stands between fences, as it stands there."""
    return re.findall(r"^```\n(.*?)^```", DOCUMENT, re.MULTILINE | re.DOTALL)


(BACKUP,) = (each for each in blocks() if "xactika backup /var/lib/xactika" in each)


class Machine:
    """A folder that stands for a server's disk, and a shell in which commands are typed."""

    def __init__(self, folder: Path, postgres: Postgres, redis: Redis) -> None:
        self.folder, self.postgres, self.redis = folder, postgres, redis
        self.ports = {number: free_port() for number in ("8000", "8001", "8002")}
        self.typed: list[str] = []
        self.version = __version__
        for name in (
            "bin",
            "etc/systemd/system",
            "root",
            "var/backups",
            "var/lib",
            "opt",
            "here",
        ):
            (folder / name).mkdir(parents=True)
        code = STAND_INS.format(python=sys.executable, root=str(folder))
        for name in ("sudo", "systemctl", "systemd-run", "journalctl"):
            (folder / "bin" / name).write_text(code, encoding="utf-8")
            (folder / "bin" / name).chmod(0o755)
        shutil.copy(ROOT / "docs" / "xactika@.service", folder / "here")
        unit = folder / "here" / "xactika@.service"
        unit.write_text(self.placed(unit.read_text(encoding="utf-8")), encoding="utf-8")

    def placed(self, text: str) -> str:
        """The same with this machine's folders, ports and wheel."""
        text = re.sub(
            r"(?<![\w.])/(opt/xactika|var/lib|var/backups|etc|root)/",
            rf"{self.folder}/\1/",
            text,
        )
        text = re.sub(r"/opt/xactika$", f"{self.folder}/opt/xactika", text, flags=re.MULTILINE)
        text = re.sub(
            r"(?<![\w.])/var/lib/xactika(?= )", f"{self.folder}/var/lib/xactika", text
        )
        text = text.replace(
            "xactika_classroom-….whl", f"xactika_classroom-{self.version}-py3-none-any.whl"
        ).replace("before-…", f"before-{NEXT}.*")
        text = text.replace("PASSWORD '…'", "PASSWORD 'fourletters4'").replace(
            ":…@", ":fourletters4@"
        )
        text = text.replace("127.0.0.1/cards", f"127.0.0.1:{self.postgres.port}/cards")
        text = text.replace("127.0.0.1:6379", f"127.0.0.1:{self.redis.port}")
        text = text.replace("XACTIKA_SECRET_KEY=…", f"XACTIKA_SECRET_KEY={TEST_KEY}")
        for number, port in self.ports.items():
            text = text.replace(f"xactika@{number}", f"xactika@{port}")
        return text

    def type(self, *words: str) -> str:
        """Run the next block that has all these words; what it prints."""
        (block,) = (each for each in blocks() if all(word in each for word in words))
        return self.run(block)

    def run(self, block: str) -> str:
        self.typed += block.splitlines()
        kept = {
            k: v
            for k, v in os.environ.items()
            if not re.match("XACTIKA|REDIS|DATABASE|PORT|DJANGO", k)
        }
        done = subprocess.run(
            ["bash", "-ec", self.placed(block)],
            cwd=self.folder / "here",
            env={
                **kept,
                "PATH": f"{self.folder}/bin:{Path(sys.executable).parent}:{os.environ['PATH']}",
                "PIP_NO_INDEX": "1",
                "PIP_NO_DEPS": "1",
                "PGHOST": "127.0.0.1",
                "PGPORT": str(self.postgres.port),
                "PGUSER": "postgres",
            },
            capture_output=True,
            encoding="utf-8",
            timeout=300,
        )
        assert done.returncode == 0, (block, done.stdout[-2000:], done.stderr[-3000:])
        return done.stdout

    def set(self, *words: str) -> None:
        """Add a block of settings to /etc/xactika.env."""
        (block,) = (each for each in blocks() if each.startswith(words))
        with (self.folder / "etc" / "xactika.env").open("a", encoding="utf-8") as file:
            file.write(self.placed(block))

    def backup(self) -> Path:
        """The file that the document's command for a backup has written."""
        before = set(self._backups())
        self.run(BACKUP)
        (file,) = set(self._backups()) - before
        assert file.stat().st_mode & 0o777 == 0o600
        return file

    def _backups(self) -> list[Path]:
        return [*(self.folder / "var/lib/xactika").glob(BACKUPS)]

    def restore(self, file: Path) -> None:
        """Run the same command as for a backup, to go back to this file."""
        self.run(BACKUP.replace("backup /var/lib/xactika --keep 7", f"restore {file} --yes"))

    def says(self, number: str, path: str = "/healthz") -> dict[str, str]:
        with urllib.request.urlopen(
            f"http://127.0.0.1:{self.ports[number]}{path}", timeout=30
        ) as answer:
            found: dict[str, str] = json.load(answer)
            return found

    def lend_packages(self) -> None:
        (packages,) = (self.folder / "opt" / "xactika").glob("lib/python*/site-packages")
        (packages / "lent.pth").write_text(
            "\n".join(site.getsitepackages()) + "\n", encoding="utf-8"
        )


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    built = [
        sys.executable,
        "-m",
        "hatchling",
        "build",
        "-t",
        "wheel",
        "-d",
        str(tmp_path / "w"),
    ]
    subprocess.run(built, cwd=ROOT, check=True, capture_output=True)
    with Postgres(empty=True) as postgres, Redis(tmp_path) as redis:
        machine = Machine(tmp_path / "machine", postgres, redis)
        (wheel,) = (tmp_path / "w").glob("*.whl")
        write_next(Path(shutil.copy(wheel, machine.folder / "here")))
        yield machine
        for file in machine.folder.glob("pid.*"):
            os.kill(int(file.read_text(encoding="utf-8")), 15)


NEXT, CHANGE = "9.9.9", "9999_next"


def write_next(wheel: Path) -> None:
    """The version after this one, beside it: its database differs by a migration."""
    last = max((ROOT / "games" / "migrations").glob("[0-9]*.py")).stem
    change = f"""
from django.db import migrations
class Migration(migrations.Migration):
    dependencies = [("games", "{last}")]
    operations = [migrations.RunSQL("CREATE TABLE next (id integer)")]
"""
    newer = wheel.with_name(wheel.name.replace(__version__, NEXT))
    with ZipFile(wheel) as old, ZipFile(newer, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if ".dist-info/" in name or name == "xactika_site/__init__.py":
                content = content.replace(__version__.encode(), NEXT.encode())
            new.writestr(name.replace(f"{__version__}.dist-info", f"{NEXT}.dist-info"), content)
        new.writestr(f"games/migrations/{CHANGE}.py", change)


def has_changed(machine: Machine) -> bool:
    """Whether the database is the next version's; the invitation is there in any case."""
    path = machine.folder / "var/lib/xactika/xactika.sqlite3"
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as line:
        assert line.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert line.execute("SELECT count(*) FROM accounts_invitation").fetchone() == (1,)
        names = line.execute("SELECT name FROM django_migrations WHERE app = 'games'")
        return (CHANGE,) in names.fetchall()


def test_the_document_followed_to_the_letter(machine: Machine) -> None:
    well = {"status": "ok"}
    # One process on SQLite.
    first, *rest = next(each for each in blocks() if "-m venv /opt" in each).splitlines()
    machine.run(first)
    machine.lend_packages()
    machine.set("XACTIKA_BASE_URL=")
    machine.run("\n".join(rest))
    assert machine.says("8000") == well
    assert machine.says("8000", "/livez") == {"status": "alive"}
    link = r"https://cards\.school/teach/\S+"
    assert re.search(link, machine.run("journalctl -u xactika@8000"))
    assert re.search(link, machine.type("systemd-run", "invite_teacher"))
    backup = machine.backup()
    # A newer version, which an older one does not start after, and back.
    machine.version = NEXT
    machine.type("systemctl stop", "--upgrade", "systemctl start")
    assert machine.says("8000") == well
    assert machine.run("/opt/xactika/bin/xactika --version") == f"xactika {NEXT}\n"
    assert has_changed(machine)
    machine.version = __version__
    machine.type("before-…", "systemctl start")
    assert machine.says("8000") == well
    assert machine.run("/opt/xactika/bin/xactika --version") == f"xactika {__version__}\n"
    assert not has_changed(machine)
    machine.run("sudo systemctl stop xactika@8000")
    machine.restore(backup)
    machine.run("sudo systemctl start xactika@8000")
    assert machine.says("8000") == well
    # Two on PostgreSQL and Redis.
    machine.type("CREATE ROLE", "CREATE DATABASE")
    machine.set("DATABASE_URL=")
    machine.type("disable --now", "enable --now")
    assert machine.says("8001") == machine.says("8002") == well
    assert re.search(link, machine.type("systemd-run", "invite_teacher"))
    backup = machine.backup()
    machine.type("as above", "--upgrade", "systemctl restart")
    assert machine.says("8001") == machine.says("8002") == well
    # And back from the backup, while no process runs.
    machine.run("sudo systemctl stop xactika@8001 xactika@8002")
    machine.restore(backup)
    with psycopg.connect(f"{machine.postgres.url.removesuffix('postgres')}cards") as line:
        assert line.execute("SELECT count(*) > 20 FROM django_migrations").fetchone() == (True,)
    machine.run("sudo systemctl start xactika@8001 xactika@8002")
    assert machine.says("8001") == machine.says("8002") == well
    # No command of a server stands there that was not typed.
    commands = {line for block in blocks() for line in block.splitlines() if "sudo " in line}
    assert commands - set(machine.typed) == set()

"""Backups of a class in play, restores that are killed, and the way to PostgreSQL and back."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, suppress
from pathlib import Path
from random import Random

import psycopg
import pytest
import websockets

from tests.live.acknowledged import flat, open_one, play_table, stored_moves
from tests.live.backing import Postgres, find_program
from tests.live.classroom import until
from tests.server import ROOT, Server, migrated
from xactika_site import locations, restored

NAME = "xactika.sqlite3"


def command(folder: Path, *arguments: str, **more: str) -> tuple[list[str], dict[str, str]]:
    """The command, and what it finds around it in an installation in this folder."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("XACTIKA_", "DATABASE_"))}
    own = {**kept, "XACTIKA_DATA": str(folder), **more}
    return [sys.executable, "-m", "xactika_site.command", *arguments], own


def run(folder: Path, *arguments: str, **more: str) -> str:
    line, own = command(folder, *arguments, **more)
    done = subprocess.run(line, cwd=ROOT, env=own, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return done.stdout


async def test_a_backup_of_tables_in_play_has_every_move_acknowledged_before(
    tmp_path: Path, soak: bool
) -> None:
    tables_, backups = (20, 50) if soak else (4, 3)
    rng, taken = Random(4), []
    with Server(tmp_path) as server:
        own = {"DATABASE_URL": server.environment["DATABASE_URL"]}
        own["XACTIKA_SECRET_KEY"] = server.environment["XACTIKA_SECRET_KEY"]
        acknowledged: dict[str, dict[str, str]] = {}

        async def keep_playing() -> None:
            while True:
                table = await asyncio.to_thread(open_one, server, "bid", 8)
                made = acknowledged.setdefault(table["table"], {})
                await play_table(server, table, made, rng)

        games = [asyncio.create_task(keep_playing()) for _ in range(tables_)]
        await until(lambda: sum(map(bool, acknowledged.values())) >= tables_)
        for n in range(backups):
            before, path = flat(acknowledged), tmp_path / f"{n}.sqlite3"
            await asyncio.to_thread(run, tmp_path, "backup", str(path), **own)
            taken.append((path, before))
        for game in games:
            game.cancel()
            with suppress(asyncio.CancelledError, websockets.WebSocketException, OSError):
                await game
        assert "Traceback" not in server.log.read_text(encoding="utf-8")
    made = [len(before) for _path, before in taken]
    assert made == sorted(set(made))  # they played all the time
    for path, before in taken:
        folder = tmp_path / path.stem
        folder.mkdir()
        run(folder, "restore", str(path), "--yes")
        there = Server(tmp_path, DATABASE_URL=locations.sqlite_url(folder / NAME))
        assert stored_moves(there).items() >= before.items()


def test_killed_at_any_moment_a_restore_was_done_or_was_not(tmp_path: Path) -> None:
    backup = tmp_path / "backup.sqlite3"
    an_installation(tmp_path / "new", "new")
    run(tmp_path / "new", "backup", str(backup))
    seen = []
    an_installation(tmp_path / "whole", "old")
    began = time.monotonic()
    run(tmp_path / "whole", "restore", str(backup), "--yes")
    lasts = time.monotonic() - began
    for n in range(20):
        folder = tmp_path / f"{n}"
        an_installation(folder, "old")
        line, own = command(folder, "restore", str(backup), "--yes")
        going = subprocess.Popen(line, cwd=ROOT, env=own, stdout=subprocess.DEVNULL)
        with suppress(subprocess.TimeoutExpired):
            going.wait(lasts * (n + 1) / 19)
        going.kill()
        going.wait()
        run(folder, "doctor")  # the next that starts
        state = what_is_in(folder)
        assert state in {("old", "old"), ("new", "new")}
        seen.append(state[0])
    assert seen[0] == "old"
    assert what_is_in(tmp_path / "whole") == ("new", "new")


def an_installation(folder: Path, word: str) -> None:
    """A database and a key that both have this word."""
    folder.mkdir()
    (folder / NAME).write_bytes(migrated().read_bytes())
    with closing(sqlite3.connect(folder / NAME)) as line, line:
        row = "INSERT INTO django_session VALUES (?, '', '2099-01-01')"
        line.execute(row, [word])
    key = f"{word} abcdefghijklmnopqrstuvwxyz 0123456789"
    (folder / "secret_key").write_text(key, encoding="utf-8")


def what_is_in(folder: Path) -> tuple[str, str]:
    with closing(sqlite3.connect(folder / NAME)) as line:
        ((word,),) = line.execute("SELECT session_key FROM django_session").fetchall()
    return str(word), (folder / "secret_key").read_text(encoding="utf-8").split()[0]


@pytest.mark.skipif(
    find_program("initdb") is None and os.environ.get("XACTIKA_REQUIRE_SERVICES") != "1",
    reason="PostgreSQL is not installed",
)
def test_to_postgresql_and_back_every_row_is_the_same(tmp_path: Path) -> None:
    here, there, back = (tmp_path / name for name in ("here", "there", "back"))
    for folder in (here, there, back):
        folder.mkdir()
    run(here, "manage", "migrate", "-v0")
    run(here, "manage", "demo")
    run(here, "backup", str(tmp_path / "of-sqlite.sqlite3"))
    with Postgres() as postgres:
        # Where there may be several processes, each other connection stands against a restore.
        own = {"DATABASE_URL": postgres.url, "REDIS_URL": "redis://127.0.0.1:1/0"}
        line, around = command(there, "restore", str(tmp_path / "of-sqlite.sqlite3"), **own)
        with psycopg.connect(postgres.url):
            told = subprocess.run([*line, "--yes"], env=around, capture_output=True, cwd=ROOT)
        assert told.stderr == b"the database is in use: stop the servers first\n"
        run(there, "restore", str(tmp_path / "of-sqlite.sqlite3"), "--yes", **own)
        assert "0 differed" in run(there, "manage", "rebuild_results", "--check", **own)
        # Numbers go on where they were.
        run(there, "manage", "open_table", "--seats", "2", **own)
        run(there, "restore", str(tmp_path / "of-sqlite.sqlite3"), "--yes", **own)
        run(there, "backup", str(tmp_path / "of-postgresql.sqlite3"), **own)
    run(back, "restore", str(tmp_path / "of-postgresql.sqlite3"), "--yes")
    assert rows_of(back / NAME) == rows_of(here / NAME)
    keys = {
        (folder / "secret_key").read_text(encoding="utf-8") for folder in (here, there, back)
    }
    assert len(keys) == 1


def rows_of(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """Every row by table; but not when migrations were applied, nor in which order the keys of
    an object stand."""

    def plain(value: object) -> object:
        is_object = isinstance(value, str) and value.startswith(("{", "["))
        return json.loads(str(value)) if is_object else value

    with closing(sqlite3.connect(path)) as line:
        tables = line.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        ).fetchall()
        assert (restored.TABLE,) not in tables
        return {
            name: sorted(
                [tuple(map(plain, row)) for row in line.execute(f'SELECT * FROM "{name}"')],
                key=lambda row: repr(row[0]),
            )
            for (name,) in tables
            if name != "django_migrations"
        }

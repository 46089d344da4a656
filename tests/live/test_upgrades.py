"""A database of each release becomes this version's, killed at any moment and begun again, and
nothing of it is lost. ``releases/`` has the demo class as each release left it."""

from __future__ import annotations

import lzma
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, suppress
from pathlib import Path

import pytest

from tests.server import ROOT
from tests.site.databases import environment, run

RELEASES = sorted((ROOT / "tests" / "live" / "releases").glob("*.sqlite3.xz"))
KEPT = {
    "moves": "SELECT d.table_id, d.round, m.number, m.seat, m.text, m.mover FROM games_move m "
    "JOIN games_deal d ON d.id = m.deal_id",
    "answers": 'SELECT question_id, number, "right" FROM lessons_answer',
    "students": "SELECT classroom_id, name FROM classrooms_student",
    "teachers": "SELECT username, password FROM accounts_user",
}


def what_is_kept(path: Path) -> dict[str, list[tuple[object, ...]]]:
    with closing(sqlite3.connect(path)) as line:
        assert line.execute("PRAGMA quick_check").fetchall() == [("ok",)]
        return {name: sorted(line.execute(text)) for name, text in KEPT.items()}


@pytest.fixture(params=RELEASES, ids=lambda release: release.name)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / "xactika.sqlite3"
    path.write_bytes(lzma.decompress(request.param.read_bytes()))
    return path


def test_all_of_a_release_is_there_after_an_upgrade_that_was_killed(
    database: Path, soak: bool
) -> None:
    folder, content = database.parent, database.read_bytes()
    before = what_is_kept(database)
    assert len(before["moves"]) == 2999
    began = time.monotonic()
    upgrade(folder)
    lasts = time.monotonic() - began
    assert what_is_kept(database) == before
    moments = 10 if soak else 2
    for n in range(moments):
        for file in folder.glob("xactika*"):
            file.unlink()
        database.write_bytes(content)
        going = subprocess.Popen(
            [sys.executable, "manage.py", "migrate", "-v0"],
            cwd=ROOT,
            env=environment(folder),
            stdout=subprocess.DEVNULL,
        )
        with suppress(subprocess.TimeoutExpired):
            going.wait(lasts * (n + 0.5) / moments)
        going.kill()
        going.wait()
        upgrade(folder)
        assert what_is_kept(database) == before
    checked = run(folder, "manage.py", "rebuild_results", "--check")
    assert checked.stdout.endswith(", 0 differed\n"), checked.stderr


def upgrade(folder: Path) -> None:
    done = run(folder, "manage.py", "migrate", "-v0")
    assert done.returncode == 0, done.stderr

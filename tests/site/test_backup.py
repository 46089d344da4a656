"""Backups: what is written, what is refused, and that what was restored is what was stored."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, nullcontext
from pathlib import Path

import pytest
from filelock import FileLock

from tests.python import python
from tests.server import ROOT, migrated
from tests.site.databases import an_earlier_one, environment, is_its_owners_alone, is_there
from xactika_site import restored

NAME = "xactika.sqlite3"


def run(folder: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    """The command, of an installation in this folder whose key lies in its file."""
    own = environment(folder)
    del own["XACTIKA_SECRET_KEY"]
    return python("-m", "xactika_site.command", *arguments, environment=own | more)


def write(path: Path, session: str) -> None:
    with closing(sqlite3.connect(path)) as line, line:
        row = "INSERT INTO django_session VALUES (?, 'kept', '2099-01-01')"
        line.execute(row, [session])


def sessions(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as line:
        return [
            key
            for (key,) in line.execute("SELECT session_key FROM django_session ORDER BY 1 DESC")
        ]


def an_installation(folder: Path) -> Path:
    """One with a key, and a row that its backup will hold."""
    folder.mkdir()
    (folder / NAME).write_bytes(migrated().read_bytes())
    write(folder / NAME, "before")
    (folder / "secret_key").write_text("k" * 20 + "abcdefghijklmnop", encoding="utf-8")
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return an_installation(tmp_path / "Ana María 100% #1")


@pytest.fixture(scope="module")
def its_backup(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """What the command writes of such an installation."""
    there = tmp_path_factory.mktemp("its own")
    done = run(an_installation(there / "100% #1"), "backup", str(there / "a backup.sqlite3"))
    assert done.returncode == 0, done.stderr
    assert is_its_owners_alone(there / "a backup.sqlite3")
    return (there / "a backup.sqlite3").read_bytes()


@pytest.fixture
def backup(folder: Path, its_backup: bytes) -> Path:
    path = folder.parent / "a backup.sqlite3"
    path.write_bytes(its_backup)
    return path


def test_what_was_restored_is_what_was_stored_and_so_is_the_key(
    folder: Path, backup: Path
) -> None:
    key = (folder / "secret_key").read_text(encoding="utf-8")
    (folder / "secret_key").write_text("another key of another installation", encoding="utf-8")
    write(folder / NAME, "after")
    done = run(folder, "restore", str(backup), "--yes")
    assert done.returncode == 0, done.stderr
    assert "of another installation" in done.stdout
    assert sessions(folder / NAME) == ["before"]
    assert (folder / "secret_key").read_text(encoding="utf-8") == key
    (aside,) = folder.glob("xactika.before-restore.*.sqlite3")
    assert str(aside) in done.stdout
    assert sessions(aside) == ["before", "after"]
    with closing(sqlite3.connect(folder / NAME)) as line:
        assert not line.execute(f"PRAGMA table_info({restored.TABLE})").fetchall()
    left = {each.name for each in folder.iterdir()} - {NAME, "secret_key", aside.name}
    assert left <= {f"{NAME}.lock"}


def test_without_a_yes_nothing_is_restored(folder: Path, backup: Path) -> None:
    write(folder / NAME, "after")
    done = run(folder, "restore", str(backup))
    assert done.returncode == 1
    assert "--yes" in done.stdout
    assert sessions(folder / NAME) == ["before", "after"]


def test_a_backup_of_an_earlier_version_is_brought_up_to_this_one(
    folder: Path, tmp_path: Path
) -> None:
    earlier = tmp_path / "earlier"
    earlier.mkdir()
    an_earlier_one(earlier)
    (earlier / "secret_key").write_text(
        "0123456789abcdefghijklmnopqrstuvwxyz", encoding="utf-8"
    )
    assert run(earlier, "backup", str(tmp_path / "old.sqlite3")).returncode == 0
    assert run(folder, "restore", str(tmp_path / "old.sqlite3"), "--yes").returncode == 0
    assert is_there(folder / NAME)
    with (
        closing(sqlite3.connect(folder / NAME)) as line,
        closing(sqlite3.connect(migrated())) as now,
    ):
        count = "SELECT count(*) FROM django_migrations"
        assert line.execute(count).fetchone() == now.execute(count).fetchone()


def test_so_many_are_kept_in_a_folder(folder: Path, tmp_path: Path) -> None:
    there = tmp_path / "backups"
    there.mkdir()
    for n in range(3):
        (there / f"xactika-2026-01-0{n + 1}-000000-with-key.sqlite3").touch()
    (there / "mine.sqlite3").touch()
    done = run(folder, "backup", str(there), "--keep", "2")
    assert done.returncode == 0, done.stderr
    kept = sorted(each.name for each in there.iterdir())
    assert len(kept) == 3
    assert kept[:2] == ["mine.sqlite3", "xactika-2026-01-03-000000-with-key.sqlite3"]


def damaged(backup: Path) -> None:
    content = bytearray(backup.read_bytes())
    content[8192:16384] = bytes(8192)
    backup.write_bytes(content)


def newer(backup: Path) -> None:
    with closing(sqlite3.connect(backup)) as line, line:
        row = "INSERT INTO django_migrations (app, name, applied) VALUES ('games', '9999', '')"
        line.execute(row)


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (damaged, "is damaged"),
        (newer, "newer than this one"),
        (lambda backup: backup.write_text("hello", encoding="utf-8"), "or no backup"),
        (lambda backup: backup.write_bytes(migrated().read_bytes()), "or no backup"),
        (lambda backup: backup.unlink(), "is not there"),
    ],
)
def test_what_is_no_sound_backup_is_refused_in_one_line(
    folder: Path, backup: Path, spoil: object, words: str
) -> None:
    assert callable(spoil)
    spoil(backup)
    before = (folder / NAME).read_bytes()
    done = run(folder, "restore", str(backup), "--yes")
    assert done.returncode == 1
    assert words in done.stderr
    assert done.stderr.count("\n") == 1
    assert (folder / NAME).read_bytes() == before


@pytest.mark.parametrize("is_empty", [True, False])
def test_without_a_class_there_is_nothing_to_back_up(tmp_path: Path, is_empty: bool) -> None:
    folder = tmp_path / "new"
    folder.mkdir()
    if is_empty:
        (folder / NAME).touch()
    done = run(folder, "backup", str(tmp_path / "backup.sqlite3"))
    assert done.returncode == 1
    assert "is not there yet: begin a class first" in done.stderr
    assert done.stderr.count("\n") == 1
    assert (folder / NAME).exists() == is_empty


def test_nothing_is_restored_under_a_running_server(folder: Path, backup: Path) -> None:
    with FileLock(folder / f"{NAME}.lock"):
        done = run(folder, "restore", str(backup), "--yes")
    assert done.returncode == 1
    assert "already running" in done.stderr
    assert run(folder, "backup", str(folder.parent)).returncode == 0


def test_a_file_that_is_there_is_not_written_over(folder: Path, backup: Path) -> None:
    before = backup.read_bytes()
    done = run(folder, "backup", str(backup))
    assert done.returncode == 1
    assert "is there already" in done.stderr
    assert backup.read_bytes() == before


def test_another_key_of_the_environment_stands_against_it(folder: Path, backup: Path) -> None:
    own = {"XACTIKA_SECRET_KEY": "one that the environment has, and long"}
    done = run(folder, "restore", str(backup), "--yes", **own)
    assert done.returncode == 1
    assert "XACTIKA_SECRET_KEY" in done.stderr


@pytest.mark.parametrize("step", range(4))
def test_broken_off_after_the_commit_the_next_start_ends_it(tmp_path: Path, step: int) -> None:
    """Each state in which a process that was killed can have left the folder."""
    database, key = tmp_path / NAME, tmp_path / "secret_key"
    key.write_text("old", encoding="utf-8")
    for path, name in ((database, "old"), (restored.waiting_at(database), "new")):
        with closing(sqlite3.connect(path)) as line, line:
            line.execute("CREATE TABLE it (name TEXT)")
            line.execute("INSERT INTO it VALUES (?)", [name])
    with closing(sqlite3.connect(restored.waiting_at(database))) as line, line:
        line.execute(f"CREATE TABLE {restored.TABLE} (name TEXT, value TEXT)")
        line.execute(f"INSERT INTO {restored.TABLE} VALUES ('key', 'new')")
        if step:
            key.write_text("new", encoding="utf-8")
        if step > 1:
            line.execute(f"DROP TABLE {restored.TABLE}")
    if step > 2:
        database.unlink()
    restored.put_in_place(database, key)
    assert restored.put_in_place(database, key) is None
    assert key.read_text(encoding="utf-8") == "new"
    with closing(sqlite3.connect(database)) as line:
        assert line.execute("SELECT name FROM it").fetchall() == [("new",)]


def test_who_is_at_it_is_not_disturbed(tmp_path: Path) -> None:
    database = tmp_path / NAME
    for path in (database, restored.waiting_at(database)):
        with closing(sqlite3.connect(path)) as line, line:
            line.execute("CREATE TABLE it (name TEXT)")
    with restored.lock_of(database):
        restored.put_in_place_if_left(database, None)
        assert restored.waiting_at(database).exists()
    restored.put_in_place_if_left(database, None)
    assert not restored.waiting_at(database).exists()


@pytest.mark.parametrize(("error", "is_waited_for"), [(32, True), (5, True), (0, False)])
def test_a_file_that_another_program_holds_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: int, is_waited_for: bool
) -> None:
    """As an antivirus of Windows holds it; where there is no right to it nobody waits."""
    part, path, tries = tmp_path / "part", tmp_path / "path", []
    part.write_text("new", encoding="utf-8")
    path.write_text("old", encoding="utf-8")
    replace = Path.replace

    def held(self: Path, target: Path) -> Path:
        tries.append(target)
        if len(tries) == 3:
            return replace(self, target)
        refused = PermissionError()
        refused.winerror = error  # type: ignore[attr-defined, unused-ignore]
        raise refused

    monkeypatch.setattr(Path, "replace", held)
    with nullcontext() if is_waited_for else pytest.raises(PermissionError):
        restored.replace(part, path)
    assert path.read_text(encoding="utf-8") == ("new" if is_waited_for else "old")
    assert len(tries) == (3 if is_waited_for else 1)


def test_what_a_killed_process_left_is_cleared(folder: Path, backup: Path) -> None:
    for name, hours in (("restore-killed", 0), ("backup-killed", 2), ("backup-at-work", 0)):
        (folder / name).mkdir()
        (folder / name / "part").touch()
        then = time.time() - hours * 3600
        os.utime(folder / name, (then, then))
    assert run(folder, "backup", str(folder)).returncode == 0
    assert run(folder, "restore", str(backup), "--yes").returncode == 0
    left = {each.name for each in folder.iterdir() if each.is_dir()} - {"cache"}
    assert left == {"backup-at-work"}


def test_without_room_nothing_is_left_of_a_backup(folder: Path) -> None:
    if not hasattr(os, "geteuid"):
        pytest.skip("a limit on files is set by the shell")
    there = folder.parent / "there"
    there.mkdir()
    command = f"ulimit -f 100; exec {sys.executable} -m xactika_site.command backup '{there}'"
    own = environment(folder)
    done = subprocess.run(
        ["bash", "-c", command], cwd=ROOT, env=own, capture_output=True, encoding="utf-8"
    )
    assert done.returncode == 1, done.stderr
    assert "cannot be written to" in done.stderr
    assert list(there.iterdir()) == []

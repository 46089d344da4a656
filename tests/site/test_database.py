"""The database before it is served: copied before it changes, refused where it is not ours."""

from __future__ import annotations

import errno
import json
import os
import sqlite3
import stat
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from unittest.mock import Mock

import pytest
from filelock import FileLock

from tests.python import python
from tests.scenes import present
from tests.server import Server
from tests.site.databases import (
    an_earlier_one,
    environment,
    is_its_owners_alone,
    is_there,
    run,
)
from xactika_site import database, locations

SETTINGS = {"DJANGO_SETTINGS_MODULE": "xactika_site.settings"}
TABLES = "xactika_site.database.connection.introspection.table_names"
KILLED_BEFORE_IT_IS_CHANGED = (
    "import os, runpy, sys; from django.db.migrations.executor import "
    "MigrationExecutor as M; sys.argv[1:] = ['migrate', '-v0'];"
    "M.apply_migration = lambda *a, **k: os._exit(9);"
    "runpy.run_path('manage.py', run_name='__main__')"
)


def migrated(path: Path) -> set[tuple[str, str]]:
    with closing(sqlite3.connect(path)) as stored:
        return set(stored.execute("SELECT app, name FROM django_migrations"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A name as people give them."""
    folder = tmp_path / "Ana María 100% #1"
    folder.mkdir()
    return folder


def test_before_a_database_is_changed_it_is_copied(folder: Path) -> None:
    path = an_earlier_one(folder)
    before = migrated(path)
    done = run(folder, "manage.py", "migrate", "-v0")
    (copy,) = folder.glob("xactika.before-*.sqlite3")
    assert str(copy) in done.stdout
    assert migrated(copy) == before < migrated(path)
    assert is_there(copy)
    assert is_there(path)
    assert is_its_owners_alone(copy)
    # Nothing is to be changed any more: nothing is copied.
    assert run(folder, "manage.py", "migrate", "-v0").stdout == ""
    assert len(list(folder.glob("*.before-*"))) == 1


def test_a_new_database_is_not_copied(folder: Path) -> None:
    assert run(folder, "-c", KILLED_BEFORE_IT_IS_CHANGED).returncode == 9
    assert [path.name for path in folder.glob("*.sqlite3")] == ["xactika.sqlite3"]


READ_WHILE_IT_IS_OPEN = """
import django, json, sys; django.setup()
from django.core.management import call_command
from django.db import connection
from xactika_site import database
database.claim_sole_process()
call_command("migrate", *sys.argv[1:], verbosity=0)
connection.cursor().execute("UPDATE django_migrations SET name = name")
found = database.file().parent.iterdir()
print(json.dumps({file.name: oct(file.stat().st_mode & 0o777) for file in found}))
"""


def modes(folder: Path, *app: str, **changes: str) -> dict[str, str]:
    """What lies beside an open database, prepared for this app or all, and who may read it,
    where all files that are made are open to everybody."""
    own = environment(folder) | SETTINGS | {"XACTIKA_SECRET_KEY": ""} | changes
    done = python("-c", READ_WHILE_IT_IS_OPEN, *app, environment=own, is_open=True)
    assert done.returncode == 0, done.stderr
    found: dict[str, str] = json.loads(done.stdout.splitlines()[-1])
    return found


ONLY_POSIX = pytest.mark.skipif(os.name != "posix", reason="the folder says who may read")


@ONLY_POSIX
@pytest.mark.parametrize("named", ["XACTIKA_DATA", "DATABASE_URL"])
def test_in_a_folder_that_others_read_its_files_are_its_owners_alone(
    tmp_path: Path, named: str
) -> None:
    tmp_path.chmod(0o755)
    path = tmp_path / "xactika.sqlite3"
    data = tmp_path if named == "XACTIKA_DATA" else tmp_path / "elsewhere"
    url = locations.sqlite_url(path) if named == "DATABASE_URL" else ""
    found = modes(tmp_path, "sessions", XACTIKA_DATA=str(data), DATABASE_URL=url)
    found.pop("elsewhere", None)
    beside = {path.name + end for end in ("", "-wal", "-shm", ".lock")}
    assert beside <= found.keys()
    assert set(found.values()) == {"0o600"}, found
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755


@ONLY_POSIX
def test_what_an_earlier_version_left_open_to_others_is_closed(folder: Path) -> None:
    path = an_earlier_one(folder)
    lock = path.with_name(f"{path.name}.lock")
    lock.touch()
    with closing(sqlite3.connect(path)) as crashed:
        crashed.execute("PRAGMA journal_mode=WAL")
        crashed.execute("UPDATE django_migrations SET name = name")
        left = {file: file.read_bytes() for file in folder.iterdir()}
    for file, content in left.items():  # as a process that was killed leaves them
        file.write_bytes(content)
        file.chmod(0o644)
    assert len(left) == 4
    found = modes(folder)
    assert {file.name for file in left} < found.keys()  # and the copy
    assert set(found.values()) == {"0o600"}, found


def test_killed_while_it_is_changed_the_copy_opens(folder: Path) -> None:
    path = an_earlier_one(folder)
    before = migrated(path)
    done = run(folder, "-c", KILLED_BEFORE_IT_IS_CHANGED)
    assert done.returncode == 9
    (copy,) = folder.glob("xactika.before-*.sqlite3")
    assert migrated(copy) == before
    assert is_there(copy)
    copy.replace(path)
    assert run(folder, "manage.py", "migrate", "-v0").returncode == 0
    assert is_there(path)


def test_three_copies_are_kept_and_none_beyond_the_period(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "cards.sqlite3"
    monkeypatch.setattr(database, "file", lambda: file)
    monkeypatch.setattr(TABLES, lambda: ["cards"])
    with closing(sqlite3.connect(file)) as stored, stored:
        stored.execute("CREATE TABLE cards (code)")
    for number in range(5):
        monkeypatch.setattr(
            database, "_time_in_name", lambda number=number: f"2026-01-0{number}"
        )
        database.copy_first(plan=["one"])
        newest = database.copies()[-1]
        os.utime(newest, (number, number))
    assert [path.name[-10 - 8 : -8] for path in database.copies()] == [
        "2026-01-02",
        "2026-01-03",
        "2026-01-04",
    ]
    assert database.purge_copies(datetime.fromtimestamp(3.5, UTC)) == 2
    assert len(database.copies()) == 1
    assert database.purge_copies(datetime.now(UTC) - timedelta(days=1)) == 1


def test_without_room_for_a_copy_nothing_is_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "cards.sqlite3"
    sqlite3.connect(file).close()
    monkeypatch.setattr(database, "file", lambda: file)
    monkeypatch.setattr(TABLES, lambda: ["cards"])
    full = Mock(side_effect=sqlite3.OperationalError("database or disk is full"))
    monkeypatch.setattr("xactika_site.database.sqlite3.connect", full)
    with pytest.raises(SystemExit, match=r"can't copy .* before changing it.*free \d+ MB"):
        database.copy_first(plan=["one"])
    assert list(tmp_path.glob("*before*")) == []


@pytest.mark.parametrize("command", ["xactika_site", "xactika_site.command"])
def test_a_newer_database_stops_the_start_with_one_line(folder: Path, command: str) -> None:
    path = folder / "xactika.sqlite3"
    Server(folder, DATABASE_URL=locations.sqlite_url(path)).migrate()
    with closing(sqlite3.connect(path)) as stored, stored:
        stored.execute(
            "INSERT INTO django_migrations (app, name, applied)"
            " VALUES ('games', '9999_later', '2030-01-01')"
        )
    if command.endswith("command"):
        path = path.rename(folder / "demo.sqlite3")
    stored_then = path.read_bytes()
    done = run(folder, "-m", command)
    assert done.returncode != 0
    assert done.stderr.startswith(f"{path} is from a newer version of Xactika")
    assert len(done.stderr.splitlines()) == 1
    assert path.read_bytes() == stored_then


@pytest.mark.parametrize("command", ["xactika_site", "xactika_site.command"])
def test_a_broken_database_stops_the_start_with_one_line(folder: Path, command: str) -> None:
    name = "demo" if command.endswith("command") else "xactika"
    path = folder / f"{name}.sqlite3"
    path.write_bytes(b"this was a database once" * 400)
    done = run(folder, "-m", command)
    assert done.returncode != 0
    assert done.stderr.startswith(f"{path} is damaged, or no database: move it away")
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert path.read_bytes() == b"this was a database once" * 400


def damaged_in_the_middle(path: Path) -> Path:
    """The start reads nothing there: the schema and the tables that it asks are whole."""
    with closing(sqlite3.connect(path)) as stored:
        roots = "SELECT rootpage FROM sqlite_schema WHERE name = 'games_move'"
        (page,) = stored.execute(roots).fetchone()
        (size,) = stored.execute("PRAGMA page_size").fetchone()
        assert stored.execute("PRAGMA journal_mode = DELETE").fetchone() == ("delete",)
    with path.open("r+b") as written:
        written.seek((page - 1) * size)
        written.write(b"\xff" * size)
    return path


@pytest.mark.parametrize(
    "command", [("-m", "xactika_site"), ("manage.py", "migrate", "-v0")], ids=["start", "copy"]
)
def test_damage_in_the_middle_stops_a_start_and_a_copy_with_one_line(
    folder: Path, command: tuple[str, ...]
) -> None:
    path = folder / "xactika.sqlite3"
    if "migrate" in command:
        an_earlier_one(folder)
    else:
        Server(folder, DATABASE_URL=locations.sqlite_url(path)).migrate()
    damaged_in_the_middle(path)
    done = run(folder, *command)
    assert done.returncode != 0
    assert done.stderr.startswith(f"{path} is damaged, or no database: move it away")
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert list(folder.glob("*before*")) == []


def test_the_doctor_finds_damage_in_the_middle(folder: Path) -> None:
    path = folder / "xactika.sqlite3"
    Server(folder, DATABASE_URL=locations.sqlite_url(path)).migrate()
    assert " ready; teachers: " in run(folder, "-m", "xactika_site.command", "doctor").stdout
    damaged_in_the_middle(path)
    told = run(folder, "-m", "xactika_site.command", "doctor").stdout
    assert f" {path} is damaged, or no database: move it away" in told
    assert "ready" not in told


def test_a_start_looks_for_damage_no_longer_than_it_may(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "cards.sqlite3"
    with closing(sqlite3.connect(file)) as stored, stored:
        stored.execute("CREATE TABLE games_move (text)")
    damaged_in_the_middle(file)
    monkeypatch.setattr(database, "file", lambda: file)
    with pytest.raises(SystemExit, match="is damaged"):
        database.must_be_whole()
    database.must_be_whole(at_most=0.0)


def test_a_database_that_is_not_prepared_names_the_command_that_does(folder: Path) -> None:
    done = run(folder, "-m", "xactika_site")
    assert done.stderr == (
        f"{folder / 'xactika.sqlite3'} is not prepared for this version: "
        f"{locations.COMMANDS.manage} migrate\n"
    )


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP])
def test_a_drive_without_locks_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    no_locks = Mock(side_effect=OSError(number, os.strerror(number)))
    monkeypatch.setattr(FileLock, "acquire", no_locks)
    monkeypatch.setattr(database, "file", lambda: tmp_path / "cards.sqlite3")
    with pytest.raises(SystemExit, match=r"on a drive without locks.*XACTIKA_DATA"):
        database.claim_sole_process.__wrapped__()


def test_two_on_a_database_do_not_meet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "file", lambda: tmp_path / "cards.sqlite3")
    claim = database.claim_sole_process.__wrapped__
    lock = present(claim())
    with pytest.raises(SystemExit, match=r"already running with cards\.sqlite3"):
        claim()
    lock.release()
    again = present(claim())
    again.release()


def test_an_address_holds_any_name(folder: Path) -> None:
    code = "from django.conf import settings; print(settings.DATABASES['default']['NAME'])"
    env = environment(folder) | SETTINGS
    for name in ("", locations.sqlite_url(folder / "demo.sqlite3")):
        done = python("-c", code, environment=env | {"DATABASE_URL": name})
        wanted = folder / ("demo.sqlite3" if name else "xactika.sqlite3")
        assert done.stdout.strip() == str(wanted)

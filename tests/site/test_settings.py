"""The environment: what cannot work stops the start with one line; the server's own manners."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import stat
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
import segno
from pytest_django import Settings

from tests.python import python
from tests.scenes import SOAK
from tests.server import ROOT, TEST_KEY, Server
from tests.site.databases import is_its_owners_alone
from xactika_site import lan, locations
from xactika_site.serving import follow_the_network, tell_of_visitors

OURS = ("XACTIKA_", "REDIS_", "DATABASE_", "PORT")


def clean_environment(folder: Path, **changes: str) -> dict[str, str]:
    """The environment of a fresh installation whose data is in ``folder``."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
    return {
        **kept,
        "XACTIKA_SECRET_KEY": TEST_KEY,
        "DATABASE_URL": f"sqlite:///{folder}/check.sqlite3",
        "PYTHONIOENCODING": "utf-8",
        **changes,
    }


def run(
    *arguments: str, environment: dict[str, str], folder: Path = ROOT
) -> subprocess.CompletedProcess[str]:
    """Python with these arguments, in the house (or in ``folder``), to its end."""
    return python(*arguments, environment=environment, folder=folder, is_open=True)


def check(environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return run("manage.py", *(arguments or ("check",)), environment=environment)


def prepared(environment: dict[str, str]) -> None:
    """The database that this environment names has its tables."""
    url = environment["DATABASE_URL"]
    Server(Path(url.removeprefix("sqlite:///")).parent, DATABASE_URL=url).migrate()


def test_a_good_environment_starts(tmp_path: Path) -> None:
    good = clean_environment(
        tmp_path,
        XACTIKA_DEBUG="0",
        XACTIKA_ALLOWED_HOSTS="cards.school, 10.0.0.5",
        XACTIKA_BASE_URL="https://cards.school",
        XACTIKA_RETENTION_DAYS="30",
        PORT="8123",
        REDIS_URL="redis://127.0.0.1:6379/0",
    )
    done = check(good)
    assert (done.returncode, done.stderr) == (0, "")


BAD_VALUES = [
    ("XACTIKA_DEBUG", "maybe"),
    ("XACTIKA_DEBUG", "2"),
    ("PORT", "http"),
    ("PORT", "-1"),
    ("PORT", "65536"),
    ("PORT", "80.0"),
    ("PORT", "\N{SUPERSCRIPT TWO}"),
    ("XACTIKA_LANGUAGE", "de"),
    ("XACTIKA_RETENTION_DAYS", "0"),
    ("XACTIKA_RETENTION_DAYS", "for ever"),
    ("XACTIKA_BASE_URL", "cards.school"),
    ("XACTIKA_BASE_URL", "ftp://cards.school"),
    ("XACTIKA_BASE_URL", "https://"),
    ("XACTIKA_BASE_URL", "http://["),
    ("XACTIKA_BASE_URL", "https://cards.school/xactika"),
    ("XACTIKA_BASE_URL", "https://cards.school:port"),
    ("XACTIKA_BASE_URL", "http://cards.school:99999"),
    ("XACTIKA_SECRET_KEY", "x"),
    ("XACTIKA_SECRET_KEY", "thirty letters, and no one more"),
    ("XACTIKA_SECRET_KEY", "a" * 64),
    ("XACTIKA_ALLOWED_HOSTS", "https://cards.school"),
    ("XACTIKA_METRICS", "1"),
    ("XACTIKA_METRICS", "thirty-one-letters-and-none-more"[1:]),
    ("XACTIKA_METRICS", "a token of more than thirty-two letters, with spaces"),
    ("REDIS_URL", "redis://127.0.0.1:6379/x"),
    ("REDIS_URL", "redis://127.0.0.1:99999/0"),
    ("REDIS_URL", "redis://127.0.0.1/0/1"),
    ("REDIS_URL", "127.0.0.1:6379"),
    ("REDIS_URL", "http://127.0.0.1"),
    ("REDIS_URL", "redis://["),
    ("DATABASE_URL", "xactika.sqlite3"),
    ("DATABASE_URL", "mysql://u:p@127.0.0.1/cards"),
    ("DATABASE_URL", "oracle://u:p@127.0.0.1/cards"),
    ("DATABASE_URL", "postgres://u:p@127.0.0.1:port/cards"),
    ("DATABASE_URL", "postgres://["),
    ("DATABASE_URL", "sqlite://:memory:"),
    ("DATABASE_URL", "sqlite:///"),
    ("DATABASE_URL", "sqlite:////dev/null/cards.sqlite3"),
]


def one_line(done: subprocess.CompletedProcess[str], name: str) -> None:
    """It must have stopped with one line about this variable."""
    assert done.returncode != 0
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr[-400:]
    assert lines[0].startswith(f"{name}: ")
    assert len(lines[0]) < 200


SOME_BAD_VALUES = [*dict(BAD_VALUES[::-1]).items()][: None if SOAK else 3]
"""A value a name; all of them in the long checks: they are refused in one way."""


@pytest.mark.parametrize(("name", "value"), BAD_VALUES)
def test_a_value_that_cannot_work_is_refused_in_one_line(
    tmp_path: Path, name: str, value: str
) -> None:
    environment = clean_environment(tmp_path, **{name: value})
    one_line(run("-c", "import xactika_site.settings", environment=environment), name)


@pytest.mark.parametrize(("name", "value"), SOME_BAD_VALUES)
def test_a_bad_value_stops_the_start_with_one_line(
    tmp_path: Path, name: str, value: str
) -> None:
    one_line(check(clean_environment(tmp_path, **{name: value})), name)


@pytest.mark.parametrize(
    ("name", "value", "module", "extra"),
    [
        ("DATABASE_URL", "postgres://u:p@127.0.0.1/cards", "psycopg", "server"),
        ("DATABASE_URL", "postgres://u:p@127.0.0.1/cards", "psycopg_pool", "server"),
        ("REDIS_URL", "redis://127.0.0.1:6379/0", "redis", "server"),
        ("REDIS_URL", "redis://127.0.0.1:6379/0", "channels_redis", "server"),
        ("XACTIKA_LTI", "1", "pylti1p3", "lti"),
    ],
)
def test_what_a_server_needs_besides_is_named(
    tmp_path: Path, name: str, value: str, module: str, extra: str
) -> None:
    environment = clean_environment(tmp_path, **{name: value})
    code = f"import sys; sys.modules[{module!r}] = None; import xactika_site.settings"
    done = run("-c", code, environment=environment)
    one_line(done, name)
    assert f"needs {module}: install “xactika-classroom[{extra}]”" in done.stderr


def test_a_refused_database_address_keeps_its_password(tmp_path: Path) -> None:
    url = "postgres://cards:hunter2@127.0.0.1:port/cards"
    done = check(clean_environment(tmp_path, DATABASE_URL=url))
    assert done.returncode != 0
    assert "hunter2" not in done.stderr + done.stdout


def secret_key_of(folder: Path, **changes: str) -> subprocess.CompletedProcess[str]:
    code = "from xactika_site import settings as s; print(s.SECRET_KEY)"
    environment = clean_environment(folder, XACTIKA_DATA=str(folder / "data"), **changes)
    return run("-c", code, environment=environment)


def test_a_secret_key_is_made_once_and_is_its_owners_alone(tmp_path: Path) -> None:
    first = secret_key_of(tmp_path, XACTIKA_SECRET_KEY="")
    second = secret_key_of(tmp_path, XACTIKA_SECRET_KEY=" ")
    assert first.returncode == second.returncode == 0
    assert first.stdout == second.stdout
    assert len(first.stdout.strip()) >= 50
    file = tmp_path / "data" / "secret_key"
    assert file.read_text(encoding="utf-8").strip() == first.stdout.strip()
    assert is_its_owners_alone(file)
    if os.name == "posix":
        assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    own = "my own four words that nobody guesses"
    third = secret_key_of(tmp_path, XACTIKA_SECRET_KEY=own)
    assert third.stdout == f"{own}\n"


def test_an_empty_secret_key_file_stops_the_start_with_one_line(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "secret_key").touch()
    done = secret_key_of(tmp_path, XACTIKA_SECRET_KEY="")
    assert done.returncode != 0
    assert done.stderr.startswith("XACTIKA_SECRET_KEY: ")
    assert len(done.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize(("base", "seconds"), [("https", 31_536_000), ("http", 0)])
def test_under_https_browsers_are_told_to_stay_there(
    tmp_path: Path, base: str, seconds: int
) -> None:
    environment = clean_environment(tmp_path, XACTIKA_BASE_URL=f"{base}://cards.school")
    code = """
from django.conf import settings
from django.http import HttpResponse
from django.middleware.security import SecurityMiddleware
from django.test import RequestFactory
answer = SecurityMiddleware(lambda _: HttpResponse())(RequestFactory().get("/", secure=True))
print(answer.headers.get("Strict-Transport-Security"))
"""
    environment["DJANGO_SETTINGS_MODULE"] = "xactika_site.settings"
    said = run("-c", code, environment=environment).stdout.strip()
    assert said == (f"max-age={seconds}" if seconds else "None")


def test_a_key_comes_from_a_file_that_is_named(tmp_path: Path) -> None:
    file = tmp_path / "credential"
    file.write_text("a key of a service's, long and its own\n", encoding="utf-8")
    own = {"XACTIKA_SECRET_KEY": "", "XACTIKA_SECRET_KEY_FILE": str(file)}
    assert (
        secret_key_of(tmp_path, **own).stdout.strip()
        == "a key of a service's, long and its own"
    )
    assert not (tmp_path / "data" / "secret_key").exists()
    file.write_text("short", encoding="utf-8")
    one_line(secret_key_of(tmp_path, **own), "XACTIKA_SECRET_KEY")
    file.unlink()
    one_line(secret_key_of(tmp_path, **own), "XACTIKA_SECRET_KEY_FILE")


@pytest.mark.parametrize(
    ("folder", "service"),
    [
        ("/home/ada/OneDrive - School/xactika", "OneDrive"),
        ("/Users/ada/Library/Mobile Documents/x", "Mobile Documents"),
        ("/home/ada/.local/share/xactika", ""),
    ],
)
def test_a_folder_that_is_kept_in_step_is_known_by_its_name(folder: str, service: str) -> None:
    assert locations.in_step_by(Path(folder)) == service


def test_a_start_warns_of_such_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "OneDrive - School"
    folder.mkdir()
    with Server(folder) as server:
        told = server.log.read_text(encoding="utf-8")
    assert f"Warning: OneDrive syncs {folder}, where a database can break" in told


@pytest.mark.skipif(not shutil.which("setpriv"), reason="root may write everywhere here")
@pytest.mark.parametrize("is_begun", [False, True])
def test_without_the_right_to_write_a_start_ends_in_one_line(
    tmp_path: Path, is_begun: bool
) -> None:
    """Also root without its special rights."""
    key = {} if is_begun else {"XACTIKA_SECRET_KEY": ""}
    folder = tmp_path / "data"
    folder.mkdir(mode=0o555)
    where = {"XACTIKA_DATA": str(folder), "DATABASE_URL": "", "PORT": "0"}
    plain = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search"]
    done = subprocess.run(
        [*(plain if os.geteuid() == 0 else ()), sys.executable, "-m", "xactika_site"],
        cwd=ROOT,
        env=clean_environment(tmp_path, **where, **key),
        capture_output=True,
        encoding="utf-8",
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert f"{folder} cannot be written to" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert list(folder.iterdir()) == []


def test_a_data_folder_that_cannot_be_used_is_named_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file, not a folder", encoding="utf-8")
    done = secret_key_of(tmp_path, XACTIKA_SECRET_KEY="")
    one_line(done, "XACTIKA_DATA")


def test_a_port_in_use_ends_the_start_in_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        environment = clean_environment(tmp_path, PORT=str(port))
        prepared(environment)
        done = run("-m", "xactika_site", environment=environment)
    assert done.returncode != 0
    assert done.stderr.startswith(f"127.0.0.1, port {port}: ")
    assert "set PORT to another" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert done.stdout == ""  # it must not say that it is there


def test_a_database_that_cannot_be_written_ends_the_start_in_one_line(tmp_path: Path) -> None:
    """No file may be written any more, as on a full disk."""
    pytest.importorskip("resource", reason="this system cannot limit what a process writes")
    environment = clean_environment(tmp_path, PORT="0")
    prepared(environment)
    code = """
import resource, runpy
_soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
runpy.run_module("xactika_site", run_name="__main__")
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode != 0
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr[-800:]
    assert done.stderr.startswith("the disk is full")
    assert done.stdout == ""


def test_bad_deals_give_one_line_at_the_command_line_too(tmp_path: Path) -> None:
    environment = clean_environment(tmp_path)
    done = check(environment, "open_table", "--deals", str(tmp_path / "none.json"))
    assert done.returncode == 1
    assert done.stderr.splitlines() == ["CommandError: none.json: No such file or directory."]


# The server.


def answer(address: str) -> Any:
    """The response to a GET, by a browser with cookies."""
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    return browser.open(address, timeout=30)


def test_the_server_is_the_only_one_on_its_database(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        with answer(f"{server.base}/healthz") as response:
            assert json.load(response) == {"status": "ok"}
            assert response.headers["Content-Security-Policy"].startswith("default-src 'none'")
            assert "Server" not in response.headers

        with answer(server.open_table(seats=2, people=2)["seats"][0]["link"]) as response:
            assert response.status == 200  # commands work beside the server

        second = Server(tmp_path, DATABASE_URL=server.environment["DATABASE_URL"])
        done = run("-m", "xactika_site", environment=second.environment)
        assert done.returncode != 0
        assert done.stderr.splitlines() == [
            "Xactika is already running with server.sqlite3: go on there, or stop it first "
            "(several processes need PostgreSQL in DATABASE_URL, and REDIS_URL)"
        ]
        with answer(f"{server.base}/healthz") as response:
            assert response.status == 200
        assert second.base not in done.stdout  # it must not say that it is there
    assert "Students join" not in server.log.read_text(encoding="utf-8")  # without the switch
    assert server.log.read_text(encoding="utf-8").count("Traceback") == 0


# The room's network.


def test_a_new_network_is_announced(
    monkeypatch: pytest.MonkeyPatch, settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(lan, "_before", set())
    settings.PORT, settings.LAN_URL, settings.ALLOWED_HOSTS = (
        8000,
        "http://192.168.1.5:8000",
        [],
    )
    addresses = iter(["192.168.1.5", None, "10.0.0.9", "10.0.0.9"])
    monkeypatch.setattr(lan, "own_address", lambda: next(addresses))
    over = iter([False, False, False, False, True])
    follow_the_network(lambda _seconds: next(over))
    said = capsys.readouterr().out
    assert said.count("in another network now") == 1
    assert "http://10.0.0.9:8000/join/" in said
    assert settings.LAN_URL == "http://10.0.0.9:8000"
    assert settings.ALLOWED_HOSTS == ["10.0.0.9"]
    assert lan.has_moved()


def test_the_room_is_told_where_to_join(tmp_path: Path) -> None:
    with Server(tmp_path, arguments=("--lan", "--host", "127.0.0.1")) as server:
        with answer(f"{server.base}/healthz") as response:
            assert response.status == 200
        told = server.log.read_text(encoding="utf-8")
        assert f"Students join at   {server.base}/join/" in told
        assert "▀" in told
        assert "Warning" not in told
        # A name that was not allowed stays so.
        foreign = urllib.request.Request(f"{server.base}/healthz", headers={"Host": "x.test"})
        with pytest.raises(urllib.error.HTTPError, match="400"):
            urllib.request.urlopen(foreign, timeout=30)


def test_settings_that_contradict_the_room_are_named(tmp_path: Path) -> None:
    environment: dict[str, Any] = {
        "XACTIKA_BASE_URL": "http://cards.school",
        "XACTIKA_ALLOWED_HOSTS": "localhost",
    }
    with Server(
        tmp_path, arguments=("--lan", "--host", "127.0.0.1"), asks="localhost", **environment
    ) as server:
        lines = server.log.read_text(encoding="utf-8").splitlines()
        warnings = [line.split()[1] for line in lines if line.startswith("  Warning: ")]
        assert warnings == ["XACTIKA_BASE_URL", "XACTIKA_ALLOWED_HOSTS"]
        assert "  Students join at   http://cards.school/join/" in lines


class TestWhoHasReachedThisComputer:
    """No firewall can be tried from inside: the first other device is the proof."""

    @pytest.fixture
    def visitors(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> lan.Visitors:
        monkeypatch.setattr(lan, "own_addresses", lambda: frozenset({"192.168.1.5"}))
        monkeypatch.setattr(lan, "came_file", lambda: tmp_path / "reached")
        return lan.Visitors()

    def test_only_others_count(
        self, visitors: lan.Visitors, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        visitors.note("127.0.0.1")
        visitors.note("192.168.1.5")
        monkeypatch.setattr(lan, "own_addresses", lambda: frozenset({"10.0.0.5"}))
        visitors.note("10.0.0.5")  # it went to another network meanwhile
        assert not visitors.have_come
        assert not (tmp_path / "reached").exists()
        visitors.note("10.0.0.77")
        assert visitors.have_come
        assert (tmp_path / "reached").read_bytes() == b""

    def test_one_that_comes_soon_is_told_once(
        self, visitors: lan.Visitors, capsys: pytest.CaptureFixture[str]
    ) -> None:
        visitors.note("192.168.1.77")
        tell_of_visitors(visitors.wait, 8000)
        (line,) = capsys.readouterr().out.splitlines()
        assert "Another device has reached this computer" in line
        assert "77" not in line

    def test_after_two_minutes_without_any_the_way_in_is_told(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        waited: list[float | None] = []

        def wait(seconds: float | None) -> bool:
            waited.append(seconds)
            return seconds is None

        monkeypatch.setattr("sys.platform", "win32")
        tell_of_visitors(wait, 8123)
        told = capsys.readouterr().out
        assert waited == [120, None]
        assert told.index("No other device") < told.index("Another device")
        assert "netsh advfirewall" in told
        assert "localport=8123" in told

    @pytest.mark.parametrize(
        ("platform", "line"),
        [
            ("win32", "netsh advfirewall firewall add rule"),
            ("darwin", "--unblockapp"),
            ("linux", "sudo ufw allow 8000/tcp"),
        ],
    )
    def test_each_system_has_its_line(
        self, monkeypatch: pytest.MonkeyPatch, platform: str, line: str
    ) -> None:
        monkeypatch.setattr("sys.platform", platform)
        assert line in lan.firewall_command(8000)


@pytest.mark.parametrize("checkout", [True, False])
def test_windows_is_told_no_command_of_unix(checkout: bool) -> None:
    for command in locations.commands_of(checkout=checkout, windows=True):
        assert not re.search(r"/|\bmake\b|sudo", command)


@pytest.mark.parametrize(
    ("base_url", "allowed", "named"),
    [
        ("", ["127.0.0.1", "192.168.1.5"], []),
        ("http://192.168.1.5:8000", ["192.168.1.5"], []),
        ("", ["*"], []),
        ("https://cards.school", ["192.168.1.5"], ["XACTIKA_BASE_URL"]),
        ("", ["cards.school"], ["XACTIKA_ALLOWED_HOSTS"]),
    ],
)
def test_what_contradicts_an_address(
    base_url: str, allowed: list[str], named: list[str]
) -> None:
    lines = lan.contradictions("192.168.1.5", base_url, allowed)
    assert [line.split()[0] for line in lines] == named


def test_finding_the_own_address_sends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    refuse = Mock(side_effect=AssertionError("a packet was sent"))
    for name in ("send", "sendall", "sendto", "sendmsg"):
        monkeypatch.setattr(f"socket.socket.{name}", refuse, raising=False)
    monkeypatch.setattr("socket.getaddrinfo", refuse)
    address = lan.own_address()
    assert address is None or (address.count(".") == 3 and not address.startswith("127."))


def test_a_machine_in_no_network_has_no_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lan, "_addresses_by_routes", lambda: iter(["127.0.0.1"]))
    monkeypatch.setattr(lan, "_addresses_by_interfaces", lambda: iter(["127.0.0.1"]))
    assert lan.own_address() is None


def test_the_code_in_the_terminal_is_the_code() -> None:
    drawn = lan.qr_in_terminal("http://192.168.1.5:8000/join/").splitlines()
    dots = [[letter in pair for letter in line[2:]] for line in drawn for pair in (" ▄", " ▀")]
    side = len(dots[0])
    size = side - 4
    inner = [row[2 : 2 + size] for row in dots[2 : 2 + size]]
    code = segno.make("http://192.168.1.5:8000/join/", micro=False)
    assert inner == [[bool(dot) for dot in row] for row in code.matrix]

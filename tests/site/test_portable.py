"""The program starts where there is less: without what only Unix has, without numba, in a
terminal of few letters. ``.ci/run`` also runs whole parts of the suite that way."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.server import ROOT, TEST_KEY, Server
from xactika_site import lan

UNIX = "fcntl,grp,pwd,resource,termios,uvloop"
WITHOUT = ROOT / "tests" / "without"

IMPORT_ALL = """
import importlib, pkgutil, django
django.setup()
for package in ("games", "lessons", "xactika_site"):
    path = importlib.import_module(package).__path__
    for found in pkgutil.walk_packages(path, package + "."):
        if found.name.startswith(%r) or found.name.endswith("__main__"):
            continue
        importlib.import_module(found.name)
"""


def run(code: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("XACTIKA_", "DATABASE_"))}
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={
            **kept,
            "DJANGO_SETTINGS_MODULE": "xactika_site.settings",
            "PYTHONPATH": str(WITHOUT),
            "XACTIKA_DATA": str(folder),
            "XACTIKA_SECRET_KEY": TEST_KEY,
            **environment,
        },
        capture_output=True,
        encoding="utf-8",
    )


def test_every_module_is_imported_without_what_only_unix_has(tmp_path: Path) -> None:
    done = run(IMPORT_ALL % "-", tmp_path, XACTIKA_WITHOUT=UNIX)
    assert done.returncode == 0, done.stderr[-2000:]


def test_every_module_but_the_simulations_is_imported_without_numba(tmp_path: Path) -> None:
    done = run(IMPORT_ALL % "games.analysis.", tmp_path, XACTIKA_WITHOUT="numba,llvmlite")
    assert done.returncode == 0, done.stderr[-2000:]


def test_without_numba_nothing_is_waited_for(tmp_path: Path) -> None:
    code = (
        "from games import analysis\n"
        "try: analysis.load()\n"
        "except analysis.NotReady as why: print(why, analysis.is_impossible())"
    )
    done = run(code, tmp_path, XACTIKA_WITHOUT="numba")
    assert done.stdout == (
        "numba is not installed: bots count cards, and there are no odds True\n"
    )


@pytest.mark.parametrize("missing", ["", UNIX])
def test_a_terminal_of_few_letters_is_told_all_that_it_can_show(
    tmp_path: Path, missing: str
) -> None:
    environment: dict[str, Any] = {
        "PYTHONIOENCODING": "cp1252",
        "PYTHONPATH": str(WITHOUT),
        "XACTIKA_WITHOUT": missing,
    }
    with Server(tmp_path, arguments=("--lan", "--host", "127.0.0.1"), **environment) as server:
        told = server.log.read_text(encoding="cp1252")
    assert f"Students join at   {server.base}/join/" in told
    assert "▀" not in told
    assert "Traceback" not in told


def test_that_another_device_came_is_known_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XACTIKA_DATA", str(tmp_path))
    visitors = lan.Visitors()
    for own in ("127.0.0.1", "127.0.0.7", "::1", *lan.own_addresses()):
        visitors.note(own)
    assert not visitors.have_come
    assert list(tmp_path.iterdir()) == []
    visitors.note("203.0.113.9")
    assert visitors.have_come
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("reached", b"")]

"""The kernel is compiled once, loaded when asked, and nothing needs it to start."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from games import analysis

ROOT = Path(__file__).resolve().parent.parent.parent


def run(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    return done.stdout.strip()


def test_bots_and_exact_odds_start_without_the_kernel() -> None:
    code = (
        "import sys, games.analysis.bots, games.analysis.odds, games.analysis.counting;"
        "from games import analysis;"
        "print(analysis.ready(), 'numba' in sys.modules, 'numpy' in sys.modules)"
    )
    assert run(code) == "False False False"


def test_loading_makes_it_ready_from_the_cache() -> None:
    code = (
        "from games import analysis; analysis.load(); analysis.load(); print(analysis.ready())"
    )
    before = {path: path.stat().st_mtime_ns for path in analysis.cache_folder().rglob("*.nbc")}
    assert len(before) >= 7  # an entry point each
    assert run(code) == "True"
    after = {path: path.stat().st_mtime_ns for path in analysis.cache_folder().rglob("*.nbc")}
    assert after == before


def test_only_compiling_waits_for_what_it_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    monkeypatch.setattr(analysis, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(subprocess, "run", lambda *_args, **_more: told.append("compiled"))
    for expected in (["waited", "compiled"], []):
        told.clear()
        monkeypatch.setattr(analysis, "_ready", threading.Event())
        analysis.load(before_compiling=lambda: told.append("waited"))
        assert told == expected
        (tmp_path / "complete").touch()


def test_another_source_has_another_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = analysis.cache_folder()
    (tmp_path / "kernel").mkdir()
    (tmp_path / "kernel" / "one.py").write_text("changed", encoding="utf-8")
    monkeypatch.setattr(analysis, "_HERE", tmp_path)
    second = analysis.cache_folder()
    (tmp_path / "kernel" / "one.py").write_text("changed again", encoding="utf-8")
    assert len({first.name, second.name, analysis.cache_folder().name}) == 3


def test_what_needs_the_kernel_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis, "ready", lambda: False)
    with pytest.raises(analysis.NotReady):
        analysis.require()

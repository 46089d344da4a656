"""The lock: exact versions with hashes, from nowhere in particular."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
LOCKS = [ROOT / "requirements.lock", ROOT / "requirements-dev.lock"]
PIN = re.compile(r"([a-z0-9][a-z0-9.-]*)==([0-9][\w.!+]*)( ; [^\\]+)? \\")
HASH = re.compile(r"    --hash=sha256:[0-9a-f]{64}( \\)?")
VIA = re.compile(r"    #( +via)?( +[\w.\[\],-]+)*( \(pyproject\.toml\))?")


def lines(lock: Path) -> list[str]:
    return [line for line in lock.read_text(encoding="utf-8").splitlines() if line.strip()]


def pinned(lock: Path) -> dict[str, str]:
    """The first version that it has of each."""
    pins = [match for line in reversed(lines(lock)) if (match := PIN.fullmatch(line))]
    return {match[1]: match[2] for match in pins}


TRACES = (
    "://|http:|https:|file:|git+| @ |--index-url|--extra-index-url|-i |--find-links|-e |"
    "--trusted-host|/home/|/root/|/work/|/tmp/|C:|pypi.org|pythonhosted|localhost|127.0.0.1|~/"
).split("|")


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.name)
@pytest.mark.parametrize("trace", TRACES)
def test_the_lock_names_no_host_and_no_local_path(lock: Path, trace: str) -> None:
    assert trace not in lock.read_text(encoding="utf-8")


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.name)
def test_every_line_is_a_pin_its_hash_or_whom_it_serves(lock: Path) -> None:
    for line in lines(lock):
        if not line.startswith("#"):
            assert any(kind.fullmatch(line) for kind in (PIN, HASH, VIA)), line


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.name)
def test_every_pin_has_a_hash(lock: Path) -> None:
    found = lines(lock)
    pins = [number for number, line in enumerate(found) if PIN.fullmatch(line)]
    assert len(pins) > 20
    for number in pins:
        assert HASH.fullmatch(found[number + 1]), found[number]


def test_everything_the_project_asks_for_is_locked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    running = [*project["dependencies"], *extras["server"]]
    for lock, wanted in zip(LOCKS, (running, [*running, *extras["dev"]]), strict=True):
        names = {re.split(r"[\[<>=! ;]", text, maxsplit=1)[0].lower() for text in wanted}
        assert names - pinned(lock).keys() == set(), lock.name


def test_what_is_tested_is_what_runs() -> None:
    run, tested = map(pinned, LOCKS)
    assert run.items() <= tested.items()

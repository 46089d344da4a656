"""The lock: exact versions with hashes, from nowhere in particular."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
LOCK = ROOT / "requirements.lock"
PIN = re.compile(r"([a-z0-9][a-z0-9.-]*)==([0-9][\w.!+]*)( ; [^\\]+)? \\")
HASH = re.compile(r"    --hash=sha256:[0-9a-f]{64}( \\)?")
VIA = re.compile(r"    #( +via)?( +[\w.\[\],-]+)*( \(pyproject\.toml\))?")


def lines() -> list[str]:
    return [line for line in LOCK.read_text().splitlines() if line.strip()]


TRACES = (
    "://|http:|https:|file:|git+| @ |--index-url|--extra-index-url|-i |--find-links|-e |"
    "--trusted-host|/home/|/root/|/work/|/tmp/|C:|pypi.org|pythonhosted|localhost|127.0.0.1|~/"
).split("|")


@pytest.mark.parametrize("trace", TRACES)
def test_the_lock_names_no_host_and_no_local_path(trace: str) -> None:
    assert trace not in LOCK.read_text()


def test_every_line_is_a_pin_its_hash_or_whom_it_serves() -> None:
    for line in lines():
        if not line.startswith("#"):
            assert any(kind.fullmatch(line) for kind in (PIN, HASH, VIA)), line


def test_every_pin_has_a_hash() -> None:
    found = lines()
    pins = [number for number, line in enumerate(found) if PIN.fullmatch(line)]
    assert len(pins) > 20
    for number in pins:
        assert HASH.fullmatch(found[number + 1]), found[number]


def test_everything_the_project_asks_for_is_locked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    names = {re.split(r"[\[<>=! ;]", text, maxsplit=1)[0].lower() for text in wanted}
    pinned = {match[1] for line in lines() if (match := PIN.fullmatch(line))}
    assert names - pinned == set()

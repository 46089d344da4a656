"""Several servers from one checkout: each comes up, and none disturbs what another serves."""

from __future__ import annotations

import os
import shutil
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from tests.live.starts import (
    Start,
    loaded_over_and_over,
    must_all_come_up,
)
from tests.server import ROOT

APPLICATION = "import uvicorn; uvicorn.run('xactika_site.asgi:application', port={port})"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of this one, without what it has made for itself."""
    made = shutil.ignore_patterns("__pycache__", "*.nbi", "*.nbc")
    for name in ("games", "lessons", "xactika_site", "templates", "locale"):
        shutil.copytree(ROOT / name, tmp_path / "checkout" / name, ignore=made)
    shutil.copy(ROOT / "manage.py", tmp_path / "checkout")
    return tmp_path / "checkout"


@pytest.fixture
def environment() -> dict[str, str]:
    return {k: v for k, v in os.environ.items() if not k.startswith(("XACTIKA_", "REDIS_"))}


def test_from_one_checkout_all_come_up(
    checkout: Path, tmp_path: Path, environment: dict[str, str]
) -> None:
    sources = checkout / "games" / "static"
    must_all_come_up(Path(sys.executable), checkout, tmp_path, environment, sources)


def test_where_nothing_was_collected_each_page_is_there(
    checkout: Path, tmp_path: Path, environment: dict[str, str]
) -> None:
    """Not even by the command: the application alone."""
    python = Path(sys.executable)
    with Start(python, checkout, tmp_path, environment, APPLICATION) as server:
        server.must_come_up()
        with loaded_over_and_over(server) as wrong:
            pass
        assert not wrong
        with pytest.raises(urllib.error.HTTPError) as missing:
            urllib.request.urlopen(f"{server.base}/nothing/", timeout=30)
        assert missing.value.code == 404
        assert "/static/games/site." in missing.value.read().decode()

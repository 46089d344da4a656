"""The real server, shared by the tests of one worker."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server import Server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture(scope="session")
def soak() -> bool:
    """Whether the long checks are wanted (`make soak`)."""
    return os.environ.get("XACTIKA_SOAK") == "1"


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    with Server(tmp_path) as server:
        yield server
        # Which pytest shows of a test that has failed.
        sys.stdout.write(server.log.read_text(encoding="utf-8")[-4_000:])

"""The kernel, loaded once a process; ``make kernel`` has compiled it."""

from importlib.util import find_spec

import pytest

from games import analysis

if find_spec("numba") is None:
    collect_ignore_glob = ["test_*.py"]


@pytest.fixture(scope="session", autouse=True)
def _kernel() -> None:
    analysis.load()

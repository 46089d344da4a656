"""The kernel, loaded once a process; ``make kernel`` has compiled it."""

import pytest

from games import analysis


@pytest.fixture(scope="session", autouse=True)
def _kernel() -> None:
    analysis.load()

"""The kernel, loaded once a process; ``make kernel`` has compiled it."""

from importlib.util import find_spec

import pytest

from tests.kernel import load_or_skip

# Without numba these cannot even be read; all others here are skipped.
collect_ignore = (
    [] if find_spec("numba") else ["test_bots.py", "test_deals.py", "test_sense.py"]
)


@pytest.fixture(scope="session", autouse=True)
def _kernel() -> None:
    load_or_skip()

"""The compiled kernel, for tests that need it."""

import pytest

from games import analysis


def load_or_skip() -> None:
    """Load it; where there is no numba, what needs it is skipped."""
    try:
        analysis.load()
    except analysis.NotReady as why:
        pytest.skip(str(why), allow_module_level=True)

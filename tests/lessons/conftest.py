"""For all tests of lessons."""

import pytest
from django.core.cache import cache

from tests.games.conftest import clock as clock


@pytest.fixture(autouse=True)
def nobody_came_before() -> None:
    """How many came in lately is counted in the cache."""
    cache.clear()

from __future__ import annotations

import pytest
from django.core.cache import cache


@pytest.fixture(autouse=True)
def nobody_came_before() -> None:
    """How many came in a minute is counted by classroom, and numbers repeat in tests."""
    cache.clear()

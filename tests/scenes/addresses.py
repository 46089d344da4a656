"""The addresses of the site."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.urls import URLPattern, URLResolver


def routes(patterns: list[Any], before: str = "") -> Iterator[str]:
    """Every route of a resolver's patterns, as written in urls.py."""
    for pattern in patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns, route)
        else:
            assert isinstance(pattern, URLPattern)
            yield route

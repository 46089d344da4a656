"""Every route, with what its view reads of a request."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass

from django.urls import URLPattern, URLResolver, get_resolver

SENT = re.compile(
    r'(?:GET|POST)(?:\.get\(|\[)"([\w-]+)"|"([\w-]+)" (?:not )?in request\.(?:GET|POST)'
)
VERB = re.compile(
    r'(?:case|\||==) "([a-z-]+)"|"([a-z-]+)": (?:lambda|True|False|services\.|classrooms\.)'
)


@dataclass(frozen=True)
class Route:
    """An address as it is written in the urls, with what its view's file reads of a request."""

    path: str
    names: tuple[str, ...]
    verbs: tuple[str, ...]


def routes(resolver: URLResolver, before: str = "") -> Iterator[Route]:
    """Every address of the site."""
    for entry in resolver.url_patterns:
        path = before + str(entry.pattern)
        if isinstance(entry, URLPattern):
            module = inspect.getmodule(inspect.unwrap(entry.callback))
            source = inspect.getsource(module) if module else ""
            names = {name for pair in SENT.findall(source) for name in pair if name}
            verbs = {verb for pair in VERB.findall(source) for verb in pair if verb}
            yield Route(path, tuple(sorted(names)), tuple(sorted(verbs)))
        elif isinstance(entry, URLResolver):
            yield from routes(entry, path)


ROUTES = sorted(routes(get_resolver()), key=lambda route: route.path)

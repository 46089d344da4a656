"""Many tests of one scene: it is built once, and what each does to it is undone."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from copy import deepcopy
from typing import Any, TypeVar

from django.core.cache import caches
from django.db import transaction
from django.test import Client

from games.tables import state

SOAK = os.environ.get("XACTIKA_SOAK") == "1"
"""Whether these are the long checks (``make soak``)."""

Found = TypeVar("Found")


def present(found: Found | None) -> Found:
    """What was found; a test fails where there is nothing."""
    assert found is not None
    return found


Each = Callable[..., AbstractContextManager[None]]
"""What the fixture ``each`` is."""


@contextmanager
def undone() -> Iterator[None]:
    """What is done inside is undone at its end: what is stored, what this process remembers."""
    known = dict(state._cache)
    block: Any = transaction.atomic()
    block._from_testcase = True  # none of the program's
    try:
        with block:
            yield
            transaction.set_rollback(True)
    finally:
        state._cache.clear()
        state._cache.update(known)
        for cache in caches.all():
            cache.clear()


def again(browser: Client, *, strict: bool = False) -> Client:
    """Another browser with the same cookies; a strict one needs the forms' tokens."""
    other = Client(enforce_csrf_checks=strict)
    if not strict:  # middleware that was loaded already
        other.handler = browser.handler
    other.cookies = deepcopy(browser.cookies)
    return other

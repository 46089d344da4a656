"""How often something was tried, counted in the cache alone: nothing of it is stored.

While the cache is away (Redis), each process counts for itself: a class comes in all the same,
and a script still cannot guess on and on.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from ipaddress import AddressValueError, IPv6Address
from time import monotonic
from typing import TypeVar

from django.core.cache import cache
from django.core.cache.backends.base import BaseCache
from django.core.cache.backends.locmem import LocMemCache
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

MINUTE, DAY = 60, 86400

ASKED_AGAIN_AFTER = 10.0
"""Seconds for which a cache that did not answer is left alone: asking may take seconds."""

T = TypeVar("T")

_own = LocMemCache("tries", {"OPTIONS": {"MAX_ENTRIES": 100_000}})
_away_until = 0.0


def in_cache(do: Callable[[BaseCache], T]) -> T:
    """What ``do`` returns for the cache, or for this process's own while that is away."""
    global _away_until
    if monotonic() >= _away_until:
        try:
            return do(cache)
        except Exception:  # whatever its backend raises; the log is told by who watches Redis
            _away_until = monotonic() + ASKED_AGAIN_AFTER
    return do(_own)


def tries(key: str) -> int:
    """How often this was tried since the first of the tries that are still counted."""
    return in_cache(lambda counts: int(counts.get(key, 0)))


def note_try(key: str, *, seconds: int) -> None:
    """Count one more try; its count begins anew so many seconds after the first one."""

    def count(counts: BaseCache) -> None:
        counts.add(key, 0, timeout=seconds)
        with suppress(ValueError):  # the count ended between the two
            counts.incr(key)

    in_cache(count)


def address_hash(request: HttpRequest) -> str:
    """A keyed hash that tells the address of a request from others and cannot be read back. Of
    an IPv6 address its network counts: a device has a new one of it as often as it likes."""
    address = request.META.get("REMOTE_ADDR") or ""
    with suppress(AddressValueError):
        address = IPv6Address(address.partition("%")[0]).exploded[:19]
    return salted_hmac("tries.place", address, algorithm="sha256").hexdigest()

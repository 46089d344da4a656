"""How often something may be tried, counted in the cache alone: nothing of it is stored.

Without the cache (Redis away) nothing is counted and nothing refused: a class comes in.
"""

from __future__ import annotations

from contextlib import suppress
from ipaddress import AddressValueError, IPv6Address

from django.core.cache import cache
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

MINUTE, DAY = 60, 86400


def tried(key: str) -> int:
    """How often this was tried since the first of the tries that are still counted."""
    with suppress(Exception):  # whatever a cache that is away raises
        return int(cache.get(key, 0))
    return 0


def count_try(key: str, *, seconds: int) -> None:
    """Count one try; its count begins anew so many seconds after the first one."""
    with suppress(Exception):  # also a count that ended between the two lines
        cache.add(key, 0, timeout=seconds)
        cache.incr(key)


def place_of(request: HttpRequest) -> str:
    """A keyed hash that tells the address of a request from others and cannot be read back. Of
    an IPv6 address its network counts: a device has a new one of it as often as it likes."""
    address = request.META.get("REMOTE_ADDR") or ""
    with suppress(AddressValueError):
        address = IPv6Address(address.partition("%")[0]).exploded[:19]
    return salted_hmac("tries.place", address, algorithm="sha256").hexdigest()

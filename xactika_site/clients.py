"""Whose request it is, as far as turns are concerned: a browser or program that this process
knows by something it cannot make up, or nobody.

No address counts, as a school has one; and of a browser only what it sends itself.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from threading import Lock

from django.http import parse_cookie

NOBODY = ""

COOKIES = ("sessionid", "student", "guest")
"""What a browser is known by: its teacher's sign-in, else its students, else its guest."""

MOST_KNOWN = 20_000

_clients: OrderedDict[str, str] = OrderedDict()
_lock = Lock()


def cache_client(secret: str, client: str) -> None:
    """Cache that ``secret``, a cookie or token, is one that we gave to ``client``."""
    if _clients.get(secret) == client:
        return
    with _lock:
        _clients[secret] = client
        if len(_clients) > MOST_KNOWN:
            _clients.popitem(last=False)


def bearer_token(authorization: str) -> str | None:
    """The token in an Authorization header; None where it holds another kind, or nothing."""
    scheme, _space, token = authorization.partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


def client_of(headers: Mapping[bytes, bytes]) -> str:
    """The client whose request it is, by a token or cookie that is known; NOBODY for all that
    send none, or one that this process has not seen yet."""
    token = bearer_token(headers.get(b"authorization", b"").decode("latin-1"))
    if token is not None:
        return _clients.get(token, NOBODY)
    if b"cookie" not in headers:
        return NOBODY
    cookies = parse_cookie(headers[b"cookie"].decode("latin-1"))
    clients = (_clients.get(cookies[name]) for name in COOKIES if name in cookies)
    return next(filter(None, clients), NOBODY)

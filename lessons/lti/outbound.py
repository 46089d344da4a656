"""How other servers are asked: over https, never on private networks, and neither long nor for
much."""

from __future__ import annotations

import re
import socket
from ipaddress import IPv6Address, ip_address
from time import monotonic
from typing import Any

import requests
from django.conf import settings
from requests.adapters import HTTPAdapter
from urllib3 import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import HTTPError
from urllib3.util.connection import create_connection

CONNECT, READ, IN_ALL = 3.0, 5.0, 10.0
"""Seconds for a connection, for each piece of an answer, and for all of it."""

MOST = 256 * 1024
"""Bytes of an answer."""

PIECE = 16 * 1024


class PlatformAway(requests.RequestException):
    """A platform did not answer, or not as it should."""


def session() -> requests.Session:
    """A session of requests by which other servers are asked, as the package's classes want
    it."""
    return _Session()


def fetch(url: str) -> dict[str, Any]:
    """The JSON object at an address. Raises PlatformAway."""
    with session() as asking:
        return json_of(asking.get(url, headers={"Accept": "application/json"}))


def json_of(answer: requests.Response) -> dict[str, Any]:
    """The JSON object of an answer that says yes. Raises PlatformAway."""
    try:
        found = answer.json() if answer.ok else None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise PlatformAway
    return found


def may_be_asked(url: str) -> bool:
    """Whether an address is one that this server would ask, or send somebody to."""
    return bool(
        re.fullmatch(r"https?://[!-~]+" if settings.LTI_PRIVATE else r"https://[!-~]+", url)
    )


class _Session(requests.Session):
    def __init__(self) -> None:
        super().__init__()
        self.trust_env = False  # no proxy, which would resolve names for us
        self.mount("https://", _Adapter())
        self.mount("http://", _Adapter())

    def send(self, request: requests.PreparedRequest, **options: Any) -> requests.Response:
        if not may_be_asked(request.url or ""):
            raise PlatformAway
        options |= {"timeout": (CONNECT, READ), "allow_redirects": False, "stream": True}
        until = monotonic() + IN_ALL
        try:
            with super().send(request, **options) as answer:
                if 300 <= answer.status_code < 400:
                    raise PlatformAway
                answer._content = _body_until(answer, until)
        except PlatformAway:
            raise
        except (requests.RequestException, HTTPError, OSError) as why:
            raise PlatformAway from why
        return answer


def _body_until(answer: requests.Response, until: float) -> bytes:
    content = b""
    while piece := answer.raw.read1(PIECE, decode_content=True):
        content += piece
        if len(content) > MOST or monotonic() > until:
            raise PlatformAway
    return content


class _Adapter(HTTPAdapter):
    def init_poolmanager(self, *arguments: Any, **options: Any) -> None:
        super().init_poolmanager(*arguments, **options)
        pools = {"https": _HttpsPool, "http": _HttpPool}
        self.poolmanager.pool_classes_by_scheme = pools


class _Checked(HTTPConnection):
    """Connects to the very address that was looked at: a name may lead elsewhere next time."""

    def _new_conn(self) -> socket.socket:
        address = _address_of(self.host, self.port)
        return create_connection(
            (address, self.port), self.timeout, socket_options=self.socket_options
        )


class _CheckedHttps(HTTPSConnection, _Checked):
    pass


class _HttpsPool(HTTPSConnectionPool):
    ConnectionCls = _CheckedHttps


class _HttpPool(HTTPConnectionPool):
    ConnectionCls = _Checked


def _address_of(host: str, port: int) -> str:
    """A host's address. Raises OSError where any of its addresses is not public."""
    found = [
        str(each[4][0]) for each in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    ]
    if not settings.LTI_PRIVATE and not all(map(_is_public, found)):
        raise OSError
    return found[0]


def _is_public(text: str) -> bool:
    address = ip_address(text.partition("%")[0])
    if isinstance(address, IPv6Address):
        address = address.ipv4_mapped or address.sixtofour or address
    return address.is_global and not address.is_multicast

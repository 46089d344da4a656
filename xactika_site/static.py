"""Static files: compressed when they are collected, served from memory."""

from __future__ import annotations

from functools import cache, lru_cache
from http import HTTPStatus
from pathlib import Path
from typing import Any

import brotli
from django.conf import settings
from servestatic.compress import Compressor
from servestatic.middleware import ServeStaticMiddleware
from servestatic.responders import StaticFile
from servestatic.storage import CompressedManifestStaticFilesStorage
from servestatic.utils import parse_accept_encoding

from xactika_site.http import Application, Receive, Scope, Send
from xactika_site.security import POLICY

Headers = list[tuple[bytes, bytes]]


class _Compressor(Compressor):
    """Brotli's quality 9: Plotly takes half a second instead of ten and grows by a tenth."""

    @staticmethod
    def compress_brotli(data: bytes) -> bytes:
        return bytes(brotli.compress(data, quality=9, lgwin=24))


class Storage(CompressedManifestStaticFilesStorage):
    """Hashed names, in imports of scripts, too; beside each file its compressed forms."""

    # Django's own switch for this reads other people's scripts, too, and stumbles over htmx's.
    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        ("*.js", ((r'(?P<matched>from "(?P<url>\./[a-z_]+\.js)")', 'from "%(url)s"'),)),
    )

    def create_compressor(self, **kwargs: Any) -> Compressor:
        return _Compressor(**kwargs)


class FromMemory:
    """Answers what asks for a collected file before Django is asked at all, which took ten
    times as long; everything else goes on to the application.

    servestatic says which files there are, in which forms and with which headers.
    """

    def __init__(self, application: Application) -> None:
        self._application = application
        found = ServeStaticMiddleware(_nothing).files
        self._files = {url: _File(file) for url, file in found.items()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or hand it on."""
        file = self._files.get(scope["path"]) if scope["type"] == "http" else None
        if file is None:
            await self._application(scope, receive, send)
            return
        status, headers, body = file.answer(scope["method"], dict(scope["headers"]))
        start = {"type": "http.response.start", "status": status, "headers": headers}
        await send(start)
        await send({"type": "http.response.body", "body": body})


async def _nothing(_request: object) -> None:
    raise NotImplementedError  # the middleware only lends its list of files


class _File:
    """One file in its forms, with all headers worked out beforehand."""

    def __init__(self, file: StaticFile) -> None:
        self._file = file
        self._etag = file.etag.encode()
        self._not_modified = _encoded(file.not_modified_response.headers)
        # The smallest first; the last is the file as it is.
        self._forms = [
            (encoding, path, _encoded(headers), headers)
            for encoding, path, headers in file.alternatives
        ]

    def answer(self, method: str, asked: dict[bytes, bytes]) -> tuple[int, Headers, bytes]:
        """The status, headers and body for a request with these headers."""
        if method not in ("GET", "HEAD"):
            return HTTPStatus.METHOD_NOT_ALLOWED, [(b"Allow", b"GET, HEAD"), *_GUARDS], b""
        if self._is_known(asked):
            return HTTPStatus.NOT_MODIFIED, self._not_modified, b""
        accepted = _accepted(asked.get(b"accept-encoding", b""))
        _form, path, headers, plain = next(
            form for form in self._forms if not form[0] or form[0] in accepted
        )
        if method == "HEAD":
            return HTTPStatus.OK, headers, b""
        body = _body(path)
        if b"range" in asked:
            return self._part(asked[b"range"].decode("latin-1"), plain, headers, body)
        return HTTPStatus.OK, headers, body

    def _is_known(self, asked: dict[bytes, bytes]) -> bool:
        known = asked.get(b"if-none-match")
        if known is not None:  # a proxy that compresses may have weakened it
            return self._etag in (tag.strip().removeprefix(b"W/") for tag in known.split(b","))
        since = asked.get(b"if-modified-since")
        if since is None:
            return False
        date = {"HTTP_IF_MODIFIED_SINCE": since.decode("latin-1")}
        return bool(self._file.is_not_modified(date))

    def _part(
        self, wanted: str, plain: list[tuple[str, str]], headers: Headers, body: bytes
    ) -> tuple[int, Headers, bytes]:
        """The part of the file that a Range asks for; all of it where that is not clear."""
        try:
            part = self._file.get_range_response(wanted, plain, None)
            first, last = self._file.get_byte_range(wanted, len(body))
        except ValueError:
            return HTTPStatus.OK, headers, body
        return part.status, _encoded(part.headers), body[first : last + 1]


def _encoded(headers: list[tuple[str, str]]) -> Headers:
    return [*((name.encode(), value.encode("latin-1")) for name, value in headers), *_GUARDS]


_GUARDS = [
    (b"Content-Security-Policy", POLICY.encode()),
    (b"Cross-Origin-Opener-Policy", b"same-origin"),
    (b"Referrer-Policy", settings.SECURE_REFERRER_POLICY.encode()),
    (b"X-Content-Type-Options", b"nosniff"),
    (b"X-Frame-Options", settings.X_FRAME_OPTIONS.encode()),
]
"""What the middleware puts on every page."""


@lru_cache(maxsize=100)
def _accepted(header: bytes) -> set[str]:
    return set(parse_accept_encoding(header.decode("latin-1")))


@cache
def _body(path: str) -> bytes:
    return Path(path).read_bytes()

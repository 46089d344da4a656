"""Static files: collected and compressed once for what they are, served from memory."""

from __future__ import annotations

import logging
import os
import re
import shutil
from functools import lru_cache
from http import HTTPStatus
from pathlib import Path
from typing import Any

import brotli
from django.conf import settings
from django.contrib.staticfiles.management.commands.collectstatic import Command
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.files.base import ContentFile, File
from django.core.management import call_command
from django.utils.translation import gettext as _
from filelock import FileLock
from servestatic.compress import Compressor
from servestatic.middleware import ServeStaticMiddleware
from servestatic.responders import StaticFile
from servestatic.storage import CompressedManifestStaticFilesStorage
from servestatic.utils import parse_accept_encoding

from xactika_site.http import Application, Receive, Scope, Send
from xactika_site.restored import replace
from xactika_site.security import POLICY

Headers = list[tuple[bytes, bytes]]

KEPT = 2
"""Folders of earlier versions that are kept: somebody may be about to read them."""


_COMMENT = re.compile(rb"/\*[^*]*\*+(?:[^/*][^*]*\*+)*/\s*")


LARGE = 200_000
"""Bytes; of our own files all are smaller."""


class _Compressor(Compressor):
    """Brotli's quality 11, of what is large 9: Plotly takes half a second instead of ten and
    grows by a tenth."""

    @staticmethod
    def compress_brotli(data: bytes) -> bytes:
        quality = 9 if len(data) > LARGE else 11
        return bytes(brotli.compress(data, quality=quality, lgwin=24))


class Storage(CompressedManifestStaticFilesStorage):
    """Hashed names, in imports of scripts, too; style sheets without their comments, a tenth of
    them; beside each file its compressed forms."""

    # Django's own switch for this reads other people's scripts, too, and stumbles over htmx's.
    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        ("*.js", ((r'(?P<matched>from "(?P<url>\./[a-z_]+\.js)")', 'from "%(url)s"'),)),
    )

    def _save(self, name: str, content: File[bytes]) -> str:
        if name.endswith(".css"):
            sheet = b"".join(content.chunks())
            content = ContentFile(_COMMENT.sub(b"", sheet) or sheet)  # never nothing
        return str(super()._save(name, content))

    def create_compressor(self, **kwargs: Any) -> Compressor:
        return _Compressor(**kwargs)

    def stat_static_root(self) -> dict[str, os.stat_result]:
        """The sizes and times of what is collected, for the manifest."""
        folder = Path(self.location)
        files = (path for path in folder.rglob("*") if path.is_file())
        return {str(path.relative_to(folder)): path.stat() for path in files}


def collect() -> None:
    """Collect the static files, unless that was done for exactly these: by one of the servers
    that start, aside, so that their folder is there as a whole or not at all. The start ends
    here, in one line, if it cannot be written."""
    folder = Path(settings.STATIC_ROOT)
    if _is_whole(folder):
        return
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        # Named by its kind: one takes it for held that the file is there, another leaves it.
        with FileLock(folder.with_name(f"{FileLock.__name__}.lock")):
            if not _is_whole(folder):
                _collect(folder)
    except OSError as why:
        cannot = _("%(folder)s cannot be written to: %(why)s")
        raise SystemExit(cannot % {"folder": folder.parent, "why": why.strerror}) from None
    if isinstance(staticfiles_storage, Storage):  # it may have looked before
        manifest = staticfiles_storage.load_manifest()
        staticfiles_storage.hashed_files, staticfiles_storage.manifest_hash = manifest


def _is_whole(folder: Path) -> bool:
    return (folder / str(Storage.manifest_name)).exists()


def _collect(folder: Path) -> None:
    unfinished = folder.with_name("unfinished")
    for left in (unfinished, folder):  # by whoever was stopped
        if left.exists():
            shutil.rmtree(left)
    command = Command()
    command.storage = Storage(location=unfinished)
    call_command(command, interactive=False, verbosity=0)
    replace(unfinished, folder)
    earlier = [path for path in folder.parent.iterdir() if path != folder and _is_whole(path)]
    for path in sorted(earlier, key=lambda path: path.stat().st_mtime)[:-KEPT]:
        shutil.rmtree(path, ignore_errors=True)


class FromMemory:
    """Answers what asks for a collected file before Django is asked at all, which took ten
    times as long; everything else goes on to the application.

    servestatic says which files there are, in which forms and with which headers. They are
    read at once: what becomes of the folder does not matter to a server that runs.
    """

    def __init__(self, application: Application) -> None:
        self._application = application
        files = ServeStaticMiddleware(_nothing).files
        read: dict[bytes, bytes] = {}  # many lie there by two names
        self._files = {url: _File(file, read) for url, file in files.items()}

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


class _Form:
    """A file as it is, or compressed."""

    def __init__(
        self, encoding: str, path: str, headers: list[tuple[str, str]], read: dict[bytes, bytes]
    ) -> None:
        self.encoding = encoding
        self.plain, self.headers = headers, _encoded_headers(headers)
        self._path, self._length = Path(path), int(dict(headers)["Content-Length"])
        self._body = self._read()
        if self._body is not None:
            self._body = read.setdefault(self._body, self._body)

    def body(self) -> bytes | None:
        """The file's bytes; None, and a line in the log, while they are not as collected."""
        if self._body is None:
            self._body = self._read()
        return self._body

    def _read(self) -> bytes | None:
        try:
            body = self._path.read_bytes()
        except OSError as why:
            _log.error("%s cannot be read: %s", self._path, why.strerror)
            return None
        if len(body) == self._length:
            return body
        _log.error("%s has %d bytes instead of %d", self._path, len(body), self._length)
        return None


_log = logging.getLogger("xactika.static")


class _File:
    """One file in its forms, with all headers worked out beforehand."""

    def __init__(self, file: StaticFile, read: dict[bytes, bytes]) -> None:
        self._file = file
        self._etag = file.etag.encode()
        self._not_modified = _encoded_headers(file.not_modified_response.headers)
        # The smallest first; the last is the file as it is.
        self._forms = [
            _Form(encoding, path, headers, read)
            for encoding, path, headers in file.alternatives
        ]

    def answer(self, method: str, headers: dict[bytes, bytes]) -> tuple[int, Headers, bytes]:
        """The status, headers and body for a request with these headers."""
        if method not in ("GET", "HEAD"):
            return HTTPStatus.METHOD_NOT_ALLOWED, [(b"Allow", b"GET, HEAD"), *_GUARDS], b""
        if self._is_current(headers):
            return HTTPStatus.NOT_MODIFIED, self._not_modified, b""
        accepted = _accepted_encodings(headers.get(b"accept-encoding", b""))
        form = next(
            form for form in self._forms if not form.encoding or form.encoding in accepted
        )
        if method == "HEAD":
            return HTTPStatus.OK, form.headers, b""
        body = form.body()
        if body is None:
            return HTTPStatus.SERVICE_UNAVAILABLE, [(b"Retry-After", b"5"), *_GUARDS], b""
        if b"range" in headers:
            return self._part(headers[b"range"].decode("latin-1"), form, body)
        return HTTPStatus.OK, form.headers, body

    def _is_current(self, headers: dict[bytes, bytes]) -> bool:
        etags = headers.get(b"if-none-match")
        if etags is not None:  # a proxy that compresses may have weakened it
            return self._etag in (tag.strip().removeprefix(b"W/") for tag in etags.split(b","))
        since = headers.get(b"if-modified-since")
        if since is None:
            return False
        date = {"HTTP_IF_MODIFIED_SINCE": since.decode("latin-1")}
        return bool(self._file.is_not_modified(date))

    def _part(self, wanted: str, form: _Form, body: bytes) -> tuple[int, Headers, bytes]:
        """The part of the file that a Range asks for; all of it where that is not clear."""
        try:
            part = self._file.get_range_response(wanted, form.plain, None)
            first, last = self._file.get_byte_range(wanted, len(body))
        except ValueError:
            return HTTPStatus.OK, form.headers, body
        return part.status, _encoded_headers(part.headers), body[first : last + 1]


def _encoded_headers(headers: list[tuple[str, str]]) -> Headers:
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
def _accepted_encodings(header: bytes) -> set[str]:
    return set(parse_accept_encoding(header.decode("latin-1")))

"""Collected files: answered from memory before Django is asked, in every form and with every
header that they had from Django."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from typing import Any

import brotli
import pytest
from asgiref.testing import ApplicationCommunicator
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.management import call_command
from pytest_django import Settings

from xactika_site.security import POLICY
from xactika_site.static import FromMemory

TEXT = b"body { color: black; } " * 200
PLAIN = "/static/a.css"


class Answer:
    def __init__(self, start: dict[str, Any], body: bytes) -> None:
        self.status, self.body = start["status"], body
        self.headers = {name.decode().lower(): v.decode() for name, v in start["headers"]}
        assert len(self.headers) == len(start["headers"])


async def not_here(scope: dict[str, Any], _receive: object, send: Any) -> None:
    await send({"type": "http.response.start", "status": 404, "headers": []})
    await send({"type": "http.response.body", "body": scope["path"].encode()})


@pytest.fixture
def files(settings: Settings, tmp_path: Path) -> FromMemory:
    """One style sheet, collected as ``make static`` does it."""
    source = tmp_path / "source"
    source.mkdir()
    (source / "a.css").write_bytes(TEXT)
    settings.STATICFILES_DIRS = [source]
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    settings.STATIC_ROOT = tmp_path / "collected"
    settings.STORAGES = {"staticfiles": {"BACKEND": "xactika_site.static.Storage"}}
    call_command("collectstatic", interactive=False, verbosity=0)
    return FromMemory(not_here)


@pytest.fixture
def hashed(files: FromMemory) -> str:
    """The style sheet's address as pages name it."""
    del files
    return str(staticfiles_storage.url("a.css"))


async def ask(files: FromMemory, path: str, method: str = "GET", **headers: str) -> Answer:
    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "query_string": b"",
        "headers": [(k.replace("_", "-").encode(), v.encode()) for k, v in headers.items()],
    }
    communicator = ApplicationCommunicator(files, scope)
    await communicator.send_input({"type": "http.request"})
    start = await communicator.receive_output()
    message = await communicator.receive_output()
    return Answer(start, message["body"])


async def test_a_hashed_file_is_fetched_once_a_device(files: FromMemory, hashed: str) -> None:
    assert re.fullmatch(r"/static/a\.[0-9a-f]{12}\.css", hashed)
    answer = await ask(files, hashed)
    assert (answer.status, answer.body) == (200, TEXT)
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["content-type"] == 'text/css; charset="utf-8"'
    assert int(answer.headers["content-length"]) == len(TEXT)


async def test_a_plain_name_is_not_kept_for_long(files: FromMemory) -> None:
    answer = await ask(files, PLAIN)
    assert answer.body == TEXT
    assert answer.headers["cache-control"] == "max-age=60, public"


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [
        ("gzip, deflate, br", "br"),
        ("gzip", "gzip"),
        ("br;q=0, gzip;q=0.5", "gzip"),
        ("identity", None),
        ("gzip;q=0, br;q=0", None),
        ("", None),
    ],
)
async def test_each_client_gets_a_form_that_it_reads(
    files: FromMemory, hashed: str, accepted: str, encoding: str | None
) -> None:
    answer = await ask(files, hashed, accept_encoding=accepted)
    unpack = {"br": brotli.decompress, "gzip": gzip.decompress, None: bytes}[encoding]
    assert answer.headers.get("content-encoding") == encoding
    assert unpack(answer.body) == TEXT
    assert int(answer.headers["content-length"]) == len(answer.body)
    assert answer.headers["vary"] == "Accept-Encoding"


async def test_head_is_get_without_the_body(files: FromMemory, hashed: str) -> None:
    whole = await ask(files, hashed, accept_encoding="br")
    head = await ask(files, hashed, "HEAD", accept_encoding="br")
    assert (head.status, head.headers, head.body) == (200, whole.headers, b"")


async def test_nothing_but_reading_is_allowed(files: FromMemory, hashed: str) -> None:
    answer = await ask(files, hashed, "POST")
    assert (answer.status, answer.headers["allow"]) == (405, "GET, HEAD")


async def test_who_has_the_file_is_not_sent_it_again(files: FromMemory, hashed: str) -> None:
    first = await ask(files, hashed)
    etag, modified = first.headers["etag"], first.headers["last-modified"]
    for known in (etag, f"W/{etag}", f'"other", {etag}'):
        answer = await ask(files, hashed, if_none_match=known)
        assert (answer.status, answer.body) == (304, b"")
        assert answer.headers["etag"] == etag
    assert (await ask(files, hashed, if_modified_since=modified)).status == 304
    assert (await ask(files, hashed, if_none_match='"other"')).status == 200
    # The tag is the better judge where both are given.
    both = await ask(files, hashed, if_none_match='"other"', if_modified_since=modified)
    assert both.status == 200


async def test_a_part_of_a_file(files: FromMemory, hashed: str) -> None:
    part = await ask(files, hashed, range="bytes=5-14")
    assert (part.status, part.body) == (206, TEXT[5:15])
    assert part.headers["content-range"] == f"bytes 5-14/{len(TEXT)}"
    assert part.headers["content-length"] == "10"
    end = await ask(files, hashed, range="bytes=-7")
    assert (end.status, end.body) == (206, TEXT[-7:])
    beyond = await ask(files, hashed, range=f"bytes={len(TEXT)}-")
    assert (beyond.status, beyond.body) == (416, b"")
    for unclear in ("bytes=a-b", "lines=1-2", "bytes=1-2,4-5", ""):
        assert (await ask(files, hashed, range=unclear)).body == TEXT


async def test_files_carry_the_policy_too(files: FromMemory, hashed: str) -> None:
    for answer in (await ask(files, hashed), await ask(files, hashed, "POST")):
        assert answer.headers["content-security-policy"] == POLICY
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["x-frame-options"] == "DENY"
        assert answer.headers["referrer-policy"] == "same-origin"


@pytest.mark.parametrize("path", ["/", "/static/", "/static/b.css", "/static/a.css.br"])
async def test_everything_else_goes_on_to_the_pages(files: FromMemory, path: str) -> None:
    answer = await ask(files, path)
    assert (answer.status, answer.body) == (404, path.encode())

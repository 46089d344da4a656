"""Collected files: once for what they are, aside; answered from memory before Django is asked,
in every form and with every header that they had from Django."""

from __future__ import annotations

import gzip
import os
import re
import shutil
from pathlib import Path
from typing import Any

import brotli
import pytest
from asgiref.testing import ApplicationCommunicator
from django.contrib.staticfiles.finders import get_finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.management import call_command
from pytest_django import Settings

from xactika_site import locations
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
def folder(settings: Settings, tmp_path: Path) -> Path:
    """Where one style sheet is to be collected."""
    source = tmp_path / "source"
    source.mkdir()
    (source / "a.css").write_bytes(TEXT)
    settings.STATICFILES_DIRS = [source]
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    root = settings.STATIC_ROOT = tmp_path / "collected" / "this"
    settings.STORAGES = {"staticfiles": {"BACKEND": "xactika_site.static.Storage"}}
    return root


def collect() -> None:
    """As ``make static`` does it."""
    call_command("collectstatic", interactive=False, verbosity=0)


def test_style_sheets_lose_their_comments_alone(folder: Path, settings: Settings) -> None:
    rules = b"a { color: red; }\nb { margin: 0 /**/ auto; }\n"
    sheet = (
        b"/* one */\n" + rules.replace(b"/**/", b"/* two ** */") + b"/* three\n * four **/\n"
    )
    (settings.STATICFILES_DIRS[0] / "b.css").write_bytes(sheet)
    collect()
    served = [path.read_bytes() for path in folder.glob("b.*css")]
    assert len(served) == 2
    assert {each.split(b"/* ")[0].rstrip() for each in served} == {
        rules.replace(b"/**/ ", b"").rstrip()
    }


@pytest.fixture
def files(folder: Path) -> FromMemory:
    """What is collected there, as it is served."""
    del folder
    collect()
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


async def test_what_becomes_of_the_folder_does_not_matter_to_who_serves(
    files: FromMemory, hashed: str, folder: Path
) -> None:
    shutil.rmtree(folder)
    for accepted in ("br", "gzip", ""):
        for path in (hashed, PLAIN):
            answer = await ask(files, path, accept_encoding=accepted)
            assert answer.status == 200
            assert len(answer.body) == int(answer.headers["content-length"]) > 0


@pytest.mark.parametrize("found", [b"", TEXT[:-1], TEXT + b" ", None])
async def test_a_body_that_is_not_as_long_as_it_was_is_neither_sent_nor_kept(
    folder: Path, found: bytes | None, caplog: pytest.LogCaptureFixture
) -> None:
    collect()
    (file,) = folder.glob("a.*.css")
    if found is None:
        file.unlink()
    else:
        file.write_bytes(found)
    files = FromMemory(not_here)
    path = f"/static/{file.name}"
    answer = await ask(files, path)
    assert (answer.status, answer.body) == (503, b"")
    assert answer.headers["retry-after"] == "5"
    assert "cache-control" not in answer.headers
    assert str(file) in caplog.text
    assert (await ask(files, path, accept_encoding="br")).status == 200  # which is whole
    file.write_bytes(TEXT)
    answer = await ask(files, path)
    assert (answer.status, answer.body) == (200, TEXT)


class TestCollecting:
    def test_what_is_there_is_not_touched(self, folder: Path) -> None:
        def made() -> dict[str, int]:
            return {str(path): path.stat().st_ctime_ns for path in folder.rglob("*")}

        collect()
        first = made()
        collect()
        assert made() == first
        assert len(first) == 7  # two names of three forms, and the manifest

    def test_it_is_begun_anew_where_it_was_stopped(self, folder: Path) -> None:
        unfinished = folder.with_name("unfinished")
        for left in (folder, unfinished):
            left.mkdir(parents=True)
            (left / "b.css").touch()
        collect()
        assert (folder / "a.css").read_bytes() == TEXT
        assert not (folder / "b.css").exists()
        assert not unfinished.exists()

    def test_the_last_two_before_are_kept(self, folder: Path) -> None:
        for age, name in enumerate(["oldest", "older", "old"]):
            other = folder.with_name(name)
            other.mkdir(parents=True)
            (other / "staticfiles.json").touch()
            os.utime(other, (age, age))
        collect()
        kept = {path.name for path in folder.parent.iterdir() if path.is_dir()}
        assert kept == {"older", "old", "this"}

    def test_a_folder_that_cannot_be_made_is_named_in_one_line(self, folder: Path) -> None:
        folder.parent.write_text("a file", encoding="utf-8")
        with pytest.raises(SystemExit, match="collected cannot be written to: "):
            collect()


class TestFolder:
    """A checkout's: another one as soon as anything that is collected is another."""

    @pytest.fixture
    def source(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        monkeypatch.setattr(locations, "ROOT", tmp_path)
        monkeypatch.setattr(locations, "HERE", tmp_path)
        monkeypatch.setattr(locations, "IS_CHECKOUT", True)
        (tmp_path / "static.py").touch()
        source = tmp_path / "games" / "static" / "games"
        source.mkdir(parents=True)
        (source / "a.js").write_text("one", encoding="utf-8")
        return source

    def test_it_is_the_same_for_the_same(self, source: Path) -> None:
        first = locations.static_folder()
        (source / "a.js").write_text("one", encoding="utf-8")
        (source / ".a.js.swp").touch()
        (source / "a.js~").touch()
        assert locations.static_folder() == first

    @pytest.mark.parametrize("name", ["a.js", "b.js", "../../../static.py"])
    def test_it_is_another_where_a_file_is(self, source: Path, name: str) -> None:
        first = locations.static_folder()
        (source / name).write_text("two", encoding="utf-8")
        assert locations.static_folder() != first

    def test_it_is_another_where_a_file_is_called_otherwise(self, source: Path) -> None:
        first = locations.static_folder()
        (source / "a.js").rename(source / "b.js")
        assert locations.static_folder() != first

    def test_it_is_another_where_a_package_is(
        self, source: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        del source
        first = locations.static_folder()
        monkeypatch.setattr(locations, "FILES_OF_OTHERS", locations.FILES_OF_OTHERS[:1])
        assert locations.static_folder() != first

    def test_nothing_else_is_collected(self) -> None:
        others = tuple(name.replace("-", "_") for name in locations.FILES_OF_OTHERS)
        for finder in get_finders():
            for path, storage in finder.list([]):
                file = Path(storage.path(path))
                ours = [locations.ROOT / folder for folder in locations.STATIC_SOURCES]
                is_ours = any(file.is_relative_to(folder) for folder in ours)
                assert is_ours or set(others) & set(file.parts), file

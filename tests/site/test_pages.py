"""Django's pages under ASGI: one thread a request, and streams that end with their reader."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator
from django.core import signals
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.urls import include, path
from pytest_django import Settings

from games.analysis.jobs import pool
from games.pages.counting import answer
from xactika_site import clients
from xactika_site import pages as site_pages
from xactika_site.pages import Pages

threads: list[int] = []
ended = threading.Event()


def note(**_arguments: object) -> None:
    threads.append(threading.get_ident())


def page(request: HttpRequest) -> HttpResponse:
    note()
    return HttpResponse(request.body)


async def endless() -> AsyncIterator[str]:
    try:
        while True:
            yield "more\n"
            await asyncio.sleep(0.001)
    finally:
        ended.set()


def stream(_request: HttpRequest) -> StreamingHttpResponse:
    return StreamingHttpResponse(endless())


def broken(_request: HttpRequest) -> HttpResponse:
    raise ZeroDivisionError


computing = threading.Event()
computed: list[str] = []


def counted(request: HttpRequest) -> HttpResponse:
    """A page that needs what is computed: by another question each time it is asked so."""
    question = request.GET.get("q", "")

    def compute() -> str:
        assert computing.wait(10)
        computed.append(question)
        return f"answer to {question}"

    note()
    return HttpResponse(answer(("a page", question), compute, plays=False))


urlpatterns = [
    path("page/", page),
    path("stream/", stream),
    path("broken/", broken),
    path("counted/", counted),
    path("", include("xactika_site.urls")),
]


@pytest.fixture
def pages(settings: Settings) -> Pages:
    settings.ROOT_URLCONF = __name__
    settings.ALLOWED_HOSTS = ["here"]
    return Pages()


def asking(pages: Pages, path: str, *, cookie: str = "") -> ApplicationCommunicator:
    path, _mark, query = path.partition("?")
    scope: dict[str, Any] = {
        "type": "http",
        "method": "GET",
        "path": path,
        "query_string": query.encode(),
        "headers": [(b"host", b"here"), (b"cookie", cookie.encode())],
    }
    return ApplicationCommunicator(pages, scope)


async def answered(
    pages: Pages, path: str, *headers: tuple[bytes, bytes], cookie: str = ""
) -> tuple[dict[str, Any], bytes]:
    """How a page begins, and its body."""
    page = asking(pages, path, cookie=cookie)
    page.scope["headers"] += headers
    await page.send_input({"type": "http.request"})
    start = await page.receive_output(5)
    return start, (await page.receive_output(5))["body"]


async def status_of(
    pages: Pages, path: str, *headers: tuple[bytes, bytes], cookie: str = ""
) -> int:
    return int((await answered(pages, path, *headers, cookie=cookie))[0]["status"])


async def test_a_page_takes_one_thread_and_not_the_loops(pages: Pages) -> None:
    threads.clear()
    signals.request_started.connect(note)
    signals.request_finished.connect(note)
    try:
        answer = asking(pages, "/page/")
        await answer.send_input({"type": "http.request", "body": b"to ", "more_body": True})
        await answer.send_input({"type": "http.request", "body": b"read"})
        start = await answer.receive_output()
        message = await answer.receive_output()
    finally:
        signals.request_started.disconnect(note)
        signals.request_finished.disconnect(note)
    assert (start["status"], message["body"]) == (200, b"to read")
    assert len(threads) == 3
    assert len({*threads, threading.get_ident()}) == 2


async def test_a_stream_ends_when_its_reader_goes(pages: Pages) -> None:
    ended.clear()
    answer = asking(pages, "/stream/")
    await answer.send_input({"type": "http.request"})
    assert (await answer.receive_output())["status"] == 200
    assert (await answer.receive_output())["body"] == b"more\n"
    await answer.send_input({"type": "http.disconnect"})
    await answer.wait()
    assert ended.is_set()


async def test_who_goes_while_sending_is_let_go(pages: Pages) -> None:
    answer = asking(pages, "/page/")
    await answer.send_input({"type": "http.request", "body": b"half", "more_body": True})
    await answer.send_input({"type": "http.disconnect"})
    await answer.wait()
    assert answer.output_queue.empty()


async def test_a_page_that_fails_is_an_answer_too(pages: Pages) -> None:
    assert await status_of(pages, "/broken/") == 500


# What is still being computed.


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    pool.answers.clear()
    computing.clear()
    computed.clear()
    threads.clear()
    monkeypatch.setattr(site_pages, "PATIENCE", 0.2)
    yield
    computing.set()
    while pool.waiting():
        time.sleep(0.01)


@pytest.mark.usefixtures("counting")
async def test_a_page_that_counts_for_long_says_so_and_is_there_the_next_time(
    pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    start, body = await answered(pages, "/counted/?q=a")
    headers = dict(start["headers"])
    assert (start["status"], headers[b"Retry-After"], headers[b"X-Done"]) == (202, b"1", b"0")
    assert "Still counting…".encode() in body
    monkeypatch.setattr(site_pages, "PATIENCE", 10)
    computing.set()
    start, body = await answered(pages, "/counted/?q=a")
    assert (start["status"], body) == (200, b"answer to a")
    assert computed == ["a"]


@pytest.mark.usefixtures("counting")
async def test_a_page_that_counts_a_moment_is_answered_at_once(
    pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site_pages, "PATIENCE", 10)
    computing.set()
    assert await status_of(pages, "/counted/?q=a") == 200


@pytest.mark.usefixtures("counting")
async def test_who_hangs_up_is_counted_for_by_nobody(
    pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sixty at once, each with a question of its own: one at most was begun."""
    monkeypatch.setattr(site_pages, "PATIENCE", 10)
    those = [asking(pages, f"/counted/?q={n}") for n in range(60)]
    for page in those:
        await page.send_input({"type": "http.request"})
    await asyncio.sleep(0.1)
    for page in those:
        await page.send_input({"type": "http.disconnect"})
        await page.wait()
    computing.set()
    assert await status_of(pages, "/counted/?q=ada") == 200
    assert len(computed) <= 2
    assert pool.waiting() == 0
    assert site_pages.READING.waiting == 0


@pytest.mark.usefixtures("counting")
async def test_who_waits_for_what_is_computed_holds_no_thread(
    pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While a hundred wait, another page of the like is answered."""
    monkeypatch.setattr(site_pages, "PATIENCE", 10)
    those = [asking(pages, f"/counted/?q={n % 9}") for n in range(100)]
    for page in those:
        await page.send_input({"type": "http.request"})
    assert await status_of(pages, "/page/") == 200
    assert computed == []
    computing.set()
    for page in those:
        assert (await page.receive_output(20))["status"] == 200
    assert sorted(computed) == list("012345678")


@pytest.mark.usefixtures("counting")
async def test_a_browser_has_one_place_and_strangers_share_one(
    pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ada's newest question takes the place of her older ones, whatever strangers ask."""
    monkeypatch.setattr(site_pages, "PATIENCE", 0.02)  # none of forty is answered yet
    clients.cache_client("adas-key", "guest ada")
    asked = [("", f"stranger-{n}") for n in range(20)]
    asked += [("guest=adas-key", f"ada-{n}") for n in range(20)]
    for cookie, question in asked:
        assert await status_of(pages, f"/counted/?q={question}", cookie=cookie) == 202
    assert pool.waiting() == 21
    computing.set()
    newest = await status_of(pages, "/counted/?q=ada-19", cookie="guest=adas-key")
    assert newest in (200, 202)
    while pool.waiting():
        await asyncio.sleep(0.01)
    assert [q for q in computed if q.startswith("ada")] == ["ada-19"]
    assert computed.index("ada-19") <= 2


async def test_too_much_of_one_client_is_refused_in_a_sentence(
    pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site_pages, "MOST_OF_NOBODY", 0)
    monkeypatch.setattr(site_pages.READING, "_at_once", 0)
    start, body = await answered(pages, "/page/")
    assert (start["status"], dict(start["headers"])[b"Retry-After"]) == (503, b"3")
    assert b"Too many requests at once" in body


@pytest.mark.parametrize(
    ("method", "path", "lane"),
    [
        ("GET", "/join/", "JOINING"),
        ("GET", "/lessons/", "READING"),
        ("POST", "/join/ABCD/", "WRITING"),
        ("POST", "/teach/login/", "SIGNING_IN"),
        ("POST", "/teach/account/password/", "SIGNING_IN"),
        ("POST", "/teach/sessions/1/do/", "WRITING"),
        ("POST", "/lti/launch/", "LAUNCHING"),
        ("GET", "/lti/open/a/", "LAUNCHING"),
    ],
)
async def test_each_kind_has_its_lane(
    pages: Pages, monkeypatch: pytest.MonkeyPatch, method: str, path: str, lane: str
) -> None:
    used: list[str] = []

    def noting(name: str, run: Any) -> Any:
        async def noted(*arguments: Any, **more: Any) -> Any:
            used.append(name)
            return await run(*arguments, **more)

        return noted

    for name in ("JOINING", "LAUNCHING", "READING", "WRITING", "SIGNING_IN"):
        one = getattr(site_pages, name)
        monkeypatch.setattr(one, "run", noting(name, one.run))
    page = asking(pages, path)
    page.scope["method"] = method
    await page.send_input({"type": "http.request"})
    await page.receive_output(5)
    assert used == [lane]


@pytest.mark.usefixtures("counting")
async def test_what_htmx_swaps_in_stays_as_it_is_while_it_is_counted(pages: Pages) -> None:
    """A wall that asks every second goes on asking: its element is not replaced."""
    for header, status in ((b"hx-current-url", 204), (b"hx-request", 202)):
        start, said = await answered(pages, f"/counted/?q={status}", (header, b"true"))
        assert start["status"] == status
    assert b"<progress" in said
    assert b"<html" not in said


@pytest.mark.usefixtures("counting")
async def test_who_asks_again_is_answered_without_the_view(pages: Pages) -> None:
    """As long as it is counted; then by the view, which finds the answer."""

    async def ask(*more: tuple[bytes, bytes]) -> tuple[int, bytes]:
        start, body = await answered(pages, "/counted/?q=a", *more, cookie="theme=dark")
        return start["status"], body

    again = (site_pages.ASKS_AGAIN, b"1")
    assert (await ask())[0] == 202
    seen = len(threads)
    for _ in range(3):
        assert await ask(again) == (202, b"")
    assert len(threads) == seen
    computing.set()
    assert await ask(again) == (200, b"answer to a")
    assert not site_pages._job_of


@pytest.mark.usefixtures("counting")
async def test_another_browser_is_not_answered_for_this_one(pages: Pages) -> None:
    for cookie in ("guest=a", "guest=b"):
        seen, again = len(threads), (site_pages.ASKS_AGAIN, b"1")
        assert await status_of(pages, "/counted/?q=a", again, cookie=cookie) == 202
        assert len(threads) > seen  # the view was asked

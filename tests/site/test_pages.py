"""Django's pages under ASGI: one thread a request, and streams that end with their reader."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator
from django.core import signals
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.urls import path
from pytest_django import Settings

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


urlpatterns = [path("page/", page), path("stream/", stream), path("broken/", broken)]


@pytest.fixture
def pages(settings: Settings) -> Pages:
    settings.ROOT_URLCONF = __name__
    settings.ALLOWED_HOSTS = ["here"]
    return Pages()


def asking(pages: Pages, path: str) -> ApplicationCommunicator:
    scope: dict[str, Any] = {
        "type": "http",
        "method": "GET",
        "path": path,
        "query_string": b"",
        "headers": [(b"host", b"here")],
    }
    return ApplicationCommunicator(pages, scope)


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
    answer = asking(pages, "/broken/")
    await answer.send_input({"type": "http.request"})
    assert (await answer.receive_output())["status"] == 500
    await answer.wait()

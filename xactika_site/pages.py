"""Django's pages under ASGI: each request is answered whole by one thread, which keeps its
connection to the database. Why: docs/decisions/0019-pages-on-threads.md. Clients take turns on
these threads, and a page that needs what is still being computed waits on none of them:
docs/decisions/0057-lanes.md.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextlib import suppress
from contextvars import copy_context
from functools import lru_cache, partial
from io import BytesIO
from typing import Any

from asgiref.sync import ThreadSensitiveContext, sync_to_async
from django.core import signals
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, ASGIRequest, get_script_prefix
from django.db import connection, connections
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.urls import set_script_prefix
from django.utils.translation import override

from games.analysis import jobs
from xactika_site import languages, metrics
from xactika_site.clients import client_of
from xactika_site.http import CLIENT, WAITS, Receive, Scope, Send
from xactika_site.lanes import BUSY, Busy, Gone, Lane, first_of, give_way_to_moves
from xactika_site.logs import count_line
from xactika_site.security import POLICY

log = logging.getLogger("xactika.lanes")

_IS_SQLITE = connection.vendor == "sqlite"

# Few on SQLite, which makes nobody wait who reads: each more is one more to wait behind for the
# interpreter's lock, also for the thread that stores moves. Of one client two at a time.
READING = Lane("pages", 3 if _IS_SQLITE else 6, at_once=2)
# A school that comes in is nobody yet, and waits behind none who are somebody.
JOINING = Lane("joins", 2)
# SQLite is written by one at a time: they wait here, where moves are let go first.
WRITING = Lane("forms", 1 if _IS_SQLITE else 4)
# A launch from a school's system may have to ask that for its keys.
LAUNCHING = Lane("launches", 4)
# Whoever signs in waits for accounts.sign_in_queue, which says itself when it is too many.
SIGNING_IN = Lane("sign-ins", 8)

_SIGN_INS = tuple(f"/teach/{part}/" for part in "account invited login reset start".split())

MOST_OF_A_CLIENT = 64
MOST_OF_NOBODY = 2_000
"""Requests that may wait: of one client, and of all that are not known, who may be a school
that comes in at once."""

PATIENCE = 1.0
"""Seconds that a page waits for what is being computed, before it says that it goes on."""

TRY_AGAIN_AFTER = 3
"""Seconds, as a client is told where too much is asked at once."""


class Pages(ASGIHandler):
    """Django's handler without its ways between threads: middleware and views are all
    synchronous here, so a request needs one thread, once. Streamed answers go Django's way."""

    def load_middleware(self, is_async: bool = False) -> None:  # noqa: ARG002 (Django's name)
        """Build the chain of middleware, synchronous throughout."""
        super().load_middleware(is_async=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        with body:
            sent = body.read()
        try:
            response = await self._response(scope, sent, receive)
        except Gone:
            return
        metrics.PAGES.one(f"{response.status_code // 100}xx")
        if response.streaming:
            await self._stream(response, receive, send)
        else:
            await self.send_response(response, send)

    async def _response(self, scope: Scope, body: bytes, receive: Receive) -> HttpResponseBase:
        """The response, once the request has had its turn; of a page that needs what is being
        computed once more, when that is there or the page's patience is over. Raises Gone for a
        client that left before."""
        headers = dict(scope["headers"])
        scope[CLIENT] = client = client_of(headers)
        gone = partial(_gone, receive)
        key = scope["path"], scope["query_string"], headers.get(b"cookie")
        if ASKS_AGAIN in headers and (job := _job_of.get(key)) is not None:
            await _wait_for(job, headers, gone)
            if not job.done.done():
                return _counting(job)
        for scope[WAITS] in (True, False):
            request, response = self.create_request(scope, BytesIO(body))
            if request is not None:
                try:
                    response = await self._in_turn(request, client, gone)
                except Busy:
                    return _busy(scope)
            job = getattr(response, "job", None)
            if job is None or not scope[WAITS]:
                break
            await _wait_for(job, headers, gone)
        if job is not None:
            _job_of[key] = job
            job.done.add_done_callback(lambda _done: _job_of.pop(key, None))
            if len(_job_of) > MOST_ASKED:
                _job_of.popitem(last=False)
        assert response is not None
        return response

    async def _in_turn(
        self, request: ASGIRequest, client: str, gone: Callable[[], Awaitable[Any]]
    ) -> HttpResponseBase:
        lane = JOINING if request.path.startswith("/join/") else READING
        if request.method not in ("GET", "HEAD", "OPTIONS"):
            lane = SIGNING_IN if request.path.startswith(_SIGN_INS) else WRITING
        if request.path.startswith("/lti/"):
            lane = LAUNCHING
        return await lane.run(
            client or _kind_of(request.path),
            partial(copy_context().run, self._answer, request, lane in (WRITING, LAUNCHING)),
            most=MOST_OF_A_CLIENT if client else MOST_OF_NOBODY,
            gone=gone,
        )

    def _answer(self, request: ASGIRequest, writes: bool) -> HttpResponseBase:
        if writes:
            give_way_to_moves()
        jobs.asker.set(partial(client_of, dict(request.scope["headers"])))
        set_script_prefix(get_script_prefix(request.scope))
        signals.request_started.send(sender=self.__class__, scope=request.scope)
        response: HttpResponseBase = self.get_response(request)
        if response.streaming:
            signals.request_finished.send(sender=self.__class__)
        else:
            response.close()
            # A request and its user hold each other: let go, or only the collector would.
            vars(request).clear()
        return response

    async def _stream(self, response: HttpResponseBase, receive: Receive, send: Send) -> None:
        """Send piece by piece, until all is sent or the client has gone."""
        async with ThreadSensitiveContext():
            sending = asyncio.create_task(self.send_response(response, send))
            leaving = asyncio.ensure_future(receive())
            await asyncio.wait({sending, leaving}, return_when=asyncio.FIRST_COMPLETED)
            try:
                if sending.done():
                    leaving.cancel()
                else:
                    sending.cancel()
                await sending
            except asyncio.CancelledError:
                pass
            finally:
                await sync_to_async(_finish)(response)


_KINDS = frozenset(
    "class device graphs healthz join learn lessons lti play positions puzzles "
    "tables teach".split()
)


def _kind_of(path: str) -> str:
    """The first part of an address, with a slash before it: whoever is not known waits behind
    others like them, but only behind those who ask for the like."""
    first = path[1:].partition("/")[0]
    return f"/{first if first in _KINDS else ''}"


async def _gone(receive: Receive) -> None:
    """Return when the client has left."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def _wait_for(
    job: jobs.Job, headers: dict[bytes, bytes], gone: Callable[[], Awaitable[Any]]
) -> None:
    """Wait until a job is done, as long as a page can. Raises Gone."""
    comes_back = False
    job.hold()
    try:
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                await first_of(asyncio.shield(asyncio.wrap_future(job.done)), gone)
                if job.is_dropped:  # for newer questions: asked anew when patience is over
                    await gone()
                    raise Gone
        comes_back = True
    finally:
        job.let_go(client_of(headers), comes_back=comes_back)


ASKS_AGAIN = b"x-asks-again"
"""The header of our scripts where a page, or a part of one, was still counting before: it is
answered from here, without asking the view, as long as that has not changed."""

MOST_ASKED = 1_000
_job_of: OrderedDict[object, jobs.Job] = OrderedDict()
"""What pages wait for that were told to ask again, by their address and cookies."""


def _counting(job: jobs.Job) -> HttpResponse:
    """The answer 202, with nothing but how far the job has come."""
    response = HttpResponse(status=202)
    response["Retry-After"], response["X-Done"] = "1", str(round(100 * job.progress))
    response["Cache-Control"] = "no-store"
    return response


def _busy(scope: Scope) -> HttpResponse:
    """The answer 503, with one sentence: too much was asked at once."""
    count_line(log, "busy", BUSY, where=_kind_of(scope["path"]))
    return HttpResponse(
        _busy_page(languages.wished_in(scope["headers"])),
        status=503,
        headers={"Retry-After": TRY_AGAIN_AFTER, "Content-Security-Policy": POLICY},
    )


@lru_cache
def _busy_page(language: str) -> str:
    with override(language):
        return render_to_string("busy.html")


def _finish(response: HttpResponseBase) -> None:
    response.close()
    connections.close_all()  # what was read for it, by a thread that ends here

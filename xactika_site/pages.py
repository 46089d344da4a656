"""Django's pages under ASGI: each request is answered whole by one thread, which keeps its
connection to the database. Why: docs/decisions/0019-pages-on-threads.md.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

from asgiref.sync import ThreadSensitiveContext, sync_to_async
from django.core import signals
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, ASGIRequest, get_script_prefix
from django.db import connections
from django.http.response import HttpResponseBase
from django.urls import set_script_prefix

from xactika_site import metrics
from xactika_site.http import Receive, Scope, Send

# More than there are processors: a page may wait for the database, or for its turn there.
_POOL = ThreadPoolExecutor(max_workers=16, thread_name_prefix="pages")


class Pages(ASGIHandler):
    """Django's handler without its ways between threads: middleware and views are all
    synchronous here, so a request needs one thread, once. Streamed answers go Django's way."""

    def load_middleware(self, is_async: bool = False) -> None:  # noqa: ARG002 (Django's name)
        """The chain of middleware, synchronous throughout."""
        super().load_middleware(is_async=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        with body:
            request, response = self.create_request(scope, body)
            if request is not None:
                loop, run = asyncio.get_running_loop(), copy_context().run
                response = await loop.run_in_executor(_POOL, run, self._answer, request)
            assert response is not None
            metrics.PAGES.one(f"{response.status_code // 100}xx")
            if response.streaming:
                await self._stream(response, receive, send)
            else:
                await self.send_response(response, send)

    def _answer(self, request: ASGIRequest) -> HttpResponseBase:
        set_script_prefix(get_script_prefix(request.scope))
        signals.request_started.send(sender=self.__class__, scope=request.scope)
        response: HttpResponseBase = self.get_response(request)
        if response.streaming:
            signals.request_finished.send(sender=self.__class__)
        else:
            response.close()
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


def _finish(response: HttpResponseBase) -> None:
    response.close()
    connections.close_all()  # what was read for it, by a thread that ends here

"""What every response carries, and what no log line may."""

from __future__ import annotations

import logging
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)

FRAMED = POLICY.replace("frame-ancestors 'none'", "frame-ancestors *")


def content_security_policy(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: the strict policy on every response, nothing inline and nobody else's; but
    what says its own (FRAMED) may stand in another site's frame."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.headers.setdefault("Content-Security-Policy", POLICY)
        return response

    return middleware


class WithoutRequest(logging.Filter):
    """Drops the request (addresses, cookies, tokens in paths) from Django's own records."""

    def filter(self, record: logging.LogRecord) -> bool:
        for name in ("request", "taskName", "status_code", "color_message"):
            record.__dict__.pop(name, None)
        if record.name.startswith("django.") and record.args:
            record.args = (
                tuple("…" for _ in record.args) if isinstance(record.args, tuple) else ()
            )
        return True

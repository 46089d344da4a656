"""Pages that need what is simulated: they ask for it, and say so while it is being computed."""

from __future__ import annotations

import logging
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation

from games import analysis
from games.analysis.jobs import Job, StillCounting, TooMany, pool
from xactika_site.http import WAITS
from xactika_site.lanes import BUSY
from xactika_site.logs import count_line

log = logging.getLogger("xactika.lanes")

T = TypeVar("T")

BACK_AFTER = 1
"""Seconds after which a page that still counts asks again."""


def answer(question: Hashable, compute: Callable[[], T], *, plays: bool = True) -> T:
    """What ``compute`` returns, which reads no database and whose words, if any, are in the
    present language. Raises StillCounting, which becomes a page that asks again by itself,
    whatever ``compute`` raises and, where it ``plays`` deals, analysis.NotReady."""
    if plays:
        analysis.require()
    language = translation.get_language()

    def spoken() -> T:
        with translation.override(language):
            return compute()

    return pool.answer((question, language), spoken)


def let_go_of_database() -> None:
    """Give back this thread's connection: who goes on without the database keeps none that
    tables need."""
    if connection.vendor != "sqlite":
        connection.close()


class Counting:
    """Middleware: a view that needs what is still being computed says so, and is asked again
    (``xactika_site.pages``)."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The view's own response."""
        return self._get_response(request)

    def process_exception(
        self, request: HttpRequest, exception: Exception
    ) -> HttpResponse | None:
        """The page that asks again, and what is said where too many wait."""
        if isinstance(exception, StillCounting):
            return still_counting_page(request, exception.job)
        if isinstance(exception, TooMany):
            count_line(log, "places", BUSY)
            page = render(request, "busy.html", status=503)
            page["Retry-After"] = "5"
            return page
        return None


def still_counting_page(
    request: HttpRequest, job: Job, template: str = "", context: dict[str, Any] | None = None
) -> HttpResponse:
    """202: the page, or a part that a page fetches, and that fetches itself again. What htmx
    swaps in asks by itself, and stays as it is meanwhile (204), unless it has a template."""
    if getattr(request, "scope", {}).get(WAITS):
        page = HttpResponse(status=202)
        page.job = job  # type: ignore[attr-defined]
        return page
    if not template:
        if "HX-Current-URL" in request.headers:  # htmx's own, and no script's of ours
            return HttpResponse(status=204)
        is_part = "HX-Request" in request.headers
        template = "games/study/_counting.html" if is_part else "games/study/counting.html"
    done = round(100 * job.progress)
    page = render(request, template, (context or {}) | {"done": done}, status=202)
    page["Retry-After"] = str(BACK_AFTER)
    page["X-Done"] = str(done)
    page["Cache-Control"] = "no-store"
    page.job = job  # type: ignore[attr-defined]
    return page

"""By whose clock a page tells the time."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from xactika_site.accounts.models import User, cities, server_time_zone, zone_named
from xactika_site.clients import cache_client

ZONE_COOKIE = "zone"
"""The browser's time zone: a script of every page says it (settings.js)."""


def own_time_zone(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: a teacher's times are in the teacher's time zone, others' in their browser's,
    or the server's before it has said one. Whoever is in a class is told its own
    (``lessons.pages.speaking``)."""

    def middleware(request: HttpRequest) -> HttpResponse:
        name = request.COOKIES.get(ZONE_COOKIE, "")
        zone = zone_named(name if name in cities() else server_time_zone())
        if isinstance(request.user, User):
            zone = request.user.zone
            cache_client(request.session.session_key or "", f"teacher {request.user.pk}")
        with timezone.override(zone):
            return get_response(request)

    return middleware

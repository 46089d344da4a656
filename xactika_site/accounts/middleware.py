"""What a signed-in teacher sees differently."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from xactika_site.accounts.models import User
from xactika_site.clients import remember


def own_time_zone(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: a teacher's times are in the teacher's time zone."""

    def middleware(request: HttpRequest) -> HttpResponse:
        zone = None
        if isinstance(request.user, User):
            zone = request.user.zone
            remember(request.session.session_key or "", f"teacher {request.user.pk}")
        with timezone.override(zone):
            return get_response(request)

    return middleware

"""What a signed-in teacher sees differently."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from xactika_site.accounts.models import User


def own_time_zone(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: a teacher's times are in the teacher's time zone."""

    def middleware(request: HttpRequest) -> HttpResponse:
        zone = request.user.zone if isinstance(request.user, User) else None
        with timezone.override(zone):
            return get_response(request)

    return middleware

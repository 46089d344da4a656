"""Whether a device will do: the floor in words, for who asks and for who is below it."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import REASON_NO_CSRF_COOKIE
from django.shortcuts import render
from django.views.csrf import csrf_failure
from django.views.decorators.http import require_safe


@require_safe
def device(request: HttpRequest) -> HttpResponse:
    """The page of what a browser needs and what works without; ``?because=`` is why it came."""
    because = request.GET.get("because", "")
    return render(request, "games/device.html", {"because": because})


def csrf_failure_page(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The 403 page of a form without its token; without a cookie either, why these are
    needed."""
    if reason == REASON_NO_CSRF_COOKIE:
        return render(request, "games/device.html", {"because": "cookies"}, status=403)
    return csrf_failure(request, reason)

"""The request as our pages know it, cookies and numbers as they are sent, and what ASGI hands
about."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from django.conf import settings
from django.http import HttpRequest as DjangoRequest
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails

Scope = dict[str, Any]
CLIENT = "xactika.client"
"""The scope's entry that says whose request it is (``clients.client_of``)."""
WAITS = "xactika.waits"
"""The scope's entry that says whether a page which has to wait is asked once more in a moment,
so that what it says meanwhile reaches nobody."""
Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]


class HttpRequest(DjangoRequest):
    """With what django-htmx says of it: whether htmx asks, and for what part of the page."""

    htmx: HtmxDetails


def digits(sent: str, most: int = 18) -> int | None:
    """A whole number of at most so many digits, as pages send it; None for anything else."""
    return int(sent) if sent.isascii() and sent.isdigit() and len(sent) <= most else None


def page_redirect(request: HttpRequest, to: str, *args: object) -> HttpResponse:
    """The redirect of the whole page to this view, also where htmx asked for a part."""
    address = reverse(to, args=args)
    return HttpResponseClientRedirect(address) if request.htmx else redirect(address)


def set_cookie(
    response: HttpResponse, name: str, value: str, *, max_age: int, path: str = "/"
) -> None:
    """Set a cookie for so many seconds that no script reads and no other site's form sends."""
    secure = settings.IS_HTTPS
    response.set_cookie(
        name, value, max_age, path=path, secure=secure, httponly=True, samesite="Lax"
    )

"""The request as our pages know it, cookies and numbers as they are sent, what kinds of views
there are, and what ASGI hands about."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest as DjangoRequest
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe
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


View = TypeVar("View", bound=Callable[..., HttpResponseBase])


class HttpRequest(DjangoRequest):
    """With what django-htmx says of it: whether htmx asks, and for what part of the page."""

    htmx: HtmxDetails


# Views: what nobody keeps a copy of, as it is somebody's and changes.


def fresh_page(view: View) -> View:
    """The view as a page to be read."""
    return never_cache(require_safe(view))


def fresh_form(view: View) -> View:
    """The view as a page with a form that is sent to it."""
    return never_cache(require_http_methods(["GET", "HEAD", "POST"])(view))


def teachers_page(view: View) -> View:
    """A ``fresh_page`` for who is signed in; others are asked to."""
    return never_cache(login_required(require_safe(view)))


def teachers_form(view: View) -> View:
    """A ``fresh_form`` for who is signed in; others are asked to."""
    return never_cache(login_required(fresh_form(view)))


def teachers_post(view: View) -> View:
    """What only a form is sent to, for who is signed in; others are asked to."""
    return never_cache(login_required(require_POST(view)))


# What is sent.


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

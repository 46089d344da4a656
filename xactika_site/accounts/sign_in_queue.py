"""Where passwords are tried: apart from play, one at a time, in a short queue.

Strangers have one lane, and browsers in which a teacher has signed in before another, so that
neither a flood nor the school's one address locks the teacher out. Both the queue and what
django-axes counts wrong tries by follow from the lane: docs/decisions/0029-trying-passwords.md.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import BoundedSemaphore
from typing import Any, TypeVar

from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.hashers import make_password, verify_password
from django.core.exceptions import PermissionDenied
from django.core.signing import BadSignature, Signer
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.crypto import salted_hmac

from xactika_site.accounts.models import User
from xactika_site.http import set_cookie
from xactika_site.lanes import give_way

T = TypeVar("T")

KNOWN_FOR = 400 * 86400
"""Seconds that a browser stays known; the most that browsers allow."""

PLACES = 3
"""How many may be tried or wait in one lane; whoever comes then is asked to try again."""


class QueueFull(Exception):
    """Too many passwords wait to be tried just now."""


class PasswordQueue:
    """One thread that tries one password after another, and gives way to all else."""

    def __init__(self, name: str) -> None:
        self._places = BoundedSemaphore(PLACES)
        self._thread = ThreadPoolExecutor(
            1, f"passwords-{name}", initializer=give_way, initargs=(10,)
        )

    def run(self, function: Callable[..., T], *arguments: Any) -> T:
        """The function's answer, when it has had its turn. Raises QueueFull, at once."""
        if not self._places.acquire(blocking=False):
            raise QueueFull
        try:
            return self._thread.submit(function, *arguments).result()
        finally:
            self._places.release()


STRANGERS, KNOWN = PasswordQueue("strangers"), PasswordQueue("known")


class Backend(ModelBackend):
    """Django's, with the hashing in the queue. An unknown name takes the same way as a known.
    Has the last word: no backend after it tries the password once more."""

    def authenticate(
        self,
        request: HttpRequest | None,
        username: str | None = None,
        password: str | None = None,
        **_more: Any,
    ) -> User | None:
        """The user of this name and password. Raises QueueFull; PermissionDenied for nobody."""
        if username is None or password is None:
            return None
        lane = KNOWN if request is not None and known_device(request, username) else STRANGERS
        user = User.objects.filter(username=username).first()
        if user is None:
            lane.run(make_password, password)
            raise PermissionDenied
        is_right, is_outdated = lane.run(verify_password, password, user.password)
        if not is_right:
            raise PermissionDenied
        if is_outdated:
            user.password = lane.run(make_password, password)
            user.save(update_fields=["password"])
        return user


# Browsers that are known.

_signer = Signer(salt="accounts.known", sep=".")


def _cookie_of(user: User) -> str:
    """The name of a teacher's cookie: it says whose it is, to this server alone."""
    return f"known-{salted_hmac('accounts.known', str(user.pk)).hexdigest()[:16]}"


def remember(response: HttpResponse, user: User) -> None:
    """This browser is one in which the teacher has signed in."""
    name = _cookie_of(user)
    value = _signer.sign(f"{name}.{secrets.token_hex(8)}")
    set_cookie(response, name, value, max_age=KNOWN_FOR, path=reverse("login"))


def known_device(request: HttpRequest, username: str) -> str:
    """The mark of this browser if the teacher of that name has signed in here; else nothing."""
    marks: dict[str, str] = request.__dict__.setdefault("_known_devices", {})
    if username not in marks:
        marks[username] = _find_device(request, username)
    return marks[username]


def _find_device(request: HttpRequest, username: str) -> str:
    if not any(name.startswith("known-") for name in request.COOKIES):
        return ""
    user = User.objects.filter(username=username).first()
    cookie = request.COOKIES.get(_cookie_of(user), "") if user else ""
    try:
        name, _, mark = _signer.unsign(cookie[:200]).rpartition(".")
    except BadSignature:
        return ""
    return mark if user and name == _cookie_of(user) else ""


# What django-axes counts wrong tries by.


def counted_name(request: HttpRequest, credentials: dict[str, Any] | None = None) -> str:
    """The name under which a failed sign-in is counted: the one typed; in a browser that is
    known with the browser's mark, so that nobody else can lock it."""
    name = (credentials or request.POST).get("username") or ""
    mark = known_device(request, name)
    return f"{name} at {mark}" if mark else name


def counted_address(request: HttpRequest) -> str:
    """The address that tries; a known browser is the same wherever it is carried."""
    name = request.POST.get("username") or ""
    return "known" if known_device(request, name) else str(request.META.get("REMOTE_ADDR"))

"""The languages that people are spoken to in. docs/decisions/0052-languages.md

A class session has one, a table has one, and everywhere else a device has its own. Which of
them it is, is settled once, where an answer begins (``lessons.pages.speaking``, the rooms of
``games.live``); nothing that says something asks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.conf import settings
from django.http import HttpRequest, parse_cookie
from django.utils.translation import get_language, get_language_from_request


def wished(cookies: Mapping[str, str], accepted: str) -> str:
    """The language of a device: as it was switched to (its cookie), else as its browser
    wishes (a header), else the server's."""
    request = HttpRequest()
    request.COOKIES = dict(cookies)
    request.META["HTTP_ACCEPT_LANGUAGE"] = accepted
    return get_language_from_request(request)


def wished_in(headers: Iterable[tuple[bytes, bytes]]) -> str:
    """The language of a device, by the headers of a request that Django never gets."""
    sent = {name: value.decode("latin-1") for name, value in headers}
    return wished(parse_cookie(sent.get(b"cookie", "")), sent.get(b"accept-language", ""))


def supported(code: str | None) -> str:
    """This language, if it is one of ours; the server's for any other and for none."""
    return code if code in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE


def present() -> str:
    """The language that is spoken just now: of what is made for whoever asks."""
    return supported(get_language())


def is_spoken(code: str | None) -> bool:
    """Whether the page being made is in this language: one in another (of a demo's past, in
    its reader's) gets no news, which would be in this one."""
    return supported(code) == present()


def are_several() -> bool:
    """Whether there is anything to choose from."""
    return len(settings.LANGUAGES) > 1

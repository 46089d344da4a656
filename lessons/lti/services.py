"""A platform's services, which are asked with a token of its own."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from enum import StrEnum
from typing import Any
from urllib.parse import urlencode, urljoin

import requests
from django.utils import timezone

from lessons.lti.outbound import session
from lessons.lti.sealing import opened, seal, signed
from lessons.models import Platform
from xactika_site.rate_limit import MINUTE, in_cache

MOST_PAGES = 10
DAY = 24 * 60 * MINUTE


class Service(StrEnum):
    """What a token is asked for, as the platform calls it."""

    GRADES = (
        "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem "
        "https://purl.imsglobal.org/spec/lti-ags/scope/score"
    )
    MEMBERS = "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly"


UNREADABLE = (AttributeError, KeyError, TypeError, ValueError, RecursionError)
"""What reading an answer raises that is not as it should be."""


class NotDone(Exception):
    """A service does not do what it is asked: the status of its answer, 0 for none, 401 where
    there is no token; and the seconds that it wants to be left alone."""

    def __init__(self, status: int = 0, wait: int = 0) -> None:
        super().__init__(status)
        self.status, self.wait = status, wait

    @property
    def is_temporary(self) -> bool:
        """Whether the same may be done another time."""
        return not 400 <= self.status < 500 or self.status in (401, 429)


def ask(
    platform: Platform, service: Service, url: str, kind: str, body: object = None
) -> requests.Response:
    """The answer at an address, to what is sent there or to a question, in a media type. A
    token that is taken no more is replaced once. Raises NotDone."""
    method, sent = ("GET", None) if body is None else ("POST", json.dumps(body))
    headers = {"Accept": kind, "Content-Type": kind}
    try:
        with session() as asking:
            for is_again in (False, True):
                token = _token(asking, platform, service, is_new=is_again)
                headers["Authorization"] = f"Bearer {token}"
                answer = asking.request(method, url, data=sent, headers=headers)
                if answer.status_code != 401:
                    break
    except (requests.RequestException, *UNREADABLE):
        raise NotDone from None
    return _checked_answer(answer)


def pages(platform: Platform, service: Service, url: str, kind: str) -> Iterator[Any]:
    """The JSON of an address, then of each that it names as the next. Raises NotDone, and what
    is in UNREADABLE."""
    for _page in range(MOST_PAGES):
        answer = ask(platform, service, url, kind)
        yield answer.json()
        if not (following := answer.links.get("next", {}).get("url")):
            return
        url = urljoin(url, following)


def with_query(url: str, **asked: str) -> str:
    """The address with a question, for a hundred of what is there at a time."""
    return f"{url}{'&' if '?' in url else '?'}{urlencode({**asked, 'limit': 100})}"


def _checked_answer(answer: requests.Response) -> requests.Response:
    if answer.ok:
        return answer
    is_busy = answer.status_code in (429, 503)
    raise NotDone(answer.status_code, _wait(answer.headers.get("Retry-After", "")) * is_busy)


def _wait(told: str) -> int:
    """Seconds, a day at most, of a header that says them or a moment; 0 of another."""
    try:
        if told.isdecimal():
            return min(max(int(told), 1), DAY)
        left = parsedate_to_datetime(told) - timezone.now()
        return int(min(max(left.total_seconds(), 1), DAY))
    except UNREADABLE:
        return 0


def _token(
    asking: requests.Session, platform: Platform, service: Service, *, is_new: bool
) -> str:
    """The platform's token, kept until a minute before it ends."""
    key = f"lti.token.{platform.pk}.{service.name}"
    if not is_new and (kept := opened(in_cache(lambda cache: cache.get(key, "")))):
        return kept
    own = {"iss": platform.client_id, "sub": platform.client_id, "aud": platform.token_url}
    sent = {
        "grant_type": "client_credentials",
        "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        "client_assertion": signed(own | {"jti": secrets.token_urlsafe()}, MINUTE),
        "scope": service.value,
    }
    answer = asking.post(platform.token_url, data=sent)
    if 400 <= answer.status_code < 500 and answer.status_code != 429:
        raise NotDone(401)
    said = _checked_answer(answer).json()
    token, lasts = str(said["access_token"]), int(said.get("expires_in", 0)) - MINUTE
    in_cache(lambda cache: cache.set(key, seal(token), timeout=lasts))
    return token

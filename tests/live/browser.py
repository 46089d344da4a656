"""A browser without scripts."""

from __future__ import annotations

import urllib.error
import urllib.parse
import urllib.request
from http.cookiejar import CookieJar


class Browser:
    """Cookies, forms, and answers of any status."""

    def __init__(self, base: str) -> None:
        self.base = base
        self.cookies = CookieJar()
        self.opener = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(self.cookies)
        )

    def get(self, path: str) -> tuple[int, str]:
        return self._open(urllib.request.Request(self.base + path))

    def post(self, path: str, **form: str) -> tuple[int, str]:
        (token,) = (cookie.value or "" for cookie in self.cookies if cookie.name == "csrftoken")
        data = urllib.parse.urlencode({**form, "csrfmiddlewaretoken": token}).encode()
        return self._open(urllib.request.Request(self.base + path, data))

    def _open(self, request: urllib.request.Request) -> tuple[int, str]:
        try:
            with self.opener.open(request, timeout=30) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()

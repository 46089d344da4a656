"""Whose request it is: what a browser or program cannot make up, or nobody."""

from __future__ import annotations

from collections import OrderedDict

import pytest

from xactika_site import clients
from xactika_site.clients import NOBODY, cache_client, client_of


@pytest.fixture(autouse=True)
def _as_after_a_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clients, "_clients", OrderedDict())


def sent(cookie: str = "", token: str = "") -> dict[bytes, bytes]:
    headers = {b"cookie": cookie.encode()} if cookie else {}
    return headers | ({b"authorization": f"Bearer {token}".encode()} if token else {})


def test_made_up_cookies_are_nobodys() -> None:
    cache_client("true-key", "guest 1")
    for headers in (
        sent(),
        sent("guest=made-up"),
        sent("other=true-key"),
        sent(token="made-up"),
    ):
        assert client_of(headers) == NOBODY
    assert client_of(sent("guest=true-key")) == "guest 1"


def test_one_browser_is_one_client_however_it_writes_its_cookie() -> None:
    for variant in ("a.b", "a.b|x", "a.b|y"):
        cache_client(variant, "student 7")
    found = {client_of(sent(f"student={v}; theme=dark")) for v in ("a.b", "a.b|x", "a.b|y")}
    assert found == {"student 7"}


def test_a_teacher_is_the_teacher_and_a_program_its_seat() -> None:
    cache_client("session", "teacher 1")
    cache_client("key", "guest 1")
    cache_client("token", "token abc 0")
    assert client_of(sent("guest=key; sessionid=session")) == "teacher 1"
    assert client_of(sent("guest=key", token="token")) == "token abc 0"


def test_only_so_many_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clients, "MOST_KNOWN", 10)
    for n in range(30):
        cache_client(f"key-{n}", f"guest {n}")
    assert len(clients._clients) == 10
    assert client_of(sent("guest=key-29")) == "guest 29"
    assert client_of(sent("guest=key-0")) == NOBODY

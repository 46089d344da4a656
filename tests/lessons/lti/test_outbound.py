"""What this server asks, whom, and how long; registering, by platforms and by hand."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from time import monotonic, sleep
from typing import Any

import pytest
import requests
from pytest_django import Settings
from requests.adapters import HTTPAdapter

from lessons.lti import outbound
from lessons.lti.outbound import PlatformAway, fetch, may_be_asked

pytestmark = pytest.mark.django_db


# Over the network. The platforms' answers are put aside.


@pytest.fixture
def really(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outbound._Adapter, "send", HTTPAdapter.send)


PRIVATE = (
    "127.0.0.1 10.1.2.3 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0 224.0.0.1 "
    "::1 ::ffff:127.0.0.1 fe80::1 fd00::1 2002:7f00:1::"
).split()


@pytest.mark.usefixtures("really")
@pytest.mark.parametrize("address", PRIVATE)
def test_nobody_on_a_private_network_is_asked(
    monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    """Also where only one of a host's addresses is private."""
    connected: list[Any] = []
    monkeypatch.setattr(outbound, "create_connection", lambda *to, **_: connected.append(to))
    both = [(0, 0, 0, "", ("93.184.215.14", 443)), (0, 0, 0, "", (address, 443))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_arguments, **_options: both)
    with pytest.raises(PlatformAway):
        fetch("https://moodle.school.test/keys")
    assert not connected


@pytest.mark.usefixtures("really")
def test_it_connects_to_the_address_that_was_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    connected: list[Any] = []

    def connect(to: Any, *_arguments: Any, **_options: Any) -> None:
        connected.append(to)
        raise OSError

    monkeypatch.setattr(outbound, "create_connection", connect)
    here = [(0, 0, 0, "", ("93.184.215.14", 443))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_arguments, **_options: here)
    with pytest.raises(PlatformAway):
        fetch("https://moodle.school.test/keys")
    assert connected == [("93.184.215.14", 443)]


def test_which_addresses_may_be_asked(settings: Settings) -> None:
    assert may_be_asked("https://moodle.school.test/keys")
    for url in (
        "http://moodle.school.test",
        "file:///etc/passwd",
        "//a",
        "https://a b",
        "",
        "https://",
    ):
        assert not may_be_asked(url)
        with pytest.raises((PlatformAway, requests.RequestException)):
            fetch(url)
    settings.LTI_PRIVATE = True
    assert may_be_asked("http://127.0.0.1:8080/keys")


@pytest.fixture
def server(settings: Settings, really: None) -> Iterator[Any]:
    """A server on this machine, which may be asked here, and says what a test puts into it."""
    settings.LTI_PRIVATE = True
    listening = socket.create_server(("127.0.0.1", 0))
    said: list[bytes] = []

    def serve() -> None:
        with suppress(OSError):
            while True:
                connection, _address = listening.accept()
                with connection, suppress(OSError):
                    connection.recv(65536)
                    for piece in said:
                        connection.sendall(piece)
                        sleep(0.2 if len(said) > 2 else 0)

    threading.Thread(target=serve, daemon=True).start()
    yield f"http://127.0.0.1:{listening.getsockname()[1]}/keys", said
    listening.close()


def test_an_answer_is_read_and_nothing_else_is(
    server: tuple[str, list[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    address, said = server
    head = b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"
    said[:] = [head, b'{"keys": []}']
    assert fetch(address) == {"keys": []}
    for wrong in (
        [head, b"[]"],
        [head, b"{" * 99_999],
        [head, b'{"a": "' + b"." * 300_000 + b'"}'],
        [head.replace(b"200 OK", f"302 Found\r\nLocation: {address}".encode()), b"{}"],
        [head.replace(b"200", b"503"), b"{}"],
        [b"nothing"],
    ):
        said[:] = wrong
        with pytest.raises(PlatformAway):
            fetch(address)
    monkeypatch.setattr(outbound, "IN_ALL", 0.5)
    said[:] = [head, *[b" "] * 60]  # drop by drop
    begun = monotonic()
    with pytest.raises(PlatformAway):
        fetch(address)
    assert monotonic() - begun < 5

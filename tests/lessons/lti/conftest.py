"""A site with LTI, and platforms that answer it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import count
from typing import Any
from urllib.parse import urlsplit

import pytest
import requests
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from django.conf import settings as all_settings
from django.urls import set_urlconf
from pylti1p3.dynamic_registration import generate_key_pair
from pytest_django import Settings

from lessons.lti import outbound
from tests.scenes.platform import School


@pytest.fixture(autouse=True)
def switched_on(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Django isn't told of the other addresses, or would read all of them for each test."""
    settings.LTI = True
    monkeypatch.setattr(all_settings, "ROOT_URLCONF", "tests.lessons.lti.addresses")
    set_urlconf(None)
    yield
    set_urlconf(None)


@cache
def _pair(_number: int, bits: int) -> Any:
    return generate_key_pair(bits)


_loaded = cache(load_pem_private_key)


@pytest.fixture(autouse=True)
def keys_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test's first, second and further key pairs are those of every test; none is read
    twice. Both take longer than a launch."""
    numbers = count()
    monkeypatch.setattr(
        "lessons.lti.sealing.generate_key_pair", lambda bits: _pair(next(numbers), bits)
    )
    monkeypatch.setattr("jwt.algorithms.load_pem_private_key", _loaded)


@pytest.fixture(autouse=True)
def schools(monkeypatch: pytest.MonkeyPatch) -> dict[str, School]:
    """The platforms that there are, by their hosts; others are away."""
    known: dict[str, School] = {}

    def send(
        _adapter: Any, request: requests.PreparedRequest, **_options: Any
    ) -> requests.Response:
        host = urlsplit(request.url or "").hostname or ""
        if host not in known:
            raise requests.ConnectionError
        return known[host].answer(request)

    monkeypatch.setattr(outbound._Adapter, "send", send)
    return known


@pytest.fixture
def school(schools: dict[str, School], request: pytest.FixtureRequest) -> School:
    """The one platform of most tests: ours, unless a test names another kind."""
    kind: type[School] = getattr(request, "param", School)
    schools["moodle.school.test"] = kind()
    return schools["moodle.school.test"]

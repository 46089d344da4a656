"""A site with LTI, and platforms that answer it."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import pytest
import requests
from pytest_django import Settings

from lessons.lti import outbound
from tests.scenes.platform import School


@pytest.fixture(autouse=True)
def switched_on(settings: Settings) -> None:
    settings.LTI = True
    settings.ROOT_URLCONF = "tests.lessons.lti.addresses"


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

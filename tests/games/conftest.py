"""Fixtures of the tests of games; the factories stand in ``tables.py``."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from inspect import iscoroutinefunction
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from pytest_django import Settings

from games.tables import notify
from tests.games.sockets import AskingCommunicator, hung_up


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_call(item: pytest.Function) -> None:
    """Whoever has a socket open at a test's end hangs up."""
    if iscoroutinefunction(item.obj):
        item.obj = hung_up(item.obj)


@pytest.fixture(autouse=True)
def plain_static_files(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pages need no collected files; an empty folder stands for them."""
    folder = tmp_path_factory.getbasetemp() / "static"
    folder.mkdir(exist_ok=True)
    settings.STATIC_ROOT = folder
    settings.STORAGES = {
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    }
    return folder


@pytest.fixture(autouse=True)
def _nothing_counted() -> None:
    """Throttles count from zero in every test."""
    cache.clear()


class Clock:
    """The time, standing still until it is moved on."""

    def __init__(self) -> None:
        self.time = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.time

    def forward(self, seconds: float) -> None:
        self.time += timedelta(seconds=seconds)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Stops ``timezone.now``; ``clock.forward(seconds)`` moves it on."""
    standing = Clock()
    monkeypatch.setattr("django.utils.timezone.now", standing)
    return standing


class Bells(list[str]):
    """The tables whose bell has rung, after commit."""


@pytest.fixture
def bells(monkeypatch: pytest.MonkeyPatch) -> Bells:
    """Hears every bell instead of the hub."""
    heard = Bells()

    def hear(table_id: str, *_more: Any) -> None:
        heard.append(table_id)

    monkeypatch.setattr(notify, "notify_now", hear)
    return heard


@pytest.fixture(params=["by socket", "by asking"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The test is done twice: with sockets, and as a browser does that can have none."""
    monkeypatch.setattr(AskingCommunicator, "is_used", request.param == "by asking")
    return str(request.param)

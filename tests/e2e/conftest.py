"""A real Chromium against the real server. Its own pytest run: Playwright's loop and the ORM
do not mix (`make test` runs it after the others)."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.server import Server

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
REQUIRED = os.environ.get("XACTIKA_REQUIRE_BROWSER") == "1"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if CHROMIUM is None and not REQUIRED:
        skip = pytest.mark.skip(reason="no Chromium is installed, so no browser tests")
        for item in items:
            item.add_marker(skip)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The server, with static files as in production."""
    server = Server(tmp_path_factory.mktemp("server"))
    server.manage("collectstatic", "--noinput", "-v0")
    with server as running:
        yield running


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.fail("XACTIKA_REQUIRE_BROWSER=1, but no Chromium is installed")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


class Watched:
    """Browser contexts whose every page is watched: no foreign request, no CSP report, no
    script error."""

    def __init__(self, browser: Browser, server: Server) -> None:
        self.browser, self.server = browser, server
        self.contexts: list[BrowserContext] = []
        self.complaints: list[str] = []
        self.expected: tuple[str, ...] = ()

    def new_context(self, **options: object) -> BrowserContext:
        context = self.browser.new_context(base_url=self.server.base, **options)  # type: ignore[arg-type]
        context.set_default_timeout(15_000)
        context.on("page", self._watch)
        self.contexts.append(context)
        return context

    def new_page(self, **options: object) -> Page:
        return self.new_context(**options).new_page()

    def _watch(self, page: Page) -> None:
        own = urlsplit(self.server.base).netloc

        def check(url: str) -> None:
            parts = urlsplit(url)
            if parts.scheme not in ("data", "blob", "about") and parts.netloc != own:
                self.complaints.append(f"a request left the host: {url}")

        page.on("request", lambda request: check(request.url))
        page.on("websocket", lambda socket: check(socket.url))
        page.on("pageerror", lambda error: self.complaints.append(f"script error: {error}"))
        page.on("console", self._console)

    def _console(self, message: object) -> None:
        kind, text = message.type, message.text  # type: ignore[attr-defined]
        if kind in ("error", "warning") and not any(part in text for part in self.expected):
            self.complaints.append(f"console {kind}: {text}")


@pytest.fixture
def watched(browser: Browser, server: Server) -> Iterator[Watched]:
    """Contexts for one test; afterwards nothing may have been complained of."""
    guard = Watched(browser, server)
    yield guard
    for context in guard.contexts:
        context.close()
    assert guard.complaints == []


@pytest.fixture
def page(watched: Watched) -> Page:
    return watched.new_page()


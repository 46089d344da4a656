"""A real Chromium against the real server. Its own pytest run: Playwright's loop and the ORM
do not mix (`make test` runs it after the others)."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Playwright,
    expect,
    sync_playwright,
)

from tests.e2e import made_up
from tests.e2e.player import Player
from tests.e2e.wire import Wire
from tests.server import Server

# The shell draws the same pages for a third of the work: it has no window around them.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser")
ASKED = os.environ.get("XACTIKA_CHROMIUM")
"""The one to take all the same, as continuous integration does for some tests."""
CHROMIUM = next(filter(None, map(shutil.which, [ASKED] if ASKED else NAMES)), None)
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

IS_LONG = os.environ.get("XACTIKA_SOAK") == "1"
"""Whether classes come with all their devices, and games have all their rounds."""

# Set by the browser itself before any script of the page, so no policy forbids it.
TELL_OF_CSP = """
document.addEventListener("securitypolicyviolation", (event) => console.error(
  `policy violated: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`));
"""


if made_up.FOUND:
    made_up.read_plainly()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if CHROMIUM is None and not REQUIRED:
        skip = pytest.mark.skip(reason="no Chromium is installed, so no browser tests")
        for item in items:
            item.add_marker(skip)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Why tests were tried again is told also where the second try went well."""
    for report in terminalreporter.getreports("rerun"):
        terminalreporter.section(f"tried again: {report.head_line}")
        terminalreporter.write_line(report.longreprtext)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The server, with static files as in production."""
    with Server(tmp_path_factory.mktemp("server"), experts=True) as running:
        yield running


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """One for all browsers of a worker: two of them do not get on."""
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.fail("XACTIKA_REQUIRE_BROWSER=1, but no Chromium is installed")
    expect.set_options(timeout=30_000)
    chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
    yield chromium
    chromium.close()


# A card that leaves no choice does not play itself, unless a test is about that.
NOTHING_PLAYS_ITSELF = """
if (location.pathname.startsWith("/tables/")) localStorage.xactika ??= '{"auto": false}';
"""


class Watched:
    """Browser contexts whose every page is watched: no foreign request, no CSP report, no
    script error.

    A test that provokes console errors (a 404, a lost connection) names parts of them in
    ``expected``.
    """

    def __init__(self, browser: Browser, server: Server) -> None:
        self.browser, self.server = browser, server
        self.contexts: list[BrowserContext] = []
        self.complaints: list[str] = []
        self.expected: tuple[str, ...] = ()
        self.own = {urlsplit(server.base).netloc}

    def new_context(self, **options: object) -> BrowserContext:
        options.setdefault("base_url", self.server.base)
        options.setdefault("reduced_motion", "reduce")  # what moves is tested by itself
        # Left to itself the full browser wishes American English, and the shell nothing.
        options.setdefault("locale", "en-US")
        self.own.add(urlsplit(str(options["base_url"])).netloc)
        context = self.browser.new_context(**options)  # type: ignore[arg-type]
        context.set_default_timeout(made_up.PATIENCE if made_up.FOUND else 12_000)
        context.add_init_script(TELL_OF_CSP)
        context.add_init_script(NOTHING_PLAYS_ITSELF)
        if made_up.FOUND:
            context.add_init_script(made_up.script())
        context.on("page", self._watch)
        self.contexts.append(context)
        return context

    def new_page(self, **options: object) -> Page:
        return self.new_context(**options).new_page()

    def new_player(self, **options: object) -> Player:
        """A person with a browser of their own."""
        return Player(self.new_page(**options))

    def _watch(self, page: Page) -> None:
        page.on("request", lambda request: self._check(request.url))
        page.on("websocket", lambda socket: self._check(socket.url))
        page.on("pageerror", lambda error: self.complaints.append(f"script error: {error}"))
        page.on("console", self._console)

    def _check(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("data", "blob", "about") and parts.netloc not in self.own:
            self.complaints.append(f"a request left the host: {url}")

    def _console(self, message: ConsoleMessage) -> None:
        kind, text = message.type, message.text
        if kind == "debug" and made_up.FOUND:
            made_up.note(message.page.url if message.page else "", text)
        if kind in ("error", "warning") and not any(part in text for part in self.expected):
            self.complaints.append(f"console {kind}: {text}")


@pytest.fixture
def watched(
    browser: Browser,
    server: Server,
    new_wire: Callable[[], Wire],
) -> Iterator[Watched]:
    """Contexts for one test; afterwards nothing may have been complained of."""
    guard = Watched(browser, server)
    yield guard
    for context in guard.contexts:
        context.close()
    assert guard.complaints == []


@pytest.fixture
def page(watched: Watched) -> Page:
    return watched.new_page()


@pytest.fixture
def new_wire(server: Server) -> Iterator[Callable[[], Wire]]:
    """Makes wires to the server that the test may cut."""
    wires: list[Wire] = []

    def new() -> Wire:
        wires.append(Wire(server.port))
        return wires[-1]

    yield new
    for wire in wires:
        wire.close()

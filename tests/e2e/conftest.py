"""A real Chromium against the real server. Its own pytest run: Playwright's loop and the ORM
do not mix (`make test` runs it after the others). What fails leaves pictures of its pages, and
the server's log, in ``.pytest_cache/journeys``."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright

from tests.conftest import name_alone
from tests.e2e import made_up
from tests.e2e.wire import Wire
from tests.scenes.browser import PATIENCE, Watched, begin_luck, bell_of
from tests.server import ROOT, Server

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
KEPT = ROOT / ".pytest_cache" / "journeys"
LINES = 40
"""Of a server's log, how many are told of a test that failed."""

if made_up.FOUND:
    made_up.read_plainly()


LONG = (
    "test_from_the_code_to_the_results",
    "test_a_class_before_and_after",
    "test_the_projector_cuts_nothing_off",
    "test_a_table_of_friends_in_every_state",
    "test_everything_has_its_place",
    "test_what_a_teacher_sees",
    "test_what_students_see",
    "test_lessons_cut_nothing_off",
    "test_a_class_is_asked_what_it_would_play",
    "test_pages",
    "test_lesson_2_from_start_to_end",
    "test_a_class_looks_for_its_crooked_dealers",
    "test_a_class_beside_its_median",
    "test_a_session_from_form_to_end",
    "test_a_course_becomes_a_class",
    "test_homework_at_home_and_at_the_desk",
)
"""What workers begin with, so that none is busy alone at the end."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if CHROMIUM is None and not REQUIRED:
        skip = pytest.mark.skip(reason="no Chromium is installed, so no browser tests")
        for item in items:
            item.add_marker(skip)
    if hasattr(config, "workerinput"):
        if config.getoption("loadgroup", default=False):
            _keep_groups_together(items)
        rank = {name: place for place, name in enumerate(LONG)}
        items.sort(key=lambda item: rank.get(getattr(item, "originalname", ""), len(LONG)))


def _keep_groups_together(items: list[pytest.Item]) -> None:
    """pytest-xdist 3.8 adds a test's group to its name where pytest 9.2 does not read it any
    more: what is built once for a group would be built by each worker."""
    for item in items:
        if (group := item.get_closest_marker("xdist_group")) is None:
            continue
        name = f"{item.nodeid.removesuffix(f'@{group.args[0]}')}@{group.args[0]}"
        if item.nodeid != name:
            item._id = type(item.id).parse(name)
        assert item.nodeid == name, "tests of a group may run at the same time"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """What fails tells where its pictures are, and what its servers have written last."""
    report = yield
    if report.failed:
        folder = KEPT / re.sub(r"\W+", "-", item.name).strip("-")
        for known in getattr(item, "funcargs", {}).values():
            if isinstance(known, Watched) and call.when == "call":
                taken = [str(file) for file in known.pictures(folder)]
                report.sections.append(("pictures of its pages", "\n".join(taken)))
            if isinstance(known, Server) and known.log.exists():
                folder.mkdir(parents=True, exist_ok=True)
                shutil.copy(known.log, folder)
                last = known.log.read_text(encoding="utf-8").splitlines()[-LINES:]
                report.sections.append((f"the end of {known.log.name}", "\n".join(last)))
    return report


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The server, with static files as in production."""
    with lucky(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture(scope="session")
def french(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One that speaks French to whoever wishes nothing."""
    with lucky(tmp_path_factory.mktemp("french"), XACTIKA_LANGUAGE="fr") as running:
        yield running


def lucky(folder: Path, **environment: Any) -> Server:
    """A server that draws for each test the same in every run."""
    file = folder / "luck"
    file.write_text("nobody’s", encoding="utf-8")
    bell = bell_of(folder)
    bell.touch()
    hear = f"luck.look_often(); luck.hear({str(bell)!r}); luck.follow({str(file)!r})"
    begin = "" if IS_LONG else f"from tests.e2e import luck; {hear}"
    environment = {"XACTIKA_METRICS": "local", **environment}
    return Server(folder, experts=True, start_with=begin, **environment)


@pytest.fixture(autouse=True)
def named_luck(request: pytest.FixtureRequest) -> None:
    """The luck of servers, and of the services beside them, is named by the test."""
    name = f"{os.environ.get('XACTIKA_LUCK', 0)} {name_alone(request.node)}"
    begin_luck("" if IS_LONG else name)
    for each in {"server", "french"} & {*request.fixturenames}:
        running: Server = request.getfixturevalue(each)
        (running.log.parent / "luck").write_text(name, encoding="utf-8")


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """One for all browsers of a worker: two of them do not get on."""
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.fail("XACTIKA_REQUIRE_BROWSER=1, but no Chromium is installed")
    expect.set_options(timeout=PATIENCE)
    chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
    yield chromium
    chromium.close()


@pytest.fixture
def watched(
    browser: Browser,
    server: Server,
    new_wire: Callable[[], Wire],
) -> Iterator[Watched]:
    """Contexts for one test; afterwards nothing may have been complained of."""
    yield from guarded(browser, server)


@pytest.fixture
def in_french(browser: Browser, french: Server) -> Iterator[Watched]:
    """The same before a server that speaks French."""
    yield from guarded(browser, french)


def guarded(browser: Browser, server: Server) -> Iterator[Watched]:
    """Contexts that are closed at the end, when none of their pages may have complained."""
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

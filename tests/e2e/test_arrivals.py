"""What a page needs and did not get: it says so, and "Reload" fetches it anew."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, expect

from tests.e2e.player import Player
from tests.server import Server

pytestmark = pytest.mark.xdist_group("arrivals")


@pytest.fixture
def context(browser: Browser, server: Server) -> Iterator[BrowserContext]:
    """One whose pages may complain."""
    context = browser.new_context(base_url=server.base, reduced_motion="reduce")
    yield context
    context.close()


@pytest.fixture
def table(server: Server) -> str:
    seat = server.open_table(variant="bid", seats=4, people=1, pace=0)["seats"][0]
    return str(seat["link"])


def notice(page: Page) -> Locator:
    return page.get_by_text("Reload: something did not arrive")


def named(name: str) -> re.Pattern[str]:
    """The collected file of this name."""
    stem, end = name.split(".")
    return re.compile(rf"/static/{stem}(\.min)?\.[0-9a-f]{{12}}\.{end}$")


def lost(route: Route) -> None:
    route.abort()


def empty(route: Route) -> None:
    route.fulfill(response=route.fetch(), body="")


def half(route: Route) -> None:
    answer = route.fetch()
    route.fulfill(response=answer, body=answer.text()[: len(answer.text()) // 2])


def refused(route: Route) -> None:
    route.fulfill(status=503, body="")


@pytest.mark.parametrize(
    ("name", "happens"),
    [
        ("games/table.js", lost),
        ("games/table.js", empty),
        ("games/hand.js", half),
        ("games/keys.js", refused),
        ("games/connection.js", empty),
        ("django_htmx/htmx-2.js", empty),
        ("django_htmx/ext/hx-ws-2.js", empty),
        ("games/arrivals.js", lost),
        ("games/arrivals.js", empty),
        ("games/site.css", lost),
        ("games/site.css", empty),
    ],
)
def test_what_did_not_arrive_is_said(
    context: BrowserContext, table: str, name: str, happens: object
) -> None:
    page = context.new_page()
    page.route(named(name), happens)  # type: ignore[arg-type]
    page.goto(table)
    expect(notice(page)).to_be_visible()


def test_reload_fetches_it_even_where_the_browser_keeps_it(
    context: BrowserContext, table: str
) -> None:
    """An empty script is kept for a year like any other, so it is asked for by name."""
    page = context.new_page()
    file = named("games/table.js")
    page.route(file, empty, times=1)
    page.goto(table)
    with page.expect_request(
        lambda request: request.resource_type == "fetch" and bool(file.search(request.url))
    ):
        notice(page).click()
    expect(notice(page)).to_be_hidden()
    Player(page).act()


def test_nothing_is_said_where_all_arrives(context: BrowserContext, table: str) -> None:
    page = context.new_page()
    for path in (table, "/", "/play/", "/graphs/", "/learn/", "/lessons/"):
        page.goto(path)  # until it has loaded
        expect(notice(page)).to_have_count(1)
        expect(notice(page)).to_be_hidden()


def test_nothing_is_said_of_what_is_still_on_its_way(
    context: BrowserContext, table: str
) -> None:
    page = context.new_page()
    held: list[Route] = []
    page.route(named("games/table.js"), lambda route: held.append(route))
    page.goto(table, wait_until="commit")
    expect(page.locator("#hand")).to_be_visible()
    painted = "performance.getEntriesByName('first-contentful-paint').length"
    while not page.evaluate(painted):  # wait_for_function would need eval
        page.wait_for_timeout(50)
    expect(notice(page)).to_be_hidden()
    held[0].continue_()
    page.wait_for_load_state("load")
    expect(notice(page)).to_be_hidden()


def test_nothing_is_said_without_scripts(browser: Browser, server: Server) -> None:
    context = browser.new_context(base_url=server.base, java_script_enabled=False)
    page = context.new_page()
    page.goto("/")
    expect(notice(page)).to_be_hidden()
    context.close()

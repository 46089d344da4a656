"""What a page needs and did not get: it says so, and "Reload" fetches it anew."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, expect

from tests.e2e.player import Player
from tests.scenes.browser import STATED, open_table
from tests.server import Server


@pytest.fixture
def context(browser: Browser, server: Server) -> Iterator[BrowserContext]:
    """One whose pages may complain."""
    context = browser.new_context(base_url=server.base, **STATED)  # type: ignore[arg-type]
    yield context
    context.close()


@pytest.fixture
def table(server: Server) -> str:
    return str(open_table(server, people=1)["seats"][0]["link"])


def notice(page: Page) -> Locator:
    return page.get_by_text("Something didn’t load. Reload")


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


FAULTS = [
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
]


def test_what_did_not_arrive_is_said(browser: Browser, server: Server, table: str) -> None:
    """By each table's page in a browser that has kept no file."""
    cookies: list[Any] = []
    for name, happens in FAULTS:
        context = browser.new_context(base_url=server.base, **STATED)  # type: ignore[arg-type]
        context.add_cookies(cookies)
        page = context.new_page()
        page.route(named(name), happens)
        page.goto(table)
        expect(notice(page), f"{name} {happens.__name__}").to_be_visible()
        cookies = [{**c} for c in context.cookies()]
        context.close()


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


def test_nothing_is_said_where_all_arrives_or_is_on_its_way(
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
    for path in ("/", "/play/", "/graphs/", "/learn/", "/lessons/"):
        page.goto(path)  # until it has loaded
        expect(notice(page)).to_have_count(1)
        expect(notice(page)).to_be_hidden()

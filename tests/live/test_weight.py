"""Pages, loaded cold, are light enough for a school's network."""

from __future__ import annotations

import re
import urllib.request
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, OpenerDirector, build_opener

from tests.server import Server

BUDGET = 150_000
"""Bytes as sent: the page of a table of ten and everything that it loads."""

LESSON_BUDGET = 200_000
"""The same of a lesson's page."""


def cold(server: Server, address: str, browser: OpenerDirector | None = None) -> dict[str, int]:
    """The size of a page, compressed, and of everything that it loads."""
    browser = browser or build_opener(HTTPCookieProcessor())
    with browser.open(server.base + address) as answer:
        page = answer.read()
    sizes = {"page": len(page)}
    wanted = set(re.findall(r'(?:src|href)="(/static/[^"#]+)', page.decode()))
    while wanted:
        static = wanted.pop()
        if static.endswith(".js"):  # and what it imports
            with browser.open(server.base + static) as answer:
                imports = re.findall(rb'from "\./([\w.]+\.js)"', answer.read())
            folder = static.rpartition("/")[0]
            wanted |= {f"{folder}/{name.decode()}" for name in imports} - sizes.keys()
        request = urllib.request.Request(
            server.base + static, headers={"Accept-Encoding": "br"}
        )
        with browser.open(request) as answer:
            sizes[static] = len(answer.read())
    return sizes


def test_a_cold_table_page_is_within_its_budget(server: Server) -> None:
    table = server.open_table(variant="bid", seats=10, people=1)
    sizes = cold(server, table["seats"][0]["link"].removeprefix(server.base))
    assert len(sizes) >= 6, sizes
    assert sum(sizes.values()) <= BUDGET, sizes


def test_a_cold_page_with_charts_is_within_its_budget(server: Server) -> None:
    sizes = cold(server, "/graphs/")
    assert any("/plot." in address for address in sizes)
    assert sum(sizes.values()) <= BUDGET, sizes


def test_cold_lesson_pages_are_within_their_budgets(server: Server) -> None:
    browser = build_opener(HTTPCookieProcessor())
    address = "/lessons/stats-table/"
    predicting = cold(server, address, browser)
    assert len(predicting) >= 4, predicting
    assert sum(predicting.values()) <= LESSON_BUDGET, predicting
    with browser.open(server.base + address) as answer:
        token = re.search(r'csrfmiddlewaretoken" value="(\w+)"', answer.read().decode())
    assert token
    form = {"step": 1, "do": "predict", "value": 2, "csrfmiddlewaretoken": token[1]}
    browser.open(f"{server.base}{address}do/", urlencode(form).encode()).close()
    building = cold(server, f"{address}?step=2", browser)
    assert sum(building.values()) <= LESSON_BUDGET, building
    seeing = cold(server, f"{address}?step=3", browser)
    assert any("/plot." in static for static in seeing)
    assert sum(seeing.values()) <= LESSON_BUDGET, seeing

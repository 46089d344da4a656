"""Pages, loaded cold, are light enough for a school's network."""

from __future__ import annotations

import re
import urllib.request
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, OpenerDirector, build_opener

from tests.server import Server

BUDGET = 150_000
"""Bytes as sent: the page of a table of ten and everything that it loads."""


def test_a_cold_table_page_is_within_its_budget(server: Server) -> None:
    table = server.open_table(variant="bid", seats=10, people=1)
    browser = build_opener(HTTPCookieProcessor())
    address = table["seats"][0]["link"].removeprefix(server.base)
    sizes = cold(server, browser, address)
    assert len(sizes) >= 6, sizes
    assert sum(sizes.values()) <= BUDGET, sizes


LESSON, WITH_PLOTLY = 200_000, 1_600_000


def test_a_cold_lesson_page_is_within_its_budget(server: Server) -> None:
    browser = build_opener(HTTPCookieProcessor())
    sizes = cold(server, browser, "/lessons/stats-table/")
    assert len(sizes) >= 4, sizes
    assert sum(sizes.values()) <= LESSON, sizes
    with browser.open(f"{server.base}/lessons/stats-table/") as answer:
        token = re.search(r'csrfmiddlewaretoken" value="(\w+)"', answer.read().decode())
    assert token
    form = {"step": 1, "do": "predict", "value": 2, "csrfmiddlewaretoken": token[1]}
    browser.open(f"{server.base}/lessons/stats-table/do/", urlencode(form).encode())
    built = cold(server, browser, "/lessons/stats-table/?step=2")
    assert sum(built.values()) <= LESSON, built
    shown = cold(server, browser, "/lessons/stats-table/?step=3")
    assert any("plotly" in address for address in shown)
    assert sum(shown.values()) <= WITH_PLOTLY, shown


def cold(server: Server, browser: OpenerDirector, address: str) -> dict[str, int]:
    """The size of a page, compressed, and of everything that it loads."""
    with browser.open(server.base + address) as answer:
        page = answer.read()
    sizes = {"page": len(page)}
    for static in set(re.findall(r'(?:src|href)="(/static/[^"#]+)', page.decode())):
        request = urllib.request.Request(
            server.base + static, headers={"Accept-Encoding": "br"}
        )
        with browser.open(request) as answer:
            sizes[static] = len(answer.read())
    return sizes

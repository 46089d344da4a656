"""A table's page, loaded cold, is light enough for a school's network."""

from __future__ import annotations

import re
import urllib.request
from urllib.request import HTTPCookieProcessor, build_opener

from tests.server import Server

BUDGET = 150_000
"""Bytes as sent: the page of a table of ten and everything that it loads."""


def test_a_cold_table_page_is_within_its_budget(server: Server) -> None:
    table = server.open_table(variant="bid", seats=10, people=1)
    browser = build_opener(HTTPCookieProcessor())
    with browser.open(table["seats"][0]["link"]) as answer:
        page = answer.read()
    sizes = {"page": len(page)}
    for address in set(re.findall(r'(?:src|href)="(/static/[^"#]+)', page.decode())):
        request = urllib.request.Request(
            server.base + address, headers={"Accept-Encoding": "br"}
        )
        with browser.open(request) as answer:
            sizes[address] = len(answer.read())
    assert len(sizes) >= 6, sizes
    assert sum(sizes.values()) <= BUDGET, sizes


CHART_BUDGET = 1_600_000
"""Bytes as sent of a page with charts, Plotly among them."""


def test_a_cold_page_with_charts_is_within_its_budget(server: Server) -> None:
    with urllib.request.urlopen(f"{server.base}/graphs/") as answer:
        page = answer.read()
    sizes = {"page": len(page)}
    for address in set(re.findall(r'(?:src|href)="(/static/[^"#]+)', page.decode())):
        request = urllib.request.Request(
            server.base + address, headers={"Accept-Encoding": "br"}
        )
        with urllib.request.urlopen(request) as answer:
            sizes[address] = len(answer.read())
    assert any("plotly" in address for address in sizes)
    assert sum(sizes.values()) <= CHART_BUDGET, sizes

"""Whoever comes with less than the floor (docs/browsers.md) is told so; nobody else is."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.scenes.browser import Watched

OLD = "CSS.supports = (words) => !String(words).includes(':has');"
"""Of a browser before the floor: it does not know ``:has()``."""


@pytest.mark.parametrize(
    ("why", "says", "options"),
    [
        ("old", "This browser is too old", {}),
        ("scripts", "We can’t tell", {"java_script_enabled": False}),
    ],
)
def test_below_the_floor_is_one_page_in_words(
    watched: Watched, why: str, says: str, options: dict[str, object]
) -> None:
    context = watched.new_context(**options)
    if why == "old":
        context.add_init_script(OLD)
    page = context.new_page()
    page.goto("/")
    expect(page.locator(".floor-notice:visible")).to_contain_text("Games won’t work")
    page.get_by_role("button", name="Play now").click()
    expect(page).to_have_url(re.compile(rf"/device/\?because={why}$"))
    expect(page.locator("#device")).to_contain_text(says)
    page.get_by_role("link", name="Rules", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()


def test_at_the_floor_nobody_is_told(page: Page) -> None:
    for because in ("", "?because=old", "?because=scripts", "?because=cookies"):
        page.goto(f"/device/{because}")
        expect(page).to_have_url(re.compile(r"/device/$"))
        expect(page.locator("#device")).to_have_text(
            "Yes: this browser has what the games need."
        )
    page.goto("/")
    expect(page.locator(".floor-notice")).to_be_hidden()

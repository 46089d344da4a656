"""From the first page to a first trick."""

from __future__ import annotations

from playwright.sync_api import Page, expect


def test_two_clicks_to_a_game(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="Play now").click()
    expect(page.locator("#hand .card")).to_have_count(8)

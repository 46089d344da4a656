"""From the first page to a table."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.e2e.player import Player


def test_two_clicks_to_a_game(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="Play now").click()
    player = Player(page)
    expect(player.seats).to_have_count(4)
    assert len(player.holds()) == 8
    assert player.to_do() in {"bid", "lead", "follow"}

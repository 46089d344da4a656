"""From an address that a terminal prints to the first cards of a round, as a person goes there:
``python -m tests.presses ADDRESS``. One press opens the address, the second begins."""

from __future__ import annotations

import shutil
import sys

from playwright.sync_api import expect, sync_playwright

from tests.e2e.player import Player

AT_MOST = 60_000
"""Milliseconds of patience: under Wine a first page is slow."""


def main(address: str) -> None:
    expect.set_options(timeout=AT_MOST)
    with sync_playwright() as playwright:
        path = shutil.which("chromium-headless-shell") or shutil.which("chromium")
        chromium = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = chromium.new_page(ignore_https_errors=True)
        page.goto(address, timeout=AT_MOST)
        page.get_by_role("button", name="Play now").click()
        player = Player(page)
        expect(player.seats).to_have_count(4)
        expect(page.locator("#hand .flying")).to_have_count(0)  # they are being dealt
        assert len(player.holds()) == 8
        print(f"two presses from {address} to a hand of eight")  # noqa: T201
        chromium.close()


if __name__ == "__main__":
    main(sys.argv[1])

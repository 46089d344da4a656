"""Sheets: where the focus goes, and what closes them; themes by the root's attribute."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.e2e.player import Player
from tests.scenes.browser import LAPTOP, Keyboard, Watched

DRAWN = """() => ({
  paper: getComputedStyle(document.documentElement).backgroundColor,
  card: getComputedStyle(document.querySelector("#hand .card")).getPropertyValue("--card-face"),
})"""


def test_focus_goes_into_a_sheet_and_comes_back(watched: Watched) -> None:
    player = watched.new_player().open_solo(variant="win", seats="4")
    page, keys = player.page, Keyboard(player.page)
    player.to_do()
    card = player.leads.or_(player.follows).first
    card.focus()
    held = keys.focus()
    # By its key, while a card is being chosen; another sheet takes its place.
    for key, sheet in (("t", "stats"), ("l", "tricks")):
        keys.press(key)
        expect(page.locator(f"#sheet-{sheet}")).to_be_visible()
        expect(page.locator(f"#sheet-{sheet}-title")).to_be_focused()
    expect(page.locator(".sheet[open]")).to_have_count(1)
    keys.press("Escape")
    expect(page.locator(".sheet[open]")).to_have_count(0)
    assert keys.focus() == held
    # By its button, and its own Close.
    scores = page.get_by_role("button", name="Scores")
    expect(scores).to_have_attribute("aria-expanded", "false")
    keys.go_to(scores, "Shift+Tab")
    keys.press("Enter")
    expect(scores).to_have_attribute("aria-expanded", "true")
    close = page.locator("#sheet-scores").get_by_role("button", name="Close")
    keys.press("Tab")
    expect(close).to_be_focused()
    keys.press("Enter")
    expect(page.locator("#sheet-scores")).to_be_hidden()
    expect(scores).to_be_focused()
    assert keys.unseen == set()


def test_what_closes_a_sheet(watched: Watched) -> None:
    player = watched.new_player(viewport=LAPTOP)
    player.open_solo(variant="win", seats="4")
    page = player.page
    player.to_do()
    stats, question = page.locator("#sheet-stats"), page.locator("#sheet-question")
    page.get_by_role("button", name="Question").click()
    expect(question).to_be_visible()
    page.get_by_role("button", name="Stats").click()  # the table has moved over
    expect(stats).to_be_visible()
    # Not a press in it, nor one that began in it: somebody marks a line.
    stats.locator("caption").click()
    page.mouse.down()
    page.mouse.move(200, 600)
    page.mouse.up()
    expect(stats).to_be_visible()
    # A press beside it, which does what it does anyway; what stays, stays.
    card = player.leads.or_(player.follows).first
    card.check()
    expect(card).to_be_checked()
    expect(stats).to_be_hidden()
    expect(question).to_be_visible()
    # Escape, one after the other.
    page.keyboard.press("t")
    expect(stats).to_be_visible()
    page.keyboard.press("Escape")
    expect(stats).to_be_hidden()
    expect(question).to_be_visible()
    page.keyboard.press("Escape")
    expect(question).to_be_hidden()
    # Its own button closes what it opened.
    more = page.get_by_role("button", name="More")
    for is_open in (True, False):
        more.press("Enter")
        expect(page.locator("#sheet-more")).to_be_visible(visible=is_open)


def test_the_root_decides_the_theme(watched: Watched) -> None:
    seen = {}
    for system in ("light", "dark"):
        page = watched.new_page(color_scheme=system)
        Player(page).open_solo(variant="win", seats="2").to_do()
        seen[system] = page.evaluate(DRAWN)
        for theme in ("dark", "light"):
            page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
            seen[f"{theme} over {system}"] = page.evaluate(DRAWN)
    assert seen["light"] != seen["dark"]
    for theme in ("light", "dark"):
        assert seen[f"{theme} over light"] == seen[f"{theme} over dark"] == seen[theme]

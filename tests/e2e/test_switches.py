"""The settings of a device: light or dark, motion, sound, on every page and kept."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.player import Player
from tests.scenes.browser import THUMB, TOO_LOW, Inspector, Keyboard, Watched

DARK = "rgb(25, 24, 23)"
NAME = "Settings of this device"
BALL = "getComputedStyle(document.documentElement).getPropertyValue('--ball').trim()"
NOTE_CHANGES = """
window.changes = 0;
document.addEventListener("xactika:settings", () => { window.changes += 1; });
"""


def button(page: Page) -> Locator:
    return page.get_by_role("button", name=NAME)


def choose(page: Page, what: str, value: str) -> None:
    """Open the sheet, choose, and close it."""
    button(page).click()
    group = page.get_by_role("group", name=what)
    group.get_by_label(value, exact=True).check()
    page.keyboard.press("Escape")
    expect(page.locator("#sheet-settings")).to_be_hidden()


def is_dark(page: Page, dark: bool) -> None:
    paper = expect(page.locator("html"))
    (paper.to_have_css if dark else paper.not_to_have_css)("background-color", DARK)
    around = page.locator("meta[name=theme-color]").first
    expect(around).to_have_attribute("content", "#191817" if dark else "#f4efe4")


def test_dark_is_kept_followed_and_forgotten(watched: Watched) -> None:
    context = watched.new_context(color_scheme="light")
    page, other = context.new_page(), context.new_page()
    page.goto("/")
    other.goto("/learn/")
    is_dark(page, False)
    drawn_with = [page.evaluate(BALL)]
    choose(page, "Light or dark", "Dark")
    is_dark(page, True)
    drawn_with.append(page.evaluate(BALL))
    is_dark(other, True)  # the other tab, by itself
    page.reload()
    is_dark(page, True)
    page.goto("/device/")  # a page that has little of the site
    expect(page.locator("html")).to_have_css("background-color", DARK)
    page.goto("/play/")
    is_dark(page, True)
    # In forced colours the ground is the device's, and what is drawn on it suits that.
    for scheme, colour in zip(("light", "dark"), drawn_with, strict=True):
        page.emulate_media(forced_colors="active", color_scheme=scheme)  # type: ignore[arg-type]
        assert page.evaluate(BALL) == colour
    page.emulate_media(forced_colors="none", color_scheme="light")
    button(page).click()
    expect(page.get_by_label("Dark", exact=True)).to_be_checked()
    page.get_by_role("group", name="Light or dark").get_by_label("Like the device").check()
    is_dark(page, False)
    is_dark(other, False)
    assert page.evaluate("localStorage.length") == 0


def test_large_text_is_kept_and_fits(watched: Watched) -> None:
    page = watched.new_context(viewport={"width": 390, "height": 844}).new_page()
    page.goto("/")
    size = "getComputedStyle(document.body).fontSize"
    usual = float(page.evaluate(size).removesuffix("px"))
    choose(page, "Text", "Large")
    tables = ("/learn/play/", "/puzzles/")
    for address in ("/", "/play/", *tables, "/lessons/", "/join/"):
        page.goto(address)
        assert page.evaluate(size) == f"{(1.125 if address in tables else 1.25) * usual:g}px"
        assert page.evaluate("document.documentElement.scrollWidth") == 390, address
    page.goto("/")
    choose(page, "Text", "Normal")
    assert page.evaluate(size) == f"{usual:g}px"
    assert page.evaluate("localStorage.length") == 0


def test_motion_and_sound_are_told_to_whoever_asks(watched: Watched) -> None:
    context = watched.new_context(reduced_motion="no-preference")
    context.add_init_script(NOTE_CHANGES)
    page = context.new_page()
    Player(page).open_solo(variant="win", seats="2").to_do()
    moves = "getComputedStyle(document.querySelector('.held')).transitionDuration"

    def says() -> tuple[bool, bool, bool]:
        calm, sound, duration = page.evaluate(f"[xactika.calm(), xactika.sound(), {moves}]")
        return calm, sound, duration != "0s"

    assert says() == (False, False, True)
    choose(page, "Motion", "Off")
    choose(page, "Sound", "On")
    assert says() == (True, True, False)
    assert page.evaluate("window.changes") == 2
    expect(page.locator("html[data-motion=calm][data-sound=on]")).to_have_count(1)
    # What somebody has chosen goes before what the device asks for.
    choose(page, "Motion", "Like the device")
    page.emulate_media(reduced_motion="reduce")
    expect(page.locator("html[data-motion=calm]")).to_have_count(1)
    assert says() == (True, True, False)
    choose(page, "Motion", "On")
    assert says() == (False, True, True)


def test_by_keyboard_alone_and_for_every_eye(watched: Watched) -> None:
    page = watched.new_page(color_scheme="light")
    keys, inspector = Keyboard(page), Inspector()
    page.goto("/join/")
    keys.go_to(button(page))
    keys.press("Enter")
    expect(page.get_by_role("heading", name=NAME)).to_be_focused()
    inspector.look(page, "the settings")
    for low in page.evaluate(TOO_LOW, ["#sheet-settings :is(button, label)", THUMB]):
        pytest.fail(low)
    page.set_viewport_size({"width": 320, "height": 568})
    page.emulate_media(color_scheme="light")
    for wide in (page.locator("#sheet-settings"), page.locator("html")):
        assert wide.evaluate("one => one.scrollWidth <= one.clientWidth")
    keys.go_to(page.get_by_label("Like the device").first)
    keys.press("ArrowUp")
    is_dark(page, True)
    keys.press("Escape")
    expect(button(page)).to_be_focused()
    assert keys.unseen == set()
    inspector.approves()


@pytest.mark.parametrize("why", ["scripts", "storage"])
def test_a_browser_that_keeps_nothing(watched: Watched, why: str) -> None:
    context = watched.new_context(java_script_enabled=why != "scripts", color_scheme="light")
    refuses = "Object.defineProperty(window, 'localStorage', { get() { throw new Error(); } });"
    context.add_init_script(refuses)
    page = context.new_page()
    page.goto("/learn/")
    if why == "scripts":
        expect(
            page.locator("[data-opens=sheet-settings], #sheet-settings").first
        ).to_be_hidden()
        expect(page.locator("#sheet-settings")).to_be_hidden()
    else:
        choose(page, "Light or dark", "Dark")
        is_dark(page, True)  # as long as the page stays

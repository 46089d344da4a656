"""What is shown once: solids thrown from the lobby onto the wall, and reactions at a table."""

from __future__ import annotations

import os

from playwright.sync_api import Page, expect

from tests.e2e.classroom import Cockpit, Screen, open_the_class, somebody_new
from tests.e2e.player import open_for_two
from tests.scenes.browser import PHONE, Watched, as_teacher
from tests.server import Server

COUNT = """(id) => {
  const body = document.body;
  body.dataset.seen = 0;
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) {
      for (const one of addedNodes) if (one.dataset) body.dataset.seen++;
    }
  }).observe(document.getElementById(id), { childList: true });
}"""
"""Counts on the page what is shown in the element of this id, and leaves again."""


def picture(page: Page, name: str) -> None:
    if folder := os.environ.get("XACTIKA_PICTURES"):
        page.screenshot(path=f"{folder}/{name}.png")


def has_seen(page: Page, things: int) -> None:
    """Wait until so many were shown since they are counted."""
    expect(page.locator("body")).to_have_attribute("data-seen", str(things))


def test_a_solid_flies_onto_the_wall(watched: Watched, server: Server) -> None:
    desk, stage, classroom = as_teacher(server, watched, "those who throw")
    cockpit, wall = Cockpit(desk), Screen(stage)
    code = open_the_class(cockpit, wall, classroom)
    kid = somebody_new(watched.new_page(viewport=PHONE), code)
    thrower = kid.page.get_by_role("button", name="Tap: throw a shape onto the big screen")
    expect(thrower).to_be_visible()
    picture(kid.page, "lobby")
    stage.evaluate(COUNT, "thrown")
    thrower.dblclick()  # the second is too soon
    has_seen(stage, 1)
    stage.wait_for_timeout(500)
    picture(stage, "wall")
    expect(stage.locator("#thrown > *")).to_have_count(0)

    cockpit.press_folded("throwing-on")
    expect(thrower).to_be_hidden()
    cockpit.press_folded("throwing-on")
    expect(thrower).to_be_visible()
    cockpit.press("start")
    kid.is_seated()
    has_seen(stage, 1)


def test_friends_react(watched: Watched) -> None:
    opener, friend = open_for_two(watched)
    for player in (opener, friend):
        expect(player.page.locator("#react summary")).to_have_count(0)
        player.page.evaluate(COUNT, "reactions")
    opener.page.get_by_role("button", name="More", exact=True).click()
    opener.page.locator("#do-reactions-on").click()
    opener.page.keyboard.press("Escape")
    for player in (opener, friend):
        expect(player.page.locator("#react summary")).to_be_visible()

    toggle = friend.page.locator("#react summary")
    toggle.focus()
    friend.page.keyboard.press("Enter")
    picture(friend.page, "react-open")
    friend.page.keyboard.press("Tab")
    friend.page.keyboard.press("Enter")
    expect(friend.page.locator("#react form")).to_be_hidden()
    expect(toggle).to_be_focused()
    for player in (opener, friend):
        has_seen(player.page, 1)
        expect(player.page.locator("#live")).to_contain_text(": Well played!")
    picture(opener.page, "reaction")

    toggle.click()  # once a trick
    friend.page.get_by_role("button", name="Wow!").click()
    opener.page.locator("#react summary").click()
    opener.page.get_by_role("button", name="Good luck!").click()
    has_seen(friend.page, 2)
    has_seen(opener.page, 2)
    expect(opener.page.locator("#live")).not_to_contain_text("Good luck!")

"""From the first page to a table."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.player import Player
from tests.scenes.browser import Watched


def test_two_clicks_to_a_game(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="Play now").click()
    player = Player(page)
    expect(player.seats).to_have_count(4)
    assert len(player.holds()) == 8
    assert player.to_do() in {"bid", "lead", "follow"}


NOTE = """
window.flights = [];
window.moved = 0;
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, timing) {
  const what = Object.keys(frames[0]).sort().join(" ");
  window.flights.push([what, timing.delay + timing.duration]);
  return animate.call(this, frames, timing);
};
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.moved += entry.value;
}).observe({ type: "layout-shift", buffered: true });
"""
SEEN = """() => Array.from(document.querySelectorAll(".stacks .card"))
  .filter((card) => getComputedStyle(card).opacity === "1").length"""


@pytest.mark.parametrize(("width", "motion"), [(390, "no-preference"), (1366, "reduce")])
def test_the_deck_deals_itself_once_a_visit(
    watched: Watched, width: int, motion: Literal["no-preference", "reduce"]
) -> None:
    context = watched.new_context(
        reduced_motion=motion, viewport={"width": width, "height": 768}
    )
    context.add_init_script(NOTE)
    page = context.new_page()
    page.goto("/")
    if width == 390:  # below what is seen at first
        assert page.evaluate("window.flights") == []
        page.locator(".stacks").scroll_into_view_if_needed()
    expect(page.locator("html")).not_to_have_attribute("data-deals", "")
    flights = page.evaluate("window.flights")
    if motion == "reduce":
        assert flights == []
    else:
        assert len(flights) == 81
        assert {what for what, _end in flights} == {"opacity transform"}
        assert max(end for _what, end in flights) <= 1200
    page.evaluate("Promise.all(document.getAnimations().map((each) => each.finished))")
    assert page.evaluate(SEEN) == 81
    assert page.evaluate("window.moved") < 0.01
    again: list[Callable[[], object]] = [
        page.reload,
        lambda: page.goto("/learn/"),
        lambda: page.goto("/"),
    ]
    for come_again in again:
        come_again()
    assert page.evaluate("window.flights") == []
    assert page.evaluate(SEEN) == 81


def test_a_stack_shows_its_cards_and_their_share(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="The 10 cards of value 6").press("Enter")
    expect(page.locator("#stack .card")).to_have_count(10)
    expect(page.locator("#stack-share")).to_have_text(
        "10/81 = 12.3% of the deck. Likeliest: the 8, 19/81."
    )


def test_a_value_can_be_guessed_before_the_cards_fall(watched: Watched) -> None:
    page = watched.new_page(reduced_motion="no-preference")
    page.goto("/")
    page.wait_for_load_state("load")
    page.get_by_role("button", name="The 16 cards of value 7").press("Enter")
    expect(page.locator("html")).not_to_have_attribute("data-deals", "")
    expect(page.locator(".guessed button")).to_have_text("7")
    expect(page.locator("#stack-share")).to_contain_text("16/81 = 19.8%")


def test_a_stack_that_is_pressed_stays_in_sight_and_another_takes_its_place(page: Page) -> None:
    page.goto("/")
    for value in (8, 9):
        stack = page.locator(f".stacks > :nth-child({value - 3})")
        stack.locator("button").click()
        expect(page.locator("#stack-title")).to_have_text(f"Value {value}")
        window, there = page.locator("#sheet-stack").bounding_box(), stack.bounding_box()
        assert window is not None
        assert there is not None
        assert window["x"] >= there["x"] + there["width"]


def test_wrong_cards_stay_marked_beside_the_right_one(page: Page) -> None:
    page.goto("/")
    cards = page.locator(".practice-trick").first.locator(".three label")
    for n in (0, 1, 2):
        cards.nth(n).locator("input").check(force=True)
    expect(page.locator(".three .tried")).to_have_count(2)
    page.evaluate("Promise.all(document.getAnimations().map((each) => each.finished))")
    boxes = [card.bounding_box() for card in cards.all()]
    for left, right in pairwise(boxes):  # and nothing hides a number
        assert left is not None
        assert right is not None
        assert left["x"] + left["width"] < right["x"]


def test_the_deck_is_there_without_scripts(watched: Watched) -> None:
    page = watched.new_page(java_script_enabled=False)
    page.goto("/")
    expect(page.locator(".stacks .card")).to_have_count(81)
    expect(page.locator(".stacks .card").last).to_have_css("opacity", "1")


TOUCHING = """() => {
  const lines = Array.from(document.querySelectorAll(".plays .note")).flatMap((note) => {
    const words = document.createRange();
    words.selectNodeContents(note);
    return Array.from(words.getClientRects(), (box) => [note.textContent, box]);
  });
  return lines.flatMap(([one, a], n) => lines.slice(n + 1)
    .filter(([other, b]) => one !== other
      && Math.min(a.right, b.right) > Math.max(a.left, b.left)
      && Math.min(a.bottom, b.bottom) > Math.max(a.top, b.top))
    .map(([other]) => [one, other]));
}"""


def test_what_is_said_under_cards_does_not_touch_in_french(watched: Watched) -> None:
    page = watched.new_page(locale="fr-FR")
    page.goto("/")
    expect(page.locator(".plays .note").nth(2)).to_have_text("défausse")
    for width in (320, 390, 1366):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(TOUCHING) == [], width
        tops = "(days) => days.map((day) => day.offsetTop)"
        rows = page.locator(".week li").evaluate_all(tops)
        assert len(rows) == 7
        assert len(set(rows)) == 1, width

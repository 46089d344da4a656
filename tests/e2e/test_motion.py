"""What moves at the table shows where something comes from and where it goes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.e2e.conftest import Watched
from tests.e2e.player import Player
from tests.e2e.test_layout import LAPTOP, PHONE, two_deals
from tests.server import Server

LIFT = 10
"""Pixels by which a card may stand above its place, being chosen or in front."""

# Every movement is noted as it begins: what moves, and the middle of where it ends (a copy
# flies away) or begins (the thing itself flies in).
NOTE_MOVEMENTS = r"""
window.movements = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, timing) {
  const animation = animate.call(this, frames, timing);
  animation.pause();
  const away = this.classList.contains("ghost");
  animation.currentTime = away ? timing.duration - 0.01 : 0;
  const { left, top, width, height } = this.getBoundingClientRect();
  window.movements.push({ away, card: this.dataset.card ?? "", text: this.textContent,
    x: left + width / 2, y: top + height / 2 });
  animation.currentTime = 0;
  animation.play();
  return animation;
};
"""
# In every frame drawn while a trick flies to its taker: may names be read below its cards?
WATCH_NAMES = """
window.frames_swept = 0;
window.frames_mixed = 0;
(function watch() {
  if (document.querySelector(".ghost.card")) {
    window.frames_swept += 1;
    const isShown = (name) => getComputedStyle(name).visibility === "visible";
    const names = Array.from(document.querySelectorAll("#trick .by"));
    if (names.some(isShown)) window.frames_mixed += 1;
  }
  requestAnimationFrame(watch);
})();
"""
MIDDLE = """element => {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}"""

Movements = list[dict[str, Any]]


def movements(page: Page) -> Movements:
    """What has moved since the last look."""
    noted: Movements = page.evaluate("() => window.movements.splice(0)")
    return noted


def is_at(movement: dict[str, Any], place: dict[str, float], within: float = 2) -> bool:
    return all(abs(movement[axis] - place[axis]) < within for axis in "xy")


@pytest.fixture
def link(server: Server, tmp_path: Path) -> str:
    """A seat's link to a table of two, at which the other, a bot, leads first."""
    deals = tmp_path / "deals.json"
    deals.write_text(json.dumps(two_deals(2)))
    table = server.open_table(seats=2, people=1, rounds=2, pace=0, deals=deals)
    address: str = table["seats"][0]["link"]
    return address


def start(
    watched: Watched, link: str, size: ViewportSize, motion: Literal["reduce", "no-preference"]
) -> Player:
    context = watched.new_context(viewport=size, reduced_motion=motion)
    context.add_init_script(NOTE_MOVEMENTS)
    return Player(context.new_page()).open(link)


@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_cards_fly_and_points_travel_to_the_score_sheet(
    watched: Watched, link: str, size: ViewportSize
) -> None:
    player = start(watched, link, size, "no-preference")
    page = player.page
    player.play_on("follow")
    movements(page)
    card = player.playable()[0]
    place = player.card(card).locator("xpath=..").evaluate(MIDDLE)
    player.follow(card)
    flown = [m for m in movements(page) if m["card"] == card]
    assert len(flown) == 1
    assert is_at(flown[0], place, within=LIFT + 2)

    player.play_on("next")
    points = player.trick.locator(".result td b").all_inner_texts()
    scores = page.get_by_role("button", name="Scores", exact=True).evaluate(MIDDLE)
    travelled = [m for m in movements(page) if m["away"] and m["text"]]
    assert [m["text"] for m in travelled] == points
    assert [m for m in travelled if not is_at(m, scores)] == [], scores
    page.wait_for_function("() => !document.querySelector('.ghost')")
    assert player.trick.locator(".result td b").all_inner_texts() == points


@pytest.mark.parametrize("slower", [1, 4])
def test_no_names_stand_below_a_trick_that_is_taken_away(
    watched: Watched, link: str, slower: int
) -> None:
    context = watched.new_context(viewport=PHONE, reduced_motion="no-preference")
    context.add_init_script(WATCH_NAMES)
    page = context.new_page()
    cdp = context.new_cdp_session(page)
    cdp.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    player = Player(page).open(link)
    player.play_on("next")
    swept, mixed = player.page.evaluate("[frames_swept, frames_mixed]")
    assert swept > 7
    assert mixed == 0
    expect(player.page.locator(".sweeping")).to_have_count(0)


def test_nothing_moves_for_who_asks_for_less_motion(watched: Watched, link: str) -> None:
    player = start(watched, link, PHONE, "reduce")
    player.play_on("next")
    assert movements(player.page) == []
    assert player.trick.locator(".result td b").count() == 2

"""The table's sounds: soft, short, told apart; silent unless somebody wants them."""

from __future__ import annotations

from itertools import combinations
from math import log2

import pytest
from playwright.sync_api import Page

from tests.scenes.browser import Watched

NAMES = ("deal", "card", "call", "trick", "turn", "bid", "made", "missed")

# Made without a loudspeaker: how loud at most, how long it can be heard, and how high it is,
# as its crossings of zero a second.
MEASURE = """async (names) => {
  const { make } = await import("/static/games/sounds.js");
  const measured = {};
  for (const name of names) {
    const rate = 44100;
    const offline = new OfflineAudioContext(1, rate, rate);
    make(name, offline, 0);
    const samples = (await offline.startRendering()).getChannelData(0);
    const peak = samples.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
    let end = samples.length;
    while (end && Math.abs(samples[end - 1]) < .01 * peak) end -= 1;
    let energy = 0;
    let slope = 0;
    let middle = 0;
    for (let i = 1; i < end; i += 1) {
      energy += samples[i] ** 2;
      slope += (samples[i] - samples[i - 1]) ** 2;
      middle += i / rate * samples[i] ** 2;
    }
    measured[name] = {
      peak, seconds: end / rate, middle: middle / energy,
      pitch: Math.sqrt(slope / energy) * rate / (2 * Math.PI),
    };
  }
  return measured;
}"""

LISTEN = """
window.heard = 0;
const Real = window.AudioContext;
window.AudioContext = class extends Real {
  constructor() { super(); window.made = (window.made ?? 0) + 1; }
  createGain() { window.heard += 1; return super.createGain(); }
};
"""
PLAY = """async (name) => {
  const { sound } = await import("/static/games/sounds.js");
  sound(name);
  await new Promise((done) => setTimeout(done, 100));
  sound(name);
  return [window.made ?? 0, window.heard > 0];
}"""


def test_they_can_be_told_apart(page: Page) -> None:
    page.goto("/device/")
    told = page.evaluate(MEASURE, NAMES)
    for name, one in told.items():
        assert 0.05 < one["peak"] < 0.7, (name, one)
        assert 0.05 < one["seconds"] < 0.5, (name, one)
    for one, other in combinations(NAMES, 2):
        a, b = told[one], told[other]
        pitch = abs(log2(a["pitch"] / b["pitch"]))
        length = abs(log2(a["seconds"] / b["seconds"]))
        assert pitch > 0.5 or length > 1, (one, a, other, b)


def test_silent_until_wanted_and_touched(watched: Watched) -> None:
    context = watched.new_context()
    context.add_init_script(LISTEN)
    page = context.new_page()
    page.goto("/join/")
    assert page.evaluate(PLAY, "turn") == [0, False]
    page.locator("h1").click()
    assert page.evaluate(PLAY, "turn") == [0, False]  # touched, not wanted
    page.evaluate("document.documentElement.dataset.sound = 'on'")
    page.reload()
    page.evaluate("document.documentElement.dataset.sound = 'on'")
    assert page.evaluate(PLAY, "turn") == [0, False]  # wanted, not touched
    page.locator("h1").click()
    assert page.evaluate(PLAY, "turn") == [1, True]
    assert page.evaluate(PLAY, "card") == [1, True]  # one context for all


def test_a_browser_without_sound_plays_on(watched: Watched) -> None:
    context = watched.new_context()
    context.add_init_script("delete window.AudioContext;")
    page = context.new_page()
    page.goto("/join/")
    page.evaluate("document.documentElement.dataset.sound = 'on'")
    page.evaluate(PLAY, "deal")
    page.locator("h1").click()
    assert page.evaluate(PLAY, "deal") == [0, False]


def test_how_loud_it_is_is_kept(page: Page) -> None:
    page.goto("/join/")
    page.get_by_role("button", name="Settings of this device").click()
    page.locator("label", has_text="On").filter(has=page.locator("[name=sound]")).click()
    slider = page.get_by_label("How loud")
    assert slider.input_value() == "50"
    slider.fill("20")
    page.reload()
    assert page.evaluate("window.xactika.volume()") == 20
    soft = page.evaluate(MEASURE, ["turn"])["turn"]["peak"]
    page.evaluate("localStorage.removeItem('xactika-volume')")
    page.reload()
    assert page.evaluate(MEASURE, ["turn"])["turn"]["peak"] == pytest.approx(2.5 * soft)

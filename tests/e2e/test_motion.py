"""What moves at the table shows where something comes from and where it goes."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.e2e.player import Player
from tests.scenes.browser import LAPTOP, PHONE, Watched, open_table, two_deals
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
  animation.currentTime = away ? timing.duration + (timing.delay ?? 0) - 0.01 : 0;
  const { left, top, width, height } = this.getBoundingClientRect();
  const card = this.dataset.card ?? this.querySelector(".card")?.dataset.card ?? "";
  window.movements.push({ away, card, text: this.textContent,
    x: left + width / 2, y: top + height / 2 });
  animation.currentTime = 0;
  animation.play();
  return animation;
};
"""
OPACITIES = "(all) => all.map((each) => getComputedStyle(each).opacity)"
# How long each finished trick lay on the board before it was swept, and whether who takes it
# was told before its last card lay, or the result while the last trick still did.
WATCH_TRICKS = """
window.rests = [];
window.told_early = 0;
addEventListener("DOMContentLoaded", () => {
  const table = document.getElementById("table");
  let since = 0;
  const look = () => {
    const taken = document.getElementById("called")?.dataset.taker !== undefined;
    const swept = table.classList.contains("swept");
    if (taken && !swept && !since) since = performance.now();
    if (since && swept) {
      window.rests.push(performance.now() - since);
      since = 0;
    }
    const told = document.getElementById("result")?.getClientRects().length;
    const flies = document.querySelector(".board .flying");
    if ((since && told) || (taken && flies)) window.told_early += 1;
  };
  const whole = { subtree: true, childList: true, attributes: true };
  if (table) new MutationObserver(look).observe(table, whole);
});
"""
# What is seen, while cards are dealt, of whom the table waits for.
WATCH_THE_DEAL = """
window.waited = [];
addEventListener("DOMContentLoaded", () => {
  const table = document.getElementById("table");
  const look = () => {
    const plate = document.querySelector(".seat:has(.turn)");
    if (!plate || !table.matches(".dealing")) return;
    const line = document.getElementById("sentence");
    window.waited.push(getComputedStyle(line).visibility, getComputedStyle(plate).boxShadow);
  };
  if (!table) return;
  look();
  new MutationObserver(look).observe(table, { attributes: true });
});
"""
FIGURES = """() => Array.from(document.querySelectorAll(".seat .figurine"), (figure) => {
  const { left, top, width, height } = figure.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
})"""
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


def to_trick(number: int) -> str:
    """Both bid and play until this trick begins."""
    return f"seats.open_seat(table_id=table, seat=0)\nplay(table, moves_made({2 * number}))"


@pytest.fixture
def link(server: Server) -> str:
    """A seat's link to a table of two, at which the other, a bot, leads first."""
    table = open_table(server, seats=2, people=1, rounds=2, deals=two_deals(2))
    return str(table["seats"][0]["link"])


def start(
    watched: Watched, link: str, size: ViewportSize, motion: Literal["reduce", "no-preference"]
) -> Player:
    context = watched.new_context(viewport=size, reduced_motion=motion)
    context.add_init_script(NOTE_MOVEMENTS + WATCH_THE_DEAL)
    page = context.new_page()
    page.clock.install()
    return Player(page).open(link)


@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_a_card_flies_from_the_hand_to_its_place(
    watched: Watched, link: str, size: ViewportSize
) -> None:
    player = start(watched, link, size, "no-preference")
    page = player.page
    player.play_on("follow")
    expect(page.locator(".to-deal, .dealing, .hand .turned")).to_have_count(0)
    movements(page)
    card = player.playable()[0]
    place = player.card(card).locator("xpath=..").evaluate(MIDDLE)
    player.follow(card)
    moved = [m for m in movements(page) if m["card"] == card]
    _shadow, flight, *lifted = moved  # that of who wins, once it lies
    assert is_at(flight, place, within=LIFT + 2)
    assert not any(is_at(m, place, within=LIFT + 2) for m in lifted)


def places(page: Page) -> list[float]:
    """Where everybody sits, on a laptop and a phone."""
    found: list[float] = []
    for size in (PHONE, LAPTOP):
        page.set_viewport_size(size)
        found += [number for figure in page.evaluate(FIGURES) for number in figure]
    return found


def test_a_trick_lands_in_the_bid_that_it_fills(watched: Watched, server: Server) -> None:
    """I play last, and take it. Nobody was waited for before the cards were dealt, and who bids
    sits where they play."""
    table = open_table(server, seats=3, people=1, rounds=1, pace=1.5, deals=two_deals(3)[:1])
    player = start(watched, table["seats"][0]["link"], LAPTOP, "no-preference")
    page = player.page
    assert player.to_do() == "bid"
    assert set(page.evaluate("window.waited")) == {"hidden", "none"}
    seated = places(page)
    player.bid(1)
    assert player.to_do() == "follow"
    assert places(page) == pytest.approx(seated, abs=LIFT)
    movements(page)
    player.follow(player.playable()[0])
    expect(player.prompt).to_contain_text("You take it · no more!")
    expect(player.prompt).to_have_attribute("data-won", "well")
    bid = player.my_seat.locator(".circles")
    expect(bid.locator(".full")).to_have_count(1)
    expect(player.prompt).not_to_have_attribute("data-won", re.compile(""))
    landed = [m for m in movements(page) if m["away"]]
    assert len(landed) == 3
    place = bid.evaluate(MIDDLE)
    assert [each for each in landed if not is_at(each, place, within=3 * LIFT)] == []


@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_what_came_of_the_bid_is_shown_before_the_points(
    watched: Watched, server: Server, size: ViewportSize
) -> None:
    """The board takes the hand's room once my last card lies, and seats stay where they are;
    my circles leave my seat for the middle; then the strip says what the sheet's head goes on
    saying. Nothing is to be pressed before the sheet stands; a tap ends it."""
    deals = two_deals(2)
    for taps in (False, True):
        table = open_table(
            server, seats=2, people=1, rounds=2, pace=0.3, deals=deals, played=to_trick(8)
        )
        player = start(watched, table["seats"][0]["link"], size, "no-preference")
        page = player.page
        assert player.to_do() == "lead"
        page.clock.pause_at(datetime.now(UTC) + timedelta(seconds=5))  # then by this test alone
        player.send(*player.holds())
        while page.locator("#table.emptied").count() == 0:
            page.clock.run_for(20)
        assert not player.hand.is_visible()
        their = page.locator("#seat-1 .figurine")
        page.wait_for_timeout(400)  # the board grows by the browser's clock
        sat = their.evaluate(MIDDLE)
        while page.locator("#table.swept.staging").count() == 0:
            page.clock.run_for(20)
        if size == PHONE:  # on a laptop the other makes room for what comes
            assert abs(their.evaluate(MIDDLE)["x"] - sat["x"]) < LIFT
        assert not player.result.is_visible()
        staged = page.locator(".outcome-stage .strip")
        while not staged.is_visible():
            page.clock.run_for(20)
        words = staged.locator("span").first.inner_text()
        assert not player.next.is_visible()
        assert not player.result.is_visible()
        if taps:
            page.locator(".board").click(position={"x": 9, "y": 9})
            expect(player.result).to_be_visible()
            page.clock.resume()
        else:
            page.clock.resume()
            expect(player.result).to_be_visible()
        expect(staged).to_have_count(0)
        expect(player.next).to_be_visible()
        names = player.result.locator("tbody th").evaluate_all(OPACITIES)
        assert set(names) == {"1"}  # places come last, whose they are stands from the first
        head = player.result.locator(".outcome").filter(visible=True)
        expect(head).to_have_count(1)
        expect(head).to_contain_text(words)
        totals = player.result.locator("td.total").all_inner_texts()
        points = player.result.locator("[data-points]").all_inner_texts()
        expect(player.result.locator("td.total")).to_have_text(
            [each.removeprefix("+") for each in points]
        )
        assert len(totals) == 2


def test_i_come_last_onto_the_podium_whatever_my_place(
    watched: Watched, server: Server
) -> None:
    """Who has won is told from the first; then I may play again; and there I stand on the
    sheet, too."""
    played = to_trick(8).replace("16", "32")
    table = open_table(server, people=1, rounds=1, pace=0.3, played=played)
    player = start(watched, table["seats"][0]["link"], PHONE, "no-preference")
    page = player.page
    assert player.to_do() in ("lead", "follow")
    page.clock.pause_at(datetime.now(UTC) + timedelta(seconds=5))
    player.send(*player.holds())
    title = page.locator(".outcome-stage .title")
    while not title.is_visible():
        page.clock.run_for(20)
    mine = page.locator(".outcome-stage .podium .me .step")
    assert not mine.is_visible()
    while not mine.is_visible():
        page.clock.run_for(20)
    expect(page.locator(".outcome-stage .folded")).to_have_count(0)
    expect(page.locator("#do-again")).to_be_visible()
    page.clock.resume()
    expect(player.result.locator(".podium .me")).to_contain_text("You")


def test_the_last_card_is_played_by_the_first_tap(watched: Watched, server: Server) -> None:
    deals = two_deals(2)[1:]  # low cards: the bot leads the last trick
    table = open_table(
        server, seats=2, people=1, rounds=1, pace=0.3, deals=deals, played=to_trick(8)
    )
    player = start(watched, table["seats"][0]["link"], PHONE, "reduce")
    assert player.to_do() == "follow"
    assert player.page.locator("#table[data-solo]").count() == 0  # it does not play itself
    (card,) = player.holds()
    player.card(card).click()
    expect(player.result).to_be_visible()


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_every_trick_is_seen_before_it_is_swept(
    watched: Watched, server: Server, motion: Literal["reduce", "no-preference"]
) -> None:
    """At the usual pace all cards rest, the last trick's, too, before the round is told. Who
    waits for the bots' lead acts on nothing meanwhile."""
    deals = two_deals(2)[1:]  # low cards: the bot takes most of the tricks
    table = open_table(
        server, seats=2, people=1, rounds=1, pace=0.7, deals=deals, played=to_trick(6)
    )
    context = watched.new_context(viewport=LAPTOP, reduced_motion=motion)
    context.add_init_script(WATCH_TRICKS)
    player = Player(context.new_page()).open(table["seats"][0]["link"])
    led = 0
    while (kind := player.to_do()) not in ("next", "over"):
        led += kind == "lead"
        player.act()
    expect(player.result).to_be_visible()
    rests = player.page.evaluate("window.rests")
    assert len(rests) == 3
    # Who leads has ended the rest before by acting.
    assert sorted(rests)[led] >= 1200
    assert rests[-1] >= 1200
    assert player.page.evaluate("window.told_early") == 0


def test_nothing_moves_for_who_asks_for_less_motion(watched: Watched, link: str) -> None:
    player = start(watched, link, PHONE, "reduce")
    player.play_on("next")
    assert movements(player.page) == []
    assert player.result.locator("[data-points]").count() == 2


def test_who_looks_away_while_a_trick_rests_comes_back_to_the_present(
    watched: Watched, server: Server
) -> None:
    """What the rest still held back does not come after what is newer."""
    deals = two_deals(2)[1:]
    table = open_table(server, seats=2, people=1, rounds=1, pace=1.5, deals=deals)
    player = watched.new_player(reduced_motion="no-preference").open(table["seats"][0]["link"])
    page = player.page
    while (kind := player.to_do()) != "follow":
        player.act()
    assert kind == "follow"
    card = player.playable()[0]
    player.choose(card)
    player.confirm.click()
    page.wait_for_selector("#called[data-taker]", state="attached")
    page.evaluate(
        "Object.defineProperty(document, 'hidden', { value: true, configurable: true });"
        "document.dispatchEvent(new Event('visibilitychange'))"
    )
    expect(page.locator("#table")).to_have_class(re.compile("swept"))
    taken = page.locator(".taken").all_text_contents()
    page.evaluate(
        "Object.defineProperty(document, 'hidden', { value: false, configurable: true })"
    )
    assert sum(int(text) for text in re.findall(r"took (\d)", " ".join(taken))) == 1
    player.to_do()
    assert page.locator(".taken .full, .taken .over").count() == 1

"""A round with one's odds always on, by mouse and by keyboard, and the look back afterwards."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from tests.e2e.player import Player, any_card_in, call_words, play_by_keys
from tests.scenes.browser import LAPTOP, PHONE, Keyboard, Watched, axe_of, follow

AXE = {"resultTypes": ["violations"]}


class Odds:
    """The odds sheet as somebody uses it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.sheet = page.locator("#sheet-odds")
        self.opener = page.get_by_role("button", name="Chances", exact=True)
        self.answer = self.sheet.locator(".odds-answer li")
        self.chart = self.sheet.get_by_role("img")
        self.rows = self.sheet.locator("tbody tr")
        self.chosen = self.sheet.get_by_role("status")

    def choose(self, when: str) -> None:
        """The opener's switch. "Always" shows them at once."""
        self.page.get_by_role("button", name="More", exact=True).click()
        self.switch(when).click()
        if when == "Always":
            expect(self.sheet).to_be_visible()
            expect(self.page.locator("#sheet-more")).to_be_hidden()
        else:
            expect(self.switch(when)).to_have_attribute("aria-pressed", "true")
            self.page.keyboard.press("Escape")

    def switch(self, when: str) -> Locator:
        return self.page.locator("#sheet-more").get_by_role("button", name=when, exact=True)

    def told_for(self, turn: str) -> None:
        """Wait for the odds of this turn; of an only card, which is chosen already, its own."""
        round_, made = turn.split(".")
        expect(self.sheet.locator(f'#odds[data-turn="{round_}.{made}"] h3')).to_have_count(1)
        told = self.sheet.locator(".odds-answer, .odds-chosen:not(:empty)")
        expect(told.filter(visible=True).first).to_be_visible()


def at_table(watched: Watched, size: ViewportSize, **choices: str) -> tuple[Player, Odds]:
    player = watched.new_player(viewport=size)
    player.open_solo(rounds="2", level="counter", **choices)
    player.to_do()
    return player, Odds(player.page)


def check_what_is_told(player: Player, odds: Odds, kind: str) -> None:
    """A row for each legal move, nothing of others' cards, the chosen move's own sentence."""
    if kind == "bid":
        expect(odds.rows).to_have_count(9)
        expect(odds.chart).to_be_visible()
        return
    cards = player.playable()
    expect(odds.rows).to_have_count(len(cards) * (4 if kind == "lead" else 1))
    seen = {*player.holds(), *player.played()}
    assert any_card_in(odds.sheet.inner_html()) <= seen
    player.choose(cards[-1])
    if kind == "lead":
        expect(odds.chosen).to_have_text("")
        player.choose_call(cards[-1], 2)
        call = call_words(int(cards[-1][2]), "cone")
        expect(odds.chosen).to_contain_text(f"calling {call}: takes the trick in")
    value = sum(map(int, cards[-1]))
    expect(odds.chosen).to_contain_text(f"The {value}")


def leaves_the_hand_free(player: Player, odds: Odds) -> None:
    """No card, choice or button of the hand lies under the sheet."""
    sheet = odds.sheet.bounding_box()
    assert sheet is not None
    for part in player.hand.locator(".held, .choice:visible, #confirm").all():
        box = part.bounding_box()
        assert box is not None
        is_beside = (
            box["x"] >= sheet["x"] + sheet["width"] or box["x"] + box["width"] <= sheet["x"]
        )
        assert is_beside or box["y"] >= sheet["y"] + sheet["height"] - 1


def axe_finds_nothing(page: Page) -> None:
    found = axe_of(page, AXE)
    assert [(v["id"], [n["target"] for n in v["nodes"]]) for v in found] == []


@pytest.mark.parametrize(("seats", "size"), [("4", PHONE), ("10", LAPTOP)], ids=["4", "10"])
def test_a_round_with_odds_by_mouse(watched: Watched, seats: str, size: ViewportSize) -> None:
    player, odds = at_table(watched, size, seats=seats, variant="bid")
    page = player.page
    expect(odds.opener).to_be_hidden()
    odds.choose("Always")
    odds.told_for(player.turn())
    looked: set[str] = set()
    while (kind := player.to_do()) not in ("next", "over"):
        if not odds.sheet.is_visible():  # on a phone it makes way once I have played
            odds.opener.click()
        odds.told_for(player.turn())
        check_what_is_told(player, odds, kind)
        if kind not in looked:
            looked.add(kind)
            odds.sheet.get_by_text("The numbers").click()
            axe_finds_nothing(page)
            leaves_the_hand_free(player, odds)
        player.act()
        if size is PHONE:
            expect(odds.sheet).to_be_hidden()
    assert looked >= {"bid", "follow"} or seats == "10"  # who never takes a trick never leads
    if odds.sheet.is_visible():
        expect(odds.sheet).to_contain_text("The round is over")
        odds.sheet.get_by_role("button", name="Close").click()
    look_back(player)


def look_back(player: Player) -> None:
    """From the round's end to its review, at all three widths, and back again."""
    page = player.page
    taken = re.search(r"took (\d)", player.prompt.inner_text())
    assert taken is not None
    follow(player.prompt.get_by_role("link", name="Look back"))
    expect(page.get_by_role("heading", level=1, name="Round 1: look back")).to_be_visible()
    for title in ("Was it a good bid?", "Did you play your cards well", "Bots"):
        expect(page.get_by_role("heading", name=title)).to_be_visible()
    for details in page.locator("details").all():
        details.locator("summary").click()
    assert page.locator("details .thoughts tbody tr").count() > 4  # the bots' thoughts
    for size in (PHONE, LAPTOP):
        page.set_viewport_size(size)
        axe_finds_nothing(page)
        wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
        assert not page.evaluate(wide)
    page.get_by_role("link", name="Back to the game").click()
    player.ready()


def test_a_round_with_odds_by_keyboard(watched: Watched) -> None:
    player, odds = at_table(watched, LAPTOP, seats="4", variant="bid")
    page, keys = player.page, Keyboard(player.page)
    keys.press("d")
    expect(odds.sheet).to_contain_text("Chances are off.")
    keys.press("?")
    keys.go_to(odds.switch("Always"))
    keys.press("Enter")
    expect(odds.answer.first).to_be_visible()
    keys.keeps_focus("after the switch")
    heard = player.live
    expect(heard).to_contain_text("A bid of")  # told to the ear when it comes
    while True:
        kind = player.to_do()
        if kind in ("next", "over"):
            break
        odds.told_for(player.turn())
        play_by_keys(keys, player)
        keys.keeps_focus(f"after a {kind}")
    told = re.compile("Likeliest to take|Nothing you may|You can only play|Whatever you play")
    expect(heard).to_contain_text(told)
    keys.go_to(player.prompt.get_by_role("link", name="Look back"))
    keys.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Round 1: look back")
    thoughts = page.locator("details summary").last
    keys.go_to(thoughts)
    keys.press("Enter")
    expect(page.locator("details[open] .thoughts tr").first).to_be_visible()
    assert keys.lost == []
    assert keys.unseen == set()


def test_after_the_trick_and_the_keys(watched: Watched) -> None:
    player, odds = at_table(watched, LAPTOP, seats="3", variant="win")
    odds.choose("After the trick")
    player.page.keyboard.press("d")
    expect(odds.sheet).to_contain_text("After each trick")
    player.act()
    player.to_do()
    expect(odds.answer.first).to_contain_text("takes the trick in")
    expect(odds.sheet.get_by_role("heading", level=3)).to_contain_text("Trick 1")
    player.page.keyboard.press("Escape")
    expect(odds.sheet).to_be_hidden()
    player.page.keyboard.press("d")
    expect(odds.answer.first).to_be_visible()
    # While a question is open at the table they are folded.
    player.page.evaluate("document.body.dataset.question = 'open'")
    expect(odds.answer.first).to_be_hidden()
    expect(odds.sheet).to_contain_text("Folded while a question is open")


CHANCE = re.compile(r"^[<>]?\d+%$")
SPAN = re.compile(r"^[<>]?\d+(–[<>]?\d+)?%$")


def chances(player: Player) -> list[str | None]:
    """What stands on each card, bid or call that can be chosen now."""
    places = player.page.locator("#choices label:visible, #hand label")
    return [each.get_attribute("data-chance") for each in places.all()]


def test_how_likely_each_is_stands_on_it_once_asked_for(watched: Watched) -> None:
    player, odds = at_table(watched, LAPTOP, seats="2", variant="bid")
    page = player.page
    ask = player.prompt.get_by_role("button", name="How likely?")
    expect(ask).to_be_hidden()
    odds.choose("Always")
    odds.sheet.get_by_role("button", name="Close").click()
    kinds = {"bid", "lead", "follow"}
    content = "(e) => getComputedStyle(e, '::after').content"
    while kinds and (kind := player.to_do()) not in ("next", "over"):
        expect(ask).to_be_visible()
        assert {*chances(player)} == {None}
        if kind in kinds and (kind == "bid" or len(player.playable()) > 1):
            kinds.remove(kind)
            if kind == "follow":
                page.keyboard.press("k")
            else:
                ask.click()
            expect(page.locator("#ask-odds")).to_have_count(0)
            told = [chance for chance in chances(player) if chance]
            assert len(told) == len(player.bids.all() or player.playable())
            assert all((SPAN if kind == "lead" else CHANCE).match(each) for each in told)
            axe_finds_nothing(page)
            expect(player.live).to_contain_text(re.compile("trick|brings most"))
            if kind == "lead":
                player.choose(player.playable()[-1])
                for call in page.locator("#choices label:visible").all():
                    assert CHANCE.match(call.get_attribute("data-chance") or "")
            # Not beside a question.
            page.evaluate("document.body.dataset.question = 'open'")
            for each in page.locator("[data-chance]:visible").all()[:2]:
                assert each.evaluate(content) in ("none", "normal", '""')
            page.evaluate("delete document.body.dataset.question")
        player.act()
    assert kinds <= {"lead"}  # who never takes a trick never leads

"""A round without a pointer: nothing here clicks, focuses or checks but the keyboard."""

from __future__ import annotations

import json

from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import Watched
from tests.e2e.player import Player

FAR_ENOUGH = 60
WHERE_IS_FOCUS = """() => {
  const held = document.activeElement;
  return held && held !== document.body ? `${held.tagName} ${held.id}` : "";
}"""
IS_FOCUS_SEEN = """() => {
  const held = document.activeElement;
  const marked = (element) => element && getComputedStyle(element).outlineStyle !== "none";
  return marked(held) || Array.from(held.labels ?? []).some(marked);
}"""


class Keyboard:
    """Somebody's two hands on the keys. ``lost`` tells when focus fell off the page, and
    ``unseen`` where it could not be seen."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.lost: list[str] = []
        self.unseen: set[str] = set()

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def focus(self) -> str:
        """What has the focus, as tag and id; empty for nothing but the page."""
        where: str = self.page.evaluate(WHERE_IS_FOCUS)
        return where

    def keeps_focus(self, when: str) -> None:
        if not self.focus():
            self.lost.append(when)

    def go_to(self, target: Locator, key: str = "Tab") -> int:
        """Press Tab (or another key) until the target has the focus; how often."""
        expect(target).to_be_visible()
        for presses in range(FAR_ENOUGH):
            if target.evaluate("element => element === document.activeElement"):
                return presses
            self.press(key)
            if self.focus() and not self.page.evaluate(IS_FOCUS_SEEN):
                self.unseen.add(self.focus())
        raise AssertionError(f"{target} is not reached with {key}; focus is on {self.focus()}")


def play_by_keys(keys: Keyboard, player: Player) -> str:
    """Do what is to be done, by keys alone; says what it was."""
    kind = player.to_do()
    if kind == "over":
        return kind
    turn = player.turn()
    match kind:
        case "bid":
            keys.go_to(player.bids.first)
            keys.press("Space", "ArrowRight", "ArrowRight", "ArrowLeft", "Enter")
        case "lead":
            choose_by_keys(keys, player)
            keys.press("Enter")  # on to the calls
            keys.press("Space", "ArrowRight")
            keys.go_to(player.confirm)
            keys.press("Enter")
        case "follow":
            keys.go_to(player.follows.first)
            keys.press("Space", "Enter")
        case "next":
            keys.go_to(player.next)
            keys.press("Enter")
    player.done(turn)
    return kind


def choose_by_keys(keys: Keyboard, player: Player) -> str:
    """Choose the second card to lead (or the only one); its code."""
    cards = player.playable()
    keys.go_to(player.leads.first)
    keys.press("Space")
    if len(cards) > 1:
        keys.press("ArrowRight")
    chosen = player.leads.nth(min(1, len(cards) - 1))
    expect(chosen).to_be_checked()
    expect(player.calls.first).to_be_visible()
    return cards[min(1, len(cards) - 1)]


def test_a_round_by_keyboard_alone(watched: Watched) -> None:
    page = watched.new_page()
    player, keys = Player(page), Keyboard(page)
    page.goto("/")
    keys.go_to(page.get_by_role("link", name="Choose the game"))
    keys.press("Enter")
    form = page.get_by_role("region", name="Against bots")
    keys.go_to(form.get_by_text("More", exact=True))
    keys.press("Enter")
    pace = form.get_by_label("Pace of the bots")
    keys.go_to(pace)
    page.keyboard.type("Instant")
    expect(pace).to_have_value("instant")
    keys.go_to(form.get_by_role("button", name="Start playing"))
    keys.press("Enter")
    expect(player.seats).to_have_count(4)

    done: set[str] = set()
    while not {"bid", "lead", "follow", "next"} <= done:
        kind = play_by_keys(keys, player)
        assert kind != "over"
        done.add(kind)
        player.to_do()  # the bots have played, all swaps are done
        keys.keeps_focus(f"after a {kind}")
    expect(player.bar).not_to_contain_text("Round 1 ")
    assert keys.lost == []
    assert keys.unseen == set()


def test_the_skip_link_leads_to_the_content(page: Page) -> None:
    page.goto("/play/")
    keys = Keyboard(page)
    keys.go_to(page.get_by_role("link", name="Skip to the content"))
    keys.press("Enter")
    keys.go_to(page.get_by_role("button", name="Start playing"))


def test_enter_on_a_chosen_card_leads_no_other(watched: Watched) -> None:
    """Enter in a form presses its first button, which would be a call of the first card."""
    opener = watched.new_player().open_for_friends(variant="win", seats="2", people="2")
    friend = watched.new_player().open(opener.links()[0])
    expect(opener.bar).to_contain_text("Round 1")
    leader = friend if friend.name == opener.whose_turn() else opener
    assert leader.to_do() == "lead"
    keys = Keyboard(leader.page)
    chosen = choose_by_keys(keys, leader)
    keys.press("Enter")
    leader.page.context.request.get("/healthz")  # by now, what was sent has been noted
    moves = [json.loads(text)["move"] for text in leader.sent]
    assert [move for move in moves if not move.startswith(chosen)] == []

"""Somebody who hears a table's page and presses keys: what is heard and what the accessibility
tree tells."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import product

from playwright.sync_api import Page, expect

from tests.e2e.player import SHAPES, call_words, card_words, cards_in

TRICKS = 8
MY_TURN = re.compile(
    "Choose a card|Now call a shape|Play a card with exactly|No card with|Play your last card"
)
CALL = re.compile(r"(?:exactly|No) (\d) (ball|cube|cone|star)")
A_PLAY = re.compile(r"leads the \d+|’s \d+ (?:follows|can’t win|takes it)")
DECK = ["".join(code) for code in product("123", repeat=4)]

# What a screen reader would say of the live regions, in the order in which it was added.
LISTEN = """
window.heard = [];
new MutationObserver((changes) => {
  for (const { target, addedNodes } of changes) if (/^(live|urgent)$/.test(target.id)) {
    for (const node of addedNodes) window.heard.push([target.id, node.textContent.trim()]);
  }
}).observe(document, { childList: true, subtree: true });
"""


@dataclass
class Round:
    """What was heard, read and pressed in a round."""

    transcript: list[tuple[str, str]] = field(default_factory=list)
    log: list[str] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    read_plays: list[str] = field(default_factory=list)

    def lines(self, pattern: str) -> list[str]:
        return [line for line in self.log if re.search(pattern, line)]

    @property
    def words(self) -> int:
        """How many words were said."""
        return len(" ".join(self.log).split())

    @property
    def result(self) -> tuple[int, int]:
        """Tricks taken, as heard: by me, and by the other."""
        (line,) = self.lines(r"^The round is over\.")
        mine, other = re.findall(r"You took (\d) tricks?\. \S+ (\d)\.", line)[0]
        return int(mine), int(other)


def value(code: str) -> int:
    return sum(map(int, code))


class Listener:
    """Somebody who hears the page and presses keys; there is nothing to see here."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.round = Round()
        self.hand = page.get_by_role("region", name="Your hand")
        self.cards = page.get_by_role("radiogroup", name="Choose a card")
        self.calls = page.get_by_role("radiogroup", name="Call")

    # Hearing and reading.

    def hear(self, until: str) -> str:
        """Listen until something is said that matches; that line."""
        self.page.wait_for_function(
            "until => window.heard.some(([, text]) => new RegExp(until).test(text))", arg=until
        )
        said: list[list[str]] = self.page.evaluate("() => window.heard.splice(0)")
        for region, text in said:
            self.round.transcript.append(("urgent" if region == "urgent" else "heard", text))
            self.round.log.append(text)
        return next(text for _, text in reversed(said) if re.search(until, text))

    def read(self, region: str) -> str:
        """A region of the page, as the accessibility tree tells it."""
        tree = self.page.get_by_role("region", name=region).aria_snapshot()
        pattern = r'(?:img|radio) "(.+?)"|(?:paragraph|text|listitem): "?(.*?)"?$'
        words = re.findall(pattern, tree, re.MULTILINE)
        told = dict.fromkeys(filter(None, map("".join, words)))  # a card and its radio: once
        self.round.transcript.append((f"read “{region}”", "; ".join(told)))
        return tree

    def holds(self) -> list[str]:
        """My cards in their order, from the names of what chooses them."""
        tree = self.cards.aria_snapshot()
        return cards_in("\n".join(re.findall(r'(?:radio|button) "(.+?)"', tree)))

    def playable(self) -> list[str]:
        return cards_in("\n".join(re.findall(r'radio "(.+?)"', self.cards.aria_snapshot())))

    # Pressing.

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
            kind, last = self.round.transcript[-1] if self.round.transcript else ("", "")
            if kind == "pressed":
                self.round.transcript[-1] = (kind, f"{last} {key}")
            else:
                self.round.transcript.append(("pressed", key))

    def lead(self, code: str, shape: int) -> None:
        """With the page's single keys."""
        self.press(str(self.holds().index(code) + 1))
        expect(self.cards.get_by_role("radio", name=card_words(code))).to_be_checked()
        self.press("bcos"[shape])
        words = call_words(int(code[shape]), SHAPES[shape])
        expect(self.calls.get_by_role("radio", name=words, exact=True)).to_be_checked()
        self.press("Enter")

    def follow(self, code: str) -> None:
        """With Tab, Space and the arrow keys, which every group of radios knows."""
        wanted = self.cards.get_by_role("radio", name=card_words(code))
        for _ in range(30):
            if self.cards.locator("input:focus").count():
                break
            self.press("Tab")
        self.press("Space")
        for _ in range(TRICKS):
            if wanted.is_checked():
                break
            self.press("ArrowDown")
        expect(wanted).to_be_focused()
        expect(wanted).to_be_checked()
        self.press("Enter")

    # Playing.

    def play(self) -> Round:
        """A whole round."""
        expect(self.page.get_by_role("region", name="What to do now")).to_contain_text(MY_TURN)
        called = "() => window.heard.some(([region]) => region === 'urgent')"
        self.page.wait_for_function(called)  # else it would be taken for the next turn's
        trick = self.read("This trick")
        self.read("What to do now")
        self.read("Your hand")
        self.round.read_plays = cards_in("\n".join(re.findall(r'img "(.+?)"', trick)))
        self.round.seen |= set(self.round.read_plays)
        turn = self.hear("^Your turn")
        for _ in range(TRICKS * 2):
            if "You lead" in turn or "call a shape" in turn:
                self.lead(*self.best_lead())
            else:
                self.follow(self._best_answer(turn))
            turn = self.hear(r"^Your turn|^The round is over\.")
            if turn.startswith("The round is over"):
                break
        if not self.round.lines(r" wins with |^You win |^Shared win"):
            self.hear(r" wins with |^You win |^Shared win")
        return self.round

    def best_lead(self) -> tuple[str, int]:
        """The card and shape that the fewest cards not heard of yet can beat."""
        hand = self.holds()
        unseen = set(DECK) - self.round.seen - set(hand)

        def danger(choice: tuple[str, int]) -> tuple[int, int]:
            code, shape = choice
            risks = sum(c[shape] == code[shape] and value(c) >= value(code) for c in unseen)
            return risks, -value(code)

        return min(product(hand, range(4)), key=danger)

    def _best_answer(self, turn: str) -> str:
        """The lowest card that beats the one that is winning, or else the lowest of all."""
        playable = sorted(self.playable(), key=value)
        winning, call = (
            re.search(r"(?:leads the|’s) (\d+)(?: is winning)?\.", turn),
            CALL.search(turn),
        )
        if winning is None or call is None:
            return playable[0]
        shape = SHAPES.index(call[2])
        takes = [
            code
            for code in playable
            if code[shape] == call[1] and value(code) >= int(winning[1])
        ]
        return (takes or playable)[0]

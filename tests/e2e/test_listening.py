"""A round for the ears: what is heard and what the accessibility tree tells, and keys."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.listener import A_PLAY, LISTEN, MY_TURN, TRICKS, Listener, Round
from tests.e2e.player import Player, cards_in
from tests.scenes.browser import Keyboard, Watched

TRANSCRIPT = Path(__file__).resolve().parents[2] / "docs" / "listening.md"
TABLES = 20
MOST_WORDS = 150
"""With one bot; against three see tests/games/tables/test_heard.py."""


def new_listener(watched: Watched) -> Listener:
    """At a table of two, of whose round nothing is known yet."""
    context = watched.new_context()
    context.add_init_script(LISTEN)
    page = context.new_page()
    Player(page).open_solo(variant="win", seats="2", rounds="1", level="random")
    return Listener(page)


@pytest.fixture
def listener(watched: Watched) -> Listener:
    """Somebody at a table, at their turn."""
    listener = new_listener(watched)
    prompt = listener.page.get_by_role("region", name="What to do now")
    expect(prompt).to_contain_text(MY_TURN)
    listener.page.wait_for_load_state("load")  # the page's script has run
    return listener


def all_was_heard(round_: Round) -> None:
    """Everything that a player needs was said while it happened, and shortly."""
    turns = [line for line in round_.log if line.startswith("Your turn")]
    assert TRICKS - 1 <= len(turns) <= TRICKS
    others = [line for line in round_.log if A_PLAY.search(line)]
    assert TRICKS - 1 <= len(others) <= TRICKS, "each play of the other's, once"
    takers = [line for line in round_.log if re.search(r"\btakes? it\b", line)]
    assert len(takers) == TRICKS
    took = sum("You take it" in line for line in takers)
    assert round_.result == (took, TRICKS - took)
    assert len(round_.lines(r" wins with |^You win |^Shared win")) == 1
    assert round_.words <= MOST_WORDS


def write_transcript(round_: Round) -> None:
    spoken = {"heard": "", "urgent": "**at once:** "}
    lines = [
        "# A round by ear",
        "",
        "What somebody heard and pressed in a round of two seats, *Play to Win*, against the",
        "bot that plays anything. Nothing was looked at: every choice was made from what is",
        "written here. Written by `tests/e2e/test_listening.py` when it runs with",
        "`XACTIKA_WRITE_TRANSCRIPT=1`.",
        "",
    ]
    for kind, text in round_.transcript:
        if kind == "pressed":
            keys = " ".join(f"<kbd>{key}</kbd>" for key in text.split(" "))
            lines.append(f"- → pressed {keys}")
        else:
            lines.append(f"- {spoken.get(kind, f'*{kind}:* ')}{text}")
    TRANSCRIPT.write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_a_round_is_won_by_ear(watched: Watched) -> None:
    results = []
    for _ in range(TABLES):
        round_ = new_listener(watched).play()
        all_was_heard(round_)
        results.append(round_.result)
        if round_.result[0] > round_.result[1]:
            break
    mine, others = results[-1]
    assert mine > others, f"no round was won: {results}"
    if os.environ.get("XACTIKA_WRITE_TRANSCRIPT") == "1":
        write_transcript(round_)


def test_w_says_the_situation_again_and_h_goes_to_the_hand(listener: Listener) -> None:
    page = listener.page
    expect(page.get_by_role("log", name="What happens at the table")).to_have_count(1)
    expect(page.locator("#live[aria-live=polite]")).to_have_count(1)
    expect(page.locator("#urgent[aria-live=assertive]")).to_have_count(1)
    sentence = page.locator("#prompt .sentence").inner_text()
    listener.press("w")
    said = listener.hear("Round 1 of 1")
    assert "Trick 1 of 8" in said
    assert sentence in said
    assert set(listener.holds()) <= set(cards_in(said))
    listener.press("w")
    assert listener.hear("Round 1 of 1") == said
    listener.press("h")
    in_hand = "() => document.activeElement.closest('#hand') !== null"
    assert page.evaluate(in_hand), "the focus is not in my hand"
    # No words run into each other, and nothing is said twice.
    if "call a shape" in listener.read("What to do now"):
        listener.lead(*listener.best_lead())
    else:
        listener.follow(listener.playable()[0])
    listener.hear(r"^Your turn")
    names = [name.strip() for name in page.locator(".seat .name").all_text_contents()]
    listener.press("w")
    said = listener.hear("Round 1 of 1")
    glued = [n for n in names if re.search(rf"{re.escape(n)}\w|\w{re.escape(n)}", said)]
    assert glued == [], f"runs into other words: {said}"
    assert re.findall(r"(\d+), \1 cards? left", said) == [], f"says it twice: {said}"
    assert ".." not in said


def test_the_list_of_keys_and_headings_of_every_region(listener: Listener) -> None:
    page = listener.page
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    for opener in ("", "Scores", "Tricks", "Stats", "More"):
        if opener:
            page.get_by_role("button", name=opener, exact=True).click()
        tree = page.locator("main").aria_snapshot()
        regions = re.findall(r'^\s*- (?:region|dialog) "(.+?)"', tree, re.MULTILINE)
        assert len(regions) == (4 if opener else 3)
        for name in regions:
            expect(page.get_by_role("heading", name=name, exact=True)).to_have_count(1)
        if opener:
            page.keyboard.press("Escape")
    listener.press("?")
    more = page.get_by_role("dialog", name="More")
    expect(more.get_by_role("heading", name="Keys")).to_be_visible()
    expect(more).to_contain_text("hear the whole situation again")
    switch = more.get_by_role("checkbox", name="Keyboard shortcuts")
    expect(switch).to_be_checked()
    Keyboard(page).go_to(switch)
    listener.press("Space")
    expect(switch).not_to_be_checked()
    listener.press("Escape")
    expect(more).to_be_hidden()
    listener.press("w", "?", "t", "l", "p", "1")
    expect(page.locator(".sheet[open]")).to_have_count(0)
    expect(listener.hand.get_by_role("radio", checked=True)).to_have_count(0)
    assert page.evaluate("window.heard.filter(([, text]) => /Round 1 of/.test(text))") == []
    # Everything else on the page needs no single key.
    page.get_by_role("button", name="More").press("Enter")
    switch.press("Space")
    listener.press("Escape", "t")
    expect(page.get_by_role("dialog", name="Stats table")).to_be_visible()

"""A round without a pointer: nothing here clicks, focuses or checks but the keyboard."""

from __future__ import annotations

import json

from playwright.sync_api import Page, expect

from tests.e2e.player import Player, choose_by_keys, play_by_keys
from tests.scenes.browser import Keyboard, Watched, open_table
from tests.server import Server


def test_a_round_by_keyboard_alone(page: Page) -> None:
    player, keys = Player(page), Keyboard(page)
    page.goto("/")
    keys.go_to(page.get_by_role("link", name="Skip to the content"))
    keys.press("Enter")
    keys.go_to(page.get_by_role("link", name="Choose the game"))
    keys.press("Enter")
    form = page.get_by_role("main")
    keys.go_to(form.get_by_text("Settings", exact=True))
    keys.press("Enter")
    pace = form.get_by_label("Pace of the bots")
    keys.go_to(pace)
    page.keyboard.type("Instant")
    expect(pace).to_have_value("instant")
    keys.go_to(form.get_by_role("button", name="Play now"))
    keys.press("Enter")
    expect(player.seats).to_have_count(4)

    done: set[str] = set()
    while not {"bid", "lead", "follow", "next"} <= done:
        kind = play_by_keys(keys, player)
        assert kind != "over"
        done.add(kind)
        player.to_do()  # the bots have played, all swaps are done
        keys.keeps_focus(f"after a {kind}")
    assert keys.lost == []
    assert keys.unseen == set()


def test_enter_on_a_chosen_card_leads_no_other(watched: Watched, server: Server) -> None:
    """Enter in a form presses its first button, which would be a call of the first card."""
    table = open_table(server, variant="win", seats=2, people=2)
    one, two = (watched.new_player().open(seat["link"]) for seat in table["seats"])
    expect(one.bar).to_contain_text("Round 1")
    leader = one if one.name == one.whose_turn() else two
    assert leader.to_do() == "lead"
    keys = Keyboard(leader.page)
    chosen = choose_by_keys(keys, leader)
    keys.press("Enter")
    leader.page.context.request.get("/healthz")  # by now, what was sent has been noted
    moves = [json.loads(text)["move"] for text in leader.sent]
    assert [move for move in moves if not move.startswith(chosen)] == []

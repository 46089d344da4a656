"""“One tap plays at once”, from the switch to the round's end."""

from __future__ import annotations

import json

from playwright.sync_api import expect

from tests.e2e.conftest import Watched
from tests.e2e.player import Player


def switch_on(player: Player) -> None:
    player.page.get_by_role("button", name="More", exact=True).click()
    player.one_tap.check()
    player.page.keyboard.press("Escape")
    expect(player.one_tap).to_be_hidden()


def tap_on(player: Player, until: str) -> None:
    """Play by taps alone, without confirming, until this is to be done."""
    while (kind := player.to_do()) != until:
        turn = player.turn()
        if kind == "lead":
            player.leads.first.click()
            expect(player.calls).to_have_count(4)
            assert player.turn() == turn, "a card was led before its call was chosen"
            player.calls.last.click()
        else:
            {"bid": player.bids, "follow": player.follows}[kind].first.click()
        player.done(turn)


def test_one_tap_bids_leads_and_follows(watched: Watched) -> None:
    player = watched.new_player(has_touch=True).open_solo(variant="bid", seats="3")
    switch_on(player)
    player.to_do()
    bid = int(player.bids.first.input_value())
    tap_on(player, "next")
    sent = [json.loads(text)["move"] for text in player.sent]
    assert sent[0] == str(bid)
    assert len(sent) == 1 + 8
    leads = [move for move in sent if ":" in move]
    assert all(move.endswith(f"{move[3]}-star") for move in leads)


def test_one_tap_is_remembered_by_this_browser(watched: Watched) -> None:
    player = watched.new_player().open_solo(variant="win", seats="2")
    switch_on(player)
    player.page.reload()
    tap_on(player, "next")


def test_with_keys_a_choice_still_waits_for_enter(watched: Watched) -> None:
    """Arrow keys choose as they go: each would play a card."""
    player = watched.new_player().open_solo(variant="bid", seats="2")
    switch_on(player)
    player.to_do()
    turn = player.turn()
    player.bids.first.focus()
    player.page.keyboard.press("Space")
    player.page.keyboard.press("ArrowRight")
    expect(player.confirm).to_be_enabled()
    assert player.turn() == turn
    player.page.keyboard.press("Enter")
    player.done(turn)


def test_without_it_a_tap_only_chooses(watched: Watched) -> None:
    player = watched.new_player().open_solo(variant="bid", seats="2")
    player.to_do()
    turn = player.turn()
    player.bids.first.click()
    expect(player.confirm).to_be_enabled()
    player.page.context.request.get("/healthz")  # by now, what was sent has been noted
    assert player.turn() == turn
    assert player.sent == []

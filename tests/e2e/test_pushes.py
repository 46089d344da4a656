"""What a person holds stays in their hand, whatever happens around them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from playwright.sync_api import expect

from tests.e2e.player import (
    CONNECTION_ERRORS,
    LOST,
    Party,
    Player,
    everybody_plays,
    held,
    open_for_two,
    push,
)
from tests.e2e.wire import Wire
from tests.scenes.browser import PHONE, Watched


def test_a_hundred_updates_and_a_lost_connection(
    watched: Watched, new_wire: Callable[[], Wire]
) -> None:
    watched.expected = CONNECTION_ERRORS
    wire = new_wire()
    opener, friend = open_for_two(watched, wire.base, variant="win")
    leader = Party(opener, friend).mover()
    assert leader is not None
    turn, card = leader.turn(), leader.playable()[2]
    leader.choose(card)
    leader.choose_call(card, 1)
    leader.confirm.focus()
    links = Player(opener.page.context.new_page()).open(opener.page.url)
    field = links.link_field(friend.name)
    field.focus()
    field.evaluate("field => field.setSelectionRange(7, 16)")
    choice, selection = held(leader.page), held(links.page)
    assert len(choice["chosen"]) == 2
    assert selection["selection"] == [7, 16]
    heard = len(leader.received)

    push(opener, leader, links, times=100)
    assert len(leader.received) - heard >= 100
    assert held(leader.page) == choice
    assert held(links.page) == selection

    wire.cut()
    for player in (leader, links):
        expect(player.connection).to_contain_text(LOST)
    wire.mend()
    for player in (leader, links):
        expect(player.connection).to_have_text("")
    push(opener, leader, links, times=2)
    assert held(leader.page) == choice
    assert held(links.page) == selection

    leader.page.keyboard.press("Enter")
    leader.done(turn)
    assert card not in leader.holds()


def test_a_choice_taken_back_without_a_connection_is_not_played(
    watched: Watched, new_wire: Callable[[], Wire]
) -> None:
    watched.expected = CONNECTION_ERRORS
    wire = new_wire()
    bidder = Party(*open_for_two(watched, wire.base, variant="bid")).mover()
    assert bidder is not None
    turn = bidder.turn()
    wire.cut()
    expect(bidder.connection).to_contain_text(LOST)
    for number in (3, 2):
        bidder.bids.nth(number).check()
        bidder.confirm.click()
        expect(bidder.confirm).to_have_text("Sending…")
    wire.mend()
    bidder.done(turn)
    expect(bidder.seat_of(bidder.name)).to_contain_text("bid 2, took")


def test_focus_on_what_goes_away_stays_near(watched: Watched) -> None:
    """A bid made elsewhere takes the bids away; focus waits where the hand is."""
    opener, friend = open_for_two(watched, variant="bid")
    bidder = Party(opener, friend).mover()
    assert bidder is not None
    bidder.bids.nth(3).focus()
    elsewhere = Player(bidder.page.context.new_page()).open(bidder.page.url)
    elsewhere.act()
    bidder.to_front()
    expect(bidder.bids).to_have_count(0)
    assert bidder.hand.evaluate("hand => hand.contains(document.activeElement)")


def test_a_reader_is_not_disturbed_and_all_hands_come_when_asked_for(watched: Watched) -> None:
    """The sheet of past tricks stays open, and focus where it was, while the others play on;
    what nobody may know before the end is not pushed to those who do not look."""
    opener, friend = open_for_two(watched, variant="win", rounds="2")
    reader = watched.new_player(viewport=PHONE)
    reader.open(opener.watch_field.input_value())
    party = Party(opener, friend)
    for _ in range(4):
        party.act()
    expect(reader.bar).to_contain_text("Trick 3")
    reader.open_tricks.click()
    first = reader.past_trick(1)
    first.scroll_into_view_if_needed()
    before = held(reader.page)
    assert before["opened"] == ["sheet-tricks"]
    for _ in range(6):
        party.act()
    expect(reader.bar).to_contain_text("Trick 6")
    expect(first).to_be_visible()
    after = held(reader.page)
    assert (after["opened"], after["focus"]) == (before["opened"], before["focus"])
    party.play_round()
    expect(reader.hands_shown).to_have_count(81)
    opener.to_do()
    expect(opener.hands_shown).to_have_count(0)
    opener.open_tricks.click()
    expect(opener.all_hands).to_be_visible()
    expect(opener.hands_shown).to_have_count(81)
    opener.page.keyboard.press("Escape")
    party.next_round()
    for player in (reader, opener):
        expect(player.bar).to_contain_text("Round 2")
        expect(player.hands_shown).to_have_count(0)
    everybody_plays([opener, friend], "game_over")


def test_a_press_during_a_push_is_not_lost(watched: Watched) -> None:
    """What it was on is replaced only once the press has ended."""
    opener, friend = open_for_two(watched, variant="win")
    leader = Party(opener, friend).mover()
    assert leader is not None
    turn, card = leader.turn(), leader.playable()[0]
    leader.choose(card)
    leader.choose_call(card, 1)
    leader.confirm.hover()
    clock = leader.page.clock  # a press that lasts too long is over, so its time stands still
    clock.install()
    clock.pause_at(datetime.now(UTC) + timedelta(seconds=5))
    leader.page.mouse.down()
    for what in ("pause", "resume"):
        with leader.socket.expect_event("framereceived"):  # or one message may tell of both
            opener.steer(what)
    leader.page.mouse.up()
    clock.resume()
    leader.done(turn)
    assert card not in leader.holds()


def test_a_phone_that_slept_has_a_new_connection_at_once(watched: Watched) -> None:
    player = watched.new_player(viewport=PHONE).open_solo(variant="bid", seats="2")
    player.to_do()
    player.bids.first.press("Space")
    # As if the device had slept for a minute.
    with player.page.expect_websocket():
        player.page.evaluate("Date.now = ((now) => () => now() + 60000)(Date.now)")
    expect(player.connection).to_have_text("")
    expect(player.bids.first).to_be_checked()

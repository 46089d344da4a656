"""What a person holds stays in their hand, whatever happens around them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from tests.e2e.conftest import Watched
from tests.e2e.player import CONNECTION_ERRORS, LOST, Party, Player
from tests.e2e.wire import Wire

WHAT_IS_HELD = """() => {
  const held = document.activeElement;
  return {
    focus: held.id || held.tagName,
    selection: held.matches("input[type=text]") ? [held.selectionStart, held.selectionEnd] : [],
    chosen: Array.from(document.querySelectorAll(":is(#hand, #choices) :checked"), (a) => a.id),
    opened: Array.from(document.querySelectorAll(".sheet[open]"), (sheet) => sheet.id),
    scrolled: document.querySelector("#sheet-tricks").scrollTop,
  };
}"""


def held(page: Page) -> dict[str, Any]:
    answer: dict[str, Any] = page.evaluate(WHAT_IS_HELD)
    return answer


def push(opener: Player, *players: Player, times: int) -> None:
    """Send everybody so many updates, each seen before the next is sent."""
    for number in range(times):
        paused = number % 2 == 0
        opener.steer("pause" if paused else "resume")
        for player in players:
            expect(player.bar.get_by_text("Paused")).to_have_count(int(paused))


def open_for_two(watched: Watched, base: str, variant: str) -> tuple[Player, Player]:
    opener = watched.new_player(base_url=base)
    opener.open_for_friends(variant=variant, seats="2", people="2")
    friend = watched.new_player(base_url=base).open(opener.links()[0])
    expect(opener.bar).to_contain_text("Round 1")
    return opener, friend


def test_a_hundred_updates_and_a_lost_connection(
    watched: Watched, new_wire: Callable[[], Wire]
) -> None:
    watched.expected = CONNECTION_ERRORS
    wire = new_wire()
    opener, friend = open_for_two(watched, wire.base, "win")
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
    bidder = Party(*open_for_two(watched, wire.base, "bid")).mover()
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
    expect(bidder.seat_of(bidder.name)).to_contain_text("of a bid of 2")


def test_a_card_in_focus_stays_in_focus(watched: Watched) -> None:
    opener, friend = open_for_two(watched, watched.server.base, "win")
    follower = Party(opener, friend).play_until("follow")
    card = follower.playable()[0]
    follower.choose(card)
    follower.card(card).focus()
    before = held(follower.page)
    push(opener, follower, times=20)
    assert held(follower.page) == before
    turn = follower.turn()
    follower.page.keyboard.press("Enter")
    follower.done(turn)
    assert card not in follower.holds()


def test_focus_on_what_goes_away_stays_near(watched: Watched) -> None:
    """A bid made elsewhere takes the bids away; focus waits where the hand is."""
    opener, friend = open_for_two(watched, watched.server.base, "bid")
    bidder = Party(opener, friend).mover()
    assert bidder is not None
    bidder.bids.nth(3).focus()
    elsewhere = Player(bidder.page.context.new_page()).open(bidder.page.url)
    elsewhere.act()
    bidder.to_front()
    expect(bidder.bids).to_have_count(0)
    assert bidder.hand.evaluate("hand => hand.contains(document.activeElement)")


def test_a_reader_is_not_disturbed(watched: Watched) -> None:
    """The sheet of past tricks stays open, and focus where it was, while the others play
    three more."""
    opener, friend = open_for_two(watched, watched.server.base, "win")
    reader = watched.new_player(viewport={"width": 390, "height": 844})
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


def test_all_hands_come_when_their_sheet_is_open(watched: Watched) -> None:
    """They are not pushed to those who do not look."""
    opener, friend = open_for_two(watched, watched.server.base, "win")
    reader = watched.new_player().open(opener.watch_field.input_value())
    reader.open_tricks.click()
    party = Party(opener, friend)
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


def test_a_press_during_a_push_is_not_lost(watched: Watched) -> None:
    """What it was on is replaced only once the press has ended."""
    opener, friend = open_for_two(watched, watched.server.base, "win")
    leader = Party(opener, friend).mover()
    assert leader is not None
    turn, card = leader.turn(), leader.playable()[0]
    leader.choose(card)
    leader.choose_call(card, 1)
    leader.confirm.hover()
    leader.page.mouse.down()
    heard = len(leader.received)
    for what in ("pause", "resume"):
        opener.steer(what)
    while len(leader.received) < heard + 2:
        leader.page.wait_for_timeout(50)
    leader.page.mouse.up()
    leader.done(turn)
    assert card not in leader.holds()


def test_who_wakes_has_a_new_connection_at_once(watched: Watched) -> None:
    player = watched.new_player().open_solo(variant="win", seats="2")
    player.to_do()
    sockets: list[object] = []
    player.page.on("websocket", lambda socket: sockets.append(socket))
    card = player.playable()[0]
    player.choose(card)
    # As if the device had slept for a minute.
    player.page.evaluate("Date.now = ((now) => () => now() + 60000)(Date.now)")
    player.page.wait_for_timeout(1500)
    while not sockets:
        player.page.wait_for_timeout(100)
    expect(player.connection).to_have_text("")
    expect(player.card(card)).to_be_checked()

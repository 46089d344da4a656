"""Friends at one table, each in a browser of their own, with all that goes wrong in a room."""

from __future__ import annotations

import json
import time
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.e2e.player import (
    CONNECTION_ERRORS,
    LOST,
    MOVED_ON,
    SHUT_OUT,
    Party,
    Player,
    any_card_in,
    open_for_two,
    same_moment,
    same_text,
)
from tests.e2e.wire import Wire
from tests.scenes.browser import Watched, open_table
from tests.server import Server


def looks_the_same(one: Player, other: Player) -> None:
    """Both pages show the same hand with the same choices."""
    same_moment(one, other)
    assert other.trick.inner_html() == one.trick.inner_html()
    assert other.hand.inner_html() == one.hand.inner_html()
    assert other.prompt.inner_html() == one.prompt.inner_html()


def moves_sent(player: Player, least: int = 0) -> list[str]:
    """The moves that this page has sent, in the rules' notation. The browser tells of a frame
    a moment after it has left, so ``least`` of them are waited for."""
    deadline = time.monotonic() + 10
    while True:
        messages = [json.loads(text) for text in player.sent]
        moves = [message["move"] for message in messages if message.get("type") == "move"]
        if len(moves) >= least or time.monotonic() > deadline:
            return moves
        player.page.wait_for_timeout(20)


class Secrets:
    """Sees to it that a watcher is never sent a card of anybody's hand."""

    def __init__(self, watcher: Player, players: list[Player]) -> None:
        self.watcher, self.players = watcher, players
        self.looks = 0

    def check(self, mover: Player) -> None:
        """At this person's turn: neither the page nor a new copy of it tells more than the
        cards that everybody has seen."""
        self.looks += 1
        same_moment(mover, self.watcher)
        hands = {card for player in self.players for card in player.holds()}
        page = self.watcher.page
        again = page.context.request.get(page.url)
        assert again.ok
        assert any_card_in(again.text()) == mover.played()
        assert not hands & any_card_in(page.content())
        assert not hands & any_card_in("".join(self.watcher.received))


def test_three_friends_and_a_watcher_play_a_round(
    watched: Watched, new_wire: Callable[[], Wire]
) -> None:
    watched.expected = CONNECTION_ERRORS
    opener = watched.new_player().open_for_friends(
        variant="bid", seats="4", people="3", rounds="1"
    )
    expect(opener.bar).to_contain_text("Not started")
    first_link, second_link = opener.links()
    friend = watched.new_player().open(first_link)
    expect(friend.bar).to_contain_text("Not started")
    watcher = watched.new_player().open(opener.watch_field.input_value())
    wire = new_wire()
    other = watched.new_player(base_url=wire.base).open(
        second_link.replace(watched.server.base, wire.base)
    )
    everybody = (opener, friend, other, watcher)
    for player in everybody:
        expect(player.bar).to_contain_text("Round 1 of 1")
    expect(watcher.hand).to_contain_text("You’re watching")

    players = [opener, friend, other]
    party, secrets = Party(*players), Secrets(watcher, players)
    still_to_happen = {"a reload", "a lost connection"}

    def at_turn(player: Player) -> bool:
        secrets.check(player)
        if not player.on_the_table():
            return False
        if player is other and "a lost connection" in still_to_happen:
            still_to_happen.remove("a lost connection")
            move_without_connection(player, wire)
            return True
        if "a reload" in still_to_happen:
            still_to_happen.remove("a reload")
            reload(player)
        return False

    party.play_round(at_turn)
    assert still_to_happen == set()
    assert secrets.looks == 3 + 8 * 3
    for player in everybody:
        expect(player.bar).to_contain_text("Game over")
    sheet = opener.sheet()
    for player in everybody:
        assert player.sheet() == sheet
        assert player.winners() == opener.winners()


def reload(player: Player) -> None:
    """Load the page anew: everything is where it was."""
    hand, trick = player.hand.inner_html(), player.trick.inner_html()
    seats, prompt = player.seats.all_inner_texts(), player.prompt.inner_text()
    player.page.reload()
    expect(player.turn_or_next.first).to_be_visible()
    assert player.hand.inner_html() == hand
    assert player.trick.inner_html() == trick
    assert player.seats.all_inner_texts() == seats
    assert player.prompt.inner_text() == prompt


def move_without_connection(player: Player, wire: Wire) -> None:
    """Lose the connection on one's own turn, and move all the same: what was chosen last
    arrives when the connection is back, and that once."""
    turn, before, sent = player.turn(), len(player.holds()), len(moves_sent(player))
    wire.cut()
    expect(player.connection).to_contain_text(LOST)
    kind, first, last = player.to_do(), player.playable()[0], player.playable()[-1]
    assert kind == "follow"
    for card in (first, last, first, last):
        player.send(card)
    assert player.turn() == turn
    wire.mend()
    expect(player.connection).to_have_text("")
    player.done(turn)
    assert moves_sent(player, sent + 1)[sent:] == [last]
    assert last not in player.holds()
    assert len(player.holds()) == before - 1


def test_others_play_on_while_one_is_cut_off(
    watched: Watched, server: Server, new_wire: Callable[[], Wire]
) -> None:
    watched.expected = CONNECTION_ERRORS
    wire = new_wire()
    table = open_table(server, seats=3, people=3, rounds=1)
    one, two, three = (seat["link"] for seat in table["seats"])
    first, second = (watched.new_player().open(link) for link in (one, two))
    cut_off = watched.new_player(base_url=wire.base)
    cut_off.open(three.replace(server.base, wire.base))
    party = Party(first, second, cut_off)
    while party.mover() is cut_off:
        party.act()
    wire.cut()
    expect(cut_off.connection).to_contain_text(LOST)
    before = cut_off.seats.all_inner_texts()
    mover = party.act()
    assert mover is not None
    assert cut_off.seats.all_inner_texts() == before
    wire.mend()
    expect(cut_off.connection).to_have_text("")
    same_moment(mover, cut_off)
    same_text(mover.seat_of(cut_off.name).locator(".facts"), cut_off.my_seat.locator(".facts"))
    while party.mover() is not cut_off:
        party.act()
    party.act()


def test_a_stale_click_gets_a_friendly_line_and_two_clicks_play_once(
    watched: Watched, new_wire: Callable[[], Wire]
) -> None:
    """Two tabs hold the same turn; the slower one is told, and shown how things stand."""
    opener = watched.new_player().open_for_friends(variant="win", seats="2", people="2")
    wire = new_wire()
    link = opener.links()[0].replace(watched.server.base, wire.base)
    slow = watched.new_player(base_url=wire.base).open(link)
    party = Party(opener, slow)
    while party.mover() is not slow:
        party.act()
    # The same browser by another way: cookies do not mind the port.
    quick = Player(slow.page.context.new_page()).open(
        slow.page.url.replace(wire.base, watched.server.base)
    )
    looks_the_same(slow, quick)
    wire.hold()
    turn, cards = slow.turn(), slow.holds()
    quick.act()
    slow.to_front()
    assert slow.turn() == turn
    slow.send(slow.playable()[-1])
    wire.release()
    expect(slow.notice).to_contain_text(MOVED_ON)
    slow.done(turn)
    assert len(moves_sent(slow, 1)) == 1
    assert len(slow.holds()) == len(cards) - 1
    looks_the_same(quick, slow)
    expect(quick.notice).to_have_text("")
    quick.page.close()

    same_moment(slow, opener)
    follower = party.play_until("follow")
    turn, cards = follower.turn(), follower.holds()
    follower.choose(follower.playable()[0])
    follower.confirm.dblclick()
    follower.done(turn)
    expect(follower.seat_of(follower.name)).to_contain_text(f"{len(cards) - 1} cards left")
    assert len(follower.holds()) == len(cards) - 1


def test_a_renewed_link_shuts_the_old_browser_out(watched: Watched) -> None:
    watched.expected = ("a status of 404",)
    opener, friend = open_for_two(watched, variant="bid", rounds="1")
    old_link, name = opener.links()[0], friend.name
    hand = friend.holds()
    opener.new_link(name).click()
    expect(opener.link_field(name)).not_to_have_value(old_link)
    expect(friend.connection).to_contain_text(SHUT_OUT)
    seen = len(friend.received)
    response = friend.page.reload()
    assert response is not None
    assert response.status == 404
    assert not any_card_in(friend.page.content())
    is_not_here(friend.page, old_link)

    newcomer = watched.new_player().open(opener.links()[0])
    assert newcomer.name == name
    assert newcomer.holds() == hand
    Party(opener, newcomer).act()
    assert len(friend.received) == seen
    # And who is out by the old link comes in by the new one, like anybody: asked first, as
    # somebody sits there, who is told.
    friend.page.goto(opener.links()[0])
    assert not any_card_in(friend.page.content())
    friend.page.get_by_role("button", name="Take my seat back").click()
    expect(friend.bar).to_be_visible()
    assert friend.name == name
    expect(newcomer.page.locator("#notice")).to_contain_text("has your seat")
    expect(newcomer.live).to_contain_text("has your seat")

    # The same of the watchers' link.
    old_link = opener.watch_field.input_value()
    watcher = watched.new_player().open(old_link)
    opener.new_link("to watch").click()
    expect(opener.watch_field).not_to_have_value(old_link)
    expect(opener.notice).to_contain_text("The link is new.")
    opener.page.reload()
    expect(opener.notice).to_be_empty()
    expect(watcher.connection).to_contain_text(SHUT_OUT)
    is_not_here(watcher.page, old_link)
    watcher.open(opener.watch_field.input_value())
    expect(watcher.hand).to_contain_text("You’re watching")


def is_not_here(page: Page, address: str) -> None:
    response = page.goto(address)
    assert response is not None
    assert response.status == 404
    expect(page.get_by_role("heading", level=1)).to_have_text("We can’t find that page")


def test_starting_without_those_missing(watched: Watched) -> None:
    opener = watched.new_player().open_for_friends(variant="bid", seats="3", people="3")
    present, missing = opener.links()
    friend = watched.new_player().open(present)
    opener.start_now.click()
    for player in (opener, friend):
        expect(player.bar).to_contain_text("Round 1")
        expect(player.seats.filter(has_text="bot stands in")).to_have_count(1)
    expect(opener.start_now).to_have_count(0)
    late = watched.new_player().open(missing)
    expect(late.prompt).to_contain_text("A bot is playing for you.")
    late.take_back.click()
    for player in (opener, friend, late):
        expect(player.seats.filter(has_text="bot stands in")).to_have_count(0)
    expect(late.take_back).to_have_count(0)
    Party(opener, friend, late).act()


def test_pausing_and_going_on(watched: Watched) -> None:
    """What the opener can do follows the table without a reload, in every tab; nobody plays
    meanwhile, and the line that answers a click goes with its moment."""
    opener, friend = open_for_two(watched, variant="win")
    tab = Player(opener.page.context.new_page()).open(opener.page.url)
    leader = Party(opener, friend).play_until("lead")
    opener.to_front()
    opener.pause.click()
    for player in (opener, friend, tab):
        expect(player.bar).to_contain_text("Paused")
    expect(tab.resume).to_be_visible()
    expect(tab.pause).to_have_count(0)
    tab.page.close()
    turn = leader.turn()
    leader.send(leader.playable()[0])
    expect(leader.notice).to_contain_text("The table is paused.")
    expect(leader.confirm).to_have_class("primary")  # not "Sending…" for ever
    assert leader.turn() == turn
    assert len(leader.holds()) == 8
    friend.page.reload()
    expect(friend.prompt).to_contain_text("The table is paused.")
    opener.resume.click()
    for player in (opener, friend):
        expect(player.bar).not_to_contain_text("Paused")
    leader.act()
    expect(leader.notice).to_have_text("")


def test_standing_in_and_taking_back(watched: Watched, server: Server) -> None:
    """Patience of a second: a bot is asked to play for one who does nothing, until they take
    back by the button, or by a move of their own."""
    table = open_table(server, seats=2, people=2, rounds=1, patience=1, pace=10)
    one, two = (watched.new_player().open(seat["link"]) for seat in table["seats"])
    slow = Party(one, two).mover()
    assert slow is not None
    other, name = two if slow is one else one, slow.name
    for by in ("the button", "a move"):
        other.stand_in_for(name).click()
        for player in (one, two):
            expect(player.seat_of(name)).to_contain_text("bot stands in")
        expect(slow.prompt).to_contain_text("A bot is playing for you.")
        if by == "the button":
            slow.take_back.click()
        else:
            slow.bid(1)
        for player in (one, two):
            expect(player.seat_of(name)).not_to_contain_text("bot stands in")
    expect(other.seat_of(name)).to_contain_text("bid 1, took")


def test_going_back_shows_the_table_as_it_is(watched: Watched) -> None:
    opener, friend = open_for_two(watched, variant="bid")
    mover = Party(opener, friend).mover()
    assert mover is not None
    other = friend if mover is opener else opener
    other.page.goto("/learn/")
    mover.act()
    other.page.go_back()
    expect(other.bids.first).to_be_visible()
    expect(other.seat_of(mover.name)).to_contain_text("bid 0, took")
    other.act()
    expect(mover.bar).to_contain_text("Trick 1")


def test_two_people_at_one_browser_keep_their_seats(watched: Watched) -> None:
    """Brother and sister at one device: each tab stays with its person's hand, whatever is
    reloaded, paused or played again; the first who asks opens the next table, the others find
    the way there, and a watcher is offered none."""
    opener = watched.new_player().open_for_friends(
        variant="win", seats="2", people="2", rounds="1"
    )
    watcher = watched.new_player().open(opener.watch_field.input_value())
    sister = Player(opener.page.context.new_page()).open(opener.links()[0])
    for player in (opener, sister):
        expect(player.bar).to_contain_text("Round 1")
    names, hands = (opener.name, sister.name), (opener.holds(), sister.holds())
    assert not set(hands[0]) & set(hands[1])
    for player in (opener, sister):
        player.page.reload()
        expect(player.seats.first).to_be_visible()
    opener.pause.click()
    expect(opener.bar).to_contain_text("Paused")
    opener.resume.click()
    expect(opener.bar).not_to_contain_text("Paused")
    assert (opener.name, sister.name) == names
    assert (opener.holds(), sister.holds()) == hands
    Party(opener, sister).play_round()
    opener.again.click()
    expect(opener.bar).to_contain_text("Not started")
    expect(watcher.again.or_(watcher.go_to_next)).to_have_count(0)
    sister.go_to_next.click()
    expect(opener.bar).to_contain_text("Round 1")
    assert (opener.name, sister.name) == names


WITHOUT_CLIPBOARD = """
  Object.defineProperty(navigator, "clipboard", { value: undefined });
  document.execCommand = () => { window.copied = document.activeElement.value; return true; };
"""
"""As over plain http, where there is only the older way to copy."""


def test_a_link_is_copied_over_plain_http(watched: Watched) -> None:
    context = watched.new_context()
    context.add_init_script(WITHOUT_CLIPBOARD)
    opener = Player(context.new_page()).open_for_friends(seats="2", people="2")
    (link,) = opener.links()
    copies = opener.opener.locator("[data-copies=link-1]")
    copies.click()
    expect(copies).to_contain_text("Copied")
    assert opener.page.evaluate("window.copied") == link
    expect(copies).to_be_focused()

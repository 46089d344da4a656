"""Pages and the states of a table of friends as axe, a narrow phone and a thumb find them."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect

from tests.e2e.player import SHAPES, Party, Player, everybody_plays
from tests.scenes.browser import LAPTOP, PHONE, Inspector, Watched, open_table
from tests.server import Server

PAGES = """
/ /play/ /learn/ /learn/play/slough/ /learn/play/slough/?moves=1113,3313 /learn/play/bid/ /join/
/teach/ /lessons/ /graphs/ /device/ /new/ /puzzles/ /puzzles/all/ /privacy/
""".split()
IN_PAIRS = ["11", "12", "13", "21", "22", "23", "31", "32"]


def test_pages(watched: Watched) -> None:
    watched.expected = ("a status of 404", "a status of 422")
    inspector, page = Inspector(), watched.new_page()
    for address in PAGES:
        response = page.goto(address)
        assert response
        assert response.status == 200, address
        inspector.look(page, address)
    page.goto("/tables/none/")
    inspector.look(page, "find that page")
    page.goto("/play/")
    form = page.get_by_role("main")
    form.get_by_label("You and friends").check()
    form.get_by_role("radio", name="2", exact=True).check()
    form.get_by_label("People").select_option("5")
    form.get_by_role("button", name="Play now").click()
    expect(page.get_by_label("People")).to_have_accessible_description(
        re.compile("There are more people than seats.$")
    )
    inspector.look(page, "a form with a mistake")
    inspector.approves()


def test_text_on_an_accent_is_seen_in_forced_colours(watched: Watched) -> None:
    """The browser lays its own ground behind text, unless the element takes care itself."""
    page = watched.new_page(forced_colors="active")
    page.goto("/")
    check_in_forced_colours(page.get_by_role("link", name="Learn it by playing"))
    page.goto("/play/")
    check_in_forced_colours(page.get_by_role("button", name="Play now"))
    player = Player(page).open_solo(variant="bid", seats="2")
    player.to_do()
    player.bids.first.press("Space")
    check_in_forced_colours(player.confirm)
    page.goto("/learn/play/slough/")
    number = page.locator(".chapters a[aria-current]")
    on, ground = number.evaluate("""number => [
      getComputedStyle(number), getComputedStyle(number, "::before")
    ].map((style, n) => n ? style.backgroundColor : style.color)""")
    assert number.evaluate("number => getComputedStyle(number).forcedColorAdjust") == "none"
    assert on != ground


def check_in_forced_colours(button: Locator) -> None:
    """The button's text and ground are the system's own pair."""
    painted = button.evaluate(
        """button => {
          const { forcedColorAdjust, color, backgroundColor } = getComputedStyle(button);
          const pair = document.createElement("p");
          const colours = { color: "HighlightText", background: "Highlight" };
          Object.assign(pair.style, { forcedColorAdjust: "none", ...colours });
          document.body.append(pair);
          const own = getComputedStyle(pair);
          const wanted = ["none", own.color, own.backgroundColor];
          pair.remove();
          return [[forcedColorAdjust, color, backgroundColor], wanted];
        }"""
    )
    assert painted[0] == painted[1]


def test_marks_are_explained_and_keys_listed_where_there_are_keys(watched: Watched) -> None:
    laptop = watched.new_player(viewport=LAPTOP).open_solo(variant="win", seats="3")
    phone = watched.new_player(viewport=PHONE, has_touch=True, is_mobile=True)
    phone.open_solo(variant="win", seats="3")
    for player, has_keys in ((laptop, True), (phone, False)):
        player.page.get_by_role("button", name="More", exact=True).click()
        more = player.page.locator("#sheet-more")
        expect(more.get_by_role("link", name="Rules", exact=True)).to_be_in_viewport()
        expect(more.get_by_text("B: bot.")).to_be_visible()
        for text in ("Keyboard shortcuts", "hear the whole situation again"):
            expect(more.get_by_text(text)).to_be_visible(visible=has_keys)
    phone.page.keyboard.press("Escape")  # a keyboard after all
    phone.page.get_by_role("button", name="More", exact=True).click()
    expect(phone.page.get_by_text("Keyboard shortcuts")).to_be_visible()


def test_a_table_of_friends_in_every_state(watched: Watched) -> None:
    inspector = Inspector()
    opener = watched.new_player().open_for_friends(
        variant="bid", seats="2", people="2", rounds="2"
    )
    watcher = watched.new_player().open(opener.watch_field.input_value())
    inspector.look(opener, "waiting, opener")
    inspector.look(watcher, "waiting, watcher")
    friend = watched.new_player().open(opener.links()[0])
    everybody = (("opener", opener), ("friend", friend), ("watcher", watcher))
    party = Party(opener, friend)
    bidder = party.mover()
    assert bidder is not None
    other = friend if bidder is opener else opener
    inspector.look(bidder, "bidding")
    inspector.look(other, "waiting for a bid")
    inspector.look(watcher, "watching bids")
    party.act()
    assert party.mover() is other
    expect(other.prompt).to_contain_text("you bid last, and the total can’t be 8")
    inspector.look(other, "bidding as the dealer")
    opener.pause.click()
    for who, player in everybody:
        expect(player.bar).to_contain_text("Paused")
        inspector.look(player, f"paused, {who}")
    other.bids.first.check()
    expect(other.confirm).to_have_attribute("aria-disabled", "true")
    other.confirm.click(force=True)
    expect(other.notice).to_contain_text("The table is paused.")
    inspector.look(other, "a line that answers a click")
    opener.resume.click()
    for _who, player in everybody:
        expect(player.bar).not_to_contain_text("Paused")
    party.play_round()
    opener.to_do()
    inspector.look(opener, "round over")
    expect(watcher.bar).to_contain_text("Round over")
    watcher.open_tricks.click()
    expect(watcher.all_hands).to_be_visible()
    inspector.look(watcher, "round over, the hands open")
    opener.ready()
    expect(opener.prompt).to_contain_text("Waiting for the others")
    inspector.look(opener, "round over, ready")
    everybody_plays([friend, opener], "game_over")
    for who, player in everybody:
        expect(player.bar).to_contain_text("Game over")
        inspector.look(player, f"game over, {who}")
    opener.again.click()
    expect(friend.go_to_next).to_be_visible()
    inspector.look(friend, "game over, the next one open")
    expect(opener.bar).to_contain_text("Not started")
    opener.opener.get_by_role("button", name="Close the table").click()
    expect(opener.bar).to_contain_text("Closed")
    inspector.look(opener, "closed")
    inspector.approves()


def test_playing_and_standing_in(watched: Watched, server: Server) -> None:
    """Seat 1 leads; every card shows 1 ball, and only seat 1 has 3 stars."""
    inspector = Inspector()
    hands = [[f"1{pair}1" for pair in IN_PAIRS], [f"1{pair}3" for pair in IN_PAIRS]]
    deals = [{"dealer": 0, "hands": hands}]
    table = open_table(
        server, variant="win", seats=2, people=2, rounds=1, deals=deals, patience=1
    )
    follower, leader = (watched.new_player().open(seat["link"]) for seat in table["seats"])
    watcher = watched.new_player().open(table["watch"]["link"])
    assert leader.to_do() == "lead"
    inspector.look(leader, "leading")
    leader.choose("1113")
    inspector.look(leader, "leading, a card chosen")
    leader.lead("1113")
    expect(follower.prompt).to_contain_text("Play a card with exactly 1 ball.")
    inspector.look(follower, "following")
    follower.follow("1111")
    leader.lead("1123", call=SHAPES.index("star"))
    expect(follower.prompt).to_contain_text("No card with 3 stars")
    inspector.look(follower, "following, void")
    follower.follow("1121")
    expect(watcher.bar).to_contain_text("Trick 3")
    watcher.open_tricks.click()
    expect(watcher.past_trick(2)).to_be_visible()
    inspector.look(watcher, "watching, past tricks with a slough")
    expect(follower.stand_in_for(leader.name)).to_be_visible()
    inspector.look(follower, "one may ask a bot to stand in")
    follower.stand_in_for(leader.name).click()
    expect(leader.take_back).to_be_visible()
    inspector.look(leader, "a bot stands in")
    inspector.approves()

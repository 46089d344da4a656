"""Every page and state of a table as axe, a narrow phone and a thumb find them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, ViewportSize, expect

from tests.e2e.conftest import Watched
from tests.e2e.player import SHAPES, Party, Player
from tests.server import Server

LOOKS: tuple[tuple[Literal["light", "dark"], ViewportSize], ...] = (
    ("light", {"width": 1366, "height": 768}),
    ("dark", {"width": 390, "height": 844}),
)
AXE = {"resultTypes": ["violations"], "rules": {"target-size": {"enabled": True}}}
AXE_SCRIPT = Axe().axe_script
THUMB = 44

# A bar that sticks covers what scrolls beneath it; what it covers is no small target.
LET_GO = """() => {
  for (const bar of document.querySelectorAll(".settled")) bar.style.position = "static";
}"""
TOO_WIDE = """() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  return scrollWidth > clientWidth ? `${scrollWidth} px wide in ${clientWidth}` : "";
}"""
# What a thumb may want to hit: not links within a sentence, and of a hidden radio its label.
AT_THE_TABLE = (
    "main :is(button, .button, summary, select, .lead label, "
    "input:not(.visually-hidden, [type=hidden]))"
)
ON_THE_WAY = "header a"
TOO_LOW = """([selector, thumb]) => Array.from(document.querySelectorAll(selector))
  .filter((element) => element.checkVisibility())
  .map((element) => [element, element.getBoundingClientRect().height])
  .filter(([, height]) => height < thumb)
  .map(([element, height]) => `<${element.localName}> is ${height.toFixed(1)} px high`)"""


class Inspector:
    """Looks at pages as they are; collects what is wrong with them, and in which states."""

    def __init__(self) -> None:
        self.found: dict[str, dict[str, str]] = {}

    def look(self, page: Page | Player, state: str) -> None:
        """Both looks of a page in this state."""
        page = page.page if isinstance(page, Player) else page
        for scheme, size in LOOKS:
            page.set_viewport_size(size)
            page.emulate_media(color_scheme=scheme)
            for wrong, where in self._wrong_with(page):
                self.found.setdefault(wrong, {})[f"{state} ({scheme}, {size['width']} px)"] = (
                    where
                )

    def _wrong_with(self, page: Page) -> Iterator[tuple[str, str]]:
        if page.evaluate("typeof axe === 'undefined'"):  # once a page: reading it takes long
            page.evaluate(AXE_SCRIPT)
        page.evaluate(LET_GO)
        found = page.evaluate("async (options) => (await axe.run(options)).violations", AXE)
        for violation in found:
            nodes = [" ".join(map(str, node["target"])) for node in violation["nodes"]]
            yield f"{violation['id']}: {violation['help']}", ", ".join(nodes)
        if wide := page.evaluate(TOO_WIDE):
            yield "horizontal scroll", wide
        if page.viewport_size == LOOKS[1][1]:
            for low in page.evaluate(TOO_LOW, [AT_THE_TABLE, THUMB]):
                yield f"{low}, less than {THUMB}", ""

    def approves(self) -> None:
        """Fail with all that was found, if anything was."""
        lines = [
            f"{wrong}\n" + "\n".join(f"    {state}  {where}" for state, where in states.items())
            for wrong, states in self.found.items()
        ]
        if lines:
            pytest.fail("\n".join(lines), pytrace=False)


@pytest.fixture
def inspector() -> Inspector:
    return Inspector()


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/", 200),
        ("/play/", 200),
        ("/learn/", 200),
        ("/learn/play/slough/", 200),
        ("/learn/play/slough/?moves=1113,3313", 200),
        ("/learn/play/bid/", 200),
        ("/join/", 200),
        ("/teach/", 200),
        ("/lessons/", 200),
        ("/graphs/", 200),
        ("/device/", 200),
        ("/puzzles/", 200),
        ("/puzzles/all/", 200),
        ("/tables/none/", 404),
    ],
)
def test_pages(watched: Watched, inspector: Inspector, address: str, status: int) -> None:
    watched.expected = ("the server responded with a status of 404",)
    page = watched.new_page()
    response = page.goto(address)
    assert response is not None
    assert response.status == status
    inspector.look(page, address)
    inspector.approves()


def test_text_on_an_accent_is_seen_in_forced_colours(watched: Watched) -> None:
    """The browser lays its own ground behind text, unless the element takes care itself."""
    page = watched.new_page(forced_colors="active")
    page.goto("/")
    check_in_forced_colours(page.get_by_role("link", name="Learn it by playing"))
    page.goto("/play/")
    check_in_forced_colours(page.get_by_role("button", name="Start playing"))
    player = Player(page).open_solo(variant="win", seats="2")
    player.to_do()
    player.choose(player.playable()[0])
    if player.calls.count():
        player.calls.first.press("Space")
    check_in_forced_colours(player.confirm)


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


def test_marks_have_names_and_a_legend_on_touch(watched: Watched) -> None:
    player = watched.new_player(viewport=LOOKS[1][1]).open_solo(variant="win", seats="3")
    dealer = player.seats.filter(has_text="dealer")
    expect(dealer.get_by_text("dealer", exact=True)).to_have_count(1)
    expect(player.seats.filter(has=player.page.get_by_text("bot", exact=True))).to_have_count(2)
    legend = player.page.get_by_text("a trick taken", exact=True)
    expect(legend).to_be_hidden()
    expect(player.page.get_by_text("B", exact=True).first).to_be_hidden()
    player.page.get_by_role("button", name="More", exact=True).click()
    expect(player.page.get_by_text("A full circle is a trick taken.")).to_be_visible()
    player.page.keyboard.press("Escape")
    player.page.set_viewport_size(LOOKS[0][1])
    expect(legend).to_be_visible()


def test_keys_are_listed_only_where_there_are_keys(watched: Watched) -> None:
    phone = {"viewport": LOOKS[1][1], "has_touch": True, "is_mobile": True}
    for options, has_keys in (({"viewport": LOOKS[0][1]}, True), (phone, False)):
        page = watched.new_player(**options).open_solo(variant="bid", seats="3").page
        page.get_by_role("button", name="More", exact=True).click()
        more = page.locator("#sheet-more")
        expect(more.get_by_role("link", name="The rules")).to_be_in_viewport()
        for text in ("Single keys work", "say the whole situation again"):
            expect(more.get_by_text(text)).to_be_visible(visible=has_keys)
    page.keyboard.press("Escape")  # a keyboard after all
    page.get_by_role("button", name="More", exact=True).click()
    expect(more.get_by_text("Single keys work")).to_be_visible()


def test_the_way_around_suits_a_thumb(watched: Watched) -> None:
    page = watched.new_page(viewport=LOOKS[1][1])
    page.goto("/")
    assert page.evaluate(TOO_LOW, [ON_THE_WAY, THUMB]) == []


def test_a_form_with_a_mistake(watched: Watched, inspector: Inspector) -> None:
    watched.expected = ("the server responded with a status of 422",)
    page = watched.new_page()
    page.goto("/play/")
    form = page.get_by_role("region", name="With friends")
    form.get_by_label("Seats").select_option("2")
    form.get_by_label("People").select_option("5")
    form.get_by_role("button", name="Open a table").click()
    error = page.get_by_text("There are more people than seats.")
    expect(error).to_be_visible()
    expect(page.get_by_label("People")).to_have_accessible_description(
        "There are more people than seats."
    )
    inspector.look(page, "a form with a mistake")
    inspector.approves()


def test_waiting(watched: Watched, inspector: Inspector) -> None:
    opener = watched.new_player().open_for_friends(variant="bid", seats="3", people="3")
    link, _ = opener.links()
    friend = watched.new_player().open(link)
    watcher = watched.new_player().open(opener.watch_field.input_value())
    for who, player in (("opener", opener), ("friend", friend), ("watcher", watcher)):
        expect(player.bar).to_contain_text("Not begun yet")
        inspector.look(player, f"waiting, {who}")
    inspector.approves()


def test_bidding_and_paused(watched: Watched, inspector: Inspector) -> None:
    opener = watched.new_player().open_for_friends(variant="bid", seats="2", people="2")
    friend = watched.new_player().open(opener.links()[0])
    watcher = watched.new_player().open(opener.watch_field.input_value())
    party = Party(opener, friend)
    bidder = party.mover()
    assert bidder is not None
    other = friend if bidder is opener else opener
    inspector.look(bidder, "bidding")
    inspector.look(other, "waiting for a bid")
    inspector.look(watcher, "watching bids")
    party.act()
    assert party.mover() is other
    expect(other.prompt).to_contain_text("so you may not bid")
    inspector.look(other, "bidding as the dealer")
    opener.pause.click()
    for who, player in (("opener", opener), ("friend", friend), ("watcher", watcher)):
        expect(player.bar).to_contain_text("Paused")
        inspector.look(player, f"paused, {who}")
    inspector.approves()


def test_playing(
    watched: Watched, inspector: Inspector, server: Server, tmp_path: Path
) -> None:
    """Seat 1 leads; every card shows 1 ball, and only seat 1 has 3 stars."""
    tens = ["11", "12", "13", "21", "22", "23", "31", "32"]
    hands = [[f"1{pair}1" for pair in tens], [f"1{pair}3" for pair in tens]]
    deals = tmp_path / "deals.json"
    deals.write_text(json.dumps([{"dealer": 0, "hands": hands}]), encoding="utf-8")
    table = server.open_table(variant="win", seats=2, people=2, rounds=1, deals=deals)
    follower, leader = (watched.new_player().open(seat["link"]) for seat in table["seats"])
    watcher = watched.new_player().open(table["watch"]["link"])

    assert leader.to_do() == "lead"
    inspector.look(leader, "leading")
    leader.choose("1113")
    inspector.look(leader, "leading, a card chosen")
    leader.lead("1113")
    assert follower.to_do() == "follow"
    expect(follower.prompt).to_contain_text("Play a card with exactly 1 ball.")
    inspector.look(follower, "following")
    inspector.look(leader, "waiting for others")
    follower.follow("1111")
    leader.lead("1123", call=SHAPES.index("star"))
    assert follower.to_do() == "follow"
    expect(follower.prompt).to_contain_text("None of yours has exactly 3 stars.")
    inspector.look(follower, "following, void")
    follower.follow("1121")
    expect(watcher.bar).to_contain_text("Trick 3")
    watcher.open_tricks.click()
    expect(watcher.past_trick(2)).to_be_visible()
    inspector.look(watcher, "watching, past tricks with a slough")
    inspector.approves()


def test_what_the_table_answers(watched: Watched, inspector: Inspector) -> None:
    opener = watched.new_player().open_for_friends(variant="win", seats="2", people="2")
    friend = watched.new_player().open(opener.links()[0])
    leader = Party(opener, friend).play_until("lead")
    opener.steer("pause")
    expect(leader.prompt).to_contain_text("The table is paused.")
    leader.send(leader.playable()[0])
    expect(leader.notice).to_contain_text("The table is paused.")
    inspector.look(leader, "a line that answers a click")
    opener.new_link(friend.name).click()
    expect(friend.connection).not_to_have_text("")
    inspector.look(friend, "shut out")
    inspector.approves()


def test_standing_in(watched: Watched, inspector: Inspector, server: Server) -> None:
    table = server.open_table(variant="bid", seats=2, people=2, patience=1, pace=10)
    one, two = (watched.new_player().open(seat["link"]) for seat in table["seats"])
    slow = Party(one, two).mover()
    other = two if slow is one else one
    assert slow is not None
    expect(other.stand_in_for(slow.name)).to_be_visible()
    inspector.look(other, "one may ask a bot to stand in")
    other.stand_in_for(slow.name).click()
    expect(slow.take_back).to_be_visible()
    inspector.look(slow, "a bot stands in")
    inspector.approves()


def test_a_round_and_a_game_over(watched: Watched, inspector: Inspector) -> None:
    opener = watched.new_player().open_for_friends(
        variant="bid", seats="2", people="2", rounds="2"
    )
    friend = watched.new_player().open(opener.links()[0])
    watcher = watched.new_player().open(opener.watch_field.input_value())
    party = Party(opener, friend)
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
    friend.ready()
    party.play_round()
    for who, player in (("opener", opener), ("watcher", watcher)):
        expect(player.bar).to_contain_text("Game over")
        inspector.look(player, f"game over, {who}")
    opener.again.click()
    expect(friend.go_to_next).to_be_visible()
    inspector.look(friend, "game over, the next one open")
    inspector.approves()


def test_a_closed_table(watched: Watched, inspector: Inspector) -> None:
    opener = watched.new_player().open_for_friends(variant="win", seats="2", people="2")
    friend = watched.new_player().open(opener.links()[0])
    expect(opener.bar).to_contain_text("Round 1")
    opener.opener.get_by_role("button", name="Close the table").click()
    for who, player in (("opener", opener), ("friend", friend)):
        expect(player.bar).to_contain_text("Table closed")
        inspector.look(player, f"closed, {who}")
    inspector.approves()


def test_a_table_of_ten(watched: Watched, inspector: Inspector) -> None:
    """The widest table: ten seats, ten columns of points, ten cards in a trick."""
    player = watched.new_player().open_solo(variant="win", seats="10")
    player.play_on("follow")
    inspector.look(player, "a table of ten, playing")
    player.play_on("next")
    inspector.look(player, "a table of ten, round over")
    inspector.approves()

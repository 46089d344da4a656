"""One person against bots, from the form to the last round."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.e2e.player import CONNECTION_ERRORS, LOST, Player
from tests.scenes.browser import LAPTOP, PHONE, Watched, open_table, two_deals
from tests.server import Server


def check_choices(player: Player, kind: str) -> None:
    """What the page offers is what the rules allow."""
    if kind == "bid":
        others = [bid for bid in player.bids_made()[1:] if bid is not None]
        is_last = len(others) == player.seats.count() - 1
        forbidden = 8 - sum(others) if is_last else None
        offered = [int(choice.input_value()) for choice in player.bids.all()]
        assert offered == [number for number in range(9) if number != forbidden]
    elif kind == "lead":
        assert player.playable() == player.holds()
    elif kind == "follow":
        shape, count = player.called()
        hand = player.holds()
        showing = [card for card in hand if int(card[shape]) == count]
        assert player.playable() == (showing or hand)


def test_a_game_from_the_form_to_the_next_one(watched: Watched) -> None:
    player = watched.new_player().open_solo(variant="bid", seats="4", rounds="2")
    for number in (1, 2):
        expect(player.bar).to_contain_text(f"Round {number} of 2")
        until = "next" if number == 1 else "over"
        player.play_on(until=until, before=lambda kind: check_choices(player, kind))
        sheet = player.sheet()
        assert len(sheet.rounds) == number
        assert sheet.totals == [sum(points) for points in zip(*sheet.rounds, strict=True)]
        if number == 1:
            player.ready()
    names = zip(sheet.names, sheet.totals, strict=True)
    assert player.winners() == {name for name, total in names if total == max(sheet.totals)}
    before = player.page.url
    player.again.click()
    expect(player.page).not_to_have_url(before)
    expect(player.bar).to_contain_text("Round 1 of 2")
    expect(player.scores).to_contain_text("Points appear when a round ends.")


def test_a_struck_bid_says_why_when_it_is_pressed(watched: Watched, server: Server) -> None:
    """By finger and by mouse; it is not chosen."""
    for size, touch in ((PHONE, True), (LAPTOP, False)):
        table = open_table(server, people=1, rounds=1, deals=two_deals(4)[:1])
        page = watched.new_page(viewport=size, has_touch=touch)
        player = Player(page).open(table["seats"][0]["link"])
        struck = page.locator(".choice.forbidden")
        expect(player.notice).to_be_empty()
        if touch:
            struck.tap(force=True)
        else:
            struck.click(force=True)
        number = struck.locator("input").get_attribute("value")
        expect(player.notice).to_have_text(
            f"You can’t bid {number}: you bid last, and the total can’t be 8."
        )
        expect(page.locator("#choices input:checked")).to_have_count(0)


# Which cards of the hand lie in its second row.
SECOND_ROW = """() => {
  const cards = document.querySelector("#hand .cards");
  const all = Array.from(cards.children);
  const below = all.filter((held) => held.offsetTop > all[0].offsetTop + 20);
  return below.map((held) => held.querySelector("[data-card]").dataset.card);
}"""


def test_a_round_by_a_finger_is_never_wider_than_the_phone(watched: Watched) -> None:
    """Its last cards grow; until they lie in one row, none changes rows. A bid is chosen by one
    tap and sent by the next, an only card is up already."""
    page = watched.new_page(viewport=PHONE, has_touch=True, is_mobile=True)
    player = Player(page).open_solo(variant="bid", seats="4", rounds="1")
    player.play_on("bid")
    turn, choice = player.turn(), page.locator(".choice:not(.forbidden)").first
    choice.tap()
    expect(player.confirm).to_be_enabled()
    page.evaluate("Date.now = ((now) => () => now() + 1000)(Date.now)")  # no unsteady hand
    choice.tap()
    player.done(turn)
    below = page.evaluate(SECOND_ROW)
    assert len(below) == 4
    while player.to_do() != "over":
        assert page.evaluate("[innerWidth, document.documentElement.scrollWidth]") == [390, 390]
        assert page.evaluate("document.documentElement.scrollHeight") <= PHONE["height"]
        held = player.holds()
        if len(held) > 4:
            assert page.evaluate(SECOND_ROW) == [code for code in below if code in held]
        assert player.confirm.is_enabled() is (player.follows.count() == 1)
        player.act()


OUT_OF_SIGHT = """sheet => {
  const cells = Array.from(sheet.querySelectorAll("th[scope=row], td.total"));
  return cells.filter((cell) => {
    const box = cell.getBoundingClientRect();
    const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return box.left < 0 || box.right > innerWidth || !(top === cell || cell.contains(top));
  }).length;
}"""


def test_the_end_of_eight_rounds(watched: Watched, server: Server) -> None:
    """The result needs no scrolling; name and total stay in sight however far the rounds are
    scrolled; my row is marked, in the table and in the running line."""
    played = "for n in range(4): seats.open_seat(table_id=table, seat=n)\nfinish(table)"
    table = open_table(server, played=played)
    player = watched.new_player().open(table["seats"][0]["link"])
    page = player.page
    for size in (PHONE, LAPTOP):
        page.set_viewport_size(size)
        expect(player.result).to_be_visible()
        for way in ("Height", "Width"):
            over = f"e => e.scroll{way} - e.client{way}"
            assert player.result.evaluate(over) <= 0, (size, way)
        page.get_by_role("button", name="Scores", exact=True).click()
        expect(player.scores.locator(".scroll")).to_be_visible()
        player.scores.locator(".scroll").evaluate("e => (e.scrollLeft = e.scrollWidth)")
        assert player.scores.evaluate(OUT_OF_SIGHT) == 0, size
        expect(player.scores.locator("tr.me th")).to_contain_text("You")
        expect(player.scores.locator("g.me text")).to_contain_text("You")
        page.keyboard.press("Escape")


def test_the_server_is_killed_in_mid_game(watched: Watched, server: Server) -> None:
    """The page comes back by itself, with every move that was made, and the game goes on."""
    watched.expected = CONNECTION_ERRORS
    player = watched.new_player().open_solo(variant="win", seats="3")
    player.play_on("follow")
    player.act()
    player.to_do()
    hand, sentence = player.hand.inner_html(), player.prompt.inner_text()
    place = player.hand.bounding_box()
    server.kill()
    expect(player.connection).to_contain_text(LOST)
    assert player.hand.bounding_box() == place, "the banner pushed the hand away"
    server.start()
    expect(player.connection).to_have_text("")
    assert player.hand.inner_html() == hand
    assert player.prompt.inner_text() == sentence
    player.play_on("next")
    assert sum(player.sheet().rounds[0]) == 8

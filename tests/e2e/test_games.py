"""One person against bots, from the form to the last round."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import IS_LONG, Watched
from tests.e2e.player import CONNECTION_ERRORS, LOST, Player
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
        if showing:
            sentence = "Play a card with exactly"
        elif len(hand) > 1:
            sentence = "Play any."
        else:
            sentence = "Your last card cannot win."
        expect(player.prompt).to_contain_text(sentence)


OUT_OF_SIGHT = """sheet => {
  const cells = Array.from(sheet.querySelectorAll("th[scope=row], td.total"));
  return cells.filter((cell) => {
    const box = cell.getBoundingClientRect();
    const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return box.left < 0 || box.right > innerWidth || !(top === cell || cell.contains(top));
  }).length;
}"""


def check_the_end(player: Player) -> None:
    """The result needs no scrolling; name and total stay in sight however far the rounds are
    scrolled; my row is marked, in the table and in the running line."""
    page = player.page
    for width, height in ((390, 844), (1366, 768)):
        page.set_viewport_size({"width": width, "height": height})
        expect(player.result).to_be_visible()
        assert player.result.evaluate("e => e.scrollHeight - e.clientHeight") <= 0, width
        assert player.result.evaluate("e => e.scrollWidth - e.clientWidth") <= 0, width
        page.get_by_role("button", name="Scores", exact=True).click()
        player.scores.locator(".scroll").evaluate("e => (e.scrollLeft = e.scrollWidth)")
        assert player.scores.evaluate(OUT_OF_SIGHT) == 0, width
        expect(player.scores.locator("tr.me th")).to_contain_text("You")
        expect(player.scores.locator("g.me text")).to_contain_text("You")
        page.keyboard.press("Escape")


@pytest.mark.parametrize(
    ("variant", "seats", "rounds"),
    [("win", 3, 8 if IS_LONG else 3), ("lose", 6, 8 if IS_LONG else 2), ("bid", 4, 8)],
)
def test_a_whole_game(watched: Watched, variant: str, seats: int, rounds: int) -> None:
    player = watched.new_player().open_solo(
        variant=variant, seats=str(seats), rounds=str(rounds)
    )
    expect(player.seats).to_have_count(seats)
    for number in range(1, rounds + 1):
        expect(player.bar).to_contain_text(f"Round {number} of {rounds}")
        player.play_on(
            until="next" if number < rounds else "over",
            before=lambda kind: check_choices(player, kind),
        )
        sheet = player.sheet()
        assert len(sheet.rounds) == number
        assert sheet.totals == [sum(points) for points in zip(*sheet.rounds, strict=True)]
        if variant != "bid":
            assert sum(sheet.rounds[-1]) == 8
        if number < rounds:
            player.ready()

    best = (min if variant == "lose" else max)(sheet.totals)
    names = zip(sheet.names, sheet.totals, strict=True)
    assert player.winners() == {name for name, total in names if total == best}

    if seats == 4:
        check_the_end(player)
    before = player.page.url
    player.again.click()
    expect(player.page).not_to_have_url(before)
    expect(player.bar).to_contain_text(f"Round 1 of {rounds}")
    expect(player.seats).to_have_count(seats)
    player.act()
    expect(player.scores).to_contain_text("Points appear when a round ends.")


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
    expect(player.connection).to_have_text("", timeout=15_000)
    assert player.hand.inner_html() == hand
    assert player.prompt.inner_text() == sentence
    player.play_on("next")
    assert sum(player.sheet().rounds[0]) == 8

"""A finished round again, in the browser: by keys and slider, by itself, without scripts."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.player import Player, everybody_plays
from tests.scenes.browser import PHONE, Inspector, Watched, follow

PARTS = [".board", "#moment", "#said", ".steps"]
PLACES = """parts => parts.map((part) => {
  const { top, bottom } = document.querySelector(part).getBoundingClientRect();
  return [part, top, bottom];
})"""
"""In one look: the next picture may come between two."""


def a_replay(watched: Watched, seats: int = 4, rounds: int = 1, **options: object) -> Page:
    """The replay of a round just played, as it is reached from the table."""
    player = watched.new_player(**options)
    player.open_solo(variant="bid", seats=str(seats), rounds=str(rounds))
    everybody_plays([player], "game_over")
    player.page.get_by_role("link", name="Look back").click()
    player.page.get_by_role("link", name="See it again").click()
    expect(player.page).to_have_url(re.compile("/positions/"))
    expect(player.page.locator("#run")).to_be_visible()  # shown by the script that hears keys
    expect(player.page.locator("#said")).to_have_text(re.compile("leads? "))
    player.page.keyboard.press("Home")
    expect(player.page.locator("#said")).to_have_text(re.compile("The cards are dealt"))
    return player.page


def to_my_turn(page: Page) -> None:
    """From where it stands on to the next moment at which I have the turn."""
    slider = page.get_by_role("slider", name="Moment of the round")
    while page.locator("#seats .mine .turn").count() == 0:
        moment = int(slider.input_value())
        page.keyboard.press("ArrowRight")
        expect(slider).to_have_value(str(moment + 1))


def test_keys_slider_and_buttons_step_through_it(watched: Watched) -> None:
    page = a_replay(watched)
    said, log = page.locator("#said"), page.get_by_role("log")
    slider = page.get_by_role("slider", name="Moment of the round")
    expect(said).to_have_text(re.compile("The cards are dealt"))
    page.keyboard.press("ArrowRight")
    expect(said).to_have_text(re.compile(r"bids? \d"))
    expect(log).to_contain_text(said.text_content() or "nothing")
    page.keyboard.press("ArrowDown")
    expect(page).to_have_url(re.compile("at=4"))
    expect(page.locator("#bar")).to_contain_text("Trick 1 of 8")
    page.keyboard.press("End")
    expect(said).to_have_text(re.compile("points?"))
    expect(slider).to_have_value("36")
    page.keyboard.press("ArrowLeft")
    expect(slider).to_have_value("35")
    slider.focus()
    for key, moment in {"ArrowLeft": "34", "ArrowUp": "32", "Home": "0"}.items():
        slider.press(key)
        expect(slider).to_have_value(moment)
        expect(slider).to_be_focused()
    on = page.get_by_role("link", name="A card on")
    for moment in ("1", "2"):
        on.press("Enter")
        expect(slider).to_have_value(moment)
        expect(on).to_be_focused()
    slider.fill("20")
    expect(page).to_have_url(re.compile("at=20"))
    heard = log.locator("p").all_text_contents()
    assert len(heard) == 11
    assert heard[-1] == said.text_content()
    page.reload()
    expect(slider).to_have_value("20")
    page.keyboard.press("r")
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    expect(slider).to_have_value(re.compile("2[2-9]|3."))
    page.keyboard.press("r")
    expect(page.get_by_role("button", name="Run")).to_be_visible()
    expect(page.locator("#chances circle")).to_have_count(9)
    page.get_by_role("button", name="Open all hands").click()
    expect(page.locator("#open-hands")).to_contain_text("Nobody at the table could see this")
    page.keyboard.press("End")
    expect(page.locator("#open-hands .card")).to_have_count(81 - 32)
    cells = page.locator(".cells a")
    tricks = cells.first.locator("b").text_content()
    cells.first.click()
    expect(page.locator(".way")).to_contain_text(f"to take {tricks}, against players")
    page.wait_for_load_state()  # its keys are there
    page.keyboard.press("End")
    expect(page.locator(".mine .taken")).to_contain_text(f"took {tricks}")
    page.get_by_role("link", name="As it was played").click()
    expect(page.locator(".way")).to_have_count(0)
    page.wait_for_load_state()
    page.keyboard.press("Home")
    expect(slider).to_have_value("0")
    to_my_turn(page)
    page.get_by_role("button", name="Deal it again 10,000 times").click()
    expect(page.locator("#again")).to_contain_text("In 10,000 deals")
    expect(page.locator("#again svg")).to_have_count(2)
    page.get_by_role("button", name="Try it; bots finish").click()
    expect(page.locator(".way")).to_contain_text("bots to the end")


def test_without_scripts_it_is_led_by_links(watched: Watched) -> None:
    page = a_replay(watched, seats=2, rounds=2)
    crown = page.locator(".mark.ahead svg").first.bounding_box()
    assert crown
    assert crown["height"] < 30
    bare = watched.new_context(java_script_enabled=False)
    bare.add_cookies(page.context.cookies())  # type: ignore[arg-type]
    page = bare.new_page()
    page.goto("/mine/")
    page.get_by_role("link", name="Round 1", exact=True).click()
    page.get_by_role("link", name="To the deal").click()
    page.get_by_role("link", name="A trick on").click()
    page.get_by_role("link", name="A card on").click()
    expect(page).to_have_url(re.compile("at=3"))
    expect(page.locator("#said")).to_have_text(re.compile("leads? "))
    page.get_by_role("link", name="Chances").click()
    expect(page.get_by_text("Trick 8:")).to_be_attached()


@pytest.mark.parametrize("seats", [4, 10])
def test_on_a_phone_board_slider_and_sentence_are_seen_at_once(
    watched: Watched, seats: int
) -> None:
    page = a_replay(watched, seats=seats, viewport=PHONE)
    expect(page.locator("#chances circle")).to_have_count(9)
    for moment in ("Home", "ArrowDown", "ArrowRight", "End"):
        page.keyboard.press(moment)
        for part, top, bottom in page.evaluate(PLACES, PARTS):
            assert top >= 0
            assert bottom <= PHONE["height"], part
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


def test_whoever_cannot_see_or_aim_finds_all_of_it(watched: Watched) -> None:
    inspector, page = Inspector(), a_replay(watched)
    expect(page.locator("#chances circle")).to_have_count(9)
    expect(page.locator(".cells li")).to_have_count(9)
    page.get_by_text("What each card left possible").click()
    inspector.look(page, "the deal")
    page.keyboard.press("End")
    page.get_by_role("button", name="Open all hands").click()
    expect(page.locator("#open-hands")).to_contain_text("Nobody at the table could see this")
    page.wait_for_load_state()
    inspector.look(page, "open")
    page.keyboard.press("Home")
    to_my_turn(page)
    page.get_by_role("button", name="Deal it again 10,000 times").click()
    expect(page.locator("#again svg")).to_have_count(2)
    inspector.look(page, "dealt again")
    page.goto("/mine/")
    inspector.look(page, "my games")
    follow(page.get_by_role("link", name="Play it again"))
    inspector.look(page, "the same board again")
    inspector.approves()


def test_a_study_table_is_played_to_its_end_and_leads_back(watched: Watched) -> None:
    page = a_replay(watched, seats=3)
    page.keyboard.press("End")
    slider = page.get_by_role("slider", name="Moment of the round")
    expect(slider).to_have_value("27")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(slider).to_have_value("21")
    expect(page.locator("#goes-on input[name=at]").first).to_have_value("21")
    page.get_by_role("button", name="Play on from here").click()
    player = Player(page)
    expect(player.bar).to_contain_text("Trick 7 of 8")
    expect(player.prompt).to_contain_text("It doesn’t count")
    everybody_plays([player], "game_over")
    expect(player.again).to_have_count(0)
    player.prompt.get_by_role("link", name="Back to the replay").click()
    expect(slider).to_have_value("21")


def test_a_turn_is_tried_again_by_keyboard(watched: Watched) -> None:
    """Of two, who bids the first number there is, 0 or 1, has a turn to try again."""
    inspector = Inspector()
    player = watched.new_player().open_solo(variant="bid", seats="2", rounds="1")
    everybody_plays([player], "game_over")
    page = player.page
    page.get_by_role("link", name="Look back").press("Enter")
    page.get_by_role("link", name="Better moves").press("Enter")
    asked, told = page.locator("#asked"), page.locator("#verdict")
    expect(asked).to_be_visible()
    for _turn in range(5):
        page.wait_for_load_state()
        if not asked.count():
            break
        kind = "lead" if page.locator("input[name=card]").count() else "other"
        inspector.look(page, kind)
        if kind == "lead":
            page.get_by_role("radio").first.press("Space")
            inspector.look(page, "a card chosen")
            page.keyboard.press("Tab")
            expect(page.locator("button[name=move]:visible").first).to_be_focused()
        page.locator("button[name=move]:visible").first.press("Enter")
        solution = page.get_by_role("link", name="Show me the solution")
        expect(told.or_(solution)).to_be_visible()
        if solution.count():
            inspector.look(page, "asked once more")
            solution.click()  # nothing lies over it
        expect(told).to_have_text(re.compile("Yes|Not this time"))
        page.get_by_text("Why", exact=True).press("Enter")
        inspector.look(page, "told")
        seen = page.url
        page.get_by_role("link", name="Go on").press("Enter")
        expect(page).not_to_have_url(seen)
        expect(asked.or_(page.locator("h1:not(.visually-hidden)"))).to_be_visible()
    else:
        page.goto("/lessons/slips/")
    assert "/lessons/slips/" in page.url
    inspector.look(page, "the list")
    inspector.approves()

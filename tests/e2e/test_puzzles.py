"""A puzzle is answered on the table's own board, with the hand."""

from __future__ import annotations

from datetime import timedelta

import pytest
from playwright.sync_api import Page, expect

from games.analysis.puzzles import Kind
from games.study.puzzles.daily import Daily, daily_of, today
from tests.scenes.browser import LAPTOP, PHONE, Inspector, Watched


def latest(kind: Kind) -> Daily:
    """The latest puzzle of a kind that anybody may see."""
    days = (today() - timedelta(days=k) for k in range(60))
    return next(daily for daily in map(daily_of, days) if daily.puzzle.kind is kind)


def answer(page: Page, text: str) -> None:
    """Play, or bid, what this answer says."""
    card, _, call = text.partition(":")
    if not call:
        page.locator(f"#bid-{card}").check()
        page.get_by_role("button", name=f"Bid {card}").click()
        return
    page.locator(f"#card-{card}").check()
    page.locator(f".choice:has(#call-{call})").click()  # which plays it


@pytest.mark.parametrize("kind", [Kind.LEAD, Kind.BID, Kind.LAST])
def test_a_wrong_answer_says_why_and_the_right_one_is_shown(
    watched: Watched, kind: Kind
) -> None:
    inspector, daily = Inspector(), latest(kind)
    wrong = next(each for each in daily.puzzle.choices if each != daily.puzzle.answer)
    page = watched.new_page(viewport=PHONE)
    page.goto(f"/puzzles/{daily.day}/")
    inspector.look(page, f"a puzzle: {kind}")
    answer(page, wrong)
    expect(page.locator("#verdict")).to_contain_text("Not ")
    expect(page.locator(".board")).to_be_in_viewport()
    answer(page, daily.puzzle.answer)
    expect(page.locator("#verdict")).to_contain_text("Yes: ")
    inspector.look(page, f"a puzzle solved: {kind}")
    page.get_by_role("link", name="See it played").click()
    expect(page.locator("#said")).to_be_visible()
    inspector.approves()


def test_a_wrong_answer_is_played_out_and_any_press_brings_all_back(watched: Watched) -> None:
    daily = latest(Kind.LAST)
    wrong = next(each for each in daily.puzzle.choices if each != daily.puzzle.answer)
    page = watched.new_page(viewport=PHONE, reduced_motion="no-preference")
    page.goto(f"/puzzles/{daily.day}/")
    answer(page, wrong)
    expect(page.locator("#slot-0 .card")).to_be_visible()
    page.keyboard.press("Shift")
    expect(page.locator(".board .slot .card >> visible=true")).to_have_count(0)
    expect(page.locator("#hand .held >> visible=true")).to_have_count(3)
    answer(page, daily.puzzle.answer)
    expect(page.locator("#verdict")).to_contain_text("Yes: ")


def test_who_can_hold_it_is_answered_beside_the_board(watched: Watched) -> None:
    daily = latest(Kind.HOLD)
    page = watched.new_page(viewport=LAPTOP)
    page.goto(f"/puzzles/{daily.day}/")
    page.locator(f".puzzle-answer [value='{daily.puzzle.answer}']").check()
    page.get_by_role("button", name="That is my answer").click()
    expect(page.locator("#verdict")).to_contain_text("Yes: ")


def test_without_scripts_the_answers_are_a_list(watched: Watched) -> None:
    daily = latest(Kind.LEAD)
    page = watched.new_page(viewport=PHONE, java_script_enabled=False)
    page.goto(f"/puzzles/{daily.day}/")
    page.locator(f".puzzle-answer [value='{daily.puzzle.answer}']").check()
    page.get_by_role("button", name="That is my answer").click()
    expect(page.locator("#verdict")).to_contain_text("Yes: ")

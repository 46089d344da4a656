"""A puzzle is answered on the table's own board, with the hand."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from games.analysis.puzzles import NOBODY, Kind
from games.analysis.puzzles.proofs import sloughs
from games.rules import move_text
from games.study.puzzles.daily import Daily, daily_of, played_line, today
from games.study.puzzles.words import (
    has_more_to_choose,
    proving_trick,
    trick_against,
    tricks_to_see,
)
from tests.scenes.browser import LAPTOP, PHONE, SCREEN, SMALL_PHONE, Inspector, Watched, follow

TABLET: ViewportSize = {"width": 768, "height": 1024}


# Of cards that lie open, what may be called and names, once nothing moves: the pairs of which
# one lies on another, and what is over the board's rim.
NOT_APART = """async () => {
  const isOnItsWay = (each) => Number.isFinite(each.effect.getComputedTiming().endTime);
  do await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  while (document.getAnimations().some(isOnItsWay));
  const parts = Array.from(document.querySelectorAll(
    ".open-hand .card, .seats .slot .card, .board .seat, .board .choice:not([hidden])"
    )).filter((part) => getComputedStyle(part).visibility === "visible");
  const inner = document.querySelector("#seats").parentElement.getBoundingClientRect();
  const boxes = parts.map((part) => part.getBoundingClientRect());
  const lies = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  const told = (k) => parts[k].getAttribute("aria-label") ?? parts[k].textContent.trim();
  const pairs = boxes.flatMap((a, j) => boxes.slice(0, j).flatMap((b, k) =>
    lies(a, b) ? [`${told(j)} / ${told(k)}`] : []));
  const over = boxes.flatMap((a, k) => a.left < inner.left || a.right > inner.right
    || a.top < inner.top || a.bottom > inner.bottom ? [told(k)] : []);
  return [...pairs, ...over];
}"""


def latest(kind: Kind, seats: int | None = None) -> Daily:
    """The latest puzzle of a kind that anybody may see."""
    days = map(daily_of, (today() - timedelta(days=k) for k in range(1, 200)))
    return next(
        daily
        for daily in days
        if daily.puzzle.kind is kind and seats in {None, daily.puzzle.observation.seats}
    )


def answer(page: Page, text: str) -> None:
    """Play, or bid, what this answer says."""
    card, _, call = text.partition(":")
    if not call:
        page.locator(f"#bid-{card}").check()
        follow(page.get_by_role("button", name=f"Bid {card}"))
        return
    page.locator(f"#card-{card}").check()
    follow(page.locator(f".choice:has(#call-{call})"))  # which plays it


@pytest.mark.parametrize("kind", [Kind.LEAD, Kind.BID, Kind.LAST])
def test_a_wrong_answer_says_why_and_the_right_one_is_shown(
    watched: Watched, kind: Kind
) -> None:
    inspector, daily = Inspector(), latest(kind)
    wrong = [each for each in daily.puzzle.choices if each != daily.puzzle.answer]
    page = watched.new_page(viewport=PHONE)
    page.clock.install()
    page.goto(f"/puzzles/{daily.day}/")
    inspector.look(page, f"a puzzle: {kind}")
    for each in wrong[:2]:
        answer(page, each)
        expect(page.locator("#verdict")).to_contain_text("Not ")
        expect(page.locator(".board")).to_be_in_viewport()
    expect(page.locator(".choice.tried")).to_have_count(2 if kind is Kind.BID else 0)
    expect(page.locator(".bid-bars .tried rect")).to_have_count(2 if kind is Kind.BID else 0)
    leads = {each[:4] for each in wrong[:2]} if kind is Kind.LEAD else ()
    expect(page.locator(".held[data-beaten-by]")).to_have_count(len(leads))
    expect(page.locator(".tries i")).to_have_count(3 if leads else 0)
    answer(page, daily.puzzle.answer)
    expect(page.locator("#verdict")).to_contain_text("Yes: ")
    inspector.look(page, f"a puzzle solved: {kind}")
    page.clock.pause_at(datetime.now(UTC) + timedelta(seconds=5))  # then by this test alone
    page.get_by_role("link", name="See it played").click()
    while " take" not in page.locator("#question-title").inner_text():
        page.clock.run_for(50)
    expect(page.locator(".playing-out .slot.winning")).to_be_visible()
    page.keyboard.press("Shift")
    expect(page.locator("#question-title")).not_to_contain_text("takes")
    expect(page).to_have_url(re.compile("#verdict$"))
    inspector.approves()


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_open_hands_lie_before_their_seats(watched: Watched, seats: int) -> None:
    daily = latest(Kind.LAST, seats)
    page = watched.new_page()
    page.goto(f"/puzzles/{daily.day}/")
    expect(page.locator(".open-hand .card")).to_have_count(3 * (seats - 1))
    page.locator("#hand input[name=card]").first.check()
    for size in (SMALL_PHONE, PHONE, TABLET, LAPTOP, SCREEN):
        page.set_viewport_size(size)
        assert page.evaluate(NOT_APART) == [], size


def test_a_wrong_answer_is_played_out_and_any_press_brings_all_back(watched: Watched) -> None:
    daily = latest(Kind.LAST)
    wrong = next(each for each in daily.puzzle.choices if each != daily.puzzle.answer)
    page = watched.new_page(viewport=PHONE, reduced_motion="no-preference")
    page.clock.install()
    page.goto(f"/puzzles/{daily.day}/")
    page.clock.pause_at(datetime.now(UTC) + timedelta(seconds=5))  # it lies until the press
    answer(page, wrong)
    expect(page.locator("#slot-0 .card")).to_be_visible()
    page.keyboard.press("Shift")
    expect(page.locator(".board .slot .card >> visible=true")).to_have_count(0)
    expect(page.locator("#hand .held >> visible=true")).to_have_count(3)
    answer(page, daily.puzzle.answer)
    expect(page.locator("#verdict")).to_contain_text("Yes: ")


def test_the_last_tricks_are_played_to_their_end(watched: Watched) -> None:
    inspector, days = Inspector(), (today() - timedelta(days=k) for k in range(1, 200))
    lasts = (each for each in map(daily_of, days) if each.puzzle.kind is Kind.LAST)
    daily = next(each for each in lasts if has_more_to_choose(each.number))
    page = watched.new_page(viewport=PHONE, reduced_motion="no-preference")
    page.goto(f"/puzzles/{daily.day}/")
    answer(page, daily.puzzle.answer)
    page.get_by_role("link", name="Play on").click()
    own = [daily.puzzle.answer]
    while not (now := played_line(daily.number, tuple(own)).rounds[-1]).is_over:
        expect(page).to_have_url(re.compile(f"(own=[^&]+&?){{{len(own)}}}$"))
        page.wait_for_load_state()
        assert page.evaluate(NOT_APART) == []
        own.append(move_text(now.legal_moves()[0]))
        card, _, call = own[-1].partition(":")
        page.locator(f"#card-{card}").press("Space")
        if call:
            page.locator(f".choice:has(#call-{call})").click()
        else:
            page.locator(f"#card-{card}").press("Enter")
    expect(page.locator("#question-title")).to_contain_text("You bid ")
    inspector.look(page, "the end of a puzzle")
    inspector.approves()


def test_who_can_hold_it_is_answered_beside_the_board(watched: Watched) -> None:
    daily = latest(Kind.HOLD, 5)
    page = watched.new_page(viewport=SMALL_PHONE)
    page.goto(f"/puzzles/{daily.day}/")
    top, title = (page.locator(f".top > .{each}").bounding_box() for each in ("home", "bar"))
    assert top is not None
    assert title is not None
    assert title["y"] >= top["y"] + top["height"]  # a row of its own
    page.set_viewport_size(PHONE)
    expect(page.locator(".puzzle-answer")).to_be_in_viewport(ratio=1)
    tiles = [each.bounding_box() for each in page.locator(".puzzle-answer .choice").all()]
    assert len({round(each["width"]) for each in tiles if each}) == 1
    asked = page.locator(".asked-card .card").bounding_box()
    assert asked is not None
    assert all(each and each["height"] >= asked["height"] for each in tiles)
    board = page.locator(".board").bounding_box()
    keys, tricks = page.locator(".trick-keys a"), daily.puzzle.now.tricks
    expect(keys.last).to_have_attribute("aria-current", "step")
    keys.nth(1).click()  # which lays the trick on the board
    for seat, card in tricks[1].plays:
        expect(page.locator(f"#slot-{seat} [data-card='{card.code}']")).to_be_visible()
    wrong = next(
        each for each in daily.puzzle.choices if each not in {daily.puzzle.answer, "nobody"}
    )
    shown = trick_against(daily.puzzle, wrong)
    follow(page.locator(f".puzzle-answer [value='{wrong}']"))
    expect(keys.nth(shown - 1)).to_have_attribute("aria-current", "step")
    expect(page.locator(f"#slot-{wrong}.rules-out .note")).to_have_text("didn’t follow")
    expect(page.locator("#prompt > .aside")).to_be_in_viewport(ratio=1)  # the rule it breaks
    expect(page.locator(".puzzle-answer")).to_be_in_viewport(ratio=1)
    after = page.locator(".board").bounding_box()
    assert board is not None
    assert after is not None
    assert abs(board["height"] - after["height"]) < 8
    page.set_viewport_size(LAPTOP)
    expect(page.locator(".puzzle-answer")).to_be_in_viewport(ratio=1)
    assert page.locator(".order:has(.led)").evaluate(
        """(badge) => {
          const card = badge.closest(".slot").querySelector(".card").getBoundingClientRect();
          return badge.getBoundingClientRect().left > card.left + card.width / 2;
        }"""
    )  # off its number
    page.locator(f".puzzle-answer [value='{daily.puzzle.answer}']").click()
    expect(page.locator("#verdict")).to_contain_text("Yes: ")
    expect(page.locator(".seat.holds")).to_have_count(int(daily.puzzle.answer != "nobody"))
    proof = proving_trick(daily.puzzle)
    expect(keys.nth(proof - 1)).to_have_attribute("aria-current", "step")
    proved = [each for each in sloughs(daily.puzzle) if each.trick == proof]
    expect(page.locator(".slot.rules-out")).to_have_count(len(proved))
    page.set_viewport_size(PHONE)
    expect(page.locator(".in-a-row")).to_be_in_viewport(ratio=1)


def test_of_the_trick_that_lies_there_it_is_said_who_did_not_follow(watched: Watched) -> None:
    holds = (daily_of(today() - timedelta(days=k)) for k in range(1, 200))
    daily, wrong = next(
        (each, str(proof.seat))
        for each in holds
        if each.puzzle.kind is Kind.HOLD
        for proof in sloughs(each.puzzle)
        if proof.trick == len(each.puzzle.now.tricks)
    )
    page = watched.new_page(viewport=LAPTOP)
    page.goto(f"/puzzles/{daily.day}/")
    follow(page.locator(f".puzzle-answer [value='{wrong}']"))
    note = page.locator(f"#slot-{wrong}.rules-out .note")
    expect(note).to_have_text("didn’t follow")
    for size in (LAPTOP, PHONE):
        page.set_viewport_size(size)
        words = note.bounding_box()
        assert words is not None
        assert words["height"] > 9


def test_what_is_played_of_who_can_hold_it_has_its_keys(watched: Watched) -> None:
    daily = latest(Kind.HOLD)
    while daily.puzzle.answer == NOBODY:
        daily = daily_of(daily.day - timedelta(days=1))
        while daily.puzzle.kind is not Kind.HOLD:
            daily = daily_of(daily.day - timedelta(days=1))
    page = watched.new_page(viewport=PHONE)
    page.clock.install()
    page.goto(f"/puzzles/{daily.day}/")
    page.locator(f".puzzle-answer [value='{daily.puzzle.answer}']").click()
    expect(page.locator("#verdict")).to_contain_text("Yes: ")
    now = page.locator(".trick-keys [aria-current]").inner_text()
    page.clock.pause_at(datetime.now(UTC) + timedelta(seconds=5))  # then by this test alone
    page.get_by_role("link", name="See it played").click()
    for trick, said in tricks_to_see(daily.number):
        title = page.locator("#question-title")
        for _step in range(200):
            if title.inner_text() == said:
                break
            page.clock.run_for(50)
        expect(title).to_have_text(said)
        number = daily.puzzle.now.tricks.index(trick) + 1
        key = page.locator(".trick-keys [aria-current]")
        expect(key).to_have_attribute("href", f"#trick-{number}")
        for seat, card in trick.plays:
            expect(page.locator(f"#slot-{seat} [data-card='{card.code}']")).to_be_visible()
    page.keyboard.press("Shift")
    expect(page.locator(".trick-keys [aria-current]")).to_have_text(now)


def test_a_wrong_lead_to_a_solved_puzzle_leaves_its_page_at_work(watched: Watched) -> None:
    daily = latest(Kind.LEAD)
    wrong = next(each for each in daily.puzzle.choices if each != daily.puzzle.answer)
    context = watched.new_context(viewport=PHONE)
    one, other = context.new_page(), context.new_page()
    for page in (one, other):
        page.goto(f"/puzzles/{daily.day}/")
    answer(one, daily.puzzle.answer)
    answer(other, wrong)
    expect(other.locator("#see-played")).to_be_visible()


def test_without_scripts_the_answers_are_a_list(watched: Watched) -> None:
    daily = latest(Kind.LEAD)
    page = watched.new_page(viewport=PHONE, java_script_enabled=False)
    page.goto(f"/puzzles/{daily.day}/")
    page.locator(f".puzzle-answer [value='{daily.puzzle.answer}']").check()
    page.get_by_role("button", name="That’s my answer").click()
    expect(page.locator("#verdict")).to_contain_text("Yes: ")

"""Questions in a real browser: practice, beside the table, before a whole class, in French."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.e2e.conftest import IS_LONG, Watched
from tests.e2e.player import SHAPES
from tests.e2e.test_access import Inspector
from tests.e2e.test_cockpit import as_teacher, open_session
from tests.server import Server

PHONE = {"width": 390, "height": 844}
CARDS_OF_VALUE = {4: 1, 5: 4, 6: 10, 7: 16, 8: 19, 9: 16, 10: 10, 11: 4, 12: 1}
ON_THE_WIRE = """() => new Promise((resolve) => {
  const address = document.getElementById("table").getAttribute("ws-connect");
  const socket = new WebSocket(`${address.replace("http", "ws")}&format=json`);
  socket.onmessage = (message) => { socket.close(); resolve(JSON.parse(message.data)); };
})"""
"""What the server tells a program that plays this seat."""


def question(page: Page) -> Locator:
    return page.locator(".question")


def verdict(page: Page) -> Locator:
    return page.locator(".question .verdict")


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


# At the table.


def answers_for(hand: list[str], seats: int, prompt: str) -> dict[str, str]:
    """The right answer to a question about these cards, worked out from its words alone."""
    values = [sum(map(int, code)) for code in hand]
    if match := re.search(r"shows (\d) (ball|cube|cone|star)", prompt):
        place = SHAPES.index(match[2])
        held = sum(code[place] == match[1] for code in hand)
        return {"chance": str(Fraction(27 - held, 73))}
    match = re.search(r"card of value (\d+) or more", prompt)
    assert match is not None, prompt
    least = int(match[1])
    good = sum(cards for value, cards in CARDS_OF_VALUE.items() if value >= least)
    mean = Fraction(8 * good, 81)
    return {
        "own": str(sum(value >= least for value in values)),
        "mean": str(mean),
        "total": str(seats * mean),
        "fit": "over" if seats * mean > 8 else "under",
    }


@pytest.mark.parametrize("size", [None, PHONE], ids=["laptop", "phone"])
def test_a_question_on_the_hand_just_dealt(
    watched: Watched, size: dict[str, int] | None
) -> None:
    inspector = Inspector()
    player = watched.new_player(viewport=size or {"width": 1366, "height": 768})
    player.open_solo(variant="bid", seats="4", rounds="2")
    page = player.page
    expect(player.bids.first).to_be_visible()
    dealt = page.evaluate(ON_THE_WIRE)
    assert sorted(dealt["hand"]) == sorted(player.holds())
    button(page, "Question").click()
    sheet = page.locator("#sheet-question")
    expect(sheet).to_be_visible()
    # How sure are you? By keyboard; then it is locked.
    page.locator("#w1").focus()
    for _press in range(3):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    expect(page.locator("output[for=w1]")).to_have_text("75 %")
    if size is None:
        inspector.look(page, "a forecast")
        page.set_viewport_size({"width": 1366, "height": 768})
    button(page, "Keep my forecast").click()
    expect(page.locator("#made-title")).to_be_visible()
    expect(page.locator(".forecast-made")).to_contain_text("75 %")
    button(page, "Ask me").click()
    expect(question(page)).to_be_visible()
    expect(page.locator("body")).to_have_attribute("data-question", "open")
    drawn = (
        question(page)
        .locator("[data-card]")
        .evaluate_all("cards => cards.map((card) => card.dataset.card)")
    )
    prompt = question(page).locator(".question-prompt").inner_text()
    if "forecast" in prompt:  # the best bid from the bars just raised
        pytest.skip("the one question in many that is not about the cards")
    assert sorted(drawn) == sorted(dealt["hand"])
    right = answers_for(dealt["hand"], dealt["seats"], prompt)
    # Half an answer, and the game goes on meanwhile: by a click, and by what is pushed.
    field = question(page).locator("input[type=text]").first
    field.fill("0.98")
    player.bid(int(player.bids.first.input_value()))
    expect(player.follows.or_(player.leads).first).to_be_visible()
    expect(field).to_have_value("0.98")
    field.focus()
    if size is None:  # a card is played, and others answer it
        player.act()
    expect(field).to_have_value("0.98")
    if size is None:
        inspector.look(page, "a question beside the table")
        page.set_viewport_size({"width": 1366, "height": 768})
    fill(page, {**right, field.get_attribute("name") or "": "0.98"})
    button(page, "Check").click()
    expect(verdict(page)).to_have_attribute("data-outcome", "wrong")
    expect(verdict(page)).to_be_focused()
    fill(page, right)
    page.keyboard.press("Enter")
    expect(verdict(page)).to_have_text("Right!")
    expect(page.locator("body")).not_to_have_attribute("data-question", "open")
    if size is None:
        inspector.look(page, "a right answer beside the table")
        inspector.approves()
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    expect(button(page, "Question")).to_be_focused()
    # One sheet beside the table at a time.
    odds = page.locator("#sheet-odds")
    page.keyboard.press("d")
    expect(odds).to_be_visible()
    button(page, "Question").press("Enter")
    expect(odds).to_be_hidden()
    expect(sheet).to_be_visible()
    expect(page.locator("#sheet-question-title")).to_be_focused()
    page.locator("#sheet-question-title").evaluate("title => title.blur()")
    page.keyboard.press("d")
    expect(odds).to_be_visible()
    expect(sheet).to_be_hidden()


def fill(page: Page, texts: dict[str, str]) -> None:
    for name, text in texts.items():
        field = question(page).locator(f"[name={name}]")
        if field.first.get_attribute("type") == "radio":
            field.locator(f"xpath=self::*[@value='{text}']").check()
        else:
            field.fill(text)


# Practice.


def cards_of(prompt: str) -> int:
    """How many cards a deck has that is described like this."""
    counts, shapes = re.search(r"combination of ([\d, or]+) ([a-z, ]+), each", prompt).groups()  # type: ignore[union-attr]
    return int(len(re.findall(r"\d", counts)) ** len(re.findall(r"[a-z]{5,}", shapes)))


def press_to(page: Page, goal: Locator) -> None:
    """Tab until this has the focus."""
    for _press in range(80):
        page.keyboard.press("Tab")
        if goal.evaluate("element => element === document.activeElement"):
            return
    raise AssertionError("the keyboard does not get there")


@pytest.mark.parametrize("by", ["mouse", "keyboard", "phone", "no script"])
def test_practice(watched: Watched, by: str) -> None:
    inspector = Inspector()
    size = PHONE if by == "phone" else {"width": 1366, "height": 768}
    options: dict[str, Any] = {"viewport": size}
    if by == "no script":
        options["java_script_enabled"] = False
    page = watched.new_page(**options)

    def do(goal: Locator) -> None:
        if by == "keyboard":
            press_to(page, goal)
            page.keyboard.press("Enter")
        else:
            goal.click()

    page.goto("/lessons/practice/")
    if by == "mouse":
        inspector.look(page, "practice, new")
        page.set_viewport_size({"width": 1366, "height": 768})
    do(page.get_by_role("button", name=re.compile("How many cards")))
    expect(question(page)).to_be_visible()
    prompt = question(page).locator(".question-prompt").inner_text()
    field = page.get_by_label("Cards", exact=True)
    if by == "keyboard":
        press_to(page, field)
        page.keyboard.type("one half")
        page.keyboard.press("Enter")
    else:
        field.fill("one half")
        do(button(page, "Check"))
    expect(verdict(page)).to_contain_text("cannot read that as a number")
    expect(field).to_have_value("one half")
    if by != "no script":
        expect(field).to_be_focused()
    field.fill("7")
    field.press("Enter")
    expect(verdict(page)).to_have_attribute("data-outcome", "wrong")
    if by != "no script":
        expect(verdict(page)).to_be_focused()  # all has settled: the next key goes to the field
    if by == "mouse":
        inspector.look(page, "a wrong answer")
        page.set_viewport_size({"width": 1366, "height": 768})
    field.fill(str(cards_of(prompt)))
    field.press("Enter")
    expect(verdict(page)).to_have_text("Right!")
    expect(question(page)).to_contain_text("How it goes")
    before = question(page).get_attribute("id") or ""
    do(button(page, "Another one like this"))
    expect(page.locator(f"#{before}")).to_have_count(0)
    do(button(page, "Give me a hint"))
    expect(page.locator(".aid")).to_contain_text("Hint")
    do(button(page, "Another hint"))
    expect(page.locator(".aid-step")).to_be_visible()
    if by == "mouse":
        inspector.look(page, "two hints")
        page.set_viewport_size({"width": 1366, "height": 768})
    do(button(page, "Show me how"))
    expect(question(page).locator("math").first).to_be_visible()
    if by == "mouse":
        inspector.look(page, "the way shown")
        page.set_viewport_size({"width": 1366, "height": 768})
    do(button(page, "Go on"))
    expect(page.get_by_role("heading", name="How many cards?")).to_have_count(0)
    page.goto("/lessons/practice/")
    if by == "mouse":
        inspector.look(page, "practice, begun")
        inspector.approves()
    assert (
        page.evaluate("document.documentElement.scrollWidth <= innerWidth") or by == "no script"
    )


def test_a_graph_is_answered_by_keyboard_and_by_numbers(watched: Watched) -> None:
    page = watched.new_page(viewport={"width": 1366, "height": 768})
    page.goto("/lessons/practice/")
    page.get_by_role("button", name=re.compile("Slices of the deck")).click()
    rows = question(page).locator(".question-table tbody td").all_inner_texts()
    total = sum(map(int, rows))
    page.locator(".build summary").click()
    boxes = page.locator(".build-numbers input")
    expect(boxes).to_have_count(len(rows))
    for place, cards in enumerate(rows):
        boxes.nth(place).fill(str(round(360 * int(cards) / total)))
    button(page, "Check").click()
    expect(verdict(page)).to_have_text("Right!")
    expect(page.locator(".graph .slice")).to_have_count(len(rows))


# In French.

MAKE = """
from games.tables.viewers import find_guest
from lessons.models import Question
guest = find_guest({key!r})
made = Question.objects.create(
    guest=guest, place="practice", exercise="inverse-chance", seed=1,
    parameters={{"call": "2-ball", "value": 7}},
)
print(made.pk)
"""


@pytest.fixture
def french(tmp_path: Path) -> Iterator[Server]:
    with Server(tmp_path, experts=True, XACTIKA_LANGUAGE="fr") as server:
        yield server


def test_a_decimal_comma_is_right_in_french(browser: Browser, french: Server) -> None:
    guard = Watched(browser, french)
    page = guard.new_page(locale="fr-FR")
    page.goto("/lessons/practice/")
    page.get_by_role("button", name="Commencer").click()
    expect(question(page)).to_be_visible()
    key = next(c["value"] for c in page.context.cookies() if c["name"] == "guest")
    number = french.manage("shell", "--no-imports", "-c", MAKE.format(key=key)).strip()
    page.goto(f"/lessons/questions/{number}/")
    fields = question(page).locator("input[type=text]")
    # Two balls among the cards of value 7: 6 of 16. And 7 among those of two balls: 6 of 27.
    assert (Fraction(6, 16), comb(4, 2)) == (Fraction(3, 8), 6)
    fields.nth(0).fill("0.375x")
    fields.nth(1).fill("2/9")
    button(page, "Vérifier").click()
    expect(verdict(page)).to_contain_text("0,375")  # so it is to be written here
    fields.nth(0).fill("0,375")
    button(page, "Vérifier").click()
    expect(verdict(page)).to_have_text("C’est juste\u202f!")
    expect(question(page)).to_contain_text("0,375")
    for context in guard.contexts:
        context.close()
    assert guard.complaints == []


# Before a class.

CLASS = """
import json
from games.classes import joining, steering
from games.models import SessionSettings
from xactika_site.classrooms.models import ClassSession
from xactika_site.classrooms.selectors import device_key
session = ClassSession.objects.get(pk={session})
students = [joining.join(session=session, name=f"Quiet Otter {{n}}") for n in range({students})]
SessionSettings.objects.filter(class_session=session).update(questions="between", pace=0)
steering.start(session_id=session.pk)
print(json.dumps([device_key(student, session) for student in students]))
"""


@pytest.mark.xdist_group("many browsers")
def test_a_teachers_exercise_to_a_class(watched: Watched, server: Server) -> None:
    inspector = Inspector()
    students, at_tables = (12, 9) if IS_LONG else (7, 5)
    teacher, wall, classroom = as_teacher(server, watched, f"{students} of them")
    session = open_session(teacher, classroom)
    keys = json.loads(
        server.manage(
            "shell", "--no-imports", "-c", CLASS.format(session=session, students=students)
        )
    )
    pages = []
    for number, key in enumerate(keys):
        context = watched.new_context(viewport=PHONE)
        context.add_cookies([{"name": "student", "value": key, "url": server.base}])
        page = context.new_page()
        page.goto(f"/class/{session}/")
        expect(page).to_have_url(re.compile("/tables/"))  # it goes there by itself
        if number >= at_tables:
            page.goto(f"/class/{session}/")  # and some look at the lobby meanwhile
            expect(page.locator("#lobby")).to_be_visible()
        pages.append(page)
    teacher.goto(f"/teach/sessions/{session}/")
    teacher.get_by_role("link", name="Exercise", exact=True).click()
    inspector.look(teacher, "what can be put")
    teacher.get_by_role("link", name=re.compile("The chance of a value")).click()
    inspector.look(teacher, "an exercise beforehand")
    teacher.set_viewport_size({"width": 1366, "height": 768})
    button(teacher, "Put it to the class").click()
    expect(teacher.locator("#going-title")).to_have_text("The class answers")
    value = re.search(r"value is (\d+)", teacher.locator(".question-prompt").inner_text())
    assert value is not None
    right = f"{CARDS_OF_VALUE[int(value[1])]}/81"
    wall.goto(f"/teach/sessions/{session}/exercise/projector/")
    answered = teacher.locator(".answered b")
    for number, page in enumerate(pages):
        if number < at_tables:
            button(page, "Question").click()  # it has appeared without a reload
        put = page.locator("#class-question")
        expect(put.locator(".question")).to_be_visible()
        put.locator("input[type=text]").fill("1/9" if number < 5 else right)
        put.get_by_role("button", name="Check").click()
        expect(put.locator(".verdict")).to_be_visible()
        expect(put.locator(".solution")).to_have_count(0)
        if number == 3:
            expect(answered).to_have_text("4")  # while the others still think
            expect(wall.locator(".answered b")).to_have_text("4")
    inspector.look(pages[0], "a class question, wrong, at the table")
    inspector.look(pages[-1], "a class question, right, in the lobby")
    for page in (pages[0], pages[-1]):
        page.set_viewport_size(PHONE)
    expect(answered).to_have_text(str(students))
    expect(teacher.locator(".figures dd").first).to_have_text(str(students - 5))
    expect(teacher.locator(".misconceptions")).to_contain_text(
        "Takes unlike cases as equally likely"
    )
    expect(wall.locator(".misconceptions")).to_have_count(0)
    inspector.look(teacher, "how it goes")
    teacher.set_viewport_size({"width": 1366, "height": 768})
    button(teacher, "Close").click()
    expect(wall.locator(".misconceptions")).to_contain_text("5")
    expect(pages[0].locator("#class-question")).to_contain_text("closed this question")
    button(teacher, "Show how it goes").click()
    for page in (*pages, wall):
        expect(page.locator(".solution").first).to_be_visible()
    assert "Quiet Otter" not in wall.content()
    inspector.look(wall, "the wall, shown")
    inspector.look(pages[0], "shown to a student")
    button(teacher, "Take it away").click()
    expect(pages[0].locator("#class-question .question")).to_have_count(0)
    expect(wall.locator("#wall-stage")).to_be_visible()  # back to the projector by itself
    inspector.approves()


def test_a_bad_connection_and_a_double_click_lose_nothing(watched: Watched) -> None:
    watched.expected = ("ERR_INTERNET_DISCONNECTED", "htmx:afterRequest", "htmx:sendError")
    page = watched.new_page()
    page.goto("/lessons/practice/")
    page.get_by_role("button", name=re.compile("How many cards")).click()
    prompt = question(page).locator(".question-prompt").inner_text()
    field = page.get_by_label("Cards", exact=True)
    field.fill("7")
    page.context.set_offline(True)
    button(page, "Check").click()
    expect(verdict(page)).to_contain_text("Not sent")
    expect(field).to_have_value("7")
    page.context.set_offline(False)
    button(page, "Check").dblclick()
    expect(verdict(page)).to_have_attribute("data-outcome", "wrong")
    expect(page.locator("input[name=number]")).to_have_value("1")  # one attempt, not two
    page.reload()
    expect(page.locator("input[name=number]")).to_have_value("1")
    page.get_by_label("Cards", exact=True).fill(str(cards_of(prompt)))
    button(page, "Check").click()
    expect(verdict(page)).to_have_text("Right!")

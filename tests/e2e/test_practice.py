"""Questions in a real browser: practice, beside the table, before a whole class, in French."""

from __future__ import annotations

import re
from fractions import Fraction
from math import comb

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.player import SHAPES
from tests.scenes.browser import (
    AT_A_TABLE,
    PHONE,
    Inspector,
    Keyboard,
    Watched,
    as_teacher,
    button,
    by_services,
    follow,
    open_session,
)
from tests.server import Server

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


def test_a_question_on_the_hand_just_dealt(watched: Watched) -> None:
    inspector = Inspector()
    player = watched.new_player().open_solo(variant="bid", seats="4", rounds="2")
    page = player.page
    expect(player.bids.first).to_be_visible()
    dealt = page.evaluate(ON_THE_WIRE)
    assert sorted(dealt["hand"]) == sorted(player.holds())
    button(page, "Question").click()
    sheet = page.locator("#sheet-question")
    expect(sheet).to_be_visible()
    # How sure are you? By keyboard; then it is locked.
    page.locator("#w1").focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", "Tab", "ArrowRight"):
        page.keyboard.press(key)
    expect(page.locator("output[for=w1]")).to_have_text("75%")
    inspector.look(page, "a forecast")
    button(page, "Keep my forecast").click()
    expect(page.locator("#made-title")).to_be_visible()
    expect(page.locator(".forecast-made")).to_contain_text("75%")
    button(page, "Ask me").click()
    expect(question(page)).to_be_visible()
    expect(page.locator("body")).to_have_attribute("data-question", "open")
    shown = "cards => cards.map((card) => card.dataset.card)"
    drawn = question(page).locator("[data-card]").evaluate_all(shown)
    assert sorted(drawn) == sorted(dealt["hand"])
    prompt = question(page).locator(".question-prompt").inner_text()
    right = answers_for(dealt["hand"], dealt["seats"], prompt)
    # Half an answer, and the game goes on meanwhile: by a click, and by what is pushed.
    field = question(page).locator("input[type=text]").first
    field.fill("0.98")
    player.bid(int(player.bids.first.input_value()))
    expect(player.follows.or_(player.leads).first).to_be_visible()
    expect(field).to_have_value("0.98")
    field.focus()
    player.act()  # a card is played, and others answer it
    expect(field).to_have_value("0.98")
    inspector.look(page, "a question beside the table")
    fill(page, {**right, field.get_attribute("name") or "": "0.98"})
    button(page, "Check").click()
    expect(verdict(page)).to_have_attribute("data-outcome", "wrong")
    expect(verdict(page)).to_be_focused()
    fill(page, right)
    field.press("Enter")  # the answer's own page may take the focus once more as it settles
    expect(verdict(page)).to_have_text("Right!")
    expect(page.locator("body")).not_to_have_attribute("data-question", "open")
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
    shapes, counts = re.search(r"(?:of|has) ([a-z, ]+), ([\d, or]+) of each", prompt).groups()  # type: ignore[union-attr]
    return int(len(re.findall(r"\d", counts)) ** len(re.findall(r"[a-z]{5,}", shapes)))


@pytest.mark.parametrize("by", ["keyboard", "no script"])
def test_practice(watched: Watched, by: str) -> None:
    scripts = by == "keyboard"
    page = watched.new_page(java_script_enabled=scripts)
    keys, inspector = Keyboard(page), Inspector()

    def do(goal: Locator) -> None:
        if scripts:
            keys.go_to(goal)
            keys.press("Enter")
        else:
            goal.click()

    def look(state: str) -> None:
        if scripts:
            inspector.look(page, state)

    page.goto("/lessons/practice/")
    look("practice, new")
    do(page.get_by_role("button", name=re.compile("How many cards")))
    expect(question(page)).to_be_visible()
    prompt = question(page).locator(".question-prompt").inner_text()
    field = page.get_by_label("Cards", exact=True)
    field.fill("one half")
    do(button(page, "Check"))
    expect(verdict(page)).to_contain_text("Try 12, 3/8")
    expect(field).to_have_value("one half")
    if scripts:
        expect(field).to_be_focused()
    field.fill("7")
    field.press("Enter")
    expect(verdict(page)).to_have_attribute("data-outcome", "wrong")
    if scripts:
        expect(verdict(page)).to_be_focused()  # all has settled: the next key goes to the field
    look("a wrong answer")
    field.fill(str(cards_of(prompt)))
    field.press("Enter")
    expect(verdict(page)).to_have_text("Right!")
    expect(question(page)).to_contain_text("Solution")
    before = question(page).get_attribute("id") or ""
    do(button(page, "Go on"))  # it was chosen: five of it
    expect(page.locator(f"#{before}")).to_have_count(0)
    do(button(page, "Give me a hint"))
    expect(page.locator(".aid")).to_contain_text("Hint")
    do(button(page, "Give me a hint"))
    expect(page.locator(".aid-step")).to_be_visible()
    look("two hints")
    do(button(page, "Show me the solution"))
    expect(question(page).locator("math").first).to_be_visible()
    look("the way shown")
    do(button(page, "Go on"))
    expect(question(page)).to_contain_text("2 of 5 done")
    expect(page.get_by_role("heading", name="How many cards?")).to_be_visible()
    inspector.approves()


# In French.

MAKE = """
from games.tables.viewers import find_guest
from lessons.models import Question
guest = find_guest({key!r})
made = Question.objects.create(
    guest=guest, place="practice", exercise={exercise!r}, seed=1, parameters={parameters!r}
)
answer = made.pk
"""


def asked(page: Page, server: Server, exercise: str, **parameters: object) -> None:
    """Show such a question to whoever practises in French."""
    page.goto("/lessons/practice/")
    page.get_by_role("button", name="Commencer", exact=True).click()
    expect(question(page)).to_be_visible()
    key = next(c["value"] for c in page.context.cookies() if c["name"] == "guest")
    made = MAKE.format(key=key, exercise=exercise, parameters=parameters)
    page.goto(f"/lessons/questions/{by_services(server, *made.splitlines())}/")


@pytest.mark.parametrize("level", ["B", "C"])
def test_a_table_of_bids_fits_a_phone(in_french: Watched, french: Server, level: str) -> None:
    page = in_french.new_page(locale="fr-FR")
    page.set_viewport_size({"width": 390, "height": 844})
    at = {} if level == "C" else {"level": level}
    asked(page, french, "bid-evidence", tip="printed", bid=3, call="3-cone", **at)
    table = page.locator(".question-table")
    assert table.evaluate("e => e.scrollWidth - e.clientWidth") == 0


def test_a_decimal_comma_is_right_in_french(in_french: Watched, french: Server) -> None:
    page = in_french.new_page(locale="fr-FR")
    asked(page, french, "inverse-chance", call="2-ball", value=7)
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


# Before a class.

CLASS = """
from games.models import SessionSettings
from xactika_site.classrooms.models import ClassSession
session = ClassSession.objects.get(pk={session})
students = [joining.join(session=session, name=f"Quiet Otter {{n}}") for n in range({students})]
SessionSettings.objects.filter(class_session=session).update(questions="between", pace=0)
steering.start(session_id=session.pk)
answer = [device_key(student, session) for student in students]
"""


@pytest.mark.xdist_group("many browsers")
def test_a_teachers_exercise_to_a_class(watched: Watched, server: Server) -> None:
    """Two of five look at the lobby, the others sit at tables; three make a known mistake."""
    inspector = Inspector()
    teacher, wall, classroom = as_teacher(server, watched, "five of them")
    session = open_session(teacher, classroom)
    keys = by_services(server, *CLASS.format(session=session, students=5).splitlines())
    pages = [watched.new_page(("student", key), viewport=PHONE) for key in keys]
    for page in pages:
        page.goto(f"/class/{session}/")
        expect(page).to_have_url(AT_A_TABLE)  # it goes there by itself
    for page in pages[3:]:
        page.goto(f"/class/{session}/")
        expect(page.locator("#lobby")).to_be_visible()
    teacher.goto(f"/teach/sessions/{session}/")
    follow(teacher.get_by_role("link", name="Exercise", exact=True))
    inspector.look(teacher, "what can be put")
    follow(teacher.get_by_role("link", name=re.compile("The chance of a value")))
    inspector.look(teacher, "an exercise beforehand")
    button(teacher, "Put it to the class").click()
    expect(teacher.locator("#going-title")).to_have_text("The class answers")
    value = re.search(r"value is (\d+)", teacher.locator(".question-prompt").inner_text())
    assert value is not None
    right = f"{CARDS_OF_VALUE[int(value[1])]}/81"
    wall.goto(f"/teach/sessions/{session}/exercise/projector/")
    answered = teacher.locator(".answered b")
    for number, page in enumerate(pages):
        if number < 3:
            button(page, "Question").click()  # it has appeared without a reload
        put = page.locator("#class-question")
        expect(put.locator(".question")).to_be_visible()
        put.locator("input[type=text]").fill("1/9" if number < 3 else right)
        put.get_by_role("button", name="Check").click()
        expect(put.locator(".verdict")).to_be_visible()
        expect(put.locator(".solution")).to_have_count(0)
        if number == 1:
            expect(answered).to_have_text("2")  # while the others still think
            expect(wall.locator(".answered b")).to_have_text("2")
    inspector.look(pages[0], "a class question, wrong, at the table")
    inspector.look(pages[-1], "a class question, right, in the lobby")
    expect(answered).to_have_text("5")
    expect(teacher.locator(".figures dd").first).to_have_text("2")
    expect(teacher.locator(".misconceptions")).to_contain_text(
        "Treats unlike cases as equally likely"
    )
    expect(wall.locator(".misconceptions")).to_have_count(0)
    inspector.look(teacher, "how it goes")
    button(teacher, "Close").click()
    expect(wall.locator(".misconceptions")).to_contain_text("3")
    expect(pages[0].locator("#class-question")).to_contain_text("It has closed")
    button(teacher, "Show how it’s done").click()
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
    follow(page.get_by_role("button", name=re.compile("How many cards")))
    prompt = question(page).locator(".question-prompt").inner_text()
    field = page.get_by_label("Cards", exact=True)
    field.fill("7")
    page.context.set_offline(True)
    button(page, "Check").click()
    expect(verdict(page)).to_contain_text("Your answer is still here")
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

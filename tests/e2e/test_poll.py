"""A teacher stops a replay and asks a class of 24: what would you play? One plays by touch, one
by keyboard, one sleeps and wakes too late; the wall and the devices say the same."""

from __future__ import annotations

from contextlib import suppress

from playwright.sync_api import Error, Page, expect

from tests.scenes.browser import (
    PHONE,
    Inspector,
    Watched,
    as_teacher,
    button,
    by_services,
    open_session,
    students_come,
)
from tests.server import Server

CLASS = [f"Quiet Otter {number}" for number in range(1, 25)]

A_ROUND = """
from random import Random
from games.classes import steering
from games.models import Table
from tests.scenes.results import play_round
from xactika_site.classrooms.models import ClassSession
session = ClassSession.objects.latest("pk")
steering.start(session_id=session.pk)
for table in Table.objects.filter(class_session=session):
    play_round(table.pk, Random(1))
"""
THE_OTHERS = """
from random import Random
from games import polls
from games.models import Poll
poll = Poll.objects.latest("pk")
rng, moves = Random(2), list(polls.question_of(poll).choices)
for student in poll.class_session.classroom.students.order_by("pk")[3:]:
    polls.vote(poll=poll, student=student, move=rng.choice(moves), sure=60)
"""


def votes(page: Page) -> list[int]:
    """How many dots stand above each choice."""
    above = page.locator(".poll-choices .votes")
    return list(above.evaluate_all("(all) => all.map((each) => each.children.length)"))


def others(page: Page) -> int:
    """How many chose what there is no room for."""
    told = page.get_by_text("Something else: ")
    return int(told.inner_text().split()[-1]) if told.count() else 0


def test_a_class_is_asked_what_it_would_play(watched: Watched, server: Server) -> None:
    inspector = Inspector()
    watched.expected = ("htmx:", "ERR_INTERNET_DISCONNECTED", "WebSocket")
    page, wall, classroom = as_teacher(server, watched, "7p")
    session = open_session(page, classroom)
    cookies = students_come(server, session, CLASS)
    touching, typing, asleep = (
        watched.new_page(("student", cookie), viewport=PHONE) for cookie in cookies[:3]
    )
    by_services(server, *A_ROUND.splitlines())
    for each in (touching, typing, asleep):
        each.goto(f"/class/{session}/")
        expect(each.locator("#table")).to_be_visible()
    asleep.context.set_offline(True)

    # From the cockpit: the table, its round on the wall, and at a turn "Stop here".
    page.goto(f"/teach/sessions/{session}/")
    wall.set_viewport_size({"width": 1920, "height": 1080})
    wall.goto(f"/teach/sessions/{session}/projector/")
    page.get_by_role("link", name="Table 1", exact=False).first.click()
    page.get_by_role("button", name="Show it on the wall").first.click()
    expect(wall.locator(".led")).to_be_visible()
    expect(page.locator("#run")).to_be_visible()  # shown by the script that hears keys
    for _bid in range(4):
        page.keyboard.press("ArrowRight")
    expect(page.locator("#said")).to_contain_text("Bids add up to")
    page.get_by_label("Ask how sure, too").check()
    button(page, "Stop here: ask the class").click()
    expect(wall.get_by_text("0 of 24 have answered")).to_be_visible()

    # Both are brought along; one taps a card and a call, one uses the keyboard alone.
    for each in (touching, typing):
        expect(each.get_by_role("heading", name="What would you do?")).to_be_visible()
        each.wait_for_load_state()
    inspector.look(touching, "a turn to choose")
    touching.get_by_label("How sure are you?").select_option("70")
    touching.locator("#hand .held").first.click()
    touching.locator("#choices label:visible").first.click()
    typing.get_by_label("How sure are you?").focus()
    typing.keyboard.type("50")
    typing.locator("#hand input[name=card]").first.focus()
    typing.keyboard.press("Space")
    typing.locator("#choices label:visible input").first.focus()
    typing.keyboard.press("Space")
    typing.locator("#confirm").press("Enter")
    for each in (touching, typing):
        expect(each.get_by_text("Your choice:")).to_be_visible()
    second = watched.new_page(("student", cookies[0]))  # another device has chosen already
    second.goto(f"/class/{session}/")
    expect(second.get_by_text("Your choice:")).to_be_visible()
    expect(second.locator("#confirm")).to_have_count(0)
    by_services(server, *THE_OTHERS.splitlines())
    expect(wall.get_by_text("23 of 24 have answered")).to_be_visible()
    assert votes(wall) == []
    inspector.look(wall, "asked on the wall")

    # What the class would play, then what was played; who wakes now is too late, and told so.
    button(page, "Show the class’s answers").click()
    for each in (wall, touching, typing):
        expect(each.locator(".poll-choices")).to_be_visible()
        each.wait_for_load_state()
        assert sum(votes(each)) + others(each) == 23
    asleep.context.set_offline(False)
    with suppress(Error):  # unless it goes there by itself at that moment
        asleep.reload()
    expect(asleep.get_by_text("You came too late")).to_be_visible()
    assert not wall.locator(".tag").count()
    button(page, "Uncover it").click()
    expect(wall.locator(".tag", has_text="played")).to_have_count(1)
    expect(wall.locator(".tag", has_text="expert").first).to_be_visible()
    expect(touching.locator(".poll-told")).to_contain_text("% sure")
    inspector.look(wall, "told on the wall")
    inspector.look(touching, "told on a phone")
    inspector.look(page, "told to the teacher")

    # The line of another choice on the wall; the class goes back to its tables.
    page.locator("form[action$='/projector/replay/'] button").first.click()
    expect(wall.locator(".led:not(.poll)")).to_be_visible()
    for each in (touching, typing, asleep):
        expect(each.get_by_role("heading", name="What would you do?")).to_have_count(0)
    inspector.approves()

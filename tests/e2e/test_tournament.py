"""A class of 23 plays two boards of a tournament: seats on the wall, devices that go there by
themselves, one that sleeps, a second one, a student who comes late, a page with the result."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

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

CLASS = [f"Quiet Otter {number}" for number in range(1, 24)]
PLAY = """
from datetime import timedelta
from random import Random
from tests.scenes.by_students import finish_round
from xactika_site import clock
from xactika_site.classrooms.models import ClassSession
session = ClassSession.objects.latest("pk")
finish_round(session, Random(1))
session.attendances.update(last_seen=clock.now() + timedelta(minutes=9))  # they have no device
"""
A_TOURNAMENT = """
from games.models import SessionSettings
settings = SessionSettings.objects.filter(class_session=%s)
settings.update(tournament=True, duplicate=True, rounds=2)
"""


def seats_on_wall(wall: Page) -> dict[str, tuple[int, int]]:
    """Where each student sits: table and seat, as the wall shows them."""
    tables = wall.locator(".wall-table").evaluate_all(
        "(all) => all.map((table) => Array.from(table.querySelectorAll('li'), "
        "(seat) => seat.querySelector('.who')?.textContent.trim()))"
    )
    return {
        name: (table, seat)
        for table, names in enumerate(tables, start=1)
        for seat, name in enumerate(names, start=1)
        if name
    }


def place_of(page: Page) -> tuple[int, int]:
    """The table and seat that a waiting device tells."""
    said = page.locator("#sentence").inner_text()
    found = re.fullmatch(r"Board 2: table (\d+), seat (\d+)\. Your teacher deals\.", said)
    assert found, said
    return int(found[1]), int(found[2])


def test_a_tournament_from_seat_to_seat(watched: Watched, server: Server) -> None:
    inspector = Inspector()
    watched.expected = (
        "htmx:",
        "ERR_INTERNET_DISCONNECTED",
        "WebSocket",
        "404",
    )  # a device that wakes asks for its old table
    page, wall, classroom = as_teacher(server, watched, "7t")
    session = open_session(page, classroom)
    by_services(server, *(A_TOURNAMENT % session).splitlines())
    cookies = students_come(server, session, CLASS)
    awake, asleep = (
        watched.new_page(("student", cookie), viewport=PHONE) for cookie in cookies[:2]
    )
    second = watched.new_page(("student", cookies[0]))  # of the one who is awake
    for each in (awake, asleep, second):
        each.goto(f"/class/{session}/")
    wall.goto(f"/teach/sessions/{session}/projector/")
    page.goto(f"/teach/sessions/{session}/")
    button(page, "Start the game").click()
    for each in (awake, asleep):
        expect(each.locator("#bar")).to_contain_text("Board 1")
    asleep.context.set_offline(True)
    (late,) = (
        watched.new_page(("student", cookie), viewport=PHONE)
        for cookie in students_come(server, session, ["Quiet Otter 24"])
    )
    late.goto(f"/class/{session}/")
    expect(late.get_by_text("You play from board 2.")).to_be_visible()
    by_services(server, *PLAY.splitlines())
    expect(wall.locator("#wall-figures")).to_be_visible()
    inspector.look(wall, "a board over, on the wall")

    # The seats for the next board: the same on the wall and on every device.
    button(page, "Seats for board 2").click()
    expect(wall.locator(".wall-head")).to_contain_text("Board 2 of 2")
    expect(wall.locator(".wall-table .who").first).to_be_visible()
    asleep.context.set_offline(False)
    where = seats_on_wall(wall)
    assert len(where) == 24
    devices = ((awake, CLASS[0]), (second, CLASS[0]), (asleep, CLASS[1]))
    for each, name in (*devices, (late, "Quiet Otter 24")):
        expect(each.locator("#sentence")).to_contain_text("Board 2: table")
        assert place_of(each) == where[name]
    inspector.look(wall, "seats on the wall")
    inspector.look(awake, "a seat on a phone")
    button(page, "Deal board 2").click()
    expect(awake.locator("#bar")).to_contain_text("Board 2")
    expect(awake.locator("#bar")).to_contain_text("Bidding")
    by_services(server, *PLAY.splitlines())

    page.goto(f"/teach/sessions/{session}/tournament/")
    expect(page.get_by_text("After board 2 of 2")).to_be_visible()
    assert page.locator(".standing-board tbody tr").count() == 24
    inspector.look(page, "the result")
    page.get_by_role("link", name="Certificates to print").click()
    expect(page.locator(".certificate")).to_have_count(24)
    inspector.look(page, "certificates")
    inspector.approves()

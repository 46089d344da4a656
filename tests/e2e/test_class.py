"""A whole class, each student in a browser of their own, the cockpit and the projector; the
teacher steers by the cockpit's buttons alone."""

from __future__ import annotations

import re
from time import monotonic, sleep
from typing import Any
from urllib.request import urlopen

import pytest
from playwright.sync_api import expect

from tests.e2e.classroom import (
    Cockpit,
    Kid,
    Screen,
    back_by_phrase,
    header_of,
    open_the_class,
    somebody_new,
)
from tests.e2e.conftest import IS_LONG
from tests.e2e.player import PRESS_ON, Party, everybody_plays
from tests.scenes.browser import LAPTOP, PHONE, Watched, as_teacher, button, by_services
from tests.server import Server

SEATS = 4 if IS_LONG else 3
CLASS = 3 * SEATS
ASLEEP = """
from datetime import timedelta
from django.utils import timezone
from xactika_site.classrooms.models import Attendance
then = timezone.now() - timedelta(minutes=5)
Attendance.objects.filter(student__name={name!r}).update(last_seen=then)
"""

FILES_FETCHED = """
() => performance.getEntriesByType("resource")
  .filter((file) => file.name.includes("/static/") && file.transferSize > 0)
  .map((file) => file.name)
"""


@pytest.mark.xdist_group("many browsers")
def test_from_the_code_to_the_results(watched: Watched, server: Server) -> None:
    desk, stage, classroom = as_teacher(server, watched, "a whole class")
    cockpit, wall = Cockpit(desk), Screen(stage)
    code = open_the_class(cockpit, wall, classroom, SEATS)

    # The lobby: all but one come in and are seated in the order of arrival.
    sizes: list[dict[str, Any]] = [{"viewport": PHONE} if n % 2 else {} for n in range(CLASS)]
    kids = [somebody_new(watched.new_page(**sizes[n]), code) for n in range(CLASS - 1)]
    expect(desk.locator("#room")).to_contain_text(f"{CLASS - 1} here")
    expect(stage.locator("#wall-here")).to_contain_text(f"{CLASS - 1} are here")
    cockpit.press("form")
    for kid in kids:
        kid.is_told("seated")
    expect(kids[0].page.locator(".mates")).to_contain_text(kids[SEATS - 1].known_as)
    expect(desk.locator("#tables .tile")).to_have_count(3)
    tables = cockpit.tables()
    cockpit.press("start")
    for number, kid in enumerate(kids):
        kid.is_at(tables[number // SEATS])
        assert kid.page.evaluate(FILES_FETCHED) == [], "all came while they waited"
    parties = [Party(*kids[n : n + SEATS]) for n in range(0, CLASS, SEATS)]
    for party in parties:
        party.act()

    pausing(cockpit, wall, kids, parties[1])
    coming_and_going(watched, cockpit, kids, tables, code)

    # The round's end waits for the teacher; somebody changes tables; the game ends early.
    cockpit.press_folded("hold")
    expect(desk.locator("#do-hold")).to_have_attribute("aria-pressed", "true")
    at_tables = [kid for kid in kids if kid is not kids[2 * SEATS]]
    everybody_plays(at_tables, "round_over")
    expect(stage.locator("#wall-stage")).to_have_attribute("data-stage", "round")
    expect(stage.locator("#wall-figures .outcomes")).to_be_visible()
    expect(kids[0].prompt).to_contain_text("Your teacher starts the next round.")
    cockpit.open(2)
    mover = kids[2 * SEATS - 1]
    moving = desk.locator("#panel li", has_text=mover.known_as).locator("select").first
    moving.select_option(tables[2])
    cockpit.press_in_panel("Move", mover)
    mover.is_at(tables[2])
    cockpit.close_panel()
    cockpit.press("next-round")
    for kid in at_tables:
        expect(kid.bar).to_contain_text("Round 2 of 4")
    cockpit.press_folded("finish")
    expect(kids[0].bar).to_contain_text("Round 2 of 2")
    everybody_plays(at_tables, "game_over")
    expect(stage.locator("#wall-standings")).to_contain_text("The best of each table")
    assert not [kid.known_as for kid in kids if kid.known_as in wall.source]

    # Another game: all pages go along. It is closed in mid-trick.
    cockpit.press("next-game-same")
    expect(desk.locator(f"#seats-{tables[0]}")).to_have_count(0)
    expect(desk.locator("#tables .tile")).to_have_count(3)
    again = cockpit.tables()
    for kid in at_tables:
        expect(kid.page).to_have_url(re.compile(f"/tables/({'|'.join(again)})/$"))
        expect(kid.my_seat).to_contain_text(kid.known_as)
    cockpit.press_folded("close")
    for kid in at_tables:
        expect(kid.prompt).to_contain_text("The session is over.")
    kids[2 * SEATS].is_told("closed")
    kids[0].page.get_by_role("link", name="Back to the class").click()
    kids[0].is_told("closed")
    kids[0].page.reload()
    expect(kids[0].page.get_by_role("heading", name="My rounds")).to_be_visible()
    expect(stage.locator("#wall-stage")).to_have_attribute("data-stage", "end")
    expect(desk.locator("#room")).to_contain_text("Closed")
    for screen in (cockpit, wall):
        screen.shows_no_card()


def pausing(cockpit: Cockpit, wall: Screen, kids: list[Kid], goes_on: Party) -> None:
    """The room, then the first table while another goes on."""
    stage = wall.page.locator("#wall-stage")
    cockpit.press("pause")
    expect(stage).to_have_attribute("data-stage", "pause")
    for kid in kids:
        expect(kid.bar).to_contain_text("Paused")
    hand, screen = kids[1].hand.bounding_box(), kids[1].page.viewport_size
    assert hand
    assert screen
    assert hand["y"] + hand["height"] <= screen["height"]  # nothing is pushed off a phone
    mover = next(kid for kid in kids if kid.confirm.count())
    mover.page.evaluate(PRESS_ON)
    expect(mover.notice).to_contain_text("paused")
    expect(cockpit.page.locator("#do-pause")).to_have_attribute("value", "resume")
    cockpit.press("pause")  # the same button goes on
    expect(stage).to_have_attribute("data-stage", "play")
    expect(kids[0].bar).not_to_contain_text("Paused")
    expect(mover.notice).to_be_empty()  # with its reason
    cockpit.open(1)
    cockpit.page.locator("#panel-pause").click()
    cockpit.close_panel()
    for kid in kids[:SEATS]:
        expect(kid.bar).to_contain_text("Paused")
    goes_on.act()
    expect(kids[SEATS].bar).not_to_contain_text("Paused")
    needs_you = cockpit.page.locator("#help")
    expect(needs_you).to_contain_text("paused")
    needs_you.get_by_role("button", name="Go on Table 1").click()
    expect(kids[0].bar).not_to_contain_text("Paused")


def coming_and_going(
    watched: Watched, cockpit: Cockpit, kids: list[Kid], tables: list[str], code: str
) -> None:
    """One is barred, one comes late, one device dies; a bot stands in, and hands back."""
    barred = kids[2 * SEATS]
    cockpit.send_out(barred, 3, "Bar {} for today", "barred")
    lobby = barred.page.url
    barred.page.goto(f"/join/{code}/")
    watched.expected = ("the server responded with a status of 422",)
    button(barred.page, "Go on").click()
    expect(barred.page.get_by_role("alert")).to_contain_text("closed this session for you")
    barred.page.goto(lobby)
    barred.is_told("barred")

    late = somebody_new(watched.new_page(), code)
    late.is_at(tables[2])  # where most bots sit
    kids.append(late)

    dies = kids[SEATS]
    hand = sorted(dies.holds())
    watched.leave(dies.page.context)
    kids[SEATS] = back_by_phrase(watched.new_page(), code, dies)
    kids[SEATS].is_at(tables[1])
    assert sorted(kids[SEATS].holds()) == hand

    cockpit.open(1)
    cockpit.press_in_panel("Let a bot play", kids[1])
    expect(kids[1].prompt).to_contain_text("A bot is playing for you.")
    cockpit.page.locator("#panel").get_by_role("button", name="Hand back").click()
    expect(kids[1].take_back).to_have_count(0)
    cockpit.close_panel()


def wait_for_sockets(server: Server, number: int) -> None:
    """Until so many look at class sessions: the cockpit, the wall, and each lobby."""
    end = monotonic() + 30
    while f'xactika_sockets{{at="session"}} {number}\n' not in figures_of(server):
        assert monotonic() < end
        sleep(0.05)


def figures_of(server: Server) -> str:
    with urlopen(f"{server.base}/metrics", timeout=30) as answer:
        return str(answer.read().decode())


def test_everybody_sits_once(watched: Watched, server: Server) -> None:
    """A phone sleeps as the teacher starts, one comes late, one is sent out and comes back, one
    opens a second window; whatever the header counts and offers, it does not jump."""
    desk, stage, classroom = as_teacher(server, watched, "everybody sits once")
    cockpit, wall = Cockpit(desk), Screen(stage)
    code = open_the_class(cockpit, wall, classroom, 2)
    awake, sleeper = (
        somebody_new(watched.new_page(viewport=size), code) for size in (LAPTOP, PHONE)
    )
    lobby = sleeper.page.url
    sleeper.page.goto("about:blank")
    wait_for_sockets(server, 3)  # or the server notes once more that they are here
    by_services(server, *ASLEEP.format(name=sleeper.known_as).splitlines())
    cockpit.press("start")
    header = header_of(desk)
    awake.is_seated()
    expect(desk.locator("#people")).to_contain_text("Away 1")
    expect(desk.locator("#room")).to_contain_text("1 without a seat")
    assert header_of(desk) == header
    sleeper.page.goto(lobby)
    sleeper.is_seated()
    late = somebody_new(watched.new_page(viewport=PHONE), code)
    late.is_seated()

    table, hand = awake.is_seated(), set(awake.holds())
    assert hand
    cockpit.send_out(awake, cockpit.tables().index(table) + 1, "Send {} out", "removed")
    awake.comes_back()
    awake.is_at(table)
    assert set(awake.holds()) <= hand  # but for what the bot has played meanwhile
    other = Kid(late.page.context.new_page(), late.known_as, late.phrase)
    other.page.goto(late.page.url)
    expect(other.my_seat).to_contain_text(late.known_as)
    expect(other.seats).to_have_count(late.seats.count())
    assert sorted(other.holds()) == sorted(late.holds())
    expect(other.page.locator("#notice")).to_be_hidden()
    cockpit.press("pause")
    expect(desk.locator("#room")).to_contain_text("Paused")
    assert header_of(desk) == header
    expect(desk.locator("#room")).to_contain_text("3 here")
    expect(desk.locator("#room")).not_to_contain_text("without a seat")

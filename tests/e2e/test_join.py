"""Students come in by the class's code, wait in the lobby and play, each in a browser.

What a teacher does is done by the services in a process of its own, so the server hears no
bell of it: the lobby's own look (every five seconds) finds it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import Watched
from tests.e2e.player import CONNECTION_ERRORS, Party, Player
from tests.e2e.test_access import Inspector
from tests.e2e.wire import Wire
from tests.server import Server

PHONE = {"width": 390, "height": 844}
LAPTOP = {"width": 1366, "height": 768}

PRELUDE = """
import json
from games.classes import closing, forming, joining, sessions, steering
from games.classes.state import load_session
from games.tables.state import load_table
from tests.games.classroom import *
from tests.games.table import finish, play
from xactika_site.classrooms.selectors import device_key, phrase_of
"""


def by_services(server: Server, *lines: str) -> Any:
    """Run some lines in Django beside the server; what they put into ``answer``."""
    code = "\n".join([PRELUDE, "answer = None", *lines, "print(json.dumps(answer))"])
    return json.loads(server.manage("shell", "--no-imports", "-c", code).splitlines()[-1])


def a_class(server: Server, name: str, *lines: str, **settings: Any) -> Any:
    """A classroom of this name with a session; by default its id and code."""
    return by_services(
        server,
        f"room = a_classroom(name={name!r})",
        f"session = a_session(room, **{settings!r})",
        "answer = [session.pk, room.code]",
        *lines,
    )


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def my_name(page: Page) -> str:
    return page.locator(".my-name").inner_text()


def come_in(page: Page, code: str) -> str:
    """Somebody new, up to the lobby with the phrase; the name."""
    page.goto(f"/join/{code}/?step=new")
    name = my_name(page)
    button(page, "Come in").click()
    expect(page.locator("#phrase")).to_be_visible()
    return name


AT_A_TABLE = re.compile(r"/tables/\w+/$")


def test_a_student_comes_in_plays_and_comes_back(watched: Watched, server: Server) -> None:
    watched.expected = ("the server responded with a status of 404",)
    session, code = a_class(server, "7b", level="random")

    # By touch, the code as a child may type it.
    phone = watched.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    page = phone.new_page()
    page.goto("/")
    page.get_by_label("The code of your class").fill(f" {code[:3].lower()} {code[3:].lower()} ")
    button(page, "Go").tap()
    first = my_name(page)
    page.get_by_role("link", name="Another name").tap()
    expect(page.locator(".my-name")).not_to_have_text(first)
    otter = my_name(page)
    button(page, "Come in").tap()
    expect(page).to_have_url(re.compile(f"/class/{session}/$"))
    phrase = page.locator("#phrase .words").inner_text()
    assert len(phrase.split()) == 3
    button(page, "I have written it down").tap()
    expect(page.locator("#phrase")).to_have_count(0)
    expect(page.get_by_text(phrase)).to_have_count(0)
    expect(page.get_by_text("You are the first one here.")).to_be_visible()

    # By keyboard alone.
    keys = watched.new_page(viewport=LAPTOP)
    keys.goto("/join/")
    expect(keys.get_by_label("The code of your class")).to_be_focused()
    keys.keyboard.type(code)
    keys.keyboard.press("Enter")
    fox = my_name(keys)
    tab_to(keys, button(keys, "Come in"))
    keys.keyboard.press("Enter")
    expect(keys.locator("#phrase")).to_be_visible()
    expect(page.get_by_text("2 of you are here.")).to_be_visible()

    # The class starts: the page goes to its table by itself, once. Whoever still reads the
    # phrase is not torn away.
    by_services(server, f"steering.start(session_id={session})")
    expect(page).to_have_url(AT_A_TABLE)
    otter_plays = Player(page)
    expect(otter_plays.my_seat).to_contain_text(otter)
    hand = sorted(otter_plays.holds())
    assert len(hand) == 8
    expect(keys.get_by_role("link", name="Go to my table")).to_be_visible()
    tab_to(keys, button(keys, "I have written it down"))
    keys.keyboard.press("Enter")
    expect(keys).to_have_url(AT_A_TABLE)
    expect(Player(keys).my_seat).to_contain_text(fox)
    Party(otter_plays, Player(keys)).act()
    page.go_back()
    expect(page.get_by_role("link", name="Go to my table")).to_be_visible()
    page.get_by_role("link", name="Go to my table").tap()
    expect(page).to_have_url(AT_A_TABLE)
    page.reload()
    assert sorted(otter_plays.holds()) == hand

    # A second tab shows the same seat; somebody else on the device shuts the first one.
    other = phone.new_page()
    other.goto(f"/join/{code}/")
    expect(other.get_by_role("heading", name=f"Continue as {otter}?")).to_be_visible()
    button(other, "Continue").tap()
    expect(other).to_have_url(AT_A_TABLE)
    assert sorted(Player(other).holds()) == hand
    other.goto(f"/join/{code}/")
    other.get_by_role("link", name="Someone else").tap()
    owl = my_name(other)
    assert owl not in {otter, fox}
    button(other, "Come in").tap()
    expect(other.locator("#phrase")).to_be_visible()
    # Nobody sees two hands of one deal: the owl sits elsewhere, and that table is not theirs.
    expect(otter_plays.my_seat).to_have_count(0)
    assert page.goto(f"/class/{session}/")
    expect(page.locator(".my-name")).to_have_text(owl)
    other.get_by_text("Somebody else needs this device").tap()
    button(other, "I am done").tap()
    expect(other.get_by_text("This device has forgotten you.")).to_be_visible()
    nothing = page.get_by_text("There is nothing here for you")
    expect(nothing.or_(page.get_by_text("This page is over. Load it again."))).to_be_visible()

    # The phrase brings the first one back, elsewhere, to the same seat and hand.
    tablet = watched.new_page()
    tablet.goto(f"/join/{code}/")
    tablet.get_by_role("link", name="I have been here before").click()
    tablet.get_by_label("Your rejoin phrase").fill(phrase.upper())
    button(tablet, "Come in").click()
    expect(tablet).to_have_url(AT_A_TABLE)
    back = Player(tablet)
    expect(back.my_seat).to_contain_text(otter)
    assert sorted(back.holds()) == hand


def tab_to(page: Page, goal: Locator) -> None:
    """Go there by the Tab key alone."""
    for _ in range(20):
        page.keyboard.press("Tab")
        if goal.evaluate("element => element === document.activeElement"):
            return
    pytest.fail("the keyboard does not get there")


def test_a_lost_phrase_and_a_session_not_yet_open(watched: Watched, server: Server) -> None:
    code = by_services(server, "answer = a_classroom(name='7c').code")
    page = watched.new_page(viewport=PHONE)
    page.goto(f"/join/{code}/")
    expect(page.get_by_text("has not opened a session yet")).to_be_visible()
    session, name = by_services(
        server,
        f"session = a_session(Classroom.objects.get(code={code!r}))",
        "answer = [session.pk, students_in(session, 1)[0].name]",
    )
    expect(button(page, "Come in")).to_be_visible()  # it looked again by itself
    page.get_by_role("link", name="I have been here before").click()
    page.get_by_role("link", name="I lost my phrase").click()
    page.get_by_label("Which name did you have?").fill(name.lower())
    button(page, "Ask my teacher").click()
    expect(page.get_by_role("heading", name=f"let you in as {name}")).to_be_visible()
    by_services(
        server,
        f"(request, *_who), = load_session({session}).requests",
        f"joining.answer_request(session_id={session}, request_id=request, granted=True)",
    )
    expect(page).to_have_url(re.compile(f"/class/{session}/$"))
    expect(page.locator(".my-name")).to_have_text(name)


def test_a_page_goes_where_its_student_belongs(
    watched: Watched, server: Server, new_wire: Callable[[], Wire]
) -> None:
    """A tablet slept while its student was sent out."""
    watched.expected = CONNECTION_ERRORS
    wire = new_wire()
    session, student, key = by_services(
        server,
        "session, (student,) = playing(1, pace=10.0)",
        "answer = [session.pk, student.pk, device_key(student, session)]",
    )
    context = watched.new_context(base_url=wire.base)
    context.add_cookies([{"name": "student", "value": key, "url": wire.base}])
    page = context.new_page()
    page.goto(f"/class/{session}/")
    expect(page).to_have_url(AT_A_TABLE)
    expect(page.locator("#hand .card")).to_have_count(8)
    wire.cut()
    expect(page.locator("#connection")).to_contain_text("Connection lost")
    by_services(server, f"joining.send_out(session_id={session}, student_id={student})")
    wire.mend()
    expect(page.get_by_text("Your teacher has sent you out.")).to_be_visible()
    page.get_by_role("link", name="Come back").click()
    button(page, "Continue").click()
    expect(page).to_have_url(AT_A_TABLE)
    expect(page.locator("#hand .card")).to_have_count(8)


def test_every_state(watched: Watched, server: Server) -> None:
    watched.expected = ("the server responded with a status of 4",)
    inspector = Inspector()
    context = watched.new_context()
    page = context.new_page()

    def look(state: str, address: str = "", key: str = "") -> None:
        if key:
            context.add_cookies([{"name": "student", "value": key, "url": server.base}])
        if address:
            page.goto(address)
        inspector.look(page, state)

    states = by_services(server, *STATES)
    code = states["code"]
    look("the code", "/join/")
    look("a wrong code", "/join/?code=hello")
    look("no session", f"/join/{states['unopened']}/")
    look("locked", f"/join/{states['locked']}/")
    look("a new name", f"/join/{code}/")
    look("the phrase asked", f"/join/{code}/?step=before")
    page.get_by_label("Your rejoin phrase").fill("not these words")
    button(page, "Come in").click()
    expect(page.get_by_text("Nobody here has that phrase.")).to_be_visible()
    look("a wrong phrase")
    look("the name asked", f"/join/{code}/?step=lost")
    page.get_by_label("Which name did you have?").fill(states["name"])
    button(page, "Ask my teacher").click()
    look("the teacher asked")
    context.clear_cookies()
    look("the teacher said no", f"/join/{code}/?step=asked")
    come_in(page, code)
    look("the phrase shown")
    look("a known device", f"/join/{code}/")
    button(page, "Continue").click()
    page.goto("/join/?done")
    look("done")
    for state, (session, key) in states["lobbies"].items():
        look(state, f"/class/{session}/", key)
        expect(page.locator("#lobby")).to_have_attribute("data-moment", state)
    for state, (table, key) in states["tables"].items():
        look(f"at the table, {state}", f"/tables/{table}/", key)
    inspector.approves()


STATES = """
lobbies, tables = {}, {}

def a_lobby(moment, people=1, began=True, **settings):
    session = a_session(a_classroom(name=f"8 {moment}"), **settings)
    students = students_in(session, people)
    if began:
        steering.start(session_id=session.pk)
    lobbies[moment] = session.pk, device_key(students[0], session)
    return session, students, load_session(session.pk).tables

session, students, _ = a_lobby("here", 12, began=False)
code, name = session.classroom.code, students[1].name
session, students, _ = a_lobby("asking", began=False)
students[0].attendances.update(state="asking")
session, students, _ = a_lobby("seated", 9, began=False)
forming.form_tables(session_id=session.pk)
session, students, _ = a_lobby("playing", 3)
# Or the page would go there by itself.
from games.models import Table
session, students, found = a_lobby("paused", 2)
steering.pause_room(session_id=session.pk, paused=True)
tables["paused"] = found[0], lobbies["paused"][1]
session, students, found = a_lobby("over", 8, rounds=1, watching=True)
mine = next(known for known in load_session(session.pk).students if known.pk == students[0].pk)
finish(mine.table)
tables["over"] = mine.table, lobbies["over"][1]
session, students, found = a_lobby("all_over", 2, rounds=1)
finish(found[0])
session, students, found = a_lobby("waiting", 4, seating="by_hand", watching=True)
late = joining.join(session=session, name="Patient Puffin")
lobbies["waiting"] = session.pk, device_key(late, session)
session, students, found = a_lobby("table_closed", 8)
mine = next(known for known in load_session(session.pk).students if known.pk == students[0].pk)
steering.close_table(session_id=session.pk, table_id=mine.table)
tables["closed"] = mine.table, lobbies["table_closed"][1]
session, students, found = a_lobby("removed")
joining.send_out(session_id=session.pk, student_id=students[0].pk)
session, students, found = a_lobby("barred")
joining.send_out(session_id=session.pk, student_id=students[0].pk, bar=True)
session, students, found = a_lobby("closed", 3, rounds=2)
play(found[0], by=lambda seat: {"student_id": load_table(found[0]).seats[seat].student_id})
closing.close_session(session_id=session.pk)
session = a_session(a_classroom(name="8 held"), held=True)
students = students_in(session, 2)
steering.start(session_id=session.pk)
table = load_session(session.pk).tables[0]
play(table)
tables["held"] = table, device_key(students[0], session)
session = a_session(a_classroom(name="8 clock"), clock=600.0, seats=2)
students = students_in(session, 2)
steering.start(session_id=session.pk)
tables["clock"] = load_session(session.pk).tables[0], device_key(students[0], session)
session = a_session(a_classroom(name="8 locked"))
sessions.set_flags(session_id=session.pk, locked=True)
lobbies.pop("playing")
answer = {
    "code": code, "name": name, "unopened": a_classroom(name="8 unopened").code,
    "locked": session.classroom.code, "lobbies": lobbies, "tables": tables,
}
""".splitlines()

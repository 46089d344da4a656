"""A teacher's pages in a real browser: the form, the cockpit, the panel, the projector."""

from __future__ import annotations

import json
import re
import secrets
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.conftest import Watched
from tests.e2e.test_access import Inspector
from tests.server import Server

TEACHER = """
import json
from importlib import import_module
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from xactika_site.accounts.models import User
from xactika_site.classrooms import services
teacher = User.objects.create_user({username!r})
store = import_module(settings.SESSION_ENGINE).SessionStore()
store[SESSION_KEY] = str(teacher.pk)
store[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
store[HASH_SESSION_KEY] = teacher.get_session_auth_hash()
store.create()
room = services.open_classroom(name={name!r}, teacher=teacher)
print(json.dumps({{"cookie": store.session_key, "classroom": room.pk}}))
"""
STUDENTS = """
from django.utils import timezone
from games.classes import joining, sessions
from xactika_site.classrooms import services
from xactika_site.classrooms.models import ClassSession, Student
session = ClassSession.objects.get(pk={session})
Student.objects.create(
    classroom=session.classroom, name="Absent Owl", last_here=timezone.localdate()
)
for name in {names!r}:
    joining.join(session=session, name=name)
sessions.set_flags(session_id=session.pk, needs_approval=True)
session.refresh_from_db()
joining.join(session=session, name="Asking Ant")
services.ask_to_return(session=session, name="Absent Owl")
"""
ASKING = """
from games.classes import joining, sessions
from games.models import Result, Seat
from xactika_site.classrooms.models import ClassSession
session = ClassSession.objects.get(pk={session})
for seat in Seat.objects.filter(table__class_session=session, student__isnull=False):
    played = Result.objects.filter(deal__table=seat.table_id, seat=seat.number)
    played.update(by_person=True, student=seat.student_id)  # as if no bot had
joining.join(session=session, name="Asking Bee")
sessions.set_flags(session_id=session.pk, locked=True)
"""
GONE = """
from datetime import timedelta
from django.utils import timezone
from games.models import Seat, Table
from xactika_site.classrooms.models import Attendance
then = timezone.now() - timedelta(minutes=5)
Seat.objects.filter(table__class_session={session}).update(last_seen=then)
Attendance.objects.filter(class_session={session}).update(last_seen=then)
"""
NAMES = ["Quiet Otter", "Brave Bison", "Keen Heron", "Calm Swan", "Merry Seal", "Kind Oak"]


def new_teacher(server: Server, classroom: str) -> dict[str, Any]:
    """A teacher, who is another each time (a test that is tried again finds what its first try
    left), and a classroom: its number, and the cookie of who is signed in."""
    script = TEACHER.format(name=classroom, username=secrets.token_hex(8))
    made: dict[str, Any] = json.loads(server.manage("shell", "--no-imports", "-c", script))
    return made


def as_teacher(server: Server, watched: Watched, name: str) -> tuple[Page, Page, int]:
    """Two pages of a new teacher's, each in a window of its own (Chromium lets a page wait for
    seconds that lies behind another), and the classroom."""
    made = new_teacher(server, name)
    return (
        teachers_page(server, watched, made["cookie"]),
        teachers_page(server, watched, made["cookie"]),
        made["classroom"],
    )


def teachers_page(server: Server, watched: Watched, cookie: str) -> Page:
    context = watched.new_context(viewport={"width": 1366, "height": 768}, base_url=server.base)
    context.add_cookies([{"name": "sessionid", "value": cookie, "url": server.base}])
    return context.new_page()


def open_session(page: Page, classroom: int) -> int:
    """Open a session by the form as it stands; its number."""
    page.goto(f"/teach/classrooms/{classroom}/session/")
    page.get_by_role("button", name="Open the session").click()
    expect(page.locator("#room")).to_contain_text("Lobby open")
    return int(page.url.rstrip("/").rpartition("/")[2])


def header_of(page: Page) -> dict[int, list[tuple[int, int]]]:
    """Where the header's rows and what is below it are, on a wide screen and on a phone; of the
    buttons, which differ, where they end."""
    was, places = page.viewport_size, {}
    expect(page.locator("#room")).not_to_have_attribute("data-state", "lobby")
    for width, height in ((390, 844), (1366, 768)):
        page.set_viewport_size({"width": width, "height": height})
        rows = {
            row: page.locator(row).bounding_box()
            for row in ("#room h1", "#room .counts", "#room .acts", ".tools", "#help")
        }
        places[width] = [
            (round(box["x"] + (box["width"] if row == "#room .acts" else 0)), round(box["y"]))
            for row, box in rows.items()
            if box
        ]
    if was:
        page.set_viewport_size(was)
    return places


def test_a_session_from_form_to_end(watched: Watched, server: Server) -> None:
    inspector = Inspector()
    page, wall, classroom = as_teacher(server, watched, "7b")
    page.goto(f"/teach/classrooms/{classroom}/session/")
    expect(page.locator("#minutes")).to_contain_text("17 minutes")
    page.get_by_label("Rounds").select_option("8")
    expect(page.locator("#minutes")).to_contain_text("35 minutes")
    page.locator("summary").click()
    page.get_by_label("Pace of the bots").select_option("Instant")
    inspector.look(page, "the form, all of it")
    page.get_by_role("button", name="Open the session").click()
    inspector.look(page, "the cockpit, empty")

    session = int(page.url.rstrip("/").rpartition("/")[2])
    wall.goto(f"/teach/sessions/{session}/projector/")
    server.manage("shell", "--no-imports", "-c", STUDENTS.format(session=session, names=NAMES))
    room = page.locator("#room")
    expect(room).to_contain_text("6 here")
    expect(wall.locator("#wall-here")).to_contain_text("6 are here")
    inspector.look(page, "the cockpit, lobby")
    inspector.look(wall, "the wall, lobby")
    page.set_viewport_size({"width": 1366, "height": 768})

    page.get_by_role("button", name="Yes Asking Ant").click()
    expect(room).to_contain_text("7 here")
    page.get_by_role("button", name="Form tables first").click()
    tiles = page.locator("#tables > .tile")
    expect(tiles).to_have_count(2)  # without a reload
    expect(tiles.first.locator(".sitters li")).to_have_count(4)
    expect(wall.locator("#wall-stage")).to_have_attribute("data-stage", "seats")
    inspector.look(wall, "the wall, who sits where")
    page.get_by_role("link", name="Who sits together").click()
    inspector.look(page, "who sits together")
    page.get_by_role("button", name="Form these tables").click()
    page.set_viewport_size({"width": 1366, "height": 768})
    page.get_by_role("button", name="Start the game").focus()
    page.keyboard.press("Enter")
    expect(room).to_contain_text("Playing")
    expect(room).to_be_focused()  # the button is gone, its place is not
    expect(wall.locator("#wall-stage")).to_have_attribute("data-stage", "play")
    inspector.look(wall, "the wall, play")
    header = header_of(page)
    server.manage("shell", "--no-imports", "-c", GONE.format(session=session))
    expect(page.locator("#help")).to_contain_text("is away and has the turn")
    inspector.look(page, "the cockpit, tables that need help")

    page.set_viewport_size({"width": 1366, "height": 768})
    page.get_by_role("button", name="Pause the room").press("Enter")
    expect(room).to_contain_text("Paused")
    expect(page.get_by_role("button", name="Go on")).to_be_focused()
    expect(wall.locator("#wall-stage")).to_have_attribute("data-stage", "pause")
    inspector.look(page, "the cockpit, paused")
    assert header_of(page) == header
    inspector.look(wall, "the wall, paused")
    page.get_by_role("button", name="More").click()
    hold = page.get_by_role("button", name="Hold every next round for me")
    hold.press("Enter")
    expect(hold).to_have_attribute("aria-pressed", "true")
    expect(hold).to_be_focused()
    page.keyboard.press("Escape")
    # All devices are away: bots stand in, and play to the end of the round at once.
    page.get_by_role("button", name="Go on").click()
    expect(wall.locator("#wall-stage")).to_have_attribute("data-stage", "round")
    inspector.look(wall, "the wall, a round over")
    expect(room).to_contain_text("Next round now")
    expect(wall.locator("#wall-standings")).to_have_count(0)  # bots have played it all
    assert header_of(page) == header
    server.manage("shell", "--no-imports", "-c", ASKING.format(session=session))
    expect(room).to_contain_text("2 asking to come in")
    assert header_of(page) == header
    page.get_by_role("button", name="More").click()
    expect(wall.locator("#wall-standings .whose").first).to_be_visible()
    page.get_by_role("button", name="Show names on the projector").click()
    expect(wall.locator("#wall-standings")).to_contain_text("The best of each table")
    expect(wall.locator(".whose")).to_have_count(0)
    inspector.look(page, "the cockpit, its sheet open")
    page.get_by_role("button", name="Finish all games after this round").click()
    expect(wall.locator("#wall-stage")).to_have_attribute("data-stage", "game")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Close the session").click()
    inspector.look(page, "the cockpit, about to close")
    page.get_by_role("button", name="Close it for good").click()
    expect(wall.locator("#wall-stage")).to_have_attribute("data-stage", "end")
    expect(room).to_contain_text("Closed")
    expect(page.locator("#sheet-close")).to_be_hidden()
    inspector.look(page, "the cockpit, closed")
    inspector.look(wall, "the wall, the end")
    inspector.approves()


def test_the_panel_by_keyboard(watched: Watched, server: Server) -> None:
    inspector = Inspector()
    page, second, classroom = as_teacher(server, watched, "8a")
    session = open_session(page, classroom)
    server.manage(
        "shell", "--no-imports", "-c", STUDENTS.format(session=session, names=NAMES[:4])
    )
    expect(page.locator("#room")).to_contain_text("4 here")
    page.get_by_role("button", name="Start the game").click()
    tile = page.locator("#tables").get_by_role("link", name="Table 1", exact=True)
    tile.focus()
    page.keyboard.press("Enter")
    panel = page.locator("#panel")
    expect(panel.get_by_role("heading", name="Table 1")).to_be_focused()
    inspector.look(page, "the panel of a table")
    button = panel.get_by_role("button", name=re.compile("A bot plays")).first
    button.focus()
    page.keyboard.press("Enter")
    back = panel.get_by_role("button", name="Hand back").first
    expect(back).to_be_focused()  # where the hand was
    # What happens meanwhile leaves the panel as it is.
    page.evaluate("document.querySelector('#panel-title').dataset.same = 'yes'")
    second.goto(f"/teach/sessions/{session}/")
    second.get_by_role("button", name="Lock the lobby").click()
    expect(page.locator("#room")).to_contain_text("(locked)")
    expect(panel.locator("#panel-title")).to_have_attribute("data-same", "yes")
    expect(back).to_be_focused()
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(tile).to_be_focused()
    # Closed before it is shown what was done in it, the panel does not come up again.
    page.keyboard.press("Enter")
    held: list[Route] = []
    page.route("**/tables/**", lambda route: held.append(route))
    with page.expect_request("**/tables/**"):
        panel.get_by_role("button", name="Pause this table").click()
    page.keyboard.press("Escape")
    with page.expect_response("**/tables/**"):
        held.pop().continue_()
    page.unroute("**/tables/**")
    expect(page.locator("#help")).to_contain_text("is paused")
    expect(panel).to_be_hidden()
    page.get_by_role("button", name="Go on Table 1").click()
    expect(page.locator("#help")).not_to_contain_text("is paused")
    tile.focus()
    # A refusal is told where one looks: the other teacher has just closed the session.
    page.keyboard.press("Enter")
    expect(back).to_be_visible()
    second.get_by_role("button", name="Close the session").click()
    second.get_by_role("button", name="Close it for good").click()
    expect(page.locator("#room")).to_contain_text("Closed")
    panel.get_by_role("button", name="Pause this table").click()
    expect(panel.locator("#panel-notice")).to_have_text("This session is closed.")
    inspector.look(page, "the panel, refused")
    inspector.approves()


SEND_OUT = """
from games.classes import joining
from games.classes.state import load_session
from games.tables.state import load_table
first = load_table(load_session({session}).tables[0])
joining.send_out(session_id={session}, student_id=first.people[0].student_id)
"""


def test_what_is_said_goes_with_its_reason(watched: Watched, server: Server) -> None:
    page, _second, classroom = as_teacher(server, watched, "10d")
    session = open_session(page, classroom)
    page.goto(f"/teach/sessions/{session}/settings/")
    page.get_by_label("Seats per table").select_option("2")
    page.get_by_label("The same cards at every table").check()
    page.locator("summary").click()
    # A file that is too long is not even sent, and all else stays chosen.
    upload = page.get_by_label("Prepared cards")
    too_long = {
        "name": "deals.json",
        "mimeType": "application/json",
        "buffer": b" " * 2_000_000,
    }
    upload.set_input_files(too_long)
    line = page.get_by_text("A file of deals is at most 100 KB long.")
    expect(line).to_be_visible()
    page.get_by_role("button", name="Save").click()
    expect(line).to_be_visible()
    upload.set_input_files([])
    expect(line).to_be_hidden()
    page.get_by_role("button", name="Save").click()
    notice = page.locator("#cockpit > .notice")
    expect(notice).to_have_text("Saved.")
    page.reload()
    expect(page.locator("#room")).to_contain_text("Lobby open")
    expect(notice).to_be_empty()
    page.get_by_role("button", name="More").click()
    page.get_by_label("Students expected").fill("50")
    page.get_by_role("button", name="Set", exact=True).click()
    expect(page.locator("#sheet-session").get_by_role("status")).to_have_text("Saved.")
    page.keyboard.press("Escape")

    server.manage("shell", "--no-imports", "-c", STUDENTS.format(session=session, names=NAMES))
    page.get_by_role("button", name="Form tables first").click()
    page.locator("#tables").get_by_role("link", name="Table 1", exact=True).click()
    panel = page.locator("#panel")
    panel.locator("summary", has_text="From another table").click()
    panel.locator("details .acts button").last.click()
    refusal = panel.locator("#panel-notice")
    expect(refusal).to_have_text("Table 1 has no free seat.")
    server.manage("shell", "--no-imports", "-c", SEND_OUT.format(session=session))
    expect(refusal).to_be_empty()  # now there is one, and no button tells


def test_whoever_is_sent_out_is_told_at_once(watched: Watched, server: Server) -> None:
    page, _second, classroom = as_teacher(server, watched, "9c")
    open_session(page, classroom)
    code = (page.locator("#room .code").text_content() or "").replace(" ", "")
    phone = watched.new_page(viewport={"width": 390, "height": 844}, has_touch=True)
    phone.goto(f"/join/{code}/")
    phone.get_by_role("button", name="Come in").tap()
    phone.get_by_role("button", name="I have written it down").tap()
    page.get_by_role("button", name="Start the game").click()
    expect(phone.locator("#hand .card")).to_have_count(8)  # the page went there by itself
    page.locator("#tables").get_by_role("link", name="Table 1", exact=True).click()
    page.get_by_role("button", name="Pause this table").click()
    expect(phone.locator("#prompt")).to_contain_text("You have nothing to do.")
    hand = phone.locator("#hand").bounding_box()
    assert hand is not None
    assert hand["y"] + hand["height"] <= 844  # nothing was pushed off the screen
    page.locator("#panel summary", has_text="Send out").click()
    page.get_by_role("button", name=re.compile("Send .* out")).click()
    expect(phone.get_by_text("Your teacher has sent you out.")).to_be_visible()
    phone.get_by_role("link", name="Come back").tap()
    phone.get_by_role("button", name="Continue").tap()
    expect(phone.locator("#hand .card")).to_have_count(8)


@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
def test_the_cockpit_works_without_script(
    watched: Watched, server: Server, script: bool
) -> None:
    made = new_teacher(server, f"no script {script}")
    context = watched.new_context(java_script_enabled=script)
    context.add_cookies([{"name": "sessionid", "value": made["cookie"], "url": server.base}])
    page = context.new_page()
    session = open_session(page, made["classroom"])
    server.manage(
        "shell", "--no-imports", "-c", STUDENTS.format(session=session, names=NAMES[:3])
    )
    page.reload()
    page.get_by_role("button", name="Start the game").click()
    expect(page.locator("#room")).to_contain_text("Playing")
    page.locator("#tables").get_by_role("link", name="Table 1", exact=True).click()
    page.locator(".panel-seats summary", has_text="Send out").first.click()
    page.get_by_role("button", name=re.compile("Send .* out")).first.click()
    expect(page.locator(".panel-seats")).to_contain_text("bot")

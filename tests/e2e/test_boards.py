"""A board of a duplicate session in a real browser: waiting, the common reveal, the spread."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import expect

from tests.e2e.conftest import Watched
from tests.e2e.test_access import Inspector
from tests.e2e.test_cockpit import as_teacher
from tests.server import Server

BEGIN = """
import json
from games.classes import joining, sessions, steering
from games.classes.state import load_session
from games.models import SessionSettings
from tests.games.classes.test_sessions import by_their_student
from tests.games.table import play
from xactika_site.classrooms.models import Classroom, Student
from xactika_site.classrooms.selectors import device_key
session = sessions.open_session(
    classroom=Classroom.objects.get(pk={classroom}),
    settings=SessionSettings(
        variant="bid", rounds=2, duplicate=True, seating="arrival", pace=0.0
    ),
)
for name in {names!r}:
    joining.join(session=session, name=name)
sessions.set_flags(session_id=session.pk, names_hidden=True)
steering.start(session_id=session.pk)
room = load_session(session.pk)
for table in room.tables[:-1]:
    play(table, by=by_their_student(table))
me = next(known for known in room.here if known.table == room.tables[0])
student = Student.objects.get(pk=me.pk)
print(json.dumps({{
    "session": session.pk, "tables": room.tables, "name": student.name,
    "cookie": device_key(student, session), "seat": me.seat,
}}))
"""
NAMES = [
    f"{first} {last}" for first in ("Calm", "Keen", "Kind") for last in ("Oak", "Owl", "Elm")
]


def shell(server: Server, code: str) -> Any:
    """What a piece of code prints as JSON, run where the server's data is."""
    said = server.manage("shell", "--no-imports", "-c", code)
    return json.loads(said) if said.strip() else None


def test_waiting_reveal_and_spread(watched: Watched, server: Server) -> None:
    inspector = Inspector()
    cockpit, wall, classroom = as_teacher(server, watched, "boards")
    facts = shell(server, BEGIN.format(classroom=classroom, names=NAMES))
    context = watched.new_context(viewport={"width": 390, "height": 844})
    context.add_cookies([{"name": "student", "value": facts["cookie"], "url": server.base}])
    mine = context.new_page()
    mine.goto(f"/tables/{facts['tables'][0]}/")
    cockpit.goto(f"/teach/sessions/{facts['session']}/")
    wall.goto(f"/teach/sessions/{facts['session']}/projector/")

    prompt = mine.locator("#prompt")
    expect(prompt).to_contain_text("1 table still plays these cards")
    expect(mine.get_by_role("button", name="Next round")).to_have_count(0)
    expect(mine.locator("#elsewhere")).to_have_count(0)
    mine.get_by_role("button", name="Tricks").click()
    expect(mine.locator("#revealed .card")).to_have_count(0)
    mine.keyboard.press("Escape")
    expect(wall.locator("#wall-stage svg")).to_have_count(0)
    inspector.look(mine, "waiting for the other tables")

    expect(cockpit.locator("#help")).to_contain_text("is away and has the turn")
    cockpit.get_by_role("button", name="Bots finish it Table 3").click()
    expect(cockpit.locator("#board")).to_contain_text("Standings after board 1")

    elsewhere = mine.locator("#elsewhere")
    expect(elsewhere).to_contain_text("3 tables played this hand")
    expect(elsewhere.locator("circle")).to_have_count(3)
    expect(elsewhere.locator("circle.mine")).to_have_count(1)
    expect(elsewhere.locator("tbody tr")).to_have_count(3)
    expect(elsewhere.locator("tbody tr.me")).to_contain_text(facts["name"])
    # The keyboard reaches the table of numbers.
    numbers = elsewhere.get_by_role("group", name="The same hand, table by table")
    for _press in range(40):
        mine.keyboard.press("Tab")
        if numbers.evaluate("it => it === document.activeElement"):
            break
    expect(numbers).to_be_focused()
    inspector.look(mine, "the same hand elsewhere")

    strips = wall.locator("#wall-figures .strips .pile")
    expect(strips).to_have_count(4)
    wall.set_viewport_size({"width": 1920, "height": 1080})
    for box in [strip.bounding_box() for strip in strips.all()]:
        assert box is not None
        assert box["y"] + box["height"] <= 1080
    expect(wall.locator("#wall-standings")).to_contain_text("nobody is ahead for better cards")
    assert not any(name in wall.content() for name in NAMES)
    inspector.look(wall, "the wall, a board over")

    cockpit.get_by_role("link", name="All hands of board 1").click()
    expect(cockpit.locator("#panel svg")).to_have_count(4)
    inspector.look(cockpit, "the cockpit, all hands of a board")
    inspector.approves()

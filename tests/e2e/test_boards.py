"""A board of a duplicate session in a real browser: waiting, the common reveal, the spread."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.scenes.browser import (
    PHONE,
    SCREEN,
    Inspector,
    Keyboard,
    Watched,
    as_teacher,
    by_services,
)
from tests.server import Server

# Two tables of three have played the board; at the third who has the turn is long away.
BEGIN = """
from datetime import timedelta
from django.utils import timezone
from games.models import Seat
from tests.scenes.by_students import by_their_student
from xactika_site.classrooms.models import Attendance
room = Classroom.objects.get(pk={classroom})
session = a_session(room, rounds=2, duplicate=True, seating="arrival")
for name in {names!r}:
    joining.join(session=session, name=name)
sessions.set_flags(session_id=session.pk, names_hidden=True)
steering.start(session_id=session.pk)
state = load_session(session.pk)
for table in state.tables[:-1]:
    play(table, by=by_their_student(table))
then = timezone.now() - timedelta(minutes=5)
last = load_table(state.tables[-1])
away = last.seats[last.to_move].student_id
Seat.objects.filter(student=away).update(last_seen=then)
Attendance.objects.filter(student=away).update(last_seen=then)
me = next(known for known in state.here if known.table == state.tables[0])
student = Student.objects.get(pk=me.pk)
answer = dict(session=session.pk, table=state.tables[0], name=student.name,
              cookie=device_key(student, session))
"""
NAMES = [
    f"{first} {last}" for first in ("Calm", "Keen", "Kind") for last in ("Oak", "Owl", "Elm")
]


def test_waiting_reveal_and_spread(watched: Watched, server: Server) -> None:
    inspector = Inspector()
    cockpit, wall, classroom = as_teacher(server, watched, "boards")
    begin = BEGIN.format(classroom=classroom, names=NAMES)
    facts = by_services(server, *begin.splitlines())
    mine = watched.new_page(("student", facts["cookie"]), viewport=PHONE)
    mine.goto(f"/tables/{facts['table']}/")
    cockpit.goto(f"/teach/sessions/{facts['session']}/")
    wall.set_viewport_size(SCREEN)
    wall.goto(f"/teach/sessions/{facts['session']}/projector/")

    expect(mine.locator("#prompt")).to_contain_text("Tables still playing these cards: 1")
    expect(mine.get_by_role("button", name="Next round")).to_have_count(0)
    expect(mine.locator("#elsewhere")).to_have_count(0)
    mine.get_by_role("button", name="Tricks").click()
    expect(mine.locator("#revealed .card")).to_have_count(0)
    mine.keyboard.press("Escape")
    expect(wall.locator("#wall-stage svg")).to_have_count(0)
    inspector.look(mine, "waiting for the other tables")

    expect(cockpit.locator("#help")).to_contain_text("is away and has the turn")
    cockpit.get_by_role("button", name="Bots finish this board Table 3").click()
    expect(cockpit.locator("#board")).to_contain_text("Standings")

    elsewhere = mine.locator("#elsewhere")
    expect(elsewhere).to_contain_text("3 tables with this hand")
    expect(elsewhere.locator("circle")).to_have_count(3)
    expect(elsewhere.locator("circle.mine")).to_have_count(1)
    expect(elsewhere.locator("tbody tr")).to_have_count(3)
    expect(elsewhere.locator("tbody tr.me")).to_contain_text(facts["name"])
    # The keyboard reaches the table of numbers.
    Keyboard(mine).go_to(elsewhere.get_by_role("group", name="The same cards at every table"))
    inspector.look(mine, "the same hand elsewhere")

    strips = wall.locator("#wall-figures .strips .pile")
    expect(strips).to_have_count(4)
    for box in [strip.bounding_box() for strip in strips.all()]:
        assert box is not None
        assert box["y"] + box["height"] <= SCREEN["height"]
    expect(wall.locator("#wall-standings")).to_contain_text("Fair score: points minus")
    assert not any(name in wall.content() for name in NAMES)
    inspector.look(wall, "the wall, a board over")

    cockpit.get_by_role("link", name="All hands of board 1").click()
    expect(cockpit.locator("#panel svg")).to_have_count(4)
    inspector.look(cockpit, "the cockpit, all hands of a board")
    inspector.approves()

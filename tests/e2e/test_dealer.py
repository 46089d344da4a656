"""A teacher gives a class of 24 dealers of its own; one student plans, looks and says by
keyboard what theirs is, and the wall counts the two kinds of error."""

from __future__ import annotations

from playwright.sync_api import expect

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

THE_OTHERS = """
from random import Random
from games.models import DealerTrial
from lessons.crooked import trial
from lessons.crooked.dealing import DealerKind
study, rng = DealerTrial.objects.latest("pk"), Random(3)
for student in study.class_session.classroom.students.order_by("pk")[1:]:
    trial.plan(trial=study, student=student, deals=rng.choice(trial.PLANS))
    own = study.dealers.get(student=student)
    for looked in range(0, own.planned, trial.STEP):
        trial.look(dealer=own, looked=looked)
    trial.answer(dealer=own, verdict=rng.choice([own.kind, *DealerKind]), sure=60)
"""


def test_a_class_looks_for_its_crooked_dealers(watched: Watched, server: Server) -> None:
    inspector = Inspector()
    watched.expected = ("htmx:", "ERR_INTERNET_DISCONNECTED", "WebSocket")
    page, wall, classroom = as_teacher(server, watched, "7q")
    session = open_session(page, classroom)
    cookies = students_come(server, session, CLASS)
    student = watched.new_page(("student", cookies[0]), viewport=PHONE)
    wall.set_viewport_size({"width": 1920, "height": 1080})
    wall.goto(f"/teach/sessions/{session}/projector/")
    student.goto(f"/class/{session}/")
    expect(student.locator(".my-name")).to_be_visible()

    # Two presses; the device and the wall come along.
    page.get_by_role("link", name="Lesson", exact=True).click()
    button(page, "Find the crooked dealers").click()
    expect(wall.get_by_text("0 of 24 have answered")).to_be_visible()
    expect(student.get_by_role("heading", name="Is your dealer crooked?")).to_be_visible()
    inspector.look(student, "a plan")
    student.get_by_label("20 deals", exact=False).focus()
    student.keyboard.press("Space")
    button(student, "Begin").press("Enter")
    for press, seen in (("Deal ten", "10"), ("Deal ten", "20")):
        button(student, press).press("Enter")
        expect(student.get_by_text(f"Averages of {seen} deals.").first).to_be_visible()
    inspector.look(student, "all deals")
    student.get_by_label("Your dealer:").select_option("few 3s of cones")
    student.get_by_label("How sure are you?").select_option("70")
    button(student, "That’s my answer").press("Enter")
    expect(student.get_by_text("Wait for the others")).to_be_visible()
    second = watched.new_page(("student", cookies[0]))  # another device of the same student
    second.goto(f"/class/{session}/")
    expect(second.get_by_text("Wait for the others")).to_be_visible()
    touching = watched.new_page(("student", cookies[1]), viewport=PHONE)
    touching.goto(f"/class/{session}/")
    touching.get_by_label("10 deals", exact=False).check()
    button(touching, "Begin").click()
    button(touching, "Deal ten").click()
    expect(touching.get_by_text("Averages of 10 deals.").first).to_be_visible()
    by_services(server, *THE_OTHERS.splitlines())
    asleep = watched.new_page(("student", cookies[2]), viewport=PHONE)
    asleep.goto(f"/class/{session}/")
    expect(asleep.get_by_text("Wait for the others")).to_be_visible()
    asleep.wait_for_load_state("networkidle")
    asleep.context.set_offline(True)
    expect(wall.get_by_text("24 of 24 have answered")).to_be_visible()
    inspector.look(wall, "counted")
    inspector.look(page, "to tell")

    # Told: the same four boxes everywhere, twelve dealers in each row.
    button(page, "Tell what each dealer was").click()
    asleep.context.set_offline(False)
    for each in (page, wall, student, second, touching, asleep):
        rows = each.locator(".boxes tr:has(.box)")
        expect(rows).to_have_count(2)
        for n in range(2):
            expect(rows.nth(n).locator("i")).to_have_count(12)
    expect(student.locator(".told").first).to_contain_text("shuffles twice")
    inspector.look(student, "told on a phone")
    inspector.look(wall, "told on the wall")
    inspector.look(page, "told to the teacher")
    button(page, "Back to the game").click()
    expect(student.locator(".my-name")).to_be_visible()
    expect(wall.locator("#wall")).to_be_visible()
    page.goto(f"/teach/sessions/{session}/results/")
    expect(page.get_by_text("Could we tell a crooked dealer?").first).to_be_attached()
    inspector.approves()

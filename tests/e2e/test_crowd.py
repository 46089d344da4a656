"""A class of 24 beside its median: they have played the same boards and said how sure they
were, guess how many of them are farther off, and see it on the wall and on their phones."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.scenes.browser import (
    PHONE,
    SCREEN,
    Inspector,
    Watched,
    as_teacher,
    by_services,
    open_session,
    students_come,
)
from tests.server import Server

CLASS = [f"Quiet Otter {number}" for number in range(1, 25)]

BOARDS = """
from random import Random
from games.classes import steering
from games.models import Deal, Seat, SessionSettings
from lessons.models import Forecast
from tests.scenes.by_students import finish_round
from xactika_site.classrooms.models import ClassSession
session = ClassSession.objects.latest("pk")
wishes = SessionSettings.objects.filter(class_session=session)
wishes.update(duplicate=True, seats=4, rounds=5)
steering.start(session_id=session.pk)
rng = Random(3)
for board in range(5):
    if board:
        steering.deal_next_round(session_id=session.pk)
    finish_round(session, rng)
for deal in Deal.objects.filter(table__class_session=session).order_by("pk"):
    for seat in Seat.objects.filter(table=deal.table_id).order_by("number"):
        cuts = sorted(rng.randrange(101) for _ in range(8))
        percents = [b - a for a, b in zip([0, *cuts], [*cuts, 100], strict=True)]
        Forecast.objects.create(
            deal=deal, seat=seat.number, student_id=seat.student_id, percents=percents)
"""

FARTHER = """
from collections import defaultdict
from statistics import mean, median
from games.models import Result
from lessons.models import Forecast
from xactika_site.classrooms.models import ClassSession
session = ClassSession.objects.latest("pk")
said = defaultdict(list)
for row in Forecast.objects.filter(deal__table__class_session=session).select_related("deal"):
    took = Result.objects.get(deal=row.deal, seat=row.seat).taken
    tricks = sum(n * share / 100 for n, share in enumerate(row.percents))
    said[row.deal.board, row.seat].append((row.student_id, tricks, took))
off = defaultdict(list)
for guesses in said.values():
    middle = median(tricks for _who, tricks, _took in guesses)
    for who, tricks, took in guesses:
        off[who].append((abs(tricks - took), abs(middle - took)))
answer = sum(mean(a for a, _b in own) > mean(b for _a, b in own) + 1e-9 for own in off.values())
"""


def test_a_class_beside_its_median(watched: Watched, server: Server) -> None:
    inspector = Inspector()
    page, wall, classroom = as_teacher(server, watched, "10c")
    session = open_session(page, classroom)
    phones = [
        watched.new_page(("student", cookie), viewport=PHONE)
        for cookie in students_come(server, session, CLASS)[:4]
    ]
    by_services(server, *BOARDS.splitlines())
    farther = by_services(server, *FARTHER.splitlines())
    assert 12 < farther < 24

    # In lesson 10 they guess first; nothing of it is told before the teacher opens it.
    page.goto(f"/teach/sessions/{session}/lesson/")
    page.locator("button[value='hold:what-a-bid-tells']").click()
    wall.set_viewport_size(SCREEN)
    wall.goto(f"/teach/sessions/{session}/projector/")
    steps = page.locator("li:has(button)")
    steps.filter(has_text="The middle of us all").get_by_role("button").click()
    for phone in phones:
        phone.goto(f"/class/{session}/")
        expect(phone.get_by_role("heading", level=1)).to_have_text("The middle of us all")
    for phone in phones[:3]:
        phone.locator(".options .choice", has_text="Two thirds or more").click()
        phone.get_by_role("button", name="Lock in my prediction").click()
        expect(phone.locator(".locked")).to_be_visible()
    told = f"the median beat {farther} of 24 students"
    assert not any(told in each.content() for each in (wall, *phones))
    steps.filter(has_text="Errors that cancel").get_by_role("button").click()
    for each in (wall, *phones):
        expect(each.get_by_role("heading", level=1)).to_have_text("Errors that cancel")
        expect(each.get_by_text(told)).to_be_visible()
        assert "Quiet Otter" not in each.locator("main").inner_text()
    inspector.look(wall, "the class beside its median, on the wall")
    inspector.look(phones[0], "and on a phone")

    # The teacher has it among the class's figures, over the weeks.
    page.goto(f"/teach/classrooms/{classroom}/results/")
    expect(page.get_by_text(told).first).to_be_attached()
    inspector.approves()

"""A class is tested before and after: 24 students, three weeks apart, some of them in real
browsers, one asleep, one late; what the page says is recomputed from its file."""

from __future__ import annotations

import csv
import os
from collections import defaultdict
from io import StringIO

from playwright.sync_api import Page, expect

from tests.scenes.browser import (
    PHONE,
    Inspector,
    Watched,
    as_teacher,
    button,
    by_services,
    follow,
    open_session,
    students_come,
)
from tests.server import Server

REAL = 6 if os.environ.get("XACTIKA_SOAK") else 3
CLASS = [f"Quiet Otter {number}" for number in range(1, 25)]

SIT = """
from random import Random
from lessons.models import Assessment
from tests.scenes.assessments import by_chance, sit
assessment = Assessment.objects.latest("pk")
rng = Random({seed})
for student in assessment.classroom.students.order_by("pk")[{real}:{last}]:
    sit(assessment, student, by_chance({share} + (student.pk % 3) / 10, rng))
"""
WEEKS_LATER = """
from datetime import timedelta
from lessons.models import Assessment
from lessons.visits import holding
from xactika_site.classrooms.models import ClassSession
assessment = Assessment.objects.latest("pk")
long_ago = timedelta(weeks=3)
Assessment.objects.filter(pk=assessment.pk).update(
    first_opened=assessment.first_opened - long_ago,
    first_closed=assessment.first_closed - long_ago)
session = ClassSession.objects.get(classroom=assessment.classroom_id)
for slug in ("sample-space", assessment.lesson):
    holding.hold(session=session, slug=slug)
    holding.end_lesson(session=session)
"""


def answer_all(page: Page, *, up_to: int = 99) -> None:
    """Answer by keyboard: "I don’t know" to all that cannot be chosen."""
    expect(page.locator("button[name=unknown]")).to_be_visible()  # the test has come
    for _question in range(up_to):
        if not page.locator("button[name=unknown]").count():
            return
        choice = page.locator(".question-fields input[type=radio]").first
        if choice.count() and not page.locator(".question-fields input[type=text]").count():
            choice.focus()
            page.keyboard.press("Space")
        page.locator("button[name=unknown]").focus()
        with page.expect_navigation():
            page.keyboard.press("Enter")


def test_a_class_before_and_after(watched: Watched, server: Server) -> None:
    inspector = Inspector()
    watched.expected = ("htmx:", "ERR_INTERNET_DISCONNECTED")
    page, _other, classroom = as_teacher(server, watched, "7t")
    session = open_session(page, classroom)
    cookies = students_come(server, session, CLASS[:-1])
    asleep, *others = (
        watched.new_page(("student", cookie), viewport=PHONE) for cookie in cookies[: REAL - 1]
    )
    for each in (asleep, *others):
        each.goto(f"/class/{session}/")

    # Two presses from the class's page; everybody in the lobby is brought along.
    page.goto(f"/teach/classrooms/{classroom}/")
    follow(page.get_by_role("link", name="Before-and-after test"))
    inspector.look(page, "opening")
    page.get_by_label("About").select_option("the-lead")
    button(page, "Open the first test").click()
    for each in (asleep, *others):
        expect(each.get_by_role("heading", name="First test")).to_be_visible()
    inspector.look(asleep, "a test to begin")
    for each in (asleep, *others):
        follow(button(each, "Begin"))
    inspector.look(asleep, "a question of a test")
    answer_all(asleep, up_to=6)
    asleep.context.set_offline(True)
    for each in others:
        answer_all(each)
        expect(each.get_by_text("All done")).to_be_visible()
    by_services(server, *SIT.format(seed=1, real=REAL - 1, last=23, share=0.3).splitlines())
    expect(page.locator(".counts")).to_contain_text("22 of 23 done")
    inspector.look(page, "running")

    # Somebody comes late, and goes on with the others.
    late = watched.new_page(("student", students_come(server, session, CLASS[-1:])[0]))
    late.goto(f"/class/{session}/")
    button(late, "Begin").click()
    answer_all(late)
    expect(late.get_by_text("All done")).to_be_visible()

    # The one who was asleep goes on where they were, then the bell rings.
    asleep.context.set_offline(False)
    answer_all(asleep, up_to=1)
    expect(asleep.locator(".places .answered")).to_have_count(7)
    button(page, "Close the test").click()
    expect(asleep.get_by_text("The test has closed")).to_be_visible()
    inspector.look(page, "between")

    by_services(server, *WEEKS_LATER.splitlines())
    page.reload()
    expect(page.get_by_text("Time for the second test")).to_be_visible()
    button(page, "Open the second test").click()
    for each in (asleep, *others, late):
        expect(each.get_by_role("heading", name="Second test")).to_be_visible()
    button(asleep, "Begin").click()
    answer_all(asleep)
    by_services(server, *SIT.format(seed=2, real=0, last=23, share=0.6).splitlines())
    button(page, "Close the test").click()
    expect(page.get_by_role("heading", name="Have we learnt?")).to_be_visible()
    inspector.look(page, "results")
    expect(late.get_by_role("heading", name="Before-and-after test")).to_be_visible()
    inspector.look(late, "what was right")

    with page.expect_download() as download:
        page.get_by_role("link", name="Download the answers").click()
    text = download.value.path().read_text(encoding="utf-8-sig")
    mean = gain_in(text, length=10)
    expect(page.locator("#gain .summary")).to_contain_text(f"Yes. The gain is +{mean:.1f} of")
    inspector.approves()


def gain_in(text: str, *, length: int) -> float:
    """What the class gained, by the lines of the file alone, in questions."""
    _head, *lines = csv.reader(StringIO(text))
    right: dict[tuple[str, str], int] = defaultdict(int)
    answered: dict[tuple[str, str], int] = defaultdict(int)
    first_form: dict[str, str] = {}
    for student, test, form, _number, _type, is_answered, is_right, _mistakes in lines:
        right[student, test] += int(is_right)
        answered[student, test] += int(is_answered)
        if test == "1":
            first_form[student] = form
    gains = defaultdict(list)
    for student, form in first_form.items():
        if all(2 * answered[student, test] >= length for test in "12"):
            gains[form].append(right[student, "2"] - right[student, "1"])
    return sum(sum(each) / len(each) for each in gains.values()) / 2

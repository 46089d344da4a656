"""Lesson 10 on its pages: an estimate first, then strips; which bot is it, and how sure."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from lessons.course import StepKind, lesson
from lessons.course.suspects import SUSPECTS, culprit, watched_rounds
from lessons.models import Commitment, LessonRun, Visit
from lessons.results.archive.tables import tables
from lessons.visits.ways import runs_of, seed_of
from tests.games.classroom import device_of, students_in
from tests.scenes.lessons import leading, text_of

pytestmark = pytest.mark.django_db
SLUG = "what-a-bid-tells"
PLACES = {step.name: n for n, step in enumerate(lesson(SLUG).steps, start=1)}


def page(browser: Client, name: str) -> str:
    return text_of(browser.get(f"/lessons/{SLUG}/?step={PLACES[name]}"))


def predict(browser: Client, name: str, **form: str) -> int:
    form = {"step": f"{PLACES[name]}", "do": "predict", **form}
    return browser.post(f"/lessons/{SLUG}/do/", form).status_code


def walk_to(browser: Client, name: str) -> None:
    """Alone, with any prediction on the way."""
    for step in lesson(SLUG).steps[: PLACES[name] - 1]:
        if step.kind is StepKind.PREDICT:
            predict(browser, step.name, value="1", sure="50")


def test_ones_own_estimate_comes_first_and_stays(client: Client) -> None:
    assert "1.49" not in page(client, "ones")
    assert "1.49" not in page(client, "ones-told")
    assert predict(client, "ones", value="2.25") == 302
    assert predict(client, "ones", value="1.49") == 302
    told = page(client, "ones-told")
    assert "You said 2.25 cards" in told
    assert "It is 1.49 cards" in told
    assert "Ada · 2.67 on average before, 1.49 after" in told


@pytest.mark.parametrize("sure", [None, "", "19", "101", "-5", "abc", "6e9", "5" * 5000])
def test_how_sure_one_is_must_be_said(client: Client, sure: str | None) -> None:
    walk_to(client, "early")
    form = {} if sure is None else {"sure": sure}
    assert predict(client, "early", value="0", **form) == 422
    assert not Commitment.objects.filter(step="early").exists()
    assert predict(client, "early", value="0", sure="20") == 302
    assert Commitment.objects.get(step="early").value == {"choice": 0, "sure": 20}
    assert "You’re 20% sure." in page(client, "early")


def test_alone_everybody_has_a_bot_of_their_own_which_stays(client: Client) -> None:
    walk_to(client, "late")
    visit = Visit.objects.get()
    bids = [each.bid for each in watched_rounds(seed_of(None, visit))]
    row = re.compile(r"<td><b>(\d)</b></td>")
    for _again in range(2):
        shown = client.get(f"/lessons/{SLUG}/?step={PLACES['late']}").text
        assert [int(bid) for bid in row.findall(shown)] == bids
    early = client.get(f"/lessons/{SLUG}/?step={PLACES['early']}").text
    assert [int(bid) for bid in row.findall(early)] == bids[:2]
    right = SUSPECTS.index(culprit(seed_of(None, visit)))
    assert "chance after round" not in page(client, "late")
    predict(client, "late", value=f"{right}", sure="90")
    told = page(client, "late-told")
    assert "(90% sure) ✓" in told.replace("\u00a0", " ")
    assert "chance after round" in told


def test_a_room_has_one_bot_and_learns_how_sure_it_may_be() -> None:
    session, browser, lead = leading(SLUG)
    devices = [device_of(student, session) for student in students_in(session, 6)]
    browser.post(lead, {"do": f"open:{PLACES['early']}"})
    run = LessonRun.objects.get()
    pages = [each.get(f"/lessons/{SLUG}/?step={PLACES['early']}") for each in devices[:2]]
    seen = [re.search(r"<table class=\"watched\".*?</table>", p.text, re.DOTALL) for p in pages]
    assert seen[0][0] == seen[1][0]  # type: ignore[index]
    assert seen[0][0] in browser.get(f"{lead}wall/").text  # type: ignore[index]
    right = SUSPECTS.index(culprit(seed_of(run, None)))
    for n, each in enumerate(devices):
        sure, value = ("90", right) if n < 3 else ("30", (right + 1) % 5)
        assert predict(each, "early", value=f"{value}", sure=sure) == 302
    browser.post(lead, {"do": f"open:{PLACES['late']}"})
    wall = browser.get(f"{lead}wall/")
    assert 'class="watched"' not in wall.text  # twenty rounds are on everybody's own device
    assert 'class="true"' not in wall.text
    assert 'class="watched"' in devices[0].get(f"/lessons/{SLUG}/").text
    browser.post(lead, {"do": f"open:{PLACES['early-told']}"})
    for told in (text_of(browser.get(f"{lead}wall/")), text_of(browser.get(lead))):
        assert "80 to 100% sure: 3 of 3 right" in told
        assert "0 to 49% sure: 0 of 3 right" in told
    (_place, _run, settled) = runs_of(session)[0]
    step = settled.steps[PLACES["late"] - 1]
    assert [each.is_right for each in step.statements].index(True) == right
    archived = {table.name: list(table.rows) for table in tables(session)}["steps"]
    assert (
        sorted(row["true"] for row in archived if row["name"] == "early") == [0] * 3 + [1] * 3
    )


def test_of_fewer_than_five_nothing_is_told_of_how_sure_they_were() -> None:
    session, browser, lead = leading(SLUG)
    devices = [device_of(student, session) for student in students_in(session, 4)]
    browser.post(lead, {"do": f"open:{PLACES['early']}"})
    for each in devices:
        predict(each, "early", value="0", sure="90")
    browser.post(lead, {"do": f"open:{PLACES['early-told']}"})
    assert "% sure:" not in text_of(browser.get(f"{lead}wall/"))
    assert "% sure:" not in page(devices[0], "early-told")

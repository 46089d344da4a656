"""A contest of rules with a class: handed in, locked, played on the same boards, explained."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from django.test import Client

from games import analysis
from games.analysis.workshop import WIKIPEDIA, Rule
from lessons.course.contest import SLUG, NoNumber, as_stored, handed_in, stored_rule
from lessons.models import Commitment
from lessons.results.dataset import dataset_of_session
from lessons.results.taught.taught_lessons import taught_lessons
from lessons.visits import standings
from lessons.visits.ways import runs_of
from tests.games.classroom import a_session, device_of, signed_in, students_in
from tests.kernel import load_or_skip
from tests.scenes import present
from tests.scenes.lessons import leading, text_of

load_or_skip()
pytestmark = pytest.mark.django_db

TIP = {"high": "1", "ten": "0.5", "nine": "0.5", "single": "0", "few": "0"}
GOOD = {**TIP, "few": "0.4"}


def hand_in(browser: Client, numbers: dict[str, str]) -> int:
    form = {"step": "1", "do": "predict", **numbers}
    return browser.post(f"/lessons/{SLUG}/do/", form).status_code


def test_what_is_not_allowed_goes_to_the_nearest_and_is_named() -> None:
    typed = {"high": "7", "ten": "0,62", "nine": "−3", "single": "–0.5", "few": "0.4"}
    rule, moved = handed_in(typed)
    assert rule == Rule(high=1.5, ten=0.6, nine=0, single=-0.5, few=0.4)
    assert moved == ("high", "ten", "nine")
    assert handed_in(TIP) == (WIKIPEDIA, ())
    assert stored_rule(as_stored(rule)) == rule
    assert stored_rule({"high": 99, "luck": 3}) == replace(WIKIPEDIA, high=1.5)


@pytest.mark.parametrize("text", ["", "one", "nan", "inf", "1e999", "0.5.5", "½"])
def test_what_is_no_number_is_told_and_not_handed_in(client: Client, text: str) -> None:
    with pytest.raises(NoNumber):
        handed_in({**TIP, "ten": text})
    form = {"step": "1", "do": "predict", **TIP, "ten": text}
    answer = client.post(f"/lessons/{SLUG}/do/", form)
    assert answer.status_code == 422
    assert "A 10 is worth: write a number, like 0.5." in answer.text
    assert not Commitment.objects.exists()


def test_alone_a_rule_is_held_against_the_tips(client: Client) -> None:
    assert 'value="0.50"' in client.get(f"/lessons/{SLUG}/").text
    assert hand_in(client, {**GOOD, "high": "9"}) == 302
    assert hand_in(client, TIP) == 302
    (kept,) = Commitment.objects.all()
    assert kept.value["rule"]["high"] == 1.5  # the first one stays
    mine = text_of(client.get(f"/lessons/{SLUG}/?step=1"))
    assert "1.50 That rule isn’t allowed. This is the nearest one." in mine
    told = text_of(client.get(f"/lessons/{SLUG}/?step=2"))
    assert "Tip B" in told
    assert "Tip A" in told
    assert "yours" in told


def test_a_class_hands_in_and_sees_who_is_ahead() -> None:
    session = a_session()
    browser = signed_in(session.classroom.teachers.get())
    lead = f"/teach/sessions/{session.pk}/lesson/"
    assert f'value="hold:{SLUG}"' in browser.get(lead).text
    browser.post(lead, {"do": f"hold:{SLUG}"})
    students = students_in(session, 6)
    devices = [device_of(student, session) for student in students]
    rules = [GOOD, GOOD, TIP, {**TIP, "high": "0"}, {**TIP, "nine": "1.5"}]
    for each, numbers in zip(devices, rules, strict=False):
        assert hand_in(each, numbers) == 302
    wall = text_of(browser.get(f"{lead}wall/"))
    assert re.search(r"Done: 5 of 6", wall)
    assert "Points a round" not in wall
    browser.post(lead, {"do": "open:2"})
    wall = text_of(browser.get(f"{lead}wall/"))
    assert re.search(r"Rule 1 is ahead: 0\.\d{3} points a round, and 0\.\d{3} on fresh", wall)
    assert "by 2 students" in wall
    assert re.search(r"−0\.\d{3} ± 0\.\d{3}", wall.replace("\u00a0", " "))
    assert not any(student.name in wall for student in students)
    own = text_of(devices[0].get(f"/lessons/{SLUG}/?step=2"))
    assert "✓ yours" in own
    assert re.search(r"total would have been 8: [1-9]\d+", own)
    assert "would have been 8" not in wall
    assert hand_in(devices[5], GOOD) in (302, 422)  # too late
    assert Commitment.objects.count() == 5
    assert runs_of(session) == []
    assert taught_lessons(session, dataset_of_session(session)) == ()


def test_three_groups_are_enough() -> None:
    """A rule is handed in to be shown: of few, too, and without a name."""
    session, browser, lead = leading(SLUG)
    for student in students_in(session, 3):
        hand_in(device_of(student, session), GOOD)
    for told in (text_of(browser.get(lead)), text_of(browser.get(f"{lead}wall/"))):
        assert "predictions on" not in told
        assert "from 5 on" not in told
    assert "Take no more answers" in text_of(browser.get(lead))
    browser.post(lead, {"do": "open:2"})
    for told in (text_of(browser.get(lead)), text_of(browser.get(f"{lead}wall/"))):
        assert "by 3 students" in told
        assert "from 5 on" not in told


def test_a_wall_has_room_for_the_best_and_the_tips() -> None:
    rules = tuple(Rule(high=n / 20) for n in range(18))
    found = present(standings.standings(rules, "run 1", rules[3]))
    assert len(found.rows) == 20
    assert len(found.top) == standings.MOST_ROWS
    assert {"Tip B", "Tip A"} <= {row.name for row in found.top}
    assert [row.is_mine for row in found.rows].count(True) == 1


def test_nobody_needs_to_hand_anything_in() -> None:
    found = present(standings.standings((), "run 1", None))
    assert len(found.rows) == 2


def test_without_the_kernel_it_says_so(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    hand_in(client, {**GOOD, "ten": "0.55"})
    monkeypatch.setattr(analysis, "ready", lambda: False)
    assert "can’t play the boards right now" in text_of(client.get(f"/lessons/{SLUG}/?step=2"))

"""Dealers put before a class: nothing of what they are before it is told, one answer each,
errors counted by other code."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from random import Random
from typing import Any

import pytest
from django.db.models import QuerySet
from django.test import Client

from games import polls
from games.classes import closing, steering
from games.models import Dealer, DealerTrial
from games.tables import seats
from lessons.crooked import trial as trials
from lessons.crooked.dealing import SUSPECTS, DealerKind, deal
from lessons.crooked.trial import answers_of
from lessons.results.points.asked_panels import dealer_panel
from tests.games.classroom import (
    a_session,
    a_teacher,
    device_of,
    playing,
    signed_in,
    students_in,
)
from tests.scenes import present
from xactika_site.classrooms.models import ClassSession, Student
from xactika_site.classrooms.services import Refused

pytestmark = pytest.mark.django_db


class Scene:
    """A class with dealers put before it."""

    def __init__(self, students: int) -> None:
        self.session = a_session()
        self.students = students_in(self.session, students)
        self.teacher = signed_in(self.session.classroom.teachers.get())
        self.lead = f"/teach/sessions/{self.session.pk}/dealers/"
        self.here = f"/class/{self.session.pk}/dealer/"
        self.wall = f"/teach/sessions/{self.session.pk}/lesson/wall/"
        assert self.teacher.post(self.lead, {"do": "begin"}).status_code == 302
        self.trial = present(trials.open_trial(self.session.pk))

    @property
    def dealers(self) -> QuerySet[Dealer]:
        return self.trial.dealers.order_by("pk")

    def device(self, student: Student) -> Client:
        return device_of(student, self.session, Client())

    def send(self, device: Client, do: str, **sent: Any) -> int:
        return device.post(self.here, {"do": do, "trial": self.trial.pk, **sent}).status_code

    def plays(self, student: Student, deals: int, verdict: str, sure: int) -> None:
        """This student's whole way, at a device."""
        device = self.device(student)
        self.send(device, "plan", deals=deals)
        for looked in range(0, deals, 10):
            self.send(device, "look", looked=looked)
        assert self.send(device, "answer", verdict=verdict, sure=sure) == 302

    def does(self, do: str) -> None:
        self.teacher.post(self.lead, {"do": do, "trial": self.trial.pk})
        self.trial.refresh_from_db()


def page(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return re.sub(r'(csrfmiddlewaretoken" value|nonce)="[^"]*"', "", answer.text)


def test_a_class_counts_its_two_kinds_of_error() -> None:
    scene, rng = Scene(12), Random(5)
    for number, student in enumerate(scene.students):
        verdict = rng.choice([*DealerKind, DealerKind.HONEST])
        scene.plays(student, (10, 20)[number % 2], verdict, 60)
    rows = list(scene.dealers.values("kind", "verdict", "planned", "looked"))
    assert sum(row["kind"] != "honest" for row in rows) == 6
    assert all(row["planned"] == row["looked"] for row in rows)
    scene.does("told")
    misses = [row for row in rows if row["kind"] != "honest" and row["verdict"] == "honest"]
    alarms = [row for row in rows if row["kind"] == "honest" and row["verdict"] != "honest"]
    wall = scene.teacher.get(scene.wall).text
    said = " ".join(wall.split())
    assert f"missed (type II errors): {len(misses)} of 6" in said
    assert f"Honest dealers accused (type I errors): {len(alarms)} of 6" in said
    boxes = [
        len(box) for box in re.findall(r'"votes" aria-hidden="true">((?:<i></i>)*)<', wall)
    ]
    assert [n // 7 for n in boxes] == [
        6 - len(misses), len(misses), len(alarms), 6 - len(alarms),
    ]  # fmt: skip
    panel = present(dealer_panel(answers_of(scene.session)))
    *by_plan, _all = present(panel.grid).rows
    assert len(by_plan) == 2
    for planned, hits, false, _power in by_plan:
        own = [row for row in rows if str(row["planned"]) == planned]
        caught = [row for row in own if row["kind"] == row["verdict"] != "honest"]
        wrong = [row for row in own if row["kind"] == "honest" != row["verdict"]]
        assert (getattr(hits, "some", 0), getattr(false, "some", 0)) == (
            len(caught),
            len(wrong),
        )
    names = [student.name for student in scene.students]
    assert not [name for name in names if name in wall]


def test_what_a_dealer_is_reaches_nobody_before_it_is_told() -> None:
    """At every step, in the end of each kind: dealers that have dealt the same are the same to
    the byte, to their student, to the others, to the teacher, on the wall, in the results."""
    scene = Scene(6)
    asks = scene.device(scene.students[0])
    deals = [deal(DealerKind.HONEST, Random(n)) for n in range(20)]
    export = f"/teach/students/{scene.students[0].pk}/answers.jsonl"

    def seen() -> list[str]:
        addresses = (
            *(scene.lead, scene.wall, f"/teach/sessions/{scene.session.pk}/results/"),
            export,
        )
        other = page(scene.device(scene.students[1]), scene.here)
        return [page(asks, scene.here), other, *(page(scene.teacher, at) for at in addresses)]

    def is_secret(
        kinds: Iterable[DealerKind] = (DealerKind.HONEST, DealerKind.SEAT_2, DealerKind.STAR),
    ) -> bool:
        views = []
        for kind in kinds:
            scene.dealers.update(kind=kind)
            views.append(seen())
        return all(view == views[0] for view in views)

    for student in scene.students:
        scene.send(scene.device(student), "plan", deals=20)
    scene.dealers.update(deals=deals)
    assert is_secret()
    for student in scene.students[1:]:
        for looked in (0, 10):
            scene.send(scene.device(student), "look", looked=looked)
        scene.send(scene.device(student), "answer", verdict="seat-2", sure=70)
    scene.send(asks, "look", looked=0)
    shown = page(asks, scene.here)
    # Nor do deals that are still to come.
    scene.dealers.filter(looked=10).update(deals=deals[:10] + deals[:10])
    assert page(asks, scene.here) == shown
    assert is_secret()
    scene.send(asks, "look", looked=10)
    assert is_secret()
    scene.send(asks, "answer", verdict="honest", sure=10)
    assert is_secret(DealerKind)
    assert scene.teacher.get(export).content == b""
    scene.does("told")
    row = json.loads(scene.teacher.get(export).content)
    assert [row[key] for key in ("dealer", "planned", "looked", "verdict", "sure")] == [
        *(list(DealerKind)[-1], 20, 20, "honest", 10)
    ]
    scene.does("told")
    assert not is_secret()


def test_a_plan_holds_and_the_first_answer_counts() -> None:
    """On whichever device, with whatever page; rubbish is refused."""
    scene = Scene(5)
    one, other = (scene.device(scene.students[0]) for _n in range(2))
    assert scene.send(one, "plan", deals=30) == 404
    assert scene.send(one, "look", looked=0) == 302
    assert not scene.dealers.exists()
    scene.send(one, "plan", deals=20)
    scene.send(other, "plan", deals=40)
    for device in (one, other):
        scene.send(device, "look", looked=0)  # both pages are of before the first deal
    scene.send(other, "answer", verdict="honest", sure=50)
    dealer = scene.dealers.get()
    assert (dealer.planned, dealer.looked, dealer.verdict) == (20, 10, "")
    for looked in (10, 20, 20):
        scene.send(one, "look", looked=looked)
    assert scene.send(one, "answer", verdict="seat-9", sure=50) == 409
    assert scene.send(one, "answer", verdict="cone", sure=55) == 409
    scene.send(one, "answer", verdict="cone", sure=50)
    scene.send(other, "answer", verdict="honest", sure=90)
    dealer.refresh_from_db()
    assert (dealer.looked, dealer.verdict, dealer.sure) == (20, "cone", 50)
    assert "few 3s of cones" in page(other, scene.here)
    other.post(scene.here, {"do": "plan", "trial": scene.trial.pk + 1, "deals": 10})
    assert scene.dealers.count() == 1


def test_told_ends_the_answers_and_who_comes_late_is_told_so() -> None:
    scene = Scene(6)
    for student in scene.students[:4]:
        scene.plays(student, 10, "honest", 80)
    late = scene.device(scene.students[4])
    scene.send(late, "plan", deals=10)
    scene.does("told")
    assert scene.send(late, "look", looked=0) == 409
    assert "Your dealer:" in page(late, scene.here)
    never = scene.device(scene.students[5])
    assert scene.send(never, "plan", deals=10) == 409
    assert "Your dealer:" not in page(never, scene.here)
    assert scene.dealers.count() == 5
    first = page(scene.device(scene.students[0]), scene.here)
    assert ("Right!" in first) == (present(scene.dealers.first()).kind == "honest")
    # Of four answers nobody sees what they were.
    assert "Figures are shown from five answers on." in first
    assert dealer_panel(answers_of(scene.session)) is None


@pytest.mark.parametrize("how", ["ended", "close"])
def test_ended_in_the_middle_the_results_have_what_was_finished(how: str) -> None:
    scene = Scene(8)
    for student in scene.students[:5]:
        scene.plays(student, 10, "honest", 80)
    device = scene.device(scene.students[6])
    scene.send(device, "plan", deals=20)
    results = f"/teach/sessions/{scene.session.pk}/results/"
    assert "crooked dealer" not in scene.teacher.get(results).text
    if how == "ended":
        scene.does("ended")
    else:
        closing.close_session(session_id=scene.session.pk)
    assert trials.open_trial(scene.session.pk) is None
    back = device.get(scene.here, headers={"HX-Request": "true"})
    assert back.headers["HX-Redirect"] == f"/class/{scene.session.pk}/"
    assert scene.send(device, "look", looked=0) == 302
    assert "Could we tell a crooked dealer?" in scene.teacher.get(results).text
    assert len(answers_of(ClassSession.objects.get(pk=scene.session.pk))) == 5


@pytest.mark.parametrize(
    ("sizes", "shown"),
    [
        ((8, 9, 5), "10 20 40"), ((8, 9, 0), "10 20"), ((8, 9, 4), "20"), ((6, 4, 4), "10"),
        ((9, 1, 1), ""), ((7, 3, 2), "10"), ((5, 0, 0), "10"), ((5, 1, 0), ""),
    ],
)  # fmt: skip
def test_no_group_of_fewer_than_five_is_the_rest(sizes: tuple[int, ...], shown: str) -> None:
    plans = [plan for plan, size in zip(trials.PLANS, sizes, strict=True) for _n in range(size)]
    dealers = [Dealer(kind="cone", verdict="ball", planned=plan, sure=0) for plan in plans]
    panel = present(dealer_panel(dealers))
    seen = [str(row[0]) for row in present(panel.grid).rows]
    assert seen == [*shown.split(), "All"]
    assert not 0 < sum(str(plan) not in seen for plan in plans) < 5
    assert f"Accused of something else: {len(dealers)}." in panel.summary


def test_deleting_a_student_cuts_the_link_and_keeps_the_count() -> None:
    scene = Scene(5)
    for student in scene.students:
        scene.plays(student, 10, "honest", 80)
    seats.remove_student(student=scene.students[0])
    assert present(scene.dealers.first()).student is None
    assert "<b>5</b> of 5 have answered" in " ".join(page(scene.teacher, scene.wall).split())


def test_devices_come_along_unless_their_round_goes_on() -> None:
    session, students = playing(8)
    trials.begin(session=session)
    device = device_of(students[0], session)
    told = device.get(f"/class/{session.pk}/lesson/").text
    assert f"/class/{session.pk}/dealer/" in told
    assert "Is your dealer crooked?" in told
    steering.pause_room(session_id=session.pk, paused=True)
    address = device.get(f"/class/{session.pk}/lesson/").headers["HX-Redirect"]
    assert address == f"/class/{session.pk}/dealer/"


def test_another_teacher_finds_nothing_and_a_closed_session_begins_nothing() -> None:
    scene = Scene(5)
    another = signed_in(a_teacher("another"))
    for do in ("begin", "told", "ended"):
        assert another.post(scene.lead, {"do": do, "trial": scene.trial.pk}).status_code == 404
    assert scene.teacher.post(scene.lead, {"do": "x"}).status_code == 404
    scene.does("begin")  # twice is harmless
    scene.teacher.post(scene.lead, {"do": "ended", "trial": scene.trial.pk + 1})
    assert trials.open_trial(scene.session.pk) == scene.trial
    closing.close_session(session_id=scene.session.pk)
    with pytest.raises(Refused):
        trials.begin(session=scene.session)
    assert scene.teacher.post(scene.lead, {"do": "begin"}).status_code == 302
    assert DealerTrial.objects.count() == 1


def test_each_page_begins_with_the_games_own_cards() -> None:
    """Never in counted play: said first, before and after; nor does any game know the room
    (import-linter: games import no lessons)."""
    scene = Scene(5)

    def pages() -> Iterable[str]:
        yield page(scene.device(scene.students[0]), scene.here)
        yield page(scene.teacher, scene.lead)
        yield page(scene.teacher, scene.wall)

    for _stage in range(2):
        for shown in pages():
            said = "Games always deal honestly"
            assert " ".join(shown.split()).count(f"Only a study. {said}") == 1
        scene.does("told")
    assert polls.open_poll(scene.session.pk) is None
    assert len(SUSPECTS) == 8

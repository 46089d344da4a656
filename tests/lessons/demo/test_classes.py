"""The demo class: simulated, flagged, whole, and made only once."""

from __future__ import annotations

import json
import os
import re
import sys
from calendar import SUNDAY
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from games.keeping import export
from games.models import Deal, Move, Result, Table
from games.tables import results
from lessons.demo import classes
from lessons.demo.assessed import not_on_a_sunday
from lessons.models import Answer, Assessment, ClassExercise, Question
from lessons.questions.forecasts import played_forecasts
from lessons.visits.crowd import EXAMPLE, crowd_in
from tests.games.classroom import (
    a_classroom,
    a_session,
    a_teacher,
    device_of,
    picture,
    playing,
    signed_in,
    students_in,
)
from tests.lessons.results import archived
from tests.python import python
from tests.scenes import SOAK, present
from tests.scenes.by_students import play_by_students
from tests.scenes.results import answered
from xactika_site import command
from xactika_site.accounts.models import User
from xactika_site.classrooms.models import Classroom, ClassSession, Student


def run() -> tuple[str, str]:
    """User name and password as ``manage.py demo`` prints them."""
    out = StringIO()
    call_command("demo", stdout=out, stderr=StringIO())
    name, password = re.findall(r"(?:user name|password)\s+(\S+)", out.getvalue())
    return name, password


@pytest.mark.django_db
def test_the_demo_is_whole_flagged_and_made_only_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half the class has the same sessions and figures; in the long checks it is all."""
    if not SOAK:
        monkeypatch.setattr(classes, "STUDENTS", 12)
    name, password = run()
    classroom = Classroom.objects.get()
    sessions = list(ClassSession.objects.order_by("created"))
    assert classroom.demo
    assert [session.state for session in sessions] == ["closed"] * 3
    assert Student.objects.count() == classes.STUDENTS
    missed = Student.objects.exclude(attendances__class_session=sessions[-1])
    assert missed.count() == classes.PLANS[-1].absent
    last = timezone.localdate(sessions[-1].created)
    (test,) = Assessment.objects.all()
    held = [*(each.created for each in sessions), test.first_opened, test.second_opened]
    assert SUNDAY not in {timezone.localtime(moment).weekday() for moment in held if moment}
    sunday = datetime(2026, 11, 29, 12, tzinfo=UTC)
    assert not_on_a_sunday(sunday) == sunday - timedelta(days=1)
    assert not_on_a_sunday(sunday + timedelta(days=1)) == sunday + timedelta(days=1)
    assert present(test.first_opened) < sessions[0].created
    assert all(each.last_here < last for each in missed)
    # Every move is as legal as anybody's, and what was derived from them is right.
    assert results.rebuild_results(check_only=True) == (
        Deal.objects.filter(results__seat=0).count(),
        [],
    )
    people = Result.objects.filter(by_person=True)
    assert people.count() > 8 * classes.STUDENTS
    assert people.filter(student=None).count() == 0
    assert Move.objects.filter(mover="bot").exists()
    # The bell has rung in the middle of one round.
    assert Deal.objects.filter(results=None).count() == 1
    assert Answer.objects.filter(right=True).exists()
    assert Answer.objects.exclude(misconceptions=[]).exists()
    assert ClassExercise.objects.count() == 3
    assert 0 < Question.objects.values("student").distinct().count() <= classes.STUDENTS
    # Signed in with what was printed, every page says what it is.
    browser = Client()
    browser.post("/teach/login/", {"username": name, "password": password})
    cockpit = f"/teach/sessions/{sessions[0].pk}/"
    pages = ["/teach/", f"/teach/classrooms/{classroom.pk}/", cockpit]
    for page in pages:
        assert "simulated" in browser.get(page).text, page
    # Every figure of its results is what the notebook makes of the data that leave with it.
    found = set().union(*(archived.check(each, tmp_path / str(each.pk)) for each in sessions))
    assert {
        "standings-1", "calibration", "bias", "forecasts", "bids-and-tricks", "points", "tip",
        "leads", "hands", "same-hand", "skills", "misconceptions", "exercises", "standards",
        "students", "predictions", "lesson-1-steps", "lesson-1-step-1", "lesson-1-step-3",
    } <= found  # fmt: skip
    if SOAK:  # what lessons show where there is no class
        crowd = crowd_in(classroom, played_forecasts(classroom))
        assert crowd[1:] == EXAMPLE[1:]
        for each, shown in zip(crowd.members, EXAMPLE.members, strict=True):
            assert (round(each.own, 3), round(each.median, 3)) == shown[2:4]
    # Again: nothing but the password changes, and what an earlier version made of its cards.
    before = Move.objects.count()
    tables = Table.objects.filter(class_session__in=sessions)
    tables.update(prepared=[{"dealer": 0}])
    own = present(tables.first())
    own.pk, own.class_session = "its-teachers", a_session(classroom)
    own.save(force_insert=True)
    again, other = run()
    assert not tables.exclude(prepared=None).exists()
    assert Table.objects.get(pk="its-teachers").prepared
    assert again == name
    assert other != password
    assert Move.objects.count() == before
    assert not User.objects.get(username=name).check_password(password)


@pytest.mark.django_db
def test_wherever_a_demo_class_is_named_it_says_so_but_not_on_the_wall() -> None:
    session = a_session(rounds=1)
    (student,) = students_in(session, 1)
    Classroom.objects.update(demo=True)
    teacher = signed_in(session.classroom.teachers.get())
    room, at = session.classroom_id, f"/teach/sessions/{session.pk}/"
    pages = [
        (Client(), f"/join/{session.classroom.code}/"),
        (device_of(student, session), f"/class/{session.pk}/"),
        (device_of(student, session), f"/class/{session.pk}/results/"),
        *(
            (teacher, page)
            for page in (
                "/teach/",
                f"/teach/classrooms/{room}/",
                f"/teach/classrooms/{room}/sheet/",
                f"/teach/classrooms/{room}/results/",
                f"/teach/classrooms/{room}/learning/",
                f"/teach/students/{student.pk}/results/",
                f"/teach/students/{student.pk}/delete/",
                at,
                f"{at}results/",
                f"{at}learning/",
                f"{at}lesson/",
                f"{at}exercise/",
                f"{at}settings/",
                f"{at}delete/",
            )
        ),
    ]
    for browser, page in pages:
        html = browser.get(page, follow=True).text
        assert 'class="demo">' in html, page
    for wall in (f"{at}projector/", f"{at}results/wall/"):
        assert 'class="demo">' not in teacher.get(wall).text
    teacher.post(f"{at}lesson/", {"do": "hold:class-deals"})
    teacher.post(f"{at}exercise/do/", {"do": "put:deck-size", "seed": "5"})
    for part in ("lesson/", "lesson/wall/", "exercise/", "exercise/projector/"):
        page = at + part
        answer = teacher.get(page)
        assert answer.status_code == 200, page
        assert 'class="demo">' in answer.text, page
    Classroom.objects.update(demo=False)
    for browser, page in pages:
        assert 'class="demo">' not in browser.get(page, follow=True).text, page


@pytest.mark.django_db
def test_what_is_taken_out_of_a_demo_class_says_so(client: Client) -> None:
    session, students = playing(4, seats=4, rounds=1)
    table_id = picture(session).tables[0]
    play_by_students(table_id)
    answered(None, students[0], "deck-size")
    client.force_login(session.classroom.teachers.get())
    for is_demo in (True, False):
        Classroom.objects.update(demo=is_demo)
        rows = [json.loads(line) for line in export.lines(export.finished_deals())]
        assert len(rows) > 30
        assert {row["demo"] for row in rows} == {is_demo}
        answers = client.get(f"/teach/students/{students[0].pk}/answers.jsonl").content
        assert {json.loads(line)["demo"] for line in answers.splitlines()} == {is_demo}
        for page in (
            f"/teach/sessions/{session.pk}/results.xlsx",
            f"/teach/classrooms/{session.classroom_id}/results/gradebook.csv",
        ):
            name = client.get(page).headers["Content-Disposition"]
            assert ('filename="demo-' in name) is is_demo, page


def test_the_room_never_sees_its_database(tmp_path: Path) -> None:
    environment = {**os.environ, "DATABASE_URL": f"sqlite:///{tmp_path}/demo.sqlite3"}
    lan = ("-m", "xactika_site", "--lan", "--host", "127.0.0.1")
    started = python(*lan, environment=environment)
    assert started.returncode == 1
    assert "the room never sees the demo's database" in started.stderr


@pytest.mark.parametrize(
    ("words", "given", "named"),
    [
        ([], "", "demo.sqlite3"),
        (["class"], "", ""),
        ([], "postgres:///cards", "cards"),
        (["class"], "postgres:///cards", "cards"),
    ],
)
def test_the_demo_has_a_database_of_its_own_and_the_class_the_real_one(
    monkeypatch: pytest.MonkeyPatch, words: list[str], given: str, named: str
) -> None:
    monkeypatch.setenv("DATABASE_URL", given)
    monkeypatch.setattr(sys, "argv", ["xactika", *words])
    served: list[bool] = []
    monkeypatch.setattr(command, "serve", lambda **how: served.append(how["to_the_room"]))
    command.main()
    assert Path(os.environ["DATABASE_URL"]).name == named
    assert served == [words == ["class"]]


@pytest.mark.django_db
def test_a_real_account_of_that_name_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(classes, "_play_everything", lambda *_: None)
    real = a_teacher(classes.USERNAME)
    a_classroom(real)
    before = real.password
    said = StringIO()
    call_command("demo", stdout=said)
    assert User.objects.filter(username="demo-2").exists()
    said_of_it = said.getvalue()  # its classes are found again
    assert "reset_password demo" in said_of_it
    assert "DATABASE_URL" not in said_of_it
    monkeypatch.setitem(settings.DATABASES["default"], "NAME", "/there/demo.sqlite3")
    call_command("demo", stdout=said)
    assert "DATABASE_URL=sqlite:////there/demo.sqlite3 " in said.getvalue()
    real.refresh_from_db()
    assert real.password == before

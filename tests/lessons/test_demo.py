"""The demo class: simulated, flagged, whole, and made only once."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client

from games import services
from games.models import Deal, Move, Result
from lessons import demo
from lessons.models import Answer, ClassExercise, Question
from tests.games.classroom import a_classroom, a_teacher
from tests.server import ROOT
from xactika_site.accounts.models import User
from xactika_site.classrooms.models import Classroom, ClassSession, Student


def run() -> tuple[str, str]:
    """User name and password as ``manage.py demo`` prints them."""
    out = StringIO()
    call_command("demo", stdout=out, stderr=StringIO())
    name, password = re.findall(r"(?:user name|password)\s+(\S+)", out.getvalue())
    return name, password


@pytest.mark.django_db
def test_the_demo_is_whole_flagged_and_made_only_once() -> None:
    name, password = run()
    classroom = Classroom.objects.get()
    sessions = list(ClassSession.objects.order_by("created"))
    assert classroom.demo
    assert [session.state for session in sessions] == ["closed"] * 3
    assert Student.objects.count() == demo.STUDENTS
    # Every move is as legal as anybody's, and what was derived from them is right.
    assert services.rebuild_results(check_only=True) == (
        Deal.objects.filter(results__seat=0).count(),
        [],
    )
    people = Result.objects.filter(by_person=True)
    assert people.count() > 200
    assert people.filter(student=None).count() == 0
    assert Move.objects.filter(mover="bot").exists()
    # The bell has rung in the middle of one round.
    assert Deal.objects.filter(results=None).count() == 1
    assert Answer.objects.filter(right=True).exists()
    assert Answer.objects.exclude(misconceptions=[]).exists()
    assert ClassExercise.objects.count() == 3
    assert 0 < Question.objects.values("student").distinct().count() <= demo.STUDENTS
    # Signed in with what was printed, every page says what it is.
    browser = Client()
    browser.post("/teach/login/", {"username": name, "password": password})
    cockpit = f"/teach/sessions/{sessions[0].pk}/"
    pages = ["/teach/", f"/teach/classrooms/{classroom.pk}/", cockpit, f"{cockpit}projector/"]
    for page in pages:
        assert "simulated" in browser.get(page).content.decode(), page
    # Again: nothing but the password changes.
    before = Move.objects.count()
    again, other = run()
    assert again == name
    assert other != password
    assert Move.objects.count() == before
    assert not User.objects.get(username=name).check_password(password)


def test_the_room_never_sees_its_database(tmp_path: Path) -> None:
    environment = {**os.environ, "DATABASE_URL": f"sqlite:///{tmp_path}/demo.sqlite3"}
    started = subprocess.run(
        [sys.executable, "-m", "xactika_site", "--lan", "--host", "127.0.0.1"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert started.returncode == 1
    assert "the room never sees the demo's database" in started.stderr


def test_make_run_has_a_database_of_its_own_and_make_lan_the_real_one() -> None:
    makefile = (ROOT / "Makefile").read_text()

    def database_of(target: str, **given: str) -> str:
        clean = {k: v for k, v in os.environ.items() if k not in {"DATABASE_URL", "MAKEFLAGS"}}
        told = re.sub(
            rf"(?ms)^{target}: (?:setup static)?\n(?:\t.*\n)+",
            f"{target}:\n\t@echo DATABASE=$$DATABASE_URL\n",
            makefile,
        )
        found = subprocess.run(
            ["make", "-f", "-", target], input=told, cwd=ROOT, env={**clean, **given},
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        return re.search(r"DATABASE=(.*)", found.stdout)[1]  # type: ignore[index]

    assert database_of("run") == "sqlite:///data/demo.sqlite3"
    assert database_of("run", DATABASE_URL="postgres:///cards") == "postgres:///cards"
    assert database_of("lan") == ""


@pytest.mark.django_db
def test_a_real_account_of_that_name_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "_play_everything", lambda *_: None)
    real = a_teacher(demo.USERNAME)
    a_classroom(real)
    before = real.password
    teacher, _password = demo.prepare()
    assert teacher.username == "demo-2"
    real.refresh_from_db()
    assert real.password == before

"""What a lesson held with a class costs the server: its pages' polls that have nothing new to
tell, beside the whole pages.

From the repository's root, in its environment::

    python -m benchmarks.lessons

A temporary SQLite file, 40 students, Django's own test client, no network. Medians of CPU; one
JSON line a page, then what 40 students, a wall and the teacher ask for in a second together.
"""

from __future__ import annotations

import json
import re
import tempfile
import time
from collections.abc import Callable
from statistics import median
from typing import Any

from benchmarks.results import set_up

FOLDER = tempfile.TemporaryDirectory()
set_up(FOLDER.name)

from django.test import Client  # noqa: E402

from benchmarks.exercises import cpu_ms  # noqa: E402
from games.classes import joining, sessions  # noqa: E402
from games.models import SessionSettings  # noqa: E402
from games.tables.viewers import STUDENT_COOKIE  # noqa: E402
from lessons.visits import holding  # noqa: E402
from xactika_site.accounts.models import User  # noqa: E402
from xactika_site.classrooms.selectors import device_key  # noqa: E402
from xactika_site.classrooms.services import open_classroom  # noqa: E402

STUDENTS, TRIES, EVERY = 40, 40, 2
SLUG = "class-deals"


def cost(ask: Callable[[], object]) -> float:
    start = time.process_time_ns()
    ask()
    return cpu_ms(start)


def version_of(page: Any) -> str:
    """The version by which a page asks whether anything is new."""
    found = re.search(r"shown=([\w.]+)", page.content.decode())
    assert found is not None
    return found[1]


def main() -> None:
    teacher = User.objects.create_user("teacher")
    room = open_classroom(name="7b", teacher=teacher)
    session = sessions.open_session(classroom=room, settings=SessionSettings(seats=4))
    students = [
        joining.join(session=session, name=f"Student {number}") for number in range(STUDENTS)
    ]
    holding.hold(session=session, slug=SLUG)
    student, desk = Client(), Client()
    student.cookies[STUDENT_COOKIE] = device_key(students[0], session)
    desk.force_login(teacher)
    student.get(f"/lessons/{SLUG}/")
    page = f"/teach/sessions/{session.pk}/lesson/"
    wall_is, lead_is = version_of(desk.get(f"{page}wall/")), version_of(desk.get(page))
    htmx = {"HX-Request": "true"}
    asked: dict[str, Callable[[], Any]] = {
        "student_poll": lambda: student.get(f"/lessons/{SLUG}/room/?step=1&shown=1.0"),
        "student_page": lambda: student.get(f"/lessons/{SLUG}/?step=1"),
        "wall_poll": lambda: desk.get(f"{page}wall/?shown={wall_is}", headers=htmx),
        "lead_poll": lambda: desk.get(f"{page}?shown={lead_is}", headers=htmx),
        "lead_page": lambda: desk.get(page),
    }
    costs = {}
    for name, ask in asked.items():
        status = ask().status_code
        assert status == (204 if name.endswith("poll") else 200), (name, status)
        costs[name] = median(cost(ask) for _try in range(TRIES))
        print(json.dumps({"page": name, "cpu_ms": round(costs[name], 2)}))
    polls = STUDENTS * costs["student_poll"] + costs["wall_poll"] + costs["lead_poll"]
    print(json.dumps({"students": STUDENTS, "cpu_ms_a_second": round(polls / EVERY, 1)}))


if __name__ == "__main__":
    main()

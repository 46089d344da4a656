"""An intruder's program: every address, by everybody, with what no form of ours would send.

Whatever is sent is answered, with a page or a refusal and never an error of the server's, and
no name that we did not make is stored. ``make soak`` asks a hundred times as often.
"""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from django.urls import reverse

from games.models import Table
from games.pages.joining import LANE_COOKIE
from games.tables.state import _cache
from games.tables.viewers import seat_token, watch_token
from tests.games.classroom import (
    a_session,
    a_teacher,
    device_of,
    picture,
    playing,
    signed_in,
    students_in,
)
from tests.games.table import a_browser, play, solo
from tests.scenes import SOAK
from tests.scenes.homework import some_homework
from tests.server import ROOT
from tests.site.routes import ROUTES, Route
from xactika_site.accounts import sign_in_queue
from xactika_site.classrooms.models import ClassSession, Student
from xactika_site.classrooms.names import ADJECTIVES, NOUNS

TRIES = 40_000 if SOAK else 400

ODD = (
    *("", " ", "0", "-1", "1.5", "007", "9" * 30, "٣", "½", "NaN", "1e9", "true", "null"),
    *("x", "a/b", "../x", "//evil.example", "https://evil.example/", "javascript:0", "a:b"),
    *("\x00", "%00", "\n", "é" * 90, "\U0001f0a1", "'; --", "<b>", "{{ x }}", "{", "[]", "{}"),
    *("1332", "1332:2-star", "x Some words", "student@school.example", "Z" * 5000),
)
IN_COOKIES = tuple(odd for odd in ODD if odd.isprintable() and odd.isascii())
COOKIES = ("offer", "student", "guest", "asked", "phrase", "sessionid", "csrftoken")

PAGES = "\n".join(
    path.read_text(encoding="utf-8") for path in sorted((ROOT / "templates").rglob("*.html"))
)
FIELDS = sorted({*re.findall(r'name="([\w-]+)"', PAGES)})


class Intruder:
    """Everybody's browser, and what can be put into an address."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        session, students = playing(6, seats=4)
        (waiting,) = students_in(session, 1)
        tables = picture(session).tables
        play(tables[0])
        other = a_session(None)
        browser, guest = a_browser()
        alone = solo(guest)
        teacher = a_teacher("teacher")
        lane, known = f"{LANE_COOKIE}-{session.classroom_id}", sign_in_queue._cookie_of(teacher)
        self.cookies = (*COOKIES, lane, known)
        self.browsers = {
            "teacher": signed_in(teacher),
            "another": signed_in(a_teacher("another")),
            "student": device_of(students[0], session),
            "waiting": device_of(waiting, session),
            "elsewhere": device_of(students_in(other, 1)[0], other),
            "guest": browser,
            "nobody": Client(),
        }
        self.values: dict[str, list[Any]] = {
            "code": [session.classroom.code, other.classroom.code, "BCDFGH"],
            "session_id": [session.pk, other.pk],
            "classroom_id": [session.classroom_id, other.classroom_id],
            "student_id": [students[0].pk, waiting.pk],
            "table_id": [*tables, alone],
            "token": [
                seat_token(alone, 0, 0),
                watch_token(alone, 0),
                seat_token(tables[0], 1, 1),
            ],
            "number": [1, 2],
            "homework_id": [some_homework(session.classroom, boards=2, puzzles=1).pk],
            "slug": ["the-lead", "the-bid", "practice"],
            "key": ["bidding", "points"],
        }

    def address(self, route: str) -> str:
        """A route with its parts filled in: mostly with what exists, else with anything."""

        def part(found: re.Match[str]) -> str:
            kind, name = found[1], found[2]
            if self.rng.random() < 0.8 and name in self.values:
                return str(self.rng.choice(self.values[name]))
            if kind == "int":
                return self.rng.choice(("0", "999999", "9" * 18, "9" * 30))
            # What the address itself would end at goes in by its percent code.
            odd = self.rng.choice(ODD[5:]).replace("%", "%25").replace("/", "%2F")
            return odd.replace("\n", "%0A").replace("\x00", "%00").replace("?", "%3F")

        return "/" + re.sub(r"<(\w+):(\w+)>", part, route)

    def something(self, route: Route) -> dict[str, str]:
        """Some of what the view reads, holding what no form of ours would send."""
        known = [name for name in route.names if self.rng.random() < 0.5]
        names = known + self.rng.sample(FIELDS, k=self.rng.randrange(3))
        sent = {name: self.rng.choice(ODD) for name in names}
        if route.verbs and self.rng.random() < 0.8:
            whose = [*ODD, *map(str, self.values["student_id"]), *self.values["table_id"]]
            tail = self.rng.choice(("", ":" + self.rng.choice(whose)))
            sent["do"] = self.rng.choice(route.verbs) + tail
        return sent

    def ask(self) -> tuple[str, Any]:
        """One request, and its answer."""
        who = self.rng.choice([*self.browsers, next(iter(self.browsers))])
        browser = self.browsers[who]
        route = self.rng.choice(ROUTES)
        path, sent = self.address(route.path), self.something(route)
        method = self.rng.choice(("get", "post", "post"))
        headers = {"HX-Request": "true"} if self.rng.random() < 0.3 else {}
        before = {name: morsel.value for name, morsel in browser.cookies.items()}
        if self.rng.random() < 0.2:
            browser.cookies[self.rng.choice(self.cookies)] = self.rng.choice(IN_COOKIES)
        words = f"{who}: {method} {path[:200]} {sent} {headers} {dict(browser.cookies)}"
        browser.raise_request_exception = False
        answer = getattr(browser, method)(path, sent, headers=headers)
        browser.cookies.clear()
        for name, value in before.items():
            browser.cookies[name] = value
        return words[:1000], answer


def test_what_is_read_of_a_request_is_found_in_the_source() -> None:
    found = {name for route in ROUTES for name in route.names}
    assert {"do", "step", "spin", "phrase", "next", "since", "seed", "copy"} <= found
    assert {"send-out", "move", "predict", "new"} <= {
        verb for route in ROUTES for verb in route.verbs
    }
    assert len(ROUTES) > 70


@pytest.mark.django_db
def test_whatever_is_sent_is_answered() -> None:
    rng = Random(7)
    intruder = Intruder(rng)
    ours = {student.name for student in Student.objects.all()}
    names = re.compile(f"({'|'.join(ADJECTIVES)}) ({'|'.join(NOUNS)})")
    broken = []
    for _ in range(TRIES):
        with transaction.atomic():
            words, answer = intruder.ask()
            if answer.status_code >= 500:
                broken.append(f"{words} {answer.exc_info[1]!r}")
            where = answer.headers.get("Location", "")
            assert not where.startswith(("//", "http", "javascript")), words
            for name in Student.objects.values_list("name", flat=True):
                assert name in ours or names.fullmatch(name), words
            transaction.set_rollback(True)
        cache.clear()
        _cache.clear()
    assert not broken


@pytest.mark.django_db
def test_whatever_a_device_says_of_being_known_is_answered() -> None:
    intruder = Intruder(Random(9))
    (code, *_), browser = intruder.values["code"], intruder.browsers["nobody"]
    for odd in IN_COOKIES:
        for name in intruder.cookies[-2:]:
            browser.cookies[name] = odd
        tried = {"username": "teacher", "password": "wrong"}
        assert browser.post(reverse("login"), tried).status_code == 200
        returns = {"do": "before", "phrase": "not my words"}
        assert browser.post(reverse("join_code", args=[code]), returns).status_code == 422
        cache.clear()


@pytest.mark.django_db
def test_a_class_is_not_touched_by_whom_it_does_not_know() -> None:
    """What nobody and another teacher send changes no row of the class."""
    rng = Random(8)
    intruder = Intruder(rng)
    for who in ("teacher", "student", "waiting", "elsewhere", "guest"):
        del intruder.browsers[who]
    intruder.values["token"].pop()  # of a seat in the class: whoever holds it is known
    session = ClassSession.objects.get(pk=intruder.values["session_id"][0])

    def stored() -> list[Any]:
        tables = Table.objects.filter(class_session=session).order_by("pk")
        return [ClassSession.objects.filter(pk=session.pk).values().get(), [*tables.values()]]

    before = stored()
    for _ in range(TRIES // 3):
        words, _answer = intruder.ask()
        after = stored()
        # Anybody may come in by the code, or ask to: that is counted.
        after[0]["version"] = before[0]["version"]
        assert after == before, words

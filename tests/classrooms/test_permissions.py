"""A fixed cast against every address under ``/teach/`` that accounts and classrooms have.

``tests/games/tables/test_permissions.py`` holds the other addresses, and fails for one without
a row.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import product
from typing import Any

import pytest
from django.test import Client

from tests.accounts.people import (
    SIGN_UP,
    a_teacher,
    all_rows,
    no_wrong_tries,  # noqa: F401 (autouse)
    signed_in,
)
from tests.games.conftest import plain_static_files  # noqa: F401 (autouse)
from tests.scenes import Each, again
from xactika_site.accounts import services as accounts
from xactika_site.accounts.models import User
from xactika_site.classrooms import services
from xactika_site.classrooms.models import Classroom

from .rooms import a_classroom

CAST = ("teacher", "second", "other", "nobody")


@dataclass
class Cast:
    """A classroom with its teacher, a second teacher, a teacher of another classroom, and
    somebody who has not signed in; and links that open something."""

    classroom: Classroom
    browsers: dict[str, Client]
    words: dict[str, object]


def the_cast() -> Cast:
    people = {name: a_teacher(name) for name in CAST[:3]}
    classroom = a_classroom(people["teacher"], students=1)
    classroom.teachers.add(people["second"])
    a_classroom(people["other"], name="Another")
    browsers = {name: signed_in(person) for name, person in people.items()}
    browsers["nobody"] = Client()
    words = {
        "classroom": classroom.pk,
        "student": classroom.students.get().pk,
        "shared": services.invite(classroom=classroom).token,
        "invited": accounts.invite(by=None).token,
        "first": accounts._first.sign("teacher"),
        "reset": accounts.reset_link(people["other"]).removeprefix("/teach/reset/"),
    }
    return Cast(classroom, browsers, words)


# By route and method: what teacher, second, other and nobody get. One number stands for all
# four; nobody is led to sign in by 302.
TEACHERS = (200, 200, 200, 302)
MINE = (200, 200, 404, 302)
DO_MINE = (302, 302, 404, 302)
NOT_SO = (405, 405, 405, 302)
FORM_AGAIN = (422, 422, 422, 302)
ROOM = "/teach/classrooms/{classroom}/"

ROWS: dict[str, tuple[str, dict[str, Any]]] = {
    "teach/": ("/teach/", {"GET": TEACHERS, "POST": 302}),
    "teach/guide/": ("/teach/guide/", {"GET": 200, "POST": 405}),
    "teach/classrooms/<int:classroom_id>/": (ROOM, {"GET": MINE, "POST": NOT_SO}),
    "teach/classrooms/<int:classroom_id>/change/": (
        ROOM + "change/",
        {"GET": NOT_SO, "POST": DO_MINE},
    ),
    "teach/classrooms/<int:classroom_id>/sheet/": (
        ROOM + "sheet/",
        {"GET": MINE, "POST": NOT_SO},
    ),
    "teach/classrooms/<int:classroom_id>/roster/": (
        ROOM + "roster/",
        {"GET": MINE, "POST": NOT_SO},
    ),
    "teach/students/<int:student_id>/change/": (
        "/teach/students/{student}/change/",
        {"GET": NOT_SO, "POST": DO_MINE},
    ),
    "teach/shared/<str:token>/": (
        "/teach/shared/{shared}/",
        {"GET": (302, 302, 200, 200), "POST": 302},
    ),
    "teach/account/delete/": ("/teach/account/delete/", {"GET": TEACHERS, "POST": FORM_AGAIN}),
    "teach/account/": ("/teach/account/", {"GET": TEACHERS, "POST": FORM_AGAIN}),
    "teach/account/invitations/": (
        "/teach/account/invitations/",
        {"GET": NOT_SO, "POST": 302},
    ),
    "teach/account/password/": (
        "/teach/account/password/",
        {"GET": TEACHERS, "POST": TEACHERS},
    ),
    "teach/login/": (
        "/teach/login/",
        {"GET": (302, 302, 302, 200), "POST": (302, 302, 302, 200)},
    ),
    "teach/logout/": ("/teach/logout/", {"GET": 405, "POST": 302}),
    "teach/start/<str:token>/": ("/teach/start/{first}/", {"GET": 404, "POST": 404}),
    "teach/invited/<str:token>/": (
        "/teach/invited/{invited}/",
        {"GET": (302, 302, 302, 200), "POST": 302},
    ),
    "teach/reset/<str:uidb64>/<str:token>/": (
        "/teach/reset/{reset}",
        {"GET": 302, "POST": 302},
    ),
}
FORMS = {
    "teach/": {"name": "8a"},
    "teach/classrooms/<int:classroom_id>/change/": {"do": "rename", "name": "8a"},
    "teach/students/<int:student_id>/change/": {"do": "phrase"},
    "teach/shared/<str:token>/": SIGN_UP,
    "teach/invited/<str:token>/": SIGN_UP,
    "teach/start/<str:token>/": SIGN_UP,
    "teach/account/delete/": {"password": "a guess"},
    "teach/account/": {"name": "Eve", "time_zone": "nowhere"},
    "teach/login/": {"username": "teacher", "password": "a guess"},
}


@pytest.mark.usefixtures("made_up")
def test_what_each_gets(each: Each) -> None:
    cast = the_cast()
    for route, who in product(ROWS, CAST):
        with each(route=route, who=who):
            gets_what_is_theirs(cast, route, who)


def gets_what_is_theirs(cast: Cast, route: str, who: str) -> None:
    address, methods = ROWS[route]
    path, browser = address.format(**cast.words), again(cast.browsers[who])
    for method, expected in methods.items():
        status = expected if isinstance(expected, int) else expected[CAST.index(who)]
        before = all_rows()
        form = FORMS.get(route, {})
        answer = browser.get(path) if method == "GET" else browser.post(path, form)
        assert answer.status_code == status
        if "/teach/login/?next=" in answer.headers.get("Location", ""):
            assert who == "nobody"
        if status in (404, 405, 422) or "?next=" in answer.headers.get("Location", ""):
            assert all_rows() == before


def test_nobody_is_led_to_sign_in_and_back(each: Each) -> None:
    cast = the_cast()
    for route, (address, methods) in ROWS.items():
        if methods["GET"] in (TEACHERS, MINE):
            with each(route=route):
                path = address.format(**cast.words)
                answer = again(cast.browsers["nobody"]).get(path)
                assert answer.url == f"/teach/login/?next={path}"


def test_a_post_without_its_token_is_forbidden_to_all(each: Each) -> None:
    cast = the_cast()
    before = all_rows()
    for route, (address, _) in ROWS.items():
        with each(route=route):
            path = address.format(**cast.words)
            for browser in cast.browsers.values():
                strict = again(browser, strict=True)
                assert strict.post(path, FORMS.get(route, {})).status_code == 403
            assert all_rows() == before


@pytest.mark.django_db
def test_unknown_and_forbidden_classrooms_look_alike() -> None:
    cast = the_cast()
    other = cast.browsers["other"]

    def page(path: str, method: str) -> bytes:
        answer = other.get(path) if method == "GET" else other.post(path, {"do": "renew"})
        assert answer.status_code == 404
        return re.sub(rb'value="\w{64}"', b"", answer.content)

    for place, method in (("", "GET"), ("sheet/", "GET"), ("change/", "POST")):
        mine = f"/teach/classrooms/{cast.classroom.pk}/{place}"
        nowhere = f"/teach/classrooms/{cast.classroom.pk + 999}/{place}"
        assert page(mine, method) == page(nowhere, method)
    student = cast.words["student"]
    there = page(f"/teach/students/{student}/change/", "POST")
    assert there == page("/teach/students/987654/change/", "POST")


@pytest.mark.django_db
def test_a_teacher_who_has_left_is_another_teacher() -> None:
    cast = the_cast()
    cast.classroom.teachers.remove(User.objects.get(username="second"))
    for route, (address, methods) in ROWS.items():
        if methods["GET"] == MINE:
            path = address.format(**cast.words)
            assert cast.browsers["second"].get(path).status_code == 404, route

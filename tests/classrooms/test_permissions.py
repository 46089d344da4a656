"""What the table of permission (``tests/permissions``) does not hold of classrooms: unknown and
forbidden look alike, and who has left is a stranger."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest
from django.test import Client

from tests.accounts.people import (
    a_teacher,
    no_wrong_tries,  # noqa: F401 (autouse)
    signed_in,
)
from tests.games.conftest import plain_static_files  # noqa: F401 (autouse)
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
    for below in ("", "sheet/", "roster/"):
        path = f"/teach/classrooms/{cast.classroom.pk}/{below}"
        assert cast.browsers["second"].get(path).status_code == 404
        assert cast.browsers["teacher"].get(path).status_code == 200

"""What the table of permission (``tests/permissions``) does not hold of classrooms: unknown and
forbidden look alike."""

from __future__ import annotations

import re

import pytest

from tests.accounts.people import (
    a_teacher,
    no_wrong_tries,  # noqa: F401 (autouse)
    signed_in,
)
from tests.games.conftest import plain_static_files  # noqa: F401 (autouse)

from .rooms import a_classroom


@pytest.mark.django_db
def test_unknown_and_forbidden_classrooms_look_alike() -> None:
    classroom = a_classroom(a_teacher("teacher"), students=1)
    other = signed_in(a_teacher("other"))

    def page(path: str, method: str) -> bytes:
        answer = other.get(path) if method == "GET" else other.post(path, {"do": "renew"})
        assert answer.status_code == 404
        return re.sub(rb'value="\w{64}"', b"", answer.content)

    for place, method in (("", "GET"), ("sheet/", "GET"), ("change/", "POST")):
        mine = f"/teach/classrooms/{classroom.pk}/{place}"
        nowhere = f"/teach/classrooms/{classroom.pk + 999}/{place}"
        assert page(mine, method) == page(nowhere, method)
    there = page(f"/teach/students/{classroom.students.get().pk}/change/", "POST")
    assert there == page("/teach/students/987654/change/", "POST")

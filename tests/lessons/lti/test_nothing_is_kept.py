"""Forty marks, one in each thing that a platform says: none is found here afterwards."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import caches
from django.db import connection
from django.test import Client

from tests.games.classroom import a_classroom, a_teacher, signed_in
from tests.scenes.platform import CLAIM, INSTRUCTOR, LEARNER, School, begin, send

pytestmark = pytest.mark.django_db

MARKS = [f"unmistakable{number}" for number in range(40)]


def marked() -> dict[str, Any]:
    """Claims of all kinds, with a mark in each."""
    mark = iter(MARKS)
    address = (f"https://{each}.test/" for each in mark)
    claims: dict[str, Any] = {
        name: next(mark)
        for name in (
            "sub name given_name family_name middle_name nickname preferred_username email "
            "phone_number birthdate locale zoneinfo address gender unheard_of"
        ).split()
    }
    claims |= {name: next(address) for name in ("picture", "profile", "website")}
    claims |= {
        f"{CLAIM}{name}": {each: next(mark) for each in parts.split()}
        for name, parts in {
            "lis": "person_sourcedid course_offering_sourcedid course_section_sourcedid",
            "custom": "target student_number birthday",
            "ext": "user_username lms",
            "tool_platform": "guid name contact_email description",
        }.items()
    }
    claims[f"{CLAIM}context"] = {"id": "course-1", "title": next(mark), "label": next(mark)}
    claims[f"{CLAIM}resource_link"] = {
        "id": next(mark),
        "title": next(mark),
        "description": next(mark),
    }
    claims[f"{CLAIM}launch_presentation"] = {"return_url": next(address)}
    claims[f"{CLAIM}target_link_uri"] = next(address)
    claims[f"{CLAIM}role_scope_mentor"] = [next(mark)]
    service = "https://purl.imsglobal.org/spec/lti-"
    claims[f"{service}nrps/claim/namesroleservice"] = {"context_memberships_url": next(address)}
    claims[f"{service}ags/claim/endpoint"] = {"lineitems": next(address)}
    assert next(mark, "no more") == "no more"
    return claims


def kept() -> Iterator[str]:
    """All that is stored, sessions among it, and all that is remembered."""
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT * FROM "{table}"')
            yield from map(repr, cursor.fetchall())
    for cache in caches.all():
        for key, value in getattr(cache, "_cache", {}).items():
            yield key + repr(pickle.loads(value))


def found_in(text: str) -> set[str]:
    return {mark for mark in MARKS if mark in text}


@pytest.mark.parametrize("roles", [[LEARNER], [INSTRUCTOR]], ids=["a student", "an instructor"])
@pytest.mark.parametrize("wrong", [{}, {"exp": 0}, {"aud": "other"}, {"sub": 7}], ids=str)
def test_no_mark_is_found(
    school: School, caplog: pytest.LogCaptureFixture, roles: list[str], wrong: dict[str, Any]
) -> None:
    school.course(a_classroom())
    browser = signed_in(a_teacher())
    asked = begin(browser, school)
    claims = school.claims(asked["nonce"]) | marked() | {f"{CLAIM}roles": roles} | wrong
    token = school.sign(claims)
    sent = Client().post("/lti/launch/", {"id_token": token, "state": asked["state"]})
    seen = [sent.content.decode(), str(sent.headers)]
    assert not found_in("".join(kept()))  # between the two pages, too
    if sent.status_code == 302:
        page = browser.get(sent["Location"])
        while page.status_code == 302:
            seen.append(page["Location"])
            page = browser.get(page["Location"])
        seen.append(page.content.decode())
    seen.append(str(browser.cookies))
    assert not found_in("".join(seen))
    assert not found_in("".join(kept()))
    assert not found_in(caplog.text)


def test_a_mark_would_be_found(school: School) -> None:
    """The course's number, which is stored, is."""
    school.course(a_classroom(), MARKS[0])
    assert found_in("".join(kept())) == {MARKS[0]}


def test_what_stops_somewhere_inside_names_nobody(
    school: School, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    school.course(a_classroom())

    def broken(*_arguments: object, **_named: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr("lessons.lti.members.student_of", broken)
    browser = Client(raise_request_exception=False)
    asked = begin(browser, school)
    claims = school.claims(asked["nonce"]) | marked()
    answer = send(browser, school.sign(claims), asked["state"])
    assert answer.status_code == 500
    assert "broken" in caplog.text
    assert not found_in(caplog.text + answer.content.decode())

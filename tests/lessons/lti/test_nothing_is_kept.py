"""Forty marks, one in each thing that a platform says: none is found here afterwards."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any
from unittest.mock import Mock
from zipfile import ZipFile

import pytest
from django.core.cache import caches
from django.db import connection
from django.test import Client

from games.classes import joining, steering
from lessons.exercises import EXERCISES
from lessons.exercises.skills import Skill
from tests.games.classroom import a_classroom, a_session, a_teacher, signed_in, students_in
from tests.scenes.by_students import finish_round
from tests.scenes.platform import (
    AGS,
    CLAIM,
    INSTRUCTOR,
    LEARNER,
    LINKS,
    NRPS,
    School,
    begin,
    launch,
    send,
)
from tests.scenes.results import answered
from xactika_site import backup
from xactika_site.classrooms.models import Student

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


def practise(student: Student) -> None:
    """The student answers a question."""
    key = next(key for key, each in EXERCISES.items() if each.skill is Skill.SAMPLES)
    answered(None, student, key, True)


def copy_from_memory(part: Path) -> None:
    """The test's database, page by page: what was deleted, too."""
    part.write_bytes(connection.connection.serialize())


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
    seen = [sent.text, str(sent.headers)]
    assert not found_in("".join(kept()))  # between the two pages, too
    if sent.status_code == 302:
        page = browser.get(sent["Location"])
        while page.status_code == 302:
            seen.append(page["Location"])
            page = browser.get(page["Location"])
        seen.append(page.text)
    seen.append(str(browser.cookies))
    assert not found_in("".join(seen))
    assert not found_in("".join(kept()))
    assert not found_in(caplog.text)


def test_no_mark_of_members_links_and_columns_is_found(
    school: School, caplog: pytest.LogCaptureFixture
) -> None:
    """Of what its services say: other forty."""
    mark = iter(MARKS)
    names = "user_id name given_name family_name middle_name email picture sourcedid message"
    fields = names.split()
    school.roster = [
        {"roles": [LEARNER]} | {name: next(mark) for name in fields} for _member in range(3)
    ]
    classroom = a_classroom()
    course = school.course(classroom)
    ours = {"resourceId": f"class:{classroom.pk}", "tag": "practice:samples"}
    own = {"id": f"{school.issuer}/lineitems/{next(mark)}?type=5"}
    more = "label resourceLinkId startDateTime endDateTime unheard_of"
    school.items = [own | {name: next(mark) for name in more.split()} | ours]
    services = {"lineitems": f"{school.issuer}/lineitems?type=5&{next(mark)}"}
    roster = {"context_memberships_url": f"{school.issuer}/members?{next(mark)}"}
    asked = {
        "deep_link_return_url": f"https://moodle.school.test/{next(mark)}",
        "accept_types": ["ltiResourceLink"],
        "accept_presentation_document_targets": ["window"],
        **{name: next(mark) for name in ("data", "title", "text")},
    }
    claims: dict[str, Any] = {
        f"{AGS}claim/endpoint": services,
        f"{NRPS}claim/namesroleservice": roster,
        f"{LINKS}claim/deep_linking_settings": asked,
    }
    browser, seen = signed_in(a_teacher()), []
    launch(school, sub=next(mark), custom={"target": "practice:samples"}, **claims)
    says = {"message_type": "LtiDeepLinkingRequest", "resource_link": None}
    choosing = launch(school, browser, roles=[INSTRUCTOR], **says, **claims)
    seen += [choosing["Location"], browser.get(choosing["Location"]).text]
    practise(classroom.students.get())
    address = f"/lti/class/{classroom.pk}/"
    for errs in ("500", "403", ""):
        school.errs, school.errs_at = errs, "/scores"
        browser.post(address, {"course": course.pk})
        seen.append(browser.get(address).text)
    assert "3 enrolled, 1 came" in seen[-1]
    assert "Sent: 1" in seen[-1]
    assert list(school.scores) == [(own["id"], MARKS[-1])]
    page = browser.post(choosing["Location"], {"target": "lesson:7"})
    assert page.status_code == 200
    assert not found_in("".join(seen) + caplog.text)
    assert not found_in("".join(kept()))


def test_no_mark_is_taken_out(
    school: School, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In no file of a class that plays, and in no backup."""
    monkeypatch.setattr("games.pages.data._text_pieces", lambda lines: lines)  # read at once
    classroom = a_classroom()
    school.course(classroom)
    session = a_session(classroom)
    assert launch(school, **marked()).status_code == 302
    student = classroom.students.get()
    joining.come_in(session=session, student=student)
    students_in(session, 4)  # of fewer there is no archive
    steering.start(session_id=session.pk)
    finish_round(session)
    practise(student)
    teacher, files = signed_in(a_teacher()), []
    for path in (
        f"classrooms/{classroom.pk}/moves.jsonl",
        f"classrooms/{classroom.pk}/results/grades.csv",
        f"sessions/{session.pk}/moves.jsonl",
        f"students/{student.pk}/moves.jsonl",
        f"students/{student.pk}/answers.jsonl",
        f"sessions/{session.pk}/data.zip",
    ):
        answer: Any = teacher.get(f"/teach/{path}")
        files.append(
            b"".join(answer.streaming_content if answer.streaming else [answer.content])
        )
    with ZipFile(BytesIO(files.pop())) as archive:
        files += map(archive.read, archive.namelist())
    assert all(files)
    monkeypatch.setattr(backup, "_copy_to", copy_from_memory)
    files.append(backup.write_backup(tmp_path).read_bytes())
    assert b"course-1" in files[-1]  # what is kept would be found
    assert student.name.encode() in files[-1]
    assert not found_in(b"".join(files).decode("utf-8", "replace"))


def test_a_mark_would_be_found(school: School) -> None:
    """The course's number, which is stored, is."""
    school.course(a_classroom(), MARKS[0])
    assert found_in("".join(kept())) == {MARKS[0]}


def test_what_stops_somewhere_inside_names_nobody(
    school: School, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    school.course(a_classroom())
    broken = Mock(side_effect=RuntimeError("broken"))
    monkeypatch.setattr("lessons.lti.members.student_of", broken)
    browser = Client(raise_request_exception=False)
    asked = begin(browser, school)
    claims = school.claims(asked["nonce"]) | marked()
    answer = send(browser, school.sign(claims), asked["state"])
    assert answer.status_code == 500
    assert "broken" in caplog.text
    assert not found_in(caplog.text + answer.text)

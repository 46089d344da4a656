"""A teacher puts a link into the course from there."""

from __future__ import annotations

import re
from typing import Any

import jwt
import pytest
from django.test import Client

from lessons.lti.sealing import key_set
from lessons.models import LineItem
from tests.games.classroom import a_classroom, a_teacher, signed_in
from tests.scenes.homework import some_homework
from tests.scenes.platform import INSTRUCTOR, LINKS, School, asks_for_link, launch
from xactika_site.classrooms.models import Classroom

pytestmark = pytest.mark.django_db

BACK = "https://moodle.school.test/back"


@pytest.fixture
def classroom(school: School) -> Classroom:
    found = a_classroom()
    school.course(found)
    return found


def asked_for_link(school: School, browser: Client | None = None, **changes: Any) -> Any:
    """The platform asks; the answer of the page that opens."""
    says = {"roles": [INSTRUCTOR]} | asks_for_link(school, **changes.pop("settings", {}))
    return launch(school, browser, **(says | changes))


def chosen(page: Any, school: School) -> dict[str, Any]:
    """What the form sends, checked as a platform does."""
    (token,) = re.findall(r'name="JWT" value="([^"]+)"', page.text)
    keys = {each["kid"]: jwt.PyJWK(dict(each)).key for each in key_set()}
    key = keys[jwt.get_unverified_header(token)["kid"]]
    said: dict[str, Any] = jwt.decode(
        token, key, algorithms=["RS256"], audience=school.issuer, issuer=school.client_id
    )
    return said


@pytest.mark.parametrize(
    ("target", "title", "has_score"),
    [
        ("lesson:7", "Lesson 7: ", True),
        ("practice:samples", "Samples and the long run", True),
        ("homework", "Homework until", True),
        ("puzzles", "Puzzles", False),
    ],
)
def test_what_is_chosen_is_the_links_target(
    school: School, classroom: Classroom, target: str, title: str, has_score: bool
) -> None:
    given = some_homework(classroom)
    target = f"homework:{given.pk}" if target == "homework" else target
    answer = asked_for_link(school, signed_in(a_teacher()))
    browser, address = answer.client, answer["Location"]
    assert f'value="{target}"' in browser.get(address).text
    assert browser.post(address, {"target": "homework:999"}).status_code == 422
    page = browser.post(address, {"target": target})
    assert f'action="{BACK}"' in page.text
    assert "form-action https://moodle.school.test;" in page["Content-Security-Policy"]
    said = chosen(page, school)
    assert said[f"{LINKS}claim/data"] == "of the platform's"
    assert said["https://purl.imsglobal.org/spec/lti/claim/deployment_id"] == "1"
    (link,) = said[f"{LINKS}claim/content_items"]
    assert link["type"] == "ltiResourceLink"
    assert link["url"] == "http://testserver/lti/launch/"
    assert link["custom"] == {"target": target}
    assert link["title"].startswith(title)
    assert link.get("lineItem", {}).get("tag") == (target if has_score else None)
    assert browser.post(address, {"target": target}).status_code == 400  # once
    opened = launch(school, custom=link["custom"])
    assert opened.client.get(opened["Location"]).status_code == 200
    assert LineItem.objects.count() == has_score


def test_a_link_is_chosen_by_a_teacher_of_the_class_signed_in(
    school: School, classroom: Classroom
) -> None:
    answer = asked_for_link(school)
    page = answer.client.get(answer["Location"])
    assert page["Location"].startswith("/teach/login/?next=/lti/choose/")
    answer = asked_for_link(school, signed_in(a_teacher("other")))
    page = answer.client.post(answer["Location"], {"target": "lesson:7"})
    assert page["Location"].startswith("/lti/course/")
    answer = asked_for_link(school, signed_in(a_teacher()), roles=[])
    page = answer.client.post(answer["Location"], {"target": "lesson:7"})
    assert page.status_code == 400


def test_of_a_course_that_no_class_is_the_class_is_asked_first(school: School) -> None:
    answer = asked_for_link(school, signed_in(a_teacher()))
    assert answer.client.get(answer["Location"])["Location"].startswith("/lti/course/")


@pytest.mark.parametrize(
    "wrong",
    [
        {"deep_link_return_url": "javascript:alert(1)"},
        {"deep_link_return_url": "http://moodle.school.test/"},
        {"deep_link_return_url": None},
        {"accept_types": ["link"]},
        {"accept_types": 7},
        {"data": {"a": 1}},
    ],
    ids=str,
)
def test_who_asks_for_what_cannot_be_gets_none(
    school: School, classroom: Classroom, wrong: dict[str, Any]
) -> None:
    answer = asked_for_link(school, signed_in(a_teacher()), settings=wrong)
    assert (answer.status_code, answer.context["code"]) == (400, "message")

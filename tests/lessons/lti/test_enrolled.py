"""How many a platform says are in the course: a number, and nobody."""

from __future__ import annotations

from typing import Any

import pytest

from lessons.lti.members import enrolled_in
from lessons.models import Course
from tests.games.classroom import a_classroom, a_teacher, signed_in
from tests.scenes.platform import INSTRUCTOR, LEARNER, School, launch

pytestmark = pytest.mark.django_db


def member(number: int, **changes: Any) -> dict[str, Any]:
    """As a platform tells of somebody."""
    return {"user_id": f"user-{number}", "roles": [LEARNER], "status": "Active"} | changes


@pytest.fixture
def course(school: School) -> Course:
    course = school.course(a_classroom())
    school.roster = [
        *(member(number) for number in range(23)),
        member(23, roles=["Learner"]),
        member(24, status="Inactive"),
        member(25, roles=[INSTRUCTOR]),
    ]
    for number in range(4):
        launch(school, sub=f"user-{number}")
    course.refresh_from_db()
    return course


def test_the_page_says_how_many_are_enrolled_and_how_many_came(
    school: School, course: Course
) -> None:
    assert not school.given  # asked by whoever opens the page only
    page = signed_in(a_teacher()).get(f"/lti/class/{course.classroom_id}/")
    assert "24 enrolled, 4 came" in page.text


@pytest.mark.parametrize("errs", ["away", "slow", "403", "500", "429", "text", "list", "huge"])
def test_of_a_platform_that_errs_the_page_says_who_came(
    school: School, course: Course, errs: str
) -> None:
    school.errs, school.errs_at = errs, "/members"
    page = signed_in(a_teacher()).get(f"/lti/class/{course.classroom_id}/")
    assert page.status_code == 200
    assert "Students who came: 4" in page.text
    assert "enrolled" not in page.text


def test_ten_pages_are_read_at_most(school: School, course: Course) -> None:
    school.roster = [member(number) for number in range(500)]
    assert enrolled_in(course) == 100


@pytest.mark.parametrize("roster", [[7], [{}], [{"roles": 7}], ["x"]], ids=str)
def test_members_that_cannot_be_are_no_number(
    school: School, course: Course, roster: list[Any]
) -> None:
    school.roster = roster
    assert enrolled_in(course) is None

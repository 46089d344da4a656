"""A launch from a platform by other hands."""

from __future__ import annotations

import pytest
from django.test import Client

from lessons.exercises import EXERCISES
from lessons.exercises.skills import Skill
from lessons.lti.grades import press
from tests.games.classroom import a_classroom, a_teacher, signed_in
from tests.lessons.lti.by_others import (
    OURS,
    Login,
    Theirs,
    TheirSchool,
    message_for,
    registered,
)
from tests.scenes.platform import DOCUMENT, INSTRUCTOR, School, asks_for_link, launch
from tests.scenes.results import answered
from xactika_site.classrooms.models import Student

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("school", [TheirSchool], indirect=True)
def test_a_student_comes_from_a_platform_by_other_hands(school: School) -> None:
    classroom = school.course(a_classroom()).classroom
    login = Login(None, Theirs())
    login.set_lti_message_hint()
    browser = Client()
    begun = browser.get(login.initiate_login("user-1"), headers=DOCUMENT)
    assert begun["Location"].startswith("https://moodle.school.test/auth?")
    asked = Client().get(begun["Location"]).wsgi_request.GET.dict()
    assert asked["lti_message_hint"] == "the link"
    form = message_for(asked).lti_launch()
    assert form["launch_url"] == f"{OURS}/launch/"
    sent = {name: form[name] for name in ("id_token", "state")}
    answer = browser.get(Client().post(form["launch_url"], sent)["Location"])
    assert answer["Location"] == "/homework/"
    assert Student.objects.get().classroom == classroom


@pytest.mark.parametrize("school", [TheirSchool], indirect=True)
def test_grades_and_links_go_to_a_platform_by_other_hands(school: School) -> None:
    course = school.course(a_classroom())
    launch(school, custom={"target": "practice:samples"})
    key = next(key for key, each in EXERCISES.items() if each.skill is Skill.SAMPLES)
    answered(None, Student.objects.get(), key, True)
    press(course=course)
    assert [told[-1]["scoreGiven"] for told in school.scores.values()] == [100.0]
    says = {"roles": [INSTRUCTOR]} | asks_for_link(school)
    page = launch(school, signed_in(a_teacher()), **says)
    chosen = page.client.post(page["Location"], {"target": "lesson:7"})
    theirs = registered()
    theirs.set_accepted_deeplinking_types(["ltiResourceLink"])
    (link,) = theirs.validate_deeplinking_resp({"JWT": chosen.context["answer"]})
    assert link["custom"] == {"target": "lesson:7"}
    assert link["lineItem"]["tag"] == "lesson:7"

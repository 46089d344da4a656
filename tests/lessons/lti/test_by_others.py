"""A launch from a platform by other hands."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import parse_qsl

import pytest
from cryptography.hazmat.primitives import serialization
from django.test import Client
from lti1p3platform.ltiplatform import LTI1P3PlatformConfAbstract
from lti1p3platform.message_launch import LTIAdvantageMessageLaunchAbstract
from lti1p3platform.oidc_login import OIDCLoginAbstract
from lti1p3platform.registration import Registration
from requests import PreparedRequest

from lessons.exercises import EXERCISES
from lessons.exercises.skills import Skill
from lessons.lti.grades import press
from lessons.lti.sealing import key_set
from lessons.models import Answer, Question
from tests.games.classroom import a_classroom, a_teacher, signed_in
from tests.scenes.platform import (
    DOCUMENT,
    INSTRUCTOR,
    LEARNER,
    School,
    a_key,
    answer_of,
    asks_for_link,
    launch,
    text_of,
)
from xactika_site.classrooms.models import Student

pytestmark = pytest.mark.django_db

OURS = "http://testserver/lti"


class Theirs(LTI1P3PlatformConfAbstract):
    """Their platform, registered as ours is, with the keys that ours has."""

    def init_platform_config(self, **_named: Any) -> None:
        """Nothing is kept."""

    def get_registration_by_params(self, **_named: Any) -> Registration:
        key = a_key(1)
        private = key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        ).decode()
        public = key.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        )
        return (
            Registration()
            .set_iss("https://moodle.school.test")
            .set_client_id("xactika")
            .set_deployment_id("1")
            .set_oidc_login_url(f"{OURS}/login/")
            .set_launch_url(f"{OURS}/launch/")
            .set_platform_private_key(private)
            .set_platform_public_key(public.decode())
            .set_tool_key_set({"keys": key_set()})
        )


def registered() -> Theirs:
    """Their platform with our keys as they are now."""
    theirs = Theirs()
    theirs._registration = theirs.get_registration_by_params()
    return theirs


class TheirSchool(School):
    """Its tokens are theirs."""

    def token(self, request: PreparedRequest) -> Any:
        theirs = registered()
        said: Any = theirs.get_access_token(dict(parse_qsl(text_of(request))))
        assert theirs.validate_token(said["access_token"], [said["scope"].split()[-1]])
        self.tokens.add(said["access_token"])
        return answer_of(request, 200, json.dumps(said).encode())


class Login(OIDCLoginAbstract):
    def set_lti_message_hint(self, **_named: Any) -> None:
        self._lti_message_hint = "the link"

    def get_redirect(self, url: str) -> str:
        return url


class Launch(LTIAdvantageMessageLaunchAbstract):
    def get_preflight_response(self) -> dict[str, Any]:
        sent: Any = self._request
        return dict(sent)

    def render_launch_form(self, launch_data: dict[str, Any], **_named: Any) -> dict[str, Any]:
        return launch_data


def test_a_student_comes_from_a_platform_by_other_hands(school: School) -> None:
    theirs = Theirs()
    registration = theirs.get_registration()
    school.kid = str(registration.get_kid())
    classroom = school.course(a_classroom()).classroom
    login = Login(None, theirs)
    login.set_lti_message_hint()
    browser = Client()
    begun = browser.get(login.initiate_login("user-1"), headers=DOCUMENT)
    assert begun["Location"].startswith("https://moodle.school.test/auth?")
    asked = Client().get(begun["Location"]).wsgi_request.GET.dict()
    assert asked["lti_message_hint"] == "the link"
    message = Launch(asked, theirs)
    message.set_user_data("user-1", [LEARNER], full_name="Ada", email_address="a@school.test")
    message.set_resource_link_claim("link-1")
    message.set_launch_context_claim("course-1", context_title="Maths")
    message.set_ags("https://moodle.school.test/lineitems")
    message.set_nrps("https://moodle.school.test/members")
    form = message.lti_launch()
    assert form["launch_url"] == f"{OURS}/launch/"
    sent = {name: form[name] for name in ("id_token", "state")}
    answer = browser.get(Client().post(form["launch_url"], sent)["Location"])
    assert answer["Location"] == "/homework/"
    assert Student.objects.get().classroom == classroom


def test_grades_and_links_go_to_a_platform_by_other_hands(schools: dict[str, School]) -> None:
    school = schools["moodle.school.test"] = TheirSchool()
    course = school.course(a_classroom())
    launch(school, custom={"target": "practice:samples"})
    key = next(key for key, each in EXERCISES.items() if each.skill is Skill.SAMPLES)
    question = Question.objects.create(
        student=Student.objects.get(), exercise=key, seed=1, parameters={}, place="practice"
    )
    Answer.objects.create(question=question, number=0, values={}, right=True)
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

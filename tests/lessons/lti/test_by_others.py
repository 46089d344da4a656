"""A launch from a platform by other hands."""

from __future__ import annotations

from typing import Any

import pytest
from cryptography.hazmat.primitives import serialization
from django.test import Client
from lti1p3platform.ltiplatform import LTI1P3PlatformConfAbstract
from lti1p3platform.message_launch import LTIAdvantageMessageLaunchAbstract
from lti1p3platform.oidc_login import OIDCLoginAbstract
from lti1p3platform.registration import Registration

from tests.games.classroom import a_classroom
from tests.scenes.platform import DOCUMENT, LEARNER, School, a_key
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
        )


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

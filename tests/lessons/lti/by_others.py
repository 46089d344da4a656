"""A platform by other hands: its launches and its tokens are made by ``lti1p3platform``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from time import time
from typing import Any
from urllib.parse import parse_qsl

from cryptography.hazmat.primitives import serialization
from lti1p3platform.jwt_helper import jwt_encode
from lti1p3platform.ltiplatform import LTI1P3PlatformConfAbstract
from lti1p3platform.message_launch import LTIAdvantageMessageLaunchAbstract
from lti1p3platform.oidc_login import OIDCLoginAbstract
from lti1p3platform.registration import Registration
from requests import PreparedRequest

from lessons.lti.sealing import key_set
from tests.scenes.platform import LEARNER, School, a_key, answer_of, text_of

OURS = "http://testserver/lti"


@cache
def texts() -> tuple[str, str]:
    """The platform's private key, and its public one."""
    key = a_key(1)
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    public = key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    return private.decode(), public.decode()


class Theirs(LTI1P3PlatformConfAbstract):
    """Their platform, registered as ours is, with the keys that ours has."""

    def init_platform_config(self, **_named: Any) -> None:
        """Nothing is kept."""

    def get_registration_by_params(self, **_named: Any) -> Registration:
        private, public = texts()
        return (
            Registration()
            .set_iss("https://moodle.school.test")
            .set_client_id("xactika")
            .set_deployment_id("1")
            .set_oidc_login_url(f"{OURS}/login/")
            .set_launch_url(f"{OURS}/launch/")
            .set_platform_private_key(private)
            .set_platform_public_key(public)
            .set_tool_key_set({"keys": key_set()})
        )


def registered() -> Theirs:
    """Their platform with our keys as they are now."""
    theirs = Theirs()
    theirs._registration = theirs.get_registration_by_params()
    return theirs


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


def message_for(asked: dict[str, str]) -> Launch:
    """What a student of theirs sends, asked by this server."""
    message = Launch(asked, Theirs())
    message.set_user_data("user-1", [LEARNER], full_name="Ada", email_address="a@school.test")
    message.set_resource_link_claim("link-1")
    message.set_launch_context_claim("course-1", context_title="Maths")
    message.set_ags("https://moodle.school.test/lineitems?type=5")
    message.set_nrps("https://moodle.school.test/members")
    return message


class TheirSchool(School):
    """Its launches and its tokens are theirs; it errs as ours does."""

    def __init__(self) -> None:
        super().__init__(kid=str(Theirs().get_registration().get_kid()))

    def message(self, nonce: str) -> dict[str, Any]:
        message = message_for({"nonce": nonce})
        message._registration = Theirs().get_registration()
        said: dict[str, Any] = message.get_launch_data()[0]
        return said | {"iat": int(time()), "exp": int(time()) + message.id_token_expiration}

    def sign(
        self,
        claims: Mapping[str, Any],
        *,
        key: Any = None,
        algorithm: str = "RS256",
        **header: Any,
    ) -> str:
        headers = {"kid": self.kid} | header
        token: str = jwt_encode(dict(claims), key or self.key, algorithm, headers)
        return token

    def token(self, request: PreparedRequest) -> Any:
        theirs = registered()
        said: Any = theirs.get_access_token(dict(parse_qsl(text_of(request))))
        assert theirs.validate_token(said["access_token"], [said["scope"].split()[-1]])
        self.given += 1
        self.tokens.add(said["access_token"])
        return answer_of(request, 200, json.dumps(said).encode())

"""How a platform and this server come to know each other."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from lessons.lti.sealing import key_set, tool_key, turn_keys, unseal
from lessons.models import Platform, PlatformInvitation, ToolKey
from tests.games.classroom import a_classroom
from tests.scenes.platform import School, launch

pytestmark = pytest.mark.django_db


def address() -> str:
    """What the command prints."""
    out = StringIO()
    call_command("lti", stdout=out)
    return out.getvalue().strip().removeprefix("http://127.0.0.1:8000")


def open_by_platform(school: School, where: str, token: str = "once") -> Any:
    sent = {"openid_configuration": f"{school.issuer}/configuration"}
    return Client().get(where, sent | ({"registration_token": token} if token else {}))


def test_a_platform_registers_by_itself_and_launches(school: School) -> None:
    where = address()
    page = open_by_platform(school, where)
    assert page.status_code == 200
    assert "frame-ancestors *" in page["Content-Security-Policy"]
    assert "Missing" not in page.text
    assert school.bearer == "Bearer once"
    tool = school.registered["https://purl.imsglobal.org/spec/lti-tool-configuration"]
    assert tool["claims"] == ["sub"]
    assert school.registered["redirect_uris"] == ["http://testserver/lti/launch/"]
    assert school.registered["token_endpoint_auth_method"] == "private_key_jwt"
    platform = Platform.objects.get()
    assert (platform.issuer, platform.deployments) == (school.issuer, ["1"])
    school.course(a_classroom())
    assert launch(school).status_code == 302
    assert open_by_platform(school, where).status_code == 404  # once


def test_what_is_missing_is_told(school: School) -> None:
    school.deployment = ""
    school.told = {"jwks_uri": "https://away.school.test/keys"}
    page = open_by_platform(school, address(), token="").text
    assert "Missing: the deployment ID" in page
    assert "Missing: its keys" in page
    assert school.bearer == ""


@pytest.mark.parametrize(
    "told",
    [
        {"issuer": "https://elsewhere.example"},
        {"registration_endpoint": "https://elsewhere.example/register"},
        {"registration_endpoint": "http://moodle.school.test/register"},
        {"jwks_uri": "http://moodle.school.test/keys"},
        {"authorization_endpoint": "javascript:alert(1)"},
        {"token_endpoint": None},
        {"issuer": 7},
    ],
    ids=str,
)
def test_a_configuration_that_cannot_be_gets_no_token(
    school: School, told: dict[str, Any]
) -> None:
    school.told = told
    where = address()
    page = open_by_platform(school, where)
    assert page.status_code == 422
    assert not school.bearer
    assert not Platform.objects.exists()
    school.told = {}
    assert open_by_platform(school, where).status_code == 200  # it may try again


@pytest.mark.parametrize("errs", ["away", "slow", "redirect", "500", "huge", "text", "list"])
def test_a_platform_that_errs_is_not_stored(school: School, errs: str) -> None:
    school.errs = errs
    assert open_by_platform(school, address()).status_code == 422
    assert not Platform.objects.exists()


def test_a_platform_that_is_known_is_not_changed_by_another(
    schools: dict[str, School], school: School
) -> None:
    school.known()
    evil = schools["evil.school.test"] = School("evil.school.test")
    evil.told = {"issuer": school.issuer}
    assert open_by_platform(evil, address()).status_code == 422
    assert Platform.objects.get().jwks_url == f"{school.issuer}/keys"


def copied(school: School, **changes: str) -> dict[str, str]:
    return {
        "issuer": school.issuer,
        "client_id": school.client_id,
        "auth_login_url": f"{school.issuer}/auth",
        "token_url": f"{school.issuer}/token",
        "jwks_url": f"{school.issuer}/keys",
        "deployments": "1  2",
    } | changes


def test_a_platform_is_copied_by_hand(school: School) -> None:
    where, browser = (
        address(),
        Client(enforce_csrf_checks=True),
    )  # in a frame there is no cookie
    page = browser.get(where).text
    for own in ("login", "launch", "keys"):
        assert f"http://testserver/lti/{own}/" in page
    wrong = browser.post(where, copied(school, jwks_url="http://moodle.school.test/keys"))
    assert wrong.status_code == 422
    assert not Platform.objects.exists()
    assert browser.post(where, copied(school)).status_code == 200
    assert Platform.objects.get().deployments == ["1", "2"]
    assert school.asked == 1
    assert browser.post(where, copied(school)).status_code == 404
    assert browser.post(address(), copied(school, deployments="3")).status_code == 200
    assert Platform.objects.get().deployments == ["3"]


def test_the_address_opens_for_an_hour_and_the_newest_only(school: School) -> None:
    first, second = address(), address()
    assert first == second or Client().get(first).status_code == 404
    assert Client().get(second).status_code == 200
    PlatformInvitation.objects.update(created=timezone.now() - timedelta(minutes=61))
    assert Client().get(second).status_code == 404
    assert Client().get("/lti/register/made-up/").status_code == 404


def test_the_command_says_what_to_switch_on(settings: Settings) -> None:
    settings.LTI = False
    with pytest.raises(CommandError, match="XACTIKA_LTI=1"):
        call_command("lti")
    assert not PlatformInvitation.objects.exists()


# Keys.


def test_keys_are_made_once_sealed_and_told() -> None:
    told = Client().get("/lti/keys/").json()["keys"]
    assert told == key_set()
    assert len(told) == ToolKey.objects.count() == 1
    assert set(told[0]) == {"alg", "e", "kid", "kty", "n", "use"}
    assert "PRIVATE" not in tool_key().private
    assert "PRIVATE" in unseal(tool_key().private)


def test_an_old_key_is_told_for_a_day() -> None:
    first = key_set()
    call_command("lti", "turn-keys")
    assert len(key_set()) == 2
    assert key_set()[1:] == first
    turn_keys()
    assert len(key_set()) == 3
    ToolKey.objects.update(made=timezone.now() - timedelta(days=2))
    assert len(key_set()) == 1

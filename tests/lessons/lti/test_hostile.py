"""Launches that are none: each opens nothing, writes nothing, and says one short code."""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from collections.abc import Callable
from time import time
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from django.core.cache import cache
from django.db import connection
from django.test import Client

from lessons.models import CourseMember, Platform
from tests.games.classroom import a_classroom
from tests.lessons.lti.by_others import TheirSchool
from tests.scenes.platform import School, a_key, begin, launch, public, send
from xactika_site.classrooms.models import Student

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.filterwarnings("ignore::jwt.InsecureKeyLengthWarning"),
]

Sent = tuple[str, str]
Attack = Callable[[School, Client], Sent]


def says(**changes: Any) -> Attack:
    """A token that is signed well, and says something else."""

    def attack(school: School, browser: Client) -> Sent:
        asked = begin(browser, school)
        return school.sign(school.claims(asked["nonce"], **changes)), asked["state"]

    return attack


def signed(**options: Any) -> Attack:
    """A token that says what it should, and is signed otherwise."""

    def attack(school: School, browser: Client) -> Sent:
        asked = begin(browser, school)
        return school.sign(school.claims(asked["nonce"]), **options), asked["state"]

    return attack


def changed(change: Callable[[School, str], str]) -> Attack:
    """A good token, changed afterwards."""

    def attack(school: School, browser: Client) -> Sent:
        id_token, state = says()(school, browser)
        return change(school, id_token), state

    return attack


def with_unknown_key(errs: str) -> Attack:
    """Keys that turned while the platform errs."""

    def attack(school: School, browser: Client) -> Sent:
        school.known()
        school.turn_keys(9)
        school.errs = errs
        return says()(school, browser)

    return attack


def part(told: object) -> str:
    return urlsafe_b64encode(json.dumps(told).encode()).decode().rstrip("=")


def unsigned(name: str) -> Attack:
    return changed(
        lambda school, token: f"{part({'alg': name, 'kid': school.kid})}.{token.split('.')[1]}."
    )


def by_public_key(algorithm: str) -> Attack:
    """The public key taken for a secret that both know."""

    def change(school: School, token: str) -> str:
        pem = school.key.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        )
        key = jwt.get_algorithm_by_name(algorithm)
        head, body = part({"alg": algorithm, "kid": school.kid}), token.split(".")[1]
        seal = key.sign(f"{head}.{body}".encode(), pem)
        return f"{head}.{body}.{urlsafe_b64encode(seal).decode().rstrip('=')}"

    return changed(change)


def another_claim(school: School, token: str) -> str:
    head, _body, seal = token.split(".")
    return f"{head}.{part(school.claims('nonce', sub='user-2'))}.{seal}"


def replayed_for_another(school: School, browser: Client) -> Sent:
    token, _state = says()(school, browser)
    return token, begin(browser, school)["state"]


def replayed_whole(school: School, browser: Client) -> Sent:
    token, state = says()(school, browser)
    Client().post("/lti/launch/", {"id_token": token, "state": state})
    cache.delete(f"lti.launch.{state}")  # as if it had opened
    return token, state


def late(school: School, browser: Client) -> Sent:
    sent = says()(school, browser)
    cache.clear()
    return sent


def of_a_small_key(school: School, browser: Client) -> Sent:
    known = school.known()
    school.key = a_key(3, 1024)
    known.keys = {school.kid: public(school.key, "")}
    known.save()
    return says()(school, browser)


def of_a_curve(school: School, browser: Client) -> Sent:
    return signed(key=generate_private_key(SECP256R1()), algorithm="ES256")(school, browser)


def by_another_platform(school: School, browser: Client) -> Sent:
    asked = begin(browser, school)
    other = School("canvas.school.test", kid="theirs", key=a_key(4))
    return other.sign(other.claims(asked["nonce"])), asked["state"]


def deep(_school: School, token: str) -> str:
    nested = urlsafe_b64encode(b"[" * 20_000).decode().rstrip("=")
    return f"{nested}.{token.split('.')[1]}.{token.split('.')[2]}"


def jku(school: School, browser: Client) -> Sent:
    """A token that brings its own key along, or says where there is one."""
    own = public(a_key(5), school.kid)
    elsewhere = "https://elsewhere.test/keys"
    return signed(key=a_key(5), jwk=own, jku=elsewhere, x5u=elsewhere)(school, browser)


ATTACKS: list[tuple[str, Attack, str]] = [
    ("no state", lambda s, b: (says()(s, b)[0], ""), "state"),
    ("a state of nobody", lambda s, b: (says()(s, b)[0], "x" * 32), "state"),
    ("a state that is none", lambda s, b: (says()(s, b)[0], "../\0é" * 99), "state"),
    ("late", late, "state"),
    ("the whole again", replayed_whole, "state"),
    ("a token for another login", replayed_for_another, "nonce"),
    ("another nonce", says(nonce="other"), "nonce"),
    ("a nonce that is none", says(nonce=["a"]), "nonce"),
    ("no nonce", says(nonce=None), "nonce"),
    ("no token", changed(lambda _s, _t: ""), "signature"),
    ("half a token", changed(lambda _s, token: token.rpartition(".")[0]), "signature"),
    ("no token but words", changed(lambda _s, _t: "a.b.c"), "signature"),
    ("a deep header", changed(deep), "signature"),
    ("unsigned", unsigned("none"), "signature"),
    ("unsigned, in capitals", unsigned("NONE"), "signature"),
    ("unsigned, called signed", unsigned("RS256"), "signature"),
    ("HS256 by the public key", by_public_key("HS256"), "signature"),
    ("HS512 by the public key", by_public_key("HS512"), "signature"),
    ("RS512", signed(algorithm="RS512"), "signature"),
    ("PS256", signed(algorithm="PS256"), "signature"),
    ("ES256", of_a_curve, "signature"),
    ("another's signature", signed(key=a_key(2)), "signature"),
    ("another claim under it", changed(another_claim), "signature"),
    ("its own key", jku, "signature"),
    ("what must be understood", signed(crit=["b64"], b64=False), "signature"),
    ("an unknown key", with_unknown_key("list"), "key"),
    ("no key's name", signed(kid=""), "key"),
    ("a small key", of_a_small_key, "key"),
    ("another platform's", by_another_platform, "key"),
    ("keys away", with_unknown_key("away"), "away"),
    ("keys slow", with_unknown_key("slow"), "away"),
    ("keys elsewhere", with_unknown_key("redirect"), "away"),
    ("keys that break", with_unknown_key("500"), "away"),
    ("keys without end", with_unknown_key("huge"), "away"),
    ("keys in words", with_unknown_key("text"), "away"),
    ("another audience", says(aud="other"), "audience"),
    ("no audience", says(aud=None), "audience"),
    ("several, for nobody", says(aud=["xactika", "other"], azp=None), "audience"),
    ("for another party", says(aud=["xactika", "other"], azp="other"), "audience"),
    ("for another party alone", says(azp="other"), "audience"),
    ("another issuer", says(iss="https://canvas.school.test"), "issuer"),
    ("no issuer", says(iss=None), "issuer"),
    ("another deployment", says(deployment_id="2"), "deployment"),
    ("no deployment", says(deployment_id=None), "deployment"),
    ("deployments", says(deployment_id=["1"]), "deployment"),
    ("over", says(exp=int(time()) - 90), "time"),
    ("without end", says(exp=None), "time"),
    ("not yet", says(iat=int(time()) + 900), "time"),
    ("of no time", says(iat=None), "time"),
    ("not before long", says(nbf=int(time()) + 900), "time"),
    ("another version", says(version="1.1"), "message"),
    ("another message", says(message_type="LtiSubmissionReviewRequest"), "message"),
    ("messages", says(message_type=["LtiResourceLinkRequest"]), "message"),
    ("no message", says(message_type=None), "message"),
    ("no link", says(resource_link=None), "message"),
    ("a link that is none", says(resource_link="link-1"), "message"),
    ("no course", says(context=None), "message"),
    ("a course that is none", says(context={"id": 7}), "message"),
    ("a course beyond all", says(context={"id": "c" * 300}), "message"),
    ("a course with a zero", says(context={"id": "c\0"}), "message"),
    ("no roles", says(roles=None), "message"),
    ("roles that are none", says(roles=[1]), "message"),
    ("a user beyond all", says(sub="u" * 300), "message"),
    ("a user that is none", says(sub=7), "message"),
    ("10 MB of claims", says(name="n" * 500_000), "size"),
    ("too many claims", says(name="n" * 70_000), "size"),
]


on_both = pytest.mark.parametrize("school", [School, TheirSchool], indirect=True)
LAST_OF_CODE = {code: name for name, _attack, code in ATTACKS}
"""How their platform attacks: what refuses it is the same for both."""


@pytest.mark.parametrize(
    ("school", "attack", "code"),
    [
        pytest.param(kind, attack, code, id=f"{kind.__name__}: {name}")
        for kind in (School, TheirSchool)
        for name, attack, code in ATTACKS
        if kind is School or LAST_OF_CODE[code] == name
    ],
    indirect=["school"],
)
def test_a_hostile_launch_opens_nothing(
    school: School, attack: Attack, code: str, caplog: pytest.LogCaptureFixture
) -> None:
    school.course(a_classroom())
    browser = Client()
    id_token, state = attack(school, browser)
    known, cookies = Platform.objects.get().pk, dict(browser.cookies)
    before = written()
    answer = send(browser, id_token, state)
    assert (answer.status_code, answer.context["code"]) == (400, code)
    assert written() - before <= 1  # the platform's keys, if they were fetched
    assert not Student.objects.exists()
    assert not CourseMember.objects.exists()
    assert Platform.objects.get().pk == known
    assert not answer.cookies
    assert dict(browser.cookies) == cookies
    assert browser.get(f"/lti/open/{state or 'x'}/".replace("\0", "")).status_code in (400, 404)
    told = [each for each in caplog.records if each.name == "xactika.lti"]
    assert told[0].message == f"launch refused: {code}"
    # Of a state that is nobody's, no platform is known.
    assert vars(told[0]).get("where") in (
        {None} if code in ("state", "size") else {school.host}
    )


def written() -> int:
    """How many rows have been written, changed or deleted on this connection."""
    changes: int = connection.connection.total_changes
    return changes


def test_many_refused_launches_are_answered_later(
    school: School, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lessons.lti.views.REFUSED_A_MINUTE", 3)
    school.course(a_classroom())
    answers = [Client().post("/lti/launch/", {"state": "x"}).status_code for _try in range(4)]
    assert answers == [400, 400, 400, 429]


@on_both
def test_what_is_true_is_not_refused(school: School) -> None:
    """The table refuses what it says, and nothing else."""
    school.course(a_classroom())
    for changes in (
        {"aud": ["xactika"]},
        {"aud": ["other", "xactika"], "azp": "xactika"},
        {"exp": int(time()) - 30, "iat": int(time()) + 30},
        {"version": "1.3.0", "lis": {"person_sourcedid": "7"}},
    ):
        assert launch(school, **changes).status_code == 302

"""A school's system of our own, in this process: it signs launches, answers what this server
asks, and errs as it is told. ``by_others`` is one by other hands."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from threading import Thread
from time import time
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import jwt
import requests
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key
from django.test import Client
from django.utils import timezone
from jwt.algorithms import RSAAlgorithm
from urllib3 import HTTPResponse

from lessons.models import Course, Platform
from xactika_site.classrooms.models import Classroom

CLAIM = "https://purl.imsglobal.org/spec/lti/claim/"
MEMBERSHIP = "http://purl.imsglobal.org/vocab/lis/v2/membership#"
LEARNER, INSTRUCTOR, MENTOR = (
    f"{MEMBERSHIP}{role}" for role in ("Learner", "Instructor", "Mentor")
)
DOCUMENT = {"Sec-Fetch-Dest": "document"}


@cache
def a_key(number: int, bits: int = 2048) -> RSAPrivateKey:
    """Another key for each number."""
    return generate_private_key(65537, bits)


def public(key: RSAPrivateKey, kid: str) -> dict[str, Any]:
    """What a key set tells of a key."""
    told = RSAAlgorithm.to_jwk(key.public_key(), as_dict=True)
    return {"kty": "RSA", "n": told["n"], "e": told["e"], "kid": kid, "alg": "RS256"}


@dataclass
class School:
    """A platform, how it errs just now (``errs``), and how often it was asked for its keys."""

    host: str = "moodle.school.test"
    scheme: str = "https"
    client_id: str = "xactika"
    deployment: str = "1"
    kid: str = "first"
    key: RSAPrivateKey = field(default_factory=lambda: a_key(1))
    errs: str = ""
    asked: int = 0
    registered: dict[str, Any] = field(default_factory=dict)
    bearer: str = ""
    told: dict[str, Any] = field(default_factory=dict)

    @property
    def issuer(self) -> str:
        return f"{self.scheme}://{self.host}"

    def known(self) -> Platform:
        """The platform as it is registered here."""
        return Platform.objects.get_or_create(
            issuer=self.issuer,
            client_id=self.client_id,
            defaults={
                "auth_login_url": f"{self.issuer}/auth",
                "token_url": f"{self.issuer}/token",
                "jwks_url": f"{self.issuer}/keys",
                "deployments": [self.deployment],
                "keys": {self.kid: {part: public(self.key, "")[part] for part in "ne"}},
                "fetched": timezone.now(),
            },
        )[0]

    def turn_keys(self, number: int = 2) -> None:
        """Another key from now on."""
        self.kid, self.key = f"key {number}", a_key(number)

    def course(self, classroom: Classroom, context: str = "course-1") -> Course:
        """One of its courses, linked with a class."""
        return Course.objects.create(
            platform=self.known(),
            deployment=self.deployment,
            context=context,
            classroom=classroom,
        )

    # What it says of somebody.

    def claims(self, nonce: str, /, **changes: Any) -> dict[str, Any]:
        """A token's claims; ``changes`` by the last part of their names, None for none."""
        said = {
            "iss": self.issuer,
            "aud": self.client_id,
            "sub": "user-1",
            "nonce": nonce,
            "iat": int(time()),
            "exp": int(time()) + 300,
            f"{CLAIM}deployment_id": self.deployment,
            f"{CLAIM}message_type": "LtiResourceLinkRequest",
            f"{CLAIM}version": "1.3.0",
            f"{CLAIM}roles": [LEARNER],
            f"{CLAIM}context": {"id": "course-1"},
            f"{CLAIM}resource_link": {"id": "link-1"},
        }
        for name, value in changes.items():
            full = name if name in said or f"{CLAIM}{name}" not in said else f"{CLAIM}{name}"
            said[f"{CLAIM}{name}" if name == "custom" else full] = value
        return {name: value for name, value in said.items() if value is not None}

    def sign(
        self,
        claims: Mapping[str, Any],
        *,
        key: Any = None,
        algorithm: str = "RS256",
        **header: Any,
    ) -> str:
        """The token of these claims."""
        headers = {"kid": self.kid} | header
        return jwt.encode(dict(claims), key or self.key, algorithm, headers=headers)

    # What it answers.

    def answer(self, request: requests.PreparedRequest) -> requests.Response:
        """As its server would, or erring."""
        path = urlsplit(request.url or "").path
        self.asked += path == "/keys"
        match self.errs:
            case "away":
                raise requests.ConnectionError
            case "slow":
                raise requests.ReadTimeout
            case "redirect":
                return _answer(request, 302, b"", Location="http://127.0.0.1/keys")
            case "500":
                return _answer(request, 500, b"{}")
            case "huge":
                return _answer(request, 200, b'{"keys": "' + b"." * 300_000 + b'"}')
            case "text":
                return _answer(request, 200, b"<p>keys</p>")
            case "list":
                return _answer(request, 200, b'{"keys": [1, "two", {"kid": 3}]}')
        match path:
            case "/keys":
                said: Any = {"keys": [public(self.key, self.kid)]}
            case "/configuration":
                said = self.configuration() | self.told
            case "/register":
                self.bearer = str(request.headers.get("Authorization", ""))
                self.registered = json.loads(request.body or b"")  # type: ignore[arg-type]
                tool = {"deployment_id": self.deployment} if self.deployment else {}
                said = {
                    "client_id": self.client_id,
                    "https://purl.imsglobal.org/spec/lti-tool-configuration": tool,
                }
            case _:
                return _answer(request, 404, b"")
        return _answer(request, 200, json.dumps(said).encode())

    def configuration(self) -> dict[str, Any]:
        """What it tells of itself."""
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/auth",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
            "registration_endpoint": f"{self.issuer}/register",
            "https://purl.imsglobal.org/spec/lti-platform-configuration": {
                "product_family_code": "moodle",
            },
        }


def _answer(
    request: requests.PreparedRequest, status: int, body: bytes, **headers: str
) -> requests.Response:
    answer = requests.Response()
    answer.request, answer.url, answer.status_code = request, request.url or "", status
    answer.headers.update(headers)
    answer.raw = HTTPResponse(BytesIO(body), headers, status, preload_content=False)
    return answer


# Somebody's browser.


def begin(browser: Client, school: School, **hints: str) -> dict[str, str]:
    """A login, at the top of a window: what this server asks the platform."""
    school.known()
    sent = {"iss": school.issuer, "client_id": school.client_id, "login_hint": "7"} | hints
    answer = browser.get("/lti/login/", sent, headers=DOCUMENT)
    assert answer.status_code == 302, answer.content
    address = urlsplit(answer["Location"])
    assert f"https://{address.hostname}" == school.issuer
    return dict(parse_qsl(address.query))


def send(browser: Client, id_token: str, state: str) -> Any:
    """The platform's form, by another site, so that no cookie goes with it; then the page that
    it leads to, in the browser."""
    answer = Client().post("/lti/launch/", {"id_token": id_token, "state": state})
    if answer.status_code != 302:
        return answer
    return browser.get(answer["Location"])


def launch(school: School, browser: Client | None = None, **changes: Any) -> Any:
    """A whole launch: the answer, which has ``client``."""
    browser = browser or Client()
    asked = begin(browser, school)
    claims = school.claims(asked["nonce"], **changes)
    return send(browser, school.sign(claims), asked["state"])


# Over http, for real browsers.

FORM = """<form method="post" action="{to}"><input name="id_token" value="{id_token}">
<input name="state" value="{state}"></form><script>document.forms[0].submit()</script>"""
FRAME = """<h1>Course</h1><iframe width="900" height="700" src="{to}"></iframe>
<script>addEventListener("message", (told) => document.title = told.data.subject)</script>"""


@contextmanager
def serving(tool: str) -> Iterator[School]:
    """A platform on this machine. ``/course?who=…`` has this server's login in a frame, and
    with ``top`` at the top of the window; ``/admin?to=…`` an address by which it registers."""

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            address = urlsplit(self.path)
            asked = dict(parse_qsl(address.query))
            match address.path:
                case "/course":
                    hints = {"iss": school.issuer, "login_hint": asked["who"]}
                    to = f"{tool}/lti/login/?{urlencode(hints)}"
                    if "top" in asked:
                        self.send_response(302)
                        self.send_header("Location", to)
                        self.end_headers()
                        return
                    page = FRAME.format(to=escape(to))
                case "/admin":
                    own = {"openid_configuration": f"{school.issuer}/configuration"}
                    page = FRAME.format(to=escape(f"{asked['to']}?{urlencode(own)}"))
                case "/auth":
                    who = asked["login_hint"]
                    role = INSTRUCTOR if who == "teacher" else LEARNER
                    claims = school.claims(asked["nonce"], sub=who, roles=[role])
                    page = FORM.format(
                        to=asked["redirect_uri"],
                        id_token=school.sign(claims),
                        state=asked["state"],
                    )
                case _:
                    return self.do_POST()
            self.say("text/html", page.encode())

        def do_POST(self) -> None:
            sent = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            url = school.issuer + self.path
            answer = school.answer(requests.Request(self.command, url, data=sent).prepare())
            self.say("application/json", answer.content)

        def say(self, kind: str, body: bytes) -> None:
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_told: object) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    school = School(f"127.0.0.1:{server.server_port}", "http")
    Thread(target=server.serve_forever, daemon=True).start()
    yield school
    server.shutdown()
    server.server_close()

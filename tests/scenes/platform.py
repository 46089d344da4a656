"""A school's system of our own, in this process: it signs launches, answers what this server
asks, and errs as it is told. ``lessons/lti/by_others`` is one by other hands."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
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

from lessons.lti.sealing import key_set
from lessons.models import Course, Platform
from xactika_site.classrooms.models import Classroom

CLAIM = "https://purl.imsglobal.org/spec/lti/claim/"
AGS, NRPS, LINKS = (
    f"https://purl.imsglobal.org/spec/lti-{name}/" for name in ("ags", "nrps", "dl")
)
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
    """A platform, how it errs just now (``errs``, at addresses that end so), and how often it
    was asked for its keys; its gradebook, and who is in the course."""

    host: str = "moodle.school.test"
    scheme: str = "https"
    client_id: str = "xactika"
    deployment: str = "1"
    kid: str = "first"
    key: RSAPrivateKey = field(default_factory=lambda: a_key(1))
    errs: str = ""
    errs_at: str = ""
    mood: Callable[[str], str] | None = None
    asked: int = 0
    registered: dict[str, Any] = field(default_factory=dict)
    bearer: str = ""
    told: dict[str, Any] = field(default_factory=dict)
    # What its launches say besides, over http, and what was sent back of a link.
    says: dict[str, Any] = field(default_factory=dict)
    link: str = ""
    # Its services: seconds by which its clock is off, what it says yes with, what it wants when
    # it is busy; the tokens that it takes, and how many it gave.
    clock: int = 0
    yes: int = 200
    retry_after: str = ""
    tool_keys: Callable[[], Any] = key_set
    tokens: set[str] = field(default_factory=set)
    given: int = 0
    items: list[dict[str, Any]] = field(default_factory=list)
    is_filtering: bool = True
    # All scores that it took, by column and user, and the users that it does not grade.
    scores: dict[tuple[str, str], list[dict[str, Any]]] = field(default_factory=dict)
    left: set[str] = field(default_factory=set)
    roster: list[dict[str, Any]] = field(default_factory=list)

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
        said = self.message(nonce)
        for name, value in changes.items():
            full = name if name in said or f"{CLAIM}{name}" not in said else f"{CLAIM}{name}"
            said[f"{CLAIM}{name}" if name == "custom" else full] = value
        return {name: value for name, value in said.items() if value is not None}

    def message(self, nonce: str) -> dict[str, Any]:
        """What it says of a student who opens a link."""
        return {
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
            f"{AGS}claim/endpoint": {
                "scope": [f"{AGS}scope/lineitem", f"{AGS}scope/score"],
                "lineitems": f"{self.issuer}/lineitems?type=5",
            },
            f"{NRPS}claim/namesroleservice": {
                "context_memberships_url": f"{self.issuer}/members"
            },
        }

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
        errs = self.mood(path) if self.mood else self.errs
        match errs if path.endswith(self.errs_at) else "":
            case "away":
                raise requests.ConnectionError
            case "slow":
                raise requests.ReadTimeout
            case "done, but slow":
                self.said(request, path)
                raise requests.ReadTimeout
            case "redirect":
                return answer_of(request, 302, b"", Location="http://127.0.0.1/keys")
            case "huge":
                return answer_of(request, 200, b'{"keys": "' + b"." * 300_000 + b'"}')
            case "text":
                return answer_of(request, 200, b"<p>keys</p>")
            case "list":
                return answer_of(request, 200, b'{"keys": [1, "two", {"kid": 3}]}')
            case code if code.isdecimal():
                busy = {"Retry-After": self.retry_after} if self.retry_after else {}
                return answer_of(request, int(code), b"{}", **busy)
        return self.said(request, path)

    def said(self, request: requests.PreparedRequest, path: str) -> requests.Response:
        """What it does and says when it does not err."""
        asked = dict(parse_qsl(urlsplit(request.url or "").query))
        match path:
            case "/keys":
                said: Any = {"keys": [public(self.key, self.kid)]}
            case "/configuration":
                said = self.configuration() | self.told
            case "/register":
                self.bearer = str(request.headers.get("Authorization", ""))
                self.registered = json.loads(text_of(request))
                tool = {"deployment_id": self.deployment} if self.deployment else {}
                said = {
                    "client_id": self.client_id,
                    "https://purl.imsglobal.org/spec/lti-tool-configuration": tool,
                }
            case "/token":
                return self.token(request)
            case _ if not path.startswith(("/members", "/lineitems")):
                return answer_of(request, 404, b"")
            case _ if request.headers.get("Authorization", "")[7:] not in self.tokens:
                return answer_of(request, 401, b"{}")
            case "/members":
                return self.members(request, int(asked.get("page", 0)))
            case "/lineitems":
                return self.line_items(request, asked)
            case _:
                return self.score(request, path.removesuffix("/scores"))
        return answer_of(request, 200, json.dumps(said).encode())

    # Its services.

    def token(self, request: requests.PreparedRequest) -> requests.Response:
        """A token for whoever signs with a key that this server tells, now."""
        sent = dict(parse_qsl(text_of(request)))
        keys = {each["kid"]: jwt.PyJWK(dict(each)).key for each in self.tool_keys()}
        assertion = sent["client_assertion"]
        claims = jwt.decode(
            assertion,
            keys[jwt.get_unverified_header(assertion)["kid"]],
            algorithms=["RS256"],
            audience=f"{self.issuer}/token",
            options={"verify_exp": False},
        )
        assert claims["iss"] == claims["sub"] == self.client_id
        if not claims["iat"] <= time() + self.clock <= claims["exp"]:
            return answer_of(request, 400, b'{"error": "invalid_client"}')
        self.given += 1
        self.tokens.add(token := f"token {self.given}")
        said = {"access_token": token, "expires_in": 3600, "scope": sent["scope"]}
        return answer_of(request, 200, json.dumps(said).encode())

    def line_items(
        self, request: requests.PreparedRequest, asked: Mapping[str, str]
    ) -> requests.Response:
        """Its columns, or a new one."""
        if request.method == "POST":
            new: dict[str, Any] = json.loads(text_of(request))
            new["id"] = f"{self.issuer}/lineitems/{len(self.items)}?type=5"
            self.items.append(new)
            return answer_of(request, 201, json.dumps(new).encode())
        assert asked["type"] == "5"
        found = [
            each
            for each in self.items
            if not self.is_filtering
            or (each.get("resourceId"), each.get("tag")) == (asked["resource_id"], asked["tag"])
        ]
        return answer_of(request, 200, json.dumps(found).encode())

    def score(self, request: requests.PreparedRequest, item: str) -> requests.Response:
        """A score, taken as Moodle and Canvas take it."""
        told = json.loads(text_of(request))
        url = f"{self.issuer}{item}?type=5"
        if not any(each["id"] == url for each in self.items):
            return answer_of(request, 404, b"")
        if told["userId"] in self.left:
            return answer_of(request, 422, b"")
        assert request.headers["Content-Type"] == "application/vnd.ims.lis.v1.score+json"
        assert 0 <= told["scoreGiven"] <= told["scoreMaximum"] == 100
        before = self.scores.setdefault((url, told["userId"]), [])
        if before and told["timestamp"] <= before[-1]["timestamp"]:
            return answer_of(request, 409, b"")
        before.append(told)
        return answer_of(request, self.yes, b"" if self.yes == 204 else b"{}")

    def members(self, request: requests.PreparedRequest, page: int) -> requests.Response:
        """Ten of the course's members at a time."""
        said = {"members": self.roster[10 * page :][:10]}
        following = f'<{self.issuer}/members?page={page + 1}>; rel="next"'
        links = {"Link": following} if self.roster[10 * (page + 1) :] else {}
        return answer_of(request, 200, json.dumps(said).encode(), **links)

    def configuration(self) -> dict[str, Any]:
        """What it tells of itself."""
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/auth",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
            "registration_endpoint": f"{self.issuer}/register",
            "https://purl.imsglobal.org/spec/lti-platform-configuration": {
                "product_family_code": "moodle"
            },
        }


def text_of(request: requests.PreparedRequest) -> str:
    body: Any = request.body or ""
    return body if isinstance(body, str) else str(body, "utf-8")


def answer_of(
    request: requests.PreparedRequest, status: int, body: bytes, **headers: str
) -> requests.Response:
    answer = requests.Response()
    answer.request, answer.url, answer.status_code = request, request.url or "", status
    answer.headers.update(headers)
    answer.raw = HTTPResponse(BytesIO(body), headers, status, preload_content=False)
    return answer


def asks_for_link(school: School, **changes: Any) -> dict[str, Any]:
    """What it says besides where a teacher chooses a link."""
    settings = {
        "deep_link_return_url": f"{school.issuer}/back",
        "accept_types": ["link", "ltiResourceLink"],
        "accept_presentation_document_targets": ["window"],
        "data": "of the platform's",
    }
    return {
        "message_type": "LtiDeepLinkingRequest",
        "resource_link": None,
        f"{LINKS}claim/deep_linking_settings": settings | changes,
    }


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
                    claims = school.claims(asked["nonce"], sub=who, roles=[role], **school.says)
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
            if self.path == "/back":
                school.link = dict(parse_qsl(str(sent, "utf-8")))["JWT"]
                self.say("text/html", b"<h1>Linked</h1>")
                return
            asked = requests.Request(self.command, url, data=sent, headers={**self.headers})
            answer = school.answer(asked.prepare())
            told = {name: each for name, each in answer.headers.items() if name == "Link"}
            self.say("application/json", answer.content, answer.status_code, **told)

        def say(self, kind: str, body: bytes, status: int = 200, **headers: str) -> None:
            self.send_response(status)
            for name, each in {"Content-Type": kind, **headers}.items():
                self.send_header(name, each)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_told: object) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    keys = f"{tool}/lti/keys/"
    school = School(f"127.0.0.1:{server.server_port}", "http")
    school.tool_keys = lambda: requests.get(keys, timeout=9).json()["keys"]
    Thread(target=server.serve_forever, daemon=True).start()
    yield school
    server.shutdown()
    server.server_close()

"""A launch: the login that a platform begins, and its token, checked. Of what that says of
somebody, no name leaves this file."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from threading import Lock
from typing import Any, NoReturn
from urllib.parse import urlencode

import jwt
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from pylti1p3.exception import LtiException
from pylti1p3.message_validators.deep_link import DeepLinkMessageValidator
from pylti1p3.message_validators.resource_message import ResourceMessageValidator
from pylti1p3.roles import (
    DesignerRole,
    StaffRole,
    StudentRole,
    TeacherRole,
    TeachingAssistantRole,
)

from lessons.lti.outbound import PlatformAway, fetch, may_be_asked
from lessons.lti.sealing import KEY_BITS, seal, unseal
from lessons.models import Platform
from xactika_site.rate_limit import MINUTE, in_cache

WITHIN = 600
"""Seconds from a login to its launch."""

LEEWAY = 60
"""Seconds by which a platform's clock may be off."""

MOST_KEYS, LONGEST = 20, 255
CLAIM = "https://purl.imsglobal.org/spec/lti/claim/"
GRADES = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint"
MEMBERS = "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice"
SETTINGS = "https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings"
CHOOSING = "LtiDeepLinkingRequest"
MESSAGES = {
    "LtiResourceLinkRequest": ResourceMessageValidator(),
    CHOOSING: DeepLinkMessageValidator(),
}
INSTRUCTORS = (TeacherRole, StaffRole, TeachingAssistantRole, DesignerRole)


class Code(StrEnum):
    """Why a launch is refused, as its page and the log say it."""

    STATE = "state"
    NONCE = "nonce"
    KEY = "key"
    SIGNATURE = "signature"
    AUDIENCE = "audience"
    DEPLOYMENT = "deployment"
    ISSUER = "issuer"
    TIME = "time"
    MESSAGE = "message"
    SIZE = "size"
    AWAY = "away"


class LaunchRefused(Exception):
    """A launch opens nothing; of the platform, if it is known, the log names the host."""

    def __init__(self, code: Code, platform: Platform | None = None) -> None:
        super().__init__(code)
        self.code, self.platform = code, platform


@dataclass(frozen=True, slots=True)
class Launch:
    """All that goes on of a token: the user is empty for whoever is no student of the course,
    or unnamed; ``services`` are the addresses of grades and members. Of a teacher who is to
    choose a link ``reply`` is where that goes, with ``data`` of the platform's."""

    issuer: str
    client_id: str
    deployment: str
    course: str
    user: str
    is_instructor: bool
    target: str
    services: Mapping[str, str] = field(default_factory=dict)
    reply: str = ""
    data: str = ""


# The login.


def platform_of(issuer: str, client_id: str) -> Platform:
    """The platform of this issuer and client, which may be unsaid where the issuer has one.
    Raises LaunchRefused."""
    named = {"issuer": issuer} | ({"client_id": client_id} if client_id else {})
    if not all(map(str.isprintable, named.values())):
        raise LaunchRefused(Code.ISSUER)
    if len(found := Platform.objects.filter(**named)[:2]) != 1:
        raise LaunchRefused(Code.ISSUER)
    return found[0]


def begin(sent: Mapping[str, str], launch_url: str) -> tuple[str, str]:
    """The address at the platform where a login goes on, and the state that the browser keeps
    meanwhile. Raises LaunchRefused."""
    platform = platform_of(sent.get("iss", ""), sent.get("client_id", ""))
    state = secrets.token_urlsafe(24)
    in_cache(lambda cache: cache.set(f"lti.state.{state}", platform.pk, timeout=WITHIN))
    asked = {
        "scope": "openid",
        "response_type": "id_token",
        "response_mode": "form_post",
        "prompt": "none",
        "client_id": platform.client_id,
        "redirect_uri": launch_url,
        "state": state,
        "nonce": _nonce(state),
        "login_hint": sent.get("login_hint", ""),
    }
    if hint := sent.get("lti_message_hint"):
        asked["lti_message_hint"] = hint
    joint = "&" if "?" in platform.auth_login_url else "?"
    return f"{platform.auth_login_url}{joint}{urlencode(asked)}", state


def _nonce(state: str) -> str:
    """The nonce that goes with a state, and like it is used once."""
    return salted_hmac("lti.nonce", state, algorithm="sha256").hexdigest()


def _take(kind: str, state: str) -> Any:
    """What the cache keeps for a state, once: of two who ask, one is told."""
    key = f"lti.{kind}.{state}"
    if not re.fullmatch(r"[\w-]{32}", state, re.ASCII):
        return None
    found = in_cache(lambda cache: cache.get(key))
    return found if found is not None and in_cache(lambda cache: cache.delete(key)) else None


# The token.


def check(id_token: str, state: str) -> Launch:
    """The launch that a platform's token says, for a login's state. Raises LaunchRefused."""
    platform = Platform.objects.filter(pk=_take("state", state)).first()
    if platform is None:
        raise LaunchRefused(Code.STATE)
    try:
        claims = _claims(platform, id_token)
        if not constant_time_compare(str(claims["nonce"]), _nonce(state)):
            raise LaunchRefused(Code.NONCE)
        return _launch(platform, claims)
    except LaunchRefused as why:
        raise LaunchRefused(why.code, platform) from None


def _claims(platform: Platform, id_token: str) -> dict[str, Any]:
    try:
        header = jwt.get_unverified_header(id_token)
    except (jwt.InvalidTokenError, ValueError, RecursionError):
        raise LaunchRefused(Code.SIGNATURE) from None
    if header.get("alg") != "RS256":
        raise LaunchRefused(Code.SIGNATURE)
    key = _platform_key(platform, header.get("kid"))
    try:
        claims: dict[str, Any] = jwt.decode(
            id_token,
            key,
            algorithms=["RS256"],
            audience=platform.client_id,
            issuer=platform.issuer,
            leeway=LEEWAY,
            options={"require": [*_MISSING], "verify_sub": False, "verify_jti": False},
        )
    except jwt.InvalidTokenError as why:
        _refuse(why)
    except (ValueError, TypeError, OverflowError, RecursionError):
        raise LaunchRefused(Code.SIGNATURE) from None
    is_for_several = isinstance(claims["aud"], list) and len(claims["aud"]) > 1
    if claims.get("azp", "" if is_for_several else platform.client_id) != platform.client_id:
        raise LaunchRefused(Code.AUDIENCE)
    return claims


_MISSING = {
    "exp": Code.TIME,
    "iat": Code.TIME,
    "iss": Code.ISSUER,
    "aud": Code.AUDIENCE,
    "nonce": Code.NONCE,
}
_WRONG = (
    (jwt.InvalidAudienceError, Code.AUDIENCE),
    (jwt.InvalidIssuerError, Code.ISSUER),
    (jwt.ExpiredSignatureError, Code.TIME),
    (jwt.ImmatureSignatureError, Code.TIME),
    (jwt.InvalidIssuedAtError, Code.TIME),
)


def _refuse(why: jwt.InvalidTokenError) -> NoReturn:
    if isinstance(why, jwt.MissingRequiredClaimError):
        raise LaunchRefused(_MISSING[why.claim]) from None
    codes = (code for kind, code in _WRONG if isinstance(why, kind))
    raise LaunchRefused(next(codes, Code.SIGNATURE)) from None


def _launch(platform: Platform, claims: dict[str, Any]) -> Launch:
    deployment: Any = claims.get(f"{CLAIM}deployment_id")
    if deployment not in platform.deployments:
        raise LaunchRefused(Code.DEPLOYMENT)
    try:
        message = claims[f"{CLAIM}message_type"]
        # The package's own want everybody to have a name.
        MESSAGES[message].validate({**claims, "sub": claims.get("sub", "-")})
        is_student = StudentRole(claims).check() and claims.get("sub") is not None
        return Launch(
            issuer=platform.issuer,
            client_id=platform.client_id,
            deployment=deployment,
            course=_text_or_fail(claims[f"{CLAIM}context"]["id"]),
            user=_text_or_fail(claims["sub"]) if is_student else "",
            is_instructor=any(role(claims).check() for role in INSTRUCTORS),
            target=str((claims.get(f"{CLAIM}custom") or {}).get("target", ""))[:LONGEST],
            services=_service_addresses(claims.get(GRADES) or {}, claims.get(MEMBERS) or {}),
            **_reply(claims, message),
        )
    except (LtiException, AttributeError, KeyError, TypeError):
        raise LaunchRefused(Code.MESSAGE) from None


def _reply(claims: Mapping[str, Any], message: str) -> dict[str, str]:
    """Where a platform wants its link sent, with what it wants back; empty if it wants none."""
    if message != CHOOSING:
        _text_or_fail(claims[f"{CLAIM}resource_link"]["id"])
        return {}
    reply, data = claims[SETTINGS]["deep_link_return_url"], claims[SETTINGS].get("data", "")
    if not may_be_asked(reply) or not isinstance(data, str):
        raise TypeError
    return {"reply": reply, "data": data}


def _text_or_fail(value: object) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= LONGEST or not value.isprintable():
        raise TypeError
    return value


def _service_addresses(grades: Mapping[str, Any], members: Mapping[str, Any]) -> dict[str, str]:
    addresses = {name: grades.get(name) for name in ("lineitems", "lineitem")}
    addresses["members"] = members.get("context_memberships_url")
    return {
        name: each
        for name, each in addresses.items()
        if isinstance(each, str) and may_be_asked(each)
    }


# A platform's keys.

_asking = Lock()


def _platform_key(platform: Platform, kid: object) -> RSAPublicKey:
    """The key of this id, by what the platform said last; asked again where it is not among
    these or a day has passed, at most once a minute."""
    if not isinstance(kid, str):
        raise LaunchRefused(Code.KEY)
    if not _is_known(platform, kid):
        with _asking:  # of a class that comes in at once, one asks
            platform.refresh_from_db(fields=["keys", "fetched"])
            if not _is_known(platform, kid) and in_cache(
                lambda cache: cache.add(f"lti.keys.{platform.pk}", 1, timeout=MINUTE)
            ):
                try:
                    fetch_keys(platform)
                except PlatformAway:
                    if kid not in platform.keys:
                        raise LaunchRefused(Code.AWAY) from None
    try:
        key = jwt.PyJWK({"kty": "RSA", **platform.keys[kid]}, "RS256").key
    except (KeyError, ValueError, TypeError, jwt.PyJWTError):
        raise LaunchRefused(Code.KEY) from None
    if not isinstance(key, RSAPublicKey) or key.key_size < KEY_BITS:
        raise LaunchRefused(Code.KEY)
    return key


def _is_known(platform: Platform, kid: str) -> bool:
    is_old = platform.fetched is None or (timezone.now() - platform.fetched).days
    return kid in platform.keys and not is_old


def fetch_keys(platform: Platform) -> None:
    """Ask a platform for its keys. Raises PlatformAway."""
    told = fetch(platform.jwks_url).get("keys")
    usable = [
        each
        for each in (told if isinstance(told, list) else [])
        if isinstance(each, dict)
        and each.get("kty") == "RSA"
        and all(isinstance(each.get(part), str) for part in ("kid", "n", "e"))
    ]
    platform.keys = {
        each["kid"]: {part: each[part] for part in "ne"} for each in usable[:MOST_KEYS]
    }
    platform.fetched = timezone.now()
    platform.save(update_fields=["keys", "fetched"])


# From the launch, which another site sends, to the page that opens by our own cookies.


def keep(launch: Launch, state: str, *, seconds: int = MINUTE) -> None:
    """Keep the launch for the page that opens next."""
    kept = seal(json.dumps(asdict(launch)))
    in_cache(lambda cache: cache.set(f"lti.launch.{state}", kept, timeout=seconds))


def take(state: str) -> Launch:
    """The launch that was kept, once. Raises LaunchRefused."""
    if (kept := _take("launch", state)) is None:
        raise LaunchRefused(Code.STATE)
    return Launch(**json.loads(unseal(kept)))

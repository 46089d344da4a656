"""What is stored so that only this server reads it, and the server's own keys."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Mapping
from datetime import timedelta
from functools import cache
from time import time
from typing import Any

import jwt
from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.utils import timezone
from django.utils.crypto import salted_hmac
from pylti1p3.dynamic_registration import generate_key_pair
from pylti1p3.registration import Registration

from lessons.models import Platform, ToolKey

KEY_BITS = 2048
OLD_KEYS_STAY = timedelta(days=1)


@cache
def _fernet(key: str) -> Fernet:
    derived = HKDF(SHA256(), 32, salt=None, info=b"xactika lti").derive(key.encode())
    return Fernet(urlsafe_b64encode(derived))


def seal(text: str) -> str:
    """The text as nobody reads it who has not the server's secret key."""
    return _fernet(settings.SECRET_KEY).encrypt(text.encode()).decode()


def unseal(sealed: str) -> str:
    """The text that was sealed. Raises InvalidToken for anything else."""
    return _fernet(settings.SECRET_KEY).decrypt(sealed.encode()).decode()


def opened(sealed: str) -> str:
    """The text that was sealed; empty where it was sealed under another key."""
    try:
        return unseal(sealed)
    except InvalidToken:
        return ""


def signed(claims: Mapping[str, Any], seconds: int) -> str:
    """A token (JWT) of these claims, signed by this server, for so many seconds."""
    key, now = tool_key(), int(time())
    claims = {"iat": now - 5, "exp": now + seconds, **claims}
    kid = Registration.get_jwk(key.public)["kid"]
    return jwt.encode(claims, unseal(key.private), "RS256", headers={"kid": kid})


def user_digest(platform: Platform, user: str) -> str:
    """A keyed digest by which a platform's user is found, another one on each platform."""
    digest = salted_hmac("lti.user", f"{platform.pk}.{user}", algorithm="sha256")
    return digest.hexdigest()


def tool_key() -> ToolKey:
    """The key pair by which platforms know this server, made at first use."""
    return ToolKey.objects.order_by("pk").last() or turn_keys()


def turn_keys() -> ToolKey:
    """A new key pair; the one before is told to platforms for a day more."""
    private, public = generate_key_pair(KEY_BITS)
    return ToolKey.objects.create(private=seal(private), public=public)


def key_set() -> list[Mapping[str, Any]]:
    """The public keys that platforms are told, the newest first: also those that were the
    newest within a day."""
    tool_key()
    told, since = [], timezone.now() - OLD_KEYS_STAY
    for key in ToolKey.objects.order_by("-pk"):
        told.append(Registration.get_jwk(key.public))
        if key.made < since:
            break
    return told

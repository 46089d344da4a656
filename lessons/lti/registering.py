"""How a platform comes to know this server, and this server a platform: by themselves, or by
somebody who copies addresses between the two."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.core.exceptions import ValidationError
from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from lessons.lti.launches import CHOOSING, fetch_keys
from lessons.lti.outbound import PlatformAway, fetch, json_of, may_be_asked, session
from lessons.lti.services import Service
from lessons.models import Platform, PlatformInvitation
from xactika_site.accounts.services import use_up

TOOL = "https://purl.imsglobal.org/spec/lti-tool-configuration"
ENDPOINTS = {
    "auth_login_url": "authorization_endpoint",
    "token_url": "token_endpoint",
    "jwks_url": "jwks_uri",
}
"""A platform's addresses, here and as it tells them."""


class NotRegistered(Exception):
    """The platform is away, or says what cannot be; nothing was stored."""


def own_addresses(base: str) -> dict[str, str]:
    """By name, the addresses of this server that a platform must know, at this base."""
    return {
        "login": base + reverse("lti_login"),
        "launch": base + reverse("lti_launch"),
        "keys": base + reverse("lti_keys"),
    }


class PlatformForm(forms.ModelForm):  # type: ignore[type-arg]
    """A platform as somebody copies it here; one that is known already is changed."""

    deployments = forms.CharField(label=_("Deployment IDs, with spaces between"))

    class Meta:
        model = Platform
        fields = ("issuer", "client_id", "auth_login_url", "token_url", "jwks_url")
        labels = {
            "issuer": _("Platform ID (issuer)"),
            "client_id": _("Client ID"),
            "auth_login_url": _("Authentication request URL"),
            "token_url": _("Access token URL"),
            "jwks_url": _("Public keyset URL"),
        }

    def __init__(self, sent: Mapping[str, str] | None = None) -> None:
        named = {name: (sent or {}).get(name, "") for name in ("issuer", "client_id")}
        is_text = all(map(str.isprintable, named.values()))
        super().__init__(
            sent, instance=Platform.objects.filter(**named).first() if is_text else None
        )

    def clean(self) -> dict[str, Any]:
        """The cleaned data; the addresses are such as this server asks."""
        for name in ENDPOINTS:
            if (url := self.cleaned_data.get(name)) and not may_be_asked(url):
                self.add_error(name, _("The address must begin with https://"))
        self.instance.deployments = str(self.cleaned_data.get("deployments", "")).split()
        return self.cleaned_data


@transaction.atomic
def register_by_hand(*, form: PlatformForm, invitation: PlatformInvitation) -> Platform | None:
    """The platform of a valid form; None if the invitation has been used."""
    platform: Platform | None = form.save() if use_up(invitation) else None
    return platform


def register(
    *, configuration: str, token: str, base: str, invitation: PlatformInvitation
) -> Platform | None:
    """The platform that has opened the invitation's address with that of its configuration, and
    a token by which this server registers there; None if the invitation has been used. Raises
    NotRegistered."""
    try:
        told = fetch(configuration)
        _check(configuration, told)
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        with session() as asking:
            sent = _tool(base)
            said = json_of(
                asking.post(told["registration_endpoint"], json=sent, headers=headers)
            )
        platform = _platform(told, said)
        platform.full_clean()
    except (PlatformAway, ValidationError, AttributeError, KeyError, TypeError, ValueError):
        raise NotRegistered from None
    with transaction.atomic():
        if not use_up(invitation):
            return None
        platform.save()
    return platform


def have_keys(platform: Platform) -> bool:
    """Whether the platform, asked now, tells its keys."""
    with suppress(PlatformAway):
        fetch_keys(platform)
    return bool(platform.keys)


def _check(configuration: str, told: dict[str, Any]) -> None:
    """Before the token is sent: as the specification wants it, a platform speaks for its own
    house. Canvas has the other endpoints at another one."""
    asked = [told[name] for name in ("registration_endpoint", *ENDPOINTS.values())]
    houses = {_house(each) for each in (configuration, told["issuer"], asked[0])}
    if len(houses) > 1 or not all(map(may_be_asked, asked)):
        raise ValueError


def _house(address: str) -> str:
    """The last two parts of an address's host, which its other servers share."""
    return ".".join((urlsplit(address).hostname or "").split(".")[-2:])


def _tool(base: str) -> dict[str, Any]:
    """The registration that this server sends of itself; of users it wants no name."""
    own = own_addresses(base)
    return {
        "application_type": "web",
        "client_name": "Xactika",
        "response_types": ["id_token"],
        "grant_types": ["implicit", "client_credentials"],
        "initiate_login_uri": own["login"],
        "redirect_uris": [own["launch"]],
        "jwks_uri": own["keys"],
        "token_endpoint_auth_method": "private_key_jwt",
        "scope": " ".join(Service),
        TOOL: {
            "domain": urlsplit(base).netloc,
            "target_link_uri": own["launch"],
            "claims": ["sub"],
            "messages": [{"type": CHOOSING, "target_link_uri": own["launch"]}],
        },
    }


def _platform(told: dict[str, Any], said: dict[str, Any]) -> Platform:
    """The platform by its configuration and by its answer, not stored as yet; one that is known
    is changed by hand only."""
    deployment = said[TOOL].get("deployment_id")
    return Platform(
        issuer=told["issuer"],
        client_id=said["client_id"],
        deployments=[deployment] if deployment else [],
        **{name: told[endpoint] for name, endpoint in ENDPOINTS.items()},
    )

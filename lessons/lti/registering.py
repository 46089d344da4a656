"""How a platform comes to know this server, and this server a platform: by themselves, or by
somebody who copies addresses between the two."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, cast
from urllib.parse import urlsplit

from django import forms
from django.core.exceptions import ValidationError
from django.db import transaction
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from pylti1p3.dynamic_registration import DynamicRegistration
from pylti1p3.exception import LtiException
from requests import Session

from lessons.lti.launches import fetch_keys
from lessons.lti.outbound import Away, fetch, may_be_asked, session
from lessons.models import Platform, PlatformInvitation
from xactika_site.accounts.services import use_up

TOOL = "https://purl.imsglobal.org/spec/lti-tool-configuration"
ENDPOINTS = {
    "auth_login_url": "authorization_endpoint",
    "token_url": "token_endpoint",
    "jwks_url": "jwks_uri",
}
"""A platform's addresses, here and as it tells them."""
_WRONG = (Away, LtiException, ValidationError)


class NotRegistered(Exception):
    """The platform is away, or says what cannot be; nothing was stored."""


def own_addresses(base: str) -> dict[str, str]:
    """What a platform must know of this server, at this base."""
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
        """What was copied; its addresses are such as this server asks."""
        for name in ENDPOINTS:
            if (url := self.cleaned_data.get(name)) and not may_be_asked(url):
                self.add_error(name, _("The address must begin with https://"))
        return self.cleaned_data

    def clean_deployments(self) -> list[str]:
        """The ids apart."""
        return str(self.cleaned_data["deployments"]).split()

    def save(self, commit: bool = True) -> Any:
        """Store the platform."""
        self.instance.deployments = self.cleaned_data["deployments"]
        return super().save(commit)


@transaction.atomic
def register_by_hand(*, form: PlatformForm, invitation: PlatformInvitation) -> Platform | None:
    """The platform of a valid form; None if the invitation has been used."""
    platform: Platform | None = form.save() if use_up(invitation) else None
    return platform


def register(
    *, configuration: str, token: str, base: str, invitation: PlatformInvitation
) -> Platform | None:
    """The platform that has opened the invitation's address with that of its configuration, and
    the token by which this server registers there; None if the invitation has been used. Raises
    NotRegistered."""
    try:
        platform: Any = _Registering(configuration, token, base).register()
        platform.full_clean()
    except (*_WRONG, AssertionError, AttributeError, KeyError, TypeError, ValueError):
        raise NotRegistered from None
    with transaction.atomic():
        if not use_up(invitation):
            return None
        platform.save()
    return cast(Platform, platform)


def have_keys(platform: Platform) -> bool:
    """Whether the platform, asked now, tells its keys."""
    with suppress(Away):
        fetch_keys(platform)
    return bool(platform.keys)


class _Registering(DynamicRegistration):
    client_name = "Xactika"

    def __init__(self, configuration: str, token: str, base: str) -> None:
        self.configuration, self.token, self.base = configuration, token, base
        self.own = own_addresses(base)

    def get_request_session(self) -> Session:
        return session()

    def get_openid_configuration_endpoint(self) -> str:
        return self.configuration

    def get_registration_token(self) -> str:
        return cast(str, self.token or None)

    def get_initiate_login_uri(self) -> str:
        return self.own["login"]

    def get_target_link_uri(self) -> str:
        return self.own["launch"]

    def get_redirect_uris(self) -> list[str]:
        return [self.own["launch"]]

    def get_jwks_uri(self) -> str:
        return self.own["keys"]

    def get_domain(self) -> str:
        return urlsplit(self.base).netloc

    def get_logo_uri(self) -> str:
        return self.base + static("games/icon.svg")

    def get_openid_configuration(self) -> dict[str, Any]:
        """What the platform tells of itself, checked before the token is sent: as the
        specification wants it, it speaks for its own house. Canvas has the other endpoints at
        another one."""
        told = fetch(self.configuration)
        asked = [told[name] for name in ("registration_endpoint", *ENDPOINTS.values())]
        if not all(map(may_be_asked, asked)):
            raise ValueError
        if len({_house(each) for each in (self.configuration, told["issuer"], asked[0])}) > 1:
            raise ValueError
        return told

    def complete_registration(self, told: dict[str, Any], said: dict[str, Any]) -> Platform:
        """The platform of both, not stored as yet."""
        deployment = said[TOOL].get("deployment_id")
        named = {"issuer": told["issuer"], "client_id": said["client_id"]}
        platform = Platform.objects.filter(**named).first() or Platform(**named)
        for name, endpoint in ENDPOINTS.items():
            setattr(platform, name, told[endpoint])
        platform.deployments = [deployment] if deployment else []
        return platform


def _house(address: str) -> str:
    """The last two parts of an address's host, which its other servers share."""
    return ".".join((urlsplit(address).hostname or "").split(".")[-2:])

"""The teacher's account, and invitations to become a teacher. Students never have one."""

from __future__ import annotations

from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any, Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.signing import BadSignature, Signer
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

INVITATION_DAYS = 7
REGIONS = ("Africa", "America", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific")


@cache
def cities() -> frozenset[str]:
    """The time zones that are named after cities, as far as this machine knows them."""
    # This opens each of the machine's files: not anew for every account.
    return frozenset(n for n in available_timezones() if n.split("/")[0] in REGIONS)


def server_time_zone() -> str:
    """The time zone that this machine is set to; UTC if it is set to no city's."""
    name = str(Path("/etc/localtime").resolve()).partition("/zoneinfo/")[2]
    return name if name in cities() else "UTC"


def zone_named(name: str) -> ZoneInfo | None:
    """The time zone of this name; None where this machine does not know it."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


class UserManager(BaseUserManager["User"]):
    def create_user(self, username: str, password: str | None = None, **fields: Any) -> User:
        """A new account; without a password nobody can sign in to it."""
        user = self.model(username=self.model.normalize_username(username), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user


class User(AbstractBaseUser):
    """A teacher. What we need and no more: no e-mail, no ranks."""

    username = models.CharField(
        _("user name"),
        max_length=60,
        unique=True,
        validators=[UnicodeUsernameValidator()],
        error_messages={"unique": _("Somebody here has that name already. Choose another.")},
    )
    name = models.CharField(_("name that colleagues see"), max_length=60, blank=True)
    time_zone = models.CharField(_("time zone"), max_length=64, default=server_time_zone)
    joined = models.DateTimeField(default=timezone.now)

    objects = UserManager()

    USERNAME_FIELD = "username"

    def __str__(self) -> str:
        return self.name or self.username

    @property
    def zone(self) -> ZoneInfo | None:
        """The time zone; None where this machine does not know it."""
        return zone_named(self.time_zone)


class AnyInvitation(models.Model):
    """Opens one door once, by a link, within a week. The link's token is derived from the row
    and the secret key (docs/decisions/0005-links-are-derived.md); a used one is deleted."""

    created = models.DateTimeField(default=timezone.now)

    class Meta:
        abstract = True

    @classmethod
    def _signer(cls) -> Signer:
        return Signer(salt=cls._meta.label_lower, sep=".")

    @property
    def token(self) -> str:
        """The token of the link. It names the moment, too: rows of a restored database may get
        a number again that an earlier one had."""
        return self._signer().sign(f"{self.pk}.{self.created.timestamp():.0f}")

    @property
    def ends(self) -> Any:
        return self.created + timedelta(days=INVITATION_DAYS)

    @classmethod
    def unused(cls) -> models.QuerySet[Self]:
        """The invitations that still open their door."""
        since = timezone.now() - timedelta(days=INVITATION_DAYS)
        return cls._default_manager.filter(created__gt=since)

    @classmethod
    def by_token(cls, token: str) -> Self | None:
        """The unused invitation of a link, or None."""
        try:
            pk = int(cls._signer().unsign(token[:200]).split(".")[0])
        except (BadSignature, ValueError):
            return None
        invitation = cls.unused().filter(pk=pk).first()
        return invitation if invitation and invitation.token == token else None


class Invitation(AnyInvitation):
    """Somebody may become a teacher. ``by`` is None for one made by ``invite_teacher``."""

    by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.CASCADE, related_name="invitations"
    )

    def __str__(self) -> str:
        return f"invitation {self.pk}"

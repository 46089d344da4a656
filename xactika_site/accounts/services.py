"""What is done to teachers' accounts."""

from __future__ import annotations

from django.contrib.auth.tokens import default_token_generator
from django.contrib.contenttypes.models import ContentType
from django.core.signing import BadSignature, Signer
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import gettext as _

from xactika_site.accounts.forms import SignUpForm
from xactika_site.accounts.models import AnyInvitation, Invitation, User, cities

_first = Signer(salt="accounts.first", sep=".")


class Refused(Exception):
    """Something that cannot be done now; the message says why, to a person."""


# The first teacher.


def first_link() -> str | None:
    """The address (without the host) by which the first teacher signs up; None once there is
    one. Always the same for one secret key, and worth nothing while a teacher exists."""
    return reverse("first", args=[_first.sign("teacher")]) if nobody_yet() else None


def nobody_yet() -> bool:
    """Whether there is no teacher at all."""
    return not User.objects.exists()


def is_first(token: str) -> bool:
    """Whether the first teacher may sign up by this token now."""
    try:
        return _first.unsign(token[:200]) == "teacher" and nobody_yet()
    except BadSignature:
        return False


@transaction.atomic
def sign_up_first(*, form: SignUpForm) -> User:
    """The first account. Refused if there is one by now."""
    # Any row that is always there does: of two who come at once, one waits for the other.
    ContentType.objects.select_for_update().get(app_label="accounts", model="user")
    if not nobody_yet():
        raise Refused(_("This link opens nothing any more"))
    return _saved_user(form)


# Later teachers.


def invite(*, by: User | None) -> Invitation:
    """A new invitation to become a teacher."""
    return Invitation.objects.create(by=by)


def withdraw(*, by: User, invitation_id: int) -> None:
    """Withdraw the teacher's own invitation: it opens nothing any more. Harmless if it is gone
    already."""
    Invitation.objects.filter(by=by, pk=invitation_id).delete()


def use_up(invitation: AnyInvitation) -> bool:
    """Use this invitation up: whether it was still there, as somebody else may be faster."""
    gone, _rows = type(invitation)._default_manager.filter(pk=invitation.pk).delete()
    return gone > 0


@transaction.atomic
def sign_up(*, form: SignUpForm, invitation: Invitation) -> User:
    """An account for whoever was invited. Refused if the invitation has been used."""
    if not use_up(invitation):
        raise Refused(_("This link opens nothing any more"))
    return _saved_user(form)


def _saved_user(form: SignUpForm) -> User:
    user: User = form.save(commit=False)
    if (here := timezone.get_current_timezone_name()) in cities():
        user.time_zone = here
    user.save()
    return user


def reset_link(user: User) -> str:
    """The address (without the host) by which a new password can be set, once, for a day."""
    uid = urlsafe_base64_encode(force_bytes(user.pk))
    return reverse("reset", args=[uid, default_token_generator.make_token(user)])

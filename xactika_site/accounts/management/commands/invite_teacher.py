"""Print a link by which a new teacher can sign up."""

from __future__ import annotations

from typing import Any

from django.urls import reverse

from xactika_site import arguments
from xactika_site.accounts import services
from xactika_site.locations import gettext_noop


class Command(arguments.LinkCommand):
    help = gettext_noop("Print a link for one teacher to sign up within a week.")

    def handle(self, *_args: Any, **options: Any) -> None:
        invitation = services.invite(by=None)
        self.stdout.write(self.base(options) + reverse("invited", args=[invitation.token]))

"""Print a link by which a new teacher can sign up."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.urls import reverse

from xactika_site import arguments
from xactika_site.accounts import services
from xactika_site.locations import gettext_noop


class Command(arguments.Command):
    help = gettext_noop("Print a link for one teacher to sign up within a week.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--base", metavar="URL", default="", help=gettext_noop("where the server is")
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        invitation = services.invite(by=None)
        base = options["base"] or settings.BASE_URL or f"http://127.0.0.1:{settings.PORT}"
        self.stdout.write(base.rstrip("/") + reverse("invited", args=[invitation.token]))

"""Connect the school's own system with this server."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.urls import reverse
from django.utils.translation import gettext as _

from lessons.models import PlatformInvitation
from xactika_site import arguments
from xactika_site.locations import gettext_noop


class Command(arguments.LinkCommand):
    help = gettext_noop(
        "Print an address to connect the school’s system, once, within an hour."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "do", nargs="?", choices=["turn-keys"], help=gettext_noop("make new keys instead")
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        if not settings.LTI:
            raise CommandError(_("Set XACTIKA_LTI=1 first, for the server, too."))
        if options["do"]:
            from lessons.lti.sealing import turn_keys

            turn_keys()
            return
        PlatformInvitation.objects.all().delete()
        token = PlatformInvitation.objects.create().token
        self.stdout.write(self.base(options) + reverse("lti_register", args=[token]))

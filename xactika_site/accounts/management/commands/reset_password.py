"""Print a link by which a teacher can set a new password."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from xactika_site import arguments
from xactika_site.accounts.models import User
from xactika_site.accounts.services import reset_link
from xactika_site.locations import gettext_noop


class Command(arguments.LinkCommand):
    help = gettext_noop("Print a link for a teacher's new password, once, within a day.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("user", help=gettext_noop("user name"))

    def handle(self, *_args: Any, **options: Any) -> None:
        user = User.objects.filter(username=options["user"]).first()
        if user is None:
            names = ", ".join(
                User.objects.order_by("username").values_list("username", flat=True)
            )
            message = _("There is no teacher %(name)r; there are: %(names)s")
            raise CommandError(message % {"name": options["user"], "names": names})
        self.stdout.write(self.base(options) + reset_link(user))

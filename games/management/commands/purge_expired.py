"""Apply the retention period now; the server does so by itself at start and daily."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from games.keeping.retention import purge_expired
from xactika_site import arguments
from xactika_site.database import clear_log_patiently
from xactika_site.health import wait_for_redis
from xactika_site.locations import gettext_noop


class Command(arguments.Command):
    help = gettext_noop(
        "Delete what is older than XACTIKA_RETENTION_DAYS, as the server does daily."
    )

    def handle(self, *_args: Any, **_options: Any) -> None:
        wait_for_redis()  # or it would stop half-way
        for kind, number in purge_expired().items():
            deleted = _("%(kind)s: %(number)d deleted")
            self.stdout.write(deleted % {"kind": _(kind), "number": number})
        clear_log_patiently()

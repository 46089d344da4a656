"""Make the demo class unless it is there, and set its teacher's password anew."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from lessons.demo import classes
from xactika_site import arguments, locations
from xactika_site.locations import DEMO, gettext_noop


class Command(arguments.Command):
    help = gettext_noop(
        "Make the demo class (simulated students, three sessions) unless it is there."
    )

    def handle(self, *_args: Any, **_options: Any) -> None:
        teacher, password = classes.prepare(progress=self.stderr.write)
        lines = {_("user name"): teacher.username, _("password"): password}
        wide = max(map(len, lines))
        self.stdout.write(
            "\n  "
            + _("The demo class is simulated. Its teacher signs in as")
            + "".join(f"\n    {what:{wide}}  {is_}" for what, is_ in lines.items())
        )
        if teacher.username != classes.USERNAME:
            reset = (
                _database_words()
                + f"{locations.COMMANDS.manage} reset_password {classes.USERNAME}"
            )
            text = _("“%(demo)s” has real classes and keeps its password. Forgotten? %(reset)s")
            self.stdout.write("  " + text % {"demo": classes.USERNAME, "reset": reset})


def _database_words() -> str:
    """What a command begins with to find the demo's own file; empty for any other database,
    which it finds by itself."""
    path = Path(str(settings.DATABASES["default"]["NAME"]))
    if path.name != DEMO:
        return ""
    setting = f"DATABASE_URL={locations.sqlite_url(path)}"
    return f"set {setting}&& " if os.name == "nt" else f"{setting} "

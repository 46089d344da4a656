"""``manage.py``, started once for many commands: each is a fork of a process that has imported
everything. A line of arguments and of what is another's in the environment in, a line of exit
status, output and errors out."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import traceback
from urllib.parse import unquote

OWN = ("PORT", "DATABASE_URL")
"""What servers that share this process may have of their own; of databases only SQLite's."""


def _run(arguments: list[str], own: dict[str, str]) -> int:
    from django.conf import settings
    from django.core.management import execute_from_command_line
    from django.db import connections

    os.environ.update(own)
    if "PORT" in own:
        settings.PORT = int(own["PORT"])
    if "DATABASE_URL" in own:
        path = unquote(own["DATABASE_URL"].removeprefix("sqlite:///"))
        settings.DATABASES["default"]["NAME"] = path
    try:
        execute_from_command_line(["manage.py", *arguments])
    except SystemExit as told:
        return int(told.code or 0)
    except BaseException:
        traceback.print_exc()
        return 1
    finally:
        connections.close_all()
        sys.stdout.flush()
        sys.stderr.flush()
    return 0


def _answer(arguments: list[str], own: dict[str, str]) -> list[int | str]:
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        child = os.fork()
        if child == 0:
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            os.dup2(out.fileno(), 1)
            os.dup2(errors.fileno(), 2)
            os._exit(_run(arguments, own))
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        told = []
        for file in (out, errors):
            file.seek(0)
            told.append(file.read().decode())
        return [status, *told]


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "xactika_site.settings")
    import django

    django.setup()
    import xactika_site.urls  # noqa: F401 (nearly everything there is)

    for line in sys.stdin:
        sys.stdout.write(json.dumps(_answer(*json.loads(line))) + "\n")
        sys.stdout.flush()

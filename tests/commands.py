"""``manage.py`` and the server, started once for many: each is a fork of a process that has
imported everything. Lines of JSON in, what to do and for it, lines out, what came of it."""

from __future__ import annotations

import gc
import json
import os
import sys
import tempfile
import traceback
from collections.abc import Callable
from importlib import import_module, reload
from typing import Any, NoReturn

OWN = (
    "PORT",
    "DATABASE_URL",
    "REDIS_URL",
    "FORWARDED_ALLOW_IPS",
    "XACTIKA_METRICS",
    "TEST_CLOCK",
)
"""What servers that share this process may have of their own. It must be such that nothing
rests on it yet when everything has been imported, but the settings."""


def _become(own: dict[str, str]) -> None:
    """Take over what is another's in the environment, and read the settings anew."""
    from django.conf import settings
    from django.core.cache import caches
    from django.db import connections

    from xactika_site import settings as module

    for name in OWN:
        os.environ.pop(name, None)
    os.environ.update(own)
    for name, value in vars(reload(module)).items():
        if name.isupper():
            setattr(settings, name, value)
    handlers: tuple[Any, ...] = (connections, caches)
    for known in handlers:
        for alias in [*known]:
            if hasattr(known._connections, alias):
                del known[alias]
        known.__dict__.pop("settings", None)
        known._settings = None


def _ends(do: Callable[[], None]) -> NoReturn:
    """Do it, and end as a process that does nothing else would."""
    from django.db import connections

    status = 0
    try:
        do()
    except SystemExit as told:
        status = told.code if isinstance(told.code, int) else int(told.code is not None)
        if isinstance(told.code, str):
            sys.stderr.write(f"{told.code}\n")
    except BaseException:
        traceback.print_exc()
        status = 1
    finally:
        connections.close_all()
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(status)


def _hears_nothing_and_tells(out: int, errors: int) -> None:
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(out, 1)
    os.dup2(errors, 2)


def manage(arguments: list[str], own: dict[str, str]) -> list[int | str]:
    """A command's exit status, output and errors."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        child = os.fork()
        if child == 0:
            from django.contrib.auth.hashers import PBKDF2PasswordHasher
            from django.core.management import execute_from_command_line

            # A good hash takes a fifth of a second. Servers know a teacher by this one, too.
            PBKDF2PasswordHasher.iterations = 1
            _hears_nothing_and_tells(out.fileno(), errors.fileno())
            _become(own)
            _ends(lambda: execute_from_command_line(["manage.py", *arguments]))
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        told = []
        for file in (out, errors):
            file.seek(0)
            told.append(file.read().decode())
        return [status, *told]


def serve(log: str, own: dict[str, str]) -> int:
    """A server, which has no expert bots, as each start would warm them up: its process."""
    child = os.fork()
    if child == 0:
        from xactika_site.__main__ import main

        file = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        _hears_nothing_and_tells(file, file)
        os.close(file)
        _become(own)
        sys.argv = ["xactika_site"]
        sys.modules["numba"] = None  # type: ignore[assignment]
        _ends(main)
    return child


def poll(server: int) -> int | None:
    """The exit status of a server that has ended."""
    ended, status = os.waitpid(server, os.WNOHANG)
    return os.waitstatus_to_exitcode(status) if ended else None


MODULES = (
    "channels.routing",
    "games.live.asking",
    "servestatic.middleware",
    "tests.games.classroom",
    "tests.games.table",
    "uvicorn.lifespan.off",
    "uvicorn.loops.auto",
    "uvicorn.protocols.websockets.auto",
    "xactika_site.pages",
    "xactika_site.serving",
    "xactika_site.static",
)
"""What a server needs besides, but xactika_site.asgi, which begins threads; and scenes."""


def import_nearly_everything() -> None:
    from django.conf import settings
    from django.db.migrations.loader import MigrationLoader
    from django.urls import reverse
    from django.utils.module_loading import import_string

    for name in MODULES:
        import_module(name)
    for name in settings.MIDDLEWARE:
        import_string(name)
    reverse("home")
    MigrationLoader(None)


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "xactika_site.settings")
    import django

    django.setup()
    import_nearly_everything()
    gc.freeze()
    known: dict[str, Callable[..., Any]] = {"manage": manage, "serve": serve, "poll": poll}
    for line in sys.stdin:
        what, *for_it = json.loads(line)
        sys.stdout.write(json.dumps(known[what](*for_it)) + "\n")
        sys.stdout.flush()

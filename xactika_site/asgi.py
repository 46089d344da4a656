"""The ASGI application: pages by Django, tables by sockets."""

from __future__ import annotations

import fcntl
import gc
import os
import threading

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "xactika_site.settings")

from pathlib import Path

import django
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.sessions import CookieMiddleware
from django.conf import settings
from django.db import connection


def claim_sole_process() -> int | None:
    """Without Redis, processes could not hear each other: hold a lock that a second one on the
    same database meets, and end it with one clear line."""
    if settings.REDIS_URL:
        return None
    database = settings.DATABASES["default"]
    name = Path(str(database["NAME"]))
    folder = name.parent if connection.vendor == "sqlite" else settings.DATA_DIR
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = os.open(folder / f"{name.name}.lock", os.O_CREAT | os.O_RDWR, 0o600)
    except OSError as why:
        raise SystemExit(f"{folder} cannot be written to: {why.strerror}") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise SystemExit(
            f"another server process is already using {name.name}: "
            "set REDIS_URL to run several, or stop the other one"
        ) from None
    return lock


_lock = claim_sole_process()
django.setup(set_prefix=False)

from games import analysis  # noqa: E402 (needs the apps loaded)
from games.keeping import retention  # noqa: E402 (needs the apps loaded)
from games.live.asking import Asking  # noqa: E402
from games.urls import websocket_urlpatterns  # noqa: E402
from xactika_site.limits import with_small_bodies  # noqa: E402
from xactika_site.pages import Pages  # noqa: E402
from xactika_site.static import FromMemory  # noqa: E402

retention.purge_daily()

# About a second beside the first requests; until then there are no odds, and experts count.
threading.Thread(target=analysis.load, name="kernel", daemon=True).start()

_pages = with_small_bodies(Pages())
_sockets = CookieMiddleware(URLRouter(websocket_urlpatterns))

# What is loaded by now stays: keep it out of the garbage collector's rounds.
gc.collect()
gc.freeze()

application = ProtocolTypeRouter(
    {
        "http": Asking(_sockets, _pages if settings.DEBUG else FromMemory(_pages)),
        "websocket": _sockets,
    }
)

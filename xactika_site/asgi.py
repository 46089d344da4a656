"""The ASGI application: pages by Django, tables by sockets."""

from __future__ import annotations

import gc
import logging
import os
import threading

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "xactika_site.settings")

import django
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.sessions import CookieMiddleware
from django.conf import settings

from xactika_site import database, lan

database.claim_sole_process()
django.setup(set_prefix=False)

from games import analysis  # noqa: E402 (needs the apps loaded)
from games.keeping import retention  # noqa: E402 (needs the apps loaded)
from games.live.asking import Asking  # noqa: E402
from games.urls import websocket_urlpatterns  # noqa: E402
from xactika_site.http import Receive, Scope, Send  # noqa: E402
from xactika_site.limits import with_small_bodies  # noqa: E402
from xactika_site.metrics import Monitored  # noqa: E402
from xactika_site.pages import Pages  # noqa: E402
from xactika_site.static import FromMemory, collect  # noqa: E402

if not settings.DEBUG:
    collect()
retention.purge_daily()


def load_kernel() -> None:
    """About a second beside the first requests, half a minute where it has to be compiled;
    until then there are no odds, and experts count cards."""
    try:
        analysis.load()
    except analysis.NotReady as why:
        logging.getLogger("xactika.kernel").warning(str(why))
    keep_what_is_loaded()


def keep_what_is_loaded() -> None:
    """What is loaded by now stays: keep it out of the garbage collector's rounds, which stop
    everything. The kernel alone is some hundred thousand objects."""
    gc.collect()
    gc.freeze()


# A move leaves little behind that is not freed at once: look for it less often.
gc.set_threshold(10_000, 20, 20)
threading.Thread(target=load_kernel, name="kernel", daemon=True).start()

_pages = with_small_bodies(Pages())
_sockets = CookieMiddleware(URLRouter(websocket_urlpatterns))

keep_what_is_loaded()

router = ProtocolTypeRouter(
    {
        "http": Monitored(Asking(_sockets, _pages if settings.DEBUG else FromMemory(_pages))),
        "websocket": _sockets,
    }
)


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    """What uvicorn asks."""
    if client := scope.get("client"):
        lan.visitors().note(client[0])
    await router(scope, receive, send)

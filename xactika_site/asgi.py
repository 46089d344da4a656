"""The ASGI application: pages by Django, tables by sockets."""

from __future__ import annotations

import logging
import os
import threading
from functools import partial

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
from xactika_site.garbage import Collector, Counted  # noqa: E402
from xactika_site.http import Receive, Scope, Send  # noqa: E402
from xactika_site.limits import with_small_bodies  # noqa: E402
from xactika_site.metrics import Monitored  # noqa: E402
from xactika_site.pages import Pages  # noqa: E402
from xactika_site.static import FromMemory, collect  # noqa: E402

if not settings.DEBUG:
    collect()
retention.purge_daily()


FIRST_PAGE = 60.0
"""Seconds that compiling waits for somebody to ask for the first page."""

_answered = threading.Event()


def load_kernel() -> None:
    """About a second beside the first requests; where it has to be compiled, half a minute
    after the first page. Until then there are no odds, and experts count cards."""
    try:
        analysis.load(before_compiling=partial(_answered.wait, FIRST_PAGE))
    except analysis.NotReady as why:
        logging.getLogger("xactika.kernel").warning(str(why))


_pages = Counted(with_small_bodies(Pages()))
_sockets = Counted(CookieMiddleware(URLRouter(websocket_urlpatterns)))

Collector(_pages, _sockets).start()
threading.Thread(target=load_kernel, name="kernel", daemon=True).start()
if settings.LTI:
    from lessons.lti.grades import send_for_ever

    threading.Thread(target=send_for_ever, name="grades", daemon=True).start()

router = ProtocolTypeRouter(
    {
        "http": Monitored(Asking(_sockets, _pages if settings.DEBUG else FromMemory(_pages))),
        "websocket": _sockets,
    }
)


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer what uvicorn asks."""
    if client := scope.get("client"):
        lan.visitors().note(client[0])
    await router(scope, receive, send)
    _answered.set()

"""The server, from its socket to its end. Every flag of uvicorn that matters stands here."""

from __future__ import annotations

import os
import socket
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from errno import EACCES, EADDRINUSE
from io import TextIOWrapper
from pathlib import Path

import django
import uvicorn
from django.utils.translation import gettext as _

from xactika_site import locations, logs
from xactika_site.health import wait_for_redis
from xactika_site.limits import HttpConnection, raise_file_limit
from xactika_site.locations import COMMANDS, DEMO


def suit_any_terminal() -> None:
    """Let each letter that the terminal does not have become a question mark."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def say(*lines: str) -> None:
    """Tell whoever started this."""
    print(*lines, sep="\n", flush=True)  # noqa: T201 (what a person needs to read)


def bind(host: str, port: int, *, let_wait: bool) -> socket.socket:
    """The socket to serve at: with ``let_wait`` whoever comes before the first page waits,
    otherwise a proxy is told at once to ask another process. The start ends here, in one line,
    if it cannot be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        if let_wait:
            return socket.create_server((host, port), family=family, backlog=2048)
        listening = socket.socket(family)
        if os.name == "posix":  # or the port could not be had again for a minute
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        return listening
    except OSError as why:
        parts = [f"{host}, port {port}", why.strerror or ""]
        if why.errno in {EADDRINUSE, EACCES}:  # used, or reserved by the system
            parts.append(_("set PORT to another, like 8080"))
        raise SystemExit(_(": ").join(parts)) from None


def announce_to_the_room(host: str | None) -> str:
    """The address at which the room joins, whose network is let in; printed, too."""
    from django.conf import settings

    from xactika_site.lan import (
        contradictions,
        no_network_words,
        own_address,
        qr_in_terminal,
        serve_the_room_at,
    )

    own = host or own_address()
    if own is None:
        raise SystemExit(no_network_words())
    if not os.environ.get("XACTIKA_ALLOWED_HOSTS", "").strip():
        settings.ALLOWED_HOSTS.append(own)
    serve_the_room_at(f"http://{own}:{settings.PORT}")
    address = settings.BASE_URL or settings.LAN_URL
    for line in contradictions(own, settings.BASE_URL, settings.ALLOWED_HOSTS):
        say("  " + _("Warning: %(what)s") % {"what": line})
    code = qr_in_terminal(f"{address}/join/")
    if can_write(code):
        say("", code)
    say("", "  " + _("Students join at   %(address)s") % {"address": f"{address}/join/"})
    return str(address)


FOLLOW_EVERY = 5.0
"""Seconds between two looks at the network that this computer is in."""


def follow_the_network(wait: Callable[[float], object]) -> None:
    """Announce a new address to the room whenever this computer has one: after it slept, say.
    ``wait`` waits for so many seconds, and is true when that is no longer wanted."""
    from django.conf import settings

    from xactika_site.lan import own_address

    while not wait(FOLLOW_EVERY):
        own = own_address()
        if own is not None and f"http://{own}:{settings.PORT}" != settings.LAN_URL:
            say("", "  " + _("This computer is in another network now."))
            announce_to_the_room(own)


class _Server(uvicorn.Server):
    """uvicorn's, which tells systemd when it serves: only then is the next one restarted. At
    its end the log gets what was counted."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        tell_systemd("READY=1")

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await super().shutdown(sockets)
        logs.tell_counts()


def tell_systemd(state: str) -> None:
    """Tell whoever started this as a service of ``Type=notify``; nothing where nobody did."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        # "@" stands for an abstract name, which begins with a zero byte.
        line.sendto(state.encode(), address.replace("@", "\0", 1))


ALONE_FOR = 120.0
"""Seconds without any other device after which the room's server says what to do."""


def tell_of_visitors(wait: Callable[[float | None], bool], port: int) -> None:
    """Say once that another device has reached this computer; before that, if none does for
    two minutes, what to look at. ``wait`` is that of :class:`xactika_site.lan.Visitors`."""
    from xactika_site.lan import firewall_command

    if not wait(ALONE_FOR):
        lets_in = _("This computer’s administrator lets them in by:  %(command)s")
        say(
            "  " + _("No other device has reached this computer. Same Wi-Fi? A firewall?"),
            "  " + lets_in % {"command": firewall_command(port)},
        )
        wait(None)
    say("  " + _("Another device has reached this computer: the network works."))


def can_write(text: str) -> bool:
    """Whether the terminal has all these letters."""
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def serve(
    *,
    host: str | None = None,
    to_the_room: bool = False,
    behind_a_proxy: bool = False,
    prepare: Callable[[], None] | None = None,
    then: Callable[[str], None] | None = None,
) -> None:
    """Serve until stopped: on ``host``, or ``to_the_room`` on every address. PORT (8000) says
    where; several processes need REDIS_URL.

    ``prepare`` is done first, once no other process has the database and the port is ours:
    whoever comes meanwhile waits, or, ``behind_a_proxy``, is refused. ``then`` gets the
    address, as serving begins. What makes it impossible ends the process in one line.
    """
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "xactika_site.settings")
    suit_any_terminal()
    django.setup()
    from django.conf import settings
    from django.db import connections

    from xactika_site import database, lan, static
    from xactika_site.accounts.services import first_link

    if to_the_room and Path(str(settings.DATABASES["default"]["NAME"])).name == DEMO:
        raise SystemExit(
            _("the room never sees the demo's database: unset DATABASE_URL, or name another")
        )
    wait_for_redis()
    database.claim_sole_process()
    path = database.file()
    if path is not None and (service := locations.in_step_by(path.parent.absolute())):
        warning = _(
            "Warning: %(name)s syncs %(folder)s, where a database can break: set XACTIKA_DATA"
            " to another folder"
        )
        say("  " + warning % {"folder": path.parent, "name": service})
    host_ = host or ("0.0.0.0" if to_the_room else "127.0.0.1")  # noqa: S104 (asked for)
    listening = bind(host_, settings.PORT, let_wait=not behind_a_proxy)
    settings.PORT = listening.getsockname()[1]
    database.must_be_whole(database.CHECK_AT_MOST)
    if prepare is not None:
        if not settings.DEBUG:
            threading.Thread(target=static.collect, daemon=True).start()  # asgi waits for it
        prepare()
    database.refuse_newer_schema()
    with database.told_if_unusable():
        first = first_link()
    database.must_be_writable()
    connections.close_all()

    from xactika_site.asgi import application

    address = settings.BASE_URL or f"http://{host_}:{settings.PORT}"
    if to_the_room:
        address = announce_to_the_room(host)
    ways = {}
    if first:
        ways[_("Sign up to teach:")] = f"{address}{first}"
    else:
        ways[_("Teach:")] = f"{address}/teach/"
        ways[_("Invite a teacher:")] = f"{COMMANDS.manage} invite_teacher"
    wide = max(map(len, ways))
    say(
        "",
        "  " + _("Xactika for the classroom is at %(address)s") % {"address": f"{address}/"},
        *(f"  {what:{wide}}  {where}" for what, where in ways.items()),
        "  " + _("Stop with Ctrl+C."),
        "",
    )
    if then is not None:
        then(address)
    if to_the_room:
        wait = lan.visitors().wait
        threading.Thread(
            target=tell_of_visitors, args=(wait, settings.PORT), name="visitors", daemon=True
        ).start()
        if host is None:
            never = threading.Event().wait
            threading.Thread(
                target=follow_the_network, args=(never,), name="network", daemon=True
            ).start()
    HttpConnection.most = raise_file_limit()
    config = uvicorn.Config(
        application,
        http=HttpConnection,
        log_config=None,
        access_log=False,  # it would print addresses
        lifespan="off",
        server_header=False,
        timeout_graceful_shutdown=5,
        ws_max_size=64 * 1024,
        ws_per_message_deflate=False,
    )
    with suppress(KeyboardInterrupt):
        _Server(config).run(sockets=[listening])

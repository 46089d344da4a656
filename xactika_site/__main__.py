"""The server: ``python -m xactika_site``. Every flag of uvicorn that matters stands here."""

from __future__ import annotations

import argparse
import os
import socket
from contextlib import suppress
from errno import EADDRINUSE
from pathlib import Path

import django
import uvicorn

from xactika_site.health import REASONS, try_to_write, wait_for_redis, what_is_away
from xactika_site.limits import HttpConnection, raise_file_limit

DEMO = "demo.sqlite3"
"""The database file of `make run`."""


def first_teachers_link() -> str | None:
    """Where the first teacher signs up; None once there is one. The start ends here, in one
    line, if there is no database to serve from."""
    from django.db import DatabaseError, connections

    from xactika_site.accounts.services import first_link

    try:
        return first_link()
    except DatabaseError as error:
        must_be_writable(what_is_away(error))
        raise SystemExit(
            "the database cannot be read: is it there, and did manage.py migrate prepare it?"
        ) from None
    finally:
        connections.close_all()


def must_be_writable(away: str) -> None:
    """The start ends here, in one line, if nothing can be stored."""
    if away in {"disk", "readonly"}:
        raise SystemExit(f"{REASONS[away]}: is its folder this user's, and the disk not full?")


def bind(host: str, port: int) -> socket.socket:
    """The socket to serve at. The start ends here, in one line, if it cannot be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=2048)
    except OSError as why:
        hint = ": set PORT to another, or stop what uses it" if why.errno == EADDRINUSE else ""
        raise SystemExit(f"{host}, port {port}: {why.strerror}{hint}") from None


def announce_to_the_room(host: str | None) -> str:
    """Let the room's network in, and print where it joins. The address there."""
    from django.conf import settings

    from xactika_site.lan import NO_NETWORK, contradictions, own_address, qr_in_terminal

    own = host or own_address()
    if own is None:
        raise SystemExit(NO_NETWORK)
    if not os.environ.get("XACTIKA_ALLOWED_HOSTS", "").strip():
        settings.ALLOWED_HOSTS.append(own)
    settings.LAN_URL = f"http://{own}:{settings.PORT}"
    address = settings.BASE_URL or settings.LAN_URL
    for line in contradictions(own, settings.BASE_URL, settings.ALLOWED_HOSTS):
        print(f"  Warning: {line}", flush=True)  # noqa: T201
    print(  # noqa: T201
        f"\n{qr_in_terminal(f'{address}/join/')}\n\n  Students join at   {address}/join/",
        flush=True,
    )
    return address


def main() -> None:
    """Serve until stopped. PORT (8000) says where; several processes need REDIS_URL."""
    parser = argparse.ArgumentParser(prog="python -m xactika_site")
    parser.add_argument("--host", help="the address to serve at (127.0.0.1)")
    parser.add_argument("--lan", action="store_true", help="serve the room's network")
    arguments = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "xactika_site.settings")
    django.setup()
    from django.conf import settings
    from django.db import connections

    if arguments.lan and Path(str(settings.DATABASES["default"]["NAME"])).name == DEMO:
        raise SystemExit(
            "the room never sees the demo's database: unset DATABASE_URL, or name another one"
        )
    wait_for_redis()
    first = first_teachers_link()  # ends here if there is no database
    must_be_writable(try_to_write())
    connections.close_all()

    from xactika_site.asgi import application  # ends here if another process is at work

    host = arguments.host or ("0.0.0.0" if arguments.lan else "127.0.0.1")  # noqa: S104 (asked for)
    listening = bind(host, settings.PORT)
    settings.PORT = listening.getsockname()[1]
    address = settings.BASE_URL or f"http://{host}:{settings.PORT}"
    if arguments.lan:
        address = announce_to_the_room(arguments.host)
    teachers = (
        f"Sign up to teach:   {address}{first}"
        if first
        else f"Teach:              {address}/teach/"
        "\n  Invite a teacher:   .venv/bin/python manage.py invite_teacher"
    )
    print(  # noqa: T201 (the one thing a person needs to read)
        f"\n  Xactika for the classroom is at {address}/"
        f"\n  Play against bots:  {address}/play/"
        f"\n  Read the rules:     {address}/learn/"
        f"\n  {teachers}"
        "\n  Stop with Ctrl+C.\n",
        flush=True,
    )
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
        uvicorn.Server(config).run(sockets=[listening])


if __name__ == "__main__":
    main()

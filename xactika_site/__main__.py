"""The server: ``python -m xactika_site``. Every flag of uvicorn that matters stands here."""

from __future__ import annotations

import argparse
import os

import django
import uvicorn


def first_teachers_link() -> str | None:
    """Where the first teacher signs up; None once there is one. The start ends here, in one
    line, if there is no database to serve from."""
    from django.db import DatabaseError, connections

    from xactika_site.accounts.services import first_link

    try:
        return first_link()
    except DatabaseError:
        raise SystemExit(
            "the database cannot be read: is it there, and did manage.py migrate prepare it?"
        ) from None
    finally:
        connections.close_all()


def main() -> None:
    """Serve until stopped. PORT (8000) says where; several processes need REDIS_URL."""
    parser = argparse.ArgumentParser(prog="python -m xactika_site")
    parser.add_argument("--host", default="127.0.0.1")
    arguments = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "xactika_site.settings")
    django.setup()
    from django.conf import settings

    first = first_teachers_link()  # ends here if there is no database

    from xactika_site.asgi import application  # ends here if another process is at work

    address = settings.BASE_URL or f"http://{arguments.host}:{settings.PORT}"
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
    uvicorn.run(
        application,
        host=arguments.host,
        port=settings.PORT,
        log_config=None,
        access_log=False,  # it would print addresses
        lifespan="off",
        server_header=False,
        timeout_graceful_shutdown=5,
        ws_max_size=64 * 1024,
        ws_per_message_deflate=False,
    )


if __name__ == "__main__":
    main()

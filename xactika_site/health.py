"""Whether what the server stands on is there: the database, room on the disk, Redis. And what
is said when it is not: to the monitor, to people, and in the log, once a minute a kind.
docs/decisions/0017-when-something-is-away.md.
"""

from __future__ import annotations

import logging
import secrets
import shutil
import sys
from pathlib import Path
from threading import Lock
from time import monotonic, sleep

from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from django.views.defaults import server_error

from xactika_site import metrics
from xactika_site.places import to_say

log = logging.getLogger("xactika.health")

REASONS = {
    "disk": to_say("the disk is full: nothing can be stored"),
    "readonly": to_say("the database cannot be written to"),
    "database": to_say("the database does not answer"),
    "redis": to_say("Redis does not answer"),
}
"""What may be away, in the word that /healthz says and the line that the log gets, which
is English; people are told in their language."""

LEAST_FREE = 32 * 1024 * 1024
"""Bytes free beside the database file below which the monitor is warned."""

LOOK_EVERY = 2.0
"""Seconds that what /healthz found is told again: asking often costs nothing."""

STUCK_AFTER = 10.0
TELL_EVERY = 60.0
WAIT_FOR_REDIS = 10.0


def what_is_away(error: BaseException | None) -> str:
    """The reason's word if an error means that something is away; empty for all others."""
    while error is not None:
        if type(error).__module__.startswith("redis."):
            return "redis"
        if name := getattr(error, "sqlite_errorname", ""):
            return _of_sqlite(name)
        if hasattr(error, "sqlstate"):
            return _of_postgres(error.sqlstate, type(error))
        error = error.__cause__
    return ""


def _of_sqlite(name: str) -> str:
    for word, beginnings in (
        ("disk", ("SQLITE_FULL", "SQLITE_IOERR")),
        ("readonly", ("SQLITE_READONLY",)),
        ("database", ("SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_CANTOPEN")),
    ):
        if name.startswith(beginnings):
            return word
    return ""


def _of_postgres(state: str | None, kind: type[BaseException]) -> str:
    """From PostgreSQL's error codes. Without one no server was reached: it is away, or it was
    our own mistake, a value that none would take."""
    if state is None:
        kinds = {each.__name__ for each in kind.__mro__}
        return "database" if kinds & {"OperationalError", "InterfaceError"} else ""
    if state == "53100":
        return "disk"
    if state == "25006":
        return "readonly"
    return "database" if state.startswith(("08", "25P03", "53", "57P")) else ""


# The log.

_told: dict[str, float] = {}


def _is_due(word: str) -> bool:
    metrics.AWAY.one(word)
    now = monotonic()
    if now - _told.get(word, float("-inf")) < TELL_EVERY:
        return False
    _told[word] = now
    return True


def tell(word: str) -> None:
    """One line in the log, but not again within a minute."""
    if _is_due(word):
        log.error(REASONS[word])


def tell_if_away(error: BaseException) -> bool:
    """Whether the error means that something is away, which is told then."""
    if word := what_is_away(error):
        tell(word)
    return bool(word)


def tell_it_is_back(word: str, line: str) -> None:
    """One line in the log; the next loss is told at once."""
    _told.pop(word, None)
    log.info(line)


class OneLineAMinute(logging.Filter):
    """Makes of a traceback that only means that something is away one line, once a minute."""

    def filter(self, record: logging.LogRecord) -> bool:
        word = what_is_away(record.exc_info[1]) if record.exc_info else ""
        if not word:
            return True
        record.name, record.msg, record.args = log.name, REASONS[word], None
        record.exc_info = record.exc_text = None
        return _is_due(word)


# Looking.


def try_to_write() -> str:
    """Store a trifle for good; the reason's word if that cannot be done."""
    try:
        with connection.cursor() as cursor:
            if connection.vendor == "sqlite":
                # A number that nobody reads; the same again would not be written.
                cursor.execute(f"PRAGMA user_version = {secrets.randbits(31)}")
            else:
                cursor.execute(
                    "UPDATE django_content_type SET model = model WHERE app_label = 'accounts'"
                )
    except DatabaseError as error:
        return what_is_away(error) or "database"
    return ""


def _is_disk_full() -> bool:
    if connection.vendor != "sqlite":
        return False
    folder = Path(str(settings.DATABASES["default"]["NAME"])).parent
    return shutil.disk_usage(folder).free < LEAST_FREE


def is_redis_there() -> bool:
    """Whether Redis answers, or there is to be none."""
    if not settings.REDIS_URL:
        return True
    from redis import Redis, RedisError

    try:
        with Redis.from_url(
            settings.REDIS_URL, socket_connect_timeout=1, socket_timeout=1
        ) as client:
            return bool(client.ping())
    except RedisError:
        return False


def wait_for_redis() -> None:
    """Until Redis answers, if there is to be one. SystemExit in one line after ten seconds."""
    until = monotonic() + WAIT_FOR_REDIS
    while not is_redis_there():
        if monotonic() > until:
            raise SystemExit(
                _(
                    "REDIS_URL: Redis does not answer since %(seconds)d seconds: start it, or "
                    "unset REDIS_URL to run one process without it"
                )
                % {"seconds": WAIT_FOR_REDIS}
            )
        sleep(0.2)


def look() -> str:
    """What is away, in a word; empty if all is well."""
    word = try_to_write() or ("disk" if _is_disk_full() else "")
    if not word and not is_redis_there():
        word = "redis"
    if word:
        tell(word)
    return word


_looking = Lock()
_found, _began, _found_at = "", float("-inf"), float("-inf")


def _look_now_and_then() -> str:
    """What the last look found; at most one is under way, and one that hangs is told, too."""
    global _found, _began, _found_at
    if _looking.acquire(blocking=False):
        try:
            if monotonic() - _found_at >= LOOK_EVERY:
                _began = monotonic()
                _found = look()
                _found_at = monotonic()
        finally:
            _looking.release()
    elif monotonic() - _began > STUCK_AFTER:
        return "database"
    return _found


@require_safe
def healthz(_request: HttpRequest) -> JsonResponse:
    """For the IT person's monitor: 200, or 503 with a word on what is away."""
    if word := _look_now_and_then():
        return JsonResponse({"status": "failing", "why": word}, status=503)
    return JsonResponse({"status": "ok"})


def failed(request: HttpRequest) -> HttpResponse:
    """The page for whatever went wrong: our mistake, or something is away and may come back."""
    if not what_is_away(sys.exception()):
        return server_error(request)
    page = render(request, "503.html", status=503)
    page["Retry-After"] = "5"
    return page

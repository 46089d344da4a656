"""Whether what the server stands on is there: the database, room on the disk, Redis. And what
is said when it is not: to the monitor, to people, and in the log, once a minute a kind, and
once when it is back.
docs/decisions/0017-when-something-is-away.md.
"""

from __future__ import annotations

import logging
import secrets
import shutil
import sys
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from threading import Lock, Thread
from time import monotonic, sleep

from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from django.views.defaults import server_error

from xactika_site import metrics

log = logging.getLogger("xactika.health")


class Fault(StrEnum):
    """What can be wrong with what the server stands on, in the word that /healthz says."""

    NOTHING = ""
    DISK = "disk"
    READONLY = "readonly"
    DATABASE = "database"
    DAMAGED = "damaged"
    REDIS = "redis"


REASONS = {
    Fault.DISK: "the disk is full: free some space",
    Fault.READONLY: "the database cannot be written to",
    Fault.DATABASE: "the database does not answer",
    Fault.DAMAGED: "the database is damaged: stop the server, put a copy in its place",
    Fault.REDIS: "Redis does not answer",
}
"""The line that the log gets, which is English."""

BACK = {
    Fault.DISK: "there is room on the disk again",
    Fault.READONLY: "the database can be written to again",
    Fault.DATABASE: "the database answers again",
}
"""What the log gets when it is there again. Of Redis the hub says so, which then looks anew."""

LEAST_FREE = 32 * 1024 * 1024
"""Bytes free beside the database file below which the monitor is warned."""

LOOK_EVERY = 2.0
"""Seconds that what /healthz found is told again: asking often costs nothing."""

STUCK_AFTER = 10.0
TELL_EVERY = 60.0
QUIET = 5.0
"""Seconds in which nobody may have missed it before the log says that it is back."""

WAIT_FOR_REDIS = 10.0


def fault_of(error: BaseException | None) -> Fault:
    """The fault that an error is a sign of; NOTHING for an error of any other kind."""
    while error is not None:
        if type(error).__module__.startswith("redis."):
            return Fault.REDIS
        if name := getattr(error, "sqlite_errorname", ""):
            return _of_sqlite(name)
        if hasattr(error, "sqlstate"):
            return _of_postgres(error.sqlstate, type(error))
        error = error.__cause__
    return Fault.NOTHING


def _of_sqlite(name: str) -> Fault:
    """The fault that SQLite's name of an error stands for; NOTHING for all other names."""
    for fault, beginnings in (
        (Fault.DISK, ("SQLITE_FULL", "SQLITE_IOERR")),
        (Fault.READONLY, ("SQLITE_READONLY",)),
        (Fault.DATABASE, ("SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_CANTOPEN")),
        (Fault.DAMAGED, ("SQLITE_CORRUPT", "SQLITE_NOTADB")),
    ):
        if name.startswith(beginnings):
            return fault
    return Fault.NOTHING


def _of_postgres(code: str | None, kind: type[BaseException]) -> Fault:
    """The fault by PostgreSQL's error code. Without one no server was reached: it is away,
    or it was our own mistake, a value that none would take."""
    if code is None:
        kinds = {each.__name__ for each in kind.__mro__}
        is_away = kinds & {"OperationalError", "InterfaceError"}
        return Fault.DATABASE if is_away else Fault.NOTHING
    for fault, beginnings in (
        (Fault.DISK, "53100"),
        (Fault.READONLY, "25006"),
        (Fault.DAMAGED, ("XX001", "XX002")),
        (Fault.DATABASE, ("08", "25P03", "53", "57P")),
    ):
        if code.startswith(beginnings):
            return fault
    return Fault.NOTHING


# The log.

_told_at: dict[Fault, float] = {}
"""When the log was told of what is away, and not yet that it is back."""

_missed: dict[Fault, float] = {}
_watched = Lock()
_is_watched = False


def _note(fault: Fault) -> bool:
    """Count a fault, and begin to look for its end: whether the log is to have a line on it."""
    metrics.AWAY.one(fault)
    with _watched:
        now = _missed[fault] = monotonic()
        if now - _told_at.get(fault, float("-inf")) < TELL_EVERY:
            return False
        _told_at[fault] = now
        if fault in BACK and not _is_watched:
            _begin_to_watch()
    return True


def _begin_to_watch() -> None:
    """Look by a thread for what is away: what works meanwhile need not ask about it."""
    global _is_watched
    with suppress(RuntimeError):  # no more threads: the next loss tries again
        Thread(target=_watch, name="health", daemon=True).start()
        _is_watched = True


def _watch() -> None:
    is_back = False
    while not is_back:
        sleep(LOOK_EVERY)
        with suppress(Exception):  # whatever it is: not there yet
            is_back = log_recoveries()
        with suppress(Exception):
            connection.close()


def log_recoveries() -> bool:
    """Whether the database can be written to, and nobody has missed it for some seconds: then
    one line goes to the log for each fault that it told of."""
    global _is_watched
    if _database_fault():
        return False
    with _watched:
        now = monotonic()
        if any(now - _missed.get(fault, float("-inf")) < QUIET for fault in BACK):
            return False
        back = [line for fault, line in BACK.items() if _told_at.pop(fault, None) is not None]
        _is_watched = False
    for line in back:
        log.info(line)
    return True


def log_fault(fault: Fault) -> None:
    """Write one line on a fault to the log, but not again within a minute."""
    if _note(fault):
        log.error(REASONS[fault])


def log_if_fault(error: BaseException) -> bool:
    """Whether the error means a fault, which is written to the log then."""
    if fault := fault_of(error):
        log_fault(fault)
    return bool(fault)


def log_recovery(fault: Fault, line: str) -> None:
    """Write to the log that a fault has ended; the next one is written at once."""
    _told_at.pop(fault, None)
    log.info(line)


class OneLineAMinute(logging.Filter):
    """Makes of a traceback that only means that something is away one line, once a minute."""

    def filter(self, record: logging.LogRecord) -> bool:
        fault = fault_of(record.exc_info[1]) if record.exc_info else Fault.NOTHING
        if not fault:
            return True
        record.name, record.msg, record.args = log.name, REASONS[fault], None
        record.exc_info = record.exc_text = None
        return _note(fault)


# Looking.


def try_to_write() -> Fault:
    """What is away if a trifle cannot be stored for good."""
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
        return fault_of(error) or Fault.DATABASE
    return Fault.NOTHING


def _is_disk_full() -> bool:
    if connection.vendor != "sqlite":
        return False
    folder = Path(str(settings.DATABASES["default"]["NAME"])).parent
    return shutil.disk_usage(folder).free < LEAST_FREE


def _database_fault() -> Fault:
    return try_to_write() or (Fault.DISK if _is_disk_full() else Fault.NOTHING)


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
                    "REDIS_URL: no answer from Redis for %(seconds)d seconds: start it, or "
                    "unset REDIS_URL to run one process without it"
                )
                % {"seconds": WAIT_FOR_REDIS}
            )
        sleep(0.2)


def present_fault() -> Fault:
    """The fault that a look finds now, of the database or Redis; NOTHING if all is well."""
    fault = _database_fault()
    if not fault and Fault.DAMAGED in _told_at:  # no writing shows it, and it does not pass
        fault = Fault.DAMAGED
    if not fault and not is_redis_there():
        fault = Fault.REDIS
    if fault:
        log_fault(fault)
    return fault


_looking = Lock()
_last_fault, _began, _looked_at = Fault.NOTHING, float("-inf"), float("-inf")


def _fault_of_last_look() -> Fault:
    """The fault of the last look; at most one is under way, and one that hangs is told, too."""
    global _last_fault, _began, _looked_at
    if _looking.acquire(blocking=False):
        try:
            if monotonic() - _looked_at >= LOOK_EVERY:
                _began = monotonic()
                _last_fault = present_fault()
                _looked_at = monotonic()
        finally:
            _looking.release()
    elif monotonic() - _began > STUCK_AFTER:
        return Fault.DATABASE
    return _last_fault


@require_safe
def healthz(_request: HttpRequest) -> JsonResponse:
    """The answer to the IT person's monitor: 200, or 503 with a word on what is away."""
    if fault := _fault_of_last_look():
        return JsonResponse({"status": "failing", "why": fault}, status=503)
    return JsonResponse({"status": "ok"})


def failed(request: HttpRequest) -> HttpResponse:
    """The page for whatever went wrong: our mistake, or something is away and may come back."""
    if fault_of(sys.exception()) in {Fault.NOTHING, Fault.DAMAGED}:
        return server_error(request)
    page = render(request, "503.html", status=503)
    page["Retry-After"] = "5"
    return page

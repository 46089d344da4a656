"""What is kept for how long. One period for everything: ``XACTIKA_RETENTION_DAYS``."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from threading import Thread
from time import sleep

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import connection
from django.db.models import CASCADE, Exists, OuterRef
from django.utils import timezone

from games.classes import closing
from games.models import Guest, Table
from games.tables import seats, steering
from xactika_site import database
from xactika_site.classrooms.models import ClassSession, Student
from xactika_site.places import to_say

log = logging.getLogger("xactika.retention")

DAY = 24 * 60 * 60
AGAIN = 60 * 60

also: dict[str, Callable[[datetime], int]] = {}
"""What else expires, by kind: apps above this one add what deletes their rows from before a
moment and tells how many went."""


def purge_expired() -> dict[str, int]:
    """Delete what has not been used for longer than the retention period: class sessions with
    all that was played, students who were not here since, tables played without a class,
    what learning keeps, guests of whom nothing is left, and ended sign-ins. How many of each
    went, by kind. What cannot be deleted holds up nothing else: an ExceptionGroup says so when
    all was tried."""
    before = timezone.now() - timedelta(days=settings.RETENTION_DAYS)
    gone: dict[str, int] = {}
    failed: list[Exception] = []
    for kind, purge in (_KINDS | also | _LAST).items():
        try:
            gone[kind] = purge(before)
        except Exception as error:
            failed.append(error)
    if failed:
        raise ExceptionGroup("some of what expired could not be deleted", failed)
    return gone


def _class_sessions(before: datetime) -> int:
    """One that is still open may have been resumed lately: at tables, in the lobby, or both."""
    old = ClassSession.objects.filter(created__lt=before)
    old = old.exclude(attendances__last_seen__gte=before)
    old = old.exclude(tables__seat_set__last_seen__gte=before)
    session_ids = list(old.values_list("pk", flat=True))
    for session_id in session_ids:
        closing.delete_session(session_id=session_id)
    return len(session_ids)


def _students(before: datetime) -> int:
    students = list(Student.objects.filter(last_here__lt=timezone.localdate(before)))
    for student in students:
        seats.remove_student(student=student)
    return len(students)


def _tables(before: datetime) -> int:
    """Homework's go with their homework."""
    old = Table.objects.filter(class_session=None, classroom=None, created__lt=before)
    old = old.exclude(seat_set__last_seen__gte=before)
    table_ids = list(old.values_list("pk", flat=True))
    for table_id in table_ids:
        steering.delete_table(table_id=table_id)
    return len(table_ids)


def _guests(before: datetime) -> int:
    """Those whose games, questions and lessons have all gone before them."""
    old = Guest.objects.filter(created__lt=before)
    for link in Guest._meta.related_objects:
        if link.on_delete is CASCADE:
            theirs = link.related_model._default_manager.filter(
                **{link.field.name: OuterRef("pk")}
            )
            old = old.exclude(Exists(theirs))
    return old.delete()[1].get("games.Guest", 0)


def _sign_ins(_before: datetime) -> int:
    return Session.objects.filter(expire_date__lt=timezone.now()).delete()[0]


_KINDS = {
    to_say("class sessions"): _class_sessions,
    to_say("students"): _students,
    to_say("tables"): _tables,
}
_LAST = {
    to_say("guests"): _guests,
    to_say("sign-ins"): _sign_ins,
    to_say("copies"): database.purge_copies,
}


def purge_daily() -> None:
    """Start the thread that applies the period now and every day from now on."""
    Thread(target=_purge_for_ever, name="retention", daemon=True).start()


def _purge_for_ever() -> None:
    """Runs for weeks: whatever goes wrong is logged, and tried again."""
    while True:
        sleep(DAY if _purge_once() else AGAIN)


def _purge_once() -> bool:
    """Whether all went well."""
    try:
        gone = purge_expired()
        if any(gone.values()):
            log.info("expired", extra=gone)
        connection.close()
    except Exception:
        log.exception("what expired could not all be deleted; tried again in an hour")
        with suppress(Exception):
            connection.close()
        return False
    return True

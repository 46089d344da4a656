"""What is kept for how long. One period for everything: ``XACTIKA_RETENTION_DAYS``."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from threading import Thread
from time import sleep

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from games import class_services, services
from games.models import Guest, Table
from xactika_site.classrooms.models import ClassSession, Student

log = logging.getLogger("xactika.retention")

DAY = 24 * 60 * 60

also: dict[str, Callable[[datetime], int]] = {}
"""What else expires, by kind: apps above this one add what deletes their rows from before a
moment and tells how many went."""


def purge_expired() -> dict[str, int]:
    """Delete what has not been used for longer than the retention period: class sessions with
    all that was played, students who were not here since, tables played without a class,
    their guests, and ended sign-ins. How many of each went, by kind."""
    before = timezone.now() - timedelta(days=settings.RETENTION_DAYS)
    old_sessions = ClassSession.objects.filter(created__lt=before)
    # One that is still open may have been resumed lately.
    old_sessions = old_sessions.exclude(attendances__last_seen__gte=before)
    gone = {"class sessions": 0, "students": 0}
    for session_id in list(old_sessions.values_list("pk", flat=True)):
        class_services.delete_session(session_id=session_id)
        gone["class sessions"] += 1
    for student in Student.objects.filter(last_here__lt=timezone.localdate(before)):
        services.remove_student(student=student)
        gone["students"] += 1
    with transaction.atomic():
        tables = Table.objects.filter(class_session=None, created__lt=before)
        gone["tables"] = tables.count()
        tables.delete()
        guests = Guest.objects.filter(created__lt=before, admissions=None)
        gone["guests"] = guests.count()
        guests.delete()
        ended = Session.objects.filter(expire_date__lt=timezone.now())
        gone["sign-ins"] = ended.count()
        ended.delete()
        gone |= {kind: purge(before) for kind, purge in also.items()}
    return gone


def purge_daily() -> None:
    """Start the thread that applies the period now and every day from now on."""
    Thread(target=_purge_for_ever, name="retention", daemon=True).start()


def _purge_for_ever() -> None:
    while True:
        try:
            gone = purge_expired()
            if any(gone.values()):
                log.info("expired", extra=gone)
        except DatabaseError as error:
            log.error("what expired could not be deleted: %s", type(error).__name__)
        finally:
            connection.close()
        sleep(DAY)

"""What is kept for how long. One period for everything: ``XACTIKA_RETENTION_DAYS``."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from threading import Thread
from time import monotonic, sleep
from typing import Any, TypeVar

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import connection
from django.db.models import CASCADE, Exists, OuterRef, QuerySet
from django.utils import timezone

from games.classes import closing
from games.models import Guest, League, Seat, Table
from games.tables import seats, steering
from xactika_site import database
from xactika_site.classrooms.models import ClassSession, Student
from xactika_site.locations import gettext_noop

Key = TypeVar("Key")

log = logging.getLogger("xactika.retention")

DAY = 24 * 60 * 60
AGAIN = 60 * 60

AT_ONCE = 100
"""Small rows that go in one transaction."""

TABLES = 3
"""A class's tables that go in one transaction: some 100 ms even with twenty rounds at each."""

PAUSE = 0.03
"""Seconds, at least, between two transactions: SQLite lets nobody queue, who waits for the one
that writes looks again after 25 ms at most in the first 130."""

also: dict[str, Callable[[datetime], int]] = {}
"""What else expires, by kind: apps above this one add what deletes their rows from before a
moment and tells how many went."""


def purge_expired() -> dict[str, int]:
    """By kind, how many were deleted that have not been used for longer than the retention
    period: class sessions with all that was played, students who were not here since, tables
    played without a class, what learning keeps, guests of whom nothing is left, and ended
    sign-ins. Everything goes in small transactions, between which others write; killed between
    two, the next time takes up the rest. What cannot be deleted holds up nothing else: an
    ExceptionGroup says so when all was tried."""
    before = timezone.now() - timedelta(days=settings.RETENTION_DAYS)
    gone: dict[str, int] = {}
    failed: list[Exception] = []
    for kind, purge in (_FIRST | also | _LAST).items():
        try:
            gone[kind] = purge(before)
        except Exception as error:
            failed.append(error)
    database.clear_log_soon()  # also of what was left there by a process that was killed
    if failed:
        raise ExceptionGroup("some of what expired could not be deleted", failed)
    return gone


def in_turns(keys: Iterable[Key], delete: Callable[[Key], Any]) -> None:
    """Delete one after the other, each in a transaction of its own, and rest as long as each
    took: whoever waits to write comes between."""
    for key in keys:
        began = monotonic()
        delete(key)
        sleep(max(PAUSE, monotonic() - began))


def delete_rows(old: QuerySet[Any]) -> int:
    """Delete small rows, some at a time; how many."""
    keys = list(old.order_by("pk").values_list("pk", flat=True))
    in_turns(batches(keys, AT_ONCE), lambda part: old.filter(pk__in=part).delete())
    return len(keys)


def batches(keys: list[Key], most: int) -> list[list[Key]]:
    """The keys in lists, ``most`` in each."""
    return [keys[start : start + most] for start in range(0, len(keys), most)]


def _purge_class_sessions(before: datetime) -> int:
    """Delete class sessions opened before this and not used since; how many. One that is still
    open may have been resumed lately: at tables, in the lobby, or both. Some tables go at a
    time; what is left is a session of fewer tables."""
    old = ClassSession.objects.filter(created__lt=before)
    old = old.exclude(attendances__last_seen__gte=before)
    old = old.exclude(tables__seat_set__last_seen__gte=before)
    session_ids = list(old.values_list("pk", flat=True))
    gone: list[int] = []

    def delete(session_id: int, table_ids: list[str]) -> None:
        if not old.filter(pk=session_id).exists():
            return  # resumed meanwhile
        if table_ids:
            closing.delete_tables(session_id=session_id, table_ids=table_ids)
        else:
            closing.delete_session(session_id=session_id)
            gone.append(session_id)

    for session_id in session_ids:
        tables = Table.objects.filter(class_session=session_id).order_by("pk")
        table_ids = list(tables.values_list("pk", flat=True))
        in_turns([*batches(table_ids, TABLES), []], partial(delete, session_id))
    return len(gone)


def _purge_students(before: datetime) -> int:
    """Delete students not seen since then; how many. Whose homework is still there, or whose
    class goes on, leaves table by table."""
    students = list(Student.objects.filter(last_here__lt=timezone.localdate(before)))
    for student in students:
        theirs = Seat.objects.filter(student=student).exclude(table__kind=Table.Kind.PAPER)
        theirs = theirs.order_by("table")
        table_ids = list(theirs.values_list("table", flat=True).distinct())
        in_turns(table_ids, partial(seats.leave_one, student))
        in_turns([student], lambda one: seats.remove_student(student=one))
    return len(students)


def _purge_tables(before: datetime) -> int:
    """Delete tables without class or homework, not used since then; how many."""
    old = Table.objects.filter(class_session=None, classroom=None, created__lt=before)
    old = old.exclude(seat_set__last_seen__gte=before)
    table_ids = list(old.values_list("pk", flat=True))
    in_turns(table_ids, lambda one: steering.delete_table(table_id=one))
    return len(table_ids)


def _purge_leagues(before: datetime) -> int:
    """Delete leagues opened before this whose tables have all gone before them; how many."""
    old = League.objects.filter(opened__lt=before)
    return delete_rows(old.exclude(matches__tables__isnull=False))


def _purge_guests(before: datetime) -> int:
    """Delete guests whose games, questions and lessons have all gone before them; how many."""
    old = Guest.objects.filter(created__lt=before)
    for link in Guest._meta.related_objects:
        if link.on_delete is CASCADE:
            theirs = link.related_model._default_manager.filter(
                **{link.field.name: OuterRef("pk")}
            )
            old = old.exclude(Exists(theirs))
    return delete_rows(old)


def _purge_sign_ins(_before: datetime) -> int:
    """Delete teachers' sign-ins that have ended; how many."""
    return delete_rows(Session.objects.filter(expire_date__lt=timezone.now()))


_FIRST = {
    gettext_noop("Sessions"): _purge_class_sessions,
    gettext_noop("Tables"): _purge_tables,
    gettext_noop("Leagues"): _purge_leagues,
}
_LAST = {
    # Once their tables have gone: each seat costs a table read.
    gettext_noop("Students"): _purge_students,
    gettext_noop("Guests"): _purge_guests,
    gettext_noop("Sign-ins"): _purge_sign_ins,
    gettext_noop("Copies"): database.purge_copies,
}


def purge_daily() -> None:
    """Start the thread that applies the period now and every day from now on."""
    Thread(target=_purge_for_ever, name="retention", daemon=True).start()


def _purge_for_ever() -> None:
    """Runs for weeks: whatever goes wrong is logged, and tried again."""
    while True:
        sleep(DAY if _purge_once() else AGAIN)


def _purge_once() -> bool:
    """Whether all went well as what has expired was deleted."""
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

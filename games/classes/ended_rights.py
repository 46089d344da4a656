"""Ended rights end at once: what other apps take away rings the bells of the pages showing it.

A socket rests on what its viewer carries (``Viewer``, ``SessionViewer``), and its room looks at
every bell whether that still holds. What ``games`` takes away, its services ring for.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.db.models.signals import m2m_changed, post_delete, post_save, pre_delete
from django.utils import timezone

from games.models import Table
from games.tables import boards
from games.tables.notify import (
    notify_after_commit,
    notify_session_after_commit,
    session_changed,
    table_changed,
)
from games.tables.seats import leave_homework_as_teacher
from xactika_site.accounts.models import User
from xactika_site.classrooms.models import Attendance, Classroom, ClassSession, Student
from xactika_site.classrooms.services import classrooms_go, signed_out


def listen() -> None:
    """Once, when the apps are loaded."""
    signed_out.connect(_student_signed_out)
    classrooms_go.connect(_classrooms_go)
    post_delete.connect(_sign_in_ended, sender=Session)
    post_save.connect(_teacher_changed, sender=User)
    pre_delete.connect(_teacher_changed, sender=User)
    m2m_changed.connect(_teachers_changed, sender=Classroom.teachers.through)


def _student_signed_out(student: Student, **_more: Any) -> None:
    """Tell the sessions and tables of a student who is signed out. The one session that is not
    closed is written to first, then tables by id, as others lock
    (docs/decisions/0014-locks.md)."""
    come = Attendance.objects.filter(student=student)
    for session_id, state in come.values_list("class_session", "class_session__state"):
        if state == ClassSession.State.CLOSED:
            notify_session_after_commit(session_id)
        else:
            session_changed(session_id)
    sat_at = Table.objects.filter(seat_set__student=student).values_list("pk", flat=True)
    for table_id in sorted(set(sat_at)):
        table_changed(table_id)


def _classrooms_go(classrooms: Collection[int], teacher: int, **_more: Any) -> None:
    """Locks what goes with them, as ``closing.delete_classroom`` does."""
    for table_id in boards.lock_classrooms(classrooms, teacher):
        notify_after_commit(table_id)
    _ring_of(classrooms)


def _sign_in_ended(instance: Session, **_more: Any) -> None:
    if instance.expire_date < timezone.now():
        return  # it had ended already
    teacher = instance.get_decoded().get(SESSION_KEY)
    if teacher is not None:
        _right_ended(int(teacher), Classroom.objects.filter(teachers=teacher))


def _teacher_changed(
    instance: User, update_fields: frozenset[str] | None = None, **_more: Any
) -> None:
    """Perhaps the password; or the account goes. Signing in stores its time alone."""
    if update_fields != frozenset({"last_login"}):
        _right_ended(instance.pk, instance.classrooms.all())


def _teachers_changed(
    instance: Classroom | User, action: str, pk_set: Collection[int] | None, **_more: Any
) -> None:
    if action == "post_remove" and isinstance(instance, Classroom):
        for teacher in pk_set or ():
            _right_ended(teacher, [instance])


def _right_ended(teacher: int, classrooms: Iterable[Classroom]) -> None:
    leave_homework_as_teacher(teacher=teacher, classrooms=classrooms)
    _ring_of(classrooms)


def _ring_of(classrooms: Iterable[Classroom | int]) -> None:
    """Tell every session of these classrooms (or keys of them), at which somebody may look."""
    sessions = ClassSession.objects.filter(classroom__in=classrooms)
    for session_id in sessions.values_list("pk", flat=True):
        notify_session_after_commit(session_id)

"""What may wait for a student, and the students who never played."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, QuerySet

from games.classes.state import StudentState, load_session
from games.models import Seat
from xactika_site import clock
from xactika_site.classrooms.models import Attendance, Classroom, ReturnRequest, Student
from xactika_site.classrooms.selectors import unclosed_session

reminders: list[Callable[[Student], bool]] = []
"""Whether something may wait for a student beside the session: apps above this one add what
knows. Only then does a lobby fetch it."""

SEEN_AGAIN = timedelta(seconds=1)
"""A student seen so long after coming in has had a page of the class open."""


def never_played(classroom: Classroom) -> QuerySet[Student]:
    """The students who came and left nothing behind, no move and no answer (a script's, or
    somebody's second name). Of a session that is not closed, nobody who asks to come in, sits
    at a table, is here, or has had the lobby open and may wait for a board on a phone that
    sleeps."""
    students = Student.objects.filter(classroom=classroom)
    for link in Student._meta.related_objects:
        if link.related_model not in {Attendance, ReturnRequest, Seat}:
            rows = link.related_model._default_manager.filter(
                **{link.field.name: OuterRef("pk")}
            )
            students = students.exclude(Exists(rows))
    session = unclosed_session(classroom)
    if session is not None:
        now = clock.now()
        come = load_session(session.pk).students
        students = students.exclude(pk__in=[s.pk for s in come if _is_waited_for(s, now)])
    return students.order_by("name")


def _is_waited_for(student: StudentState, now: datetime) -> bool:
    if student.state == Attendance.State.HERE:
        last = student.last_seen
        was_seen = last is not None and last - student.joined >= SEEN_AGAIN
        return student.table is not None or was_seen or not student.is_away(now)
    return student.state == Attendance.State.ASKING

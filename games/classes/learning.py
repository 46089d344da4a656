"""A class that begins with learning by playing: what a student has gone through."""

from __future__ import annotations

from collections.abc import Callable

from django.db import transaction

from games.classes.state import ChapterProgress
from games.tables.notify import session_changed
from xactika_site.classrooms.models import Attendance
from xactika_site.classrooms.services import lock_session

also: list[Callable[[str | None, int], None]] = []
"""What else notes that a chapter, by number, was gone through at a browser with this guest's
cookie: apps above this one."""


@transaction.atomic
def note_chapter(*, attendance: Attendance, number: int, of: int) -> None:
    """Note that a student has gone through this chapter, one of so many: cockpit and wall
    tell."""
    if not lock_session(attendance.class_session_id):
        return  # deleted meanwhile
    here = Attendance.objects.filter(pk=attendance.pk)
    chapters = here.values_list("chapters", flat=True).first() or ""
    done = ChapterProgress.parse(chapters).done | {number}
    here.update(chapters=str(ChapterProgress(done, of)))
    session_changed(attendance.class_session_id)

"""A class session in HTML: named fragments for the cockpit and the projector, rendered from
one picture of the session and its tables. Templates: templates/games/table/_class.html.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from games.class_selectors import SessionState
from games.fragments import Fragments
from games.lobby_fragments import lobby_fragments
from games.selectors import Browser, TableState
from xactika_site.classrooms.models import ClassSession
from xactika_site.classrooms.selectors import NotFound, attendance_of, session_for

VIEWS = {"cockpit", "projector", "lobby"}


@dataclass(frozen=True, slots=True)
class SessionViewer:
    """Somebody who looks at a class session: a teacher at the cockpit or the projector, or a
    student (with their attendance) in the lobby. ``device`` is the serial of a student's
    devices."""

    view: str
    student: int | None = None
    attendance: int | None = None
    device: int | None = None

    def may_stay(self, session: SessionState) -> bool:
        """Whether this viewer may go on looking; a student may not who was deleted, or
        signed out of this device."""
        return self.student is None or any(
            (known.pk, known.device_serial) == (self.student, self.device)
            for known in session.students
        )


def session_viewer(session_id: int, browser: Browser, view: str) -> SessionViewer:
    """How this browser may look at the session; NotFound if it may not."""
    if view in {"cockpit", "projector"} and browser.teacher is not None:
        session_for(browser.teacher, session_id)
        return SessionViewer(view)
    student, confirmed = browser.student or (None, None)
    if view == "lobby" and student is not None and confirmed == session_id:
        session = ClassSession.objects.filter(pk=session_id).first()
        attendance = attendance_of(student, session) if session else None
        if attendance is not None:
            return SessionViewer(view, student.pk, attendance.pk, student.device_serial)
    raise NotFound


def session_fragments(
    session: SessionState, tables: Mapping[str, TableState], now: datetime
) -> Callable[[SessionViewer], Fragments]:
    """A function that gives each viewer their fragments of this moment."""

    def fragments_for(viewer: SessionViewer) -> Fragments:
        match viewer.view:
            case "cockpit":
                return cockpit_fragments(session, tables, now)
            case "projector":
                return projector_fragments(session, tables, now)
            case _:
                return lobby_fragments(session, tables, viewer.student)

    return fragments_for


def cockpit_fragments(
    session: SessionState, tables: Mapping[str, TableState], now: datetime
) -> Fragments:
    """What the teacher steers by. No hand is in it."""
    raise NotImplementedError(session, tables, now)


def projector_fragments(
    session: SessionState, tables: Mapping[str, TableState], now: datetime
) -> Fragments:
    """What the room sees on the wall."""
    raise NotImplementedError(session, tables, now)

"""Who may look at a class session, and how."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from games.classes.state import SessionState
from games.tables.viewers import Browser
from xactika_site import clock
from xactika_site.classrooms.selectors import NotFound, SignIn, attendance_of, session_for
from xactika_site.lan import address_for_others


class SessionView(StrEnum):
    """How one looks at a class session: a teacher's two ways, and a student's."""

    COCKPIT = "cockpit"
    PROJECTOR = "projector"
    LOBBY = "lobby"


@dataclass(frozen=True, slots=True)
class SessionViewer:
    """Somebody who looks at a class session: a teacher (by their sign-in) at the cockpit or the
    projector, or a student (with their attendance) in the lobby. ``device`` is the serial of a
    student's devices, ``browser`` the mark of the one they are at; others come by the address
    ``base``."""

    view: SessionView
    student: int | None = None
    attendance: int | None = None
    base: str = ""
    device: int | None = None
    browser: str = ""
    sign_in: SignIn | None = None
    # The session's, as it was when they came: a room that knows an older one looks again.
    version: int = 0
    # When a student was last known to be here.
    last_seen: datetime | None = None

    def was_seen(self, within: timedelta) -> bool:
        """Whether a student was here a moment ago, which need not be noted again."""
        return self.last_seen is not None and clock.now() - self.last_seen < within

    def may_stay(self, session: SessionState) -> bool:
        """Whether this viewer may go on looking; a student may not who was deleted, or
        signed out of this device, or has left this browser. A teacher's right is looked up
        by the room."""
        if self.student is None:
            return True
        student = session.by_pk.get(self.student)
        return student is not None and student.is_at(self.device, self.browser)


def session_viewer(
    session_id: int, browser: Browser, view: str, base: str = ""
) -> SessionViewer:
    """The viewer as whom this browser, which came by the address ``base``, may look at the
    session; NotFound if it may not."""
    if view in {SessionView.COCKPIT, SessionView.PROJECTOR} and browser.teacher is not None:
        session_for(browser.teacher, session_id)
        return SessionViewer(SessionView(view), base=address_for_others(base))
    browser = browser.at(session_id)
    student, confirmed = browser.present
    if view == SessionView.LOBBY and student is not None and confirmed == session_id:
        attendance = attendance_of(student, session_id)
        if attendance is not None and attendance.browsers.get(browser.mark, True):
            return SessionViewer(
                SessionView.LOBBY,
                student.pk,
                attendance.pk,
                device=student.device_serial,
                browser=browser.mark,
                version=attendance.class_session.version,
                last_seen=attendance.last_seen,
            )
    raise NotFound

"""A class session opened and set.

Writes to a session go through this room, in one transaction each that holds the session's row,
so that two teachers' clicks follow one another. Bells ring after commit.
"""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from games.classes.state import SessionState, StudentState, load_session
from games.models import SessionSettings, Table
from games.tables import notify
from games.tables.notify import session_changed
from games.tables.state import TableState, load_table
from xactika_site.classrooms import services as classrooms
from xactika_site.classrooms.models import Attendance, Classroom, ClassSession
from xactika_site.classrooms.selectors import NotFound
from xactika_site.classrooms.services import Refused

State = ClassSession.State

# Opening.


@transaction.atomic
def open_session(
    *,
    classroom: Classroom,
    settings: SessionSettings,
    expected: int | None = None,
    language: str = "",
) -> ClassSession:
    """A new session of the classroom with these (unsaved) settings, its lobby open, for so many
    students as are ``expected`` (as many as last time if that is not said), in this language
    (else that of last time). Refused while another session of the classroom is unclosed."""
    session = classrooms.open_session(classroom=classroom, expected=expected, language=language)
    settings.class_session = session
    settings.deals = settings.deals or None
    settings.save(force_insert=True)
    if last := classroom.sessions.filter(pk__lt=session.pk).order_by("-pk").first():
        notify.notify_session_after_commit(last.pk)  # its pages lead to this one
    return session


def settings_like(session: ClassSession) -> SessionSettings:
    """Unsaved settings for a copy of this session, with those prepared boards never dealt."""
    copy = SessionSettings.objects.get(class_session=session)
    copy.pk, copy.held, copy.news = None, False, 0
    copy._state.adding = True
    return copy


def locked(session_id: int) -> SessionState:
    """The session, with every other writer of it kept out until the transaction ends. Refused
    if it is closed."""
    if not classrooms.lock_session(session_id):
        raise NotFound
    state = load_session(session_id)
    if state.is_closed:
        raise Refused(_("This session is closed."))
    return state


def table_of(state: SessionState, table_id: str) -> TableState:
    """A table of the session's present game, locked."""
    if table_id not in state.tables:
        raise NotFound
    return load_table(table_id, lock=True)


def update_tables(state: SessionState, **fields: Any) -> None:
    """Set fields of every table of the present game."""
    for table_id in state.tables:
        Table.objects.filter(pk=table_id).update(**fields)
        notify.table_changed(table_id)


def update_session(session_id: int, **fields: Any) -> None:
    """Set columns of this class session, and notify its pages."""
    ClassSession.objects.filter(pk=session_id).update(**fields)
    session_changed(session_id)


def student_of(state: SessionState, student_id: int) -> StudentState:
    if student_id not in state.by_pk:
        raise NotFound
    return state.by_pk[student_id]


def set_attendance(student: StudentState, to: str) -> None:
    """Store another state of the student; who is let in is no newcomer any more."""
    attendance = Attendance.objects.filter(pk=student.attendance)
    attendance.update(state=to)
    if to == Attendance.State.HERE:
        attendance.update(newcomer=False)


@transaction.atomic
def set_flags(*, session_id: int, **flags: bool) -> None:
    """Set ``locked``, ``needs_approval`` or ``names_hidden``."""
    locked(session_id)
    unknown = flags.keys() - {"locked", "needs_approval", "names_hidden"}
    if unknown:
        raise ValueError(f"no such flag: {unknown}")
    update_session(session_id, **flags)

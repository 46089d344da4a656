"""How many a class expects, what it is told, and its end: closed, deleted."""

from __future__ import annotations

from django.db import transaction
from django.db.models import F, Q
from django.utils.translation import gettext as _

from games.classes.game import present_game
from games.classes.sessions import State, locked, table_of, update_session
from games.classes.steering import mark_closed
from games.models import Seat, SessionSettings, Table
from games.tables import boards, notify
from games.tables.notify import notify_after_commit, session_changed
from xactika_site import clock
from xactika_site.classrooms import services as classrooms
from xactika_site.classrooms.models import LECTURE_HALL, Attendance, Classroom, ClassSession
from xactika_site.classrooms.services import Refused


@transaction.atomic
def expect(*, session_id: int, students: int) -> None:
    """Set how many students the class session expects: whoever comes new beyond them waits for
    a yes. Refused if that is no class."""
    locked(session_id)
    if not 1 <= students <= LECTURE_HALL:
        raise Refused(_("A class has 1 to %(most)d students.") % {"most": LECTURE_HALL})
    update_session(session_id, expected=students)


@transaction.atomic
def tell_class(*, session_id: int) -> None:
    """Something was put before the class, or taken away: its open pages, in the lobby and at
    the tables, fetch it anew. A closed session may be told, too."""
    classrooms.lock_session(session_id)
    for table_id in present_game(session_id).tables:
        notify.table_changed(table_id)
    SessionSettings.objects.filter(class_session=session_id).update(news=F("news") + 1)
    session_changed(session_id)


@classrooms.deletion
def close_session(*, session_id: int) -> None:
    """Close the session, also in mid-trick: tables end where they stand, finished rounds
    are kept; newcomers who wait go. Closing it again is harmless."""
    if ClassSession.objects.filter(pk=session_id, state=State.CLOSED).exists():
        return
    state = locked(session_id)
    for table_id in state.tables:
        mark_closed(table_of(state, table_id))
        notify.table_changed(table_id)  # also where a game is over: its page says so, too
    Attendance.objects.filter(class_session=session_id).update(browsers={})
    classrooms.forget_newcomers(session=ClassSession.objects.get(pk=session_id))
    Seat.objects.filter(table__class_session=session_id).update(left_by=[])
    update_session(session_id, state=State.CLOSED, closed=clock.now())


@classrooms.deletion
def delete_session(*, session_id: int) -> None:
    """Delete a session with its tables and all that was played there."""
    classrooms.lock_session(session_id)
    theirs = Q(class_session=session_id) | Q(beforehand=session_id)
    tables = boards.lock_tables_and_studies(Table.objects.filter(theirs))
    for session in ClassSession.objects.filter(pk=session_id):
        classrooms.forget_newcomers(session=session)
        session.delete()
    for table_id in tables:
        notify_after_commit(table_id)
    session_changed(session_id)


@classrooms.deletion
def delete_tables(*, session_id: int, table_ids: list[str]) -> None:
    """Delete some tables of a class session that goes bit by bit."""
    classrooms.lock_session(session_id)
    tables = Table.objects.filter(pk__in=table_ids, class_session=session_id)
    going = boards.lock_tables_and_studies(tables)
    tables.delete()
    for gone in going:
        notify_after_commit(gone)
    session_changed(session_id)


@classrooms.deletion
def delete_classroom(*, classroom: Classroom) -> None:
    """Delete a classroom with its sessions, students and everything played in it."""
    classrooms.lock_classroom(classroom)
    tables = boards.lock_classrooms([classroom.pk])
    for session_id in classroom.sessions.values_list("pk", flat=True):
        delete_session(session_id=session_id)
    Classroom.objects.filter(pk=classroom.pk).delete()
    for table_id in tables:
        notify_after_commit(table_id)

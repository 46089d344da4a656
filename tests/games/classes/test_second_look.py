"""Found by reading the mends once more: rights that come back, half-changed states, and boards,
seats and marks that outlive their reason."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.classes import closing, joining, steering
from games.classes.state import seat_of
from games.models import Seat, SessionSettings
from games.tables import seats
from games.tables.state import load_table
from games.tables.viewers import Viewer
from tests.games.classroom import a_session, picture, playing, signed_in, students_in
from xactika_site import health

pytestmark = pytest.mark.django_db(transaction=True)


def test_who_gave_a_browser_back_and_returns_to_it_plays_on() -> None:
    session, (student, _other) = playing(2)
    for mark in ("one", "two"):
        joining.come_in(session=session, student=student, browser=mark)
    table, seat = seat_of(student, session.pk) or ("", 0)
    joining.leave_browser(session_id=session.pk, student=student, browser="one")
    assert "one" in load_table(table).seats[seat].left_browsers
    joining.come_in(session=session, student=student, browser="one")
    state = load_table(table)
    viewer = Viewer(
        seat,
        state.seats[seat].serial,
        student_id=student.pk,
        device=student.device_serial,
        browser="one",
    )
    assert viewer.may_stay(state)


def test_every_table_of_a_closed_session_says_so() -> None:
    session, _students = playing(12, duplicate=True)
    tables = picture(session).tables
    assert len(tables) == 3
    for table in tables:
        load_table(table)
    closing.close_session(session_id=session.pk)
    assert all(load_table(table).is_session_over for table in tables)


def test_a_board_dealt_while_settings_are_changed_stays_spent() -> None:
    deals = [
        {"dealer": 0, "hands": hands}
        for hands in ([["1111"]], [["2222"]])  # only counted here
    ]
    session = a_session(duplicate=True, deals=deals)
    students_in(session, 2)
    wishes = SessionSettings.objects.get(class_session=session)  # as the form has read them
    SessionSettings.objects.filter(pk=wishes.pk).update(deals=deals[1:])
    wishes.pace = 0.3
    steering.change_settings(session_id=session.pk, settings=wishes, has_new_deals=False)
    stored = SessionSettings.objects.get(pk=wishes.pk)
    assert (stored.pace, stored.deals) == (0.3, deals[1:])


def test_a_seat_is_kept_for_nobody_who_is_deleted() -> None:
    session, students = playing(2)
    table, seat = seat_of(students[0], session.pk) or ("", 0)
    joining.send_out(session_id=session.pk, student_id=students[0].pk)
    assert load_table(table).seats[seat].kept_for == students[0].pk
    seats.remove_student(student=students[0])
    assert load_table(table).seats[seat].kept_for is None
    assert not Seat.objects.exclude(kept_for=None).exists()


def test_who_sits_and_comes_in_again_looks_at_no_other_table() -> None:
    def queries(tables: int) -> int:
        session, students = playing(2 * tables, seats=2)
        assert len(picture(session).tables) == tables
        with CaptureQueriesContext(connection) as seen:
            joining.come_in(session=session, student=students[0])
        return len(seen)

    assert queries(2) == queries(6)


def test_a_value_that_no_database_takes_is_our_mistake() -> None:
    import psycopg

    assert health.fault_of(psycopg.DataError("a NUL")) == ""
    assert health.fault_of(psycopg.OperationalError("no server")) == "database"


def test_a_number_beyond_all_numbers_is_nobody() -> None:
    session, _students = playing(1)
    teacher = signed_in(session.classroom.teachers.get())
    path = f"/teach/classrooms/{session.classroom_id}/unplayed/delete/"
    assert teacher.post(path, {"student": "9" * 5000}).status_code == 302

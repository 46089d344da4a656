"""Nobody gets a second hand of one deal: not by coming back, and not by a second name."""

from __future__ import annotations

import pytest
from django.test import Client

from games.classes import closing, joining, seating, steering
from games.classes.state import seat_of
from games.models import Seat
from games.tables import dealing, seats
from games.tables.state import load_table
from tests.games.classroom import a_session, picture, students_in
from tests.games.table import play
from tests.scenes import present
from tests.scenes.coming_in import come_in
from xactika_site.classrooms.models import Attendance, ClassSession, Student
from xactika_site.classrooms.selectors import phrase_of
from xactika_site.classrooms.services import Refused

pytestmark = pytest.mark.django_db


def newest() -> Student:
    return Student.objects.latest("pk")


def table_of(student: Student, session: ClassSession) -> str | None:
    seat = seat_of(student, session.pk)
    return None if seat is None else seat.table


def a_class_at_one_table() -> tuple[ClassSession, Client, Student]:
    """A table of six that plays: a student who came by a browser, on seat 1, two more, bots."""
    session = a_session(seats=6, seating="arrival")
    students_in(session, 1)
    browser = come_in(session)
    student = newest()
    students_in(session, 1)
    steering.start(session_id=session.pk)
    assert seat_of(student, session.pk) == (picture(session).tables[0], 1)
    return session, browser, student


def next_deal(table_id: str) -> None:
    play(table_id)
    dealing.deal_next(load_table(table_id))


# Sent out and let in again.


def test_whoever_was_sent_out_gets_the_same_hand_again_or_another_deal() -> None:
    session, _browser, student = a_class_at_one_table()
    table, seat = seat_of(student, session.pk) or ("", 0)
    joining.send_out(session_id=session.pk, student_id=student.pk, bar=True)
    joining.let_in(session_id=session.pk, student_id=student.pk)
    assert seat_of(student, session.pk) == (table, seat)
    joining.send_out(session_id=session.pk, student_id=student.pk, bar=True)
    (late,) = students_in(session, 1)
    assert seat_of(late, session.pk) == (table, seat)
    joining.let_in(session_id=session.pk, student_id=student.pk)
    assert table_of(student, session) not in {None, table}


def test_the_next_deal_is_open_to_whoever_held_a_hand_of_the_last() -> None:
    session, _browser, student = a_class_at_one_table()
    table = present(table_of(student, session))
    joining.send_out(session_id=session.pk, student_id=student.pk, bar=True)
    students_in(session, 1)  # sits where the student sat
    next_deal(table)
    joining.let_in(session_id=session.pk, student_id=student.pk)
    assert table_of(student, session) == table


def test_a_deleted_students_browser_is_known_until_the_next_deal() -> None:
    session, browser, student = a_class_at_one_table()
    table = table_of(student, session)
    seats.remove_student(student=student)
    come_in(session)  # somebody else sits where the student sat
    assert table_of(newest(), session) == table
    come_in(session, browser)
    assert table_of(newest(), session) not in {None, table}


# A second name at the same browser.


def test_a_second_name_is_not_seated_with_the_first() -> None:
    session, browser, student = a_class_at_one_table()
    come_in(session)  # somebody else's browser
    assert table_of(newest(), session) == table_of(student, session)
    come_in(session, browser)
    assert table_of(newest(), session) not in {None, table_of(student, session)}


def test_nor_after_i_am_done() -> None:
    session, browser, student = a_class_at_one_table()
    browser.post(f"/class/{session.pk}/done/")
    come_in(session, browser)
    assert table_of(newest(), session) not in {None, table_of(student, session)}


def test_nor_when_the_browser_is_known_by_its_student_alone() -> None:
    """What names it is kept for a day, its student's key as long as what is stored."""
    session, browser, student = a_class_at_one_table()
    del browser.cookies["offer"]
    come_in(session, browser)
    assert table_of(newest(), session) not in {None, table_of(student, session)}


def test_who_sits_at_the_same_table_comes_in_there_when_the_first_is_done() -> None:
    session, browser, student = a_class_at_one_table()
    other = Student.objects.exclude(pk=student.pk).earliest("pk")
    assert table_of(other, session) == table_of(student, session)
    sent = {"do": "before", "phrase": phrase_of(other)}
    join = f"/join/{session.classroom.code}/"
    refused = browser.post(join, sent)
    assert refused.status_code == 422
    assert "is at your table" in refused.text
    assert not Attendance.objects.get(student=other).browsers
    table = picture(session).tables[0]
    assert str(student.name) in browser.get(f"/tables/{table}/").text
    assert seat_of(other, session.pk) is not None
    browser.post(f"/class/{session.pk}/done/")
    assert browser.post(join, sent).status_code == 302
    assert browser.get(f"/tables/{table}/").status_code == 200


def test_nor_by_the_teacher() -> None:
    session, browser, student = a_class_at_one_table()
    come_in(session, browser)
    second, table = newest(), table_of(student, session)
    assert table is not None
    next_deal(table_of(second, session) or "")
    play(table_of(second, session) or "")
    with pytest.raises(Refused, match="has seen another hand at table 1"):
        seating.move_student(session_id=session.pk, student_id=second.pk, table_id=table)
    assert table_of(second, session) != table


def test_nor_when_the_class_begins() -> None:
    session = a_session(seats=4)
    students_in(session, 1)
    browser = come_in(session)
    first = newest()
    come_in(session, browser)
    second = newest()
    steering.start(session_id=session.pk)
    # The first name is at no browser any more.
    assert table_of(first, session) is None
    assert table_of(second, session) == picture(session).tables[0]
    assert next(s for s in picture(session).students if s.pk == first.pk).is_away(
        picture(session).students[0].joined
    )


def test_two_names_of_a_browser_that_both_are_there_sit_apart() -> None:
    """The first one plays on at a phone of their own."""
    session = a_session(seats=4)
    browser = come_in(session)
    first = newest()
    Attendance.objects.update(browsers={**Attendance.objects.get().browsers, "phone": True})
    come_in(session, browser)
    second = newest()
    steering.start(session_id=session.pk)
    seating.seat_present(session_id=session.pk)
    tables = [table_of(student, session) for student in (first, second)]
    assert None not in tables
    assert tables[0] != tables[1]


def test_the_kept_seat_is_not_given_back_beside_another_name() -> None:
    session, browser, student = a_class_at_one_table()
    table = present(table_of(student, session))
    joining.send_out(session_id=session.pk, student_id=student.pk)
    next_deal(table)
    come_in(session, browser)  # under a new name, as the old one has been sent out
    assert table_of(newest(), session) == table
    joining.let_in(session_id=session.pk, student_id=student.pk)
    assert table_of(student, session) != table


# What is kept for it.


def test_what_is_kept_identifies_nobody_and_goes() -> None:
    session, browser, student = a_class_at_one_table()
    table = present(table_of(student, session))
    nonce = browser.cookies["offer"].value
    (mark,) = Attendance.objects.get(student=student).browsers
    assert mark not in nonce
    assert nonce not in mark
    joining.send_out(session_id=session.pk, student_id=student.pk)
    seat = Seat.objects.filter(table=table, number=1)
    assert seat.get().left_by == sorted([mark, str(student.pk)])
    next_deal(table)
    assert seat.get().left_by == []
    closing.close_session(session_id=session.pk)
    assert not Attendance.objects.exclude(browsers={}).exists()
    other = a_session(session.classroom)
    come_in(other, browser)
    assert mark not in Attendance.objects.get(class_session=other).browsers

"""Whoever is here has a seat, by whatever way they came; and what the teacher is told of it."""

from __future__ import annotations

import asyncio
import re
from datetime import timedelta

import pytest
from channels.db import database_sync_to_async
from django.utils import timezone

from games.classes import forming, joining, paper, seating, steering
from games.classes.boards import next_board
from games.classes.paper import PaperRound, ScoreSheet
from games.classes.standings import standings
from games.classes.state import seat_of
from games.live import rooms
from games.models import Seat, SessionSettings, Table
from games.rules import MIN_SEATS, Variant
from games.tables.state import TableState, load_table
from lessons.results.dataset import dataset_of_session
from lessons.results.points.standings import game_standings
from tests.games.classroom import (
    a_session,
    a_teacher,
    device_of,
    picture,
    playing,
    signed_in,
    students_in,
)
from tests.scenes.by_students import finish_round, move, seated_in, tables_of
from tests.scenes.coming_in import in_lobby, moment_at, student_header
from tests.scenes.pictures import html_of
from tests.scenes.views import text_of, views
from xactika_site.classrooms import services as classrooms
from xactika_site.classrooms.models import Attendance, ClassSession, Student
from xactika_site.classrooms.selectors import phrase_of
from xactika_site.classrooms.services import Refused

db = pytest.mark.django_db


def asleep(*students: Student) -> None:
    """Their devices were last seen long ago."""
    long_ago = timezone.now() - timedelta(hours=1)
    Attendance.objects.filter(student__in=students).update(last_seen=long_ago)


def slept_through_start() -> tuple[ClassSession, Student]:
    """Five are in the lobby as the teacher starts; the phone of one sleeps."""
    session = a_session(seats=2)
    students = students_in(session, 5)
    asleep(students[4])
    steering.start(session_id=session.pk)
    assert seat_of(students[4], session.pk) is None
    return session, students[4]


def help_of(session: ClassSession) -> str:
    return views(picture(session))["cockpit"]["help"]


def people_of(session: ClassSession) -> str:
    return text_of(views(picture(session))["cockpit"]["people"])


def lobby_of(student: Student, session: ClassSession) -> str:
    page = device_of(student, session).get(f"/class/{session.pk}/").text
    lobby = re.search(r'<section id="lobby".*?</section>', page, re.DOTALL)
    assert lobby
    return text_of(lobby[0])


def bots(tables: list[TableState]) -> int:
    return sum(seat.is_bot for table in tables for seat in table.seats)


# A phone that slept in the lobby while the class began.


@db
def test_a_phone_that_slept_has_a_seat_when_its_page_is_loaded_again() -> None:
    session, sleeper = slept_through_start()
    assert "Go to my table" in lobby_of(sleeper, session)
    assert seat_of(sleeper, session.pk)


@pytest.mark.django_db(transaction=True)
async def test_a_phone_that_slept_has_a_seat_when_its_line_is_open_again() -> None:
    in_db = database_sync_to_async
    session, sleeper = await in_db(slept_through_start)()
    socket = await in_lobby(session, student_header(sleeper, session))
    assert "data-go" in await moment_at(socket, "playing")


@pytest.mark.django_db(transaction=True)
async def test_whoever_is_noted_to_be_here_has_a_seat_without_any_page_of_the_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As from a page of a lesson, which asks by and by whether the class has moved on."""
    monkeypatch.setattr(rooms, "LOOK_EVERY", 0.2)
    in_db = database_sync_to_async
    session, sleeper = await in_db(slept_through_start)()
    other = (await in_db(picture)(session)).here[0]
    seated = await in_db(Student.objects.get)(pk=other.pk)
    await in_lobby(session, student_header(seated, session))
    here = await in_db(Attendance.objects.get)(student=sleeper)
    await in_db(classrooms.mark_here)(attendances=[here.pk])
    async with asyncio.timeout(20):
        while await in_db(seat_of)(sleeper, session.pk) is None:
            await asyncio.sleep(0.05)


@db
def test_whoever_sleeps_on_holds_up_nobody_and_gets_no_seat() -> None:
    session, sleeper = slept_through_start()
    seating.seat_present(session_id=session.pk)
    assert seat_of(sleeper, session.pk) is None
    assert "No table needs you" in help_of(session)


@db
@pytest.mark.parametrize("why", ["by hand", "table closed", "alone"])
def test_where_nobody_can_be_seated_the_cockpit_calls_and_one_press_mends_it(why: str) -> None:
    wishes = {"by hand": {"seating": "by_hand"}, "alone": {"filling": "uneven"}}
    session, students = playing(4, seats=2, **wishes.get(why, {}))
    if why == "table closed":
        table = tables_of(session)[0].id
        steering.close_table(session_id=session.pk, table_id=table)
        seating.seat_present(session_id=session.pk)  # the teacher has a plan
        how_many = 2
    else:
        students += students_in(session, 1)
        how_many = 1
    assert len(picture(session).waiting) == how_many
    said = help_of(session)
    assert f"{how_many} student{'s have' if how_many == 2 else ' has'} no seat" in said
    assert 'data-kind="unseated"' in said
    assert 'value="seat"' in said
    pressed = signed_in(a_teacher()).post(
        f"/teach/sessions/{session.pk}/do/", {"do": "seat"}, headers={"HX-Request": "true"}
    )
    assert pressed.status_code == 204
    assert all(known.table for known in picture(session).here)
    assert len(picture(session).here) == len(students)
    assert "No table needs you" in help_of(session)
    with pytest.raises(Refused, match="Nobody is waiting"):
        seating.seat_everybody(session_id=session.pk)


# Sent out, and in again.


@db
def test_sent_out_and_in_again_is_the_same_seat() -> None:
    session, students = playing(7, seats=4)
    before = seat_of(students[0], session.pk)
    assert before
    joining.send_out(session_id=session.pk, student_id=students[0].pk)
    # Latecomers find others; not even the last bot's seat is given away.
    late = students_in(session, 2)
    assert {seat_of(each, session.pk) for each in late}.isdisjoint({before, None})
    joining.let_in(session_id=session.pk, student_id=students[0].pk)
    assert seat_of(students[0], session.pk) == before
    assert not Seat.objects.exclude(kept_for=None).exists()


@db
def test_a_barred_students_seat_is_anybodys() -> None:
    session, students = playing(4, seats=4)
    before = seat_of(students[0], session.pk)
    joining.send_out(session_id=session.pk, student_id=students[0].pk)
    joining.send_out(session_id=session.pk, student_id=students[0].pk, bar=True)
    assert seat_of(students_in(session, 1)[0], session.pk) == before


@db
def test_sending_out_asks_first() -> None:
    session, students = playing(1, seats=2, seating="by_hand")
    late = students_in(session, 1)[0]
    table = picture(session).tables[0]
    panel = signed_in(a_teacher()).get(f"/teach/sessions/{session.pk}/tables/{table}/")
    for student, html in (
        (students[0], panel.text),
        (late, views(picture(session))["cockpit"]["people"]),
    ):
        asks = re.findall(r"<details[^>]*>(?:(?!</details>).)*</details>", html, re.DOTALL)
        press = f'value="send-out:{student.pk}"'
        assert html.count(press) == sum(each.count(press) for each in asks) == 1


# What the cockpit says of single students.


@db
def test_whoever_claims_a_name_that_is_here_is_told_apart() -> None:
    session, students = playing(2, seats=2)
    asleep(students[1])
    Seat.objects.filter(student=students[1]).update(last_seen=None)
    for student in students:
        classrooms.ask_to_return(session=session, name=student.name)
    said = people_of(session)
    assert f"{students[0].name} is already here." in said
    assert f"{students[1].name} is already here" not in said


@db
def test_who_has_not_pressed_written_down_is_called_that() -> None:
    session, students = playing(2, seats=2)
    table_id = picture(session).tables[0]
    table = load_table(table_id)
    mover = table.seats[table.to_move or 0]
    student = next(each for each in students if each.pk == mover.student_id)
    later = timezone.now() + timedelta(seconds=30)
    Seat.objects.filter(table=table_id).update(last_seen=later)
    Student.objects.exclude(pk=student.pk).update(noted=True)
    words = "hasn’t written down the three words"
    assert words not in help_of(session)
    # Their lobby is open, not their table.
    Attendance.objects.filter(student=student).update(last_seen=later + timedelta(seconds=1))
    page = views(picture(session), later + timedelta(seconds=2))["cockpit"]
    assert f"{student.name} {words}" in page["help"]
    assert words in page[f"seats-{table_id}"]
    device_of(student, session).post(f"/class/{session.pk}/")
    page = views(picture(session), later + timedelta(seconds=2))["cockpit"]
    assert words not in "".join(page.values())
    # Who came long before is shown the words no more, so nobody waits for them.
    Student.objects.filter(pk=student.pk).update(
        noted=False, created=timezone.now() - timedelta(days=1)
    )
    page = views(picture(session), later + timedelta(seconds=2))["cockpit"]
    assert words not in page[f"seats-{table_id}"]


@db
def test_whoever_comes_back_by_the_phrase_has_it_written_down() -> None:
    session = a_session()
    student = students_in(session, 1)[0]
    assert "hasn’t written down" in people_of(session)
    classrooms.check_phrase(classroom=session.classroom, phrase=phrase_of(student))
    assert "hasn’t written down" not in people_of(session)


# Tables of different size, without bots.


@db
def test_without_bots_a_latecomer_joins_a_table_that_has_not_begun() -> None:
    session = a_session(seats=4, filling="uneven")
    students_in(session, 6)
    forming.form_tables(session_id=session.pk)
    sizes = sorted(len(table.seats) for table in tables_of(session))
    students_in(session, 2)
    steering.start(session_id=session.pk)
    assert sum(len(table.seats) for table in tables_of(session)) == sum(sizes) + 2
    assert bots(tables_of(session)) == 0


@db
def test_without_bots_latecomers_play_together() -> None:
    session, _ = playing(4, seats=4, filling="uneven")
    one = students_in(session, 1)[0]
    assert seat_of(one, session.pk) is None
    assert "Your teacher finds you a seat." in lobby_of(one, session)
    other = students_in(session, 1)[0]
    _first, second = tables_of(session)
    assert {seat.student_id for seat in second.seats} == {one.pk, other.pk}
    assert second.status == "bidding"


@db
def test_without_bots_moving_students_leaves_none() -> None:
    session = a_session(seats=4, filling="uneven", seating="arrival")
    students = students_in(session, 8)
    forming.form_tables(session_id=session.pk)
    here, there = tables_of(session)
    move(session, students[0], there)
    assert [len(table.seats) for table in tables_of(session)] == [3, 5]
    assert bots(tables_of(session)) == 0
    for student in students[1:3]:  # one is left alone
        move(session, student, there)
    steering.start(session_id=session.pk)
    (only,) = tables_of(session)
    assert (only.number, len(only.seats)) == (1, 8)
    assert bots([only]) == 0
    assert here.id != only.id


@db
def test_without_bots_an_emptied_table_goes_and_the_others_move_up() -> None:
    session = a_session(seats=2, filling="uneven", seating="arrival")
    students = students_in(session, 6)
    forming.form_tables(session_id=session.pk)
    third = tables_of(session)[2]
    for student in students[:2]:
        move(session, student, third)
    assert [table.number for table in tables_of(session)] == [1, 2]
    assert load_table(third.id).number == 2


@db
def test_a_table_has_one_number_everywhere() -> None:
    session = a_session(seats=2, filling="uneven", seating="by_hand")
    students = students_in(session, 6)
    forming.form_tables(session_id=session.pk)
    sheet = ScoreSheet(Variant.BID, (None, None), (PaperRound((4, 3), (3, 5)),))
    paper.store(session_id=session.pk, sheet=sheet)
    last = tables_of(session)[2]
    for _each in range(2):
        students_in(session, 2)
        forming.form_tables(session_id=session.pk)
    assert [table.number for table in tables_of(session)] == [1, 2, 3, 5, 6]
    for student in students[:2]:
        move(session, student, last)
    assert [table.number for table in tables_of(session)] == [1, 2, 3, 5]
    assert Table.objects.on_paper(session.pk).get().number == 4
    teacher, page = signed_in(a_teacher()), f"/teach/sessions/{session.pk}/"
    cockpit = views(picture(session))["cockpit"]["tables"]
    assert re.findall(r">Table (\d)<", cockpit) == ["1", "2", "3", "5"]
    groups = teacher.get(f"{page}groups/").text
    assert set(re.findall(r'value="(\d)"', groups)) == {"1", "2", "3", "5"}
    panel = teacher.get(f"{page}tables/{last.id}/")
    assert [number for number, _table in panel.context["others"]] == [1, 3, 5]


@db
@pytest.mark.parametrize("reseat", [False, True])
def test_without_bots_the_next_game_has_none(reseat: bool) -> None:
    session, students = playing(7, seats=3, rounds=1, filling="uneven")
    finish_round(session)
    gone = next(s for s in students if len(load_table_of(s, session).people) == MIN_SEATS + 1)
    asleep(gone)
    Seat.objects.filter(student=gone).update(last_seen=None)
    steering.next_game(session_id=session.pk, reseat=reseat)
    assert bots(tables_of(session)) == 0
    assert sorted(seated_in(session)) == sorted(s.pk for s in students if s != gone)


def load_table_of(student: Student, session: ClassSession) -> TableState:
    table_id, _seat = seat_of(student, session.pk) or ("", 0)
    return load_table(table_id)


@db
def test_wishing_for_no_bots_before_the_start_seats_everybody_anew() -> None:
    session = a_session(seats=4)
    students_in(session, 5)
    forming.form_tables(session_id=session.pk)
    assert bots(tables_of(session)) == 3
    settings = SessionSettings.objects.get(class_session=session)
    settings.filling = "uneven"
    steering.change_settings(session_id=session.pk, settings=settings)
    assert bots(tables_of(session)) == 0


# Latecomers of a session in which all tables play the same cards.


@db
def test_a_latecomer_of_a_duplicate_session_is_told_when_they_play() -> None:
    session, _ = playing(4, seats=2, rounds=2, duplicate=True)
    late = students_in(session, 1)[0]
    assert "You play from board 2." in lobby_of(late, session)
    assert "They’ll get a seat at the next board." in people_of(session)
    assert "No table needs you" in help_of(session)
    finish_round(session)
    next_board(session_id=session.pk, by_teacher=True)
    assert seat_of(late, session.pk)
    last = students_in(session, 2)[1]
    assert "You play in the next game" in lobby_of(last, session)
    assert "They play in the next game." in people_of(session)


# Moved by the teacher.


@db
@pytest.mark.parametrize("how", ["swap", "move"])
def test_who_is_away_is_so_at_another_seat_too(how: str) -> None:
    session = a_session(seats=2)
    students = students_in(session, 4)
    forming.form_tables(session_id=session.pk)
    one = picture(session).here[0]
    other = next(each for each in picture(session).here if each.table not in {None, one.table})
    Seat.objects.filter(student=one.pk).update(last_seen=timezone.now() - timedelta(hours=1))
    asleep(*(student for student in students if student.pk == one.pk))
    if how == "swap":
        seating.swap(session_id=session.pk, student_id=one.pk, other_id=other.pk)
    else:
        seating.move_student(
            session_id=session.pk, student_id=one.pk, table_id=other.table or ""
        )
    state = picture(session)
    assert state.by_pk[one.pk].table == other.table
    assert [each.pk for each in state.here if each.is_away(timezone.now())] == [one.pk]


# Points stay with who made them.


def points_of(session: ClassSession) -> dict[int, int]:
    """Points by student in the game's standings of the results."""
    (game,) = game_standings(dataset_of_session(session))
    return {place.student: place.total for place in game.places}


@db
def test_whoever_changes_tables_or_goes_keeps_their_points() -> None:
    session, students = playing(4, seats=3, rounds=2)
    finish_round(session)
    before = points_of(session)
    assert before == {
        student: points
        for student, (points, _n) in picture(session).played.points_by_student.items()
    }
    assert len(before) == 4
    one, other = tables_of(session)
    mover = next(s for s in students if s.pk == one.people[0].student_id)
    gone = next(s for s in students if s.pk == other.people[0].student_id)
    move(session, mover, other)
    now = load_table(other.id)
    seat = next(s.number for s in now.people if s.student_id == mover.pk)
    html = html_of(now, seat)["result"]
    assert f'data-outcome="{seat}"' not in html, "what a bot made is not told as the mover's"
    assert re.findall(rf'data-me="{seat}" data-you="([^"]+)"></span>', html) == [
        "A bot played here before you."
    ]
    joining.send_out(session_id=session.pk, student_id=gone.pk)
    assert points_of(session) == before
    rows = standings(tables_of(session), picture(session).played.points_by_student)
    assert {row.student: row.total for row in rows} == {
        student: points for student, points in before.items() if student != gone.pk
    }
    assert next(row.table for row in rows if row.student == mover.pk) == other.number


@db
def test_a_bots_earlier_rounds_are_not_said_to_be_the_students() -> None:
    session, students = playing(3, seats=3, rounds=2)
    finish_round(session)
    gone, table = students[0], tables_of(session)[0]
    seat = next(s.number for s in table.people if s.student_id == gone.pk)
    joining.send_out(session_id=session.pk, student_id=gone.pk, bar=True)
    steering.deal_next_round(session_id=session.pk)
    late = students_in(session, 1)[0]
    assert seat_of(late, session.pk) == (table.id, seat)
    table = load_table(table.id)
    assert [s.from_round for s in table.seats] == [3 if n == seat else 1 for n in range(3)]
    finish_round(session)
    ended = load_table(table.id)
    html = html_of(ended, seat)["result"]
    said = dict(re.findall(r'data-me="(\d)" data-you="([^"]+)"></span>', html))
    assert said[str(seat)] == "A bot played here before you."  # neither its place nor its win
    assert f'data-me="{seat}" data-you="You win!"' not in html
    assert all("A bot" not in words for n, words in said.items() if n != str(seat))


@db
def test_who_comes_during_a_round_did_not_miss_its_bid() -> None:
    session, students = playing(3, seats=3, rounds=2)
    gone, table = students[0], tables_of(session)[0]
    seat = next(s.number for s in table.people if s.student_id == gone.pk)
    joining.send_out(session_id=session.pk, student_id=gone.pk, bar=True)
    students_in(session, 1)
    finish_round(session)
    ended = load_table(table.id)
    assert ended.seats[seat].from_round == 2
    assert "You bid" not in html_of(ended, seat)["sentence"]
    assert "You bid" in html_of(ended, (seat + 1) % 3)["sentence"]

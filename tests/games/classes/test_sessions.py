"""What a teacher does with a class session, and where its students come to sit."""

from __future__ import annotations

import gc
import weakref
from collections import Counter
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db import IntegrityError, connection
from django.db.models.signals import post_delete
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from games.classes import closing, forming, joining, seating, sessions, steering
from games.classes.pace import minutes_for
from games.classes.standings import standings
from games.classes.state import load_session, seat_of
from games.models import Deal, Move, Result, Seat, SessionSettings, Table
from games.rules import MAX_SEATS, MIN_SEATS, move_text
from games.tables import moves, results
from games.tables import seats as table_seats
from games.tables.refusals import Rejected
from games.tables.state import TableState, load_table
from games.tables.timing import is_deserted, last_seen, next_round_due
from games.tables.view import SeatState, Status
from games.tables.viewers import Viewer
from tests.games.classroom import a_classroom, a_session, picture, playing, students_in
from tests.games.conftest import Clock
from tests.games.table import play
from tests.scenes.at_once import at_once
from tests.scenes.by_students import (
    by_their_student,
    finish_round,
    in_mid_trick,
    move,
    people_at,
    seated_in,
    tables_of,
)
from tests.scenes.views import views
from xactika_site.accounts.models import User
from xactika_site.classrooms import services as classrooms
from xactika_site.classrooms.models import Attendance, Classroom, ClassSession, Student
from xactika_site.classrooms.selectors import NotFound
from xactika_site.classrooms.services import Refused

db = pytest.mark.django_db


def everybody_away(session: ClassSession) -> None:
    """All devices were last seen long ago."""
    long_ago = timezone.now() - timedelta(hours=1)
    Seat.objects.filter(table__class_session=session).update(last_seen=long_ago)
    Attendance.objects.filter(class_session=session).update(last_seen=long_ago)


# How many tables, of how many.


@given(
    students=st.integers(0, 200),
    seats=st.integers(MIN_SEATS, MAX_SEATS),
    filling=st.sampled_from(SessionSettings.Filling.values),
)
def test_a_plan_seats_everybody_evenly(students: int, seats: int, filling: str) -> None:
    plan = forming.plan_tables(students, seats=seats, filling=filling)
    assert sum(plan.people) == students
    assert len(plan.seats) == len(plan.people)
    assert all(1 <= n <= size for n, size in zip(plan.people, plan.seats, strict=True))
    assert all(MIN_SEATS <= size <= MAX_SEATS for size in plan.seats)
    if plan.people:
        assert max(plan.people) - min(plan.people) <= 1
    if filling == SessionSettings.Filling.BOTS:
        assert set(plan.seats) <= {seats}
        assert len(plan.seats) == -(-students // seats)
    elif students > 1:
        assert plan.seats == plan.people  # no bots


@pytest.mark.parametrize(
    ("students", "seats", "sizes"),
    [(13, 4, (5, 4, 4)), (1, 4, (2,)), (5, 2, (3, 2)), (11, 10, (11 - 5, 5)), (3, 10, (3,))],
)
def test_uneven_tables(students: int, seats: int, sizes: tuple[int, ...]) -> None:
    plan = forming.plan_tables(students, seats=seats, filling=SessionSettings.Filling.UNEVEN)
    assert plan.seats == sizes


# Opening.


@db
def test_a_classroom_has_one_unclosed_session() -> None:
    classroom = a_classroom()
    session = a_session(classroom)
    with pytest.raises(Refused, match="Close the session in"):
        a_session(classroom)
    closing.close_session(session_id=session.pk)
    assert a_session(classroom).pk != session.pk


@db
def test_a_copy_has_the_settings_and_not_what_was_pressed_in_class() -> None:
    session = a_session(seats=5, rounds=7, clock=30.0, watching=True)
    steering.set_switch(session_id=session.pk, name="held", on=True)
    copy = sessions.settings_like(session)
    assert (copy.seats, copy.rounds, copy.clock, copy.watching) == (5, 7, 30.0, True)
    assert copy.pk is None
    assert not copy.held


@db
def test_settings_hold_at_once_or_from_the_next_deal() -> None:
    session = a_session(seats=2)
    students_in(session, 4)
    forming.form_tables(session_id=session.pk)
    settings = SessionSettings.objects.get(class_session=session)
    settings.variant, settings.rounds, settings.pace = "lose", 1, 1.5
    steering.change_settings(session_id=session.pk, settings=settings)
    assert {(t.variant.value, t.rounds, t.setup.pace) for t in tables_of(session)} == {
        ("lose", 1, 1.5)
    }
    steering.start(session_id=session.pk)
    settings.variant, settings.rounds, settings.pace = "win", 8, 0.3
    steering.change_settings(session_id=session.pk, settings=settings)
    assert {(t.variant.value, t.rounds, t.setup.pace) for t in tables_of(session)} == {
        ("lose", 1, 0.3)
    }


@db
def test_saving_settings_does_not_undo_a_switch_pressed_meanwhile() -> None:
    session, _ = playing(4)
    stale = SessionSettings.objects.get(class_session=session)
    steering.set_switch(session_id=session.pk, name="held", on=True)
    steering.change_settings(session_id=session.pk, settings=stale)
    assert picture(session).settings.held


# Coming in and sitting down.


@db
def test_start_seats_everybody_and_deals() -> None:
    session = a_session(seats=4)
    students = students_in(session, 6)
    steering.start(session_id=session.pk)
    assert sorted(seated_in(session)) == [s.pk for s in students]
    assert [len(people) for people in people_at(session)] == [3, 3]
    assert {table.status for table in tables_of(session)} == {"bidding"}
    assert [table.number for table in tables_of(session)] == [1, 2]


@db
def test_start_needs_somebody_and_is_harmless_again() -> None:
    session = a_session()
    with pytest.raises(Refused, match="Nobody is here"):
        steering.start(session_id=session.pk)
    students_in(session, 2)
    steering.start(session_id=session.pk)
    deals = Deal.objects.count()
    steering.start(session_id=session.pk)
    assert Deal.objects.count() == deals


@db
def test_by_arrival_the_first_sit_together() -> None:
    session = a_session(seats=2, seating="arrival")
    students = students_in(session, 4)
    forming.form_tables(session_id=session.pk)
    assert people_at(session) == [[s.pk for s in students[:2]], [s.pk for s in students[2:]]]


@db
def test_shuffled_they_do_not_always() -> None:
    seatings = set()
    for _ in range(8):
        session = a_session(a_classroom(), seats=2, seating="shuffled")
        students = students_in(session, 6)
        forming.form_tables(session_id=session.pk)
        places = {pk: k for k, pk in enumerate(s.pk for s in students)}
        seatings.add(tuple(places[pk] for pk in seated_in(session)))
    assert len(seatings) > 1


@db
def test_who_is_away_is_not_seated(clock: Clock) -> None:
    session = a_session(seats=2)
    gone = students_in(session, 1)[0]
    clock.forward(60)
    students_in(session, 2)
    steering.start(session_id=session.pk)
    assert gone.pk not in seated_in(session)
    assert [known.pk for known in picture(session).waiting] == [gone.pk]


@db
def test_a_latecomer_takes_a_bots_seat_where_there_are_most() -> None:
    session, _ = playing(7, seats=4)
    before = tables_of(session)
    emptiest = max(before, key=lambda t: sum(seat.is_bot for seat in t.seats))
    dealt = emptiest.dealt
    late = students_in(session, 1)[0]
    table_id, seat = seat_of(late, session.pk) or ("", 0)
    now = load_table(table_id)
    assert table_id == emptiest.id
    assert now.dealt == dealt  # with its hand
    assert emptiest.seats[seat].is_bot


@db
def test_where_no_bot_sits_a_latecomer_opens_the_next_table() -> None:
    session, _ = playing(8, seats=4)
    late = students_in(session, 1)[0]
    assert people_at(session)[2] == [late.pk]
    assert tables_of(session)[2].status == "bidding"


@db
def test_where_the_teacher_seats_by_hand_a_latecomer_waits() -> None:
    session, _ = playing(3, seats=4, seating="by_hand")
    late = students_in(session, 1)[0]
    assert seat_of(late, session.pk) is None
    table = tables_of(session)[0]
    seating.move_student(session_id=session.pk, student_id=late.pk, table_id=table.id)
    assert seat_of(late, session.pk) == (table.id, 3)


@db
def test_who_needs_a_yes_sits_only_after_it() -> None:
    session, _ = playing(3, seats=4)
    sessions.set_flags(session_id=session.pk, needs_approval=True)
    one, other = students_in(session, 2)
    assert [known.pk for known in picture(session).asking] == [one.pk, other.pk]
    assert seat_of(one, session.pk) is None
    joining.answer(session_id=session.pk, student_id=one.pk, yes=True)
    joining.answer(session_id=session.pk, student_id=other.pk, yes=False)
    assert seat_of(one, session.pk) is not None
    assert seat_of(other, session.pk) is None
    # A second answer, of the other teacher, changes nothing.
    joining.answer(session_id=session.pk, student_id=one.pk, yes=False)
    assert seat_of(one, session.pk) is not None


# Moving and sending out.


@db
def test_a_student_moves_between_rounds_and_leaves_a_bot_behind() -> None:
    session, students = playing(6, seats=4)
    there = next(t for t in tables_of(session) if students[0].pk not in ids(t))
    with pytest.raises(Refused, match="in a round"):
        move(session, students[0], there)
    finish_round(session)
    here_id, seat = seat_of(students[0], session.pk) or ("", 0)
    move(session, students[0], there)
    assert seat_of(students[0], session.pk) == (there.id, 3)
    left = load_table(here_id)
    assert left.seats[seat].is_bot
    assert left.totals == tuple(left.totals)  # the points stay with the seat
    assert sum(t.student_id == students[0].pk for s in tables_of(session) for t in s.seats) == 1


def ids(table: TableState) -> list[int | None]:
    return [seat.student_id for seat in table.seats]


@db
def test_moving_needs_a_free_seat_but_a_table_not_begun_gets_one_more() -> None:
    session = a_session(seats=2, seating="arrival")
    students = students_in(session, 4)
    forming.form_tables(session_id=session.pk)
    move(session, students[0], tables_of(session)[1])
    assert [len(table.seats) for table in tables_of(session)] == [2, 3]
    steering.start(session_id=session.pk)
    finish_round(session)
    with pytest.raises(Refused, match="Table 2 has no free seat"):
        move(session, students[1], tables_of(session)[1])


@db
def test_nobody_is_moved_to_another_sessions_table() -> None:
    session, students = playing(2, seats=2)
    other, _ = playing(2, seats=2)
    with pytest.raises(NotFound):
        move(session, students[0], tables_of(other)[0])
    with pytest.raises(NotFound):
        seating.move_student(
            session_id=other.pk, student_id=students[0].pk, table_id=tables_of(other)[0].id
        )


@db
@pytest.mark.parametrize("bar", [False, True])
def test_sent_out_in_mid_trick_the_table_goes_on(bar: bool) -> None:
    session, _ = playing(4, seats=4)
    state = in_mid_trick(picture(session).tables[0])
    assert state.to_move is not None
    seat = state.seats[state.to_move]
    assert seat.student_id
    out = Student.objects.get(pk=seat.student_id)
    joining.send_out(session_id=session.pk, student_id=out.pk, bar=bar)
    now = load_table(state.id)
    assert now.turn == state.turn
    assert now.dealt == state.dealt
    assert now.seats[seat.number].is_bot
    assert now.seats[seat.number].name != out.name
    moves.make_bot_move(table_id=state.id, turn=now.turn)
    assert play(state.id, by=by_their_student(state.id)).status == "round_over"
    # What they had played stays theirs; the round counts for nobody.
    assert Move.objects.filter(student=out).exists()
    result = Result.objects.get(deal=state.deal_id, seat=seat.number)
    assert not result.by_person
    session.refresh_from_db()
    if bar:
        with pytest.raises(Refused, match="closed this session for you"):
            joining.come_in(session=session, student=out)
        joining.let_in(session_id=session.pk, student_id=out.pk)
    else:
        joining.come_in(session=session, student=out)
    assert seat_of(out, session.pk) == (state.id, seat.number)


# Steering.


@db
def test_pausing_stops_every_table_and_going_on_gives_turns_their_time(clock: Clock) -> None:
    session, _ = playing(4, seats=2)
    table_id = picture(session).tables[0]
    steering.pause_room(session_id=session.pk, paused=True)
    state = load_table(table_id)
    assert state.to_move is not None
    with pytest.raises(Rejected) as refused:
        moves.make_move(table_id=table_id, seat=state.to_move, turn=state.turn, text="1")
    assert refused.value.code == "paused"
    clock.forward(20)
    steering.pause_room(session_id=session.pk, paused=False)
    assert load_table(table_id).turn_began == timezone.now()
    assert not any(seat.stand_in for t in tables_of(session) for seat in t.seats)


@db
def test_resumed_another_day_bots_hold_the_absents_seats(clock: Clock) -> None:
    session, students = playing(4, seats=4)
    state = in_mid_trick(picture(session).tables[0])
    steering.pause_room(session_id=session.pk, paused=True)
    clock.forward(7 * 86400)
    back = students[0]
    seat = seat_of(back, session.pk)
    assert seat
    table_seats.open_seat(table_id=seat.table, seat=seat.number)
    steering.pause_room(session_id=session.pk, paused=False)
    now = load_table(state.id)
    assert now.moves == state.moves
    assert {s.student_id for s in now.seats if not s.stand_in} == {back.pk}
    # Who comes later takes over by playing.
    play(
        state.id,
        lambda t: t.to_move is not None and t.seats[t.to_move].student_id == students[1].pk,
    )
    late = load_table(state.id)
    assert late.round
    moves.make_move(
        table_id=late.id,
        seat=late.to_move,
        turn=late.turn,
        text=move_text(late.round.legal_moves()[0]),
        student_id=students[1].pk,
    )
    assert not next(
        s for s in load_table(state.id).seats if s.student_id == students[1].pk
    ).stand_in


@db
def test_a_latecomer_to_a_paused_room_waits_like_all() -> None:
    session, _ = playing(4, seats=4)
    steering.pause_room(session_id=session.pk, paused=True)
    students_in(session, 1)
    assert all(table.paused for table in tables_of(session))


@db
def test_a_bot_plays_for_a_student_and_hands_back() -> None:
    session, _ = playing(2, seats=3)
    table = tables_of(session)[0]
    person = table.people[0].number
    bot = next(seat.number for seat in table.seats if seat.is_bot)
    for on in (True, True, False):
        steering.stand_in(session_id=session.pk, table_id=table.id, seat=person, on=on)
        assert load_table(table.id).seats[person].stand_in is on
    for seat in (bot, 3, -1):
        with pytest.raises(NotFound):
            steering.stand_in(session_id=session.pk, table_id=table.id, seat=seat, on=True)


@db
def test_finishing_after_this_round() -> None:
    session, _ = playing(4, seats=2, rounds=3)
    one, other = picture(session).tables
    play(other, by=by_their_student(other))
    steering.finish_after_round(session_id=session.pk)
    assert load_table(one).status == "bidding"
    assert load_table(other).status == "game_over"  # its round had just ended
    assert play(one, by=by_their_student(one)).status == "game_over"


@db
def test_held_rounds_wait_for_the_teacher() -> None:
    session, _ = playing(2, seats=2)
    steering.set_switch(session_id=session.pk, name="held", on=True)
    finish_round(session)
    table = tables_of(session)[0]
    for seat in table.people:
        moves.say_ready(table_id=table.id, seat=seat.number, turn=table.turn)
    assert load_table(table.id).round_number == 1
    steering.deal_next_round(session_id=session.pk)
    assert load_table(table.id).round_number == 2
    steering.deal_next_round(session_id=session.pk)  # in mid-round nothing is dealt
    assert load_table(table.id).round_number == 2


@db
def test_the_next_round_of_a_deserted_table_waits_for_somebody() -> None:
    session, (student, _) = playing(2, seats=2)
    finish_round(session)
    (table,) = tables_of(session)

    def is_due() -> bool:
        return next_round_due(
            load_table(table.id), last_seen([table.id])[table.id], timezone.now()
        )

    seat = next(seat.number for seat in table.people if seat.student_id == student.pk)
    moves.say_ready(table_id=table.id, seat=seat, turn=table.turn)
    everybody_away(session)
    assert not is_due()
    Seat.objects.filter(table=table.id, number=seat).update(last_seen=timezone.now())
    assert is_due()


@db
def test_no_bot_plays_for_who_comes_from_the_lobby_long_after_tables_were_formed() -> None:
    session = a_session(seats=2)
    students_in(session, 2)
    forming.form_tables(session_id=session.pk)
    (table,) = tables_of(session)
    long_ago = timezone.now() - timedelta(minutes=5)
    Seat.objects.filter(table=table.id).update(last_seen=long_ago)
    steering.start(session_id=session.pk)
    assert not is_deserted(table, last_seen([table.id])[table.id], timezone.now())
    assert load_table(table.id).status == Status.BIDDING


@db
def test_a_table_that_nobody_is_left_at_waits_between_rounds() -> None:
    session, students = playing(3, seats=2, seating="arrival")
    finish_round(session)
    stays, left = tables_of(session)
    if len(stays.people) == 1:
        stays, left = left, stays
    joining.send_out(session_id=session.pk, student_id=students[0].pk, bar=True)
    (alone,) = (seat.student_id for seat in left.people)
    seating.move_student(session_id=session.pk, student_id=alone or 0, table_id=stays.id)
    table = load_table(left.id)
    assert not table.people
    assert not next_round_due(table, {}, timezone.now() + timedelta(hours=1))
    # Nobody is told that it still plays, nor does the wall wait for it.
    steering.finish_after_round(session_id=session.pk, table_id=stays.id)
    shown = views(picture(session))
    assert "next-round" not in shown["cockpit"]["room"]
    assert 'data-stage="game"' in shown["projector"]["wall-stage"]
    steering.deal_next_round(session_id=session.pk)
    seating.move_student(session_id=session.pk, student_id=alone or 0, table_id=left.id)
    assert load_table(left.id).people
    assert load_table(left.id).round_number == 1


@db
def test_the_next_board_is_dealt_to_a_table_that_nobody_is_left_at() -> None:
    session, students = playing(2, seats=2, duplicate=True)
    finish_round(session)
    for student in students:
        joining.send_out(session_id=session.pk, student_id=student.pk, bar=True)
    (table,) = tables_of(session)
    assert not table.people
    assert "next-round" in views(picture(session))["cockpit"]["room"]
    steering.deal_next_round(session_id=session.pk)
    assert load_table(table.id).round_number == 2


@db
def test_the_next_game_at_the_same_tables() -> None:
    session, students = playing(5, seats=3, rounds=1)
    with pytest.raises(Refused, match="Some tables are still playing"):
        steering.next_game(session_id=session.pk)
    finish_round(session)
    before = people_at(session)
    steering.next_game(session_id=session.pk)
    assert picture(session).game == 2
    assert people_at(session) == before
    assert {table.status for table in tables_of(session)} == {"bidding"}
    assert {table.totals for table in tables_of(session)} == {(0, 0, 0)}
    assert all(seat_of(student, session.pk) for student in students)


@db
def test_the_next_game_seated_anew_leaves_nobody_out() -> None:
    session, students = playing(6, seats=2, rounds=1)
    finish_round(session)
    late = students_in(session, 1)  # comes when all is over
    steering.next_game(session_id=session.pk, reseat=True)
    seated = Counter(seated_in(session))
    assert seated == Counter(s.pk for s in [*students, *late])


@db
@pytest.mark.parametrize("duplicate", [False, True])
def test_without_anybody_there_is_no_next_game(clock: Clock, duplicate: bool) -> None:
    session, _ = playing(4, rounds=1, duplicate=duplicate)
    finish_round(session)
    clock.forward(120)
    for reseat in (False, True):
        with pytest.raises(Refused, match="Nobody is here"):
            steering.next_game(session_id=session.pk, reseat=reseat)
    assert {table.status for table in tables_of(session)} == {"game_over"}


@db
def test_a_closed_tables_students_join_the_next_game() -> None:
    session, students = playing(4, seats=2, rounds=1)
    one, other = picture(session).tables
    steering.close_table(session_id=session.pk, table_id=one)
    play(other, by=by_their_student(other))
    steering.next_game(session_id=session.pk)
    assert Counter(seated_in(session)) == Counter(s.pk for s in students)


@db
def test_a_student_gets_more_time_and_the_table_knows() -> None:
    session, students = playing(2, seats=2, clock=30.0)
    steering.set_time_factor(session_id=session.pk, student_id=students[0].pk, factor=2.0)
    factors = {s.student_id: s.time_factor for s in tables_of(session)[0].seats}
    assert factors == {students[0].pk: 2.0, students[1].pk: 1.0}
    with pytest.raises(Refused):
        steering.set_time_factor(session_id=session.pk, student_id=students[0].pk, factor=99)


# Closing and deleting.


@db
def test_closing_in_mid_trick_keeps_the_finished_rounds() -> None:
    session, _ = playing(4, seats=4, rounds=3)
    table_id = picture(session).tables[0]
    play(table_id, by=by_their_student(table_id))
    steering.deal_next_round(session_id=session.pk)
    state = in_mid_trick(table_id)
    closing.close_session(session_id=session.pk)
    now = load_table(table_id)
    assert now.status == "closed"
    assert now.points == state.points
    assert Result.objects.count() == 4
    closing.close_session(session_id=session.pk)  # harmless
    for action in (
        partial(steering.pause_room, session_id=session.pk, paused=True),
        partial(steering.start, session_id=session.pk),
        partial(sessions.set_flags, session_id=session.pk, locked=True),
        partial(steering.next_game, session_id=session.pk),
    ):
        with pytest.raises(Refused, match="closed"):
            action()
    with pytest.raises(Refused, match="closed"):
        joining.join(session=session, name="Late Lark")


@db
def test_a_game_that_is_over_stays_so_when_its_session_closes() -> None:
    session, _ = playing(2, seats=2, rounds=1)
    finish_round(session)
    closing.close_session(session_id=session.pk)
    assert tables_of(session)[0].status == "game_over"
    assert standings(tables_of(session), load_session(session.pk).played.points_by_student)


@db
def test_a_teacher_who_goes_leaves_nothing_that_nobody_else_teaches() -> None:
    """Also where something was stored beside it, so that it is done anew."""
    session, _ = playing(3)
    teacher = session.classroom.teachers.get()
    with pytest.raises(Refused, match="Close the session"):
        classrooms.delete_teacher(teacher=teacher)
    closing.close_session(session_id=session.pk)
    tries: list[int] = []

    def overtaken_once(**_more: object) -> None:
        tries.append(len(tries))
        if len(tries) == 1:
            raise IntegrityError

    post_delete.connect(overtaken_once, sender=User)
    try:
        classrooms.delete_teacher(teacher=teacher)
    finally:
        post_delete.disconnect(overtaken_once, sender=User)
    assert tries == [0, 1]
    for model in (User, Classroom, ClassSession, Student, Attendance, Table, Deal):
        assert not model._default_manager.exists()


# The picture.


@db
def test_the_picture_takes_as_many_queries_for_forty_as_for_four() -> None:
    counts = []
    for students in (4, 40):
        session, _ = playing(students)
        with CaptureQueriesContext(connection) as queries:
            load_session(session.pk)
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 9


@db
def test_outcomes_are_of_finished_rounds_of_whoever_played_them() -> None:
    session, _ = playing(3, seats=2, rounds=2)
    one, _other = picture(session).tables
    assert picture(session).played.outcomes == ()
    play(one, by=by_their_student(one))
    people = len(load_table(one).people)
    assert [outcome.table for outcome in picture(session).played.outcomes] == [one] * people
    steering.deal_next_round(session_id=session.pk)
    assert {outcome.round for outcome in picture(session).played.outcomes} == {1}


def test_the_minutes_grow_with_what_is_chosen() -> None:
    usual: dict[str, Any] = {"variant": "bid", "seats": 4, "rounds": 4, "seconds_per_move": 6.0}
    assert minutes_for(**usual) == 17  # 4 · (4 · 9 · 6 s + 45 s)
    assert minutes_for(**{**usual, "rounds": 8}) == 35
    assert minutes_for(**usual, tournament=True) == 21  # and 60 s more a board
    assert minutes_for(**{**usual, "variant": "win"}) < minutes_for(**usual)
    assert minutes_for(variant="win", seats=2, rounds=1, seconds_per_move=0.1) == 1


# At once.

racing = pytest.mark.django_db(transaction=True)


@racing
def test_two_teachers_press_opposite_buttons() -> None:
    session, _ = playing(6, seats=2)
    for _ in range(4):
        at_once(
            partial(steering.pause_room, session_id=session.pk, paused=True),
            partial(steering.pause_room, session_id=session.pk, paused=False),
        )
        state = picture(session)
        paused = {load_table(table_id).paused for table_id in state.tables}
        assert paused == {state.state == ClassSession.State.PAUSED}


@racing
def test_one_closes_while_the_other_starts() -> None:
    for _ in range(3):
        session = a_session(a_classroom(), seats=2)
        students_in(session, 2)

        def start(session: ClassSession = session) -> str:
            try:
                steering.start(session_id=session.pk)
            except Refused:
                return "refused"
            return "started"

        at_once(start, partial(closing.close_session, session_id=session.pk))
        assert picture(session).is_closed
        assert {table.status for table in tables_of(session)} <= {"closed"}


@racing
def test_twenty_latecomers_at_once_burn_no_seat() -> None:
    session, _ = playing(5, seats=4)
    names = [f"Late Lark {number}" for number in range(20)]
    at_once(*(partial(joining.join, session=session, name=name) for name in names))
    seated = Counter(seated_in(session))
    assert len(seated) == 25
    assert set(seated.values()) == {1}
    assert len(picture(session).tables) == 7  # 25 at tables of four


@racing
@pytest.mark.parametrize("how", ["sent out", "deleted", "table closed", "session closed"])
def test_whatever_ends_a_seat_while_its_student_moves_either_comes_first(how: str) -> None:
    for _ in range(3):
        session, _ = playing(2, seats=2)
        state = tables_of(session)[0]
        assert state.to_move is not None
        assert state.round
        seat = state.seats[state.to_move]
        assert seat.student_id

        def move_now(state: TableState = state, seat: SeatState = seat) -> str:
            assert state.round
            try:
                moves.make_move(
                    table_id=state.id,
                    seat=state.to_move,
                    turn=state.turn,
                    text=move_text(state.round.legal_moves()[0]),
                    student_id=seat.student_id,
                    viewer=Viewer(state.to_move, seat.serial),
                )
            except (NotFound, Rejected):
                return "out"
            return "moved"

        student = Student.objects.get(pk=seat.student_id)
        end = {
            "sent out": partial(joining.send_out, session_id=session.pk, student_id=student.pk),
            "deleted": partial(table_seats.remove_student, student=student),
            "table closed": partial(
                steering.close_table, session_id=session.pk, table_id=state.id
            ),
            "session closed": partial(closing.close_session, session_id=session.pk),
        }[how]
        answer, _none = at_once(move_now, end)
        now = load_table(state.id)
        assert len(now.moves) == (answer == "moved")
        if "closed" in how:
            assert now.status == "closed"
        else:
            assert now.seats[seat.number].is_bot
            assert play(state.id, by=by_their_student(state.id)).status == "round_over"
            assert results.rebuild_results(check_only=True)[1] == []
        assert Move.objects.filter(student=seat.student_id).count() == (
            answer == "moved" and how != "deleted"
        )


@racing
def test_forming_tables_twice_at_once_seats_each_once() -> None:
    session = a_session(seats=3)
    students_in(session, 7)
    at_once(*[partial(forming.form_tables, session_id=session.pk)] * 3)
    assert set(Counter(seated_in(session)).values()) == {1}
    assert len(picture(session).tables) == 3


@db
def test_news_reach_open_pages_and_are_never_taken_back(clock: Clock) -> None:
    session, _students = playing(2)
    table_id = picture(session).tables[0]
    wishes = SessionSettings.objects.get(class_session=session)
    before = picture(session)
    closing.tell_class(session_id=session.pk)
    assert load_table(table_id).news == picture(session).settings.news == 1
    assert picture(session).version > before.version
    steering.change_settings(session_id=session.pk, settings=wishes)  # read before
    assert load_table(table_id).news == 2
    closing.close_session(session_id=session.pk)
    closing.tell_class(session_id=session.pk)
    assert load_table(table_id).news == 3
    assert sessions.settings_like(session).news == 0


@pytest.mark.django_db
def test_a_session_that_was_read_is_let_go_without_a_collection() -> None:
    """It is read every few seconds: two rows that hold each other would stay until the garbage
    is looked for."""
    session, _students = playing(4)
    gc.disable()
    try:
        settings = weakref.ref(load_session(session.pk).settings)
        assert settings() is None
    finally:
        gc.enable()

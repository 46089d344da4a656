"""Which finished hands the studio counts: one's own, the class's, nothing that is hidden."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from django.test import Client

from games.models import Deal, Move, Result
from games.rules import parse_card
from games.tables import moves as table_moves
from games.tables.state import load_table
from games.tables.viewers import Browser
from lessons.models import LessonSettings
from lessons.studio.hands import NotShown, frequencies_for, sessions_open_to, usual_session
from lessons.studio.settings import By, Of, Settings, Show
from tests.games.classroom import (
    a_session,
    a_teacher,
    device_of,
    picture,
    playing,
    signed_in,
    sitting,
)
from tests.games.table import Until, a_browser, friends, play, solo
from tests.scenes import present
from tests.scenes.by_students import finish_round, play_by_students
from xactika_site.classrooms.models import Attendance, ClassSession, Student
from xactika_site.classrooms.selectors import NotFound

pytestmark = pytest.mark.django_db

MINE = Settings(of=Of.MINE)
CLASS = Settings(of=Of.CLASS)


def values(deals: list[list[list[str]]]) -> dict[int, int]:
    """Cards by value in these deals' hands."""
    cards = (parse_card(code) for hands in deals for hand in hands for code in hand)
    return dict(sorted(Counter(card.value for card in cards).items()))


def found(settings: Settings, browser: Browser) -> dict[int, int]:
    counts = frequencies_for(settings, browser).counts
    return {number: n for number, n in counts.items() if n}


def a_class(how_many: int = 6, **settings: Any) -> tuple[ClassSession, list[Student]]:
    return playing(how_many, **{"seats": 3, "rounds": 2, **settings})


def has_tricks(number: int) -> Until:
    """So many tricks of the round have been played."""
    return lambda state: state.round is not None and len(state.round.tricks) == number


def go_on(table_id: str) -> None:
    """The next round is dealt."""
    state = load_table(table_id)
    for seat in state.people:
        table_moves.say_ready(table_id=table_id, seat=seat.number, turn=state.turn)
    assert load_table(table_id).round_number == state.round_number + 1


def at(student: Student, session: ClassSession) -> Browser:
    return sitting(student, session.pk)


# One's own hands


def test_a_guest_counts_own_finished_hands_only() -> None:
    _client, guest = a_browser()
    browser = Browser(guest=guest)
    assert found(MINE, browser) == {}
    table_id = solo(guest, seats=3, rounds=2)

    def by(seat: int) -> dict[str, Any]:
        return {"guest_id": guest.pk} if seat == 0 else {"mover": Move.Mover.BOT}

    play(table_id, until=has_tricks(7), by=by)
    assert found(MINE, browser) == {}  # it is still played
    play(table_id, by=by)
    hand = Deal.objects.get(table=table_id).hands[0]
    assert found(MINE, browser) == values([[hand]])
    taken = Result.objects.get(deal__table=table_id, seat=0).taken
    assert found(Settings(of=Of.MINE, show=Show.TAKEN), browser) == {taken: 1}
    assert found(MINE, Browser()) == {}
    _other, stranger = a_browser()
    assert found(MINE, Browser(guest=stranger)) == {}


def test_a_round_that_somebody_else_helped_with_is_not_counted() -> None:
    _client, guest = a_browser()
    table_id = friends(opener=guest, seats=2, people=2, rounds=1)
    moves = iter(range(100))

    def by(seat: int) -> dict[str, Any]:
        helped = seat == 0 and next(moves) == 3
        return {"mover": Move.Mover.BOT} if helped else {"guest_id": guest.pk}

    play(table_id, by=by)
    assert Result.objects.get(deal__table=table_id, seat=0).by_person is False
    browser = Browser(guest=guest)
    own = Deal.objects.get(table=table_id).hands[1]
    assert found(MINE, browser) == values([[own]])


# A class's


def test_the_class_counts_every_finished_hand_and_no_running_one() -> None:
    session, students = a_class()
    browser = at(students[0], session)
    with_nothing = frequencies_for(CLASS, browser)
    assert (with_nothing.total, with_nothing.rounds) == (0, 0)
    first, second = picture(session).tables
    play_by_students(first)
    with pytest.raises(NotShown, match="five students"):
        frequencies_for(CLASS, browser)  # three have finished
    play_by_students(second)
    deals = list(Deal.objects.values_list("hands", flat=True))
    assert found(CLASS, browser) == values(deals)
    assert frequencies_for(CLASS, browser).rounds == 2
    go_on(first)
    play(first, until=has_tricks(5))
    assert found(CLASS, browser) == values(deals)
    play_by_students(first)
    assert frequencies_for(CLASS, browser).rounds == 3


def test_a_board_counts_once_and_not_before_all_have_played_it() -> None:
    session, students = a_class(6, duplicate=True)
    first, second = picture(session).tables
    play_by_students(first, rng=Random(1))
    browser, teacher = at(students[0], session), Browser(teacher=a_teacher())
    for who in (browser, teacher):
        assert found(CLASS, who) == {}
    own = Settings(of=Of.MINE)
    for student in students:
        assert found(own, at(student, session)) == {}
    play_by_students(second, rng=Random(2))
    (hands,) = {repr(deal.hands): deal.hands for deal in Deal.objects.all()}.values()
    assert found(CLASS, browser) == values([hands])
    assert frequencies_for(CLASS, teacher).rounds == 1
    taken = Counter(Result.objects.values_list("taken", flat=True))
    assert found(Settings(of=Of.CLASS, show=Show.TAKEN), teacher) == dict(sorted(taken.items()))


def test_play_is_shown_to_students_where_the_teacher_opens_it() -> None:
    session, students = a_class()
    finish_round(session)
    browser = at(students[0], session)
    taken = Settings(of=Of.CLASS, show=Show.TAKEN)
    with pytest.raises(NotShown, match="hasn’t opened"):
        frequencies_for(taken, browser)
    assert frequencies_for(taken, Browser(teacher=a_teacher())).total == 6
    LessonSettings.objects.create(class_session=session, charts_for_students=True)
    assert frequencies_for(taken, browser).total == 6
    errors = found(Settings(of=Of.CLASS, show=Show.ERROR), browser)
    by_hand = Counter(
        (bid or 0) - taken for bid, taken in Result.objects.values_list("bid", "taken")
    )
    assert errors == dict(sorted(by_hand.items()))


def test_bots_play_is_left_out_their_hands_are_not() -> None:
    session, _students = a_class(5)  # the sixth seat is a bot's
    finish_round(session)
    teacher = Browser(teacher=a_teacher())
    people = Result.objects.filter(by_person=True).count()
    assert frequencies_for(Settings(of=Of.CLASS, show=Show.TAKEN), teacher).total == people
    assert frequencies_for(Settings(of=Of.CLASS, show=Show.MEAN), teacher).total == 6


def test_a_graph_of_the_class_begins_with_the_latest_session_that_has_rounds() -> None:
    teacher = Browser(teacher=a_teacher())
    assert usual_session(teacher) is None
    session, _students = a_class()
    assert usual_session(teacher) == session.pk  # better than none
    finish_round(session)
    few, _two = a_class(2)
    finish_round(few)
    empty = a_session()
    assert [pk for pk, _name in sessions_open_to(teacher)] == [empty.pk, few.pk, session.pk]
    assert usual_session(teacher) == session.pk
    assert frequencies_for(Settings(of=Of.CLASS, show=Show.TAKEN), teacher).total == 6
    page = signed_in(a_teacher()).get("/graphs/?of=class&show=taken").text
    assert f'<option value="{session.pk}" selected>' in page


def test_what_is_split_counts_each_round_once() -> None:
    session, students = a_class(9)
    finish_round(session)
    teacher = Browser(teacher=a_teacher())
    results = list(Result.objects.select_related("deal"))

    def pairs(show: Show, by: By) -> dict[tuple[int, int], int]:
        return dict(frequencies_for(Settings(of=Of.CLASS, show=show, by=by), teacher).pairs)

    by_bid = Counter((each.taken, each.bid) for each in results)
    assert pairs(Show.TAKEN, By.BID) == by_bid
    by_student = Counter((each.taken, each.student_id) for each in results)
    assert pairs(Show.TAKEN, By.STUDENT) == by_student
    # Three seats, of nine students at three tables: nobody's play is told by its seat.
    seats = frequencies_for(Settings(of=Of.CLASS, show=Show.TAKEN, by=By.SEAT), teacher)
    assert (seats.pairs, bool(seats.left_out)) == ({}, True)
    # What a hand holds was dealt, not done.
    dealt = frequencies_for(Settings(of=Of.CLASS, show=Show.VOID, by=By.SEAT), teacher)
    assert sum(dealt.pairs.values()) == 9
    assert list(dealt.names.values()) == ["Seat 1", "Seat 2", "dealer"]
    names = frequencies_for(
        Settings(of=Of.CLASS, show=Show.TAKEN, by=By.STUDENT), teacher
    ).names
    assert [names[student.pk] for student in students] == [f"Student {n}" for n in range(1, 10)]


def test_a_seat_is_told_once_five_students_have_played_there() -> None:
    session, _students = a_class(15, seats=3)
    finish_round(session)
    settings = Settings(of=Of.CLASS, show=Show.TAKEN, by=By.SEAT)
    frequencies = frequencies_for(settings, Browser(teacher=a_teacher()))
    assert frequencies.left_out == ""
    for deal in Deal.objects.all():
        assert deal.results.count() == 3
    by_place = Counter(
        (each.taken, (each.seat - each.deal.dealer) % 3 or 99)
        for each in Result.objects.select_related("deal")
    )
    assert dict(frequencies.pairs) == by_place


def test_sessions_beside_each_other_are_for_teachers_and_of_five() -> None:
    session, students = a_class()
    finish_round(session)
    few, _two = a_class(2)
    finish_round(few)
    settings = Settings(of=Of.CLASS, show=Show.TAKEN, by=By.SESSION)
    frequencies = frequencies_for(settings, Browser(teacher=a_teacher()))
    assert {key for _n, key in frequencies.pairs} == {session.pk}
    LessonSettings.objects.create(class_session=session, charts_for_students=True)
    assert {key for _n, key in frequencies_for(settings, at(students[0], session)).pairs} == {
        session.pk
    }


def test_who_did_what_is_no_matter_for_classmates() -> None:
    session, students = a_class()
    finish_round(session)
    LessonSettings.objects.create(class_session=session, charts_for_students=True)
    browser = at(students[0], session)
    for show in (Show.TAKEN, Show.MEAN, Show.VOID, Show.VALUE):
        with pytest.raises(NotShown, match="Only your teacher"):
            frequencies_for(Settings(of=Of.CLASS, show=show, by=By.STUDENT), browser)
    page = device_of(students[0], session).get("/graphs/?of=class&show=taken").text
    assert '<option value="student">' not in page
    assert '<option value="bid">' in page


def test_a_split_by_play_is_shown_where_the_teacher_opens_it() -> None:
    session, students = a_class()
    finish_round(session)
    browser = at(students[0], session)
    settings = Settings(of=Of.CLASS, show=Show.MEAN, by=By.TAKEN)
    with pytest.raises(NotShown, match="hasn’t opened"):
        frequencies_for(settings, browser)
    LessonSettings.objects.create(class_session=session, charts_for_students=True)
    assert sum(frequencies_for(settings, browser).pairs.values()) == 6


def test_nobody_counts_another_class() -> None:
    session, students = a_class()
    finish_round(session)
    named = Settings(of=Of.CLASS, session=session.pk)
    assert frequencies_for(named, at(students[0], session)).total == 48
    other, theirs = students[0], 10**6
    for browser in (Browser(), Browser(teacher=a_teacher("another")), sitting(other, theirs)):
        assert sessions_open_to(browser) == []
        with pytest.raises((NotFound, NotShown)):
            frequencies_for(named, browser)
    Attendance.objects.filter(student=students[1]).update(state=Attendance.State.REMOVED)
    assert sessions_open_to(at(students[1], session)) == []


def test_pages_of_another_class_are_not_found() -> None:
    session, students = a_class()
    finish_round(session)
    path = f"/graphs/?of=class&show=mean&session={session.pk}"
    numbers = path.replace("/?", "/numbers.csv?")
    for client, status in (
        (device_of(students[0], session), 200),
        (signed_in(a_teacher()), 200),
        (signed_in(a_teacher("another")), 404),
    ):
        assert client.get(path).status_code == status
        assert client.get(numbers).status_code == status
    page = device_of(students[0], session).get(path).text
    assert "Finished rounds: 2." in page
    assert not any(student.name in page for student in students)
    # Whoever is nobody gets a line, and no numbers.
    assert Client().get(path).status_code == 404
    nobody = Client().get("/graphs/?of=class&show=mean").text
    assert "Join your class first" in nobody
    assert Client().get(numbers).status_code == 404


def test_what_is_hidden_changes_nothing() -> None:
    """Another running deal, another page: not a byte."""
    session, students = a_class()
    finish_round(session)
    go_on(picture(session).tables[0])
    running = present(Deal.objects.filter(results=None).first())
    browser = at(students[0], session)
    before = [
        frequencies_for(Settings(of=of, show=Show.MEAN), browser) for of in (Of.MINE, Of.CLASS)
    ]
    running.hands = running.hands[::-1]
    running.save()
    after = [
        frequencies_for(Settings(of=of, show=Show.MEAN), browser) for of in (Of.MINE, Of.CLASS)
    ]
    assert before == after

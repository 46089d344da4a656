"""Questions and forecasts beside the table: about exactly the own hand, at the right moments,
and never a byte of what is hidden."""

from __future__ import annotations

import json
import re
from itertools import count
from random import Random
from typing import Any

import pytest
from django.test import Client

from games.models import Deal, Result, SessionSettings, Table
from games.rules import Round, observe
from games.tables.state import TableState, load_table, remember_committed
from games.tables.viewers import Browser
from lessons.exercises import EXERCISES, rebuild
from lessons.exercises.contexts import Context, OwnHand
from lessons.models import Forecast, Question
from lessons.questions import asking, forecasts
from lessons.questions.at_table import BID, DEAL, END, SLOUGH, OwnSeat, own_seat
from lessons.questions.forecasts import whole_percents
from lessons.questions.learners import Learner
from tests.games.classroom import device_of, picture, playing, signed_in, sitting
from tests.games.table import (
    a_browser,
    deal,
    finish,
    friends,
    make,
    play,
    solo,
    with_other_hidden_cards,
)
from tests.scenes import SOAK, present
from tests.scenes.questions import right_texts, send
from xactika_site.classrooms.models import ClassSession, Student
from xactika_site.classrooms.selectors import NotFound
from xactika_site.classrooms.services import Refused

pytestmark = pytest.mark.django_db


WEIGHTS = [0, 1, 2, 1, 0, 0, 0, 0, 0]
FORM = {f"w{n}": str(weight) for n, weight in enumerate(WEIGHTS)}


def solo_seat(**options: Any) -> tuple[Client, OwnSeat]:
    """A guest alone at a table with bots (who play only when a test lets them)."""
    client, guest = a_browser()
    table_id = solo(guest, **{"seats": 4, "variant": "bid", **options})
    return client, own_seat(table_id, Browser(guest=guest))


def again(own: OwnSeat) -> OwnSeat:
    """The same seat as it is now."""
    browser = Browser(guest=own.learner.guest)
    if own.learner.student and own.state.class_session_id:
        browser = sitting(own.learner.student, own.state.class_session_id)
    return own_seat(own.state.id, browser)


def in_class(**settings: Any) -> tuple[ClassSession, list[Student], OwnSeat, Client]:
    """Two students at one table of a class; the first one's seat and browser."""
    session, students = playing(2, **{"seats": 2, **settings})
    own = own_seat(picture(session).tables[0], sitting(students[0], session.pk))
    return session, students, own, device_of(students[0], session)


def round_of(state: TableState) -> Round:
    """The round that has been dealt."""
    assert state.round is not None
    return state.round


def bids_done(state: TableState) -> bool:
    return state.round is not None and not state.round.is_bidding


def one_move(own: OwnSeat, rng: Random) -> None:
    """A random legal move of whoever is to move."""
    made = len(own.state.moves)
    play(own.state.id, lambda state: len(state.moves) > made, rng=rng)


def test_who_may_watch_others_holds_the_own_seat_alone() -> None:
    session, students = playing(2, watching=True, seats=2, questions="during")
    state = load_table(picture(session).tables[0])
    seats = {seat.student_id: seat.number for seat in state.seats}
    for student in students:
        assert own_seat(state.id, sitting(student, session.pk)).seat == seats[student.pk]


class TestMoments:
    def test_through_a_round_of_bid(self) -> None:
        _client, own = solo_seat()
        moments = [own.moment]
        rng = Random(3)
        while not round_of(own.state).is_over:
            one_move(own, rng)
            own = again(own)
            if own.moment != moments[-1]:
                moments.append(own.moment)
        assert moments[:3] == [BID, DEAL, ""] or moments[:2] == [BID, DEAL]
        assert SLOUGH in moments
        assert moments[-1] == END

    def test_without_bids_there_is_one_before_the_first_card(self) -> None:
        _client, own = solo_seat(variant="win")
        assert own.moment == DEAL
        assert not own.may_forecast
        make(own.state.id, own.state.legal[0])
        assert again(own).moment in ("", SLOUGH)

    @pytest.mark.parametrize(
        ("questions", "begin", "end"),
        [("off", "", ""), ("between", "", END), ("during", BID, END)],
    )
    def test_as_the_teacher_wishes(self, questions: str, begin: str, end: str) -> None:
        _session, _students, own, client = in_class(questions=questions)
        assert own.moment == begin
        assert own.offers() is bool(begin)
        assert own.may_forecast is (questions == "during")
        play(own.state.id)
        assert again(own).moment == end
        text = client.get(f"/lessons/tables/{own.state.id}/").text
        assert ("Ask me" in text) is bool(end)

    def test_leads_are_asked_of_whoever_leads(self) -> None:
        _client, own = solo_seat(variant="win")
        state = own.state
        for seat in range(4):
            keys = OwnSeat(state, seat, own.learner, "during").exercises()
            assert ("safe-lead" in keys) is (seat == state.to_move)

    def test_a_closed_table_asks_nothing(self) -> None:
        _client, own = solo_seat()
        Table.objects.filter(pk=own.state.id).update(closed=True, version=9)
        assert again(own).moment == ""


class TestTheQuestion:
    def test_is_about_exactly_this_hand(self) -> None:
        client, own = solo_seat()
        assert client.post(f"/lessons/tables/{own.state.id}/ask/").status_code == 302
        stored = Question.objects.get()
        assert (stored.deal_id, stored.moment) == (own.state.deal_id, BID)
        question = rebuild(stored.to_json())
        assert stored.parameters.get("invented") in (None, False)
        assert sorted(stored.parameters["dealt"]) == sorted(own.state.dealt[own.seat])
        assert question.cards[0].codes
        page = client.get(f"/lessons/tables/{own.state.id}/").text
        assert f"question-{stored.pk}" in page
        assert "Ask me" not in page
        answer = send(client, stored, right_texts(stored)).text
        assert "Right!" in answer
        assert "Another one" not in answer

    def test_asked_twice_it_is_the_same(self) -> None:
        _client, own = solo_seat()
        first = asking.ask_at_table(own=own, rng=Random(1))
        assert asking.ask_at_table(own=own, rng=Random(2)) == first
        assert Question.objects.count() == 1

    def test_one_a_moment(self) -> None:
        _client, own = solo_seat(seats=2)
        asked = [asking.ask_at_table(own=own)]
        play(own.state.id, bids_done)
        asked.append(asking.ask_at_table(own=again(own)))
        play(own.state.id)
        asked.append(asking.ask_at_table(own=again(own)))
        assert [q.moment for q in asked if q] == [BID, DEAL, END]

    def test_of_an_unfinished_board_nothing_is_asked(self) -> None:
        session, students = playing(4, seats=2, duplicate=True, questions="during")
        first, second = picture(session).tables
        owns = {}
        for student in students:
            browser = sitting(student, session.pk)
            for table_id in (first, second):
                try:
                    owns[table_id] = own_seat(table_id, browser)
                except NotFound:
                    continue
        assert not owns[first].moment
        assert not owns[first].may_forecast
        assert not owns[first].offers()
        with pytest.raises(Refused):
            forecasts.make_forecast(own=owns[first], weights=WEIGHTS)
        play(first)
        waiting = again(owns[first])
        assert waiting.moment == ""  # the other table still plays this board
        assert asking.ask_at_table(own=waiting) is None
        play(second)
        assert again(owns[first]).moment == END
        assert asking.ask_at_table(own=again(owns[first])) is not None

    def test_a_table_that_is_gone(self) -> None:
        client, own = solo_seat()
        stored = present(asking.ask_at_table(own=own))
        Table.objects.all().delete()
        assert send(client, stored, {"chance": "1/3"}).status_code == 404
        assert client.get(f"/lessons/tables/{own.state.id}/").status_code == 404
        assert not Question.objects.exists()


def pages_of(client: Client, own: OwnSeat) -> str:
    """Everything that a seat is sent of questions at this moment, and the question itself."""
    shown = client.get(f"/lessons/tables/{own.state.id}/").text
    with_question = asking.ask_at_table(own=own, rng=Random(7))
    asked = "" if with_question is None else str(rebuild(with_question.to_json()))
    Question.objects.all().delete()
    return re.sub(r'value="[0-9A-Za-z]{64}"|[0-9A-Za-z]{64}', "", shown) + asked


def sees_the_same(client: Client, own: OwnSeat, rng: Random) -> bool:
    """Whether there is a question; if others had other cards, all would be the same bytes."""
    before = pages_of(client, own)
    twin = with_other_hidden_cards(own.state, own.seat, rng)
    assert observe(round_of(twin), own.seat) == observe(round_of(own.state), own.seat)
    remember_committed(twin)
    try:
        assert load_table(own.state.id).round == twin.round
        assert pages_of(client, again(own)) == before
    finally:
        remember_committed(own.state)
    return "Instance(" in before


@pytest.mark.parametrize(("seats", "variant"), [(2, "bid"), (4, "bid"), (10, "win")])
def test_what_is_hidden_changes_no_byte(seats: int, variant: str) -> None:
    """At every move; of ten seats' moves at every third and at each of one's own."""
    client, own = solo_seat(seats=seats, variant=variant)
    rng = Random(f"{seats} {variant}")
    asked = 0
    for number in count():
        state = own.state
        if state.round is None or state.round.is_over:
            break
        if SOAK or seats < 10 or number % 3 == 0 or state.to_move == own.seat:
            asked += sees_the_same(client, own, rng)
        one_move(own, rng)
        own = again(own)
    assert asked


class TestForecasts:
    def test_is_kept_as_whole_percents_and_locked(self) -> None:
        client, own = solo_seat()
        path = f"/lessons/tables/{own.state.id}/forecast/"
        assert client.post(path, FORM).status_code == 302
        made = Forecast.objects.get()
        assert made.percents == [0, 25, 50, 25, 0, 0, 0, 0, 0]
        assert (made.seat, made.guest) == (own.seat, own.learner.guest)
        client.post(path, {"w8": "1"})
        made.refresh_from_db()
        assert made.percents[8] == 0
        assert "Your forecast" in client.get(f"/lessons/tables/{own.state.id}/").text

    def test_the_question_comes_first_and_the_forecast_may_be_skipped(self) -> None:
        client, own = solo_seat()
        path = f"/lessons/tables/{own.state.id}/"
        offered = client.get(path).text
        assert offered.index("Ask me") < offered.index("How sure are you?")
        assert "Slide each bar" in offered
        assert "You may skip it." in offered
        client.post(f"{path}ask/")
        asked = client.get(path).text
        assert asked.index("question-prompt") < asked.index("How sure are you?")
        client.post(f"{path}forecast/", FORM)
        made = client.get(path).text
        assert made.index("question-prompt") < made.index("Your forecast")

    def test_after_the_bid_it_is_too_late(self) -> None:
        client, own = solo_seat(seats=2)
        play(own.state.id, bids_done)
        answer = client.post(f"/lessons/tables/{own.state.id}/forecast/", FORM)
        assert "before you bid" in answer.text
        assert not Forecast.objects.exists()

    @pytest.mark.parametrize(
        "form",
        [{}, {"w0": ""}, {"w0": "-1"}, {"w1": "٣"}, {"w0": "9" * 10_000}, {"w0": "1e3"},
         {"w0": "<script>"}, {"w0": "1", "w1": "=1+1"}],
    )  # fmt: skip
    def test_what_is_no_forecast_is_told_plainly(self, form: dict[str, str]) -> None:
        client, own = solo_seat()
        answer = client.post(f"/lessons/tables/{own.state.id}/forecast/", form)
        assert answer.status_code == 200
        assert "Slide one bar at least." in answer.text
        assert not Forecast.objects.exists()

    @pytest.mark.parametrize("seed", range(30))
    def test_percents_add_up(self, seed: int) -> None:
        rng = Random(seed)
        weights = [rng.randrange(11) for _ in range(9)]
        weights[rng.randrange(9)] += 1
        percents = whole_percents(weights)
        assert sum(percents) == 100
        for weight, percent in zip(weights, percents, strict=True):
            assert abs(percent - 100 * weight / sum(weights)) < 1
            assert (percent > 0) <= (weight > 0)

    def test_what_came_of_it_is_told_after_the_round(self) -> None:
        client, own = solo_seat(seats=2)
        client.post(f"/lessons/tables/{own.state.id}/forecast/", FORM)
        play(own.state.id)
        taken = Result.objects.get(deal=own.state.deal_id, seat=own.seat).taken
        percent = Forecast.objects.get().percents[taken]
        text = client.get(f"/lessons/tables/{own.state.id}/").text
        assert f"You gave that {percent}%." in text

    def test_the_best_bid_is_asked_from_the_own_forecast(self) -> None:
        _client, own = solo_seat()
        fair = [0, 5, 30, 25, 5, 5, 5, 20, 5]
        for seed in range(400):  # a forecast with one best bid that stands apart
            rng = Random(seed)
            fair = whole_percents([rng.randrange(11) + (n == 2) for n in range(9)])
            hand = OwnHand.by(observe(round_of(own.state), own.seat), forecast=tuple(fair))
            if EXERCISES["best-bid"].suits(Context(hand=hand)):
                break
        forecasts.make_forecast(own=own, weights=fair)
        keys = set()
        for seed in range(12):
            stored = present(asking.ask_at_table(own=own, rng=Random(seed)))
            keys.add(stored.exercise)
            if stored.exercise == "best-bid":
                assert stored.parameters == {"forecast": fair, "own": True}
            stored.delete()
        assert "best-bid" in keys


def test_a_friends_forecast_is_their_own() -> None:
    _opener_client, opener = a_browser()
    table_id = friends(people=2, seats=2, opener=opener)
    own = own_seat(table_id, Browser(guest=opener))
    forecasts.make_forecast(own=own, weights=WEIGHTS)
    assert own.forecast() is not None
    other = OwnSeat(own.state, 1, Learner(guest=a_browser()[1]), "during")
    assert other.forecast() is None


def test_a_whole_game_leaves_nothing_of_a_deleted_student() -> None:
    session, students, own, _client = in_class(questions="during")
    forecasts.make_forecast(own=own, weights=WEIGHTS)
    asking.ask_at_table(own=own)
    finish(own.state.id)
    students[0].delete()
    assert not Forecast.objects.exists()
    assert not Question.objects.exists()
    assert Deal.objects.exists()
    assert SessionSettings.objects.filter(class_session=session).exists()


def test_a_prepared_hand_is_asked_about_as_dealt() -> None:
    client, guest = a_browser()
    deals = [deal("3333 3332 3323 3233 2333 3322 3232 2332", "1111", dealer=1)]
    table_id = friends(people=2, seats=2, opener=guest, rounds=1, deals=deals)
    client.post(f"/lessons/tables/{table_id}/ask/")
    assert sorted(Question.objects.get().parameters["dealt"]) == sorted(deals[0]["hands"][0])


def test_a_students_answers_are_taken_out_but_of_no_running_hand() -> None:
    session, students, own, client = in_class(questions="during")
    path = f"/teach/students/{students[0].pk}/answers.jsonl"
    teacher = signed_in(session.classroom.teachers.get())

    def lines() -> list[dict[str, Any]]:
        answer = teacher.get(path)
        assert answer.status_code == 200
        return [json.loads(line) for line in answer.text.splitlines()]

    forecasts.make_forecast(own=own, weights=WEIGHTS)
    stored = present(asking.ask_at_table(own=own))
    send(client, stored, right_texts(stored))
    assert lines() == []
    play(own.state.id)
    question, forecast = lines()
    assert (question["kind"], question["exercise"]) == ("question", stored.exercise)
    assert [given["right"] for given in question["answers"]] == [True]
    assert (forecast["kind"], forecast["percents"][2]) == ("forecast", 50)

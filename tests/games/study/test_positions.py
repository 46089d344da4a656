"""Finished rounds as positions: what is seen of them, by whom, and playing on from them."""

from __future__ import annotations

import json
import os
from datetime import timedelta
from itertools import product
from random import Random
from typing import Any

import pytest
from django.test import Client, TestCase
from django.utils import timezone

from games.classes import closing, steering
from games.keeping.export import finished_deals, lines
from games.keeping.retention import purge_expired
from games.models import Deal, Guest, Move, Position, Result, Seat, Table
from games.rules import Observation, observe
from games.study.replay.lines import Line
from games.study.replay.positions import Sight, play_on, position_at, sight_of
from games.study.replay.scenes import scene
from games.tables import moves, opening, seats
from games.tables import steering as steering_of_tables
from games.tables.fragments import still_fragments, table_fragments
from games.tables.observation import public_observation, seat_observation, seat_view, table_view
from games.tables.state import TableState, load_table
from games.tables.timing import last_seen
from games.tables.viewers import Browser, Viewer
from lessons.results.dataset import dataset_of_session, dataset_of_student
from tests.games.classroom import (
    a_teacher,
    device_of,
    picture,
    playing,
    signed_in,
)
from tests.games.conftest import Bells
from tests.games.table import a_browser, a_guest, friends, make, play, solo
from tests.scenes.by_students import play_by_students
from tests.scenes.pictures import codes_in
from tests.scenes.replays import played_alone, replay_of
from xactika_site.classrooms.selectors import NotFound

pytestmark = pytest.mark.django_db

ROUNDS = 300 if os.environ.get("XACTIKA_SOAK") == "1" else 9
VARIANTS = ("bid", "win", "lose")


def sight(table_id: str, guest: Guest, number: int = 1) -> Sight:
    """A finished round as this guest may see it."""
    return sight_of(Browser(guest=guest), table_id, number)


def a_round(**options: Any) -> tuple[Guest, str]:
    """A table of friends that has played one round, and its opener."""
    guest = a_guest()
    table_id = friends(opener=guest, **{"seats": 3, "people": 3, "rounds": 2, **options})
    play(table_id)
    return guest, table_id


# What is seen.

Recorded = dict[int | None, tuple[Observation, dict[str, Any], dict[str, str]]]


def record(state: TableState) -> Recorded:
    """What everybody at the table was sent just now: the rules' view, JSON and HTML."""
    assert state.round is not None
    view = table_view(state, last_seen([state.id])[state.id], timezone.now())
    public = public_observation(view)
    pictures_for = table_fragments(view)
    found: Recorded = {}
    for seat in (None, *range(len(state.seats))):
        own = seat_view(state, seat)
        common, mine = pictures_for(Viewer(seat, 0), own)
        sent = public if seat is None else seat_observation(public, view, seat, own)
        html = {name: common.whole(name) for name in common.fragments}
        html["hand"] = mine.whole("hand")
        found[seat] = observe(state.round, seat), json.loads(json.dumps(sent)), html
    return found


def without_the_moment(sent: dict[str, Any]) -> dict[str, Any]:
    """What is of the rules: not who was there, nor when a clock would have played."""
    players = [{"name": p["name"], "kind": p["kind"]} for p in sent["players"]]
    rest = {key: value for key, value in sent.items() if key not in {"paused", "deadline"}}
    return {**rest, "players": players}


@pytest.mark.parametrize("number", range(ROUNDS))
def test_every_seat_sees_at_every_move_what_it_saw_then(number: int) -> None:
    """Recorded live, move by move; rebuilt from the finished table alone."""
    count, variant = 2 + number % 9, VARIANTS[(number + number // 9) % 3]
    guest = a_guest()
    table_id = friends(opener=guest, seats=count, people=count, variant=variant, rounds=2)
    live: list[Recorded] = []

    def note(state: TableState) -> bool:
        live.append(record(state))
        return state.is_over

    play(table_id, note, rng=Random(number))
    for seat in range(count):
        if load_table(table_id).round_number == 1:
            moves.say_ready(table_id=table_id, seat=seat, turn=load_table(table_id).turn)
    assert load_table(table_id).round_number == 2  # the hands of another deal are held
    found = sight(table_id, guest)
    assert found.line.last == len(live) - 1
    for moment, recorded in enumerate(live):
        state = scene(found.state, found.deal, found.line, moment)
        view = table_view(state, {}, timezone.now())
        public = public_observation(view)
        for viewer, (observed, sent, html) in recorded.items():
            own = found.line.observation(moment, viewer)
            assert own == observed
            again = public if viewer is None else seat_observation(public, view, viewer, own)
            again = json.loads(json.dumps(again))
            assert without_the_moment(again) == without_the_moment(sent)
            drawn = still_fragments(view, own)
            if viewer is not None:
                assert codes_in(drawn.pop("hand")) == codes_in(html["hand"])
            for name, fragment in drawn.items():
                if name not in {"hand", "turn", "scores"}:
                    assert fragment == html[name], name


def test_a_line_ends_where_the_rules_end_it() -> None:
    guest, table_id = a_round()
    whole = sight(table_id, guest).line
    assert whole.is_whole
    assert whole.rounds[-1].is_over
    texts = list(whole.moves)
    texts[7] = (texts[7][0], "9")  # what no version of the rules knows
    broken = Line(whole.start, tuple(texts))
    assert not broken.is_whole
    assert broken.last == 7
    assert broken.rounds == whole.rounds[:8]
    for moment in (-1, broken.last + 1):
        with pytest.raises(IndexError):
            broken.observation(moment, 0)


def test_an_older_version_of_the_rules_is_said_and_shown_so_far() -> None:
    browser, _guest, table_id = played_alone(rounds=2)
    address = replay_of(browser, table_id)
    assert "older rules" not in browser.get(address).text
    Move.objects.filter(deal__table=table_id, number=20).update(text="2222:3-star")
    assert "older rules" in browser.get(f"{address}?at=20").text
    assert browser.get(f"{address}?at=21").status_code == 404


# Who may.

ADDRESSES = (
    "/tables/{table}/replay/1/",
    "/positions/{position}/",
    "/positions/{position}/chances/",
    "/positions/{position}/paths/",
    "/positions/{position}/again/?instead={other}",
    "/positions/{position}/play/",
)
FORM = {"at": "5", "seat": "0"}
OTHER = "0.7"
"""Another bid than the first one that is made in these rounds."""


def a_position(table_id: str) -> str:
    deal = Deal.objects.get(table=table_id, round=1)
    return Position.objects.create(deal=deal, moves=4, seat=1).pk


def test_a_running_round_is_no_position() -> None:
    browser, guest = a_browser()
    table_id = solo(guest, seats=3, rounds=2)
    position = a_position(table_id)
    addresses = [
        address.format(table=table_id, position=position, other=OTHER) for address in ADDRESSES
    ]
    while load_table(table_id).to_move is not None:
        for address in addresses:
            assert browser.get(address).status_code in {404, 405}
            assert browser.post(address, FORM).status_code in {404, 405}
        assert Table.objects.count() == 1
        make(table_id, load_table(table_id).legal[0])
    assert browser.get(addresses[1]).status_code == 200


def test_a_board_is_no_position_before_all_tables_have_played_it() -> None:
    session, students = playing(4, seats=2, duplicate=True, rounds=2)
    first, second = picture(session).tables
    of = {s.student_id: (t, s.number) for t in (first, second) for s in load_table(t).seats}
    student = next(s for s in students if of[s.pk][0] == first)
    everybody = [device_of(student, session), signed_in(a_teacher())]
    play(first, by=lambda seat: {"student_id": student.pk} if seat == of[student.pk][1] else {})
    position = a_position(first)
    addresses = [
        address.format(table=first, position=position, other=OTHER) for address in ADDRESSES
    ]
    for _ in range(3):
        for browser, address in product(everybody, addresses):
            assert browser.get(address).status_code in {404, 405}
            assert browser.post(address, FORM).status_code in {404, 405}
        assert "/replay/" not in everybody[0].get("/mine/").text
        panel = f"/teach/sessions/{session.pk}/tables/{first}/"
        assert "/replay/" not in everybody[1].get(panel).text
        make(second, load_table(second).legal[0])
    play(second)
    for browser in everybody:
        assert browser.get(addresses[1]).status_code == 200
    assert f"/tables/{first}/replay/1/" in everybody[0].get("/mine/").text
    assert f"/tables/{first}/replay/1/" in everybody[1].get(panel).text
    steering.deal_next_round(session_id=session.pk)
    assert load_table(first).round_number == 2
    for browser in everybody:
        assert browser.get(addresses[1]).status_code == 200
        assert browser.get(f"/tables/{first}/replay/2/").status_code == 404


def test_a_student_sees_their_round_again_after_the_session() -> None:
    session, students = playing(3, seats=3, rounds=1)
    (table_id,) = picture(session).tables
    play_by_students(table_id)
    browser = device_of(students[0], session)
    steering.next_game(session_id=session.pk, reseat=False)
    address = replay_of(browser, table_id)
    (seat,) = {s.number for s in load_table(table_id).seats if s.student_id == students[0].pk}
    assert Position.objects.get().seat == seat
    closing.close_session(session_id=session.pk)
    assert browser.get(address).status_code == 200
    assert address not in browser.get("/mine/").text
    assert f"/tables/{table_id}/replay/1/" in browser.get("/mine/").text
    seats.remove_student(student=students[0])
    assert browser.get(address).status_code == 404


def test_what_is_not_found_is_all_alike() -> None:
    browser, _guest, table_id = played_alone(rounds=2)
    mine = replay_of(browser, table_id)
    _guest, theirs = a_round()
    session, _students = playing(2, seats=2)
    (of_a_class,) = picture(session).tables
    play(of_a_class)
    deleted = a_position(of_a_class)
    closing.delete_session(session_id=session.pk)
    answers = [
        browser.get(address)
        for address in (
            f"/positions/{a_position(theirs)}/",
            f"/positions/{deleted}/",
            "/positions/nothing/",
            f"{mine}?at=28",
            f"{mine}?at=-1",
            f"{mine}?at=x",
            f"{mine}?seat=3",
            f"{mine}?wall=1",
            f"/tables/{table_id}/replay/2/",
            f"/tables/{table_id}/replay/1/?at=28",
            f"/tables/{table_id}/replay/1/?as=1",
            f"/tables/{theirs}/replay/1/",
        )
    ]
    assert {answer.status_code for answer in answers} == {404}
    assert len({answer.content for answer in answers}) == 1
    assert browser.get(f"{mine}?at=27").status_code == 200


def test_only_a_teacher_has_it_on_the_wall_and_there_without_names() -> None:
    session, students = playing(3, seats=3, rounds=2)
    (table_id,) = picture(session).tables
    play_by_students(table_id)
    names = [seat.name for seat in load_table(table_id).seats]
    teacher, address = signed_in(a_teacher()), f"/positions/{a_position(table_id)}/"
    with_names = teacher.get(address).text
    assert all(name in with_names for name in names)
    results = f'href="/teach/sessions/{session.pk}/results/"'
    assert results in with_names
    for query in ("wall=1", "wall=1&open=1", "wall=1&at=27"):
        page = teacher.get(f"{address}?{query}").text
        assert not any(name in page for name in names)
        assert "Seat 3" in page
        assert results not in page
    student = device_of(students[0], session)
    assert results not in student.get(address).text
    assert student.get(f"{address}?wall=1").status_code == 404


def test_a_page_shows_no_other_hand_unless_they_lie_open() -> None:
    guest, table_id = a_round()
    browser = Client()
    key = opening.new_guest()
    browser.cookies["guest"] = key[1]
    seats.admit(table_id=table_id, seat=None, guest=key[0])
    address = replay_of(browser, table_id)
    line = sight(table_id, guest).line
    for moment in (0, 5, 14, line.last - 1):
        seen = line.observation(moment, 1)
        played = {card.code for trick in seen.tricks for _, card in trick.plays}
        played |= {card.code for _, card in seen.trick.plays} if seen.trick else set()
        page = codes_in(browser.get(f"{address}?at={moment}&seat=1").text)
        assert page <= played | {card.code for card in seen.hand}
        opened = codes_in(browser.get(f"{address}?at={moment}&seat=1&open=1").text)
        held = {card.code for hand in line.rounds[moment].hands for card in hand}
        assert opened >= held


# Playing on.


@pytest.mark.parametrize("variant", VARIANTS)
def test_play_goes_on_with_the_same_cards(variant: str) -> None:
    guest, table_id = a_round(variant=variant)
    found = sight(table_id, guest)
    for moment in (0, 4, 13, found.line.last - 1):
        study = play_on(found, moment=moment, seat=1, guest=guest)
        state = load_table(study)
        assert state.kind == Table.Kind.STUDY
        assert state.round == found.line.rounds[moment]
        assert [seat.is_bot for seat in state.seats] == [True, False, True]
        while (state := load_table(study)).to_move is not None:
            if state.to_move == 1:
                make(study, state.legal[0], guest_id=guest.pk)
            else:
                choice = moves.decide_move(state=state, rng=Random(1))
                moves.make_bot_move(table_id=study, turn=state.turn, choice=choice)
        assert state.status == "game_over"
        with pytest.raises(NotFound):
            opening.open_rematch(table_id=study, guest=guest)
    with pytest.raises(NotFound):
        play_on(found, moment=found.line.last, seat=1, guest=guest)
    with pytest.raises(NotFound):
        position_at(found, moment=3, seat=3)


def test_bots_stay_what_they_were_and_people_become_counting_bots(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    guest = a_guest()
    table_id = friends(opener=guest, people=2, seats=4, level="tip-printed", rounds=1)
    play(table_id)
    found = sight(table_id, guest)
    monkeypatch.setattr("games.analysis.ready", lambda: True)
    study = play_on(found, moment=2, seat=0, guest=guest)
    levels = ["", "counter", "tip-printed", "tip-printed"]
    assert [seat.level for seat in load_table(study).seats] == levels
    people = {seat.name for seat in load_table(table_id).seats[:2]}
    assert not people & {seat.name for seat in load_table(study).seats}
    monkeypatch.setattr("games.analysis.ready", lambda: False)
    study = play_on(found, moment=2, seat=0, guest=guest)
    assert [seat.level for seat in load_table(study).seats] == ["", *["counter"] * 3]


def test_a_study_table_is_its_players_alone_and_stands_nowhere() -> None:
    browser, _guest, table_id = played_alone()
    address = replay_of(browser, table_id)
    answer = browser.post(f"{address}play/", {"at": "5", "seat": "2"})
    study = answer.headers["Location"].split("/")[2]
    assert browser.get(answer.headers["Location"]).status_code == 200
    assert "doesn’t count" in browser.get(answer.headers["Location"]).text
    for other in (a_browser()[0], Client(), signed_in(a_teacher())):
        assert other.get(f"/tables/{study}/").status_code == 404
    assert study not in browser.get("/").text
    play(study)
    assert study not in browser.get("/mine/").text
    assert "Back to the replay" in browser.get(f"/tables/{study}/?as=2").text
    assert browser.get(f"/tables/{study}/replay/1/").status_code == 302


def test_a_study_table_is_in_no_figure_of_a_class() -> None:
    """Recomputed from raw moves, with and without: nothing differs."""
    session, students = playing(3, seats=3, rounds=2)
    (table_id,) = picture(session).tables
    play_by_students(table_id)
    device = device_of(students[0], session)

    def figures() -> list[Any]:
        every = [*lines(finished_deals()), *lines(finished_deals(), student=students[0])]
        data = dataset_of_session(session, everyone=True)
        own = dataset_of_student(students[0])
        return [every, data.deals, data.seats, data.tricks, own.seats, raw()]

    def raw() -> dict[int, tuple[int, int]]:
        """Points and tricks of each student, from the class's moves alone."""
        sums: dict[int, tuple[int, int]] = {}
        for deal in Deal.objects.filter(table__class_session=session):
            teachers = Browser(teacher=a_teacher())
            end = sight_of(teachers, deal.table_id, deal.round).line.rounds[-1]
            for seat, taken in enumerate(end.taken):
                sums[seat] = (end.bids[seat] or 0, taken)
        return sums

    before = figures()
    address = replay_of(device, table_id)
    for moment in (0, 6, 20):
        study = device.post(f"{address}play/", {"at": moment, "seat": "0"}).headers["Location"]
        play(study.split("/")[2])
    assert Table.objects.filter(kind=Table.Kind.STUDY).count() == 3
    assert Result.objects.filter(deal__table__kind=Table.Kind.STUDY).count() == 9
    assert figures() == before


# Keeping.


def test_positions_and_study_tables_go_with_their_round() -> None:
    session, students = playing(3, seats=3, rounds=1)
    (table_id,) = picture(session).tables
    play_by_students(table_id)
    device = device_of(students[0], session)
    address = replay_of(device, table_id)
    study = device.post(f"{address}play/", {"at": "6", "seat": "0"}).headers["Location"]
    seats.remove_student(student=students[1])
    assert device.get(address).status_code == 200  # of the others nothing goes
    assert students[1].name not in device.get(address).text
    closing.delete_session(session_id=session.pk)
    assert not Position.objects.exists()
    assert not Table.objects.exists()
    assert device.get(address).status_code == 404
    assert device.get(study).status_code == 404


def test_whoever_plays_on_is_told_when_the_round_goes(bells: Bells) -> None:
    """Also where they play on from what was played on."""
    guest, table_id = a_round()
    study = play_on(sight(table_id, guest), moment=20, seat=0, guest=guest)
    play(study)
    further = play_on(sight(study, guest), moment=22, seat=1, guest=guest)
    bells.clear()
    with TestCase.captureOnCommitCallbacks(execute=True):
        steering_of_tables.delete_table(table_id=table_id)
    assert set(bells) == {table_id, study, further}
    assert not Table.objects.exists()
    session, _students = playing(3, seats=3, rounds=1)
    (of_class,) = picture(session).tables
    play(of_class)
    teacher = Browser(teacher=a_teacher())
    study = play_on(sight_of(teacher, of_class, 1), moment=3, seat=0, guest=guest)
    bells.clear()
    with TestCase.captureOnCommitCallbacks(execute=True):
        closing.delete_session(session_id=session.pk)
    assert {of_class, study} <= set(bells)
    assert not Table.objects.exists()


def test_old_study_tables_expire() -> None:
    guest, table_id = a_round()
    study = play_on(sight(table_id, guest), moment=0, seat=0, guest=guest)
    long_ago = timezone.now() - timedelta(days=400)
    Table.objects.filter(pk=study).update(created=long_ago)
    Seat.objects.filter(table=study).update(last_seen=None)
    purge_expired()
    assert not Table.objects.filter(pk=study).exists()
    assert Table.objects.filter(pk=table_id).exists()

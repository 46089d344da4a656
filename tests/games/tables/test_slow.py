"""Slow bots: whoever sits at a table may ask for them, without a reason, and take it back."""

from __future__ import annotations

import re

import pytest
from django.db import transaction
from django.test import Client

from games.classes import steering as class_steering
from games.models import PACES, Seat
from games.tables import steering
from games.tables.seats import free_seat
from games.tables.state import load_table
from games.tables.viewers import Viewer
from tests.games.classroom import device_of, picture, playing, signed_in
from tests.games.table import finish, friends, rows
from tests.scenes.friends import CAST, cast_at

pytestmark = pytest.mark.django_db

SLOW, FAST = PACES["slow"], PACES["fast"]


def ask(browser: Client, table_id: str, do: str = "slow:on", place: str = "") -> int:
    answer = browser.post(f"/tables/{table_id}/steer/{place}", {"do": do})
    return answer.status_code


def shown(browser: Client, table_id: str) -> list[str]:
    """Which of its buttons the page shows as pressed."""
    page = browser.get(f"/tables/{table_id}/").content.decode()
    part = page.partition('<div id="slow"')[2].partition("</div>")[0]
    return re.findall(r'value="(slow:\w+)"[^>]* aria-pressed="true"', part)


@pytest.mark.parametrize("kind", ["friends", "solo"])
@pytest.mark.parametrize("who", CAST)
def test_who_may_ask(kind: str, who: str) -> None:
    """Nobody but who sits there; whoever watches, or comes from elsewhere, changes nothing."""
    cast = cast_at(kind, pace=FAST)
    may = who == "opener" or (who == "friend" and kind == "friends")
    before = rows(cast.table_id)
    assert ask(cast.browsers[who], cast.table_id) == (302 if may else 404)
    assert load_table(cast.table_id).beat == (SLOW if may else FAST)
    if not may:
        assert rows(cast.table_id) == before


def test_it_is_asked_for_and_taken_back_by_each_for_themselves() -> None:
    cast = cast_at("friends", pace=FAST)
    table_id, friend = cast.table_id, cast.browsers["friend"]
    assert shown(friend, table_id) == ["slow:off"]
    ask(friend, table_id)
    assert shown(friend, table_id) == ["slow:on"]
    opener = cast.browsers["opener"]
    page = opener.get(f"/tables/{table_id}/").content.decode()
    assert "Someone at the table asked for slow bots." in page
    ask(opener, table_id, "slow:off")
    assert load_table(table_id).beat == SLOW, "that was not theirs to take back"
    assert load_table(table_id).setup.pace == FAST
    ask(friend, table_id, "slow:off")
    assert load_table(table_id).beat == FAST
    assert ask(friend, table_id, "slow:warp") == 404


def test_it_never_makes_a_table_faster() -> None:
    table_id = friends(people=2, pace=9.0)
    steering.ask_for_slow_bots(table_id=table_id, viewer=Viewer(1, 0), slow=True)
    assert load_table(table_id).beat == 9.0


def test_at_a_solo_table_its_only_person_has_the_paces_instead() -> None:
    cast = cast_at("solo")
    page = cast.browsers["opener"].get(f"/tables/{cast.table_id}/").content.decode()
    assert 'value="pace:slow"' in page
    assert 'id="slow"' not in page


def test_without_bots_there_is_nothing_to_slow_down() -> None:
    cast = cast_at("friends", seats=2)
    friend = cast.browsers["friend"]
    assert shown(friend, cast.table_id) == []
    Seat.objects.filter(table=cast.table_id, number=0).update(stand_in=True)
    steering.take_back(table_id=cast.table_id, seat=0)
    page = friend.get(f"/tables/{cast.table_id}/").content.decode()
    assert '<div id="slow" class="steer"></div>' in page


def test_a_student_at_their_own_table_only() -> None:
    session, (one, two, three) = playing(3, seats=2, pace=FAST)
    tables = {}
    for student in (one, two, three):
        seat = Seat.objects.get(student=student)
        tables[student.pk] = seat.table_id
    mine = tables[one.pk]
    assert ask(device_of(one, session), mine) == 302
    assert load_table(mine).beat == SLOW
    other = next(table for table in tables.values() if table != mine)
    before = rows(other)
    assert ask(device_of(one, session), other) == 404
    assert ask(signed_in(session.classroom.teachers.get()), other) == 404
    assert rows(other) == before
    assert load_table(other).beat == FAST


def test_a_teachers_slower_pace_holds() -> None:
    session, students = playing(2, seats=4, pace=9.0)
    table_id = picture(session).tables[0]
    ask(device_of(students[0], session), table_id)
    assert load_table(table_id).beat == 9.0


def test_it_lasts_for_the_next_game_and_goes_with_whoever_asked() -> None:
    session, students = playing(2, seats=4, rounds=1)
    (table_id,) = picture(session).tables
    ask(device_of(students[0], session), table_id)
    finish(table_id)
    class_steering.next_game(session_id=session.pk)
    (again,) = picture(session).tables
    assert again != table_id
    asked = {seat.student_id for seat in load_table(again).people if seat.slow}
    assert asked == {students[0].pk}
    ask(device_of(students[0], session), again, "slow:off")
    finish(again)
    class_steering.next_game(session_id=session.pk)
    (third,) = picture(session).tables
    assert not load_table(third).is_slow
    ask(device_of(students[1], session), third)
    seat = next(s.number for s in load_table(third).people if s.student_id == students[1].pk)
    with transaction.atomic():
        free_seat(load_table(third, lock=True), seat)
    assert not Seat.objects.filter(table=third, slow=True).exists()


def test_playing_again_keeps_it() -> None:
    cast = cast_at("friends", rounds=1)
    ask(cast.browsers["friend"], cast.table_id)
    finish(cast.table_id)
    cast.browsers["opener"].post(f"/tables/{cast.table_id}/again/")
    again = load_table(cast.table_id).next_table_id
    assert again is not None
    assert [seat.slow for seat in load_table(again).people] == [False, True]

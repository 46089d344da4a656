"""A round led on the projector: who leads, what the room sees, when it goes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client

from games.classes import steering
from games.models import Deal, Position, WallReplay
from games.tables.state import load_table
from lessons.visits import holding
from tests.games.classroom import a_teacher, device_of, picture, playing, signed_in
from tests.games.table import a_browser, friends, make, play
from xactika_site.classrooms.models import ClassSession, Student

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


@dataclass
class Room:
    """A class whose first table has played a round, and its teacher's browser."""

    session: ClassSession
    students: list[Student]
    table: str
    teacher: Client

    @property
    def wall(self) -> str:
        return f"/teach/sessions/{self.session.pk}/projector/replay/"

    def lead(self, **form: Any) -> Any:
        return self.teacher.post(self.wall, form, headers=HTMX)

    def shown(self) -> str:
        return self.teacher.get(self.wall).text


def a_room(**settings: Any) -> Room:
    session, students = playing(3, **{"seats": 3, "rounds": 2, **settings})
    table_id = picture(session).tables[0]
    play(table_id)
    return Room(session, students, table_id, signed_in(a_teacher()))


def test_one_press_opens_it_and_the_teachers_page_leads() -> None:
    room = a_room()
    panel = room.teacher.get(f"/teach/sessions/{room.session.pk}/tables/{room.table}/").text
    assert f'action="{room.wall}"' in panel
    assert 'name="round" value="1"' in panel
    game = room.teacher.get(f"{room.wall}?from=game", headers=HTMX)
    assert game.status_code == 204
    begun = room.teacher.post(room.wall, {"table": room.table, "round": "1"})
    position = Position.objects.get()
    assert begun.headers["Location"] == f"/positions/{position.pk}/?leads={room.session.pk}"
    page = room.teacher.get(begun.headers["Location"]).text
    assert 'id="leads"' in page
    assert "leads=" in page  # every step goes on leading
    game = room.teacher.get(f"{room.wall}?from=game", headers=HTMX)
    assert game.headers["HX-Redirect"] == room.wall
    assert "The cards are dealt." in room.shown()
    for look, said in (("at=1&seat=0", " bids "), ("at=27&seat=2", " took "), ("", "dealt")):
        assert room.lead(position=position.pk, look=look).status_code == 204
        assert said in room.shown()
    assert room.lead(position=position.pk, look="at=5&seat=1&open=1").status_code == 204
    assert "Nobody at the table could see this" in room.shown()


def test_the_room_sees_no_names_and_nothing_new_is_no_answer() -> None:
    room = a_room()
    room.lead(table=room.table, round="1")
    names = [seat.name for seat in load_table(room.table).seats]
    for moment in (0, 4, 20, 27):
        room.lead(position=Position.objects.get().pk, look=f"at={moment}&seat=1&open=1")
        page = room.shown()
        assert "Seat 2" in page
        assert not any(name in page for name in names)
    led = WallReplay.objects.get()
    version = f"{led.position_id}?{led.look}"
    same = room.teacher.get(room.wall, {"shown": version}, headers=HTMX)
    assert same.status_code == 204
    other = room.teacher.get(room.wall, {"shown": "x"}, headers=HTMX)
    assert other.status_code == 200
    assert "<html" not in other.text


def test_it_goes_by_a_press_and_as_the_game_goes_on() -> None:
    room = a_room()
    room.lead(table=room.table, round="1")
    down = room.teacher.post(room.wall, {"down": "1"})
    assert down.headers["Location"] == f"/teach/sessions/{room.session.pk}/"
    room.lead(table=room.table, round="1")
    steering.deal_next_round(session_id=room.session.pk)
    assert not WallReplay.objects.exists()
    gone = room.teacher.get(room.wall, headers=HTMX)
    assert gone.headers["HX-Redirect"] == f"/teach/sessions/{room.session.pk}/projector/"
    assert room.teacher.get(room.wall).status_code == 302


def test_it_comes_before_a_lesson() -> None:
    room = a_room()
    holding.hold(session=room.session, slug="stats-table")
    lesson = f"/teach/sessions/{room.session.pk}/lesson/wall/"
    asked = f"{lesson}?from=game"
    assert room.teacher.get(asked, headers=HTMX).headers["HX-Redirect"] == lesson
    room.lead(table=room.table, round="1")
    assert room.teacher.get(asked, headers=HTMX).status_code == 204
    projector = f"/teach/sessions/{room.session.pk}/projector/"
    assert room.teacher.get(lesson, headers=HTMX).headers["HX-Redirect"] == projector


def test_only_finished_rounds_of_this_session_are_led() -> None:
    room = a_room()
    other, _students = playing(2, seats=2)
    theirs = picture(other).tables[0]
    play(theirs)
    deal = Deal.objects.get(table=theirs)
    alien = Position.objects.create(deal=deal, moves=0, seat=0)
    mine = Position.objects.create(deal=Deal.objects.get(table=room.table), moves=0, seat=0)
    for form in (
        {"table": theirs, "round": "1"},
        {"table": room.table, "round": "2"},
        {"table": room.table, "round": "x"},
        {"table": friends(), "round": "1"},
        {"position": alien.pk, "look": "at=1"},
        {"position": "nothing", "look": "at=1"},
        {"position": mine.pk, "look": "at=999"},
        {"position": mine.pk, "look": "at=1&seat=7"},
        {"position": mine.pk, "look": "at=1&instead=0.99"},
        {},
    ):
        assert room.lead(**form).status_code == 404, form
    assert not WallReplay.objects.exists()


def test_a_board_waits_for_all_tables() -> None:
    session, _students = playing(4, seats=2, duplicate=True, rounds=2)
    first, second = picture(session).tables
    room = Room(session, [], first, signed_in(a_teacher()))
    play(first)
    assert room.lead(table=first, round="1").status_code == 404
    while load_table(second).to_move is not None:
        make(second, load_table(second).legal[0])
    assert room.lead(table=first, round="1").status_code == 204


def test_nobody_else_leads() -> None:
    room = a_room()
    room.lead(table=room.table, round="1")
    position = Position.objects.get().pk
    student = device_of(room.students[0], room.session)
    assert student.get(f"/positions/{position}/?leads=1").status_code == 404
    assert student.get(f"/positions/{position}/").status_code == 200
    for browser, status in (
        (student, 302),
        (a_browser()[0], 302),
        (signed_in(a_teacher("another")), 404),
    ):
        for answer in (browser.get(room.wall), browser.post(room.wall, {"down": "1"})):
            assert answer.status_code == status
    assert WallReplay.objects.exists()

"""A teacher's pages of a class session: the form, the cockpit, the panel, the projector."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from channels.db import database_sync_to_async
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from games.classes import closing, forming, joining, sessions, steering
from games.classes.cockpit import cockpit_fragments
from games.classes.pictures import session_pictures
from games.classes.state import SessionState
from games.classes.viewers import SessionView, SessionViewer
from games.models import Deal, Move, Seat, SessionSettings, Table
from games.pages import sessions as class_views
from games.tables.rendering import Picture
from games.tables.state import TableState, load_table
from games.tables.view import RUNNING
from tests.games.classroom import a_session, a_teacher, picture, playing, signed_in
from tests.games.classroom import students_in as come_in
from tests.games.conftest import Clock
from tests.games.sockets import Socket, connect
from tests.games.table import play
from tests.scenes import Each, again, present
from tests.scenes.by_students import (
    by_their_student,
    finish_round,
    in_mid_trick,
    play_by_students,
    tables_of,
)
from tests.scenes.views import BASE, do, text_of, views
from xactika_site import lan, locations
from xactika_site.classrooms import services as classrooms
from xactika_site.classrooms.models import Attendance, ClassSession, ReturnRequest, Student
from xactika_site.classrooms.services import Refused
from xactika_site.lan import address_for_others

pytestmark = pytest.mark.django_db

SOAK = os.environ.get("XACTIKA_SOAK") == "1"


def test_a_panel_of_no_table_of_this_session_is_nothing(teacher: Client) -> None:
    session, _students = playing(4)
    for panel, htmx in product(["a/b", "x", "..", "☃", "a" * 5000, "\0"], [True, False]):
        answer = do(teacher, session, "pause", htmx=htmx, panel=panel)
        assert answer.status_code == 404, panel
        assert picture(session).state == "open", panel


# What the buttons do.


def in_lobby() -> tuple[ClassSession, dict[str, Any]]:
    session = a_session(seats=2)
    students = come_in(session, 3)
    return session, {"student": students[0].pk}


def asking() -> tuple[ClassSession, dict[str, Any]]:
    session = a_session()
    sessions.set_flags(session_id=session.pk, needs_approval=True)
    return session, {"student": come_in(session, 1)[0].pk}


def returning() -> tuple[ClassSession, dict[str, Any]]:
    session = a_session()
    come_in(session, 1)
    classrooms.ask_to_return(session=session, name="quiet otter 0")
    return session, {"request": ReturnRequest.objects.get().pk}


def at_play() -> tuple[ClassSession, dict[str, Any]]:
    session, _ = playing(4, seats=2, rounds=3, clock=60.0)
    one, other = picture(session).tables
    seat = load_table(one).people[0]
    return session, {
        "table": one,
        "other": other,
        "seat": seat.number,
        "student": seat.student_id,
    }


def in_a_tournament() -> tuple[ClassSession, dict[str, Any]]:
    session, _ = playing(4, seats=2, duplicate=True, tournament=True)
    return session, {"table": picture(session).tables[0]}


def between_rounds() -> tuple[ClassSession, dict[str, Any]]:
    session, _ = playing(3, seats=2, rounds=3)
    finish_round(session)
    alone = next(t for t in tables_of(session) if len(t.people) == 1)
    other = next(t for t in tables_of(session) if len(t.people) == 2)
    return session, {"student": other.people[0].student_id, "to": alone.id}


def paused() -> tuple[ClassSession, dict[str, Any]]:
    session, facts = at_play()
    steering.pause_room(session_id=session.pk, paused=True)
    steering.pause_table(session_id=session.pk, table_id=facts["table"], paused=True)
    steering.stand_in(
        session_id=session.pk, table_id=facts["table"], seat=facts["seat"], on=True
    )
    return session, facts


def pressed() -> tuple[ClassSession, dict[str, Any]]:
    session = a_session()
    sessions.set_flags(
        session_id=session.pk, locked=True, needs_approval=True, names_hidden=True
    )
    steering.set_switch(session_id=session.pk, name="held", on=True)
    steering.set_switch(session_id=session.pk, name="teams", on=True)
    steering.set_switch(session_id=session.pk, name="throwing", on=False)
    steering.set_switch(session_id=session.pk, name="standings_shown", on=False)
    steering.set_switch(session_id=session.pk, name="reactions", on=True)
    return session, {}


def formed() -> tuple[ClassSession, dict[str, Any]]:
    session = a_session(seats=2, seating="arrival")
    come_in(session, 4)
    forming.form_tables(session_id=session.pk)
    return session, {"tables": picture(session).tables}


def seated_apart() -> tuple[ClassSession, dict[str, Any]]:
    session, facts = formed()
    one, other = facts["tables"]
    one, other = (load_table(table).people[0].student_id for table in (one, other))
    there = load_table(facts["tables"][1]).id
    return session, {"student": one, "to": other, "there": there}


def sent_out() -> tuple[ClassSession, dict[str, Any]]:
    session, facts = at_play()
    joining.send_out(session_id=session.pk, student_id=facts["student"], bar=True)
    return session, facts


def somebody_waits() -> tuple[ClassSession, dict[str, Any]]:
    session, _ = playing(2, seats=2, seating="by_hand")
    come_in(session, 1)
    return session, {}


def games_over() -> tuple[ClassSession, dict[str, Any]]:
    session, _ = playing(4, seats=2, rounds=1)
    finish_round(session)
    return session, {}


Holds = Callable[[SessionState, dict[str, Any]], bool]


def table_in(facts: dict[str, Any], key: str = "table") -> TableState:
    return load_table(facts[key])


def attendance(state: SessionState, facts: dict[str, Any]) -> str:
    return next(s.state for s in state.students if s.pk == facts["student"])


def seat_in(facts: dict[str, Any]) -> Any:
    return table_in(facts).seats[facts["seat"]]


CASES: list[tuple[Callable[[], Any], str, Holds]] = [
    (in_lobby, "lock", lambda s, f: s.entry.locked),
    (pressed, "unlock", lambda s, f: not s.entry.locked),
    (in_lobby, "approval-on", lambda s, f: s.entry.needs_approval),
    (pressed, "approval-off", lambda s, f: not s.entry.needs_approval),
    (pressed, "names-show", lambda s, f: not s.names_hidden),
    (in_lobby, "names-hide", lambda s, f: s.names_hidden),
    (in_lobby, "teams-on", lambda s, f: s.settings.teams),
    (pressed, "teams-off", lambda s, f: not s.settings.teams),
    (in_lobby, "standings-hide", lambda s, f: not s.settings.standings_shown),
    (pressed, "standings-show", lambda s, f: s.settings.standings_shown),
    (in_lobby, "throwing-off", lambda s, f: not s.settings.throwing),
    (pressed, "throwing-on", lambda s, f: s.settings.throwing),
    (at_play, "reactions-on", lambda s, f: table_in(f).setup.reactions),
    (pressed, "reactions-off", lambda s, f: not s.settings.reactions),
    (formed, "shuffle", lambda s, f: len(s.tables) == 2 and s.tables != f["tables"]),
    (seated_apart, "swap:{student}", lambda s, f: s.by_pk[f["student"]].table == f["there"]),
    (in_lobby, "form", lambda s, f: len(s.tables) == 2 and s.state == "lobby"),
    (in_lobby, "start", lambda s, f: len(s.tables) == 2 and s.state == "open"),
    (somebody_waits, "seat", lambda s, f: len(s.tables) == 2 and not s.waiting),
    (somebody_waits, "add-table", lambda s, f: len(s.tables) == 2 and not s.waiting),
    (at_play, "pause", lambda s, f: s.state == "paused" and table_in(f).paused),
    (paused, "resume", lambda s, f: s.state == "open" and not table_in(f, "other").paused),
    (at_play, "hold", lambda s, f: s.settings.held and table_in(f).setup.held),
    (pressed, "release", lambda s, f: not s.settings.held),
    (between_rounds, "next-round", lambda s, f: load_table(s.tables[0]).round_number == 2),
    (at_play, "finish", lambda s, f: table_in(f).rounds == table_in(f, "other").rounds == 1),
    (
        at_play,
        "finish:{table}",
        lambda s, f: table_in(f).rounds == 1 and table_in(f, "other").rounds == 3,
    ),
    (games_over, "next-game:same", lambda s, f: s.game == 2),
    (games_over, "next-game:anew", lambda s, f: s.game == 2),
    (in_a_tournament, "end-board", lambda s, f: bool(present(table_in(f).in_class).ends)),
    (at_play, "close", lambda s, f: s.is_closed and table_in(f).closed),
    (
        at_play,
        "pause-table:{table}",
        lambda s, f: table_in(f).paused and not table_in(f, "other").paused,
    ),
    (
        paused,
        "resume-table:{table}",
        lambda s, f: not Table.objects.get(pk=f["table"]).paused and table_in(f).paused,
    ),
    (at_play, "play-out:{table}", lambda s, f: table_in(f).status == "round_over"),
    (
        at_play,
        "close-table:{table}",
        lambda s, f: table_in(f).closed and not table_in(f, "other").closed,
    ),
    (at_play, "stand-in:{table}.{seat}", lambda s, f: seat_in(f).stand_in),
    (paused, "hand-back:{table}.{seat}", lambda s, f: not seat_in(f).stand_in),
    (asking, "yes:{student}", lambda s, f: attendance(s, f) == "here"),
    (asking, "no:{student}", lambda s, f: attendance(s, f) == "removed"),
    (asking, "all-yes", lambda s, f: attendance(s, f) == "here"),
    (asking, "all-no", lambda s, f: f["student"] not in [known.pk for known in s.students]),
    (asking, "expect", lambda s, f: s.entry.expected == 2),
    (returning, "return-none", lambda s, f: not ReturnRequest.objects.exists()),
    (returning, "return-yes:{request}", lambda s, f: ReturnRequest.objects.get().granted),
    (returning, "return-no:{request}", lambda s, f: not ReturnRequest.objects.exists()),
    (sent_out, "let-in:{student}", lambda s, f: attendance(s, f) == "here"),
    (at_play, "send-out:{student}", lambda s, f: attendance(s, f) == "removed"),
    (at_play, "bar:{student}", lambda s, f: attendance(s, f) == "barred"),
    (
        between_rounds,
        "move:{student}",
        lambda s, f: f["student"] in [p.student_id for p in load_table(f["to"]).people],
    ),
    (
        at_play,
        "time:{student}",
        lambda s, f: Student.objects.get(pk=f["student"]).time_factor == 2.0,
    ),
]


def test_every_button_is_tried() -> None:
    assert {what.partition(":")[0] for _, what, _ in CASES} == set(class_views.ACTIONS)


@pytest.mark.parametrize("scene", dict.fromkeys(scene for scene, _, _ in CASES))
def test_a_button_does_what_it_says(
    teacher: Client, scene: Callable[[], Any], each: Each
) -> None:
    """With scripts each; without them the first of a scene and what says that it saved: the
    others go the same way, and in the long checks they do."""
    session, facts = scene()
    for number, (_, what, holds) in enumerate(case for case in CASES if case[0] is scene):
        is_said = what.partition(":")[0] in class_views.SAVING
        for htmx in (True, False):
            if htmx or number == 0 or is_said or SOAK:
                with each(what=what, htmx=htmx):
                    does_what_it_says(again(teacher), session, facts, what, holds, htmx)


def does_what_it_says(
    teacher: Client,
    session: ClassSession,
    facts: dict[str, Any],
    what: str,
    holds: Holds,
    htmx: bool,
) -> None:
    assert not holds(picture(session), facts)
    more = {"to": str(facts.get("to", "2"))}
    answer = do(teacher, session, what.format(**facts), htmx=htmx, **more)
    # What one would not see is said.
    is_said = what.partition(":")[0] in class_views.SAVING
    assert answer.status_code == ((200 if is_said else 204) if htmx else 302)
    page = answer if htmx else teacher.get(answer.headers["Location"])
    assert ("Saved." in page.text) is is_said
    assert holds(picture(session), facts)
    # Pressed once more (a double click, the other teacher) it is done or refused, never broken.
    again = do(teacher, session, what.format(**facts), htmx=htmx, **more)
    assert again.status_code in ({204, 200} if htmx else {302, 409})


REFUSED: list[tuple[Callable[[], Any], str, str]] = [
    (lambda: (a_session(), {}), "start", "Nobody is here"),
    (at_play, "add-table", "Nobody is waiting for a seat."),
    (at_play, "move:{student}", "in a round"),
    (at_play, "next-game:same", "Some tables are still playing."),
]


@pytest.mark.parametrize(("scene", "what", "why"), REFUSED)
def test_a_refusal_is_one_line(
    teacher: Client, scene: Callable[[], Any], what: str, why: str
) -> None:
    session, facts = scene()
    more = {"to": facts.get("other", "")}
    answer = do(teacher, session, what.format(**facts), **more)
    assert answer.status_code == 200
    assert why in answer.text
    assert "<" not in answer.text
    assert answer.headers["HX-Reswap"] == "textContent"
    page = do(teacher, session, what.format(**facts), htmx=False, **more)
    assert page.status_code == 409
    assert why in page.text


def test_without_script_the_panel_says_why(teacher: Client) -> None:
    session, facts = at_play()
    answer = do(
        teacher,
        session,
        f"move:{facts['student']}",
        htmx=False,
        to=facts["other"],
        panel=facts["table"],
    )
    assert answer.status_code == 409
    assert "in a round" in answer.text
    assert "Back to the session" in answer.text


ABSURD = [
    "",
    ":",
    "dance",
    "lock:",
    "next-game:",
    "next-game:x",
    "yes:",
    "yes:x",
    "yes:²",
    "yes:-1",
    "yes:" + "9" * 40,
    "return-yes:" + "9" * 40,
    "bar:1e3",
    "stand-in:",
    "stand-in:none.0",
    "stand-in:{table}",
    "stand-in:{table}.",
    "stand-in:{table}.99",
    "stand-in:{table}.-1",
    "close-table:",
    "close-table:none",
    "pause-table:{foreign}",
    "finish:{foreign}",
    "send-out:{stranger}",
    "move:{student}",
    "time:{student}",
    "let-in:{stranger}",
]


def test_absurd_buttons_change_nothing(teacher: Client, each: Each) -> None:
    session, facts = at_play()
    foreign, students = playing(2)
    facts |= {"foreign": picture(foreign).tables[0], "stranger": students[0].pk}
    before = everything()
    for what in ABSURD:
        with each(what=what):
            answer = do(again(teacher), session, what.format(**facts), to="nowhere")
            if what not in {"lock:", "return-yes:" + "9" * 40}:  # harmless
                assert answer.status_code == 404
                assert everything() == before


def everything() -> list[Any]:
    models = (ClassSession, SessionSettings, Attendance, Student, Table, Seat, Deal, Move)
    return [list(model._default_manager.order_by("pk").values()) for model in models]


def test_a_closed_session_refuses_in_a_line(teacher: Client) -> None:
    session, _ = playing(2)
    closing.close_session(session_id=session.pk)
    for what in ("start", "pause", "next-round", "lock"):
        assert do(teacher, session, what).text == "This session is closed."


# What the cockpit shows.


async def heard(socket: Socket, *ids: str) -> str:
    """What the socket says until it has spoken of all these fragments."""
    said = ""
    while not all(f'id="{name}"' in said for name in ids):
        said += await socket.text()
    return said


@pytest.mark.django_db(transaction=True)
async def test_an_open_cockpit_is_shown_what_changes() -> None:
    in_database = database_sync_to_async

    def scene() -> tuple[ClassSession, str, bytes]:
        session, _ = playing(4, seats=4)
        browser = signed_in(a_teacher())
        cookie = f"sessionid={browser.cookies['sessionid'].value}".encode()
        return session, picture(session).tables[0], cookie

    session, table_id, cookie = await in_database(scene)()
    path, headers = f"/ws/sessions/{session.pk}/", ((b"cookie", cookie),)
    cockpit = await connect("", path=path, html=True, headers=headers, query="view=cockpit")
    wall = await connect("", path=path, html=True, headers=headers, query="view=projector")
    await heard(cockpit, "room", "help", f"now-{table_id}", f"seats-{table_id}")
    await heard(wall, "wall-head", "wall-stage", f"wall-{table_id}")

    turn = (await in_database(load_table)(table_id)).turn
    one_move = partial(play, table_id, lambda table: table.turn != turn)
    await in_database(one_move)()
    said = await heard(cockpit, f"now-{table_id}")
    assert 'id="people"' not in said  # only what changed
    await in_database(sessions.set_flags)(session_id=session.pk, locked=True)
    await heard(cockpit, "switches")
    await in_database(closing.close_session)(session_id=session.pk)
    assert "Closed" in await heard(cockpit, "room")
    assert 'data-stage="end"' in await heard(wall, "wall-stage")


def test_the_first_paint_is_what_the_socket_sends(teacher: Client) -> None:
    session, _ = playing(5, seats=4)
    in_mid_trick(picture(session).tables[0])
    start = f"/teach/sessions/{session.pk}/"
    for view, page in [("cockpit", start), ("projector", f"{start}projector/")]:
        html = teacher.get(page).text
        tables = {table_id: load_table(table_id) for table_id in picture(session).tables}
        viewer = SessionViewer(SessionView(view), base="http://testserver")
        shown = session_pictures(picture(session), tables, timezone.now())(viewer)
        for name, fragment in shown.fragments.items():
            assert shown.whole(name) in html, name
            assert re.match(rf'<\w+ id="{name}"', fragment), name
        assert "<!--" not in html
        assert " style=" not in html


def test_a_tile_tells_round_trick_and_whose_turn(teacher: Client) -> None:
    session, _ = playing(4, seats=4)
    state = in_mid_trick(picture(session).tables[0])
    assert state.to_move is not None
    now = views(picture(session))["cockpit"][f"now-{state.id}"]
    assert text_of(now) == f"Trick 1 of 8 To move: {state.seats[state.to_move].name}"
    assert "Round 1 of 2" in text_of(views(picture(session))["cockpit"]["room"])
    assert f'data-since="{state.turn_began.isoformat()}"' in now


def tiles(session: ClassSession) -> list[str]:
    """Who sits at each table, as the cockpit has it."""
    shown = views(picture(session))["cockpit"]
    return [shown[f"seats-{table_id}"] for table_id in picture(session).tables]


def test_a_board_that_others_play_shows_no_bids_and_tricks() -> None:
    session, _ = playing(4, seats=2, duplicate=True)
    first, second = picture(session).tables
    play_by_students(first)
    assert not any("pips" in tile for tile in tiles(session))
    play_by_students(second)
    assert all("pips" in tile for tile in tiles(session))


def test_cards_of_its_own_show_a_tables_bids_and_tricks() -> None:
    session, _ = playing(4, seats=2)
    play_by_students(picture(session).tables[0])
    assert ["pips" in tile for tile in tiles(session)] == [True, True]


@pytest.mark.parametrize("zone", ["Australia/Sydney", "America/Los_Angeles"])
def test_the_day_of_opening_is_told_on_another_day_of_the_machines(
    monkeypatch: pytest.MonkeyPatch, zone: str
) -> None:
    monkeypatch.setattr("games.classes.cockpit.server_time_zone", lambda: zone)
    session = a_session()
    morning = datetime(2026, 3, 5, 9, 50, tzinfo=ZoneInfo(zone))
    ClassSession.objects.filter(pk=session.pk).update(created=morning)

    def room(now: datetime) -> str:
        return text_of(views(picture(session), now=now)["cockpit"]["room"])

    assert "Opened" not in room(morning + timedelta(minutes=10))
    assert "Opened on 5 March 2026" in room(morning + timedelta(days=1))


def kinds(session: ClassSession, now: datetime | None = None) -> list[str]:
    """What is wrong, the most pressing first."""
    return re.findall(r'data-kind="(\w+)"', views(picture(session), now)["cockpit"]["help"])


def test_the_table_that_needs_help_comes_first(clock: Clock) -> None:
    session, _ = playing(12, seats=2, patience=60.0)
    assert kinds(session) == []
    assert "No table needs you" in views(picture(session))["cockpit"]["help"]
    away, _slow, stopped, deserted, bots, fine = picture(session).tables
    long_ago = clock.time - timedelta(hours=1)
    mover = present(load_table(away).to_move)
    Seat.objects.filter(table=away, number=mover).update(last_seen=long_ago)
    steering.pause_table(session_id=session.pk, table_id=stopped, paused=True)
    for seat in load_table(deserted).seats:
        steering.stand_in(session_id=session.pk, table_id=deserted, seat=seat.number, on=True)
    Seat.objects.filter(table=deserted).update(last_seen=long_ago)
    for seat in load_table(bots).seats:
        joining.send_out(session_id=session.pk, student_id=seat.student_id or 0)
    Attendance.objects.update(last_seen=None)
    assert kinds(session) == ["away", "paused", "deserted"]  # bots alone need nobody
    assert f'value="finish:{deserted}"' in views(picture(session))["cockpit"]["help"]
    clock.forward(61)
    Seat.objects.exclude(table=deserted).exclude(table=away, number=mover).update(
        last_seen=clock.time
    )
    turn = load_table(fine).turn
    play(fine, lambda table: table.turn != turn, by=by_their_student(fine))
    assert kinds(session)[:3] == ["away", "slow", "paused"]
    assert len(kinds(session)) == 4


@pytest.mark.parametrize(("rounds", "held"), [(1, False), (2, True), (2, False)])
def test_the_last_table_that_plays_needs_the_teacher_sooner(
    clock: Clock, rounds: int, held: bool
) -> None:
    session, _ = playing(4, seats=2, patience=60.0, rounds=rounds, held=held)
    first, _last = picture(session).tables
    clock.forward(26)
    Seat.objects.update(last_seen=clock.time)
    assert kinds(session) == []
    play(first, lambda table: table.status not in RUNNING, by=by_their_student(first))
    assert kinds(session) == (["slow"] if held or rounds == 1 else [])


def test_a_class_that_is_slow_as_a_whole_is_told_as_one(clock: Clock) -> None:
    session, students = playing(6, seats=2, variant="bid", patience=60.0)
    clock.forward(61)
    Seat.objects.update(last_seen=clock.time)
    Attendance.objects.update(last_seen=clock.time)
    assert kinds(session) == []
    assert "The class is bidding: 0 of 6" in views(picture(session))["cockpit"]["help"]
    in_lobby = Seat.objects.filter(student__in=students[:5])
    in_lobby.update(last_seen=clock.time - timedelta(seconds=1))
    assert kinds(session) == []
    assert "5 students still have to write down" in views(picture(session))["cockpit"]["help"]
    in_lobby.update(last_seen=clock.time)
    first = picture(session).tables[0]
    play(first, lambda table: table.status != "bidding", by=by_their_student(first))
    assert kinds(session) == ["slow", "slow"]


def test_the_mark_of_unwritten_words_goes_only_once_they_are_noted(clock: Clock) -> None:
    """Wherever a student’s page is, and whenever it was last known to be there."""
    session = a_session(seats=2)
    students = come_in(session, 4)

    def marked(where: str) -> int:
        fragments = views(picture(session))["cockpit"]
        return sum(text.count("✎") for key, text in fragments.items() if key.startswith(where))

    assert marked("people") == 1, "where all have it one says so"
    forming.form_tables(session_id=session.pk)
    assert marked("seats-") == 0, "where most have it it tells nothing"
    for student in students[2:]:
        classrooms.note_phrase(student=student)
    assert marked("seats-") == 2  # seated a moment after the lobby was noted
    clock.forward(5)
    Attendance.objects.update(last_seen=clock.time)
    assert marked("seats-") == 2
    steering.start(session_id=session.pk)
    Seat.objects.update(last_seen=clock.time + timedelta(seconds=1))  # gone to the table
    assert marked("seats-") == 2
    classrooms.note_phrase(student=students[0])
    assert marked("seats-") == 1


def test_between_rounds_it_says_whom_the_next_one_waits_for() -> None:
    session, _ = playing(2, seats=2, rounds=2)
    (table,) = picture(session).tables
    finish_round(session)
    page = views(picture(session))["cockpit"]
    assert "Ready for the next round: 0 of 2" in page["help"]
    assert "2 not ready" in page[f"now-{table}"]
    steering.set_switch(session_id=session.pk, name="held", on=True)
    page = views(picture(session))["cockpit"]
    assert "The next round waits for you" in page["help"]
    assert "waits for" not in page[f"now-{table}"]


def test_a_new_game_does_not_wait_for_a_table_that_everybody_has_left(teacher: Client) -> None:
    session, _ = playing(6, seats=2, rounds=2)
    done, left, plays = picture(session).tables
    play(done, by=by_their_student(done))
    steering.finish_after_round(session_id=session.pk, table_id=done)
    at_left = [seat.student_id for seat in load_table(left).people]
    Seat.objects.filter(table=left).update(last_seen=None)
    Attendance.objects.filter(student__in=at_left).update(last_seen=None)
    assert "next-game" not in views(picture(session))["cockpit"]["room"]
    with pytest.raises(Refused, match="still play"):
        steering.next_game(session_id=session.pk)
    play(plays, by=by_their_student(plays))
    steering.finish_after_round(session_id=session.pk, table_id=plays)
    assert "next-game" in views(picture(session))["cockpit"]["room"]
    do(teacher, session, "next-game:same")
    assert load_table(left).status == "closed"
    assert picture(session).game == 2
    assert len(picture(session).tables) == 2


def test_a_paused_room_has_no_trouble(clock: Clock) -> None:
    session, _ = playing(4, seats=2)
    clock.forward(3600)
    assert set(kinds(session)) == {"away"}
    steering.pause_room(session_id=session.pk, paused=True)
    assert kinds(session) == []


def test_tables_added_appear_with_all_tiles_each_once() -> None:
    session, _ = playing(4, seats=4)
    before = views(picture(session))["cockpit"]
    come_in(session, 1)
    told = Picture(views(picture(session))["cockpit"]).since(before)
    tables = picture(session).tables
    assert len(tables) == 2
    for table in tables:
        assert told.count(f'id="now-{table}"') == told.count(f'id="seats-{table}"') == 1


def test_a_move_changes_one_line_of_the_cockpit() -> None:
    session, _ = playing(8, seats=4)
    table_id = picture(session).tables[0]
    in_mid_trick(table_id)
    before = views(picture(session))
    turn = load_table(table_id).turn
    play(table_id, lambda table: table.turn != turn, by=by_their_student(table_id))
    after = views(picture(session))
    changed = [n for n, html in after["cockpit"].items() if before["cockpit"][n] != html]
    assert changed == [f"now-{table_id}"]
    wall = [n for n, html in after["projector"].items() if before["projector"][n] != html]
    assert wall == [f"wall-{table_id}"]


def test_the_lobby_lists_who_asks_waits_and_is_absent(teacher: Client) -> None:
    session = a_session()
    Student.objects.create(
        classroom=session.classroom, name="Absent Owl", last_here=timezone.localdate()
    )
    here = come_in(session, 1)[0]
    sessions.set_flags(session_id=session.pk, needs_approval=True)
    asks = come_in(session, 1)[0]
    classrooms.ask_to_return(session=session, name="absent owl")
    people = views(picture(session))["cockpit"]["people"]
    assert f'value="yes:{asks.pk}"' in people
    assert f'value="return-no:{ReturnRequest.objects.get().pk}"' in people
    assert "I’m Absent Owl" in people
    assert f'value="send-out:{here.pk}"' in people
    assert "Not here: 1" in people
    joining.send_out(session_id=session.pk, student_id=here.pk, bar=True)
    assert f'value="let-in:{here.pk}"' in views(picture(session))["cockpit"]["people"]
    closing.close_session(session_id=session.pk)
    Student.objects.create(
        classroom=session.classroom, name="Later Owl", last_here=timezone.localdate()
    )  # came into the class after that
    assert "Not here: 1" in views(picture(session))["cockpit"]["people"]


def test_the_panel_is_a_page_without_script(teacher: Client) -> None:
    session, facts = at_play()
    path = f"/teach/sessions/{session.pk}/tables/{facts['table']}/"
    part = teacher.get(path, headers={"HX-Request": "true"}).text
    page = teacher.get(path).text
    assert "<html" not in part
    assert "<html" in page
    for html in (part, page):
        assert f'value="send-out:{facts["student"]}"' in html
        assert f'value="move:{facts["student"]}"' not in html  # not in mid-round
        asked = html.partition('id="panel-closing"')[2].partition("<p>")  # marked once it is
        assert ("danger" in asked[0], "danger" in asked[2]) == (False, True)
    assert teacher.get(f"/teach/sessions/{session.pk}/tables/none/").status_code == 404


def panel_of(teacher: Client, session: ClassSession, table: str) -> str:
    path = f"/teach/sessions/{session.pk}/tables/{table}/"
    return teacher.get(path, headers={"HX-Request": "true"}).text


def test_the_panel_offers_no_move_that_would_be_refused(teacher: Client) -> None:
    session, students = playing(5, seats=3, seating="arrival")  # a bot sits at the second
    full, other = picture(session).tables
    for table in (full, other):
        assert 'value="move:' not in panel_of(teacher, session, table)  # both in a round
    play(full, by=by_their_student(full))
    html = panel_of(teacher, session, full)
    assert html.count(f'<option value="{other}">') == 3
    assert "gets that seat’s total" not in html  # there are none there yet
    assert 'value="swap:' not in html  # the others are in a round
    assert "Seat somebody here" not in html  # no seat is free
    html = panel_of(teacher, session, other)
    assert html.count('id="panel-seat-') == 3
    assert all(f'value="move:{student.pk}"' in html for student in students[:3])
    play(other, by=by_their_student(other))
    html = panel_of(teacher, session, other)
    assert "gets that seat’s total" in html
    assert 'value="swap:' in html
    assert f'<option value="{full}">' not in html


def test_the_panel_tells_of_a_move_with_a_way_back(teacher: Client) -> None:
    session, facts = between_rounds()
    student, there = facts["student"], facts["to"]
    here = present(picture(session).by_pk[student].table)

    def told(what: str, to: str) -> str:
        answer = do(teacher, session, f"{what}:{student}", to=to, panel=here)
        assert answer.headers["HX-Retarget"] == "#panel-body"  # in which the way back is
        return str(answer.text).partition('id="panel-notice"')[2].partition("</div>")[0]

    name, number = picture(session).by_pk[student].name, load_table(there).number
    notice = told("move", there)
    assert f"{name} → Table {number}" in notice
    assert f'value="{here}"' in notice.partition('name="to"')[2]
    assert "Undo" in told("move", here)
    other = present(load_table(there).people[0].student_id)
    swapped = told("swap", str(other))
    assert f"{name} ⇄ {picture(session).by_pk[other].name}" in swapped
    assert f'value="swap:{student}"' in swapped
    steering.deal_next_round(session_id=session.pk)
    assert 'value="move:' not in panel_of(teacher, session, here)
    leave = joining.join(session=session, name="Late Lynx")
    assert "Undo" not in do(teacher, session, f"move:{leave.pk}", to=there, panel=here).text


def test_a_closed_tables_panel_keeps_no_seat_and_sends_nobody_out(teacher: Client) -> None:
    session, facts = between_rounds()
    here = present(picture(session).by_pk[facts["student"]].table)
    joining.send_out(session_id=session.pk, student_id=facts["student"])
    assert "The seat is kept." in panel_of(teacher, session, here)
    steering.close_table(session_id=session.pk, table_id=here)
    html = panel_of(teacher, session, here)
    assert "The seat is kept." not in html
    assert "send-out:" not in html


def test_a_closed_session_offers_nothing_that_leads_nowhere(teacher: Client) -> None:
    session, facts = at_play()
    path = f"/teach/sessions/{session.pk}/"
    links = [f'href="{path}lesson/"', f'href="{path}exercise/"', 'sheet-close">']
    page = teacher.get(path).text
    assert all(link in page for link in links)
    Seat.objects.update(last_seen=None)
    Attendance.objects.update(last_seen=None)
    panel = panel_of(teacher, session, facts["table"])
    assert "?as=watch" in panel
    assert 'class="away"' in panel
    closing.close_session(session_id=session.pk)
    page = teacher.get(path).text
    assert not any(link in page for link in links)
    assert re.search(r'<section id="help"[^>]* hidden', page)
    panel = panel_of(teacher, session, facts["table"])
    assert "?as=watch" not in panel
    assert 'class="away"' not in panel


def test_a_cockpit_leads_to_its_class_and_a_closed_one_says_that_it_is(teacher: Client) -> None:
    session = a_session()
    path = f"/teach/sessions/{session.pk}/"
    home = f'href="/teach/classrooms/{session.classroom_id}/"'

    def room() -> str:
        page = teacher.get(path).text
        return page[page.index('<header id="room"') :].partition("</header>")[0]

    assert f"{home}>{session.classroom}</a>" in room()
    assert "This session is closed." not in room()
    closing.close_session(session_id=session.pk)
    assert "This session is closed." in room()
    assert f"{home}>Back to the class</a>" in room()
    assert f'href="{path}results/"' in room()


def test_a_teacher_watches_a_table_without_hands(teacher: Client) -> None:
    session, _ = playing(4, seats=4)
    state = in_mid_trick(picture(session).tables[0])
    page = teacher.get(f"/tables/{state.id}/?as=watch")
    assert page.status_code == 200
    assert state.round
    shown = set(re.findall(r'data-card="(\d{4})"', page.text))
    assert state.round.trick
    assert shown == {card.code for _seat, card in state.round.trick.plays}


def test_whoever_looks_from_the_machine_itself_is_told(
    teacher: Client, settings: Settings
) -> None:
    session = a_session()
    path = f"/teach/sessions/{session.pk}/"
    here = {"Host": "127.0.0.1:8000"}
    alone = "Other devices can’t open this address yet."
    assert alone in teacher.get(path, headers=here).text
    assert alone not in teacher.get(path).text
    room = f"/teach/classrooms/{session.classroom_id}/"
    assert alone in teacher.get(room, headers=here).text
    wall = teacher.get(f"{path}projector/", headers=here).text
    assert alone in wall
    assert 'class="qr"' not in wall  # it would lead nowhere
    assert 'class="qr"' in teacher.get(f"{path}projector/").text
    settings.LAN_URL = "http://192.168.1.5:8000"
    assert alone not in teacher.get(path, headers=here).text
    assert "192.168.1.5:8000/join/" in teacher.get(room, headers=here).text
    wall = teacher.get(f"{path}projector/", headers=here).text
    assert "192.168.1.5:8000/join/" in wall
    assert "127.0.0.1" not in wall


def test_the_room_s_command_is_that_of_this_installation(
    teacher: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = a_session()
    path = f"/teach/sessions/{session.pk}/"
    here = {"Host": "127.0.0.1:8000"}
    installed = locations.commands_of(checkout=False, windows=False)
    monkeypatch.setattr(locations, "COMMANDS", installed)
    for page in ("/teach/guide/", f"{path}settings/"):
        text = teacher.get(page, headers=here).text
        assert "xactika class" in text or "xactika manage open_table --deals" in text, page
        assert not re.search(r"make (run|lan)|manage\.py|\.venv", text), page


class TestWhereNobodyComes:
    """After two minutes the cockpit says what may be in the way, until somebody came."""

    @pytest.fixture
    def visitors(self, monkeypatch: pytest.MonkeyPatch) -> lan.Visitors:
        """Of a computer that nobody has reached."""
        nobody = lan.Visitors()
        monkeypatch.setattr(lan, "visitors", lambda: nobody)
        monkeypatch.setattr(lan, "came_file", lambda: Path(os.devnull))
        return nobody

    @staticmethod
    def said(session: ClassSession, base: str = BASE) -> str:
        return cockpit_fragments(picture(session), {}, timezone.now(), base)["nobody"]

    def test_after_two_minutes(
        self, teacher: Client, clock: Clock, visitors: lan.Visitors
    ) -> None:
        session = a_session()
        clock.forward(119)
        assert "<p>" not in self.said(session)
        clock.forward(1)
        unreached = "No other device has reached this computer"
        assert unreached in self.said(session)
        page = teacher.get(f"/teach/sessions/{session.pk}/").text
        assert unreached in page
        assert 'href="/teach/guide/#devices"' in page
        visitors.note("192.168.7.7")
        assert "<p>" not in self.said(session)
        assert 'id="devices"' in teacher.get("/teach/guide/").text

    def test_not_once_somebody_has_come(self, clock: Clock, visitors: lan.Visitors) -> None:
        session = a_session()
        (student,) = come_in(session, 1)
        clock.forward(500)
        assert "<p>" not in self.said(session)
        joining.send_out(session_id=session.pk, student_id=student.pk)
        assert "<p>" not in self.said(session)

    def test_not_where_another_reason_is_shown(
        self, clock: Clock, visitors: lan.Visitors
    ) -> None:
        session = a_session()
        clock.forward(500)
        assert "<p>" not in self.said(session, "http://127.0.0.1:8000")
        sessions.set_flags(session_id=session.pk, locked=True)
        assert "<p>" not in self.said(session)
        sessions.set_flags(session_id=session.pk, locked=False)
        assert "<p>" in self.said(session)
        closing.close_session(session_id=session.pk)
        assert "<p>" not in self.said(session)


def test_in_another_network_wall_and_cockpit_have_the_new_address(
    teacher: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = a_session()
    path = f"/teach/sessions/{session.pk}/"
    monkeypatch.setattr(lan, "_before", set())
    lan.serve_the_room_at("http://192.168.1.5:8000")
    settings.ALLOWED_HOSTS = ["*"]
    came_by = {"host": "192.168.1.5:8000"}
    for page in (path, f"{path}projector/"):
        html = teacher.get(page, headers=came_by).text
        assert "New address" not in html
        assert "is a new one" not in html
    lan.serve_the_room_at("http://10.0.0.9:8000")
    assert "New address: <b>10.0.0.9:8000/join/</b>" in teacher.get(path, headers=came_by).text
    wall = teacher.get(f"{path}projector/", headers=came_by).text
    assert "New address:" in wall
    assert "10.0.0.9:8000/join/" in wall
    at_play = f"/teach/sessions/{playing(4)[0].pk}/projector/"
    assert "New address: 10.0.0.9:8000/join/" in teacher.get(at_play, headers=came_by).text
    lan.serve_the_room_at("http://192.168.1.5:8000")  # back again: others came by the second
    assert address_for_others("http://10.0.0.9:8000") == "http://192.168.1.5:8000"


def test_the_address_for_others(settings: Settings) -> None:
    for own in ("http://127.0.0.1:8000", "http://localhost:8000", "http://[::1]:8000"):
        settings.LAN_URL = "http://192.168.1.5:8000"
        assert address_for_others(own) == settings.LAN_URL
        settings.LAN_URL = ""
        assert address_for_others(own) == own
    settings.LAN_URL = "http://192.168.1.5:8000"
    assert address_for_others("http://10.0.0.7") == "http://10.0.0.7"
    settings.BASE_URL = "https://cards.school"
    assert address_for_others("http://10.0.0.7") == "https://cards.school"

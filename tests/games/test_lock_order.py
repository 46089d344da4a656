"""Everybody locks in one order (docs/decisions/0014-locks.md): a class session, its tables,
students. Here every service is watched, one at a time, for the order in which it writes; what
comes of another order is in ``tests/live/test_locks.py``.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from games import league, polls
from games.classes import boards as class_boards
from games.classes import (
    closing,
    forming,
    joining,
    learning,
    paper,
    seating,
    sessions,
    steering,
)
from games.classes.state import load_session
from games.models import (
    Deal,
    DealerTrial,
    Guest,
    League,
    Poll,
    Position,
    Program,
    Seat,
    SessionSettings,
    Table,
)
from games.rules import Variant, move_text
from games.study.puzzles.daily import FIRST, daily_of
from games.study.replay.positions import sight_of
from games.tables import (
    boards,
    dealing,
    forgetting,
    moves,
    notify,
    opening,
    results,
    seats,
    state,
)
from games.tables import steering as table_steering
from games.tables.state import load_table
from games.tables.timing import AWAY_AFTER
from games.tables.viewers import Browser, Viewer
from lessons.assessment import giving as assessment
from lessons.assessment import taking
from lessons.crooked import trial
from lessons.homework import by_teachers, cover, giving, waiting
from lessons.homework import doing as homework
from lessons.lti import grades, members
from lessons.questions import asking, before_class, forecasts, mistakes, sets
from lessons.visits import doing, holding
from tests.games.classroom import a_session, a_teacher, picture, playing, students_in
from tests.games.table import a_guest, friends, play
from tests.lessons.assessment.conftest import forms_are_drawn_once as forms_are_drawn_once
from tests.scenes import Each
from tests.scenes.homework import play_board, some_homework
from tests.scenes.platform import School
from xactika_site.classrooms import services as classrooms
from xactika_site.classrooms.models import Attendance, Classroom, ClassSession, Student
from xactika_site.classrooms.selectors import phrase_of

pytestmark = pytest.mark.django_db

RANKS = {model._meta.db_table: model for model in (Classroom, ClassSession, Table, Student)}
ORDER = list(RANKS)
SEATS = Seat._meta.db_table


class Watch:
    """What a service has locked, in which order, and where it went back in the order. Rows
    that it has made itself are nobody else's yet."""

    def __init__(self) -> None:
        self.known = {
            name: set(model._default_manager.values_list("pk", flat=True))
            for name, model in RANKS.items()
        }
        self.held: dict[str, set[Any]] = {name: set() for name in ORDER}
        self.crossed: list[str] = []

    def lock(self, table: str, keys: set[Any]) -> None:
        """Rows of a table are locked, or written to."""
        new = (keys & self.known[table]) - self.held[table]
        later = [name for name in ORDER[ORDER.index(table) + 1 :] if self.held[name]]
        if new and later:
            self.crossed.append(f"{table} after {later}")
        self.held[table] |= new
        above = self.held[ClassSession._meta.db_table] or self.held[Classroom._meta.db_table]
        if len(self.held[Table._meta.db_table]) > 1 and not above:
            self.crossed.append("several tables without their session, or their class")

    def statement(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        """Note what a statement writes to."""
        written = re.match(r'(?:UPDATE|DELETE FROM) "(\w+)"', sql)
        if written and written[1] in RANKS:
            set_to = sql[: sql.find(" WHERE ")].count("%s")
            self.lock(written[1], set((params or ())[set_to:]))
        if written and written[1] == SEATS:
            tables = {key for key in params if key in self.known[Table._meta.db_table]}
            if sql.endswith('"games_seat"."id" = %s'):
                tables = {Seat.objects.values_list("table", flat=True).get(pk=params[-1])}
                tables &= self.known[Table._meta.db_table]
            if tables - self.held[Table._meta.db_table]:
                self.crossed.append("a seat before its table")
        return execute(sql, params, many, context)


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> Callable[[], Any]:
    """SQLite has no locks of rows: what would be locked is noted where the locking is done."""
    present: list[Watch] = []
    lock_classroom, lock_session = classrooms.lock_classroom, classrooms.lock_session
    lock_tables, load = boards.lock_tables, state._changes_since

    def classroom_locked(classroom: Classroom) -> None:
        for watch in present:
            watch.lock(Classroom._meta.db_table, {classroom.pk})
        lock_classroom(classroom)

    def session_locked(session_id: int) -> bool:
        for watch in present:
            watch.lock(ClassSession._meta.db_table, {session_id})
        return lock_session(session_id)

    def tables_locked(tables: Any) -> list[str]:
        keys = lock_tables(tables)
        for watch in present:
            watch.lock(Table._meta.db_table, set(keys))
        return keys

    def table_loaded(table_id: str, known: Any, *, lock: bool) -> Any:
        for watch in present if lock else ():
            watch.lock(Table._meta.db_table, {table_id})
        return load(table_id, known, lock=lock)

    for module in (boards, *MODULES.values()):
        if hasattr(module, "lock_session"):
            monkeypatch.setattr(module, "lock_session", session_locked)
        if hasattr(module, "lock_classroom"):
            monkeypatch.setattr(module, "lock_classroom", classroom_locked)
    monkeypatch.setattr(boards, "lock_tables", tables_locked)
    monkeypatch.setattr(state, "_changes_since", table_loaded)

    @contextmanager
    def watching() -> Iterator[Watch]:
        watch = Watch()
        present.append(watch)
        try:
            with connection.execute_wrapper(watch.statement):
                yield watch
        finally:
            present.remove(watch)

    return watching


def a_room() -> tuple[ClassSession, list[Student]]:
    """A class at two tables, with one who waits, one who asks, and one who lost the phrase."""
    session, students = playing(6, seats=3, seating="by_hand")
    for number in range(2):
        students.append(joining.join(session=session, name=f"Late Lark {number}"))
    Attendance.objects.filter(student=students[7]).update(state="asking")
    classrooms.ask_to_return(session=session, name=students[0].name)
    return session, students


A = dict[str, Any]
"""A room: its session ``s`` with its ``id``, the students ``who``, the ids of ``tables``."""


def in_lobby(how_many: int, **settings: Any) -> A:
    """Another class, which waits to begin."""
    session = a_session(**{"seats": 3, "seating": "by_hand", **settings})
    return {"s": session, "id": session.pk, "who": students_in(session, how_many)}


def at_tables(how_many: int, **settings: Any) -> A:
    """Another class, seated and not dealt to."""
    room = in_lobby(how_many, **settings)
    forming.form_tables(session_id=room["id"])
    return {**room, "tables": picture(room["s"]).tables}


def at_a_lesson(room: A) -> A:
    holding.hold(session=room["s"], slug="stats-table")
    return {"session": room["s"]}


def with_exercise(room: A) -> A:
    return {"exercise": before_class.put(session=room["s"], exercise="deck-size", seed=1)}


def with_own_set(room: A) -> A:
    text = sets.edited(sets.edited("", "example", "cards"), "example", "choice")
    own = sets.create(classroom=room["s"].classroom, name="7", text=text)
    return {"session": room["s"], "question_set": own}


def after_the_game(room: A) -> A:
    """One table has played to the end, the other was closed."""
    steering.finish_after_round(session_id=room["id"])
    play(room["tables"][0])
    steering.close_table(session_id=room["id"], table_id=room["tables"][1])
    return {"session_id": room["id"]}


def between_rounds(room: A) -> str:
    play(room["tables"][0])
    return str(room["tables"][0])


def let_back(room: A) -> A:
    """Somebody lost the phrase, and the teacher has said yes."""
    key = classrooms.ask_to_return(session=room["s"], name=room["who"][1].name)
    for request in load_session(room["id"]).requests:
        joining.answer_request(session_id=room["id"], request_id=request[0], granted=True)
    return {"session": room["s"], "key": key}


def two_with_no_seat(room: A) -> A:
    """They were asleep as the class began."""
    SessionSettings.objects.filter(class_session=room["id"]).update(seating="shuffled")
    Attendance.objects.filter(student=room["who"][7]).update(state="here")
    return {"session_id": room["id"]}


def with_a_bot(room: A) -> A:
    """Somebody waits, and a bot has a seat."""
    joining.send_out(session_id=room["id"], student_id=room["who"][1].pk, bar=True)
    (table,) = {k.table for k in picture(room["s"]).here if k.pk == room["who"][0].pk}
    return {"session_id": room["id"], "student_id": room["who"][6].pk, "table_id": table}


def of_two_tables(_room: A) -> A:
    """One at the later table, one at the earlier, between whom nothing is played."""
    room = at_tables(8, seats=4)
    seated = {known.table: known.pk for known in picture(room["s"]).here}
    later, earlier = sorted(filter(None, seated), reverse=True)
    return {"session_id": room["id"], "student_id": seated[later], "other_id": seated[earlier]}


def boards_over(**now: bool) -> A:
    """A duplicate session whose board is over."""
    session, _students = playing(4, seats=2, duplicate=True, variant="win")
    for table in picture(session).tables:
        play(table)
    return {"session_id": session.pk, **now}


def somebody_away(room: A) -> A:
    """At the table where it is their turn."""
    state = load_table(room["tables"][0])
    gone = timezone.now() - 2 * AWAY_AFTER
    assert state.to_move is not None
    Seat.objects.filter(table=state.id, number=state.to_move).update(last_seen=gone)
    asker = state.to_move - 1
    return {
        "table_id": state.id,
        "asker": asker % len(state.seats),
        "seat": state.to_move,
        "turn": state.turn,
    }


def stood_in_for(room: A) -> A:
    where = {"table_id": room["tables"][0], "seat": 0}
    steering.stand_in(session_id=room["id"], on=True, **where)
    return where


def a_move(room: A) -> A:
    state = load_table(room["tables"][0])
    assert state.round is not None
    text = move_text(state.round.legal_moves()[0])
    return {"table_id": state.id, "seat": state.to_move, "turn": state.turn, "text": text}


def opened(**options: Any) -> A:
    """A table of friends, and who opened it."""
    opener: Guest = a_guest()
    return {"table_id": friends(opener=opener, people=2, **options), "guest": opener}


def ended() -> A:
    table = opened()
    table_steering.close_table(**table)
    return table


def of_a_closed_class(room: A) -> A:
    """The teacher of two classes that have been closed."""
    closing.close_session(session_id=room["id"])
    other, _students = playing(2, seats=2)
    closing.close_session(session_id=other.pk)
    return {"teacher": room["s"].classroom.teachers.get()}


def with_homework(room: A) -> A:
    """Two have begun a board of it."""
    found = some_homework(room["s"].classroom)
    for student in room["who"][:2]:
        homework.begin(homework=found, student=student, number=1)
    return {"homework": found}


def who_came_after(room: A) -> A:
    """Homework that was given out before two students came, who have not played."""
    found = with_homework(room)
    joined = [student.pk for student in students_in(room["s"], 2)]
    return {**found, "students": joined}


def at_homework(room: A) -> A:
    """Its teacher plays two boards of it."""
    (teacher,) = room["s"].classroom.teachers.all()
    found = some_homework(room["s"].classroom)
    for number in (1, 2):
        by_teachers.begin_as_teacher(homework=found, teacher=teacher, number=number)
    return {"teacher": teacher.pk, "classrooms": [room["s"].classroom]}


def with_boards_to_come(room: A) -> A:
    """A duplicate session with a board prepared, and its teacher."""
    (dealt,) = some_homework(room["s"].classroom, boards=2).boards[:1]
    session = a_session(duplicate=True, deals=[dealt])
    return {"session": session, "teacher": session.classroom.teachers.get()}


def at_homework_of_others(room: A) -> A:
    """The same in a class that another teaches, too, beside one that goes with the account."""
    at_homework(room)
    alone, _students = playing(2, seats=2)
    closing.close_session(session_id=alone.pk)
    return {"teacher": with_another_teacher(room)}


def closed_homework(room: A) -> A:
    """Somebody plays on from one of its boards."""
    found = with_homework(room)
    table = play_board(found["homework"], room["who"][0], 1)
    giving.close(**found)
    deal = Deal.objects.get(table=table)
    position = Position.objects.create(deal=deal, moves=3, seat=0)
    Table.objects.create(kind="study", variant="bid", patience=9, pace=0, position=position)
    return found


def at_a_tournament(room: A) -> A:
    """Its first board is being played."""
    Table.objects.filter(class_session=room["id"]).update(tournament_board=1)
    return {"session_id": room["id"]}


def at_a_cover_lesson(room: A) -> A:
    """One has begun its boards."""
    sheet = cover.make_sheet(classroom=room["s"].classroom, until=timezone.localdate())
    visit = cover.come_in(sheet=sheet, guest=a_guest())
    cover.begin_boards(visit=visit)
    return {"sheet": sheet, "students": {visit.pk: room["who"][0].pk}}


def at_a_test(room: A) -> A:
    """The first test is open, and one student has begun it."""
    found = assessment.open_first(
        classroom=room["s"].classroom, skills=["drawing"], length=8, rng=Random(1)
    )
    taking.begin(assessment=found, student=room["who"][0])
    return {"assessment": found}


def after_a_test(room: A) -> A:
    """The first test is closed."""
    found = at_a_test(room)
    assessment.close_test(**found, test=1)
    return found


def typed_in(room: A) -> A:
    """A table on paper, at which two of the class's students sat."""
    line = paper.PaperRound((1, 2), (3, 5))
    students = tuple(student.pk for student in room["who"][:2])
    sheet = paper.ScoreSheet(Variant.BID, students, (line,))
    paper.store(session_id=room["id"], sheet=sheet)
    (table_id,) = paper.score_sheets(room["id"])
    return {"session_id": room["id"], "table_id": table_id, "sheet": sheet}


ROOMS: dict[str, Any] = {
    "classes": (
        sessions,
        joining,
        learning,
        seating,
        forming,
        class_boards,
        steering,
        closing,
        paper,
    ),
    "tables": (
        notify,
        dealing,
        opening,
        seats,
        results,
        moves,
        table_steering,
        forgetting,
    ),
}

MODULES: dict[str, Any] = {
    **{
        module.__name__.removeprefix("games."): module
        for modules in ROOMS.values()
        for module in modules
    },
    "classrooms": classrooms,
    "asking": asking,
    "before_class": before_class,
    "forecasts": forecasts,
    "mistakes": mistakes,
    "giving": giving,
    "cover": cover,
    "homework": homework,
    "by_teachers": by_teachers,
    "assessment": assessment,
    "taking": taking,
    "waiting": waiting,
    "doing": doing,
    "holding": holding,
    "polls": polls,
    "trial": trial,
    "league": league,
    "members": members,
    "grades": grades,
}


def to_ask(room: A) -> A:
    """A turn of the first table's finished round."""
    play(room["tables"][0])
    teacher = room["s"].classroom.teachers.get()
    sight = sight_of(Browser(teacher=teacher), room["tables"][0], 1)
    moment = next(n for n in range(sight.line.last) if polls.may_be_asked(sight.line, n))
    return {"session": room["s"], "sight": sight, "moment": moment, "asks_sureness": False}


def asked(room: A) -> Poll:
    """A turn that is before the class."""
    return polls.ask(**to_ask(room))


def of_a_course(room: A) -> A:
    """The class is linked with a course of its school's system."""
    return {"course": School().course(room["s"].classroom)}


def with_programs(room: A) -> A:
    """Nothing more: the class's programs wait for a match that may begin."""
    league.open_league(classroom=room["s"].classroom)
    for student in room["who"][:2]:
        league.bring_program(student=student)
    Program.objects.update(asked=timezone.now())
    League.objects.update(opened=timezone.now() - league.GATHER)
    return {}


def with_match(room: A) -> A:
    """Nothing more: they play."""
    with_programs(room)
    league.begin_match(classroom=room["s"].classroom)
    return {}


def deserted(room: A) -> A:
    """Nothing: they have left."""
    with_match(room)
    Seat.objects.filter(table__kind=Table.Kind.LEAGUE).update(last_seen=None)
    return {}


def begun(room: A) -> DealerTrial:
    """Dealers that are before the class."""
    trial.begin(session=room["s"])
    return DealerTrial.objects.get()


USUAL: dict[str, Callable[[A], Any]] = {
    "session": lambda a: a["s"],
    "session_id": lambda a: a["id"],
    "classroom": lambda a: a["s"].classroom,
    "teacher": lambda a: a["s"].classroom.teachers.get(),
    "student": lambda a: a["who"][0],
    "student_id": lambda a: a["who"][0].pk,
    "table_id": lambda a: a["tables"][0],
    "seat": lambda _a: 0,
}
"""What a service is given by the names of its arguments, where nothing else is said."""

SERVICES: dict[str, A | Callable[[A], A]] = {
    "classes.joining.join": {"name": "New Newt"},
    "classes.joining.come_in": lambda a: {"student": a["who"][6]},
    "classes.joining.come_in_by_request": let_back,
    "classes.joining.leave_browser": {"browser": "some phone"},
    "classes.joining.answer": lambda a: {"student_id": a["who"][7].pk, "yes": True},
    "classes.joining.answer_all: yes": {"yes": True},
    "classes.joining.answer_all: no": {"yes": False},
    "classes.joining.answer_request": lambda a: {
        "request_id": load_session(a["id"]).requests[0][0],
        "granted": True,
    },
    "classes.joining.answer_no_request": {},
    "classes.joining.send_out": {},
    "classes.joining.send_out: for good": {"bar": True},
    "classes.joining.let_in": lambda a: {"student_id": a["who"][7].pk},
    "classes.joining.delete_unplayed_students": lambda a: {
        "students": {student.pk for student in a["who"]}
    },
    "classes.learning.note_chapter": lambda a: {
        "attendance": Attendance.objects.filter(class_session=a["s"]).first(),
        "number": 1,
        "of": 8,
    },
    "classes.seating.seat_present": two_with_no_seat,
    "classes.seating.seat_everybody": {},
    "classes.seating.add_table": {},
    "classes.seating.move_student": with_a_bot,
    "classes.seating.move_student: before the start": lambda _a: {
        "session_id": (room := at_tables(5))["id"],
        "student_id": room["who"][0].pk,
        "table_id": room["tables"][1],
    },
    "classes.seating.swap": of_two_tables,
    "classes.forming.form_tables": lambda _a: {"session_id": in_lobby(5)["id"]},
    "classes.forming.seat_anew": lambda _a: {"session_id": at_tables(5)["id"]},
    "classes.boards.next_board": lambda _a: boards_over(by_teacher=True),
    "classes.steering.start": lambda _a: {"session_id": in_lobby(5)["id"]},
    "classes.steering.start: without bots": lambda _a: {
        "session_id": at_tables(5, filling="uneven")["id"]
    },
    "classes.steering.set_switch": {"name": "held", "on": True},
    "classes.steering.set_switch: of the wall": {"name": "teams", "on": True},
    "classes.steering.deal_next_round": {},
    "classes.steering.deal_next_round: of boards": lambda _a: boards_over(),
    "classes.steering.next_game": after_the_game,
    "classes.steering.next_game: seated anew": lambda a: {**after_the_game(a), "reseat": True},
    "classes.steering.end_board": at_a_tournament,
    "classes.steering.pause_play": {},
    "classes.steering.pause_room": {"paused": True},
    "classes.steering.set_time_factor": {"factor": 2},
    "classes.steering.finish_after_round": {},
    "classes.steering.change_settings": lambda a: {
        "settings": SessionSettings.objects.get(class_session=a["id"])
    },
    "classes.steering.fall_back_to_counting": lambda _a: {
        "session_id": playing(2, seats=3, duplicate=True, level="expert")[0].pk
    },
    "classes.steering.set_language": {"language": "fr"},
    "classes.sessions.set_flags": {"locked": True},
    "classes.closing.expect": {"students": 12},
    "classes.closing.tell_class": {},
    "classes.closing.close_session": {},
    "classes.closing.delete_session": {},
    "classes.closing.delete_tables": lambda a: {"table_ids": a["tables"]},
    "classes.closing.delete_classroom": {},
    "classes.paper.store": typed_in,
    "classes.boards.play_out": {},
    "classes.steering.close_table": {},
    "classes.steering.pause_table": {"paused": True},
    "classes.steering.stand_in": {"on": True},
    "tables.moves.make_move": a_move,
    "tables.moves.make_bot_move": lambda a: {
        "turn": load_table(a["tables"][0]).turn,
        "for_anybody": True,
    },
    "tables.moves.say_ready": lambda a: {"turn": load_table(between_rounds(a)).turn},
    "tables.moves.go_on": lambda a: {"table_id": between_rounds(a)},
    "tables.steering.ask_stand_in": somebody_away,
    "tables.steering.take_back": stood_in_for,
    "tables.seats.open_seat": {},
    "tables.seats.mark_gone": lambda _a: {
        "unless_seen_since": timezone.now() + timedelta(seconds=1)
    },
    "tables.seats.remove_student": {},
    "tables.seats.leave_one": lambda a: {
        "table_id": Seat.objects.get(student=a["who"][0]).table_id
    },
    "tables.seats.admit": lambda _a: {**opened(), "seat": 1, "guest": a_guest()},
    "tables.steering.renew_link": lambda _a: {**opened(), "seat": 1},
    "tables.steering.ask_for_slow_bots": lambda _a: {
        "table_id": friends(people=2),
        "viewer": Viewer(1, 0),
        "slow": True,
    },
    "tables.steering.set_pace": lambda _a: {**opened(), "pace": "slow"},
    "tables.steering.set_reactions": lambda _a: {**opened(), "on": True},
    "tables.steering.set_odds": lambda _a: {**opened(), "odds": "off"},
    "tables.steering.set_paused": lambda _a: {**opened(), "paused": True},
    "tables.steering.start_without_missing": lambda _a: opened(here=False),
    "tables.steering.close_table": lambda _a: opened(),
    "tables.opening.open_rematch": lambda _a: ended(),
    "tables.forgetting.leave_table": lambda _a: opened(),
    "tables.steering.delete_table": lambda _a: {"table_id": opened()["table_id"]},
    "classrooms.renew_code": {},
    "classrooms.rename": {"name": "8b"},
    "classrooms.leave": lambda a: {"teacher": with_another_teacher(a)},
    "classrooms.delete_teacher": of_a_closed_class,
    "classrooms.delete_teacher: at homework": at_homework_of_others,
    "classrooms.check_phrase": lambda a: {"phrase": phrase_of(a["who"][0])},
    "classrooms.note_phrase": {},
    "classrooms.vouch": lambda a: {"students": [each.pk for each in a["who"][:2]]},
    "classrooms.renew_phrase": {},
    "classrooms.set_time_factor": {"factor": 2},
    "classrooms.ask_to_return": lambda a: {"name": a["who"][2].name},
    "classrooms.take_back_request": lambda a: {
        "key": classrooms.ask_to_return(session=a["s"], name=a["who"][2].name)
    },
    "classrooms.sign_out": {},
    "before_class.put": {"exercise": "deck-size", "seed": 1},
    "before_class.put_from_set": lambda a: {**with_own_set(a), "number": 1, "seed": 1},
    "before_class.begin_set": with_own_set,
    "before_class.put_next": lambda a: {"exercise": before_class.begin_set(**with_own_set(a))},
    "before_class.close": with_exercise,
    "before_class.reveal": with_exercise,
    "before_class.take_away": with_exercise,
    "holding.hold": {"slug": "stats-table"},
    "holding.open_step": lambda a: {**at_a_lesson(a), "number": 2},
    "holding.close_step": lambda a: {**at_a_lesson(a), "closed": True},
    "holding.show_on_wall": lambda a: {**at_a_lesson(a), "on": True},
    "holding.end_lesson": at_a_lesson,
    "giving.close": with_homework,
    "giving.reopen": lambda a: {**closed_homework(a), "until": timezone.localdate()},
    "giving.delete": closed_homework,
    "waiting.say_yes": who_came_after,
    "homework.begin": lambda a: {**with_homework(a), "number": 2},
    "by_teachers.begin_as_teacher": lambda a: {**with_homework(a), "number": 2},
    "by_teachers.begin_beforehand": with_boards_to_come,
    "by_teachers.prepare_boards": {},
    "tables.seats.leave_homework_as_teacher": at_homework,
    "tables.seats.leave_homework": lambda a: with_homework(a) and {"student": a["who"][0]},
    "cover.assign_students": at_a_cover_lesson,
    "cover.delete_sheet": lambda a: {"sheet": at_a_cover_lesson(a)["sheet"]},
    "cover.come_in": lambda a: {"sheet": at_a_cover_lesson(a)["sheet"], "guest": a_guest()},
    "members.link": lambda _a: {
        "platform": School().known(),
        "deployment": "1",
        "context": "course-1",
    },
    "members.unlink": of_a_course,
    "members.student_of": lambda a: {**of_a_course(a), "user": "user-1"},
    "assessment.open_first": {"skills": ["drawing"]},
    "assessment.close_test": lambda a: {**at_a_test(a), "test": 1},
    "assessment.reopen_first": after_a_test,
    "assessment.open_second": after_a_test,
    "assessment.delete": after_a_test,
    "polls.ask": to_ask,
    "polls.ask_puzzle": lambda _a: {"daily": daily_of(FIRST), "asks_sureness": False},
    "polls.show": lambda a: {"poll": asked(a), "stage": Poll.Stage.SPREAD},
    "polls.end": lambda a: {"session_id": asked(a).class_session_id},
    "trial.begin": {},
    "trial.settle": lambda a: {"trial": begun(a), "ends": False},
    "league.open_league": {},
    "league.close_league": with_match,
    "league.bring_program": with_match,
    "league.begin_match": with_programs,
    "league.end_matches": deserted,
    "tables.seats.remove_student: with a program": with_match,
}
"""What each service is given beside the USUAL."""

LOCKS_NOTHING = {"holding.show_on_wall"}
"""It writes one row of a lesson's room, in a statement of its own."""

NOT_WATCHED = {
    "writes nothing": """
        before_class.as_seed before_class.draft before_class.offers forecasts.whole_percents
        forecasts.is_forecast forecasts.played_forecasts
        classes.forming.at_once classes.forming.has_bots classes.forming.partners_before
        classes.forming.plan_tables classes.forming.present_students
        classes.forming.seatings classes.forming.wishes_of classes.sessions.settings_like
        classes.seating.takes_students classes.sessions.student_of classrooms.deletion
        classrooms.name_offered
        mistakes.next_slip mistakes.learner_here mistakes.mistake_for mistakes.mistakes_of
        mistakes.first_move mistakes.is_own_move mistakes.own_round mistakes.standings
        tables.dealing.bot_names tables.dealing.new_deal
        tables.dealing.seat_names tables.dealing.without_twins
        tables.dealing.printed_deals classes.paper.score_sheets
        tables.moves.decide_move tables.moves.level_to_move tables.opening.check_deals
        tables.opening.read_deals
        tables.results.derive_results
        giving.check_until giving.end_of giving.tables_of homework.begun_boards
        homework.board_state homework.done_by homework.done_in homework.has_open
        homework.finished_by
        homework.parts_of homework.puzzles_tried homework.questions_begun
        homework.begun_at homework.begun_by_teachers
        by_teachers.own_boards by_teachers.results_of_expert by_teachers.results_of_teachers
        by_teachers.own_boards_beforehand by_teachers.expert_on by_teachers.key_of
        by_teachers.results_beforehand
        giving.in_homework giving.open_puzzles
        assessment.due_after assessment.exercises_about assessment.expires
        assessment.is_expired
        taking.answers_by_student taking.assessment_for taking.assessment_of_teacher
        taking.latest_of taking.open_to taking.own_lesson_context
        polls.move_votes polls.has_played polls.here_or_answered polls.is_mistake
        polls.is_playing
        polls.may_be_asked polls.open_poll polls.question_of polls.questions_of
        polls.session_to_ask polls.sessions_to_ask polls.student_here polls.tally_of
        polls.worths_of trial.answers_of trial.open_trial trial.put_before trial.box_of
        trial.dealers_over
        league.draw_boards league.fair_turn league.is_open_to league.key_of league.league_of
        league.points_of_counter league.program_by_key league.standings league.is_over
        taking.progress taking.question_of taking.questions_of_test
        waiting.check_is_open_to waiting.needs_yes waiting.waiting_in
        members.course_of members.way_of members.services_of members.enrolled_in
        members.may_have_played
        grades.columns_of grades.new_item
        cover.check_open cover.done_by cover.done_in giving.draw_puzzles giving.new_board
        """,
    "is a lock": """
        classes.sessions.locked classes.sessions.table_of classrooms.lock_classroom
        classrooms.lock_session
        """,
    "is a step of others, and runs while they hold the session or the table": """
        classes.boards.deal_board classes.forming.form classes.forming.new_table
        classes.forming.remove_tables
        classes.seating.forget_seat classes.seating.free_seat_at
        classes.seating.give_seats classes.seating.remove_seat
        classes.seating.remove_table classes.sessions.set_attendance
        classes.sessions.update_session classes.sessions.update_tables
        classes.steering.mark_closed
        classrooms.add_student classrooms.answer_request classrooms.attend classrooms.changed
        classrooms.forget_newcomers classrooms.leave_browser classrooms.new_student
        classrooms.set_language classrooms.use_request tables.notify.changed
        tables.notify.session_changed tables.notify.table_changed
        tables.dealing.deal tables.dealing.deal_first tables.dealing.deal_next
        tables.results.write_results tables.seats.free_seat
        tables.seats.keep_no_seat tables.seats.open_seats tables.seats.seat_student
        tables.seats.seat_students tables.seats.set_stand_in
        tables.seats.start_if_all_here tables.steering.pause
        """,
    "stores new rows, which nobody else can know of yet": """
        assessment.draw_halves taking.taker_of
        classes.sessions.open_session classrooms.copy_classroom classrooms.invite
        classrooms.open_classroom
        classrooms.open_session classrooms.sign_up_and_join giving.give
        cover.begin_boards cover.exit_question cover.make_sheet
        tables.opening.new_guest tables.opening.open_homework_table tables.opening.open_table
        """,
    "writes one row that belongs to no class session": "classrooms.join classrooms.withdraw",
    "writes one row, and waits for nothing else": """
        classes.steering.show_replay classes.steering.take_replay_down classrooms.call_session
        polls.keep_worths
        """,
    "writes one row after the other, each by itself": """
        grades.press grades.send grades.send_due grades.send_for_ever members.note_services
        """,
    "notes who is here, and waits for nobody": """
        classrooms.mark_here classrooms.note_day classrooms.update_unlocked
        doing.note_presence tables.seats.mark_seen
        """,
    "is make_move once the clock says so": "tables.moves.make_clock_move",
    "is end_matches, then begin_match": "league.begin_or_find_game",
    "is begin, or begin_as_teacher, where nothing is begun": "homework.open_board",
    "takes one table after the other, each in a transaction": """
        tables.forgetting.forget tables.forgetting.make_room tables.results.rebuild_results
        """,
    "closes or deletes one homework after the other, each in a transaction": """
        giving.close_due giving.purge homework.due_for homework.homework_for
        homework.homework_of homework.homework_for_teacher
        """,
    "locks its own question or person, and only links to what others lock": """
        asking.answer asking.answer_once asking.ask_at_table asking.ask_from_set
        asking.ask_in_practice
        before_class.class_question
        forecasts.make_forecast mistakes.keep_choice mistakes.keep_mistakes
        mistakes.try_again asking.solve
        doing.begin doing.build doing.deal_hands doing.explain doing.finish_step doing.predict
        doing.question_in asking.show_hint homework.answer_puzzle
        cover.answer_puzzle cover.note_chapter
        homework.question_of taking.answer taking.begin polls.vote trial.answer trial.look
        trial.plan
        """,
    "deletes what nothing links to but what it unlinks": """
        asking.purge_questions doing.purge_visits cover.forget_empty cover.purge
        """,
    "rings, and stores nothing": """
        tables.notify.notify_through tables.notify.notify_now tables.notify.notify_after_commit
        tables.notify.notify_session_after_commit tables.notify.session_key
        tables.notify.notify_processes
        """,
}
"""Services that are not watched, each under the reason why."""


def with_another_teacher(room: A) -> Any:
    """The teacher who leaves; another one stays."""
    leaving = room["s"].classroom.teachers.get()
    room["s"].classroom.teachers.add(a_teacher("another"))
    return leaving


def usual(service: Callable[..., Any], room: A, given: A) -> A:
    """What the service needs beside what it is given."""
    needed = inspect.signature(service).parameters.values()
    return {
        each.name: USUAL[each.name](room)
        for each in needed
        if each.kind is not each.VAR_KEYWORD and each.default is each.empty
        if each.name not in given
    }


def test_each_locks_in_order(each: Each, watched: Callable[[], Any]) -> None:
    session, students = a_room()
    tables = picture(session).tables
    room = {"s": session, "id": session.pk, "who": students, "tables": tables}
    for name, given in SERVICES.items():
        with each(name=name):
            own = deepcopy(room)
            module, _dot, called = name.partition(":")[0].rpartition(".")
            service = getattr(MODULES[module], called)
            arguments = given(own) if callable(given) else given
            arguments = {**usual(service, own, arguments), **arguments}
            with watched() as watch:
                service(**arguments)
            assert watch.crossed == []
            assert any(watch.held.values()) == (name not in LOCKS_NOTHING)


def test_every_service_is_watched_or_there_is_a_reason() -> None:
    found = [
        f"{name}.{each}"
        for name, module in MODULES.items()
        for each, service in inspect.getmembers(module, inspect.isfunction)
        if service.__module__ == module.__name__ and not each.startswith("_")
    ]
    watched_ones = {name.partition(":")[0] for name in SERVICES}
    others = [name for names in NOT_WATCHED.values() for name in names.split()]
    assert len(others) == len(set(others))
    assert not watched_ones & set(others)
    assert sorted({*watched_ones, *others}) == sorted(found)


def test_the_end_of_a_board_and_the_next_one_lock_in_order(watched: Callable[[], Any]) -> None:
    session, _students = playing(4, seats=2, duplicate=True, variant="win")
    first, last = picture(session).tables
    play(first)
    play(last, lambda state: len(state.moves) == 15)
    with watched() as watch:
        play(last)
    assert watch.crossed == []
    assert len(watch.held[Table._meta.db_table]) > 0
    with watched() as watch:
        steering.deal_next_round(session_id=session.pk)
    assert watch.crossed == []


def test_a_waiting_class_is_seated_anew_in_order(watched: Callable[[], Any]) -> None:
    session = a_session(seats=2)
    for number in range(4):
        joining.join(session=session, name=f"Early Elk {number}")
    forming.form_tables(session_id=session.pk)
    wishes = SessionSettings.objects.get(class_session=session)
    wishes.seats = 4
    with watched() as watch:
        steering.change_settings(session_id=session.pk, settings=wishes)
    assert watch.crossed == []

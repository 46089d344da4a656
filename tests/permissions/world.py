"""One world for the table of permission: two schools' people, every kind of table, homework."""

from __future__ import annotations

from dataclasses import dataclass

from django.test import Client

from games import league
from games.classes import joining
from games.models import Deal, Guest, Position
from games.rules import move_text
from games.study.look_back.past_rounds import past_round
from games.study.puzzles.daily import FIRST
from games.tables import seats
from games.tables.state import load_table
from games.tables.viewers import Browser, find_guest, seat_token, watch_token
from lessons.assessment import giving as tests
from lessons.assessment import taking
from lessons.homework import cover, giving
from lessons.models import Assessment, Homework, Slip
from lessons.questions import sets
from lessons.questions.learners import Learner
from lessons.questions.mistakes import own_round
from lessons.results.news import settings_of, share_token
from tests.games.classroom import (
    a_session,
    a_teacher,
    device_of,
    picture,
    playing,
    signed_in,
    students_in,
)
from tests.games.table import a_browser, finish, friends, key_of, solo
from tests.scenes.by_students import play_by_students
from tests.scenes.homework import at_home, play_as_teacher, play_board, some_homework
from tests.scenes.questions import asked
from xactika_site.accounts import services as accounts
from xactika_site.classrooms import services as classrooms
from xactika_site.classrooms.models import Attendance, ClassSession, Student

CAST = (
    *("teacher", "second", "another"),
    *("student", "neighbour", "home", "asking", "removed", "barred", "done", "elsewhere"),
    *("opener", "friend", "watcher", "stranger", "nobody"),
)
"""The classroom's two teachers and one of another. At the class's first table a
student, at its second a neighbour; a student at home, by the phrase; one who waits for a yes,
two sent out of the first table, a device that forgot its student, a student of another class.
At a table of friends: its opener, who is at a cover lesson, too, a friend by a seat's link,
somebody by the watch link; elsewhere a guest; a browser without any cookie."""


@dataclass
class World:
    """What there is, everybody's browser, and the words of its addresses."""

    session: ClassSession
    homework: Homework
    assessment: Assessment
    tables: dict[str, str]
    browsers: dict[str, Client]
    words: dict[str, object]

    def end(self) -> None:
        """All tables have been played to their end, and the homework is closed."""
        for name in ("friends", "solo"):
            finish(self.tables[name])
        for table in picture(self.session).tables:
            play_by_students(table)
        giving.close(homework=self.homework)
        tests.close_test(assessment=self.assessment, test=1)
        tests.open_second(assessment=self.assessment)
        tests.close_test(assessment=self.assessment, test=2)
        for name in ("friends", "solo", "class"):
            self.words[f"{name}_position"] = position_of(self.tables[name])
        self.words["slip"] = self.slip().pk

    def slip(self) -> Slip:
        """The opener's first move at the solo table, as if it had cost something."""
        guest = self.guest("opener")
        own = own_round(Browser(guest=guest), self.tables["solo"], 1)
        past = past_round(own.sight.state, 1)
        moment, turn = next(iter(past.turns(own.seat).items()))
        deal = Deal.objects.get(table=self.tables["solo"], round=1)
        position = Position.objects.create(deal=deal, moves=moment, seat=own.seat)
        worths = {move_text(move): float(n) for n, move in enumerate(turn.observation.legal)}
        return Slip.objects.create(guest=guest, position=position, worths=worths)

    def guest(self, who: str) -> Guest:
        """The guest at somebody's browser."""
        return guest_at(self.browsers[who])


def guest_at(browser: Client) -> Guest:
    """The guest whose cookie this browser has."""
    guest = find_guest(key_of(browser))
    assert guest is not None
    return guest


SUM = "# 1\n2 + 2 = ?\nnumber: 1 + 1 + 2 =\nright: 4\n"
"""A question that says no word."""


def a_world() -> World:
    """The world while everybody plays."""
    session, students = playing(7, seats=3, rounds=2, seating="arrival")
    people = browsers_of_class(session, students)
    people |= {name: a_browser()[0] for name in CAST[11:15]} | {"nobody": Client()}
    guests = {name: guest_at(people[name]) for name in CAST[11:15]}
    tables = {
        "class": picture(session).tables[0],
        "friends": friends(opener=guests["opener"], people=2, seats=3, rounds=2),
        "solo": solo(guests["opener"], seats=3, rounds=2),
    }
    seats.admit(table_id=tables["friends"], seat=1, guest=guests["friend"])
    seats.admit(table_id=tables["friends"], seat=None, guest=guests["watcher"])
    homework = some_homework(
        session.classroom, boards=2, puzzles=1, questions=5, skill="graphs"
    )
    tables["board"] = play_board(homework, students[0], 1)
    tables["taught"] = play_as_teacher(homework, a_teacher("teacher"), 1)
    league.open_league(classroom=session.classroom)
    assessment = tests.open_first(classroom=session.classroom, skills=["combining"], length=8)
    taking.begin(assessment=assessment, student=students[0])
    sheet = cover.make_sheet(classroom=session.classroom, until=homework.until)
    cover.come_in(sheet=sheet, guest=guests["opener"])
    watched = load_table(tables["friends"])
    words: dict[str, object] = {
        **tables,
        "session": session.pk,
        "classroom": session.classroom_id,
        "code": session.classroom.code,
        "student": students[0].pk,
        "homework": homework.pk,
        "assessment": assessment.pk,
        "cover": sheet.key,
        "sheet": sheet.pk,
        "set": sets.create(classroom=session.classroom, name="7", text=SUM).pk,
        "day": FIRST,
        "seat": seat_token(watched.id, 1, watched.seats[1].serial),
        "watch": watch_token(watched.id, watched.watch_serial),
        "question": asked(Learner(guest=guests["opener"])).pk,
        "theirs": asked(Learner(student=students[0])).pk,
        "results": share_token(settings_of(session)),
        "shared": classrooms.invite(classroom=session.classroom).token,
        "invited": accounts.invite(by=None).token,
        "first": accounts._first.sign("teacher"),
        "reset": accounts.reset_link(a_teacher("another")).removeprefix("/teach/reset/"),
        "board_position": position_of(tables["board"]),
    }
    return World(session, homework, assessment, tables, people, words)


def browsers_of_class(session: ClassSession, students: list[Student]) -> dict[str, Client]:
    """The browsers of the class's teachers and students, and of another class's."""
    session.classroom.teachers.add(a_teacher("second"))
    other = a_session(None)
    a_session(classrooms.open_classroom(name="8c", teacher=a_teacher("another")))
    student, removed, barred = students[:3]
    (asking,) = students_in(session, 1)
    joining.send_out(session_id=session.pk, student_id=asking.pk)
    Attendance.objects.filter(student=asking).update(state=Attendance.State.ASKING)
    here = {"student": student, "neighbour": students[3], "asking": asking, "removed": removed}
    browsers = {name: device_of(each, session) for name, each in here.items()}
    browsers["barred"] = device_of(barred, session)
    browsers["done"] = device_of(student, session)
    browsers["home"] = at_home(students[4])
    browsers["done"].post(f"/class/{session.pk}/done/")
    browsers["elsewhere"] = device_of(students_in(other, 1)[0], other)
    for each, bar in ((removed, False), (barred, True)):
        joining.send_out(session_id=session.pk, student_id=each.pk, bar=bar)
    return {name: signed_in(a_teacher(name)) for name in CAST[:3]} | browsers


def position_of(table: str) -> str:
    """A position of the table's first round, as its first seat saw it."""
    deal = Deal.objects.get(table=table, round=1)
    return Position.objects.create(deal=deal, moves=4, seat=0).pk

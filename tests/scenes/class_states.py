"""A class in every state that a student or a teacher may find it in, made by the services
inside the server's Django. Prints JSON, for ``tests/e2e/test_class_states.py``."""

from __future__ import annotations

import json
from typing import Any

from games.classes import closing, forming, joining, sessions, steering
from games.classes.state import load_session
from games.tables.state import load_table
from tests.games.classroom import a_classroom, a_session, a_teacher, signed_in, students_in
from tests.games.table import finish, play
from tests.scenes.by_students import finish_round
from xactika_site.classrooms.models import ClassSession, Student
from xactika_site.classrooms.selectors import device_key

Lobby = tuple[ClassSession, list[Student], tuple[str, ...]]


class Seen:
    """What students see: pages of lobbies and of tables, each with the device's cookie."""

    def __init__(self) -> None:
        self.lobbies: dict[str, tuple[int, str]] = {}
        self.tables: dict[str, tuple[str, str]] = {}

    def lobby(self, moment: str, people: int = 1, *, began: bool = True, **how: Any) -> Lobby:
        """A session in which the first student's lobby shows this moment."""
        session = a_session(a_classroom(name=f"8 {moment}"), **how)
        students = students_in(session, people)
        if began:
            steering.start(session_id=session.pk)
        self.lobbies[moment] = session.pk, device_key(students[0], session)
        return session, students, load_session(session.pk).tables

    def table(self, what: str, session: ClassSession, student: Student) -> str:
        """The student's table, to be looked at in this state."""
        known = next(k for k in load_session(session.pk).students if k.pk == student.pk)
        assert known.table
        self.tables[what] = known.table, device_key(student, session)
        return known.table


def students() -> None:
    """What students may see in a lobby and at a table."""
    seen = Seen()
    here, people, _ = seen.lobby("here", 12, began=False)
    session, people_, _ = seen.lobby("asking", began=False)
    people_[0].attendances.update(state="asking")
    session, *_ = seen.lobby("seated", 9, began=False)
    forming.form_tables(session_id=session.pk)
    session, some, _ = seen.lobby("paused", 2)
    steering.pause_room(session_id=session.pk, paused=True)
    seen.table("paused", session, some[0])
    session, some, _ = seen.lobby("over", 8, rounds=1, watching=True)
    finish(seen.table("over", session, some[0]))
    *_, (table,) = seen.lobby("all_over", 2, rounds=1)
    finish(table)
    session, *_ = seen.lobby("waiting", 4, seating="by_hand", watching=True)
    late = joining.join(session=session, name="Patient Puffin")
    seen.lobbies["waiting"] = session.pk, device_key(late, session)
    session, some, _ = seen.lobby("table_closed", 8)
    closed = seen.table("closed", session, some[0])
    steering.close_table(session_id=session.pk, table_id=closed)
    for moment, barred in (("removed", False), ("barred", True)):
        session, some, _ = seen.lobby(moment)
        joining.send_out(session_id=session.pk, student_id=some[0].pk, bar=barred)
    session, _, (table, *_) = seen.lobby("closed", 3, rounds=2)
    play(table, by=lambda seat: {"student_id": load_table(table).seats[seat].student_id})
    closing.close_session(session_id=session.pk)
    for what, how in (("held", {"held": True}), ("clock", {"clock": 600.0, "seats": 2})):
        session, some, _ = seen.lobby(what, 2, **how)
        of_it = seen.table(what, session, some[0])
        del seen.lobbies[what]
        if what == "held":
            play(of_it)
    locked = a_session(a_classroom(name="8 locked"))
    sessions.set_flags(session_id=locked.pk, locked=True)
    told = {
        "code": here.classroom.code,
        "name": people[1].name,
        "unopened": a_classroom(name="8 unopened").code,
        "locked": locked.classroom.code,
        "lobbies": seen.lobbies,
        "tables": seen.tables,
    }
    print(json.dumps(told))  # noqa: T201 (to the test)


def teacher() -> None:
    """What a teacher may see; what other tests of a class do not come to."""
    ada = a_teacher("seldom seen")

    def a_room(what: str, how_many: int, **how: Any) -> tuple[ClassSession, list[Student]]:
        session = a_session(a_classroom(ada, name=what), **how)
        return session, students_in(session, how_many)

    big, many = a_room("twenty tables", 40, seats=2, seating="arrival")
    steering.start(session_id=big.pk)
    tables = load_session(big.pk).tables
    for table in tables[::3]:
        play(table, lambda state: len(state.moves) == 5)
    for table in tables[1::3]:
        play(table)
    steering.pause_table(session_id=big.pk, table_id=tables[4], paused=True)
    over, _ = a_room("all over", 9, rounds=1)
    steering.start(session_id=over.pk)
    finish_round(over)
    sessions.set_flags(session_id=over.pk, names_hidden=False)
    locked, _ = a_room("locked", 1)
    sessions.set_flags(session_id=locked.pk, locked=True)
    ended, (one, _two) = a_room("ended", 2, rounds=1, seats=2)
    steering.start(session_id=ended.pk)
    old = load_session(ended.pk).tables[0]
    finish(old)
    steering.next_game(session_id=ended.pk)
    closing.close_session(session_id=ended.pk)
    shut, (out,) = a_room("barred", 1)
    joining.send_out(session_id=shut.pk, student_id=out.pk, bar=True)
    flooded, _ = a_room("flooded", 30)
    closing.close_session(session_id=flooded.pk)
    told = {
        "cookie": signed_in(ada).cookies["sessionid"].value,
        "flooded": flooded.classroom_id,
        "big": big.pk,
        "tables": tables,
        "over": over.pk,
        "locked": locked.pk,
        "classroom": big.classroom_id,
        "student": many[0].pk,
        "old": old,
        "ended": load_session(ended.pk).tables[0],
        "one": device_key(one, ended),
        "out": device_key(out, shut),
        "code": shut.classroom.code,
    }
    print(json.dumps(told))  # noqa: T201 (to the test)

"""Scenes for the walls' walk, run inside the server's Django: what the projector shows in every
stage with every number of tables, and classes at lessons and exercises. Prints JSON."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from copy import copy
from dataclasses import replace
from fractions import Fraction
from importlib import import_module
from random import Random
from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY

from games.classes import forming, steering
from games.classes.game import BoardLine
from games.classes.projector import projector_fragments
from games.classes.state import OwnRound, SessionState
from games.tables.rendering import Picture
from games.tables.state import TableState, load_table, one_long_transaction
from games.tables.view import Boards, InClass
from lessons.course import Lesson, Step, StepKind, graphs, lessons
from lessons.course.variables import variable
from lessons.demo import answers
from lessons.exercises import EXERCISES
from lessons.models import ClassExercise, LessonRun
from lessons.questions import asking, before_class
from lessons.questions.in_class import exercise_before, exercises_by_source, source_of
from lessons.visits import doing, holding
from lessons.visits.ways import Visitor, answer_counts, way_of
from tests.games.classroom import a_classroom, a_session, a_teacher, picture, students_in
from tests.games.table import play
from tests.scenes.by_students import by_their_student, finish_round, in_mid_trick
from tests.scenes.questions import right_texts
from xactika_site.accounts.models import User
from xactika_site.accounts.services import Refused
from xactika_site.classrooms.models import Classroom, ClassSession, Student
from xactika_site.classrooms.names import ADJECTIVES, NOUNS

BASE = "https://cards.a-school-with-a-long-name.example"
State = ClassSession.State

LONGEST = f"{max(ADJECTIVES, key=len)} {max(NOUNS, key=len)}"
IS_LONG = os.environ.get("XACTIKA_SOAK") == "1"
TABLES = (*range(1, 13), 17, 24, 25, 50, 125) if IS_LONG else (1, 2, 7, 11, 17, 125)
OFTEN_THE_SAME = {"bidding", "playing", "the game over"}
CLASS = 12
"""Students of each class at a lesson: enough for its figures, and two digits."""

Scene = dict[str, str]


def projector(session: ClassSession) -> Iterator[Scene]:
    """The projector's scenes, made from one table that four have played at."""
    students_in(session, 4)
    lobby = picture(session)
    for alone in (BASE, "http://127.0.0.1:8000"):
        yield scene(f"lobby at {alone}", lobby, {}, alone)
    for n in (1, 2, 7, 24, 40, 500):
        named = tuple(replace(lobby.students[0], name=LONGEST) for _ in range(n))
        yield scene(f"{n} in the lobby", replace(lobby, students=named), {}, BASE)
    closed = lobby.entry._replace(locked=True)
    crowd = replace(lobby, students=lobby.students * 120)
    yield scene("a full lobby", replace(crowd, names_hidden=True), {}, BASE)
    yield scene("a locked lobby", replace(crowd, entry=closed), {}, BASE)
    forming.form_tables(session_id=session.pk)
    waiting = load_table(picture(session).tables[0])
    steering.start(session_id=session.pk)
    state = picture(session)
    (table_id,) = state.tables
    bidding = load_table(table_id)
    trick = in_mid_trick(table_id)
    finish_round(session)
    over = load_table(table_id)
    steering.deal_next_round(session_id=session.pk)
    play(table_id, lambda t: bool(t.status == "playing"), by=by_their_student(table_id))
    second = load_table(table_id)
    yield scene("pause", replace(state, state=State.PAUSED), {table_id: trick}, BASE)
    yield scene("end", replace(state, state=State.CLOSED), {table_id: over}, BASE)
    yield scene("all tables closed", *tables(state, [replace(trick, closed=True)] * 3), BASE)
    for n in TABLES:
        for name, states in {
            "bidding": [bidding],
            "playing": [trick],
            "the second round": [second],
            "all kinds": [second, trick, over, replace(second, paused=True)],
            "a round over": [over],
            "the game over": [replace(over, setup=replace(over.setup, rounds=1))],
        }.items():
            if not IS_LONG and name in OFTEN_THE_SAME and n not in {2, 17}:
                continue
            mixed = [states[number % len(states)] for number in range(n)]
            shown = tables(state, mixed)
            yield scene(f"{n} tables, {name}", *shown, BASE)
    for n in (1, 11, 125):
        shown = tables(state, ([trick, second] * n)[:n], "W" * 40)
        yield scene(f"{n} tables, a name of 40 letters", *shown, BASE)
    forty = tuple(replace(lobby.students[0], name="W" * 40) for _ in range(40))
    yield scene("40 names of 40 letters", replace(lobby, students=forty), {}, BASE)
    for n in TABLES:
        shown = tables(state, [second] * n)
        yield scene(
            f"{n} tables, no names", replace(shown[0], names_hidden=True), shown[1], BASE
        )
        plan = tables(state, [waiting] * n)
        yield scene(f"{n} tables, the plan", replace(plan[0], state=State.LOBBY), plan[1], BASE)
        as_teams = copy(state.settings)
        as_teams.teams = True
        yield scene(f"{n} tables, teams", replace(shown[0], settings=as_teams), shown[1], BASE)
    for seats in range(2, 11) if IS_LONG else (2, 10):
        for n in (4, 11, 30):
            shown = tables(
                state,
                [replace(over, part=replace(in_class(over), boards=Boards(shown_round=1)))] * n,
            )
            on_board = lines(list(shown[1].values()), seats, n)
            played = shown[0].played._replace(lines=on_board)
            board = replace(shown[0], duplicate=True, played=played)
            title = f"a board of {seats} seats at {n} tables"
            yield scene(title, board, shown[1], BASE)
            if n == 11:
                hidden = replace(board, names_hidden=True)
                yield scene(f"{title}, no names", hidden, shown[1], BASE)


def in_class(state: TableState) -> InClass:
    """What is a class's of a table."""
    assert isinstance(state.part, InClass)
    return state.part


def tables(
    session: SessionState, states: list[TableState], name: str = LONGEST
) -> tuple[SessionState, dict[str, TableState]]:
    """So many tables of a present game, with the longest names there are."""
    shown = {}
    for number, state in enumerate(states, start=1):
        seats = tuple(
            replace(seat, name=name, student_id=seat.student_id and 100 * number + seat.number)
            for seat in state.seats
        )
        table_id = f"t{'abcdefghij'[number % 10]}{number}"
        shown[table_id] = replace(
            state, id=table_id, part=replace(in_class(state), number=number), seats=seats
        )
    outcomes = tuple(
        OwnRound(table_id, len(table.points), None, 3, 3 + (n * m) % 5 - 2)
        for n, (table_id, table) in enumerate(shown.items())
        for m in range(4)
    )
    own = {
        seat.student_id: (table.totals[seat.number], len(table.points))
        for table in shown.values()
        for seat in table.people
        if table.points and seat.student_id is not None
    }
    played = session.played._replace(outcomes=outcomes, points_by_student=own)
    playing = replace(
        session, tables=tuple(shown), played=played, state=State.OPEN, names_hidden=False
    )
    return playing, shown


def lines(shown: list[TableState], seats: int, n: int) -> tuple[BoardLine, ...]:
    """What the tables made of a board; at the first seat all alike."""
    rng = Random(n)
    return tuple(
        BoardLine(
            board=1,
            table_id=table.id,
            table=table.number,
            seat=seat,
            name=LONGEST,
            is_bot=False,
            student=100 * table.number + seat,
            bid=2,
            taken=rng.choice((0, 1, 2, 8)) if seat else 3,
            points=10,
            fair_score=Fraction(-97, 10),
        )
        for seat in range(seats)
        for table in shown
    )


def scene(name: str, state: SessionState, shown: dict[str, TableState], base: str) -> Scene:
    wall = Picture(projector_fragments(state, shown, base))
    return {"name": name, "head": wall.whole("wall-head"), "stage": wall.whole("wall-stage")}


def a_played(session: ClassSession) -> list[Student]:
    """The students of this session, who have all finished a round."""
    students = students_in(session, CLASS)
    steering.start(session_id=session.pk)
    finish_round(session)
    return students


def at_lessons(new_session: Callable[[str], ClassSession]) -> list[dict[str, object]]:
    """A class at the beginning of each lesson, which has played, and has done every step."""
    found = []
    for course in lessons():
        session = new_session(course.slug)
        visitors = [Visitor(student=each, session=session.pk) for each in a_played(session)]
        run = holding.hold(session=session, slug=course.slug)
        rng = Random(course.number)
        for place, step in enumerate(course.steps, start=1):
            LessonRun.objects.filter(pk=run.pk).update(step=place)
            for visitor in visitors:
                do(course, place, step, visitor, rng)
        done = answer_counts(run)
        to_do = {step.name for step in course.steps if step.kind is not StepKind.REVEAL}
        assert done == dict.fromkeys(to_do, CLASS), course.slug
        LessonRun.objects.filter(pk=run.pk).update(step=1)
        predicts = [
            n for n, s in enumerate(course.steps, start=1) if s.kind is StepKind.PREDICT
        ]
        found.append(
            {
                "session": session.pk,
                "lesson": course.slug,
                "steps": len(course.steps),
                "predicts": predicts,
            }
        )
    return found


def do(course: Lesson, number: int, step: Step, visitor: Visitor, rng: Random) -> None:
    """What a student does in one step, of whatever kind."""
    at: dict[str, Any] = {"lesson": course, "visitor": visitor, "number": number}
    if step.exercise:
        question = doing.question_in(way=way_of(course, visitor), number=number)
        assert question is not None
        asking.answer(question_id=question.pk, number=0, texts=right_texts(question))
    elif step.build:
        asked = variable(step.build)
        for curve in range(len(asked.curves)):
            heights = map(str, graphs.right_heights(asked, curve))
            fields = graphs.fields(asked)
            texts = {field.key: height for field, height in zip(fields, heights, strict=True)}
            doing.build(**at, texts=texts)
    elif step.kind is StepKind.DO and step.deal is None:
        doing.finish_step(**at)
    else:
        answers._do(course, number, step, visitor, rng)


def at_exercises(new_session: Callable[[str], ClassSession]) -> list[dict[str, object]]:
    """A class before each exercise that can be put, where the answers are typical mistakes. It
    has played what the exercise may be about."""
    found = []
    for key in EXERCISES:
        source = source_of(key)
        if source is None:
            continue
        is_of_the_deck = source == ClassExercise.Source.DECK
        rng = Random(EXERCISES[key].number)
        for _try in range(9):  # a round may hold nothing to ask about
            session = new_session(key)
            students = students_in(session, CLASS) if is_of_the_deck else a_played(session)
            with suppress(Refused):
                seed = before_class.draft(session=session, exercise=key, rng=rng).seed
                break
        before_class.put(session=session, exercise=key, seed=seed)
        present = exercise_before(session.pk)
        assert present is not None
        for student in students:
            question = before_class.class_question(exercise=present, student=student)
            if question is not None:
                asked = EXERCISES[key].build(question.parameters)
                slip = asked.wrong[student.pk % len(asked.wrong)].answers if asked.wrong else {}
                answers._store(question, asked, 0, dict(slip))
        found.append({"session": session.pk, "exercise": key, "put": present.pk})
    return found


def signed_in(teacher: User) -> str:
    """The cookie of a browser in which this teacher is signed in."""
    store = import_module(settings.SESSION_ENGINE).SessionStore()
    store[SESSION_KEY] = str(teacher.pk)
    store[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    store[HASH_SESSION_KEY] = teacher.get_session_auth_hash()
    store.create()
    return str(store.session_key)


def floor(name: str) -> None:
    """For ``test_floor.py``: a class to come in to, one that waits, one that has played."""
    teacher = a_teacher(name)
    lobby = a_session(a_classroom(teacher, name=f"7 {name}"), seats=4, rounds=1)
    waiting = a_session(a_classroom(teacher, name=f"9 {name}"), seats=4)
    students_in(waiting, CLASS)
    played = a_session(a_classroom(teacher, name=f"8 {name}"), seats=4, rounds=8)
    a_played(played)
    found = {
        "cookie": signed_in(teacher),
        "code": lobby.classroom.code,
        "session": lobby.pk,
        "played": played.pk,
        "waiting": waiting.pk,
    }
    print(json.dumps(found))  # noqa: T201 (to the test)


def main(what: str) -> None:
    """For ``test_walls.py``: the teacher's cookie, and what there is to walk through."""
    teacher = a_teacher(f"walls of {what}")

    def new_session(name: str) -> ClassSession:
        room = a_classroom(teacher, name=f"Mathematics {name}"[:40])
        Classroom.objects.filter(pk=room.pk).update(demo=True)  # its badge takes place, too
        return a_session(room, seats=4, rounds=8)

    with one_long_transaction():
        found: dict[str, object] = {"cookie": signed_in(teacher)}
        if what == "projector":
            session = new_session(what)
            found |= {"session": session.pk, what: list(projector(session))}
        elif what == "lessons":
            found[what] = at_lessons(new_session)
        else:
            found[what] = at_exercises(new_session)
            found["offered"] = [each.key for _, some in exercises_by_source() for each in some]
    print(json.dumps(found))  # noqa: T201 (to the test)

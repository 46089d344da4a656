"""What many do at once to one class, on threads of a process of its own: ``test_locks.py`` runs
it on PostgreSQL, where writers wait for each other row by row."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import count
from random import Random
from threading import Event, Thread
from typing import Any
from unittest.mock import patch

from django.db import connection, transaction
from django.utils import timezone

from games.classes import closing, joining, sessions, steering
from games.classes.state import load_session
from games.models import Result, Seat, SessionSettings, Table
from games.rules import Variant, parse_move
from games.tables import moves, opening, results
from games.tables import seats as table_seats
from games.tables import steering as table_steering
from games.tables.refusals import Rejected
from games.tables.state import load_table
from lessons.questions import before_class
from lessons.visits import holding
from xactika_site.accounts.models import User
from xactika_site.classrooms import services as classrooms
from xactika_site.classrooms.models import Attendance, ClassSession, Student
from xactika_site.classrooms.selectors import NotFound

TIMES = 2
"""So often each thing is done, however slow it is here."""

ANSWERS = (Rejected, classrooms.Refused, NotFound, Student.DoesNotExist)
"""What a service may say to somebody whom another was quicker than."""

choice = Random(0).choice


def a_class(students: int, *, name: str, **wishes: Any) -> ClassSession:
    """A session of a new classroom, started with so many students at tables of two."""
    teacher = User.objects.get_or_create(username="locks")[0]
    settings = SessionSettings(
        **{"variant": "win", "seats": 2, "rounds": 8, "pace": 0, "patience": 1, **wishes}
    )
    session = sessions.open_session(
        classroom=classrooms.open_classroom(name=name, teacher=teacher), settings=settings
    )
    for number in range(students):
        joining.join(session=session, name=f"Student {number}")
    steering.start(session_id=session.pk)
    return session


def a_connection_for_each(jobs: Collection[str]) -> None:
    """Or on a slow machine one waits longer for a connection than any may."""
    connection.close()
    connection.close_pool()  # type: ignore[attr-defined]
    options: Any = connection.settings_dict["OPTIONS"]
    options["pool"]["max_size"] = len(jobs) + 1


def over_and_over(seconds: float, jobs: dict[str, Callable[[], Any]]) -> dict[str, Any]:
    """Do each job again and again, each on a thread of its own, and until each was done a few
    times, in a minute more: how often it was done, and which errors there were."""
    a_connection_for_each(jobs)
    until = time.monotonic() + seconds
    done: Counter[str] = Counter()
    errors: list[str] = []

    def goes_on() -> bool:
        late = time.monotonic() - until
        return late < 0 or (late < 60 and min(done[name] for name in jobs) < TIMES)

    def work(name: str, job: Callable[[], Any]) -> None:
        while goes_on():
            try:
                job()
                done[name] += 1
            except ANSWERS:
                pass
            except Exception as error:
                errors.append(f"{name}: {type(error).__name__} {error}".splitlines()[0])
            finally:
                connection.close()  # back to the pool, as the hub does

    with ThreadPoolExecutor(len(jobs)) as pool:
        list(pool.map(work, jobs.keys(), jobs.values()))
    return {"done": done, "errors": errors}


def move(session_id: int) -> None:
    """Whoever is to move at one of the tables does, or the next round is dealt."""
    tables = load_session(session_id).tables
    if not tables:  # all deleted just now
        return
    table = load_table(choice(tables))
    if table.status == "game_over":
        steering.next_game(session_id=session_id)
    if table.status == "round_over" and not table.people:  # the last was sent away
        moves.go_on(table_id=table.id)
    elif table.status == "round_over":
        moves.say_ready(table_id=table.id, seat=table.people[0].number, turn=table.turn)
    moves.make_bot_move(table_id=table.id, turn=table.turn, for_anybody=True)


def everything_at_once(seconds: float) -> dict[str, Any]:
    """Moves, presence, students who come, go and are deleted, beside a teacher who pauses the
    room and tells it things."""
    session = a_class(8, name="crowd")
    numbers = count()
    exercise = "deck-size"

    def students() -> list[Student]:
        return list(Student.objects.filter(classroom=session.classroom_id).order_by("pk"))

    def come_and_be_deleted() -> None:
        student = joining.join(session=session, name=f"Guest {next(numbers)}")
        table_seats.remove_student(student=student)

    def be_sent_out() -> None:
        student = choice(students()[:8]).pk
        joining.send_out(session_id=session.pk, student_id=student, bar=choice((True, False)))
        joining.let_in(session_id=session.pk, student_id=student)

    def be_sent_away() -> None:
        student = joining.join(session=session, name=f"Made up {next(numbers)}")
        joining.send_out(session_id=session.pk, student_id=student.pk)
        joining.delete_unplayed_students(classroom=session.classroom, students={student.pk})

    def pause() -> None:
        for paused in (True, False):
            steering.pause_room(session_id=session.pk, paused=paused)

    def be_there() -> None:
        seats = Seat.objects.filter(table__class_session=session, student__isnull=False)
        keys = list(seats.values_list("pk", flat=True))
        table_seats.mark_seen(seats=keys, when=timezone.now())
        seat = choice(seats)
        table_seats.open_seat(table_id=seat.table_id, seat=seat.number)
        table_seats.mark_gone(
            table_id=seat.table_id,
            seat=seat.number,
            unless_seen_since=timezone.now() + timedelta(seconds=1),
        )
        here = list(
            Attendance.objects.filter(class_session=session).values_list("pk", flat=True)
        )
        classrooms.mark_here(attendances=here)

    def lose_the_phrase() -> None:
        key = classrooms.ask_to_return(session=session, name=choice(students()).name)
        classrooms.take_back_request(session=session, key=key)

    def answer_requests() -> None:
        for request in load_session(session.pk).requests:
            joining.answer_request(session_id=session.pk, request_id=request[0], granted=True)
        steering.set_time_factor(
            session_id=session.pk, student_id=choice(students()).pk, factor=1.5
        )

    def put_exercises() -> None:
        put = before_class.put(session=session, exercise=exercise, seed=next(numbers))
        before_class.close(exercise=put)
        before_class.take_away(exercise=put)

    def hold_a_lesson() -> None:
        holding.hold(session=session, slug="sample-space")
        holding.end_lesson(session=session)
        steering.pause_room(session_id=session.pk, paused=False)

    return over_and_over(
        seconds,
        {
            "move": lambda: move(session.pk),
            "move, too": lambda: move(session.pk),
            "come and be deleted": come_and_be_deleted,
            "be sent out": be_sent_out,
            "be sent away": be_sent_away,
            "sign out": lambda: classrooms.sign_out(student=choice(students())),
            "pause": pause,
            "tell": lambda: closing.tell_class(session_id=session.pk),
            "be there": be_there,
            "be there, too": be_there,
            "lose the phrase": lose_the_phrase,
            "answer requests": answer_requests,
            "put exercises": put_exercises,
            "hold a lesson": hold_a_lesson,
        },
    )


def deleted_beside_moves(seconds: float) -> dict[str, Any]:
    """Sessions and classrooms are deleted while bots play in them."""
    present: list[int] = []
    numbers = count()

    def begin_and_delete() -> None:
        session = a_class(4, name=f"short {next(numbers)}")
        present[:] = [session.pk]
        time.sleep(0.05)
        if next(numbers) % 2:
            closing.delete_session(session_id=session.pk)
        else:
            closing.delete_classroom(classroom=session.classroom)
        assert not Table.objects.filter(class_session=session.pk).exists()

    def play() -> None:
        time.sleep(0.005)
        for session_id in present:
            move(session_id)

    jobs = {f"play {number}": play for number in range(4)}
    return over_and_over(seconds, {"begin and delete": begin_and_delete, **jobs})


def a_last_move_beside_the_mending() -> dict[str, Any]:
    """The last move of a round comes while its results are being derived anew."""
    session = a_class(2, name="mended")
    (table_id,) = load_session(session.pk).tables
    while len((state := load_table(table_id)).moves) < 15:
        moves.make_bot_move(table_id=table_id, turn=state.turn, for_anybody=True)

    def make_the_last() -> None:
        moves.make_bot_move(table_id=table_id, turn=state.turn, for_anybody=True)
        connection.close()

    last = Thread(target=make_the_last)
    numbers = count(1)

    def read_and_be_overtaken(text: str) -> Any:
        if next(numbers) == 15:
            last.start()
            last.join(timeout=1)
        return parse_move(text)

    with patch.object(results, "parse_move", read_and_be_overtaken):
        finished, differing = results.rebuild_results()
    last.join()
    return {
        "finished": finished,
        "differing": differing,
        "results": Result.objects.filter(deal__table=table_id).count(),
        "again": results.rebuild_results(check_only=True)[1],
    }


def a_close_that_waits_for_the_last_move() -> dict[str, Any]:
    """The table's opener closes it while the game's last move is being stored."""
    opener, _key = opening.new_guest()
    settings = opening.TableSettings(variant=Variant.WIN, seats=2, people=1, rounds=1, pace=0)
    table_id = opening.open_table(kind="solo", settings=settings, opener=opener).id
    while len((state := load_table(table_id)).moves) < 15:
        moves.make_bot_move(table_id=table_id, turn=state.turn, for_anybody=True)
    stored = Event()

    def move_slowly() -> None:
        with transaction.atomic():
            moves.make_bot_move(table_id=table_id, turn=state.turn, for_anybody=True)
            stored.set()
            time.sleep(0.5)
        connection.close()

    last = Thread(target=move_slowly)
    last.start()
    stored.wait()
    table_steering.close_table(table_id=table_id, guest=opener)
    last.join()
    return {"status": load_table(table_id).status}


def tell(found: dict[str, Any]) -> None:
    """Print what was found, for the test."""
    print(json.dumps(found))  # noqa: T201

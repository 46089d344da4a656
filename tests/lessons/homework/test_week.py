"""A class does its homework: in any order, over three days, with lost phrases, a deletion and
restarts in between. What its pages say is worked out again from the stored moves alone.

``make soak`` lets a class of thirty do it.
"""

from __future__ import annotations

from collections import defaultdict
from datetime import timedelta
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from django.core.cache import caches
from django.test import Client

from games.analysis import bots
from games.models import Deal, Move
from games.rules import Round, Variant, move_text, observe, parse_card, parse_move, score_round
from games.tables import seats as table_seats
from games.tables.results import rebuild_results
from games.tables.state import _cache, load_table
from lessons.homework import doing
from lessons.models import Homework, HomeworkBoard
from lessons.pages.results import namer
from lessons.results.homework import (
    dataset_of_homework,
    dot_plots,
    fair_score_in_all,
    gradebook_rows,
    panels,
)
from tests.games.classroom import a_classroom
from tests.games.conftest import Clock
from tests.scenes import SOAK, present
from tests.scenes.homework import a_class, one_move, some_homework
from xactika_site.classrooms import services as classrooms
from xactika_site.classrooms.models import Student
from xactika_site.classrooms.selectors import phrase_of

STUDENTS, BOARDS = (30, 4) if SOAK else (6, 2)
SPARE = 2
"""Of these nobody does anything."""


def come_in(student: Student, phrase: str) -> Client | None:
    """A browser at home, by the door; None if it stays shut."""
    client = Client()
    sent = {"code": student.classroom.code, "phrase": phrase}
    answer = client.post("/homework/", sent)
    assert answer.status_code in (302, 422)
    return client if answer.status_code == 302 else None


def restart() -> None:
    """Nothing that a process remembers outlives it."""
    _cache.clear()
    for cache in caches.all():
        cache.clear()


class Week:
    """Whoever has something left to do does a bit of it, now this one and now that."""

    def __init__(self, clock: Clock, rng: Random) -> None:
        self.clock, self.rng = clock, rng
        self.students = a_class(STUDENTS + SPARE, a_classroom())
        self.homework = some_homework(self.students[0].classroom, days=2, boards=BOARDS)
        self.working = self.students[:STUDENTS]
        self.at: dict[int, Client] = {}
        for student in self.working:
            browser = present(come_in(student, phrase_of(student)))
            self.at[student.pk] = browser

    def left(self) -> list[tuple[Student, int]]:
        done = doing.done_by(self.homework, [s.pk for s in self.working])
        return [
            (student, number)
            for student in self.working
            for number in range(1, BOARDS + 1)
            if done[student.pk].boards.get(number) not in {"done", "late"}
        ]

    def evening(self, *, until: float) -> None:
        """They play until so large a share of all is left, a few moves at a time."""
        while len(left := self.left()) > until * STUDENTS * BOARDS:
            student, number = self.rng.choice(left)
            page = f"/homework/{self.homework.pk}/boards/{number}/"
            table = self.at[student.pk].post(page).headers["Location"].split("/")[2]
            for _move in range(self.rng.randrange(5, 40)):
                self.clock.time += timedelta(seconds=2)
                if load_table(table).is_over:
                    break
                one_move(table, student, self.rng)


def again(board: HomeworkBoard, homework: Homework) -> Round:
    """A board from the deal that was given out and the stored moves; each bot's move is what
    this bot answers."""
    given = homework.boards[board.number - 1]
    hands = [[parse_card(code) for code in hand] for hand in given["hands"]]
    round_ = Round.start(variant=Variant.BID, hands=hands, dealer=given["dealer"])
    for move in Move.objects.filter(deal__table=board.table_id).order_by("number"):
        if move.seat:
            seen = observe(round_, move.seat)
            answer = bots.choose(seen, level=homework.bots, rng=Random())
            assert move_text(answer) == move.text
        round_ = round_.apply(parse_move(move.text))
    return round_


@pytest.mark.django_db
def test_a_class_does_its_homework(clock: Clock) -> None:
    week = Week(clock, Random(22))
    homework, (first, second, gone, *_rest) = week.homework, week.working
    week.evening(until=0.7)
    restart()

    clock.time += timedelta(days=1)
    for student in (first, second):  # their phrases are lost: the teacher makes new ones
        old = phrase_of(student)
        classrooms.renew_phrase(student=student)
        student.refresh_from_db()
        assert come_in(student, old) is None
        browser = present(come_in(student, phrase_of(student)))
        week.at[student.pk] = browser
    week.evening(until=0.4)
    name = gone.name
    table_seats.remove_student(student=gone)
    assert week.at[gone.pk].get(f"/homework/{homework.pk}/").status_code == 404
    week.working.remove(gone)
    restart()

    clock.time += timedelta(days=1)
    begun = doing.begin(homework=homework, student=week.students[-1], number=1)
    week.evening(until=0)
    clock.time += timedelta(days=1)
    (closed,) = doing.homework_of(homework.classroom)
    assert closed.closed == clock.time
    while not load_table(begun).is_over:
        clock.time += timedelta(seconds=1)
        one_move(begun, week.students[-1], week.rng)

    check(closed, week, begun, name)


def check(homework: Homework, week: Week, late: str, gone: str) -> None:
    """All that is said of the homework against what the moves say."""
    ends = {board: again(board, homework) for board in homework.begun.all()}
    assert ends
    points: dict[int, dict[int | str, int]] = defaultdict(dict)
    for board, end in ends.items():
        if end.is_over and board.table_id != late:
            points[board.number][board.student_id or board.table_id] = score_round(end)[0]
    data = dataset_of_homework(homework)
    called = {student.pk: student.name for student in homework.classroom.students.all()}

    def fair(student: int) -> Fraction:
        return sum(
            (
                own[student] - Fraction(sum(own.values()) - own[student], len(own) - 1)
                for own in points.values()
                if student in own
            ),
            Fraction(),
        )

    standings = next(p for p in panels(data, namer(called)) if p.key == "standings")
    assert standings.grid is not None
    told = {row[1]: row[2:] for row in standings.grid.rows}
    expected: dict[str, tuple[Any, ...]] = {
        student.name: (
            BOARDS,
            fair(student.pk),
            sum(own[student.pk] for own in points.values()),
        )
        for student in week.working
    }
    assert told == expected
    order: list[Any] = [row[3] for row in standings.grid.rows]
    assert order == sorted(order, reverse=True)
    done = doing.done_by(homework, called)
    for student in week.working:
        own = done[student.pk]
        assert own.boards == dict.fromkeys(range(1, BOARDS + 1), "done")
        plots = dot_plots(data, student.pk, own)
        assert {n: len(each.lines) for n, each in plots.items()} == {
            n: len(own) for n, own in points.items()
        }
        assert fair_score_in_all(plots.values()) == fair(student.pk)
    assert done[week.students[-1].pk].boards == {1: "late"}
    book = {row[0]: row[2:4] for row in gradebook_rows([homework], called)}
    assert book[week.working[0].name] == (1, BOARDS)
    assert book[week.students[-1].name] == (Fraction(1, BOARDS), BOARDS)
    assert book[week.students[-2].name] == (0, BOARDS)
    assert rebuild_results(check_only=True)[1] == []
    assert gone not in called.values()
    assert not Deal.objects.filter(table__seat_set__name=gone).exists()

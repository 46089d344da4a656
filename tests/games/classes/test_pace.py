"""How long a move takes in a classroom: of the last fifty rounds, nothing read of others."""

from __future__ import annotations

import re
from datetime import timedelta
from random import Random
from statistics import median

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.classes.pace import SECONDS_PER_MOVE, measured_pace
from games.models import Deal, Move, Result, Table
from tests.games.classroom import a_classroom, a_session
from xactika_site.classrooms.models import Classroom

pytestmark = pytest.mark.django_db

Round = tuple[Classroom, bool, float]
"""Where it was played, whether by people, and its seconds a move."""


def some_rounds(rng: Random, classrooms: list[Classroom], how_many: int) -> list[Round]:
    """Rounds at tables of these classrooms, in no order; some of bots, some not finished."""
    tables = []
    for classroom in classrooms:
        session = a_session(classroom)
        tables += [
            Table.objects.create(
                kind="class", class_session=session, variant="bid", patience=60, pace=0
            )
            for _table in range(2)
        ]
    found: list[Round] = []
    rounds = dict.fromkeys(range(len(tables)), 0)
    for _round in range(how_many):
        number = rng.randrange(len(tables))
        rounds[number] += 1
        table = tables[number]
        deal = Deal.objects.create(table=table, round=rounds[number], dealer=0, hands=[])
        moves, a_move = rng.randint(1, 9), rng.randint(1, 40)
        Deal.objects.filter(pk=deal.pk).update(created=timezone.now())
        deal.refresh_from_db()
        for move in range(moves):
            made = deal.created + timedelta(seconds=a_move * (move + 1))
            Move.objects.create(deal=deal, number=move, seat=0, text="0", made=made)
        people = rng.choice((0, 0, 1, 3))
        if is_over := rng.random() < 0.9:
            for seat in range(4):
                Result.objects.create(
                    deal=deal, seat=seat, taken=2, points=0, by_person=seat < people
                )
        found.append((classrooms[number // 2], is_over and people > 0, a_move))
    return found


@pytest.mark.parametrize(("seed", "how_many"), [(1, 0), (2, 12), (3, 90), (4, 300)])
def test_it_is_the_median_of_the_last_fifty_by_people(seed: int, how_many: int) -> None:
    classrooms = [a_classroom(name="7a"), a_classroom(name="7b")]
    rounds = some_rounds(Random(seed), classrooms, how_many)
    for classroom in classrooms:
        theirs = [
            a_move for where, by_people, a_move in rounds if where == classroom and by_people
        ]
        expected = median(theirs[-50:]) if theirs else SECONDS_PER_MOVE
        assert measured_pace(classroom) == pytest.approx(expected)


def test_no_move_of_an_older_round_is_read() -> None:
    """The moves of fifty are summed up, named one by one."""
    classroom = a_classroom()
    some_rounds(Random(5), [classroom], 180)
    with CaptureQueriesContext(connection) as asked:
        measured_pace(classroom)
    of_moves = [query["sql"] for query in asked if "games_move" in query["sql"]]
    assert len(asked) == 2
    assert len(of_moves) == 1
    assert "games_table" not in of_moves[0]
    named = set(re.findall(r"\d+", of_moves[0]))
    played = Deal.objects.filter(results__by_person=True).distinct().order_by("-pk")
    keys = [str(pk) for pk in played.values_list("pk", flat=True)]
    assert len(keys) > 50
    assert named >= set(keys[:50])
    assert named.isdisjoint(keys[50:])

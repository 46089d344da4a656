"""How long the pace of a classroom takes to be measured, as its rounds grow tenfold twice.

From the repository's root::

    python -m benchmarks.pace

Fills a database of its own with finished rounds of four, 36 moves each, in two classrooms by
turns, and a third that has played nothing. ``ms`` is ``pace.measured_pace``, which
a class session's room asks for once a minute on the thread that the tables need; ``all_ms``
the same figure with all of the classroom's rounds summed up first. The best of three, wall
time. Prints JSON lines.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from benchmarks.results import set_up

ROUNDS = (200, 2_000, 20_000)
SEATS, MOVES = 4, 36


def fill(tables: list[Any], before: int, rounds: int) -> None:
    """Rounds ``before`` to ``rounds``, at these tables by turns."""
    from django.utils import timezone

    from games.models import Deal, Move, Result

    now = timezone.now()
    for begin in range(before, rounds, 500):
        numbers = range(begin, min(begin + 500, rounds))
        deals = Deal.objects.bulk_create(
            Deal(table=tables[n % len(tables)], round=n // len(tables) + 1, dealer=0, hands=[])
            for n in numbers
        )
        Move.objects.bulk_create(
            Move(
                deal=deal,
                number=number,
                seat=number % SEATS,
                text="0",
                mover="person",
                made=now + timedelta(seconds=number * (1 + deal.pk % 7)),
            )
            for deal in deals
            for number in range(MOVES)
        )
        Result.objects.bulk_create(
            Result(deal=deal, seat=seat, taken=2, points=2, by_person=True)
            for deal in deals
            for seat in range(SEATS)
        )


def best(function: Callable[[], float]) -> tuple[float, float]:
    """Its answer, and the least of three times that it took, in milliseconds."""
    times = []
    for _turn in range(3):
        began = time.perf_counter()
        answer = function()
        times.append((time.perf_counter() - began) * 1000)
    return answer, min(times)


def all_summed_up(classroom: Any) -> float:
    """The same figure, in one step."""
    from statistics import median

    from django.db.models import Count, Max

    from games.models import Deal

    rows = (
        Deal.objects.filter(table__class_session__classroom=classroom, results__by_person=True)
        .order_by("-pk")
        .annotate(moved=Count("moves", distinct=True), ended=Max("moves__made"))
        .values_list("created", "ended", "moved")[:50]
    )
    paces: list[float] = [
        (ended - began).total_seconds() / moved for began, ended, moved in rows
    ]
    return median(paces)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        set_up(folder)
        from games.classes.pace import measured_pace
        from games.models import Table
        from xactika_site.classrooms.models import Classroom, ClassSession

        rooms = [Classroom.objects.create(name=str(number)) for number in range(3)]
        tables = []
        for number in range(20):
            session = ClassSession.objects.create(classroom=rooms[number % 2], state="closed")
            tables.append(
                Table.objects.create(
                    kind="class", class_session=session, variant="bid", patience=60, pace=0
                )
            )
        before = 0
        for rounds in ROUNDS:
            fill(tables, before, 2 * rounds)
            before = 2 * rounds
            figure, ms = best(lambda: measured_pace(rooms[0]))
            same, all_ms = best(lambda: all_summed_up(rooms[0]))
            assert figure == same
            line = {"rounds": rounds, "ms": round(ms, 1), "all_ms": round(all_ms, 1)}
            line["nothing_played_ms"] = round(best(lambda: measured_pace(rooms[2]))[1], 1)
            print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()

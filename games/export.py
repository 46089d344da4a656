"""Finished rounds as JSON lines, for a spreadsheet, CODAP or pandas. docs/export.md has the
schema."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet

from games.models import Deal, Move, Result
from games.selectors import may_be_shown
from xactika_site.classrooms.models import Student


def finished_deals() -> QuerySet[Deal]:
    """The rounds of class sessions that are over: of a running one nothing is exported, nor
    of a board that some table still plays."""
    done = Deal.objects.filter(table__class_session__isnull=False, results__seat=0)
    return done.filter(may_be_shown()).select_related("table").order_by("pk")


def lines(deals: QuerySet[Deal], *, student: Student | None = None) -> Iterator[str]:
    """A line for each round, followed by one for each of its moves; with ``student``, their
    seat's hand and moves alone."""
    whole = deals.select_related("table__class_session__classroom")
    for deal in whole.iterator(chunk_size=100):
        yield from (json.dumps(row) + "\n" for row in _rows(deal, student))


def _rows(deal: Deal, student: Student | None) -> Iterator[dict[str, Any]]:
    table = deal.table
    assert table.class_session is not None  # nothing else is exported
    key = {
        "demo": table.class_session.classroom.demo,
        "session": table.class_session_id,
        "game": table.game,
        "table": table.number,
        "round": deal.round,
    }
    moves = list(Move.objects.filter(deal=deal).select_related("student").order_by("number"))
    own = {move.seat for move in moves if student and move.student_id == student.pk}
    yield {
        "kind": "round",
        **key,
        "variant": table.variant,
        "seats": len(deal.hands),
        "dealer": deal.dealer,
        "dealt": deal.created.isoformat(timespec="seconds"),
        "hands": [
            hand if student is None or seat in own else None
            for seat, hand in enumerate(deal.hands)
        ],
        "results": [
            {
                "seat": result.seat,
                "bid": result.bid,
                "taken": result.taken,
                "points": result.points,
            }
            for result in Result.objects.filter(deal=deal).order_by("seat")
            if student is None or result.seat in own
        ],
    }
    for move in moves:
        if student is None or move.student_id == student.pk:
            yield {
                "kind": "move",
                **key,
                "number": move.number,
                "seat": move.seat,
                "move": move.text,
                "mover": move.mover,
                "level": move.level or None,
                "student": move.student.name if move.student else None,
                "made": move.made.isoformat(timespec="milliseconds"),
            }

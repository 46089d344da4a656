"""Finished rounds as JSON lines, for a spreadsheet, CODAP or pandas. docs/export.md has the
schema."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import groupby
from math import inf
from operator import attrgetter
from typing import Any, TypeVar

from django.db.models import Q, QuerySet

from games.models import Deal, Move, Result
from games.tables.state import may_be_compared
from xactika_site.classrooms.models import Student

AT_ONCE = 2000
"""Rows that are fetched at once."""

Row = TypeVar("Row", Move, Result)


def finished_deals() -> QuerySet[Deal]:
    """The rounds of class sessions that are over: of a running one nothing is exported, nor
    of a board that some table still plays."""
    done = Deal.objects.filter(table__class_session__isnull=False, results__seat=0)
    return done.filter(may_be_compared()).select_related("table").order_by("pk")


def rounds_by_students() -> QuerySet[Deal]:
    """The finished rounds of all classes' students: of sessions, and of homework that has
    closed; nothing that a teacher has played."""
    of_a_class = Q(table__class_session__isnull=False) | Q(table__classroom__isnull=False)
    theirs = Deal.objects.filter(of_a_class, table__teacher=None)
    done = theirs.filter(may_be_compared(), results__seat=0)
    return done.select_related("table").order_by("pk")


def lines(deals: QuerySet[Deal], *, student: Student | None = None) -> Iterator[str]:
    """JSON Lines: one for each round, then one for each of its moves; with ``student``, their
    seat's hand and moves alone. Three queries, read side by side while the lines are taken:
    however many rounds there are, only some are in memory."""
    keys = deals.order_by().values("pk")
    moves = Move.objects.filter(deal__in=keys).select_related("student")
    results = Result.objects.filter(deal__in=keys)
    moves_of = _by_deal(moves.order_by("deal", "number"))
    results_of = _by_deal(results.order_by("deal", "seat"))
    whole = deals.select_related("table__class_session__classroom", "table__classroom")
    whole = whole.order_by("pk")
    for deal in whole.iterator(chunk_size=AT_ONCE // 10):
        own_results = results_of(deal.pk)
        if own_results:  # or it was deleted a moment ago
            for row in _rows(deal, moves_of(deal.pk), own_results, student):
                yield json.dumps(row) + "\n"


def _by_deal(rows: QuerySet[Row]) -> Callable[[int], list[Row]]:
    """A function from a deal to its rows; asked for in the order of the deals, as rows are."""
    groups = groupby(rows.iterator(chunk_size=AT_ONCE), key=attrgetter("deal_id"))
    all_rows = ((deal, list(own)) for deal, own in groups)
    nothing: tuple[float, list[Row]] = inf, []
    ahead: tuple[float, list[Row]] = -inf, []

    def rows_of(deal: int) -> list[Row]:
        nonlocal ahead
        while ahead[0] < deal:
            ahead = next(all_rows, nothing)
        return ahead[1] if ahead[0] == deal else []

    return rows_of


def _rows(
    deal: Deal, moves: list[Move], results: list[Result], student: Student | None
) -> Iterator[dict[str, Any]]:
    """The rows of one deal, as docs/export.md has them: its round, then its moves."""
    table = deal.table
    session = table.class_session
    classroom = table.classroom if session is None else session.classroom
    assert classroom is not None  # nothing else is exported
    key = {
        "demo": classroom.demo,
        "homework": session is None,
        "session": table.class_session_id,
        "game": table.game,
        "table": table.number,
        "round": deal.round,
    }
    theirs: list[Move | Result] = [*moves, *results]  # on paper no moves are known
    own = {row.seat for row in theirs if student and row.student_id == student.pk}
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
            {name: getattr(result, name) for name in ("seat", "bid", "taken", "points")}
            for result in results
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

"""How a class's players stand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple, TypeVar

from games.classes.game import BoardLine
from games.rules import Variant, winners
from games.tables.view import TableFacts


@dataclass(frozen=True, slots=True)
class Standing:
    """A student's points in the present game, of rounds that they played alone, in a duplicate
    session with their fair score; ``rank`` is shared by equals."""

    rank: int
    name: str
    is_bot: bool
    student: int | None
    table: int
    seat: int
    total: int
    rounds: int
    score: Fraction | None = None


def standings(
    tables: Sequence[TableFacts], own: Mapping[int, tuple[int, int]]
) -> tuple[Standing, ...]:
    """All people of these tables by their ``own`` points (``points_by_student``), best first
    (in *lose* the fewest); those without a finished round of their own are left out."""
    # Who sits at a closed table may have got another.
    closed_first = sorted(tables, key=lambda state: not state.closed)
    seats = {
        seat.student_id: (state, seat)
        for state in closed_first
        for seat in state.people
        if seat.student_id is not None
    }
    rows = [(own[student][0], *place) for student, place in seats.items() if student in own]
    best_first = sorted(
        rows,
        key=lambda row: (
            row[0] if row[1].variant is Variant.LOSE else -row[0],
            row[1].number,
            row[2].number,
        ),
    )
    return _ranked(
        Standing(
            rank=0,
            name=seat.name,
            is_bot=seat.is_bot,
            student=seat.student_id,
            table=state.number,
            seat=seat.number,
            total=total,
            rounds=own[seat.student_id or 0][1],
        )
        for total, state, seat in best_first
    )


def leaders(state: TableFacts) -> frozenset[int]:
    """The seats in front at one table."""
    return winners(state.variant, state.totals) if state.points else frozenset()


def duplicate_standings(lines: Sequence[BoardLine], variant: Variant) -> tuple[Standing, ...]:
    """The people of these lines by their fair scores in rounds of their own, best first
    (in *lose* the lowest); by their points where nobody else held the same hands."""
    is_lose = variant is Variant.LOSE
    is_compared = any(line.fair_score is not None for line in lines)
    sums: dict[int | None, list[BoardLine]] = {}
    for line in lines:
        if line.is_own:
            sums.setdefault(line.student, []).append(line)
    scored = [
        (sum(line.fair_score or 0 if is_compared else line.points for line in own), own)
        for own in sums.values()
    ]
    scored.sort(key=lambda pair: (pair[0] if is_lose else -pair[0], pair[1][0].table))
    return _ranked(
        Standing(
            rank=0,
            name=own[0].name,
            is_bot=False,
            student=own[0].student,
            table=own[-1].table,
            seat=own[-1].seat,
            total=sum(line.points for line in own),
            rounds=len(own),
            score=Fraction(score) if is_compared else None,
        )
        for score, own in scored
    )


def best_of_tables(rows: Sequence[Standing]) -> tuple[Standing, ...]:
    """The first of these of each table, ranked among themselves."""
    first = {row.table: row for row in reversed(rows)}
    return _ranked(row for row in rows if first[row.table] is row)


def team_standings(rows: Sequence[Standing], variant: Variant) -> tuple[Standing, ...]:
    """The standings of tables as teams: the mean of what their people have. Tables may have
    bots, and so different numbers of people."""
    of_table: dict[int, list[Standing]] = {}
    for row in rows:
        of_table.setdefault(row.table, []).append(row)
    teams = [
        replace(
            own[0],
            name="",
            student=None,
            total=sum(row.total for row in own),
            score=Fraction(
                sum(row.total if row.score is None else row.score for row in own), len(own)
            ),
        )
        for own in of_table.values()
    ]
    sign = 1 if variant is Variant.LOSE else -1
    return _ranked(sorted(teams, key=lambda row: (sign * (row.score or 0), row.table)))


def _ranked(best_first: Iterable[Standing]) -> tuple[Standing, ...]:
    """These rows with their ranks among themselves."""
    rows = tuple(best_first)
    values = [row.total if row.score is None else row.score for row in rows]
    return tuple(
        replace(row, rank=values.index(value) + 1)
        for row, value in zip(rows, values, strict=True)
    )


class Ranking(NamedTuple):
    """A line of the standings; ``name`` is empty while names are hidden, ``score`` where the
    tables had different cards."""

    rank: int
    name: str
    table: int
    total: int
    rounds: int
    score: str = ""


Ranked = TypeVar("Ranked", Standing, Ranking)


def better_half(rows: Sequence[Ranked], most: int) -> tuple[Ranked, ...]:
    """The first half of these rows, best first, and whoever is level with its last one; at
    ``most`` so many: where they are more, none that is level with the last, unless all are."""
    half = min(most, (len(rows) + 1) // 2)
    found = tuple(row for row in rows if row.rank <= half)
    if len(found) <= most:
        return found
    return tuple(row for row in found if row.rank < found[-1].rank) or found[:most]


def match_points(lines: Sequence[BoardLine], variant: Variant) -> dict[int | None, Fraction]:
    """By student the share of others whom they beat at the same seat of the same board, a tie
    for half, on average over the boards that they played alone."""
    sign = -1 if variant is Variant.LOSE else 1
    same: dict[tuple[int, int], list[int]] = {}
    for line in lines:
        same.setdefault((line.board, line.seat), []).append(sign * line.points)
    shares: dict[int | None, list[Fraction]] = {}
    for line in lines:
        everywhere, own = same[line.board, line.seat], sign * line.points
        if line.is_own and len(everywhere) > 1:
            beaten = 2 * sum(points < own for points in everywhere) + everywhere.count(own) - 1
            share = Fraction(beaten, 2 * (len(everywhere) - 1))
            shares.setdefault(line.student, []).append(share)
    return {student: sum(own, Fraction()) / len(own) for student, own in shares.items()}

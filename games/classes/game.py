"""A class session's present game: its tables, and what boards dealt to all of them came to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from django.db.models import Max, QuerySet

from games.models import Result, Seat, Table
from games.tables.state import may_be_compared


class Game(NamedTuple):
    """A session's present game: its number (0: none yet), its tables' ids by their numbers, its
    variant, and whether all its tables are dealt the same cards. ``board`` is a tournament's,
    of which this game is one board; else 0."""

    number: int
    tables: tuple[str, ...]
    variant: str
    duplicate: bool
    board: int = 0


def present_game(session_id: int) -> Game:
    """The game that the session plays, or has played last."""
    tables = Table.objects.filter(class_session=session_id).order_by("game", "number")
    rows = list(tables.values_list("game", "id", *_OF_A_GAME))
    last = rows[-1][0] if rows else 0
    return _game(last, [row[1:] for row in rows if row[0] == last])


def next_number(session_id: int) -> int:
    """The number of the session's next game: of those on paper, too, each has its own."""
    games = Table.objects.everywhere().filter(class_session=session_id)
    return (games.aggregate(last=Max("game"))["last"] or 0) + 1


def next_table_number(session_id: int, game: int) -> int:
    """The number of the next table of one of its games, after those on paper, too."""
    tables = Table.objects.everywhere().filter(class_session=session_id, game=game)
    return (tables.aggregate(last=Max("number"))["last"] or 0) + 1


def game_of_table(table_id: str) -> Game:
    """The game of a class session that this table belongs to; a class may be past it."""
    session_id, game = Table.objects.values_list("class_session", "game").get(pk=table_id)
    tables = Table.objects.filter(class_session=session_id, game=game).order_by("number")
    return _game(game, list(tables.values_list("id", *_OF_A_GAME)) if game else [])


def tables_so_far(session_id: int, game: int) -> QuerySet[Table]:
    """The tables of all boards of a tournament up to this game, which is one of them."""
    tables = Table.objects.filter(class_session=session_id, game__lte=game)
    last = tables.filter(tournament_board=1).aggregate(first=Max("game"))
    return tables.filter(tournament_board__gt=0, game__gte=last["first"] or 0)


_OF_A_GAME = ("variant", "duplicate", "tournament_board")


def _game(number: int, tables: Sequence[tuple[str, str, bool, int]]) -> Game:
    variant, duplicate, board = tables[0][1:] if tables else ("", False, 0)
    return Game(number, tuple(table[0] for table in tables), variant, duplicate, board)


# The same cards elsewhere.


@dataclass(frozen=True, slots=True)
class BoardLine:
    """What one seat of one table made of a board. ``fair_score`` are its points less the mean
    of the same seat at the other tables, None where there is no other.
    ``is_own`` is whether one student made every move: it is theirs, wherever they sit now, and
    who sits here last counts for nothing."""

    board: int
    table_id: str
    table: int
    seat: int
    name: str
    is_bot: bool
    student: int | None
    bid: int | None
    taken: int
    points: int
    fair_score: Fraction | None
    is_own: bool = True


def board_lines(session_id: int, game: Game | None = None) -> tuple[BoardLine, ...]:
    """All seats of all tables on every board of the present (or an earlier) game that is over,
    by board, seat and table; of a tournament on all its boards up to this one. Nothing of a
    board that some table still plays."""
    game = game or present_game(session_id)
    tables = Table.objects.filter(pk__in=game.tables)
    if game.board:
        tables = tables_so_far(session_id, game.number)
    people = {
        (seat.table_id, seat.number): seat for seat in Seat.objects.filter(table__in=tables)
    }
    results = (
        Result.objects.filter(
            may_be_compared("deal__"), deal__table__in=tables, deal__board__isnull=False
        )
        .order_by("deal__table__game", "deal__board", "seat", "deal__table__number")
        .values_list(
            "deal__table__tournament_board" if game.board else "deal__round",
            "deal__table",
            "deal__table__number",
            "seat",
            "bid",
            "taken",
            "points",
            "student",
            "student__name",
        )
    )
    rows = list(results)
    same: dict[tuple[int, int], list[int]] = {}
    for board, _id, _table, seat, _bid, _taken, points, *_student in rows:
        same.setdefault((board, seat), []).append(points)
    return tuple(
        BoardLine(
            board=board,
            table_id=table_id,
            table=table,
            seat=seat,
            name=name or people[table_id, seat].name,
            is_bot=student is None and bool(people[table_id, seat].level),
            student=student or people[table_id, seat].student_id,
            bid=bid,
            taken=taken,
            points=points,
            fair_score=fair_score(points, same[board, seat]),
            is_own=student is not None,
        )
        for board, table_id, table, seat, bid, taken, points, student, name in rows
    )


def fair_score(points: int, everywhere: Sequence[int]) -> Fraction | None:
    """Points less the mean of the same seat at the other tables; ``everywhere`` has them all,
    one's own among them. None if there is no other table."""
    others = len(everywhere) - 1
    return Fraction(points * (others + 1) - sum(everywhere), others) if others else None

"""A puzzle a day: which one on which day, and its solution as a round to replay.

Puzzles are data (``games.analysis.puzzles``). The day chooses one: the same everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

from django.utils.timezone import localdate, now
from django.utils.translation import gettext as _

from games.analysis.bots import DEFAULT_LEVEL
from games.analysis.puzzles import Kind, Puzzle, Use, numbers_for, numbers_in_use, puzzles
from games.analysis.puzzles.proofs import Ending, whole_line
from games.rules import Play, move_text, parse_move
from games.study.replay.lines import Line
from games.study.replay.scenes import unstored_scene
from games.tables.observation import table_view
from games.tables.state import TableState
from games.tables.view import TableView

FIRST = date(2026, 8, 1)
"""The day of the first puzzle."""

BALANCED_FROM = date(2027, 1, 1)
"""From then on no shape of answer has more than its share. They begin anew after the last."""


kept_back: list[Callable[[], Collection[int]]] = []
"""Numbers of puzzles that nobody may answer here as yet: apps above this one say which."""


class NoPuzzle(LookupError):
    """There is none for this day: it is before the first, or no day at all."""


class NotYet(LookupError):
    """A day to come: its puzzle is nobody's business before."""


def today() -> date:
    """The day by this server's clock."""
    return localdate()


@dataclass(frozen=True)
class Daily:
    """The puzzle of a day. ``number`` is its place in the file."""

    day: date
    number: int

    @property
    def puzzle(self) -> Puzzle:
        return puzzles()[self.number]


def daily_of(day: date) -> Daily:
    """The puzzle of this day. Raises NotYet, NoPuzzle."""
    if day > today():
        raise NotYet
    return of_any_day(day)


def of_any_day(day: date) -> Daily:
    """The puzzle of a day that was allowed once, be it still to come in another time zone.
    Raises NoPuzzle."""
    if day < FIRST:
        raise NoPuzzle
    if day < BALANCED_FROM:
        return Daily(day, numbers_for(Use.DAY)[(day - FIRST).days])
    numbers = numbers_in_use(Use.DAY)
    return Daily(day, numbers[(day - BALANCED_FROM).days % len(numbers)])


def is_kept_back(daily: Daily) -> bool:
    """Whether its day has come and it has to wait all the same: homework that was given out
    before puzzles had uses of their own, and is still open, may ask it."""
    return any(daily.number in numbers() for numbers in kept_back)


def read_day(text: str) -> date:
    """The day that an address names, ``2026-11-21``; NoPuzzle for anything else."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise NoPuzzle from None
    if day.isoformat() != text:
        raise NoPuzzle
    return day


def dailies_of(year: int, month: int, kind: Kind | None = None) -> list[Daily]:
    """The month's puzzles up to today, of this ``kind`` if it is given, the latest first."""
    first = date(year, month, 1)
    last = min((first + timedelta(days=31)).replace(day=1) - timedelta(days=1), today())
    first = max(first, FIRST)
    dailies = [daily_of(last - timedelta(days=n)) for n in range((last - first).days + 1)]
    return [each for each in dailies if kind in {None, each.puzzle.kind}]


def months() -> Iterator[date]:
    """The first days of the months that have puzzles, the latest first."""
    month = today().replace(day=1)
    while month >= FIRST.replace(day=1):
        yield month
        month = (month - timedelta(days=1)).replace(day=1)


# The solution as a replay.


NAMES = ("Sofia", "Ada", "Emmy", "Carl", "Thomas")
"""Who sits where; the first is you, who have a name at a table as everybody has."""


def names_at(puzzle: Puzzle) -> tuple[str, ...]:
    """The names by seat, as they are said to you."""
    return (_("You"), *NAMES[1 : len(puzzle.hands)])


@lru_cache(maxsize=64)
def line_of(number: int, first: str = "") -> Line:
    """The whole round of a puzzle with its answer, or with another ``first`` play."""
    puzzle = puzzles()[number]
    return _line_after(puzzle, whole_line(puzzle, first))


@lru_cache(maxsize=64)
def question_line(number: int) -> Line:
    """The round of a puzzle up to what is asked; nothing of its answer."""
    puzzle = puzzles()[number]
    return _line_after(puzzle, puzzle.moves)


@lru_cache(maxsize=64)
def played_line(number: int, own: tuple[str, ...]) -> Line:
    """The round of a puzzle of the last tricks up to your next turn, or to its end, after these
    plays of yours, in the rules' notation. Raises ValueError for one that is not allowed."""
    puzzle = puzzles()[number]
    plays = Ending(puzzle).line(*map(parsed_play, own), to_end=False)
    return _line_after(puzzle, (*puzzle.moves, *map(move_text, plays)))


def parsed_play(text: str) -> Play:
    """The play that this notation tells; ValueError for a bid."""
    move = parse_move(text)
    if not isinstance(move, Play):
        raise ValueError(f"a bid: {text!r}")
    return move


def _line_after(puzzle: Puzzle, texts: Iterable[str]) -> Line:
    round_, moves = puzzle.start, []
    for text in texts:
        assert round_.to_move is not None
        moves.append((round_.to_move, text))
        round_ = round_.apply(parse_move(text))
    return Line(puzzle.start, tuple(moves))


def table_at(puzzle: Puzzle, line: Line, moment: int) -> TableView:
    """The table at a moment of a line of it, as everybody at it sees it."""
    return table_view(scene_at(puzzle, line, moment), {}, now())


def scene_at(puzzle: Puzzle, line: Line, moment: int, names: Sequence[str] = ()) -> TableState:
    """The table at a moment of a puzzle's line, with all hands; under ``names``, if given."""
    names = names or NAMES[: len(puzzle.hands)]
    return unstored_scene(line, moment, names, DEFAULT_LEVEL)

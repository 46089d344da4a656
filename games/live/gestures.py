"""How often something is shown that is shown once and stored nowhere: reactions at a table, and
solids that a lobby throws onto the wall. What comes too soon is dropped, and nobody is told.
"""

from __future__ import annotations

from collections import deque
from enum import StrEnum
from itertools import count

from games.art import figurine_of
from games.classes.lobby import may_throw
from games.classes.state import SessionState
from games.rules import Shape
from games.tables.view import TableFacts

REACT_EVERY = 5.0
"""Seconds between two reactions of a seat, which has one a trick besides."""

THROW_EVERY, MOST_THROWS_A_SECOND = 1.0, 10
"""Seconds between two throws of a student; and so many a second of a whole class."""


class Gesture(StrEnum):
    """What processes pass on to each other beside bells, and a lobby may send."""

    REACT = "react"
    THROW = "throw"


class Reactions:
    """The reactions at one table, by one process. Times are in seconds."""

    def __init__(self) -> None:
        self._last: dict[int, tuple[tuple[int, int], float]] = {}
        self._heard = (0, 0)

    def admits(self, table: TableFacts, seat: int, now: float) -> bool:
        """Whether this seat may react now; if so, it has reacted."""
        trick, shown_at = self._last.get(seat, ((0, 0), float("-inf")))
        if not table.may_react or trick == _trick_of(table) or now - shown_at < REACT_EVERY:
            return False
        self._last[seat] = _trick_of(table), now
        return True

    def is_heard(self, table: TableFacts) -> bool:
        """Whether a reaction is told by ear, too, as the first of each trick is."""
        before, self._heard = self._heard, _trick_of(table)
        return before != self._heard


def _trick_of(table: TableFacts) -> tuple[int, int]:
    tricks = table.observation.tricks if table.observation else ()
    return table.round_number, len(tricks)


class Throws:
    """The throws of one class session, by one process. Times are in seconds."""

    def __init__(self) -> None:
        self._last: dict[int, float] = {}
        self._lately: deque[float] = deque(maxlen=MOST_THROWS_A_SECOND)
        self._turns = count()

    def thrown_solid(self, session: SessionState, student: int, now: float) -> Shape | None:
        """The solid of their figurine that a student throws now; None if it is dropped."""
        thrower = session.by_pk.get(student)
        if thrower is None or not may_throw(session, thrower):
            return None
        is_full = len(self._lately) == MOST_THROWS_A_SECOND and now - self._lately[0] < 1
        if is_full or now - self._last.get(student, float("-inf")) < THROW_EVERY:
            return None
        self._last[student] = now
        self._lately.append(now)
        return figurine_of(thrower.name)[next(self._turns) % 2]

"""What simulations and bots answer with: small values that say how they were obtained."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any

from games.rules import Move, move_text, parse_move


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one move (None: of the point of play as it is) in simulated worlds.

    ``tricks[k]`` counts the worlds in which the seat took k tricks in the round, which is
    worth ``worth[k]`` points to it; ``taking`` those in which it took the trick in play, None
    for a bid.
    """

    move: Move | None
    worlds: int
    taking: int | None
    tricks: tuple[int, ...]
    worth: tuple[int, ...]

    @property
    def chance(self) -> float | None:
        """The share of worlds in which the seat takes the trick in play."""
        return None if self.taking is None else self.taking / self.worlds

    @property
    def chance_error(self) -> float | None:
        """The standard error of ``chance``."""
        if self.taking is None:
            return None
        share = self.taking / self.worlds
        return sqrt(share * (1 - share) / self.worlds)

    @property
    def expected(self) -> float:
        """The expected points: their mean over the worlds."""
        return self._mean([float(points) for points in self.worth])

    @property
    def error(self) -> float:
        """The standard error of ``expected``."""
        squares = self._mean([float(points * points) for points in self.worth])
        return sqrt(max(0.0, squares - self.expected**2) / self.worlds)

    @property
    def expected_tricks(self) -> float:
        """The mean of the tricks."""
        return self._mean([float(k) for k in range(len(self.tricks))])

    def _mean(self, values: list[float]) -> float:
        return sum(n * v for n, v in zip(self.tricks, values, strict=True)) / self.worlds


@dataclass(frozen=True, slots=True)
class MoveOption:
    """One legal move as a bot saw it.

    ``chance`` that it takes the trick in play (None for a bid), ``points`` and ``tricks``
    that the seat then expects of the round, and of how many simulated worlds (0: counted).
    ``points`` is None where the bot does not judge by points.
    """

    move: Move
    chance: float | None
    tricks: float
    points: float | None
    worlds: int


@dataclass(frozen=True, slots=True)
class Choice:
    """A bot's move and its reason in numbers: the options it weighed, best first.

    Empty where there was nothing to weigh (one legal move, or a bot that follows a tip).
    """

    move: Move
    options: tuple[MoveOption, ...] = ()


KEPT = 4
"""Of the options that a bot weighed so many are kept with its move, the best ones."""


def packed(options: tuple[MoveOption, ...]) -> list[list[Any]]:
    """The best options as small JSON: rows of move, chance, tricks, points and worlds."""
    return [
        [
            move_text(option.move),
            None if option.chance is None else round(option.chance, 3),
            round(option.tricks, 2),
            None if option.points is None else round(option.points, 2),
            option.worlds,
        ]
        for option in options[:KEPT]
    ]


def unpacked(rows: Any) -> tuple[MoveOption, ...]:
    """The options that ``packed`` kept (None: none)."""
    return tuple(MoveOption(parse_move(text), *rest) for text, *rest in rows or ())

"""The deck: 81 cards, each showing one to three balls, cubes, cones and stars."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from itertools import product
from typing import NamedTuple


class Shape(Enum):
    """One of the four shapes, in the order in which a card prints them."""

    BALL = "ball"
    CUBE = "cube"
    CONE = "cone"
    STAR = "star"

    @cached_property
    def position(self) -> int:
        """The shape's place (0–3) in a card's counts and code."""
        return tuple(Shape).index(self)


COUNTS = (1, 2, 3)


class Call(NamedTuple):
    """What a leader announces: one shape and its count (1–3) on the led card."""

    shape: Shape
    number: int

    def __str__(self) -> str:
        """The call's text, e.g. ``2-star``."""
        return f"{self.number}-{self.shape.value}"


@dataclass(frozen=True, slots=True, repr=False)
class Card:
    """A card, identified by its four counts: balls, cubes, cones, stars (each 1–3)."""

    code: str
    counts: tuple[int, int, int, int]
    value: int
    calls: tuple[Call, Call, Call, Call]

    def shows(self, call: Call) -> bool:
        """Whether this card has exactly the called count of the called shape (rules F, G)."""
        return self.counts[call.shape.position] == call.number

    def __eq__(self, other: object) -> bool:
        return self.code == other.code if isinstance(other, Card) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.code)

    def __str__(self) -> str:
        return self.code

    def __repr__(self) -> str:
        return f"Card({self.code})"


def _card(counts: tuple[int, int, int, int]) -> Card:
    balls, cubes, cones, stars = (
        Call(shape, number) for shape, number in zip(Shape, counts, strict=True)
    )
    return Card("".join(map(str, counts)), counts, sum(counts), (balls, cubes, cones, stars))


DECK: tuple[Card, ...] = tuple(
    _card((balls, cubes, cones, stars))
    for balls, cubes, cones, stars in product(COUNTS, repeat=4)
)
"""All 81 cards, in the order of their codes, ``1111`` to ``3333``."""

_BY_CODE = {card.code: card for card in DECK}
_CALLS = {str(call): call for card in DECK for call in card.calls}


def parse_card(text: str) -> Card:
    """The card with this code.

    ``text`` is four digits 1–3 in the order ball, cube, cone, star (``"1332"``).
    Raises ValueError for anything else.
    """
    card = _BY_CODE.get(text)
    if card is None:
        raise ValueError(f"not a card: {text[:40]!r}")
    return card


def parse_call(text: str) -> Call:
    """The call written ``<count>-<shape>``, e.g. ``"2-star"``; ValueError for anything else."""
    call = _CALLS.get(text)
    if call is None:
        raise ValueError(f"not a call: {text[:40]!r}")
    return call


def stats_table() -> list[tuple[int, int, int, int, int]]:
    """The reference card: each value, how many cards have it, and how many of these show 1, 2
    and 3 of any one given shape (the same for all four, so balls are counted).

    >>> stats_table()[6]
    (10, 10, 1, 3, 6)
    """
    rows = []
    for value in range(4, 13):
        balls = [card.counts[0] for card in DECK if card.value == value]
        rows.append((value, len(balls), balls.count(1), balls.count(2), balls.count(3)))
    return rows

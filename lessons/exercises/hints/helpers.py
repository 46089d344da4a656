"""How a help is computed from a question's parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from lessons.exercises.answers import Form
from lessons.exercises.hint import Hint

Parameters = Mapping[str, Any]

Helper = Callable[[Parameters], Hint]
"""The help with the question of these parameters."""


def count(hint: str, ask: str, right: int) -> Hint:
    """A help whose step is a whole number."""
    return Hint(hint, ask, Fraction(right), Form.COUNT)

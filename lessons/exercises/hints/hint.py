"""What a help is: a hint, then a step's own small question."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from lessons.exercises.answers import Form
from lessons.exercises.engine import Field, Instance

STEP = "step"
"""The field of the step to fill in."""

Parameters = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Hint:
    """A first hint; then what to work out next (empty where the hint is all there is), and what
    comes out."""

    hint: str
    ask: str = ""
    right: Fraction | None = None
    form: Form = Form.NUMBER

    def question(self, of: Instance) -> Instance:
        """The step as a question of one field, to be graded like any other."""
        assert self.right is not None
        return replace(
            of,
            fields=(Field(STEP, self.ask, self.form),),
            right={STEP: self.right},
            wrong=(),
            looks=(),
            follows={},
        )


Helper = Callable[[Parameters], Hint]
"""The help with the question of these parameters."""


def count(hint: str, ask: str, right: int) -> Hint:
    """A help whose step is a whole number."""
    return Hint(hint, ask, Fraction(right), Form.COUNT)

"""What a help is: a hint, then a step's own small question."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from lessons.exercises.answers import Form
from lessons.exercises.engine import Field, Instance

STEP = "step"
"""The field of the step to fill in."""


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

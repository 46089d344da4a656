"""Help with a question, before its solution: a first hint at the step to take, then that step's
own small question to fill in. No answer of the question itself is given away.

A file for the deck and the deal, one for hands and rounds, one for classes."""

from __future__ import annotations

from lessons.exercises import exercise_of
from lessons.exercises.authored import AuthoredExercise
from lessons.exercises.engine import LEVEL, Instance
from lessons.exercises.hint import STEP, Hint
from lessons.exercises.hints import classes, decks, hands
from lessons.exercises.hints.helpers import Helper
from lessons.exercises.written import Written

_AIDS: dict[tuple[str, str], Helper] = {**decks.HINTS, **hands.HINTS, **classes.HINTS}
"""By exercise, and by level where it is not the type's own."""


def hint_for(question: Instance) -> Hint | None:
    """The help with this question, if there is any."""
    exercise = exercise_of(question.exercise)
    if isinstance(exercise, Written | AuthoredExercise):
        return exercise.hint(question.parameters)
    level = question.parameters.get(LEVEL, "")
    found = _AIDS.get((question.exercise, level)) or _AIDS.get((question.exercise, ""))
    return found(question.parameters) if found else None


__all__ = ["STEP", "Hint", "hint_for"]

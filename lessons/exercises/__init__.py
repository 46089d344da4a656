"""Exercises: the 25 types of the lesson plan, their questions, and how answers are graded.

``ask`` makes a question from a seed and a context, ``rebuild`` makes it again from what was
stored, ``grade`` judges an answer. docs/exercises.md says how to add a type.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

from lessons.exercises import class_results, deal, deck, own_hand, round, trick
from lessons.exercises.contexts import EMPTY, Context
from lessons.exercises.engine import (
    Exercise,
    NoSuchQuestion,
    NoVariant,
    Outcome,
    Question,
    Verdict,
    grade,
    in_our_notation,
)

EXERCISES: dict[str, Exercise] = {
    exercise.key: exercise
    for family in (deck, deal, own_hand, trick, round, class_results)
    for exercise in family.EXERCISES
}
"""All types by key, in the order of the lesson plan."""


def ask(key: str, seed: int, context: Context = EMPTY) -> Question:
    """A question of the exercise with this key. The same seed and context give the same
    question; KeyError for an unknown exercise, NoVariant if the context holds none."""
    rng = Random(seed)  # noqa: S311 - a question is no secret
    return replace(EXERCISES[key].generate(rng, context), seed=seed)


def rebuild(stored: Mapping[str, Any]) -> Question:
    """The question that :meth:`Question.to_json` stored, in the active language.

    Nothing is drawn again: its parameters determine it, so it stays the same when an exercise
    later draws differently. Raises NoSuchQuestion for anything that no exercise could have
    stored.
    """
    try:
        exercise = EXERCISES[stored["exercise"]]
        question = exercise.build(dict(stored["parameters"]))
        fair = question.is_fair
    except (ArithmeticError, LookupError, NoVariant, TypeError, ValueError) as problem:
        raise NoSuchQuestion("no exercise made this question") from problem
    if not fair:
        raise NoSuchQuestion("no exercise made this question")
    return replace(question, seed=stored.get("seed"))


__all__ = [
    "EXERCISES",
    "Context",
    "Exercise",
    "NoSuchQuestion",
    "NoVariant",
    "Outcome",
    "Question",
    "Verdict",
    "ask",
    "grade",
    "in_our_notation",
    "rebuild",
]

"""Exercises: the types of question, their questions, and how answers are graded.

``ask`` makes a question from a seed and a context, ``rebuild`` makes it again from what was
stored, ``grade`` judges an answer. docs/exercises.md says how to add a type.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any

from lessons.exercises import (  # noqa: F401 - their types are found below
    bids,
    class_hands,
    class_results,
    deal,
    deck,
    events,
    graphs,
    leads,
    own_hand,
    significance,
    trick,
    two_way_tables,
)
from lessons.exercises.authored import AUTHORED
from lessons.exercises.contexts import EMPTY, Context, invent
from lessons.exercises.engine import Exercise, Instance, NoSuchQuestion, NoVariant
from lessons.exercises.grading import AnswerGrade, Verdict, grade, in_our_notation, stored_words
from lessons.exercises.written import Written
from xactika_site.texts import Problem

EXERCISES: dict[str, Exercise] = {
    each.key: each
    for each in sorted(
        (kind() for kind in Written.__subclasses__()), key=lambda each: each.number
    )
}
"""All types by key, in the order of docs/exercises.md."""

SEED_BITS = 48
"""Seeds fit into every number that JSON or a database knows."""

TRIES = 10
"""Contexts invented for one exercise before it is given up."""


def exercise_of(key: str) -> Exercise:
    """The type of this key, or that of all questions of teachers; KeyError for none."""
    return AUTHORED if key == AUTHORED.key else EXERCISES[key]


def ask(
    key: str, seed: int, context: Context = EMPTY, wish: Mapping[str, Any] | None = None
) -> Instance:
    """A question of the exercise with this key, of those whose parameters are as in ``wish``.
    The same seed, context and wish give the same question; KeyError for an unknown exercise,
    NoVariant if the context holds none."""
    rng = Random(seed)  # noqa: S311 - a question is no secret
    return replace(EXERCISES[key].generate(rng, context, wish), seed=seed)


def question_or_none(
    key: str, seed: int, context: Context, wish: Mapping[str, Any] | None = None
) -> Instance | None:
    """``ask``; None if the context holds no such question."""
    with suppress(NoVariant):
        return ask(key, seed, context, wish)
    return None


def ask_invented(key: str, seed: int, wish: Mapping[str, Any] | None = None) -> Instance:
    """``ask`` about something invented by this seed."""
    context = invent(Random(seed), [EXERCISES[key].family])  # noqa: S311 - not a secret
    return ask(key, seed, context, wish)


def drawn_questions(
    key: str, rng: Random, wish: Mapping[str, Any] | None = None, *, tries: int = TRIES
) -> Iterator[Instance]:
    """Questions of the exercise with this key, as ``ask_invented`` gives them for so many seeds
    drawn one after the other; of a seed that gives none, nothing."""
    for _try in range(tries):
        with suppress(NoVariant):
            yield ask_invented(key, rng.getrandbits(SEED_BITS), wish)


def rebuild(stored: Mapping[str, Any]) -> Instance:
    """The question that :meth:`Instance.to_json` stored, in the active language.

    Nothing is drawn again: its parameters determine it, so it stays the same when an exercise
    later draws differently. Whether it is fair was judged when it was dealt: one that would not
    be dealt any more still opens. Raises NoSuchQuestion for what cannot be built.
    """
    try:
        exercise = exercise_of(stored["exercise"])
        question = exercise.question(dict(stored["parameters"]))
    except (
        ArithmeticError,
        AttributeError,
        LookupError,
        NoVariant,
        Problem,
        TypeError,
        ValueError,
    ) as problem:
        raise NoSuchQuestion("no exercise made this question") from problem
    return replace(question, seed=stored.get("seed"))


__all__ = [
    "EXERCISES",
    "SEED_BITS",
    "TRIES",
    "AnswerGrade",
    "Context",
    "Exercise",
    "Instance",
    "NoSuchQuestion",
    "NoVariant",
    "Verdict",
    "ask",
    "ask_invented",
    "drawn_questions",
    "exercise_of",
    "grade",
    "in_our_notation",
    "question_or_none",
    "rebuild",
    "stored_words",
]

"""Two forms of a test: place by place twins, of one type and level, alike in all that can be
counted and with other numbers. Pure but for the exercises.

What is held equal is :func:`likeness`; that twins are as hard for people is an assumption until
answers bear it out (docs/assessment.md)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from fractions import Fraction
from itertools import chain, cycle, islice
from math import log10
from operator import itemgetter
from random import Random
from typing import Any, NamedTuple

from lessons.exercises import EXERCISES, TRIES, Instance, drawn_questions
from lessons.exercises.engine import LEVEL, ORDER, Exercise
from lessons.exercises.skills import Skill

LENGTHS, USUAL_LENGTH = range(8, 13), 10
"""How many questions a form may have, and has unless a teacher chooses."""

DRAWN, MOST_DRAWN = 24, 240
"""Questions drawn for twins: the nearest two of so many; more where no two are alike."""


class TwinTask(NamedTuple):
    """What one place of both forms asks: a type, at one of its levels."""

    exercise: str
    level: str


class Twins(NamedTuple):
    """The questions of one place of the forms."""

    a: Instance
    b: Instance


def likeness(question: Instance) -> tuple[Any, ...]:
    """A key that is equal for twins of one type and level: fields with their forms and the
    numbers of their options, which says what guessing reaches; steps of the solution; cards,
    tables, histograms, what a graph is built of; whether the hint has a step."""
    graph = question.graph
    return (
        tuple((field.form, len(field.options)) for field in question.fields),
        len(question.solution),
        tuple(len(cards.codes) for cards in question.cards),
        tuple((len(table.rows), len(table.head)) for table in question.tables),
        (graph.kind, len(graph.categories), len(graph.series)) if graph else None,
        (len(question.histograms), question.tree is not None),
        question.hint is not None and bool(question.hint.ask),
    )


def distance(one: Instance, other: Instance) -> float:
    """How far the sizes of the right answers are apart: powers of ten between numerators and
    between denominators, the largest; 0 for choices."""
    pairs = zip(
        _numerators_and_denominators(one), _numerators_and_denominators(other), strict=True
    )
    return max(
        (abs(_log_size(each) - _log_size(beside)) for each, beside in pairs), default=0.0
    )


def _numerators_and_denominators(question: Instance) -> Iterator[float]:
    for field in question.fields:
        answer = question.right[field.key]
        if isinstance(answer, int | Fraction):
            yield from (abs(answer.numerator), answer.denominator)
        elif not isinstance(answer, str):
            yield abs(float(answer))  # a root
            yield 1


def _log_size(number: float) -> float:
    """The decimal logarithm of a number, from a thousandth on; 0 of 0."""
    return log10(max(number, 0.001)) if number else 0.0


def is_other(one: Instance, other: Instance) -> bool:
    """Whether two questions of a type differ in what was drawn, and in a right answer unless
    all are choices."""
    drawn = [
        {name: value for name, value in each.parameters.items() if name != ORDER}
        for each in (one, other)
    ]
    is_chosen = all(isinstance(answer, str) for answer in one.right.values())
    return drawn[0] != drawn[1] and (is_chosen or one.right != other.right)


def twins(task: TwinTask, rng: Random, but: Collection[Instance] = ()) -> Twins | None:
    """Two questions of this task that are alike, other than those in ``but``: of those drawn
    the two whose answers are nearest in size, and which is A by lot. None where no two are
    found."""
    alike: dict[tuple[Any, ...], list[Instance]] = {}
    pairs: list[tuple[float, Instance, Instance]] = []
    questions = drawn_questions(
        task.exercise, rng, {LEVEL: task.level}, tries=MOST_DRAWN * TRIES
    )
    for drawn, question in enumerate(questions):
        if drawn >= MOST_DRAWN or (pairs and drawn >= DRAWN):
            break
        if not all(is_other(question, each) for each in but):
            continue
        others = alike.setdefault(likeness(question), [])
        pairs += [
            (distance(each, question), each, question)
            for each in others
            if is_other(each, question)
        ]
        others.append(question)
    if not pairs:
        return None
    _nearest, *pair = min(pairs, key=itemgetter(0))
    return Twins(*rng.sample(pair, 2))


def tasks(exercises: Collection[Exercise], length: int, rng: Random) -> list[TwinTask]:
    """So many tasks of these types, skill by skill in turn: of each skill every type at its
    usual level, then at the others, then again; the easiest first. Empty without types."""
    by_skill: dict[Skill, list[Exercise]] = {}
    for exercise in rng.sample(list(exercises), len(exercises)):
        by_skill.setdefault(exercise.skill, []).append(exercise)
    if not by_skill:
        return []
    turns = zip(*(cycle(_tasks_in_turn(each)) for each in by_skill.values()), strict=True)
    chosen = islice(chain.from_iterable(turns), length)
    places = {each.key: place for place, each in enumerate(EXERCISES.values())}
    return sorted(chosen, key=lambda task: (task.level, places[task.exercise]))


def _tasks_in_turn(exercises: Collection[Exercise]) -> list[TwinTask]:
    usual = [TwinTask(each.key, each.level) for each in exercises]
    every = (TwinTask(each.key, level) for each in exercises for level in each.levels)
    return usual + [each for each in every if each not in usual]


def forms(exercises: Collection[Exercise], length: int, rng: Random) -> list[Twins]:
    """The two forms of a test about these types, place by place. A type that has no further
    twins is left out: there may be fewer than ``length``."""
    found: list[Twins] = []
    for task in tasks(exercises, length, rng):
        asked = [each for pair in found for each in pair if each.exercise == task.exercise]
        if (pair := twins(task, rng, asked)) is not None:
            found.append(pair)
    return found

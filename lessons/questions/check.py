"""Checks the pages of question types: each is read, and asked many times in every language."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from django.conf import settings
from django.utils import translation

from lessons.exercises import EXERCISES
from lessons.exercises.contexts import invent
from lessons.exercises.engine import EDITION, NoVariant, Parameters
from lessons.exercises.page_lines import Facts, PageLine, names_in
from lessons.exercises.written import Written
from xactika_site.texts import Problem

SEEDS = 40
"""How many questions of each level are made."""


def problems() -> Iterator[Problem]:
    """What is wrong in the pages, a Problem each: a name that nothing has, a choice without its
    right answer, a variant without its hint, what is never asked."""
    for exercise in EXERCISES.values():
        if isinstance(exercise, Written):
            for level in exercise.levels:
                try:
                    yield from _problems_of_level(exercise, level)
                except Problem as problem:
                    yield problem


def _problems_of_level(exercise: Written, level: str) -> Iterator[Problem]:
    page, said, known = exercise.page, set[int](), set[str]()
    lines = [line for part in page.parts if level in part.levels for line in part.lines]
    helped = 0
    drawn = [*_drawn_parameters(exercise, level)]
    if not drawn:
        yield page.fail(1, f"no fair question of level {level} came in {SEEDS} draws")
    for parameters in drawn:
        for language, _name in settings.LANGUAGES:
            with translation.override(language):
                hint = exercise.question(parameters).hint
        facts: Facts = {**parameters, **exercise.facts(parameters)}
        said |= {line.number for line in page.lines(level, facts)}
        known |= facts.keys()
        helped += hint is not None
    if 0 < helped < len(drawn):
        yield page.fail(1, f"some questions of level {level} have no hint")
    known |= {line.arguments[0] for line in lines if line.word == "name"}
    for line in lines:
        if line.number not in said and not any(each.fact == EDITION for each in line.when):
            yield from _unknown(exercise, line, known)


def _drawn_parameters(exercise: Written, level: str) -> Iterator[Parameters]:
    """Parameters of questions of a level."""
    wish = {"level": level}
    for seed in range(SEEDS):
        rng = Random(seed)  # noqa: S311 - not a secret
        try:
            yield exercise.generate(rng, invent(rng, [exercise.family]), wish).parameters
        except NoVariant:
            continue


def _unknown(exercise: Written, line: PageLine, known: set[str]) -> Iterator[Problem]:
    """The names of a line that no draw has chosen, and that no fact has."""
    for each in (line, *line.items):
        if not line.each and not each.each:
            for name in names_in(each.text):
                if name not in known:
                    yield exercise.page.fail(each.number, f"nothing is called “[{name}]”")

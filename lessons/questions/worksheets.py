"""Worksheets and their keys: every copy has questions of its own, and its number names them.

A sheet is made anew from lesson, seed and copy each time it is asked for, so that a key printed
next week fits the sheet handed out today.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from random import Random

from django.utils.translation import gettext as _

from games.words import colon
from lessons.course import Lesson, Printed, WrittenQuestion, markup
from lessons.exercises import Instance, NoVariant, ask_invented
from lessons.exercises.answers import Form
from lessons.exercises.engine import ORDER, Blank, Field, Graph, GraphKind, NumberTable, Value
from lessons.exercises.texts import decimal, exact_percent, math, tex_value
from lessons.questions.pictures import (
    GraphPicture,
    HistogramPicture,
    draw,
    height,
    histograms,
    letter,
)
from xactika_site.classrooms.services import Refused

MOST_COPIES = 60
MOST_SEED = 9999
IN_VAIN = 60
"""Draws without a new variant after which an exercise is held to have no more."""


@dataclass(frozen=True, slots=True)
class SheetLine:
    """One thing to answer: its name, the boxes to tick if it is a choice, and the right answer
    with its formulas."""

    label: str
    options: tuple[tuple[str, bool], ...]
    right: str


@dataclass(frozen=True, slots=True)
class SheetTable:
    """A table: its rows' cells, each with whether it is a box to fill in."""

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[tuple[str, bool], ...], ...]


@dataclass(frozen=True, slots=True)
class PrintedTask:
    """A numbered task as it is printed, and what the key adds to it."""

    number: int
    prompt: str
    lines: tuple[SheetLine, ...] = ()
    question: Instance | None = None
    tables: tuple[SheetTable, ...] = ()
    histograms: tuple[HistogramPicture, ...] = ()
    empty: GraphPicture | None = None
    full: GraphPicture | None = None
    solution: tuple[str, ...] = ()
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Worksheet:
    """A worksheet: its number stands on the sheet and on its key."""

    number: str
    copy: int
    tasks: tuple[PrintedTask, ...]


def sheets(lesson: Lesson, *, seed: int, first: int, last: int) -> list[Worksheet]:
    """The copies of a set, with their keys; Refused for numbers out of bounds and where no
    variants are left."""
    if not 1 <= seed <= MOST_SEED:
        raise Refused(_("A set’s number is from 1 to %(most)d.") % {"most": MOST_SEED})
    if not 1 <= first <= last:
        raise Refused(_("Copies count from 1, the first before the last."))
    most = copies(lesson, seed)
    if last > most:
        raise Refused(
            _("Set %(seed)d ends at copy %(most)d. Take another set for more.")
            % {"seed": seed, "most": most}
        )
    return [_sheet(lesson, seed, copy) for copy in range(first, last + 1)]


def copies(lesson: Lesson, seed: int) -> int:
    """How many copies of a set differ from each other: as many as its richest exercise has
    variants, but never more than MOST_COPIES."""
    return max(
        len(_variant_seeds(task.exercise, f"{seed}.{place}", _key(task)))
        for place, task in enumerate(lesson.tasks)
        if isinstance(task, Printed)
    )


def _key(task: Printed) -> tuple[tuple[str, str], ...]:
    return tuple(task.only.items())


@lru_cache(maxsize=200)
def _variant_seeds(key: str, salt: str, only: tuple[tuple[str, str], ...]) -> tuple[int, ...]:
    """Seeds of questions of an exercise that all differ, in the order of the copies."""
    seeds: dict[str, int] = {}
    rng, vain = Random(f"{key}.{salt}"), 0  # noqa: S311 - not a secret
    while vain < IN_VAIN and len(seeds) < MOST_COPIES:
        seed = rng.getrandbits(40)
        try:
            parameters = {
                **ask_invented(key, seed, dict(only)).parameters,
                ORDER: None,
            }  # that alone is no other
            text = json.dumps(parameters, sort_keys=True)
        except NoVariant:
            vain += 1
            continue
        vain = vain + 1 if text in seeds else 0
        seeds.setdefault(text, seed)
    return tuple(seeds.values())


def _sheet(lesson: Lesson, seed: int, copy: int) -> Worksheet:
    tasks = []
    for place, task in enumerate(lesson.tasks):
        if isinstance(task, WrittenQuestion):
            tasks.append(
                PrintedTask(
                    place + 1, markup.html(task.prompt), answer=markup.html(task.answer)
                )
            )
            continue
        only = _key(task)
        variants = _variant_seeds(task.exercise, f"{seed}.{place}", only)
        question = ask_invented(task.exercise, variants[(copy - 1) % len(variants)], task.only)
        tasks.append(task_of(place + 1, question))
    return Worksheet(f"{lesson.number}–{seed}–{copy}", copy, tuple(tasks))


def task_of(number: int, question: Instance) -> PrintedTask:
    """A question as it is printed."""
    graph = question.graph
    drawn = {key for series in graph.series for key in series.fields} if graph else set()
    return PrintedTask(
        number,
        question.prompt,
        lines=tuple(
            _sheet_line(each, question.right[each.key], _slice(graph, each.key))
            for each in question.fields
            if not any(each.key in table.blanks for table in question.tables)
        ),
        question=question,
        tables=tuple(_sheet_table(table, question) for table in question.tables),
        histograms=histograms(question.histograms) if question.histograms else (),
        empty=draw(graph, (None,) * len(drawn)) if graph else None,
        full=draw(graph, _heights(graph, question)) if graph else None,
        solution=question.solution,
    )


def _sheet_table(table: NumberTable, question: Instance) -> SheetTable:
    def cell(each: str | Blank) -> tuple[str, bool]:
        if not isinstance(each, Blank):
            return each, False
        right = question.right[each.field]
        return right if isinstance(right, str) else decimal(right), True

    rows = tuple(tuple(cell(each) for each in row) for row in table.rows)
    return SheetTable(table.caption, table.head, rows)


def _heights(graph: Graph, question: Instance) -> tuple[float | None, ...]:
    own = next(series for series in graph.series if series.fields)
    forms = {each.key: each.form for each in question.fields}
    return tuple(height(question.right[key], forms[key]) for key in own.fields)


def _slice(graph: Graph | None, key: str) -> str:
    """The letter that names a pie's slice, with a space; empty for anything else."""
    own = next((each.fields for each in graph.series if each.fields), ()) if graph else ()
    is_slice = graph is not None and graph.kind is GraphKind.PIE and key in own
    return letter(own.index(key)) + colon() if is_slice else ""


def _sheet_line(field: Field, right: Value, before: str) -> SheetLine:
    if isinstance(right, str):
        options = tuple((option.label, option.key == right) for option in field.options)
        chosen = next((label for label, is_right in options if is_right), "")
        return SheetLine(field.label, options, chosen)
    if field.form is Form.PERCENT:
        assert isinstance(right, Fraction)
        return SheetLine(f"{before}{field.label}", (), exact_percent(right))
    unit = "°" if field.form is Form.DEGREES else ""
    return SheetLine(f"{before}{field.label}", (), math(tex_value(right)) + unit)

"""A lesson that the class held, as questions, answers and charts: what was predicted beside
what is true, what was dealt together over the theory, how far everybody came."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _

from games.words import listed
from lessons.course import Step, StepKind, Whole, markup
from lessons.course.variables import variable
from lessons.exercises.texts import decimal
from lessons.measures.marks import Merged
from lessons.measures.measure import panel
from lessons.measures.panels import Panel, PanelKind, Section
from lessons.results.taught.taught_lessons import (
    TaughtLesson,
    median_prediction,
    panel_key,
    verdict_count,
)
from lessons.results.words import basis_words, first_names, lesson_words, quoted, verdict
from lessons.visits.overlay import overlay_panel
from lessons.visits.predictions import is_right, number_words, tally, truth_words
from lessons.visits.presentation import kind_name
from lessons.visits.ways import Data, DataSource, Predictions
from xactika_site.classrooms.privacy import FEWEST


def parts(
    lessons: tuple[TaughtLesson, ...], *, came: int, is_shared: bool = False
) -> list[Section]:
    """The lessons of a session in the order in which they were held: who took part and how far
    the room came, the charts. On a screen that others see, nothing that fewer than five
    students said or dealt."""
    return [
        Section(
            f"lesson-{taught.place}",
            lesson_words(taught.lesson.number),
            _panels(taught, is_shared=is_shared, of=verdict_count(taught.data, lessons)),
            _part_sentence(taught, came),
            _("Lesson %(n)s") % {"n": taught.lesson.number},
        )
        for taught in lessons
    ]


def panels(lessons: tuple[TaughtLesson, ...]) -> list[Panel]:
    """The panels of these lessons, one lesson after the other."""
    return [each for part in parts(lessons, came=0) for each in part.panels]


def _part_sentence(taught: TaughtLesson, came: int) -> str:
    students = len(taught.students)
    return _(
        "Students who took part: %(students)d of %(of)d. Steps seen: %(seen)d of %(all)d."
    ) % {
        "students": students,
        "of": max(students, came),
        "seen": len(taught.seen_steps),
        "all": len(taught.lesson.steps),
    }


def _panels(taught: TaughtLesson, *, is_shared: bool, of: int) -> list[Panel]:
    rows = []
    for number, step in taught.seen_steps:
        if step.kind is StepKind.PREDICT:
            room = taught.predicted(step)
            if room.students:
                told = predicted(taught, number, step, room)
                rows.append(told.shown_to(room.students, is_shared=is_shared))
        elif step.kind is StepKind.REVEAL and step.chart and (data := taught.pooled(step)):
            is_hidden = is_shared and data.source is DataSource.ROOM
            told = pooled(taught, number, step, data, of=of)
            rows.append(told.shown_to(data.students, is_shared=is_hidden))
    if taught.students:
        rows.append(steps(taught).shown_to(len(taught.students), is_shared=is_shared))
    return rows


def predicted(taught: TaughtLesson, number: int, step: Step, room: Predictions) -> Panel:
    """What the class expected, beside what is true if that has been seen."""
    is_open, title = not taught.is_revealed(step), markup.plain(step.title)
    bars = tally(step, room, with_truth=not is_open)
    truth = "" if is_open else truth_words(step).rstrip(".")
    if truth and not step.whole:
        truth = quoted([truth])[0]
    said = {
        "title": title,
        "asks": title.endswith("?"),
        "number": bool(step.whole),
        **(_number_facts(step.whole, room) if step.whole else _choice_facts(step, room)),
        "open": is_open,
        "truth": truth,
        "right": sum(bool(is_right(step, each.value)) for each in taught.done[step.name]),
        "students": room.students,
    }
    rows = [Merged(bar, true=_("true") if bar.is_true else "") for bar in bars]
    rests = basis_words(students=room.students, of=len(taught.students))
    key = panel_key(taught.place, number)
    return replace(
        panel("expected", rows, said, key=key, basis=rests), kind=PanelKind.TALLY, bars=bars
    )


MOST_TIED = 2
"""Of more answers that equally many expected none is named."""


def _choice_facts(step: Step, room: Predictions) -> dict[str, Any]:
    most = max(room.counts)
    answers = [
        markup.plain(each.text).rstrip(".")
        for each, n in zip(step.statements, room.counts, strict=True)
        if n == most
    ]
    return {"answers": first_names(quoted(answers)), "tied": len(answers) > MOST_TIED}


def _number_facts(whole: Whole, room: Predictions) -> dict[str, Any]:
    """Numbers in the words of the prediction, the last one with its unit."""
    high = number_words(whole, room.numbers[-1])
    return {
        "few": room.students < FEWEST,
        "numbers": listed([*map(decimal, room.numbers[:-1]), high]),
        "low": decimal(room.numbers[0]),
        "high": high,
        "middle": decimal(median_prediction(room)),
    }


def pooled(taught: TaughtLesson, number: int, step: Step, data: Data, *, of: int) -> Panel:
    """What the class dealt or played together, over the theory; ``of`` is how many figures the
    page judges."""
    counted, chart = variable(step.chart), overlay_panel(step, data)
    question = taught.lesson.steps[taught.lesson.place(step.of) - 1]
    whole, far = sum(data.counts) or 1, taught.departures.get(number)
    said = {
        "question": markup.plain(question.title),
        "across": str(counted.across),
        "summary": chart.summary,
        "verdict": verdict(far.p_value, of=of) if far else "",
    }
    rows = [
        {"name": str(name), "theory": share, "counted": n, "share": Fraction(n, whole)}
        for name, share, n in zip(counted.categories, counted.shares, data.counts, strict=True)
    ]
    key = panel_key(taught.place, number)
    told = panel("dealt-together", rows, said, key=key, basis=chart.basis)
    return replace(told, figure=chart.figure, kind=PanelKind.CHART)


def steps(taught: TaughtLesson) -> Panel:
    """How many did each step, and how many were right first time where that can be told."""
    rows: list[dict[str, Any]] = []
    for number, step in taught.seen_steps:
        if step.kind is StepKind.REVEAL:
            continue
        done = taught.done.get(step.name, ())
        graded = [each for each in done if each.right is not None]
        right, title = sum(each.at_once for each in graded), markup.plain(step.title)
        rows.append(
            {
                "title": title,
                "step": f"{number}. {title}",
                "kind": kind_name(step),
                "students": len(done) + taught.solved[step.name],
                "right": Fraction(right, len(graded)) if graded else None,
            }
        )
    did = [(row["title"], row["students"]) for row in rows]
    said = {**_fewest_facts(did), "all": len(taught.students)}
    return panel("lesson-steps", rows, said, key=f"lesson-{taught.place}-steps")


def _fewest_facts(did: Sequence[tuple[str, int]]) -> dict[str, Any]:
    """The facts of the step that fewest did, with all that as few did; whether all are."""
    least = min((n for _step, n in did), default=0)
    steps = [step for step, n in did if n == least]
    fewest = "every" if len(steps) == len(did) > 1 else "some"
    return {"least": least, "steps": first_names(quoted(steps)), "fewest": fewest}

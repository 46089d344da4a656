"""A lesson that the class held, as questions, answers and charts: what was predicted beside
what is true, what was dealt together over the theory, how far everybody came."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from lessons.course import Step, StepKind, markup
from lessons.course.variables import variable
from lessons.exercises.texts import decimal
from lessons.measures.grid import Column, Grid
from lessons.measures.panels import Panel
from lessons.results.learned.learning_panels import MOST_NAMED
from lessons.results.taught.taught_lessons import (
    TaughtLesson,
    median_prediction,
    panel_key,
    prediction_list,
    verdict_count,
)
from lessons.results.words import basis, chart_verdict, lesson_words, sentences
from lessons.visits.overlay import overlay_chart
from lessons.visits.predictions import is_right, tally, truth_words
from lessons.visits.presentation import KIND_NAMES
from lessons.visits.ways import Data, Predictions
from xactika_site.classrooms.privacy import FEWEST


@dataclass(slots=True)
class LessonPart:
    """One lesson on a page: its name, who took part and how far the room came, its charts."""

    key: str
    title: str
    short: str
    sentence: str
    panels: list[Panel]


def parts(
    lessons: tuple[TaughtLesson, ...], *, came: int, is_shared: bool = False
) -> list[LessonPart]:
    """The lessons of a session in the order in which they were held. On a screen that others
    see, nothing that fewer than five students said or dealt."""
    return [
        LessonPart(
            f"lesson-{taught.place}",
            lesson_words(taught.lesson.number),
            _("Lesson %d") % taught.lesson.number,
            _part_sentence(taught, came),
            _panels(taught, is_shared=is_shared, of=verdict_count(taught.facts, lessons)),
        )
        for taught in lessons
    ]


def panels(lessons: tuple[TaughtLesson, ...]) -> list[Panel]:
    """The panels of these lessons, one lesson after the other."""
    return [
        panel
        for taught in lessons
        for panel in _panels(taught, is_shared=False, of=verdict_count(taught.facts, lessons))
    ]


def _part_sentence(taught: TaughtLesson, came: int) -> str:
    students = len(taught.students)
    return _(
        "Students who took part: %(students)d of %(of)d. The room saw %(seen)d of %(all)d "
        "steps."
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
                panel = predicted(taught, number, step, room)
                rows.append(_for(panel, room.students, is_shared=is_shared))
        elif step.kind is StepKind.REVEAL and step.chart and (data := taught.pooled(step)):
            is_hidden = is_shared and data.source == "room"
            panel = pooled(taught, number, step, data, of=of)
            rows.append(_for(panel, data.students, is_shared=is_hidden))
    if taught.students:
        rows.append(_for(steps(taught), len(taught.students), is_shared=is_shared))
    return rows


def _for(panel: Panel, students: int, *, is_shared: bool) -> Panel:
    return panel.hidden() if is_shared and students < FEWEST else panel


def predicted(taught: TaughtLesson, number: int, step: Step, room: Predictions) -> Panel:
    """What the class expected, beside what is true if that has been seen."""
    is_open, title = not taught.is_revealed(step), markup.plain(step.title)
    rows = tally(step, room, with_truth=not is_open)
    text = _number_sentence(step, room) if step.whole else _choice_sentence(step, room)
    truth = "" if is_open else truth_words(step)
    if truth:
        is_sentence = truth.endswith((".", "?", "!"))
        true = (_("True: %s") if is_sentence else _("True: %s.")) % truth
        right = sum(bool(is_right(step, each.value)) for each in taught.done[step.name])
        count = _("Right: %(n)d of %(all)d.") % {"n": right, "all": room.students}
        text = sentences(text, true, count)
    return Panel(
        panel_key(taught.place, number),
        title if title.endswith("?") else _("“%s”: what did we expect?") % title,
        text,
        grid=Grid(
            _("What was expected: %s") % title,
            (Column(_("Prediction"), "text"), Column(_("Students")), Column(_("True"), "text")),
            tuple((row.label, row.count, _("true") if row.is_true else "") for row in rows),
        ),
        basis=basis(students=room.students, of=len(taught.students)),
        caveat=_what_counts(step, is_open=is_open, truth=truth),
        kind="tally",
        size="short" if step.whole else "",
        bars=rows,
    )


def _what_counts(step: Step, *, is_open: bool, truth: str) -> str:
    if is_open:
        return _("What is true has not been revealed to the class yet.")
    return _("A number in the bar marked true counts as right.") if step.whole and truth else ""


def _choice_sentence(step: Step, room: Predictions) -> str:
    most = max(room.counts)
    answers = [
        markup.plain(each.text).rstrip(".")
        for each, n in zip(step.statements, room.counts, strict=True)
        if n == most
    ]
    facts = {"n": most, "all": room.students}
    if len(answers) == 1:
        words = _("Expected most, by %(n)d of %(all)d: “%(answer)s”.")
        return words % (facts | {"answer": answers[0]})
    words = _("Expected most, by %(n)d of %(all)d each: %(answers)s.")
    return words % (facts | {"answers": _listed(answers)})


def _listed(names: Sequence[str]) -> str:
    """These names one after the other, of many the first ones."""
    first = [_("“%s”") % name for name in names[:MOST_NAMED]]
    return ", ".join([*first, "…"] if len(names) > MOST_NAMED else first)


def _number_sentence(step: Step, room: Predictions) -> str:
    assert step.whole is not None
    unit = markup.plain(step.whole.unit) if step.whole.unit else ""
    if room.students < FEWEST:
        numbers = prediction_list(room)
        return _("Expected: %(numbers)s %(unit)s.") % {"numbers": numbers, "unit": unit}
    return _("From %(low)s to %(high)s %(unit)s; the middle guess was %(middle)s.") % {
        "low": decimal(room.numbers[0]),
        "high": decimal(room.numbers[-1]),
        "middle": decimal(median_prediction(room)),
        "unit": unit,
    }


def pooled(taught: TaughtLesson, number: int, step: Step, data: Data, *, of: int) -> Panel:
    """What the class dealt or played together, over the theory; ``of`` is how many figures the
    page judges."""
    counted, chart = variable(step.chart), overlay_chart(step, data)
    question = taught.lesson.steps[taught.lesson.place(step.of) - 1]
    whole, far = sum(data.counts) or 1, taught.departures.get(number)
    sentence = chart.summary
    if far is not None:
        sentence = sentences(sentence, chart_verdict(far.p_value, of=of))
    return Panel(
        panel_key(taught.place, number),
        _("“%s”: what do our data say?") % markup.plain(question.title),
        sentence,
        chart.figure,
        Grid(
            str(counted.title),
            (
                Column(str(counted.across), "text"),
                Column(_("Theory"), "%"),
                Column(_("Counted")),
                Column(_("Share"), "%"),
            ),
            tuple(
                (str(name), share, count, Fraction(count, whole))
                for name, share, count in zip(
                    counted.categories, counted.shares, data.counts, strict=True
                )
            ),
        ),
        basis=chart.basis,
        caveat=_("The more hands, the less room for luck: a share settles, a count drifts."),
    )


def steps(taught: TaughtLesson) -> Panel:
    """How many did each step, and how many were right at once where that can be told."""
    rows, people = [], len(taught.students)
    for number, step in taught.seen_steps:
        if step.kind is StepKind.REVEAL:
            continue
        done = taught.done.get(step.name, ())
        graded = [each for each in done if each.right is not None]
        right = sum(each.at_once for each in graded)
        rows.append(
            (
                f"{number}. {markup.plain(step.title)}",
                str(KIND_NAMES[step.kind]),
                len(done) + taught.solved[step.name],
                Fraction(right, len(graded)) if graded else None,
            )
        )
    return Panel(
        f"lesson-{taught.place}-steps",
        _("Who came how far?"),
        _fewest_did([(row[0].partition(". ")[2], row[2]) for row in rows], people),
        grid=Grid(
            _("The steps of the lesson"),
            (
                Column(_("Step"), "text"),
                Column(_("Kind"), "text"),
                Column(_("Students"), of=people),
                Column(_("Right at once"), "%"),
            ),
            tuple(rows),
        ),
        kind="table",
    )


def _fewest_did(rows: Sequence[tuple[str, int]], students: int) -> str:
    """The step that fewest did, with all that as few did; none where as many did them all."""
    if not rows:
        return _("Nobody has done a step yet.")
    least = min(n for _step, n in rows)
    steps = [step for step, n in rows if n == least]
    facts = {"n": least, "all": students}
    if len(steps) == 1:
        sentence = ngettext(
            "Fewest did “%(step)s”: %(n)d of %(all)d student.",
            "Fewest did “%(step)s”: %(n)d of %(all)d students.",
            students,
        )
        return sentence % (facts | {"step": steps[0]})
    if len(steps) == len(rows):
        return _("Each step was done by %(n)d of %(all)d.") % facts
    sentence = _("Fewest did %(steps)s, %(n)d of %(all)d each.")
    return sentence % (facts | {"steps": _listed(steps)})

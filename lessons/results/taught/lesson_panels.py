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
from lessons.results.grid import Column, Grid
from lessons.results.learned.learning_panels import MOST_NAMED
from lessons.results.panels import Panel
from lessons.results.taught.held import Held, each_of, judged, middle, panel_key
from lessons.results.words import all_or_some, basis, by_chance, lesson_words
from lessons.visits.overlay import overlay
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
    said: str
    panels: list[Panel]


def parts(found: tuple[Held, ...], *, came: int, is_shared: bool = False) -> list[LessonPart]:
    """The lessons of a session in the order in which they were held. On a screen that others
    see, nothing that fewer than five students said or dealt."""
    return [
        LessonPart(
            f"lesson-{held.place}",
            lesson_words(held.lesson.number),
            _("Lesson %d") % held.lesson.number,
            _said(held, came),
            _panels(held, is_shared=is_shared, of=judged(held.facts, found)),
        )
        for held in found
    ]


def panels(found: tuple[Held, ...]) -> list[Panel]:
    """All of their charts."""
    return [
        panel
        for held in found
        for panel in _panels(held, is_shared=False, of=judged(held.facts, found))
    ]


def _said(held: Held, came: int) -> str:
    steps = len(held.lesson.steps)
    return _("%(who)s took part; the room saw %(seen)d of %(all)d steps.") % {
        "who": all_or_some(len(held.students), came),
        "seen": len(held.seen),
        "all": steps,
    }


def _panels(held: Held, *, is_shared: bool, of: int) -> list[Panel]:
    found = []
    for number, step in held.seen:
        if step.kind is StepKind.PREDICT:
            room = held.predicted(step)
            if room.students:
                panel = predicted(held, number, step, room)
                found.append(_for(panel, room.students, is_shared=is_shared))
        elif step.kind is StepKind.REVEAL and step.chart and (data := held.pooled(step)):
            is_hidden = is_shared and data.source == "room"
            panel = pooled(held, number, step, data, of=of)
            found.append(_for(panel, data.students, is_shared=is_hidden))
    if held.students:
        found.append(_for(steps(held), len(held.students), is_shared=is_shared))
    return found


def _for(panel: Panel, students: int, *, is_shared: bool) -> Panel:
    return panel.hidden() if is_shared and students < FEWEST else panel


def predicted(held: Held, number: int, step: Step, room: Predictions) -> Panel:
    """What the class expected, beside what is true if that has been seen."""
    is_open, title = not held.is_revealed(step), markup.plain(step.title)
    rows = tally(step, room, with_truth=not is_open)
    said = _number_sentence(step, room) if step.whole else _choice_sentence(step, room)
    truth = "" if is_open else truth_words(step)
    if truth:
        said += " " + _("True: %s") % truth + ("" if truth.endswith((".", "?", "!")) else ".")
        right = sum(bool(is_right(step, each.value)) for each in held.done[step.name])
        said += " " + _("Right: %(n)d of %(all)d.") % {"n": right, "all": room.students}
    return Panel(
        panel_key(held.place, number),
        title if title.endswith("?") else _("“%s”: what did we expect?") % title,
        said,
        grid=Grid(
            _("What was expected: %s") % title,
            (Column(_("Prediction"), "text"), Column(_("Students")), Column(_("True"), "text")),
            tuple((row.label, row.count, _("true") if row.is_true else "") for row in rows),
        ),
        basis=basis(students=room.students, of=len(held.students)),
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
    said = [
        markup.plain(each.text).rstrip(".")
        for each, n in zip(step.statements, room.counts, strict=True)
        if n == most
    ]
    facts = {"n": most, "all": room.students}
    if len(said) == 1:
        words = _("Expected most, by %(n)d of %(all)d: “%(answer)s”.")
        return words % (facts | {"answer": said[0]})
    words = _("Expected most, by %(n)d of %(all)d each: %(answers)s.")
    return words % (facts | {"answers": _quoted(said)})


def _quoted(names: Sequence[str]) -> str:
    """These names one after the other, of many the first ones."""
    shown = [_("“%s”") % name for name in names[:MOST_NAMED]]
    return ", ".join([*shown, "…"] if len(names) > MOST_NAMED else shown)


def _number_sentence(step: Step, room: Predictions) -> str:
    assert step.whole is not None
    unit = markup.plain(step.whole.unit) if step.whole.unit else ""
    if room.students < FEWEST:
        return _("Expected: %(numbers)s %(unit)s.") % {"numbers": each_of(room), "unit": unit}
    return _("From %(low)s to %(high)s %(unit)s; the middle guess was %(middle)s.") % {
        "low": decimal(room.numbers[0]),
        "high": decimal(room.numbers[-1]),
        "middle": decimal(middle(room)),
        "unit": unit,
    }


def pooled(held: Held, number: int, step: Step, data: Data, *, of: int) -> Panel:
    """What the class dealt or played together, over the theory; ``of`` is how many figures the
    page judges."""
    asked, shown = variable(step.chart), overlay(step, data)
    question = held.lesson.steps[held.lesson.place(step.of) - 1]
    counted, far = sum(data.counts) or 1, held.departures.get(number)
    said = shown.summary
    if far is not None:
        said += " " + _("The whole chart is %s.") % by_chance(far.luck or 0.0, of=of)
    return Panel(
        panel_key(held.place, number),
        _("“%s”: what do our data say?") % markup.plain(question.title),
        said,
        shown.figure,
        Grid(
            str(asked.title),
            (
                Column(str(asked.across), "text"),
                Column(_("Theory"), "%"),
                Column(_("Counted")),
                Column(_("Share"), "%"),
            ),
            tuple(
                (str(name), share, count, Fraction(count, counted))
                for name, share, count in zip(
                    asked.categories, asked.shares, data.counts, strict=True
                )
            ),
        ),
        basis=shown.basis,
        caveat=_("The more hands, the less room for luck: a share settles, a count drifts."),
    )


def steps(held: Held) -> Panel:
    """How many did each step, and how many were right at once where that can be told."""
    rows = []
    for number, step in held.seen:
        if step.kind is StepKind.REVEAL:
            continue
        done = held.done.get(step.name, ())
        graded = [each for each in done if each.right is not None]
        right = sum(each.at_once for each in graded)
        rows.append(
            (
                f"{number}. {markup.plain(step.title)}",
                str(KIND_NAMES[step.kind]),
                len(done) + held.solved[step.name],
                Fraction(right, len(graded)) if graded else None,
            )
        )
    return Panel(
        f"lesson-{held.place}-steps",
        _("Who came how far?"),
        _fewest_did([(row[0].partition(". ")[2], row[2]) for row in rows], len(held.students)),
        grid=Grid(
            _("The steps of the lesson"),
            (
                Column(_("Step"), "text"),
                Column(_("Kind"), "text"),
                Column(_("Students"), of=len(held.students)),
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
        said = ngettext(
            "Fewest did “%(step)s”: %(n)d of %(all)d student.",
            "Fewest did “%(step)s”: %(n)d of %(all)d students.",
            students,
        )
        return said % (facts | {"step": steps[0]})
    if len(steps) == len(rows):
        return _("Each step was done by %(n)d of %(all)d.") % facts
    said = _("Fewest did %(steps)s, %(n)d of %(all)d each.")
    return said % (facts | {"steps": _quoted(steps)})

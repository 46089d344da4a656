"""What was taught and learned, at a glance: a tile a question, None where there is nothing to
tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from lessons import charts
from lessons.course import markup
from lessons.course.variables import variable
from lessons.exercises.texts import decimal
from lessons.results import inference
from lessons.results.learned.learning import (
    FEWEST_QUESTIONS,
    Learning,
    Success,
    help_order,
    needs_help,
)
from lessons.results.session.advice import Advice, open_by_lesson
from lessons.results.taught.taught_lessons import (
    TaughtLesson,
    explanations,
    median_prediction,
    panel_key,
    prediction_list,
    surprise,
)
from lessons.results.tiles import Tile, named_bars, named_shares, tile
from lessons.results.words import (
    lesson_words,
    sentences,
)
from lessons.visits.predictions import tally, truth_words
from xactika_site.classrooms.privacy import FEWEST

NAMES = 3
"""Of those who need help so many are named."""

CROWD = 40
"""Dots that lie beside each other; more of them are smaller."""


def dealt(lessons: Sequence[TaughtLesson], *, is_shared: bool, of: int) -> Tile | None:
    """What the class dealt in a lesson, beside theory: the rarest."""
    rows = [
        (departure.p_value, each, place, departure)
        for each in lessons
        for place, departure in each.departures.items()
        if not (is_shared and each.dealers(each.lesson.steps[place - 1]) < FEWEST)
    ]
    if not rows:
        return None
    p_value, taught, place, departure = min(rows, key=lambda row: row[0])
    step = taught.lesson.steps[place - 1]
    data, counted = taught.pooled(step), variable(step.chart)
    assert data is not None
    labels = [str(name) for name in counted.categories]
    expected = [round(float(share) * data.hands, 2) for share in counted.shares]
    is_rare = p_value * of < inference.RARE
    said = {
        "rare": is_rare,
        "mean": departure.observed,
        "what": departure.key,
        "expected": departure.expected,
    }
    bars = [
        charts.bars(labels, data.counts, name=_("the class’s deals")),
        charts.hollow_bars(labels, expected, name=_("in theory")),
    ]
    return tile(
        "chance",
        "dealt-together",
        said,
        charts.small(bars, overlay=True),
        panel=panel_key(taught.place, place),
        stands_out=is_rare,
    )


def help_needed(learning: Learning, names: Mapping[int, str]) -> Tile | None:
    """A dot a student, by the share right at once; those who need help marked, and the first
    of them called as in ``names``."""
    by_student = {pk: learning.of_student(pk).success for pk in learning.students}
    if not by_student:
        return None
    every = sorted(by_student.values(), key=lambda own: (own.share or 0, -own.questions))
    size = 9 if len(every) <= CROWD else 5
    dots = charts.points(
        list(range(1, len(every) + 1)),
        [float(each.share or 0) for each in every],
        sizes=[size - 3 * (each.questions < FEWEST_QUESTIONS) for each in every],
        marked={n for n, each in enumerate(every) if needs_help(each)},
    )
    half = charts.level(0.5) | {"line": {"color": charts.SOFT, "width": 1, "dash": "dash"}}
    of = _("%(name)s (%(right)d of %(all)d)")
    needy = [
        of % {"name": names.get(pk, "–"), "right": own.at_once, "all": own.questions}
        for pk, own in sorted(by_student.items(), key=lambda each: help_order(each[1]))
        if needs_help(own)
    ]
    some, who = len(needy), ", ".join(needy[:NAMES])
    said = {"some": some, "all": len(every), "least": FEWEST_QUESTIONS, "who": who}
    said["more"] = max(0, some - NAMES)
    return tile(
        "help",
        "students",
        said,
        charts.small(
            [dots], percent=True, y_range=(-0.07, 1.07), y_ticks=[0, 0.5, 1], shapes=[half]
        ),
        stands_out=some > 0,
    )


def next_lesson(learning: Learning, advice: Advice | None) -> Tile | None:
    """The lesson to teach next, and how many mistakes each lesson would treat."""
    if advice is None:
        return None
    treated = {
        lesson: sum(each.open for each in mistakes)
        for lesson, mistakes in open_by_lesson(learning).items()
    }
    title, why = f"{lesson_words(advice.lesson)}.", sentences(advice.reason, advice.before)
    words = Tile(
        "next", advice.words, "", None, "", page=advice.page, note=sentences(title, why)
    )
    if advice.lesson not in treated:
        return words
    first = sorted(treated, key=lambda lesson: (-treated[lesson], lesson))[:4]
    order = [*(lesson for lesson in first[::-1] if lesson != advice.lesson), advice.lesson]
    bars = charts.lying(
        [_("Lesson %d") % lesson for lesson in order],
        [treated[lesson] for lesson in order],
        text=[str(treated[lesson]) for lesson in order],
        marked={len(order) - 1},
    )
    of = treated[advice.lesson]
    note = sentences(title, advice.before, _("Bars: mistakes still open, by lesson."))
    return replace(
        words,
        number=ngettext("%d open mistake", "%d open mistakes", of) % of,
        figure=charts.small([bars]),
        summary=why,
        note=note,
    )


def mistake(learning: Learning) -> Tile | None:
    """The commonest mistakes: made, and still open; where none is recognised, the question of
    our own that fewest had right."""
    if learning.own and not learning.misconceptions:
        return own_question(learning)
    if not learning.attempts:
        return None
    if not learning.misconceptions:
        return Tile("mistake", _("No misconception has been recognised so far."), "0", None, "")
    found = learning.misconceptions
    first = found[0]
    names = [each.misconception.title for each in found]
    made = [each.students for each in found]
    is_open = [each.open for each in found]
    marked = ({0}, ()) if not first.open else ((), {0})
    bars = [
        named_bars(
            names, made, list(map(str, made)),
            name=_("Students"), colour="--tint", marked=marked[0],
        ),
        named_bars(names, is_open, (), name=_("Still open"), marked=marked[1]),
    ]  # fmt: skip
    return tile(
        "mistake",
        "misconceptions",
        {"first": first.misconception.title, "some": first.students, "all": first.met},
        charts.small(bars),
        stands_out=first.open >= FEWEST and 2 * first.open > first.met,
    )


def own_question(learning: Learning) -> Tile:
    """Our own questions by the share right at once, the one that fewest had right named."""
    asked = learning.own_questions
    name, hardest = next(iter(asked.items()))
    said = {"hardest": name, "some": hardest.at_once, "all": hardest.questions}
    shares = _shares(asked, is_marked=hardest.share != 1)
    return tile("mistake", "own-questions", said, shares)


def expected(lessons: Sequence[TaughtLesson], *, is_shared: bool) -> Tile | None:
    """The prediction of the last lesson that fewest had right."""
    taught = next((each for each in reversed(lessons) if surprise(each)), None)
    hardest = surprise(taught) if taught else None
    if taught is None or hardest is None:
        return None
    step, room = hardest.step, hardest.room
    if is_shared and room.students < FEWEST:
        return None
    said = {
        "number": bool(step.whole),
        "title": markup.plain(step.title),
        "truth": truth_words(step),
        "some": hardest.right,
        "all": room.students,
    }
    if step.whole:
        is_few = room.students < FEWEST
        said["guess"] = prediction_list(room) if is_few else decimal(median_prediction(room))
    rows = tally(step, room, with_truth=True)
    labels, counts = [row.label for row in rows], [row.count for row in rows]
    marked = {n for n, row in enumerate(rows) if row.is_true}
    bars = (
        charts.bars(labels, counts, marked=marked)
        if step.whole
        else named_bars(labels, counts, list(map(str, counts)), marked=marked)
    )
    return tile(
        "expected",
        "expected",
        said,
        charts.small([bars]),
        panel=panel_key(taught.place, hardest.number),
    )


def explained(lessons: Sequence[TaughtLesson], *, is_shared: bool) -> Tile | None:
    """The explanation of the last lesson that fewest could give at their first try."""
    taught = next((each for each in reversed(lessons) if explanations(each)), None)
    if taught is None:
        return None
    rows = [
        (step, sum(each.at_once for each in done), len(done))
        for step, done in explanations(taught)
        if not (is_shared and len(done) < FEWEST)
    ]
    if not rows:
        return None
    shares = [Fraction(right, count) for _step, right, count in rows]
    hardest = shares.index(min(shares))
    step, right, count = rows[hardest]
    said = {
        "some": right,
        "all": count,
        "share": shares[hardest],
        "title": markup.plain(step.title),
    }
    return tile(
        "explained",
        "lesson-steps",
        said,
        named_shares(
            [markup.plain(each.title) for each, *_counts in rows],
            shares,
            marked={hardest} if len(rows) > 1 else (),
        ),
        panel=f"lesson-{taught.place}-steps",
    )


def skills(learning: Learning) -> Tile | None:
    """The share right at once, a bar a skill, the weakest named."""
    went = learning.by_skill
    if not went:
        return None
    order = sorted(went, key=lambda skill: (went[skill].share or 0, skill.title))
    weakest = went[order[0]].share or Fraction()
    is_alone = len(order) > 1 and weakest < (went[order[1]].share or 0)
    said = {
        "alone": is_alone,
        "weakest": order[0].title,
        "share": weakest if is_alone else learning.success.share or Fraction(),
    }
    bars = _shares({skill.title: went[skill] for skill in order}, is_marked=is_alone)
    return tile("skills", "skills", said, bars)


def _shares(went: Mapping[str, Success], *, is_marked: bool) -> charts.Figure:
    """The shares right at once, a bar a name, the first one marked."""
    shares = [each.share or 0 for each in went.values()]
    return named_shares(list(went), shares, marked={0} if is_marked else ())

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
from lessons.results.learned.learning import Learning, Success
from lessons.results.learned.predictions import Progress
from lessons.results.session.advice import Advice, open_by_lesson
from lessons.results.taught.taught_lessons import (
    TaughtLesson,
    explanations,
    median_prediction,
    panel_key,
    prediction_list,
    surprise,
)
from lessons.results.tiles import Tile
from lessons.results.words import (
    lesson_words,
    percent,
    sentences,
)
from lessons.visits.predictions import tally, truth_words
from xactika_site.classrooms.privacy import FEWEST

FEWEST_QUESTIONS = 4
"""Of fewer questions it is not said of a student that they need help."""

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
    is_rare = p_value * of < inference.RARE
    return Tile(
        "chance",
        _("Chance was off in our deals") if is_rare else _("Chance behaved"),
        percent(departure.observed),
        charts.small(
            [
                charts.bars(labels, data.counts, name=_("the class’s deals")),
                charts.hollow_bars(
                    labels,
                    [round(float(share) * data.hands, 2) for share in counted.shares],
                    name=_("in theory"),
                ),
            ],
            overlay=True,
        ),
        "",
        panel_key(taught.place, place),
        _("Would twice as many hands come nearer?"),
        stands_out=is_rare,
        note=_("“%(what)s”; theory says %(share)s")
        % {"what": departure.key, "share": percent(departure.expected)},
    )


def needs_help(success: Success) -> bool:
    """Whether fewer than half of a student's questions, four at least, were right at once."""
    return success.questions >= FEWEST_QUESTIONS and 2 * success.at_once < success.questions


def help_needed(learning: Learning) -> Tile | None:
    """A dot a student, by the share right at once, nameless; those who need help marked."""
    every = [learning.of_student(pk).success for pk in learning.students]
    if not every:
        return None
    every.sort(key=lambda each: (each.share or 0, -each.questions))
    some = sum(map(needs_help, every))
    shares = [float(each.share or 0) for each in every]
    return Tile(
        "help",
        ngettext("%d student needs help", "%d students need help", some) % some
        if some
        else _("Nobody needs help so far"),
        _("%(some)d of %(all)d") % {"some": some, "all": len(every)},
        charts.small(
            [
                charts.points(
                    list(range(1, len(every) + 1)),
                    shares,
                    sizes=[
                        (9 if len(every) <= CROWD else 5)
                        - 3 * (each.questions < FEWEST_QUESTIONS)
                        for each in every
                    ],
                    marked={n for n, each in enumerate(every) if needs_help(each)},
                )
            ],
            percent=True,
            y_range=(-0.07, 1.07),
            y_ticks=[0, 0.5, 1],
            shapes=[
                charts.level(0.5) | {"line": {"color": charts.SOFT, "width": 1, "dash": "dash"}}
            ],
        ),
        _(
            "A dot a student: the share right at once. Marked: fewer than half of %d questions "
            "or more."
        )
        % FEWEST_QUESTIONS,
        "students",
        stands_out=some > 0,
        note=_("A dot a student: right at once."),
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
    tile = Tile(
        "next", advice.words, "", None, "", page=advice.page, note=sentences(title, why)
    )
    if advice.lesson not in treated:
        return tile
    first = sorted(treated, key=lambda lesson: (-treated[lesson], lesson))[:4]
    order = [*(lesson for lesson in first[::-1] if lesson != advice.lesson), advice.lesson]
    bars = charts.lying(
        [_("Lesson %d") % lesson for lesson in order],
        [treated[lesson] for lesson in order],
        text=[str(treated[lesson]) for lesson in order],
        marked={len(order) - 1},
    )
    told = _("Bars: mistakes still open, by lesson.")
    note = sentences(title, advice.before, told)
    return replace(tile, figure=charts.small([bars]), summary=why, note=note)


def mistake(learning: Learning) -> Tile | None:
    """The commonest mistakes: made, and still open; where none is recognised, the question of
    our own that fewest had right."""
    if learning.own and not learning.misconceptions:
        return own_question(learning)
    if not learning.attempts:
        return None
    if not learning.misconceptions:
        return Tile("mistake", _("No misconception has been recognised so far."), "0", None, "")
    found = learning.misconceptions[:6]
    first = found[0]
    names = [each.misconception.title for each in found]
    is_open = first.open >= FEWEST and 2 * first.open > first.met
    return Tile(
        "mistake",
        first.misconception.title,
        _("%(some)d of %(all)d") % {"some": first.students, "all": first.met},
        charts.small(
            [
                charts.bars(
                    names,
                    [each.students for each in found],
                    name=_("Students"),
                    colour="--tint",
                    text=[str(each.students) for each in found],
                    marked=() if first.open else {0},
                ),
                charts.bars(
                    names,
                    [each.open for each in found],
                    name=_("Still open"),
                    marked={0} if first.open else (),
                ),
            ],
            overlay=True,
            x_labels=False,
        ),
        "",
        "misconceptions",
        _("Who can explain the mistake?"),
        stands_out=is_open,
        note=_("Students per mistake; marked: the one in the title; dark: still open."),
    )


def own_question(learning: Learning) -> Tile:
    """Our own questions by the share right at once, the one that fewest had right named."""
    asked = learning.own_questions
    name, hardest = next(iter(asked.items()))
    return Tile(
        "mistake",
        _("“%s” was the hardest") % name,
        _("%(some)d of %(all)d") % {"some": hardest.at_once, "all": hardest.questions},
        _shares(asked, is_marked=hardest.share != 1),
        "",
        "own-questions",
        _("Who can put the reason into their own words?"),
        note=_("Right at once, a bar a question."),
    )


def expected(lessons: Sequence[TaughtLesson], *, is_shared: bool) -> Tile | None:
    """The prediction of the last lesson that fewest had right."""
    taught = next((each for each in reversed(lessons) if surprise(each)), None)
    hardest = surprise(taught) if taught else None
    if taught is None or hardest is None:
        return None
    step, room = hardest.step, hardest.room
    if is_shared and room.students < FEWEST:
        return None
    if step.whole:
        said = decimal(median_prediction(room))
        if room.students < FEWEST:
            said = prediction_list(room)
        claim = _("We expected %(said)s; it’s %(truth)s") % {
            "said": said,
            "truth": truth_words(step),
        }
        ask = _("Who was far off, and what was the reason?")
    else:
        said = _("%(some)d of %(all)d") % {"some": hardest.right, "all": room.students}
        claim = _("%s expected what’s true") % said
        ask = _("What spoke for the other answers, and what speaks against them?")
    rows = tally(step, room, with_truth=True)
    return Tile(
        "expected",
        claim,
        said,
        charts.small(
            [
                charts.bars(
                    [row.label for row in rows],
                    [row.count for row in rows],
                    marked={n for n, row in enumerate(rows) if row.is_true},
                )
            ],
            x_labels=bool(step.whole),
        ),
        "",
        panel_key(taught.place, hardest.number),
        ask,
        note=markup.plain(step.title),
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
    said = _("%(some)d of %(all)d") % {"some": right, "all": count}
    return Tile(
        "explained",
        _("%s could say why at once") % said,
        percent(shares[hardest]),
        charts.small(
            [
                charts.bars(
                    [markup.plain(each.title) for each, *_counts in rows],
                    [float(share) for share in shares],
                    marked={hardest} if len(rows) > 1 else (),
                )
            ],
            percent=True,
            y_range=(0, 1),
            y_ticks=[0, 0.5, 1],
            x_labels=False,
        ),
        "",
        f"lesson-{taught.place}-steps",
        _("Who can put the reason into their own words?"),
        note=markup.plain(step.title),
    )


def learned(progress: Sequence[Progress]) -> Tile | None:
    """The predictions that were right before, and the reasons after."""
    predicted = sum(each.predicted for each in progress)
    explained = sum(each.explained for each in progress)
    if not predicted or not explained:
        return None
    before = Fraction(sum(each.right_before for each in progress), predicted)
    after = Fraction(sum(each.right_after for each in progress), explained)
    return Tile(
        "learned",
        _("Before: %(before)s right. After: %(after)s knew why.")
        % {"before": percent(before), "after": percent(after)},
        percent(after),
        charts.small(
            [
                charts.lying(
                    [_("after"), _("before")],
                    [float(after), float(before)],
                    text=[percent(after), percent(before)],
                )
            ],
            x_range=(0, 1),
        ),
        "",
        "predictions",
        _("What changed your mind?"),
        note=_("Before: predictions. After: reasons, right at the first try."),
    )


def skills(learning: Learning) -> Tile | None:
    """The share right at once, a bar a skill, the weakest named."""
    went = learning.by_skill
    if not went:
        return None
    order = sorted(went, key=lambda skill: (went[skill].share or 0, skill.title))
    shares = [went[skill].share or Fraction() for skill in order]
    is_alone = len(order) > 1 and shares[0] < shares[1]
    return Tile(
        "skills",
        _("Weakest: %s") % order[0].title
        if is_alone
        else _("%s right at once") % percent(learning.success.share or 0),
        percent(shares[0] if is_alone else learning.success.share or 0),
        _shares({skill.title: went[skill] for skill in order}, is_marked=is_alone),
        "",
        "skills",
        _("Who can put the reason into their own words?"),
        note=_("Right at once, a bar a skill."),
    )


def _shares(went: Mapping[str, Success], *, is_marked: bool) -> charts.Figure:
    """The shares right at once, a bar a name, the first one marked."""
    shares = [float(each.share or 0) for each in went.values()]
    bars = charts.bars(list(went), shares, marked={0} if is_marked else ())
    return charts.small(
        [bars], percent=True, y_range=(0, 1), y_ticks=[0, 0.5, 1], x_labels=False
    )

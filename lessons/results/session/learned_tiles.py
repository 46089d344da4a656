"""What was taught and learned, at a glance: a tile a question, None where there is nothing to
tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.analysis.significance import ALPHA
from lessons.course import markup
from lessons.course.variables import variable
from lessons.exercises import EXERCISES
from lessons.exercises.texts import decimal
from lessons.results.bids.bidding import Errors
from lessons.results.learned.learning import (
    FEWEST_QUESTIONS,
    Learning,
    Success,
    help_order,
    needs_help,
    weakest_first,
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
from lessons.results.tiles import Tile, TileLink, lying, share_rows, tile
from lessons.results.words import guide_of, is_few, lesson_by_number, lesson_words, sentences
from lessons.visits.predictions import tally, truth_words
from xactika_site.classrooms.privacy import FEWEST


@dataclass(frozen=True, slots=True)
class Onward:
    """Where a teacher's tiles lead after a ``session`` of a ``classroom``: to what to teach
    next, to what trains something, and to who needs help ``everywhere``, over all sessions."""

    advice: Advice | None = None
    classroom: int | None = None
    session: int | None = None
    everywhere: TileLink | None = None

    def homework(self, exercise: str) -> list[TileLink]:
        """Links to exercises on the skill of this one, as homework of the class."""
        if self.classroom is None:
            return []
        skill = {"skill": EXERCISES[exercise].skill.value}
        page = reverse("homework_of_class", args=[self.classroom], query=skill)
        return [TileLink(_("Exercises as homework"), page)]

    def training(self, exercise: str) -> list[TileLink]:
        """Links to the lesson with this exercise, and to homework on its skill."""
        lesson = EXERCISES[exercise].lesson
        course = lesson_by_number(lesson)
        if course is None or self.classroom is None:
            return self.homework(exercise)
        guide = TileLink(_("Lesson %(n)s") % {"n": lesson}, guide_of(course, self.session))
        return [guide, *self.homework(exercise)]


NOWHERE = Onward()

NAMES = 2
"""Of those who need help so many are named."""


def rarest_dealt(lessons: Sequence[TaughtLesson], *, is_shared: bool, of: int) -> Tile | None:
    """What the class dealt in a lesson, beside theory: the rarest; ``of`` how many figures are
    judged."""
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
    is_rare = p_value * of < ALPHA
    said = {
        "rare": is_rare,
        "mean": departure.observed,
        "what": departure.key,
        "expected": departure.expected,
    }
    columns = zip(labels, data.counts, expected, strict=True)
    drawn = [{"name": name, "count": n, "expected": share} for name, n, share in columns]
    return tile(
        "chance",
        "dealt-together",
        said,
        drawn,
        panel=panel_key(taught.place, place),
        stands_out=is_rare,
    )


def help_needed(
    learning: Learning, names: Mapping[int, str], onward: Onward = NOWHERE
) -> Tile | None:
    """A dot a student, by the share right first time; those who need help marked, and the first
    of them called as in ``names``."""
    by_student = {pk: learning.of_student(pk).success for pk in learning.students}
    if not by_student:
        return None
    every = sorted(by_student.values(), key=lambda own: (own.share or 0, -own.questions))
    needy = [pk for pk, own in by_student.items() if needs_help(own)]
    needy.sort(key=lambda pk: help_order(by_student[pk]))
    some, more = len(needy), max(0, len(needy) - NAMES)
    first = {pk: names.get(pk, "–") for pk in needy[:NAMES]}
    of = _("%(name)s (%(right)d of %(all)d)")
    who = ", ".join(
        of % {"name": name, "right": by_student[pk].at_once, "all": by_student[pk].questions}
        for pk, name in first.items()
    )
    leads = [
        TileLink(name, reverse("student_results", args=[pk])) for pk, name in first.items()
    ]
    least = FEWEST_QUESTIONS
    said = {"some": some, "all": len(every), "least": least, "who": who, "more": more}
    said["few"] = any(is_few(by_student[pk].questions) for pk in needy)
    if more:
        leads.append(TileLink(ngettext("%d more", "%d more", more) % more, "#students"))
    return tile(
        "help",
        "students",
        said | _help_facts(every),
        stands_out=some > 0,
        leads=[*leads, *([onward.everywhere] if onward.everywhere else [])],
    )


def _help_facts(every: Sequence[Success]) -> dict[str, Any]:
    """What is drawn of the students: a dot each, in three kinds that differ by form."""
    size = max(5, min(9, 240 // len(every)))
    kinds: dict[str, list[dict[str, Any]]] = {"needy": [], "asked_little": [], "others": []}
    for n, own in enumerate(every, 1):
        is_asked = own.questions >= FEWEST_QUESTIONS
        kind = "needy" if needs_help(own) else "others" if is_asked else "asked_little"
        kinds[kind].append({"place": n, "share": float(own.share or 0), "size": size})
    return {**kinds, **{f"has_{kind}": bool(dots) for kind, dots in kinds.items()}}


def help_everywhere(every: Mapping[int, Success], classroom: int) -> TileLink | None:
    """A link to who needs help over all sessions of a class, called by how many they are, from
    the questions of ``every`` student; None without any."""
    some = sum(map(needs_help, every.values()))
    if not every:
        return None
    words = _("All work so far: %(some)d of %(all)d need help") % {
        "some": some,
        "all": len(every),
    }
    return TileLink(words, f"{reverse('classroom_results', args=[classroom])}#matrix")


def next_lesson(learning: Learning, onward: Onward) -> Tile | None:
    """The lesson to teach next, and how many mistakes each lesson would treat."""
    advice = onward.advice
    if advice is None:
        return None
    mistakes = open_by_lesson(learning)
    treated = {lesson: sum(each.open for each in own) for lesson, own in mistakes.items()}
    why = sentences(advice.reason, advice.before)
    is_written = lesson_by_number(advice.lesson) is not None
    leads = [TileLink(lesson_words(advice.lesson), advice.page)] if is_written else []
    said: dict[str, Any] = {"claim": advice.words, "why": why, "before": advice.before}
    rows: list[dict[str, Any]] = []
    if advice.errors:
        said["drawn"], rows = "errors", _error_rows(advice.errors)
    elif advice.lesson in treated:
        said |= {"drawn": "mistakes", "open": treated[advice.lesson]}
        first = sorted(treated, key=lambda lesson: (-treated[lesson], lesson))[:4]
        order = [*(lesson for lesson in first[::-1] if lesson != advice.lesson), advice.lesson]
        rows = [
            {
                "name": _("Lesson %(n)s") % {"n": n},
                "count": treated[n],
                "told": str(treated[n]),
                "advised": n == advice.lesson,
            }
            for n in order
        ]
        leads += onward.homework(mistakes[advice.lesson][0].exercises[0])
    return tile("next", "next", said, rows, panel="", page=advice.page, leads=leads)


def _error_rows(errors: Errors) -> list[dict[str, Any]]:
    """How many bids were too high, right and too low: a row each."""
    counts = {
        _("Bids too low"): sum(n for off, n in errors.counts.items() if off < 0),
        _("Bids right"): errors.counts.get(0, 0),
        _("Bids too high"): sum(n for off, n in errors.counts.items() if off > 0),
    }
    return [{"name": name, "count": n, "told": str(n)} for name, n in counts.items()]


def commonest_mistakes(learning: Learning, onward: Onward = NOWHERE) -> Tile | None:
    """The commonest mistakes: made, and still open; where none is recognised, the question of
    our own that fewest had right."""
    if learning.own and not learning.misconceptions:
        return own_question(learning)
    if not learning.attempts:
        return None
    if not learning.misconceptions:
        return Tile("mistake", _("No known mistake so far."), "0", None, "")
    found = learning.misconceptions
    first = found[0]
    told = _("%(some)d of %(all)d not overcome")
    most = [each for each in found if each.students == first.students]
    rows = [
        {
            "name": each.misconception.title,
            "made": float(each.students),
            "open": float(each.open),
            "told": told % {"some": each.open, "all": each.students},
            "most_made": each in most and not first.open,
            "most_open": each in most and first.open,
        }
        for each in found
    ]
    return tile(
        "mistake",
        "misconceptions",
        {
            "tied": len(most) > 1,
            "first": first.misconception.title,
            "some": first.students,
            "all": first.met,
        },
        lying(rows),
        leads=onward.training(first.exercises[0]),
        stands_out=first.open >= FEWEST and 2 * first.open > first.met,
    )


def own_question(learning: Learning) -> Tile:
    """Our own questions by the share right first time, the one that fewest had right named."""
    asked = learning.own_questions
    name, hardest = next(iter(asked.items()))
    said = {"hardest": name, "some": hardest.at_once, "all": hardest.questions}
    shares = _shares(asked, is_marked=hardest.share != 1)
    return tile("mistake", "own-questions", said, shares)


def hardest_prediction(lessons: Sequence[TaughtLesson], *, is_shared: bool) -> Tile | None:
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
    true, told = _("true"), _("%(name)s: %(n)s")
    rows = [
        {
            "label": row.label,
            "count": row.count if step.whole else float(row.count),
            "is_true": row.is_true,
            "above": true if row.is_true else "",
            "beside": told % {"name": true, "n": row.count} if row.is_true else str(row.count),
        }
        for row in tally(step, room, with_truth=True)
    ]
    return tile(
        "expected",
        "expected",
        said,
        rows if step.whole else lying(rows),
        panel=panel_key(taught.place, hardest.number),
    )


def hardest_explanation(lessons: Sequence[TaughtLesson], *, is_shared: bool) -> Tile | None:
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
    titles = [markup.plain(each.title) for each, *_counts in rows]
    marked = {hardest} if len(rows) > 1 else ()
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
        lying(share_rows(zip(titles, shares, strict=True), marked)),
        panel=f"lesson-{taught.place}-steps",
    )


def skills(learning: Learning, onward: Onward = NOWHERE) -> Tile | None:
    """The share right first time, a bar a skill, the weakest named."""
    went = learning.by_skill
    if not went:
        return None
    order, is_alone = weakest_first(went)
    said = {
        "alone": is_alone,
        "weakest": order[0].title,
        "share": (went[order[0]] if is_alone else learning.success).share or Fraction(),
    }
    bars = _shares({skill.title: went[skill] for skill in order}, is_marked=is_alone)
    leads = onward.training(learning.hardest(order[0])) if is_alone else ()
    return tile("skills", "skills", said, bars, leads=leads)


def _shares(went: Mapping[str, Success], *, is_marked: bool) -> list[Mapping[str, Any]]:
    """The shares right first time, a bar a name, the first one marked."""
    shares = ((name, each.share or Fraction()) for name, each in went.items())
    return lying(share_rows(shares, {0} if is_marked else ()))

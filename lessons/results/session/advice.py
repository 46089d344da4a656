"""What to teach next, and why: the lesson that was broken off, else the one that treats most of
the mistakes which students have not overcome, else the one on bids where there are
enough to judge them, else the next one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from lessons.course import StepKind, lessons
from lessons.measures.page import stock_text
from lessons.models import LessonRun
from lessons.results.bids import bidding
from lessons.results.dataset import Dataset
from lessons.results.learned.learning import Learning, MisconceptionCounts
from lessons.results.taught.taught_lessons import TaughtLesson
from lessons.results.words import (
    Significance,
    bias_words,
    claim_facts,
    guide_of,
    is_few,
    lesson_by_number,
    sentences,
)
from xactika_site.classrooms.models import Classroom

BID_LESSON = 5

OFF = 0.25
"""Tricks by which bids must be off on average to be a reason for that lesson."""

REASONS = 2
"""Of the mistakes that a lesson treats so many are named, first what is open with most."""


@dataclass(frozen=True, slots=True)
class Advice:
    """The lesson to hold next, by its number; what to do with it, where it is, why in one
    line, and what to know ``before``: that the class has held it, or not what it builds on.
    ``errors`` are of the bids that are the reason, where they are."""

    lesson: int
    words: str
    page: str
    reason: str
    before: str = ""
    errors: bidding.Errors | None = None


def reached_by(classroom: Classroom) -> dict[int, int]:
    """By number of a lesson that a class has held, the last step that it has seen."""
    numbers = {lesson.slug: lesson.number for lesson in lessons()}
    reached: dict[int, int] = {}
    runs = LessonRun.objects.filter(class_session__classroom=classroom)
    for slug, step in runs.values_list("lesson", "step"):
        if slug in numbers:
            reached[numbers[slug]] = max(step, reached.get(numbers[slug], 0))
    return reached


def advice(
    data: Dataset,
    learning: Learning,
    taught: Sequence[TaughtLesson],
    reached: Mapping[int, int],
    *,
    session: int,
    is_final: bool = False,
) -> Advice | None:
    """What to teach after this session; ``reached`` is how far its class has come in each
    lesson. While the session is open, going on with a lesson is a matter of its page."""
    return (
        _go_on_advice(taught, reached, session, is_final=is_final)
        or _still_open_advice(data, learning, reached, session)
        or _bids_advice(data, reached, session)
        or _following_advice(data, taught, reached, session)
    )


def _go_on_advice(
    taught: Sequence[TaughtLesson], reached: Mapping[int, int], session: int, *, is_final: bool
) -> Advice | None:
    for each in reversed(taught):
        course = each.lesson
        step, steps = reached.get(course.number, each.run.step), len(course.steps)
        if step >= steps:
            continue
        is_running = each.run.ended is None and not is_final
        number = step if _is_undone(each, step) else step + 1
        return Advice(
            course.number,
            _("Go on with lesson %(lesson)d, step %(step)d")
            % {"lesson": course.number, "step": number},
            reverse("session_lesson", args=[each.run.class_session_id])
            if is_running
            else f"{guide_of(course, session)}#step-{number}",
            _("Step %(n)s of %(all)s") % {"n": step, "all": steps},
        )
    return None


def _is_undone(each: TaughtLesson, step: int) -> bool:
    """Whether this step is the lesson's last to be opened, and nobody has done it."""
    if step != each.run.step or step == 0:
        return False
    last = each.lesson.steps[step - 1]
    return last.kind is not StepKind.REVEAL and not each.done.get(last.name)


def open_by_lesson(learning: Learning) -> dict[int, list[MisconceptionCounts]]:
    """The mistakes that somebody has not overcome, by the lesson that treats them."""
    treated: dict[int, list[MisconceptionCounts]] = {}
    for mistake in learning.misconceptions:
        if mistake.open:
            treated.setdefault(mistake.lessons[0], []).append(mistake)
    return treated


def _still_open_advice(
    data: Dataset, learning: Learning, reached: Mapping[int, int], session: int
) -> Advice | None:
    """The advice to teach the lesson that treats most open mistakes, by student and mistake."""
    treated = open_by_lesson(learning)
    if not treated:
        return None
    lesson = min(treated, key=lambda n: (-sum(mistake.open for mistake in treated[n]), n))
    most = sorted(treated[lesson], key=lambda mistake: -mistake.open)[:REASONS]
    reasons = [
        _("Not overcome: “%(name)s” (students: %(n)d).")
        % {"n": mistake.open, "name": mistake.misconception.title}
        for mistake in most
    ]
    bias = bidding.errors(data.bids).bias
    if lesson == BID_LESSON and bias is not None and abs(bias) >= OFF:
        reasons.insert(0, _off_words(data, bias))
    return _lesson_advice(lesson, reached, session, sentences(*reasons))


def _bids_advice(data: Dataset, reached: Mapping[int, int], session: int) -> Advice | None:
    errors = bidding.errors(data.bids)
    if errors.bias is None or BID_LESSON in reached:
        return None
    if is_few(errors.rounds) or bidding.bias_interval(data) is None:
        return None
    right, hands = errors.counts.get(0, 0), errors.rounds
    made = stock_text("bids_right", n=hands, right=right, hands=hands)
    reason = sentences(made, _off_words(data, errors.bias))
    return _lesson_advice(BID_LESSON, reached, session, reason, errors)


def _off_words(data: Dataset, bias: Fraction) -> str:
    """A sentence on how far bids are off; none unless their tile says so."""
    is_sure = claim_facts(bias, bidding.bias_interval(data))["sure"] is Significance.YES
    return bias_words(bias) if is_sure else ""


def _following_advice(
    data: Dataset,
    taught: Sequence[TaughtLesson],
    reached: Mapping[int, int],
    session: int,
) -> Advice | None:
    """The advice to teach the first lesson that the class has not held, after the one of this
    session if it held one."""
    last = taught[-1].lesson.number if taught else 0
    left = [n for n in sorted(each.number for each in lessons()) if n > last]
    number = next((n for n in left if n not in reached), None)
    if number is None or not (taught or data.bids):
        return None
    return _lesson_advice(number, reached, session, _("It comes next in the course."))


def _lesson_advice(
    lesson: int,
    reached: Mapping[int, int],
    session: int,
    reason: str,
    errors: bidding.Errors | None = None,
) -> Advice:
    """The advice to teach a lesson, or of one that was held to repeat its exercises; with a
    sentence on the lessons that it builds on and the class has not held."""
    course, before = lesson_by_number(lesson), ""
    if missing := [each for each in course.needs if each not in reached] if course else []:
        before = ngettext(
            "It builds on lesson %s, not held yet.",
            "It builds on lessons %s, not held yet.",
            len(missing),
        ) % ", ".join(map(str, missing))
    is_held = lesson in reached
    words = _("Repeat lesson %d’s exercises") if is_held else _("Teach lesson %d next")
    page = guide_of(course, session) if course else ""
    return Advice(lesson, words % lesson, page, reason, before, errors)

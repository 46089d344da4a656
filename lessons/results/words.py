"""Numbers as pages write them, and the phrases that every figure needs."""

from __future__ import annotations

from collections.abc import Sequence

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import words
from games.words import Amount as Amount
from games.words import half_up as half_up
from games.words import number as number
from games.words import sentences as sentences
from games.words import signed as signed
from games.words import tricks_words as tricks_words
from lessons.course import Lesson, lessons, markup
from lessons.results.inference import RARE
from xactika_site.classrooms.privacy import FEWEST

OFTEN, VERY_RARE = 0.32, 0.003
"""Beyond one and beyond three standard deviations, of a single figure."""

FEW_TO_RANK = 6
"""Of fewer it is not said that whoever stands first or last comes nearer to the middle: of four
luck alone leaves half at an end (``tests/lessons/results/fair_ranks.py``)."""

FEW_ROUNDS = 20
"""Rounds below which a page says that chance still decides."""


def percent(share: Amount) -> str:
    """A share in whole percents, as short as a table wants it."""
    return words.percent(share, short=True)


def one_of(numbers: Sequence[int | str]) -> str:
    """Equal numbers as a sentence names them: “2”, “2 or 3”, “1, 2 or 3”."""
    first, last = numbers[:-1], str(numbers[-1])
    if not first:
        return last
    return _("%(first)s or %(last)s") % {"first": ", ".join(map(str, first)), "last": last}


def bias_words(bias: Amount) -> str:
    """A bidding error in words."""
    size, form = half_up(bias, 1), words.counted_as(bias)
    if size > 0:
        return ngettext("%s trick too high", "%s tricks too high", form) % number(size)
    if size < 0:
        return ngettext("%s trick too low", "%s tricks too low", form) % number(-size)
    return _("neither too high nor too low")


def bias_claim(bias: Amount, interval: tuple[float, float] | None) -> str:
    """A bidding error as a title: whether it is more than luck does, or how large it is so far
    where nothing tells that yet."""
    size = half_up(bias, 1)
    if not size or (interval is not None and interval[0] <= 0 <= interval[1]):
        return _("Bids not clearly too high or low")
    if interval is not None:
        claim = _("Bids %s too high") if size > 0 else _("Bids %s too low")
    else:
        claim = _("Bids %s too high so far") if size > 0 else _("Bids %s too low so far")
    return claim % number(abs(size))


def basis(
    *,
    rounds: int = 0,
    questions: int = 0,
    answers: int = 0,
    predictions: int = 0,
    reasons: int = 0,
    students: int = 0,
    of: int = 0,
    deals: int = 0,
    leads: int = 0,
) -> str:
    """On what a figure rests; ``of`` how many students who took part. ``rounds`` are counted
    seat by seat, so they are said to be hands played: a table's round is several of them."""
    parts = [
        ngettext("%d question", "%d questions", questions) % questions if questions else "",
        ngettext("%d answer", "%d answers", answers) % answers if answers else "",
        ngettext("%d prediction", "%d predictions", predictions) % predictions
        if predictions
        else "",
        ngettext("%d reason", "%d reasons", reasons) % reasons if reasons else "",
        ngettext("%d hand played", "%d hands played", rounds) % rounds if rounds else "",
        some_students(students, of) if students else "",
        ngettext("%d deal", "%d deals", deals) % deals if deals else "",
        ngettext("%d lead", "%d leads", leads) % leads if leads else "",
    ]
    counts = ", ".join(part for part in parts if part)
    return _("Rests on %s.") % counts if counts else ""


def some_students(students: int, of: int = 0) -> str:
    """So many students, and of how many where that is known."""
    if of < students or of == students == 1:
        return ngettext("%d student", "%d students", students) % students
    if of == students:
        return _("all %d students") % students
    return ngettext("%(n)d of %(of)d student", "%(n)d of %(of)d students", of) % {
        "n": students,
        "of": of,
    }


def all_or_some(students: int, of: int) -> str:
    """The same at the beginning of a sentence."""
    if not students:
        return _("Nobody")
    if of == students > 1:
        return _("All %d students") % students
    return some_students(students, of)


def few_rounds_caveat(rounds: int) -> str:
    """The caveat where there is little to go by."""
    if 0 < rounds < FEW_ROUNDS:
        return _("Few rounds so far: chance alone still moves these numbers a lot.")
    return ""


def hidden_notice() -> str:
    """What stands on a screen that others see instead of averages of a few students."""
    return (
        _("Averages are shown here from %d students on: of fewer they tell about single ones.")
        % FEWEST
    )


def verdict(p_value: float, *, of: int) -> str:
    """The verdict on a figure with this p-value, as it stands behind a colon. ``of`` is how
    many figures the page holds against theory: the farthest of several is farther off than one
    alone would be, so that all of them share the one class in twenty (Bonferroni)."""
    farther = p_value * of
    if farther > OFTEN:
        return _("well within what chance does")
    if farther >= RARE:
        return _("about as far as chance often goes")
    if farther >= VERY_RARE:
        return _("farther than chance goes in 19 of 20 classes")
    return _("much farther than chance goes")


def chart_verdict(p_value: float, *, of: int) -> str:
    """The ``verdict`` on a whole chart, in a sentence."""
    farther = p_value * of
    if farther > OFTEN:
        return _("The whole chart is well within what chance does.")
    if farther >= RARE:
        return _("The whole chart is about as far as chance often goes.")
    if farther >= VERY_RARE:
        return _("The whole chart is farther than chance goes in 19 of 20 classes.")
    return _("The whole chart is much farther than chance goes.")


def interval_words(low: str, high: str) -> str:
    """A confidence interval in words, its ends as numbers that are written already."""
    return _("allowing for luck, %(low)s to %(high)s") % {"low": low, "high": high}


def with_interval(figure: str, low: str, high: str) -> str:
    """A figure in words, its confidence interval in brackets behind it."""
    facts = {"figure": figure, "low": low, "high": high}
    return _("%(figure)s (allowing for luck, %(low)s to %(high)s)") % facts


def lesson_words(number: int) -> str:
    """A lesson by its number, and its name if it has been written."""
    lesson = lesson_by_number(number)
    if lesson is None:
        return _("Lesson %d") % number
    title = markup.plain(lesson.title)
    return _("Lesson %(number)d: %(title)s") % {"number": number, "title": title}


def guide_of(lesson: Lesson, session: int | None = None) -> str:
    """Where a lesson's page for teachers is; opened from a session's results it speaks the
    session's language, and so does what it leads to."""
    query = {} if session is None else {"session": session}
    return reverse("lesson_guide", args=[lesson.slug], query=query)


def lesson_by_number(number: int) -> Lesson | None:
    """The lesson of this number."""
    return next((lesson for lesson in lessons() if lesson.number == number), None)

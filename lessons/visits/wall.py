"""A room's lesson on the wall: one large thing at a time, in larger type.

A picture wherever there is one: cards, a chart, what the class has dealt so far, a dot for each
student's share, how the class predicted. Beside it stands what a *See* step has marked for the
wall; the rest is on the students' own pages.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from lessons.course import StepKind, markup
from lessons.course.plan import StepData
from lessons.course.variables import Variable, variable
from lessons.exercises.texts import exact_percent
from lessons.visits.overlay import growing_panel
from lessons.visits.presentation import room_context
from lessons.visits.ways import LessonRoom, counts_of_each, room_data
from xactika_site.classrooms.privacy import FEWEST

WALL_TYPE = 24
"""The size of a chart's type on the wall, to be read from the last row."""

WALL_TYPE_BESIDE = 19
"""The same where a text and predictions stand around the chart."""

MOST_WATCHED = 5
"""Rounds of a bot at most that a wall has room for."""

MOST_DOTS = 100
"""Students at most of whom each is a dot that tells who is done."""


def wall_context(room: LessonRoom) -> dict[str, Any]:
    """All that the wall shows of the present step, by name."""
    context = room_context(room)
    step = room.step
    shares = _shares(room)
    if shares is not None:
        context["chart"] = None
    elif step.deal is not None:
        data = room_data(room.run, room.lesson, step.deal.variable)
        context["chart"] = growing_panel(step, data) if data else None
    if step.kind is StepKind.EXPLAIN and not room.run.closed:
        context |= {"rows": (), "order": (), "right": "", "reason": ""}
    if len(context["watched"]) > MOST_WATCHED:
        context["watched"] = ()  # on everybody's own device
    if any(context.get(name) for name in ("strips", "suspects", "standings")):
        context["rows"] = ()  # the class saw them when the prediction was closed
    if context.get("suspects"):  # what it does was said before
        context["truth"] = context["truth"].partition(":")[0].strip()
    picture = _picture_kind(context, shares)
    if context.get("chart"):
        size = WALL_TYPE_BESIDE if context.get("rows") else WALL_TYPE
        context["chart"].figure["layout"]["font"]["size"] = size
    if marked := list(filter(None, (markup.on_wall(_(text)) for text in step.paragraphs))):
        context["paragraphs"] = [markup.marked_up(text) for text in marked]
    context |= {
        "shares": shares,
        "picture": picture,
        "few_cards": 0 < len(step.shows.cards) <= 4,
        "dots": [n < room.answer_counts.get(step.name, 0) for n in range(room.here)]
        if room.here <= MOST_DOTS
        else [],
    }
    return context


def _picture_kind(context: dict[str, Any], shares: Shares | None) -> str:
    """The kind of picture that is large on the wall, if any is."""
    if shares is not None:
        return "shares"
    for name in ("chart", "tree", "strips", "suspects", "watched", "standings", "rows"):
        if context.get(name):
            return name
    return "cards" if context["step"].shows.has_objects else ""


# A dot for each student.


class StudentDot(NamedTuple):
    x: float
    y: float


class Shares(NamedTuple):
    """Shares of hands, a student a dot: where the dots are, how large, the line of theory
    (None before it may be shown), and the same in words."""

    title: str
    dots: tuple[StudentDot, ...]
    radius: float
    labels: tuple[tuple[float, str], ...]
    theory: float | None
    theory_words: str
    theory_end: bool
    pooled: float
    summary: str


WIDE, HIGH, FOOT, LEFT, STEP = 220.0, 96.0, 12.0, 10.0, 20.0
"""The drawing's units: eleven columns, for 0 to 100 percent by tens."""


def _shares(room: LessonRoom) -> Shares | None:
    """Of a room that counts which of its hands have something: each student's share. None where
    more than that is counted, or for fewer than FEWEST students."""
    step = room.step
    key = step.deal.variable if step.deal else step.chart if step.data is StepData.DEALS else ""
    if not key or len(variable(key).categories) != 2:
        return None
    each = counts_of_each(room.run, room.lesson, key)
    if len(each) < FEWEST:
        return None
    return shares_of(variable(key), each, with_theory=step.kind is StepKind.REVEAL)


def shares_of(counted: Variable, each: list[tuple[int, ...]], *, with_theory: bool) -> Shares:
    """The dots of students who counted these numbers of hands, by category."""
    of = counted.focus
    shares = sorted(Fraction(counts[of], sum(counts)) for counts in each)
    columns = Counter(round(10 * share) for share in shares)
    radius = min(5.0, (HIGH - FOOT) / (2 * max(columns.values())))
    dots = tuple(
        StudentDot(LEFT + STEP * column, HIGH - FOOT - radius * (2 * n + 1))
        for column, students in sorted(columns.items())
        for n in range(students)
    )
    hands = sum(map(sum, each))
    pooled = Fraction(sum(counts[of] for counts in each), hands)
    theory = counted.shares[of]
    return Shares(
        title=str(counted.title),
        dots=dots,
        radius=radius,
        labels=tuple(
            (LEFT + STEP * n, exact_percent(Fraction(n, 10))) for n in range(0, 11, 2)
        ),
        theory=float(LEFT + 10 * STEP * theory) if with_theory else None,
        theory_words=exact_percent(theory),
        theory_end=theory > Fraction(1, 2),
        pooled=float(LEFT + 10 * STEP * pooled),
        summary=_summary_words(len(each), hands, shares, pooled),
    )


def _summary_words(students: int, hands: int, shares: list[Fraction], pooled: Fraction) -> str:
    facts = {
        "students": students,
        "hands": hands,
        "low": exact_percent(shares[0]),
        "high": exact_percent(shares[-1]),
        "pooled": exact_percent(pooled),
    }
    sentence = _(
        "Each dot is one of %(students)d students: %(low)s to %(high)s of their hands. "
        "All %(hands)d hands together: %(pooled)s."
    )
    return sentence % facts

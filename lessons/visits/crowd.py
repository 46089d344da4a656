"""Wisdom of the crowd (Galton 1907): the median of what a class said of one thing, beside what
each student said. That is the tricks of the same cards at the same seat, forecast at several
tables of a duplicate game, or a number predicted in a room's lesson; never different hands."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator
from fractions import Fraction
from statistics import mean, median
from typing import NamedTuple

from games.rules import HAND_SIZE
from lessons.course import lessons
from lessons.measures.measure import panel
from lessons.measures.panels import Panel
from lessons.models import Commitment
from lessons.questions.forecasts import PlayedForecast, played_forecasts
from lessons.visits.predictions import true_number
from lessons.visits.ways import predicted_number
from xactika_site.classrooms.models import Classroom
from xactika_site.classrooms.privacy import FEWEST

FEWEST_QUESTIONS = 4
"""Questions that somebody has answered before they are compared with the median: in a single
one it is no farther off than half of them, whatever they say."""

ONE_SIDED = Fraction(3, 4)
"""Where this share of a class erred the same way, errors hardly cancel."""


class Guess(NamedTuple):
    """What somebody (None: deleted since) said of a question, and what came, both on its scale
    from 0 to 1. Those who hold the same cards may take different numbers of tricks."""

    question: Hashable
    person: int | None
    value: Fraction
    truth: Fraction


class Member(NamedTuple):
    """The mean absolute error of somebody's guesses, and of the class's medians of the same
    questions; in how many of these the median was closer."""

    person: int
    questions: int
    own: Fraction
    median: Fraction
    closer: int

    @property
    def farther(self) -> Fraction:
        """By how much farther off they were than the median; below 0, closer."""
        return self.own - self.median


class Crowd(NamedTuple):
    """Those who answered enough (nobody, if they are fewer than five) beside the median, the
    closest first; how many questions there were, and in how many at least three quarters erred
    the same way."""

    members: tuple[Member, ...] = ()
    questions: int = 0
    one_sided: int = 0


def crowd_of(guesses: Iterable[Guess]) -> Crowd:
    """Each person's mean error beside the median's, over the questions that five people or more
    have answered; one's own guess is in the median. Exact."""
    by_question: dict[Hashable, list[Guess]] = defaultdict(list)
    for guess in guesses:
        by_question[guess.question].append(guess)
    errors: dict[int | None, list[tuple[Fraction, Fraction]]] = defaultdict(list)
    asked = one_sided = 0
    for own in by_question.values():
        if len({guess.person for guess in own} - {None}) < FEWEST:
            continue
        middle = median(guess.value for guess in own)
        for _question, person, value, truth in own:
            errors[person].append((abs(value - truth), abs(middle - truth)))
        signs = [(value > truth) - (value < truth) for _question, _who, value, truth in own]
        one_sided += max(map(signs.count, (-1, 1))) >= ONE_SIDED * len(own)
        asked += 1
    members = []
    for who, pairs in errors.items():
        if who is not None and len(pairs) >= FEWEST_QUESTIONS:
            own_error, median_error = (mean(column) for column in zip(*pairs, strict=True))
            closer = sum(off < own_off for own_off, off in pairs)
            members.append(Member(who, len(pairs), own_error, median_error, closer))
    members.sort(key=lambda each: each.farther)
    return Crowd(tuple(members), asked, one_sided) if len(members) >= FEWEST else Crowd()


def crowd_in(classroom: Classroom, forecasts: Iterable[PlayedForecast]) -> Crowd:
    """A classroom over the term, with these forecasts: one query."""
    return crowd_of([*map(_guess, forecasts), *_predictions(classroom)])


def _guess(forecast: PlayedForecast) -> Guess:
    """The mean of a forecast, and the tricks that came."""
    _session, board, seat, taken, student, percents, _seats = forecast
    total = sum(tricks * share for tricks, share in enumerate(percents))
    value = Fraction(total, sum(percents) * HAND_SIZE)
    return Guess((*board, seat), student, value, Fraction(taken, HAND_SIZE))


def _predictions(classroom: Classroom) -> Iterator[Guess]:
    """The numbers that rooms predicted in lessons, once the room has seen what is true."""
    asked = {
        (lesson.slug, step.name): (step.whole, lesson.reveal_of(step.name))
        for lesson in lessons()
        for step in lesson.steps
        if step.whole and step.whole.truth
    }
    rows = Commitment.objects.filter(visit__run__class_session__classroom=classroom)
    for run, reached, slug, step, student, said in rows.values_list(
        *("visit__run", "visit__run__step", "visit__lesson", "step", "visit__student", "value")
    ):
        whole, reveal = asked.get((slug, step), (None, 0))
        if whole and reached >= reveal and "number" in said:
            numbers = predicted_number(said), true_number(whole) or Fraction()
            value, truth = ((each - whole.low) / (whole.high - whole.low) for each in numbers)
            yield Guess((run, step), student, value, truth)


_OWN = 102, 111, 56, 73, 89, 160, 165, 151, 139, 212, 195, 198, 209, 220, 229, 199, 343, 327
_MEDIAN = 130, 130, 68, 77, 83, 151, 134, 113, 89, 160, 137, 125, 122, 126, 130, 76, 173, 95
EXAMPLE = Crowd(
    tuple(
        Member(0, FEWEST_QUESTIONS, Fraction(own, 1000), Fraction(middle, 1000), 0)
        for own, middle in zip(_OWN, _MEDIAN, strict=True)
    ),
    questions=14,
    one_sided=6,
)
"""The demo class (``lessons.demo``): what a lesson shows where a class has said too little."""


def crowd_for(session: int | None) -> Crowd:
    """The crowd that a lesson's step shows: this session's class, else the example."""
    classroom = Classroom.objects.filter(sessions=session).first() if session else None
    own = crowd_in(classroom, played_forecasts(classroom)) if classroom else Crowd()
    return own if own.members else EXAMPLE


def crowd_panel(crowd: Crowd, *, key: str = "crowd") -> Panel:
    """A dot for each student, nameless, by how much farther off than the median they were."""
    places = [each.farther for each in crowd.members]
    facts = {
        "example": crowd is EXAMPLE,
        "beaten": sum(place > 0 for place in places),
        "ties": places.count(Fraction()),
        "n": len(places),
        "own": mean(each.own for each in crowd.members),
        "median": mean(each.median for each in crowd.members),
        "questions": crowd.questions,
        "one_sided": crowd.one_sided,
        "drawn": [{"at": place, "height": n} for n, place in enumerate(places, 1)],
        "line": [{"at": 0, "height": height} for height in (0, len(places) + 1)],
    }
    return panel("crowd", crowd.members, facts, key=key)

"""The lessons that a session held with its class, as far as the room has seen them: what was
predicted, dealt and done. Four queries, however many lessons and students there were."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import sqrt
from statistics import median
from typing import Any, NamedTuple

from games.rules import parse_card
from games.words import listed
from lessons.course import Lesson, Step, StepKind
from lessons.course.plan import StepData
from lessons.course.variables import variable
from lessons.exercises.texts import decimal
from lessons.models import Commitment, LessonRun, Question
from lessons.results import inference
from lessons.results.dataset import Dataset
from lessons.results.dealt.dealing import Departure, departures
from lessons.visits.predictions import true_number
from lessons.visits.ways import (
    SOLVED,
    Data,
    DataSource,
    Predictions,
    dealing_steps,
    pooled_data,
    room_predictions,
    runs_of,
)
from xactika_site.classrooms.models import ClassSession


class StepDone(NamedTuple):
    """What one student did in a step: ``right`` is None where nothing is right or wrong."""

    student: int
    value: dict[str, Any]
    right: bool | None
    tries: int

    @property
    def at_once(self) -> bool:
        """Whether it was right at the first try."""
        return bool(self.right) and self.tries == 1


@dataclass(frozen=True)
class TaughtLesson:
    """One lesson of a session. ``place`` counts the session's lessons from 1; ``students`` are
    those who did a step of it with the room; ``done`` has what they did, by step, ``solved``
    how many solved a step's exercise."""

    place: int
    run: LessonRun
    lesson: Lesson
    students: frozenset[int]
    done: dict[str, tuple[StepDone, ...]]
    solved: Counter[str]
    data: Dataset

    @cached_property
    def seen_steps(self) -> tuple[tuple[int, Step], ...]:
        """The steps that the room has seen, by number; a prediction once it is closed."""
        run = self.run
        steps = tuple(enumerate(self.lesson.steps, start=1))[: run.step]
        if steps and steps[-1][1].kind is StepKind.PREDICT and not (run.closed or run.ended):
            return steps[:-1]
        return steps

    def is_revealed(self, step: Step) -> bool:
        """Whether the room has seen what is true of this prediction."""
        return self.run.step >= self.lesson.reveal_of(step.name)

    def predicted(self, step: Step) -> Predictions:
        """How the room predicted."""
        return room_predictions(step, [done.value for done in self.done.get(step.name, ())])

    def pooled(self, step: Step) -> Data | None:
        """The data that the room dealt or played together, counted as this reveal counts it."""
        if step.data is StepData.CLASS:
            hands = [
                tuple(map(parse_card, hand))
                for deal in self.data.distinct_deals
                for hand in deal.hands
            ]
            counted = variable(step.chart).counted(hands)
            return Data(counted, len(hands), DataSource.CLASS) if hands else None
        if step.data is StepData.DEALS:
            dealt = [
                done
                for name in dealing_steps(self.lesson, step.chart)
                for done in self.done.get(name, ())
            ]
            people = len({done.student for done in dealt})
            values = [done.value for done in dealt]
            return pooled_data(values, DataSource.ROOM, people) if dealt else None
        return None

    def dealers(self, step: Step) -> int:
        """How many students stand behind what the room dealt for this reveal."""
        data = self.pooled(step)
        return data.students if data else 0

    @cached_property
    def departures(self) -> dict[int, Departure]:
        """By the numbers of the steps that the room has seen, what was dealt beside theory."""
        return {
            number: departure
            for number, step in self.seen_steps
            if step.chart and (departure := self._departure(step))
        }

    def _departure(self, step: Step) -> Departure | None:
        """The dealt hands' share of what the chart tells of, beside theory; its luck is that of
        the whole chart. Every hand was dealt from a whole deck, so they are independent; None
        where one is not."""
        data, counted = self.pooled(step), variable(step.chart)
        if data is None or data.source is not DataSource.ROOM or sum(data.counts) != data.hands:
            return None
        best = counted.focus
        chance = counted.shares[best]
        return Departure(
            str(counted.categories[best]),
            Fraction(data.counts[best], data.hands),
            chance,
            sqrt(chance * (1 - chance) / data.hands),
            inference.goodness_of_fit(data.counts, [float(share) for share in counted.shares]),
        )


def verdict_count(data: Dataset, lessons: Sequence[TaughtLesson]) -> int:
    """How many figures a session's pages judge by luck, what was dealt and what was forecast:
    so many verdicts there are, and each figure has the same one wherever it stands."""
    of_lessons = sum(len(each.departures) for each in lessons)
    return len(departures(data)) + bool(data.forecasts) + of_lessons


def median_prediction(room: Predictions) -> Fraction:
    """The median of the numbers that were predicted."""
    return median(room.numbers)


def prediction_list(room: Predictions) -> str:
    """The numbers that were predicted, as text: of few, whose middle nobody may have given."""
    return listed(map(decimal, room.numbers))


@dataclass(frozen=True, slots=True)
class Surprise:
    """A prediction of a lesson: its step, and how the room predicted."""

    number: int
    step: Step
    room: Predictions

    @property
    def right(self) -> int:
        """How many were right."""
        said = zip(self.room.counts, self.step.statements, strict=False)
        return sum(count for count, each in said if each.is_right)


def surprise(taught: TaughtLesson) -> Surprise | None:
    """The prediction that the smallest share had right; a number only where there is no
    choice. None before anything is revealed."""
    surprises = [
        Surprise(number, step, room)
        for number, step in taught.seen_steps
        if step.kind is StepKind.PREDICT and taught.is_revealed(step)
        if (room := taught.predicted(step)).students
    ]
    choices = [each for each in surprises if any(s.is_right for s in each.step.statements)]
    if choices:
        return min(choices, key=lambda each: Fraction(each.right, each.room.students))
    numbers = [each for each in surprises if each.step.whole and true_number(each.step.whole)]
    return numbers[0] if numbers else None


def explanations(taught: TaughtLesson) -> list[tuple[Step, tuple[StepDone, ...]]]:
    """The explanations that the room has been asked for and somebody has given."""
    return [
        (step, taught.done[step.name])
        for _number, step in taught.seen_steps
        if step.kind is StepKind.EXPLAIN and taught.done.get(step.name)
    ]


def panel_key(place: int, number: int) -> str:
    """The key of the panel of a lesson's step on a page of results."""
    return f"lesson-{place}-step-{number}"


def taught_lessons(session: ClassSession, data: Dataset) -> tuple[TaughtLesson, ...]:
    """The session's lessons in the order in which they were held."""
    students: dict[int, set[int]] = defaultdict(set)
    done: dict[int, dict[str, list[StepDone]]] = defaultdict(lambda: defaultdict(list))
    rows = Commitment.objects.filter(
        visit__run__class_session=session, visit__student__isnull=False
    )
    for run, step, *what in rows.order_by("pk").values_list(
        "visit__run", "step", "visit__student", "value", "right", "tries"
    ):
        done[run][step].append(StepDone(*what))
        students[run].add(what[0])
    solved: dict[int, Counter[str]] = defaultdict(Counter)
    for run, student, step in solved_exercises(session):
        students[run].add(student)
        solved[run][step] += 1
    return tuple(
        TaughtLesson(
            place,
            run,
            lesson,
            frozenset(students[run.pk]),
            {step: tuple(each) for step, each in done[run.pk].items()},
            solved[run.pk],
            data,
        )
        for place, run, lesson in runs_of(session)
    )


def solved_exercises(session: ClassSession) -> list[tuple[int, int, str]]:
    """(run, student, step) of every exercise that was solved in a lesson of this session."""
    solved = Question.objects.filter(
        SOLVED, visit__run__class_session=session, student__isnull=False
    )
    return list(solved.values_list("visit__run", "student", "step"))

"""How far somebody is in practice, derived from the answers alone: what is new, what was seen,
what is known, and which mistakes come back, spaced."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from random import Random
from typing import Any, NamedTuple

from django.db.models import Count, Max, Min, Q, QuerySet
from django.utils import timezone

from lessons.exercises import EXERCISES
from lessons.exercises.engine import Exercise, Level
from lessons.exercises.skills import Skill
from lessons.models import OUTSIDE_TESTS, Question
from lessons.questions.learners import Learner
from lessons.questions.spacing import SpacedTry, SpacingState, spacing_of
from xactika_site.randomness import system_rng

READ = 1000
"""Questions looked back upon; older ones tell little about today."""

LEVELS = tuple(Level)

DAYS = 2
"""On so many days an exercise is right first time, without a hint, until it is known."""

RUN = 5
"""Practice comes in so many questions, counted anew each day; those of an exercise that was
chosen by itself apart from all others."""


@dataclass(frozen=True, slots=True)
class ExerciseStanding:
    """How somebody stands in one exercise.

    It is seen once it was right; known once it was right first time and without a hint, at its
    highest level, on DAYS different days. ``level`` is what to ask next, ``is_higher`` whether
    that is above what was right so far, ``is_rested`` whether the last right answer is of an
    earlier day."""

    exercise: Exercise
    state: SpacingState
    tries: int = 0
    went_well: int = 0
    due: datetime | None = None
    level: str = ""
    is_higher: bool = False
    is_rested: bool = False


@dataclass(frozen=True, slots=True)
class SkillStanding:
    """A skill with its exercises in the order of the plan."""

    skill: Skill
    standings: tuple[ExerciseStanding, ...] = ()

    @property
    def known(self) -> int:
        return sum(standing.state is SpacingState.KNOWN for standing in self.standings)

    @property
    def seen(self) -> int:
        """How many are seen and not known yet."""
        return sum(standing.state is SpacingState.SEEN for standing in self.standings)

    @property
    def again(self) -> int:
        return sum(standing.state is SpacingState.AGAIN for standing in self.standings)


class Mastery(StrEnum):
    """How far somebody has come with an exercise that they have tried."""

    TRIED = "tried"
    SEEN = "seen"  # right once
    KNOWN = "known"


class Wanted(NamedTuple):
    """What to ask: an exercise, and at which of its levels."""

    exercise: str
    level: str


def run_of(question: Question) -> list[tuple[int, SpacedTry]]:
    """The finished questions, by key, of the run in which a question of practice stands, in the
    order in which they were finished, up to itself."""
    kin: dict[str, Any] = {"student": question.student_id, "guest": question.guest_id}
    if question.chosen:
        kin["exercise"] = question.exercise
    until = question.solved or timezone.now()
    earlier = Question.objects.filter(
        **kin,
        chosen=question.chosen,
        place=Question.Place.PRACTICE,
        solved__date=timezone.localdate(until),
        solved__lte=until,
    )
    is_solved = question.solved is not None
    in_run = (earlier.count() - is_solved) % RUN + is_solved
    rows = _finished(earlier).order_by("-solved", "-pk")[:in_run]
    return [(row["pk"], _try(row)) for row in rows][::-1]


def tries_of(learner: Learner | None, **only: str) -> list[SpacedTry]:
    """The learner's finished questions in any place, the oldest first; ``only`` those of an
    ``exercise``."""
    if learner is None:
        return []
    rows = _finished(Question.objects.filter(OUTSIDE_TESTS, **learner.owner, **only))[:READ]
    return [_try(row) for row in rows][::-1]


class Attempts(NamedTuple):
    """How a student's questions of an exercise went: how many were answered, with how many
    attempts, how many were right first time and how many in the end; when one was right for
    the first and the last time. All are 0 where every one was only shown how to do."""

    student: int
    exercise: str
    questions: int
    attempts: int
    at_once: int
    right: int
    first_right: datetime | None
    last_right: datetime | None


def attempts_of(students: Iterable[int]) -> list[Attempts]:
    """The attempts of these students, by student and exercise: one query."""
    is_first, is_right = Q(answers__number=0), Q(answers__right=True)
    sums = (
        _questions_of(students)
        .filter(Q(answers__isnull=False) | Q(solved__isnull=False), exercise__in=EXERCISES)
        .values_list("student", "exercise")
        .annotate(
            questions=Count("answers", filter=is_first),
            attempts=Count("answers"),
            at_once=Count("answers", filter=is_first & is_right),
            right=Count("answers", filter=is_right),
            first_right=Min("answers__made", filter=is_right),
            last_right=Max("answers__made", filter=is_right),
        )
    )
    return [Attempts(*row) for row in sums.order_by()]


def _questions_of(students: Iterable[int]) -> QuerySet[Question]:
    return Question.objects.filter(OUTSIDE_TESTS, student__in=list(students))


def mastery_by_student(every: Iterable[Attempts]) -> dict[int, dict[str, Mastery]]:
    """{student: {exercise: Mastery}} of those who made these attempts, as ``mastery_states``
    has it. Only of what was right on different days the tries are read one by one: nothing else
    can be known."""
    states: dict[int, dict[str, Mastery]] = defaultdict(dict)
    perhaps: dict[int, set[str]] = defaultdict(set)
    for own in every:
        first, last = own.first_right, own.last_right
        states[own.student][own.exercise] = Mastery.SEEN if first else Mastery.TRIED
        if first and timezone.localdate(first) != timezone.localdate(last):
            perhaps[own.student].add(own.exercise)
    wanted = _questions_of(perhaps).filter(exercise__in=set().union(*perhaps.values()))
    tries: dict[int, list[SpacedTry]] = defaultdict(list)
    for row in reversed(_finished(wanted)):
        if row["exercise"] in perhaps[row["student"]]:
            tries[row["student"]].append(_try(row))
    for student, each in tries.items():
        states[student] |= mastery_states(each)
    return dict(states)


def _finished(questions: QuerySet[Question]) -> QuerySet[Any, Any]:
    """Questions that were answered or shown, the newest first. One that was shown how to do, or
    needed a second answer, did not go well."""
    return (
        questions.annotate(
            wrong=Count("answers", filter=Q(answers__right=False)),
            right=Count("answers", filter=Q(answers__right=True)),
            last=Max("answers__made"),
        )
        .filter(Q(wrong__gt=0) | Q(right__gt=0) | Q(solved__isnull=False))
        .order_by("-pk")
        .values(
            "pk", "student", "exercise", "asked", "wrong", "right", "last", "hints",
            "parameters__level",
        )
    )  # fmt: skip


def _try(row: Mapping[str, Any]) -> SpacedTry:
    exercise = EXERCISES.get(row["exercise"])
    return SpacedTry(
        row["exercise"],
        row["asked"],
        bool(row["right"] and not row["wrong"]),
        row["parameters__level"] or (exercise.level if exercise else ""),
        timezone.localdate(row["last"] or row["asked"]),
        bool(row["hints"]),
        bool(row["right"]),
    )


def standing(exercise: Exercise, tries: Iterable[SpacedTry], now: datetime) -> ExerciseStanding:
    """The learner's standing in one exercise after all these tries, the oldest first."""
    every = list(tries)
    own = [one for one in every if one.what == exercise.key]
    spacing = spacing_of(exercise.key, every, now)
    state, right = spacing.state, [one for one in own if one.went_well]
    if state is SpacingState.CLEAR:
        state = SpacingState.KNOWN if _is_known(exercise, own) else SpacingState.SEEN
    highest = max((exercise.levels.index(_level(exercise, one)) for one in right), default=-1)
    place = min(highest + 1, len(exercise.levels) - 1)
    level = exercise.levels[place]
    if state in (SpacingState.AGAIN, SpacingState.SOON):
        level = _level(exercise, next(one for one in reversed(own) if not one.went_well))
    return ExerciseStanding(
        exercise,
        state,
        spacing.tries,
        spacing.went_well,
        spacing.due,
        level,
        is_higher=state is SpacingState.SEEN and place > highest >= 0,
        is_rested=bool(right) and right[-1].day != timezone.localdate(now),
    )


def mastery_states(tries: Iterable[SpacedTry]) -> dict[str, Mastery]:
    """{exercise: Mastery} after all these tries of one learner, the oldest first."""
    now, by_exercise = timezone.now(), defaultdict[str, list[SpacedTry]](list)
    for one in tries:
        by_exercise[one.what].append(one)
    states = {}
    for key, own in by_exercise.items():
        if key in EXERCISES:
            states[key] = Mastery.SEEN if any(one.right for one in own) else Mastery.TRIED
            if standing(EXERCISES[key], own, now).state is SpacingState.KNOWN:
                states[key] = Mastery.KNOWN
    return states


def _level(exercise: Exercise, one: SpacedTry) -> str:
    return one.level if one.level in exercise.levels else exercise.level


def _is_known(exercise: Exercise, own: Iterable[SpacedTry]) -> bool:
    """Whether it was right first time and without a hint at the highest level, on different
    days; a mistake there begins anew."""
    days: set[date | None] = set()
    for one in own:
        if _level(exercise, one) != exercise.levels[-1]:
            continue
        if not one.went_well:
            days.clear()
        elif not one.helped:
            days.add(one.day)
    return len(days) >= DAYS


def standings(learner: Learner | None, now: datetime | None = None) -> list[ExerciseStanding]:
    """The learner's standing in each exercise."""
    now = now or timezone.now()
    tries = tries_of(learner)
    return [standing(exercise, tries, now) for exercise in EXERCISES.values()]


def by_skill(every: Iterable[ExerciseStanding]) -> list[SkillStanding]:
    """The standings sorted by skill, in the order of the list of skills."""
    rows = list(every)
    return [
        SkillStanding(skill, tuple(s for s in rows if s.exercise.skill is skill))
        for skill in Skill
    ]


def next_exercise(
    learner: Learner | None,
    *,
    level: str = "",
    skill: str = "",
    not_key: str = "",
    first_lesson: int = 0,
    rng: Random = system_rng,
) -> Wanted:
    """The exercise to practise now (``next_standing``), and its level: the wished one, if it
    has it."""
    wanted = next_standing(
        standings(learner),
        level=level,
        skill=skill,
        not_key=not_key,
        first_lesson=first_lesson,
        rng=rng,
    )
    return Wanted(wanted.exercise.key, _level_at(wanted, level))


def next_level(learner: Learner | None, exercise: str, level: str = "") -> str:
    """The level at which this exercise is to be asked now; the one wished for, if it has it."""
    own = standing(EXERCISES[exercise], tries_of(learner, exercise=exercise), timezone.now())
    return _level_at(own, level)


def _level_at(own: ExerciseStanding, level: str) -> str:
    return level if level in own.exercise.levels else own.level


def next_standing(
    candidates: list[ExerciseStanding],
    *,
    level: str = "",
    skill: str = "",
    not_key: str = "",
    first_lesson: int = 0,
    rng: Random = system_rng,
) -> ExerciseStanding:
    """The standing in what to practise now, of this level and skill if there is one: a mistake
    that comes back; then what was right on an earlier day and is not known yet; then what is
    new or has a higher level, the lowest level first, where a check has found a
    ``first_lesson`` from that one on; then what was practised least. If it can be helped not
    ``not_key``."""
    candidates = [s for s in candidates if s.exercise.skill.value == skill] or candidates
    candidates = [s for s in candidates if level in s.exercise.levels] or candidates
    candidates = [s for s in candidates if s.exercise.key != not_key] or candidates
    if again := [s for s in candidates if s.state is SpacingState.AGAIN]:
        return min(again, key=lambda s: s.due or timezone.now())
    seen = [s for s in candidates if s.state is SpacingState.SEEN and not s.is_higher]
    new = [s for s in candidates if s.state is SpacingState.NEW or s.is_higher]
    if rested := [s for s in seen if s.is_rested]:
        candidates = rested
    elif new:
        later = [s for s in new if s.exercise.lesson >= first_lesson]
        if first_lesson and later:
            first = min(s.exercise.lesson for s in later)
            new = [s for s in later if s.exercise.lesson == first]
        lowest = min(s.level for s in new)
        candidates = [s for s in new if s.level == lowest]
    fewest = min(s.tries for s in candidates)
    return rng.choice([s for s in candidates if s.tries == fewest])

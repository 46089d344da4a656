"""How far somebody is in practice, derived from the answers alone: what is new, what they can,
and which mistakes come back, spaced."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from random import Random, SystemRandom

from django.db.models import Count, Q
from django.utils import timezone

from lessons.exercises import EXERCISES
from lessons.exercises.engine import Exercise
from lessons.exercises.skills import Skill
from lessons.models import Question
from lessons.questions.learners import Learner
from lessons.questions.spacing import Try, spaced

READ = 1000
"""Questions looked back upon; older ones tell little about today."""

LEVELS = ("A", "B", "C")

_chance = SystemRandom()


@dataclass(frozen=True, slots=True)
class ExerciseStanding:
    """How somebody stands in one exercise (``Spaced``)."""

    exercise: Exercise
    state: str
    tries: int = 0
    went_well: int = 0
    due: datetime | None = None


@dataclass(frozen=True, slots=True)
class SkillStanding:
    """A skill with its exercises in the order of the plan."""

    skill: Skill
    standings: tuple[ExerciseStanding, ...] = field(default=())

    @property
    def known(self) -> int:
        return sum(standing.state == "known" for standing in self.standings)

    @property
    def again(self) -> int:
        return sum(standing.state == "again" for standing in self.standings)


def tries_of(learner: Learner | None) -> list[Try]:
    """The learner's finished questions in any place, the oldest first. One that was shown how
    to do, or needed a second answer, did not go well."""
    if learner is None:
        return []
    rows = (
        Question.objects.filter(**learner.owner)
        .annotate(
            wrong=Count("answers", filter=Q(answers__right=False)),
            right=Count("answers", filter=Q(answers__right=True)),
        )
        .filter(Q(wrong__gt=0) | Q(right__gt=0) | Q(solved__isnull=False))
        .order_by("-pk")
        .values_list("exercise", "asked", "wrong", "right")[:READ]
    )
    return [Try(key, asked, bool(right and not wrong)) for key, asked, wrong, right in rows][
        ::-1
    ]


def standing(exercise: Exercise, tries: Iterable[Try], now: datetime) -> ExerciseStanding:
    """How the learner stands in one exercise after all these tries, the oldest first."""
    return ExerciseStanding(exercise, *spaced(exercise.key, tries, now))


def standings(learner: Learner | None, now: datetime | None = None) -> list[ExerciseStanding]:
    """How the learner stands in all exercises."""
    now = now or timezone.now()
    tries = tries_of(learner)
    return [standing(exercise, tries, now) for exercise in EXERCISES.values()]


def by_skill(found: Iterable[ExerciseStanding]) -> list[SkillStanding]:
    """The standings sorted by skill, in the order of the list of skills."""
    kept = list(found)
    return [
        SkillStanding(skill, tuple(s for s in kept if s.exercise.skill is skill))
        for skill in Skill
    ]


def choose(
    learner: Learner | None,
    *,
    level: str = "",
    skill: str = "",
    but: str = "",
    rng: Random = _chance,
) -> str:
    """The key of the exercise to practise now (``comes_next``)."""
    found = comes_next(standings(learner), level=level, skill=skill, but=but, rng=rng)
    return found.exercise.key


def comes_next(
    found: list[ExerciseStanding],
    *,
    level: str = "",
    skill: str = "",
    but: str = "",
    rng: Random = _chance,
) -> ExerciseStanding:
    """What to practise now, of this level and skill if there is one: a mistake that comes back,
    else something new, for a newcomer of the first level, else what was practised least; if it
    can be helped not the same again (``but``)."""
    if not level and not skill and not any(s.tries for s in found):
        level = LEVELS[0]
    found = [s for s in found if s.exercise.skill.value == skill] or found
    found = [s for s in found if s.exercise.level == level] or found
    found = [s for s in found if s.exercise.key != but] or found
    again = [s for s in found if s.state == "again"]
    if again:
        return min(again, key=lambda s: s.due or timezone.now())
    fewest = min(s.tries for s in found)
    return rng.choice([s for s in found if s.tries == fewest])

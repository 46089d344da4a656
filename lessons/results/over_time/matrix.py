"""Who knows what: a student a row, a skill a column. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from lessons.exercises import EXERCISES
from lessons.exercises.skills import Skill
from lessons.questions.practice import Mastery
from lessons.results.learned.learning import Success, help_order


class SkillCounts(NamedTuple):
    """Of a skill's exercises, how many a student knows, how many more they have seen (right
    once), and how many were not right yet."""

    known: int = 0
    seen: int = 0
    mistaken: int = 0


class StudentSkills(NamedTuple):
    """A student with their marks by skill (None: no exercise of it was tried), and all their
    questions together; None of who has answered nothing."""

    student: int
    marks: tuple[SkillCounts | None, ...]
    success: Success | None

    @property
    def is_tried(self) -> bool:
        """Whether they have answered anything."""
        return self.success is not None or any(self.marks)


@dataclass(frozen=True, slots=True)
class SkillMatrix:
    """By student, how far each exercise is (``known``, ``seen`` or ``tried``), and how all
    their questions went."""

    mastery: Mapping[int, Mapping[str, Mastery]]
    successes: Mapping[int, Success]

    @property
    def skills(self) -> tuple[Skill, ...]:
        """The skills of which anybody has tried an exercise."""
        tried = {EXERCISES[key].skill for states in self.mastery.values() for key in states}
        return tuple(skill for skill in Skill if skill in tried)

    def rows(self, students: Iterable[int]) -> list[StudentSkills]:
        """A row for each student, whoever may need help first: with the lowest smoothed share
        right first time; then who had all right, then who has answered nothing."""
        skills = self.skills
        every = (
            StudentSkills(
                student,
                _counts_by_skill(self.mastery.get(student, {}).items(), skills),
                self.successes.get(student),
            )
            for student in students
        )
        return sorted(
            every, key=lambda row: (0, help_order(row.success)) if row.success else (1,)
        )


def _counts_by_skill(
    states: Iterable[tuple[str, Mastery]], skills: tuple[Skill, ...]
) -> tuple[SkillCounts | None, ...]:
    counts: dict[Skill, Counter[Mastery]] = {skill: Counter() for skill in skills}
    for exercise, state in states:
        counts[EXERCISES[exercise].skill][state] += 1
    return tuple(
        SkillCounts(own[Mastery.KNOWN], own[Mastery.SEEN], own[Mastery.TRIED]) if own else None
        for own in counts.values()
    )

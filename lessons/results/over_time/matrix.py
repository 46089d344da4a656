"""Who knows what: a student a row, a skill a column; known, seen and not right yet told apart
by sign and fill."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _

from lessons.exercises import EXERCISES
from lessons.exercises.skills import Skill
from lessons.measures.marks import Merged
from lessons.measures.page import stock_text
from lessons.questions.practice import Mastery, attempts_of, mastery_by_student
from lessons.results.learned.learning import FEWEST_QUESTIONS, Success, help_order, needs_help
from lessons.results.learned.learning_panels import count_words, weakest_facts
from lessons.results.over_time.records import successes
from lessons.results.words import sentences

HELP, NAME = "help", "name"
"""By which students may be sorted."""

MARKS = {Mastery.KNOWN: "known", Mastery.SEEN: "seen", Mastery.TRIED: "mistaken"}


class StudentSkills(NamedTuple):
    """A student: by skill how many of its exercises are known, seen (right once) and not right
    yet (nothing where none was tried), and all their questions together; None of who has
    answered nothing."""

    student: int
    states: tuple[Counter[Mastery], ...]
    success: Success | None


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
        skills, every = self.skills, []
        for student in students:
            states = {skill: Counter[Mastery]() for skill in skills}
            for exercise, state in self.mastery.get(student, {}).items():
                states[EXERCISES[exercise].skill][state] += 1
            success = self.successes.get(student)
            every.append(StudentSkills(student, tuple(states.values()), success))
        return sorted(
            every, key=lambda row: (0, help_order(row.success)) if row.success else (1,)
        )


def skill_matrix(students: Collection[int]) -> SkillMatrix:
    """What these students know: a query, and one for what may be known."""
    every = attempts_of(students)
    return SkillMatrix(mastery_by_student(every), successes(every))


def matrix_context(matrix: SkillMatrix, *, names: Mapping[int, str], by: str) -> dict[str, Any]:
    """The table of the students that are named, whoever may need help first, or by name; who
    has tried nothing yet is ``untried``."""
    places = {student: place for place, student in enumerate(names)}
    rows = matrix.rows(names)
    answered = {names[row.student]: row.success for row in rows if row.success}
    shown = [
        Merged(
            row,
            name=names[row.student],
            page=reverse("student_results", args=[row.student]),
            place=places[row.student],
            is_tried=row.success is not None or any(row.states),
            cells=[_cell(states) for states in row.states],
            counts=count_words(row.success) if row.success else "–",
            needs_help=bool(row.success and needs_help(row.success)),
        )
        for row in rows
    ]
    by_name = sorted(shown, key=lambda row: row["place"])
    return {
        "sentence": _sentence(answered),
        "skills": [skill.title for skill in matrix.skills],
        "rows": [row for row in (by_name if by == NAME else shown) if row["is_tried"]],
        "by": by,
        "untried": [row for row in by_name if not row["is_tried"]],
    }


def _sentence(answered: Mapping[str, Success]) -> str:
    """Whom to look at first: somebody who needs help, or nobody."""
    if not answered:
        return stock_text("answer")
    if all(success.share == 1 for success in answered.values()):
        return stock_text("safe")
    needy = {name: success for name, success in answered.items() if needs_help(success)}
    first = stock_text("weakest", **weakest_facts(needy)) if needy else ""
    marked = {"some": len(needy), "all": len(answered), "least": FEWEST_QUESTIONS}
    return sentences(first, stock_text("needy", **marked))


def _cell(states: Counter[Mastery]) -> tuple[str, list[str]]:
    """What a skill's cell says to the ear, and of each exercise which mark it has."""
    words = {
        Mastery.KNOWN: _("known"),
        Mastery.SEEN: _("right at least once"),
        Mastery.TRIED: _("not right yet"),
    }
    counts = [(state, states[state]) for state in words if states[state]]
    told = [_("%(name)s: %(n)s") % {"name": words[state], "n": n} for state, n in counts]
    marks = [MARKS[state] for state, n in counts for _each in range(n)]
    return ", ".join(told) or _("nothing tried"), marks

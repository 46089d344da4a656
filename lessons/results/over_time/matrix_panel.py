"""Who knows what, as a table: known, seen and not right yet told apart by sign and fill."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _

from lessons.measures.page import stock_text
from lessons.results.learned.learning import FEWEST_QUESTIONS, Success, needs_help
from lessons.results.learned.learning_panels import count_words, weakest_facts
from lessons.results.over_time.matrix import SkillCounts, SkillMatrix
from lessons.results.words import sentences

HELP, NAME = "help", "name"
"""By which students may be sorted."""


class SkillCell(NamedTuple):
    """A skill of a student: for the ear, and of each exercise which mark it has."""

    words: str
    marks: Sequence[str]


class SkillRow(NamedTuple):
    """A student: called so, on whose page, at which place in the list by name, by skill, how
    many questions were right first time, and whether that is so few that they need help."""

    name: str
    page: str
    place: int
    cells: Sequence[SkillCell]
    success: Success | None
    counts: str
    needs_help: bool


@dataclass(frozen=True, slots=True)
class MatrixTable:
    """The table with its sentence; sorted ``by`` one of these. Whoever has tried nothing yet is
    ``untried``: the name and the page."""

    sentence: str
    skills: Sequence[str]
    rows: Sequence[SkillRow]
    by: str
    untried: Sequence[tuple[str, str]] = ()


def matrix_table(matrix: SkillMatrix, *, names: Mapping[int, str], by: str) -> MatrixTable:
    """The table of the students that are named, whoever may need help first, or by name."""
    places = {student: place for place, student in enumerate(names)}
    rows = matrix.rows(names)
    answered = {names[row.student]: row.success for row in rows if row.success}
    needy = {name: success for name, success in answered.items() if needs_help(success)}
    if by == NAME:
        rows.sort(key=lambda row: places[row.student])
    return MatrixTable(
        _sentence(answered, needy),
        [skill.title for skill in matrix.skills],
        [
            SkillRow(
                names[row.student],
                reverse("student_results", args=[row.student]),
                places[row.student],
                [_skill_cell(marks) for marks in row.marks],
                row.success,
                count_words(row.success) if row.success else "–",
                bool(row.success and needs_help(row.success)),
            )
            for row in rows
            if row.is_tried
        ],
        by,
        [
            (names[row.student], reverse("student_results", args=[row.student]))
            for row in sorted(rows, key=lambda row: places[row.student])
            if not row.is_tried
        ],
    )


def _sentence(answered: Mapping[str, Success], needy: Mapping[str, Success]) -> str:
    """Whom to look at first: somebody who needs help, or nobody."""
    if not answered:
        return stock_text("answer")
    if all(success.share == 1 for success in answered.values()):
        return stock_text("safe")
    first = stock_text("weakest", **weakest_facts(needy)) if needy else ""
    marked = {"some": len(needy), "all": len(answered), "least": FEWEST_QUESTIONS}
    return sentences(first, stock_text("needy", **marked))


def _skill_cell(marks: SkillCounts | None) -> SkillCell:
    if marks is None:
        return SkillCell(_("nothing tried"), ())
    words = {
        "known": _("known"),
        "seen": _("right at least once"),
        "mistaken": _("not right yet"),
    }
    counts = [(kind, n) for kind, n in marks._asdict().items() if n]
    told = [_("%(name)s: %(n)s") % {"name": words[kind], "n": n} for kind, n in counts]
    return SkillCell(", ".join(told), [kind for kind, n in counts for _each in range(n)])

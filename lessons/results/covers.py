"""What students did of cover lessons, as far as a teacher says who the guests were: on a
student's page and in the gradebook."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from lessons.homework import cover
from lessons.measures.grid import Cell
from lessons.measures.measure import panel
from lessons.measures.panels import Panel
from xactika_site.classrooms.models import Student
from xactika_site.dates import format_date


def panels(student: Student) -> list[Panel]:
    """Each cover lesson that the student did, if any, part by part."""
    rows = [
        {
            "day": format_date(localtime(done.visit.came)),
            "chapters": f"{done.chapters}/{len(cover.CHAPTERS)}",
            "puzzles": f"{done.puzzles}/{cover.PUZZLES}",
            "boards": f"{done.boards}/{cover.BOARDS}",
            "outcome": _outcome_words(done),
        }
        for done in cover.done_by([student.pk])
    ]
    return [panel("own-cover", rows)] if rows else []


def _outcome_words(done: cover.CoverDone) -> str:
    if done.is_right:
        return _("right")
    return _("not right") if done.answers else "–"


def gradebook_rows(names: Mapping[int, str]) -> tuple[tuple[Cell, ...], ...]:
    """As of homework; a student who did none of a lesson has no row."""
    return tuple(
        (
            names[done.visit.student_id or 0],
            _("Cover lesson until %(day)s") % {"day": done.visit.sheet.until.isoformat()},
            done.share,
            cover.PARTS,
            None,
            None,
        )
        for done in cover.done_by(names)
    )

"""What students did of cover lessons, as far as a teacher says who the guests were: on a
student's page and in the gradebook."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from lessons.homework import cover
from lessons.measures.grid import Cell
from lessons.measures.measure import panel
from lessons.measures.panels import Panel
from lessons.models import CoverSheet
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
            "outcome": _("right") if done.is_right else _("not right") if done.answers else "–",
        }
        for done in cover.done_by([student.pk])
    ]
    return [panel("own-cover", rows)] if rows else []


def gradebook_rows(names: Mapping[int, str]) -> tuple[tuple[Cell, ...], ...]:
    """Rows for a gradebook, as ``homework.gradebook_rows`` has them; a student who did none of
    a lesson has no row. Several lessons until one day are told apart by a number."""
    every = cover.done_by(names)
    until: dict[date, list[int]] = {}
    for sheet in dict.fromkeys(done.visit.sheet for done in every):
        until.setdefault(sheet.until, []).append(sheet.pk)

    def title(sheet: CoverSheet) -> str:
        words = _("Cover lesson until %(day)s") % {"day": sheet.until.isoformat()}
        number = until[sheet.until].index(sheet.pk) + 1
        return words if number == 1 else f"{words} · {number}"

    return tuple(
        (
            names[done.visit.student_id or 0],
            title(done.visit.sheet),
            done.share,
            cover.PARTS,
            None,
            None,
        )
        for done in every
    )

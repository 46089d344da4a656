"""The lessons, as their files in ``lessons/content`` tell them.

A folder a lesson: ``lesson.txt`` (its steps), ``teacher.txt``, ``worksheet.txt``. Everything is
checked when it is read: a lesson that loads can be shown. docs/lessons.md is for whoever edits.
"""

from __future__ import annotations

from functools import cache

from lessons.course import contest
from lessons.course.load import folders, load
from lessons.course.plan import Lesson, Printed, Step, StepKind, Whole, WrittenQuestion
from lessons.course.starter import is_starter, starter
from xactika_site.texts import Problem


@cache
def lessons() -> tuple[Lesson, ...]:
    """All lessons in their order; Problem if a file is broken."""
    return tuple(load(folder) for folder in folders())


def lesson(slug: str) -> Lesson:
    """The lesson of this address, be it a starter or the contest; KeyError if there is
    none."""
    if slug == contest.SLUG:
        return contest.contest()
    if is_starter(slug):
        return starter(slug)
    by_slug = {lesson.slug: lesson for lesson in lessons()}
    return by_slug[slug]


__all__ = [
    "Lesson",
    "Printed",
    "Problem",
    "Step",
    "StepKind",
    "Whole",
    "WrittenQuestion",
    "lesson",
    "lessons",
]

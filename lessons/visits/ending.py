"""A class's lesson that is over: who took part, and how many had its questions right."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from games.models import Table
from lessons.course import StepKind, lesson, lessons, markup
from lessons.course.suspects import settled_lesson
from lessons.measures.panels import TallyRow
from lessons.models import LessonRun, Visit
from lessons.visits.predictions import tally
from lessons.visits.ways import Predictions, lessons_held, predictions, seed_of
from xactika_site.classrooms.models import ClassSession
from xactika_site.classrooms.selectors import here_in

ON_WALL = timedelta(minutes=5)
"""So long the wall shows what a lesson came to, if the class does nothing else."""


def over_context(session: ClassSession) -> dict[str, Any] | None:
    """What a session's last lesson came to, until it plays or is at another; None where there
    is nothing to look back on. Of a question that fewer than FEWEST answered nothing is told:
    ``rows`` are how many had each one right, or how they answered the only one, ``asked``."""
    run = LessonRun.objects.filter(class_session=session).last()
    if run is None or run.ended is None or session.state == ClassSession.State.OPEN:
        return None
    try:
        course = settled_lesson(lesson(run.lesson), seed_of(run, None))
    except KeyError:
        return None
    judged: list[tuple[str, int, Predictions, tuple[TallyRow, ...]]] = []
    for step in course.steps[: run.step]:
        if step.kind is not StepKind.PREDICT or run.step < course.reveal_of(step.name):
            continue
        room = predictions(run, step)
        bars = tally(step, room, with_truth=True)
        if room.may_be_shown and any(bar.is_true for bar in bars):
            right = sum(bar.count for bar in bars if bar.is_true)
            judged.append((markup.plain(step.title), right, room, bars))
    asked, rows = (
        _("Right"),
        tuple(
            TallyRow(title, right, 100 * right // room.students)
            for title, right, room, _bars in judged
        ),
    )
    if len(judged) == 1:
        asked, *_room, rows = judged[0]
    here = list(here_in(session.pk).values_list("student__name", flat=True))
    students = Visit.objects.filter(run=run, student__isnull=False).count()
    before = lessons_held(session.classroom)
    later = [each for each in lessons() if each.slug not in before]
    following = min(
        later, key=lambda each: (each.number < course.number, each.number), default=None
    )
    return {
        "run": run,
        "lesson": course,
        "title": markup.html(course.title),
        "rows": rows,
        "asked": asked,
        "sentence": _(
            "Students who took part: %(students)d of %(of)d. Steps seen: %(seen)d of %(all)d."
        )
        % {
            "students": students,
            "of": max(students, len(here)),
            "seen": run.step,
            "all": len(course.steps),
        },
        "here": () if session.names_hidden else here,
        "following": following,
        "following_title": markup.html(following.title) if following else "",
    }


def is_over_on_wall(session: ClassSession) -> bool:
    """Whether the wall may look back on a lesson: not for long, and on one that it has shown,
    while no tables are formed or all are paused."""
    is_free = session.state == ClassSession.State.PAUSED or (
        session.state == ClassSession.State.LOBBY
        and not Table.objects.filter(class_session=session, closed=False).exists()
    )
    run = LessonRun.objects.filter(class_session=session).last() if is_free else None
    return bool(run and run.on_wall and run.ended and timezone.now() - run.ended < ON_WALL)

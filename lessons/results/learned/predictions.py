"""What students thought before a lesson's reveal, and whether they could explain it after."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from lessons.course import Lesson, Step, StepKind, lessons
from lessons.models import Commitment, LessonRun, Visit
from lessons.results.words import lesson_words
from lessons.visits.predictions import is_right
from xactika_site.classrooms.models import Attendance, Classroom, ClassSession, Student


@dataclass(slots=True)
class LessonProgress:
    """One lesson: who was at it, and of the predictions and explanations of which right and
    wrong can be told how many there were, and how many were right (explanations: at once). A
    prediction counts once its reveal has been seen, a number by the bar that it falls into."""

    lesson: Lesson
    students: int = 0
    predicted: int = 0
    right_before: int = 0
    explained: int = 0
    right_after: int = 0

    @property
    def name(self) -> str:
        """The lesson's number and title."""
        return lesson_words(self.lesson.number)

    @property
    def label(self) -> str:
        """The lesson's number, as a chart has room for it."""
        return _("Lesson %(n)s") % {"n": self.lesson.number}

    @property
    def before(self) -> Fraction | None:
        """The share of predictions that were right."""
        return Fraction(self.right_before, self.predicted) if self.predicted else None

    @property
    def after(self) -> Fraction | None:
        """The share of explanations that were right at the first try."""
        return Fraction(self.right_after, self.explained) if self.explained else None


def progress_in_session(session: ClassSession) -> tuple[LessonProgress, ...]:
    """The lessons that a class session held, and those that its students did meanwhile."""
    return _read(visits_in_session(session))


def visits_in_session(session: ClassSession) -> QuerySet[Visit]:
    """Ways through lessons that the session held, or that its students went meanwhile."""
    came = Attendance.objects.filter(class_session=session).values("student")
    alone = Q(
        student__in=came, begun__range=(session.created, session.closed or timezone.now())
    )
    # By keys, not by a join: of two ways to a row the database then takes an index for each.
    runs = LessonRun.objects.filter(class_session=session).values("pk")
    return Visit.objects.filter(Q(run__in=runs) | alone)


def progress_in_classroom(classroom: Classroom) -> tuple[LessonProgress, ...]:
    """The lessons that any of the classroom's students were at."""
    return _read(Visit.objects.filter(student__classroom=classroom))


def progress_of_student(student: Student) -> tuple[LessonProgress, ...]:
    """The lessons that one student was at."""
    return _read(Visit.objects.filter(student=student))


class OwnStep(NamedTuple):
    """What one student did in a step of a lesson, as stored; ``is_open`` once it may be seen
    what is true: of a prediction after its reveal."""

    lesson: Lesson
    step: Step
    value: dict[str, Any]
    right: bool | None
    tries: int
    is_open: bool


def steps_of_student(student: Student) -> tuple[OwnStep, ...]:
    """What a student did in each step of lessons that still exist, the latest visit first."""
    courses = {lesson.slug: lesson for lesson in lessons()}
    rows = Commitment.objects.filter(visit__student=student).select_related("visit__run")
    steps = []
    for row in rows.order_by("-visit", "pk"):
        course, run = courses.get(row.visit.lesson), row.visit.run
        step = next((s for s in course.steps if s.name == row.step), None) if course else None
        if course is None or step is None:
            continue  # the lesson's files have changed since
        is_open = (
            step.kind is not StepKind.PREDICT
            or run is None
            or run.ended is not None
            or run.step >= course.reveal_of(step.name)
        )
        steps.append(OwnStep(course, step, row.value, row.right, row.tries, is_open))
    return tuple(steps)


def _read(visits: QuerySet[Visit]) -> tuple[LessonProgress, ...]:
    """The predictions and explanations of these visits, lesson by lesson; one query."""
    by_lesson = {lesson.slug: LessonProgress(lesson) for lesson in lessons()}
    steps = {(lesson.slug, step.name): step for lesson in lessons() for step in lesson.steps}
    people: dict[str, set[int]] = defaultdict(set)
    rows = Commitment.objects.filter(
        visit__in=visits.order_by().values("pk"), visit__student__isnull=False
    )
    for slug, student, name, value, right, tries, room in rows.values_list(
        "visit__lesson", "visit__student", "step", "value", "right", "tries", "visit__run__step"
    ):
        step = steps.get((slug, name))
        if step is None:
            continue  # the lesson's files have changed since
        people[slug].add(student)
        progress = by_lesson[slug]
        is_predicted = step.kind is StepKind.PREDICT
        if is_predicted and room is not None and room < progress.lesson.reveal_of(name):
            continue  # the room has not seen what is true
        _count(progress, step, value, right=right, at_once=tries == 1)
    for slug, progress in by_lesson.items():
        progress.students = len(people[slug])
    return tuple(progress for progress in by_lesson.values() if progress.students)


def _count(
    progress: LessonProgress, step: Step, value: Any, *, right: bool | None, at_once: bool
) -> None:
    if step.kind is StepKind.PREDICT:
        if (true := is_right(step, value)) is not None:
            progress.predicted += 1
            progress.right_before += true
    elif step.kind is StepKind.EXPLAIN and right is not None:
        progress.explained += 1
        progress.right_after += right and at_once

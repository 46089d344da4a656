"""What a teacher does with a class's two tests: opens, closes and deletes them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from itertools import product
from random import Random

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games.classes.closing import tell_class
from lessons.assessment.forms import LENGTHS, USUAL_LENGTH, forms
from lessons.course import lessons
from lessons.exercises import EXERCISES
from lessons.exercises.engine import Exercise
from lessons.exercises.skills import Skill
from lessons.models import Assessment, Taker
from xactika_site.classrooms.models import Classroom
from xactika_site.classrooms.selectors import unclosed_session
from xactika_site.classrooms.services import Refused, deletion, lock_classroom, lock_session
from xactika_site.randomness import system_rng

MOST = 20
"""Pairs of tests that a class may have."""


def exercises_about(lesson: str, skills: Collection[str]) -> list[Exercise]:
    """The types that a test about this lesson of the course, or else these skills, asks."""
    if lesson:
        numbers = {each.number for each in lessons() if each.slug == lesson}
        return [each for each in EXERCISES.values() if each.lesson in numbers]
    return [each for each in EXERCISES.values() if each.skill.value in skills]


def open_first(
    *,
    classroom: Classroom,
    lesson: str = "",
    control_lesson: str = "",
    skills: Collection[str] = (),
    length: int = USUAL_LENGTH,
    rng: Random = system_rng,
) -> Assessment:
    """A new pair of tests for a class, the first of which is open; its students are drawn into
    two halves. With a control half of the questions is about either lesson, and which of both
    comes between the tests is drawn, too. Refused without a lesson or skills, and while another
    test is open."""
    skills = [each.value for each in Skill if each.value in skills and not lesson]
    topics = [exercises_about(lesson, skills)]
    if control_lesson:
        topics.append(exercises_about(control_lesson, ()))
    if not all(topics) or length not in LENGTHS:
        raise Refused(_("Choose a lesson, or at least one skill."))
    if control_lesson and (not lesson or lesson == control_lesson):
        raise Refused(_("Choose two different lessons."))
    shares = [(length + place) // len(topics) for place in range(len(topics))]
    pairs = [  # takes its time, so before anything is locked
        pair
        for exercises, share in zip(topics, shares, strict=True)
        for pair in forms(exercises, share, rng)
    ]
    if len(pairs) < LENGTHS.start:
        raise Refused(_("Too few questions about this. Choose more skills."))
    with transaction.atomic():
        lock_classroom(classroom)
        if (session := unclosed_session(classroom)) is not None:
            lock_session(session.pk)
        others = list(Assessment.objects.filter(classroom=classroom))
        if any(each.open_test for each in others):
            raise Refused(_("A test of this class is still open. Close it first."))
        if len(others) >= MOST:
            raise Refused(
                _("A class has at most %(most)d pairs of tests. Delete one first.")
                % {"most": MOST}
            )
        assessment = Assessment.objects.create(
            classroom=classroom,
            lesson=lesson,
            control_lesson=control_lesson,
            skills=skills,
            form_a=[pair.a.to_json() for pair in pairs],
            form_b=[pair.b.to_json() for pair in pairs],
        )
        students = list(classroom.students.values_list("pk", flat=True))
        draw_halves(assessment, students, rng)
        _tell(classroom)
    return assessment


def draw_halves(
    assessment: Assessment, students: Iterable[int], rng: Random = system_rng
) -> None:
    """Draw these students into the halves, with a control the quarters, of form and lesson;
    these stay equal but for one: who comes after the others goes to the smallest, by lot where
    several are."""
    order = list(students)
    rng.shuffle(order)
    drawn = list(assessment.takers.values_list("first_form", "lesson"))
    parts = product(Taker.Form, assessment.both_lessons or ("",))
    sizes = {part: drawn.count(part) for part in parts}
    takers = []
    for student in order:
        least = min(sizes.values())
        part = rng.choice([part for part, size in sizes.items() if size == least])
        sizes[part] += 1
        form, lesson = part
        takers.append(
            Taker(assessment=assessment, student_id=student, first_form=form, lesson=lesson)
        )
    Taker.objects.bulk_create(takers, ignore_conflicts=True)


@transaction.atomic
def close_test(*, assessment: Assessment, test: int) -> None:
    """Close the first (1) or second test (2) for all: it takes no answers any more. Harmless if
    it is not open: an old page closes no other test."""
    now = _locked(assessment)
    if now.open_test != test:
        return
    if test == 1:
        now.first_closed = timezone.now()
    else:
        now.second_closed = timezone.now()
    now.save()
    _tell(now.classroom)


@transaction.atomic
def reopen_first(*, assessment: Assessment) -> None:
    """Take answers of the first test again, as long as the second has not been opened."""
    now = _locked(assessment)
    if now.second_opened is not None:
        raise Refused(_("The second test has been opened: the first stays closed."))
    _check_alone(now)
    now.first_closed = None
    now.save()
    _tell(now.classroom)


@transaction.atomic
def open_second(*, assessment: Assessment) -> None:
    """Open the second test: each half gets the form that it has not seen. An open first one
    is closed. Again it is harmless."""
    now = _locked(assessment)
    if now.second_opened is not None:
        return
    _check_alone(now)
    now.second_opened = timezone.now()
    now.first_closed = now.first_closed or now.second_opened
    now.save()
    _tell(now.classroom)


@deletion
def delete(*, assessment: Assessment) -> None:
    """Delete both tests with all that was answered in them."""
    classroom = assessment.classroom
    lock_classroom(classroom)
    Assessment.objects.filter(pk=assessment.pk).delete()
    _tell(classroom)


def due_after(classroom: Classroom, lessons_held: Collection[str]) -> Assessment | None:
    """The class's tests about one of these lessons whose second one is not opened yet."""
    waiting = Assessment.objects.filter(
        classroom=classroom, first_closed__isnull=False, second_opened=None, control_lesson=""
    )
    answered = waiting.filter(takers__questions__answers__isnull=False)
    return answered.filter(lesson__in=lessons_held).order_by("-pk").first()


def is_expired(assessment: Assessment) -> bool:
    """Whether answers to its tests have been deleted, and nothing can be said of them."""
    return expires(assessment) <= timezone.now()


def expires(assessment: Assessment) -> datetime:
    """When the answers to the first test are deleted by themselves."""
    return assessment.first_opened + timedelta(days=settings.RETENTION_DAYS)


def _locked(assessment: Assessment) -> Assessment:
    lock_classroom(assessment.classroom)
    return Assessment.objects.select_related("classroom").get(pk=assessment.pk)


def _check_alone(assessment: Assessment) -> None:
    others = Assessment.objects.filter(classroom=assessment.classroom_id)
    if any(each.open_test for each in others.exclude(pk=assessment.pk)):
        raise Refused(_("A test of this class is still open. Close it first."))


def _tell(classroom: Classroom) -> None:
    """The class's open pages hear of it, where it is in session."""
    if (session := unclosed_session(classroom)) is not None:
        tell_class(session_id=session.pk)

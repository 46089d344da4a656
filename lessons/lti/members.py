"""Courses of a platform, the classes that they are here, their students, and where these go."""

from __future__ import annotations

import secrets

from django.db import transaction
from django.urls import reverse

from lessons.lti.launches import Launch
from lessons.lti.sealing import seal, user_digest
from lessons.models import Assessment, Course, CourseMember, Homework, Platform
from lessons.pages.practice import SKILLS
from lessons.results.words import lesson_by_number
from xactika_site.classrooms.models import LECTURE_HALL, Classroom, Student
from xactika_site.classrooms.selectors import unclosed_session
from xactika_site.classrooms.services import (
    add_student,
    lock_classroom,
    name_offered,
    note_day,
    note_phrase,
    vouch,
)
from xactika_site.http import digits


def course_of(platform: Platform, deployment: str, context: str) -> Course | None:
    """The course as a class here, once a teacher has linked it."""
    found = Course.objects.filter(platform=platform, deployment=deployment, context=context)
    return found.select_related("classroom").first()


@transaction.atomic
def link(platform: Platform, deployment: str, context: str, *, classroom: Classroom) -> None:
    """From now on the course's students are the classroom's. Harmless if it is linked already,
    with whichever."""
    lock_classroom(classroom)
    Course.objects.get_or_create(
        platform=platform,
        deployment=deployment,
        context=context,
        defaults={"classroom": classroom},
    )


@transaction.atomic
def student_of(*, course: Course, user: str) -> Student:
    """The student who this user of the course's platform is in its class, in whichever of its
    courses they came first; a new one, if in none. Refused if the class is full."""
    lock_classroom(course.classroom)
    digest = user_digest(course.platform, user)
    members = CourseMember.objects.filter(digest=digest, course__classroom=course.classroom)
    before = members.select_related("student").first()
    student = before.student if before else _enrolled(course.classroom)
    CourseMember.objects.get_or_create(
        course=course, digest=digest, defaults={"student": student, "user": seal(user)}
    )
    note_day(students=[student.pk])
    return student


def _enrolled(classroom: Classroom) -> Student:
    """A new student, for whom their teacher, by linking the course, has said yes. They need no
    phrase to come back."""
    name = name_offered(classroom=classroom, device=secrets.token_hex(), spin=0)
    student = add_student(
        classroom_id=classroom.pk, name=name, language=classroom.language, most=LECTURE_HALL
    )
    note_phrase(student=student)
    vouch(students=[student.pk])
    return student


def way_of(launch: Launch, classroom: Classroom | None) -> str:
    """The address of a launch's target; what is not there, or not a guest's (whose classroom is
    None), is the class's page, or the one to join by."""
    kind, _colon, name = launch.target.partition(":")
    key = digits(name) or 0
    match kind:
        case "lesson" if lesson := lesson_by_number(key):
            return reverse("lesson", args=[lesson.slug])
        case "practice" if name in SKILLS:
            return f"{reverse('practice')}#skill-{name}"
        case "homework" if Homework.objects.filter(pk=key, classroom=classroom).exists():
            return reverse("homework", args=[key])
        case "test" if Assessment.objects.filter(pk=key, classroom=classroom).exists():
            return reverse("assessment", args=[key])
    if classroom is None:
        return reverse("join")
    if unclosed_session(classroom):
        return reverse("join_code", args=[classroom.code])
    return reverse("homework_door")

"""Courses of a platform, the classes that they are here, their students, and where these go."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _

from lessons.lti.launches import Launch
from lessons.lti.sealing import opened, seal, user_digest
from lessons.lti.services import UNREADABLE, NotDone, Service, pages, with_query
from lessons.lti.targets import TargetKind, target_of
from lessons.models import Course, CourseMember, LineItem, Platform
from xactika_site.classrooms.models import LECTURE_HALL, Classroom, Student
from xactika_site.classrooms.selectors import unclosed_session
from xactika_site.classrooms.services import (
    Refused,
    add_student,
    lock_classroom,
    name_offered,
    note_day,
    note_phrase,
    vouch,
)

MEMBERS_OF_COURSE = "application/vnd.ims.lti-nrps.v2.membershipcontainer+json"


def course_of(platform: Platform, deployment: str, context: str) -> Course | None:
    """The course as a class here, once a teacher has linked it."""
    found = Course.objects.filter(platform=platform, deployment=deployment, context=context)
    return found.select_related("classroom").first()


@transaction.atomic
def link(platform: Platform, deployment: str, context: str, *, classroom: Classroom) -> None:
    """Link a course to a classroom: its students are the classroom's from now on. Harmless if
    it is linked already, with whichever."""
    lock_classroom(classroom)
    Course.objects.get_or_create(
        platform=platform,
        deployment=deployment,
        context=context,
        defaults={"classroom": classroom},
    )


@transaction.atomic
def unlink(*, course: Course) -> None:
    """Cut a course off its class here; who came by it stays in the class, and no grade is sent
    for them."""
    lock_classroom(course.classroom)
    Course.objects.filter(pk=course.pk).delete()


def note_services(*, course: Course, launch: Launch) -> None:
    """Keep where the course's grades and members are asked for, and what the launch has led to
    if there is a score in that."""
    own = {name: url for name, url in launch.services.items() if name != "lineitem"}
    before = services_of(course)
    if before | own != before:
        sealed = seal(json.dumps(before | own))
        Course.objects.filter(pk=course.pk).update(services=sealed)
    target = target_of(launch.target, course.classroom)
    is_graded = not {"lineitems", "lineitem"}.isdisjoint({*before, *launch.services})
    if target is None or target.kind is TargetKind.PUZZLES or not is_graded:
        return
    item, _new = LineItem.objects.get_or_create(course=course, target=target.text)
    if "lineitem" in launch.services and not item.url:
        url = seal(launch.services["lineitem"])
        LineItem.objects.filter(pk=item.pk, url="").update(url=url)


def services_of(course: Course) -> dict[str, str]:
    """The addresses of a course's grades (``lineitems``) and ``members``, as far as its
    platform has told them."""
    services: dict[str, str] = json.loads(opened(course.services) or "{}")
    return services


def enrolled_in(course: Course) -> int | None:
    """How many learners the platform says are in the course; of nobody it keeps anything. None
    if it does not say."""
    if not (address := services_of(course).get("members")):
        return None
    asked = with_query(address)
    try:
        found = list(pages(course.platform, Service.MEMBERS, asked, MEMBERS_OF_COURSE))
        return sum(_is_learner(each) for page in found for each in page["members"])
    except (NotDone, *UNREADABLE):
        return None


def _is_learner(member: Mapping[str, Any]) -> bool:
    roles = {str(role).rpartition("#")[2] for role in member["roles"]}
    return "Learner" in roles and member.get("status", "Active") == "Active"


def may_have_played(course: Course, user: str) -> bool:
    """Whether somebody comes by a launch for the first time to a class in which others came by
    its code, and may be one of these."""
    students, digest = course.classroom.students, user_digest(course.platform, user)
    is_known = students.filter(memberships__digest=digest).exists()
    return not is_known and students.filter(memberships=None).exists()


@transaction.atomic
def student_of(*, course: Course, user: str, played: Student | None = None) -> Student:
    """The student who this user of the course's platform is in its class, in whichever of its
    courses they came first; if in none, who they have ``played`` as, or a new one. Refused if
    the class is full, or another user is that student."""
    lock_classroom(course.classroom)
    digest = user_digest(course.platform, user)
    members = CourseMember.objects.filter(course__classroom=course.classroom)
    before = members.filter(digest=digest).select_related("student").first()
    others = members.filter(course__platform=course.platform, student=played)
    if before is None and played is not None and others.exists():
        raise Refused(_("Somebody has come with these three words. Ask your teacher."))
    student = before.student if before else played or _enrolled(course.classroom)
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
    if found := target_of(launch.target, classroom):
        return found.address
    if classroom is None:
        return reverse("join")
    if unclosed_session(classroom):
        return reverse("join_code", args=[classroom.code])
    return reverse("homework_door")

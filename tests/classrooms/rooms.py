"""Classrooms with students, for the tests of their pages."""

from __future__ import annotations

from django.utils import timezone

from xactika_site.accounts.models import User
from xactika_site.classrooms import services
from xactika_site.classrooms.models import Classroom, ClassSession, Student


def a_classroom(teacher: User, *, name: str = "7b", students: int = 0) -> Classroom:
    """A classroom of this teacher; its students are Student 1, Student 2, …"""
    classroom = services.open_classroom(name=name, teacher=teacher)
    for number in range(1, students + 1):
        Student.objects.create(
            classroom=classroom, name=f"Student {number}", last_here=timezone.localdate()
        )
    return classroom


def a_session(classroom: Classroom, *, state: str = "closed") -> ClassSession:
    return ClassSession.objects.create(classroom=classroom, state=state)

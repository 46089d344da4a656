"""What teachers' pages and files call students: by name, or by one number everywhere."""

from __future__ import annotations

from django.utils.translation import gettext as _

from lessons.results.points.standings import Placing
from xactika_site.classrooms.models import Classroom, Student


def called(classroom: Classroom, *, shown: bool) -> dict[int, str]:
    """Every student of the classroom with what to call them, in the order of lists: names by
    name, or (unless ``shown``) numbers, which say nothing but who came to the class first.

    The number is the student's place in the classroom, so it is the same on all pages; who
    was deleted leaves no gap. One query.
    """
    students = Student.objects.filter(classroom=classroom).values_list("pk", "name")
    if shown:
        return dict(students.order_by("name"))
    found = students.order_by("pk")
    return {pk: _("Student %d") % n for n, (pk, _name) in enumerate(found, start=1)}


def by_student(names: dict[int, str], place: Placing) -> str:
    """How a teacher's standings call somebody; a dash who is deleted."""
    return names.get(place.sitter.student or 0, "–")


def by_seat(place: Placing) -> str:
    """How standings that others see call somebody: with no number of a teacher's page."""
    return _("Seat %d") % (place.seat + 1)

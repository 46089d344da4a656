"""What teachers' pages and files call students: by name, or by one number everywhere."""

from __future__ import annotations

from django.utils.translation import gettext as _

from lessons.results.points.standings import Placing
from xactika_site.classrooms.models import Classroom, Student
from xactika_site.classrooms.selectors import students_of


def student_names(classroom: Classroom, *, is_named: bool) -> dict[int, str]:
    """What to call every student of the classroom, by key, in the order of lists: names by
    name, or (unless ``is_named``) numbers, which say nothing but who came to the class first.

    The number is the student's place in the classroom, so it is the same on all pages; who
    was deleted leaves no gap. One query.
    """
    if is_named:
        return {student.pk: student.name for student in students_of(classroom)}
    students = Student.objects.filter(classroom=classroom).order_by("pk")
    numbered = enumerate(students.values_list("pk", flat=True), start=1)
    return {pk: _("Student %d") % n for n, pk in numbered}


def student_label(names: dict[int, str], place: Placing) -> str:
    """How a teacher's standings call somebody; a dash who is deleted."""
    return names.get(place.student, "–")


def seat_label(place: Placing) -> str:
    """How standings that others see call somebody: with no number of a teacher's page."""
    return _("Player %(n)s") % {"n": place.seat + 1}

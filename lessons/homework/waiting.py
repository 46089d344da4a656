"""Who has to wait for their teacher's yes before homework opens to them, and that yes."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from games.models import Result
from lessons.models import Homework
from xactika_site.classrooms.models import Student
from xactika_site.classrooms.services import Refused, vouch


def waiting_in(
    homeworks: Collection[Homework], student: Student | None = None
) -> dict[int, list[Student]]:
    """By the key of a class's homework that has not closed, the students who need their
    teacher's yes first, or this one alone, in the order in which they came: who joined after
    it was given out and has no result in the class yet. Else whoever joins under a second name
    would see its boards and puzzles before the first one does. One query."""
    stands = [each for each in homeworks if each.closed is None]
    if student is not None:
        stands = [each for each in stands if each.given < student.created]
    if not stands:
        return {}
    played = Result.objects.filter(
        student=OuterRef("pk"), deal__table__class_session__isnull=False
    )
    new = Student.objects.filter(
        classroom=stands[0].classroom_id,
        created__gt=min(each.given for each in stands),
        vouched=False,
    ).exclude(Exists(played))
    # Whom the class does not know as yet, the session asks about.
    known = new.exclude(attendances__newcomer=True).order_by("pk")
    people = list(known if student is None else new.filter(pk=student.pk))
    return {
        each.pk: waiting
        for each in stands
        if (waiting := [one for one in people if one.created > each.given])
    }


def needs_yes(homework: Homework, student: Student) -> bool:
    """Whether the student needs their teacher's yes before this homework opens to them."""
    return bool(waiting_in([homework], student))


def check_is_open_to(homework: Homework, student: Student) -> None:
    """Raise Refused while the student has to wait."""
    if needs_yes(homework, student):
        raise Refused(_("You joined later. Ask your teacher to let you in."))


def say_yes(*, homework: Homework, students: Collection[int] | None = None) -> None:
    """Give the teacher's yes to those of these students (all of them, if it is not said who)
    who wait for it: this homework opens to them, and so does any other of the class."""
    waiting = {each.pk for each in waiting_in([homework]).get(homework.pk, ())}
    vouch(students=waiting if students is None else waiting & set(students))

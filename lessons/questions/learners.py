"""Who learns, and which questions are theirs: fetched and authorized in one call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Q

from games.models import Guest
from games.tables.viewers import Browser, students_here
from lessons.models import OUTSIDE_TESTS, Question
from xactika_site.classrooms.models import Student
from xactika_site.classrooms.selectors import NotFound, is_known


@dataclass(frozen=True, slots=True)
class Learner:
    """Whose questions, answers and forecasts: a student's of a classroom, or a guest's."""

    student: Student | None = None
    guest: Guest | None = None

    @property
    def owner(self) -> dict[str, Any]:
        """The fields by which their rows are found and made."""
        return {"student": self.student, "guest": self.guest}


def learner_at(browser: Browser) -> Learner | None:
    """The learner at this browser: the student who said that they sit there, else its guest;
    None where nobody has played or practised yet."""
    student, _session = browser.present
    if student is not None:
        return Learner(student=student)
    return Learner(guest=browser.guest) if browser.guest else None


def known_students(browser: Browser) -> list[Student]:
    """The students at this browser whom their classes know."""
    return [student for student in students_here(browser) if is_known(student)]


def question_for(browser: Browser, question_id: int) -> Question:
    """A question of the student or guest at this browser, or of the student who a teacher says
    the guest was in a cover lesson; NotFound if it is another's, or a test's, which has pages
    of its own."""
    mine = Q()
    mine |= Q(student__in=[each.student for each in browser.students])
    if browser.guest is not None:
        mine |= Q(guest=browser.guest) | Q(cover_visits__guest=browser.guest)
    questions = Question.objects.filter(mine, OUTSIDE_TESTS, pk=question_id).select_related(
        "class_exercise", "deal"
    )
    own_question = questions.first() if mine else None
    if own_question is None:
        raise NotFound
    return own_question

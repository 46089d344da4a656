"""What a student does with a test: begins it, answers each question once, hands it in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Count, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from games.tables.viewers import Browser
from lessons.assessment.giving import draw_halves
from lessons.course import lessons, markup
from lessons.exercises import Verdict
from lessons.models import Assessment, Question, Taker
from lessons.questions.asking import answer_once
from lessons.questions.learners import known_students
from xactika_site.accounts.models import User
from xactika_site.classrooms.models import Student
from xactika_site.classrooms.selectors import NotFound, is_known
from xactika_site.classrooms.services import Refused, note_day


def assessment_for(browser: Browser, assessment_id: int) -> tuple[Assessment, Student]:
    """The tests of a class of which somebody at this browser is a student, and who that is;
    NotFound for anybody else."""
    students = {student.classroom_id: student for student in known_students(browser)}
    rows = Assessment.objects.filter(pk=assessment_id, classroom__in=students)
    assessment = rows.select_related("classroom").first()
    if assessment is None:
        raise NotFound
    return assessment, students[assessment.classroom_id]


def assessment_of_teacher(teacher: User, assessment_id: int) -> Assessment:
    """The tests of one of the teacher's classes; NotFound if they are another's."""
    rows = Assessment.objects.filter(pk=assessment_id, classroom__teachers=teacher.pk)
    assessment = rows.select_related("classroom").first()
    if not teacher.is_authenticated or assessment is None:
        raise NotFound
    return assessment


@dataclass(frozen=True, slots=True)
class TestProgress:
    """How far a student is in a test: whether each of its questions is answered, by number, and
    whether it is handed in."""

    answered: Mapping[int, bool] = field(default_factory=dict)
    is_done: bool = False

    @property
    def has_begun(self) -> bool:
        return bool(self.answered)

    @property
    def next_number(self) -> int:
        """The first question that waits for an answer; 0 for none."""
        return next((number for number, done in self.answered.items() if not done), 0)


def progress(assessment: Assessment, student: Student, test: int) -> TestProgress:
    """How far this student is in the first (1) or the second test (2)."""
    questions = questions_of_test(assessment, student, test).prefetch_related("answers")
    answered = {each.test_number or 0: bool(each.answers.all()) for each in questions}
    return TestProgress(answered, bool(answered) and all(answered.values()))


def latest_of(student: Student) -> Assessment | None:
    """The latest tests of which the student has begun one."""
    own = Assessment.objects.filter(takers__student=student, takers__questions__isnull=False)
    return own.order_by("-pk").first()


FRESH = timedelta(hours=12)
"""So long everybody in the lobby is brought along to a test; one that was forgotten is told."""


def _present_lesson_slug(taker: Taker) -> str:
    tests = taker.assessment
    if tests.second_opened is None:
        return taker.lesson
    if tests.second_closed is None or timezone.now() - tests.second_closed > SWAPPED:
        return ""
    return next(each for each in tests.both_lessons or ("",) if each != taker.lesson)


class OpenTest(NamedTuple):
    """A test that waits for a student, who may have begun it."""

    assessment: Assessment
    has_begun: bool

    @property
    def is_fresh(self) -> bool:
        """Whether it was opened for this lesson."""
        opened = self.assessment.second_opened or self.assessment.first_opened
        return timezone.now() - opened < FRESH


def open_to(student: Student) -> OpenTest | None:
    """The open test of the student's class, unless they have handed it in."""
    tests = Assessment.objects.filter(classroom=student.classroom_id, second_closed=None)
    for assessment in tests.order_by("-pk"):
        if (test := assessment.open_test) is not None:
            own = progress(assessment, student, test)
            waits = not own.is_done and is_known(student)
            return OpenTest(assessment, own.has_begun) if waits else None
    return None


SWAPPED = timedelta(days=14)
"""With a control: so long after both tests students are shown the lesson that the other half
had."""


def own_lesson_context(student: Student) -> dict[str, Any] | None:
    """With a control: the ``lesson`` that this student has between the tests, and for SWAPPED
    after both the other one, with its ``title`` in HTML; else None."""
    taker = (
        Taker.objects.exclude(lesson="")
        .filter(student=student, assessment__first_closed__isnull=False)
        .select_related("assessment")
        .order_by("-pk")
        .first()
    )
    slug = _present_lesson_slug(taker) if taker else ""
    course = next((each for each in lessons() if each.slug == slug), None)
    return {"lesson": course, "title": markup.html(course.title)} if course else None


def answers_by_student(assessment: Assessment, test: int) -> dict[int, int]:
    """By student who has begun a test, how many of its questions are answered. One query."""
    asked = Question.objects.filter(taker__assessment=assessment, test=test)
    rows = asked.values_list("student").annotate(n=Count("answers")).order_by()
    return {student: n for student, n in rows if student is not None}


def questions_of_test(
    assessment: Assessment, student: Student, test: int
) -> QuerySet[Question]:
    """What a student was asked in one of the tests, in its order."""
    own = Question.objects.filter(
        taker__assessment=assessment, taker__student=student, test=test
    )
    return own.order_by("test_number")


@transaction.atomic
def begin(*, assessment: Assessment, student: Student) -> None:
    """Ask the open test's questions of this student; again it is harmless. Who came after the
    halves were drawn is drawn now. Refused while none is open."""
    test = assessment.open_test
    if test is None:
        raise Refused(_("It has closed."))
    taker = taker_of(assessment, student)
    form = assessment.form_a if taker.form(test) == Taker.Form.A else assessment.form_b
    asked = [
        Question(
            student=student,
            place=Question.Place.TEST,
            taker=taker,
            test=test,
            test_number=number,
            **stored,
        )
        for number, stored in enumerate(form, start=1)
    ]
    Question.objects.bulk_create(asked, ignore_conflicts=True)
    note_day(students=[student.pk])


def taker_of(assessment: Assessment, student: Student) -> Taker:
    """This student's part in the tests, drawn now if they came late."""
    own = Taker.objects.filter(assessment=assessment, student=student)
    if not own.exists():
        Assessment.objects.select_for_update().get(pk=assessment.pk)  # one after the other
        if not own.exists():
            draw_halves(assessment, [student.pk])
    return own.get()


def question_of(assessment: Assessment, student: Student, number: int) -> Question | None:
    """The student's question of this number in the open test; None where they have not begun
    it, or none is open."""
    test = assessment.open_test
    own = questions_of_test(assessment, student, test or 0).filter(test_number=number)
    question: Question | None = own.select_related("taker__assessment").first()
    return question


@transaction.atomic
def answer(*, question: Question, texts: Mapping[str, str] | None) -> Verdict | None:
    """The verdict on the one answer to a question of a test (``answer_once``). Refused once the
    test has closed."""
    stored = Question.objects.select_for_update(of=("self",)).get(pk=question.pk)
    assert stored.taker_id is not None
    taker = Taker.objects.select_related("assessment").get(pk=stored.taker_id)
    if taker.assessment.open_test != stored.test:
        raise Refused(_("The test has closed. This answer wasn’t saved."))
    return answer_once(stored, texts)

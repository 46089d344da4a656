"""The demo's tests before and after: of its first lesson, two weeks apart."""

from __future__ import annotations

from calendar import SUNDAY
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from random import Random

from django.utils import timezone

from lessons.assessment import giving, taking
from lessons.course import lessons
from lessons.demo.answers import mistake, typed
from lessons.exercises import AnswerGrade, grade, in_our_notation, rebuild
from lessons.models import Answer, Assessment, Question
from xactika_site.classrooms.models import Classroom, Student

KNOWN, LEARNT = 0.4, 0.22
"""The share that the class gets right before, and how much more after."""

PASSES = 0.3
"""How many of those who do not know say so."""

AWAY = 1
"""Students who miss each of the two tests."""


def take_tests(
    classroom: Classroom, students: Sequence[Student], now: datetime, rng: Random
) -> None:
    """Both tests of the class's first lesson: the first before it was held, the second a few
    days ago."""
    assessment = giving.open_first(classroom=classroom, lesson=lessons()[0].slug, rng=rng)
    able = {student.pk: rng.uniform(-0.2, 0.2) for student in students}
    for test, share in ((1, KNOWN), (2, KNOWN + LEARNT)):
        here = students[AWAY:] if test == 1 else students[:-AWAY]
        for student in here:
            taking.begin(assessment=assessment, student=student)
        asked = Question.objects.filter(taker__assessment=assessment, test=test)
        Answer.objects.bulk_create(
            answer
            for each in asked.order_by("pk")
            for answer in _answers(each, share + able[each.student_id or 0], rng)
        )
        giving.close_test(assessment=assessment, test=test)
        giving.open_second(assessment=assessment)
        assessment.refresh_from_db()
    _date_back(assessment, now)


def _answers(question: Question, share: float, rng: Random) -> Iterator[Answer]:
    """At most one answer: right with this chance; else a typical mistake, or "I don’t know"."""
    asked = rebuild(question.to_json())
    is_right = rng.random() < share
    if not is_right and rng.random() < PASSES:
        yield Answer(question=question, number=0, values={}, right=False)
        return
    wrong = {} if is_right else mistake(asked, rng)
    texts = {each.key: typed({**asked.right, **wrong}[each.key]) for each in asked.fields}
    verdict = grade(asked, texts)
    if verdict.uses_attempt:
        yield Answer(
            question=question,
            number=0,
            values=in_our_notation(asked, texts),
            right=verdict.grade is AnswerGrade.RIGHT,
            misconceptions=[code.value for code in verdict.misconceptions],
        )


def _date_back(assessment: Assessment, now: datetime) -> None:
    """Let the first test lie before the lesson, the second after the last session but one."""
    first, second = (not_on_a_sunday(now - timedelta(days=days)) for days in (15, 3))
    lasts = timedelta(minutes=14)
    Assessment.objects.filter(pk=assessment.pk).update(
        first_opened=first,
        first_closed=first + lasts,
        second_opened=second,
        second_closed=second + lasts,
    )
    for test, opened in ((1, first), (2, second)):
        asked = Question.objects.filter(taker__assessment=assessment, test=test)
        asked.update(asked=opened)
        Answer.objects.filter(question__in=asked).update(made=opened + lasts)


def not_on_a_sunday(moment: datetime) -> datetime:
    """This moment, or the same a day earlier where it falls on a Sunday here."""
    return moment - timedelta(days=timezone.localtime(moment).weekday() == SUNDAY)

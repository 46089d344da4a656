"""What was learned: by skill, misconceptions by name, who has not started."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from fractions import Fraction
from random import Random

import pytest
from django.utils import timezone

from games.models import Deal, Position
from lessons.exercises import EXERCISES
from lessons.exercises.skills import Misconception, Skill
from lessons.models import Answer, Question, Retry, Slip
from lessons.results.learned import learning
from lessons.results.news import results_version
from tests.games.classroom import (
    a_session,
    a_teacher,
    device_of,
    picture,
    playing,
    signed_in,
    students_in,
)
from tests.games.table import play
from tests.scenes.results import SLIP, answered
from xactika_site.classrooms.models import ClassSession, Student


@pytest.mark.django_db
class TestLearning:
    def test_by_skill_and_who_has_not_started(self) -> None:
        session = a_session()
        one, two, three = students_in(session, 3)
        answered(session, one, "deck-size", SLIP, True)
        answered(session, one, "value-chance", True)
        answered(session, two, "deck-size", False)
        answered(session, three, "deck-size")  # looked at, not answered
        found = learning.learning_of_session(session)
        assert found.not_started == (three.pk,)
        counting = found.by_skill[Skill.COUNTING]
        assert (counting.questions, counting.attempts) == (3, 4)
        assert (counting.at_once, counting.right, counting.students) == (1, 2, 2)
        assert counting.share == Fraction(1, 3)
        assert list(found.by_skill) == [Skill.COUNTING]
        assert found.by_student[two.pk][Skill.COUNTING].right == 0
        assert found.of_student(one.pk).success.questions == 2
        assert found.is_few

    def test_misconceptions_by_name_and_overcome(self) -> None:
        session = a_session()
        one, two = students_in(session, 2)
        answered(session, one, "deck-size", SLIP, SLIP)
        answered(session, two, "deck-size", SLIP, True)
        answered(session, two, "deck-size", True)
        answered(session, two, "deck-pie", Misconception.EQUIPROBABLE.value)
        first, second = learning.learning_of_session(session).misconceptions
        assert first.misconception is Misconception.ADDS_CHOICES
        assert (first.students, first.answers, first.overcome) == (2, 3, 1)
        assert first.exercises == ("deck-size",)
        assert first.lessons == (1,)
        assert second.students == 1

    def test_a_retry_of_the_same_question_overcomes_nothing(self) -> None:
        session = a_session()
        one, two = students_in(session, 2)
        for student in (one, two):
            answered(session, student, "deck-size", SLIP, True)
        answered(session, two, "deck-size", False, True)
        (seen,) = learning.learning_of_session(session).misconceptions
        assert (seen.students, seen.overcome, seen.open) == (2, 0, 2)
        answered(session, one, "deck-size", True)
        (seen,) = learning.learning_of_session(session).misconceptions
        assert (seen.overcome, seen.open) == (1, 1)

    def test_practice_counts_in_the_session_that_it_fell_into(self) -> None:
        session = a_session()
        one, _two = students_in(session, 2)
        during = answered(None, one, "deck-size", True)
        before = answered(None, one, "deck-size", True)
        Question.objects.filter(pk=before.pk).update(asked=timezone.now() - timedelta(days=1))
        attempts = learning.learning_of_session(session).attempts
        assert [attempt.question for attempt in attempts] == [during.pk]
        assert len(learning.learning_of_classroom(session.classroom).attempts) == 2
        assert len(learning.learning_of_student(one).attempts) == 2

    def test_what_no_exercise_knows_any_more_is_left_out(self) -> None:
        session = a_session()
        (one,) = students_in(session, 1)
        answered(session, one, "an-old-exercise", True)
        answered(session, one, "deck-size", "an-old-mistake")
        found = learning.learning_of_session(session)
        assert found.success.questions == 1
        assert found.misconceptions == ()

    def test_recomputed_from_the_answers(self) -> None:
        session = a_session()
        students, rng = students_in(session, 6), Random(4)
        codes = [m.value for m in Misconception]
        for _question in range(80):
            answers = [
                rng.choice([True, False, rng.choice(codes)])
                for _try in range(rng.randint(0, 3))
            ]
            answered(session, rng.choice(students), rng.choice(list(EXERCISES)), *answers)
        found = learning.learning_of_session(session)
        rows = list(Answer.objects.select_related("question"))
        for key, success in found.by_exercise.items():
            own = [row for row in rows if row.question.exercise == key]
            assert success.attempts == len(own)
            assert success.questions == len({row.question_id for row in own})
            assert success.right == len({row.question_id for row in own if row.right})
            assert success.at_once == sum(row.right and row.number == 0 for row in own)
        shown = Counter(code for row in rows for code in row.misconceptions)
        assert {m.misconception.value: m.answers for m in found.misconceptions} == shown
        for seen in found.misconceptions:
            still = sum(is_open(rows, student.pk, seen.misconception) for student in students)
            assert (seen.open, seen.overcome) == (still, seen.students - still)
            code = seen.misconception.value
            assert seen.met == len(
                {
                    row.question.student_id
                    for row in rows
                    if seen.misconception in EXERCISES[row.question.exercise].misconceptions
                    or code in row.misconceptions
                }
            )
        order = [(m.students, m.open) for m in found.misconceptions]
        assert order == sorted(order, reverse=True)


def is_open(rows: list[Answer], student: int, wanted: Misconception) -> bool:
    """Whether the last answer of a student that says anything of a mistake is that mistake; a
    right one says something only as the first answer to its question."""
    last = None
    for row in sorted(rows, key=lambda row: (row.made, row.pk)):
        if row.question.student_id != student:
            continue
        if wanted.value in row.misconceptions:
            last = "made"
        elif row.right and row.number == 0 and last and could_show(row, wanted):
            last = "overcome"
    return last == "made"


def could_show(row: Answer, wanted: Misconception) -> bool:
    return wanted in EXERCISES[row.question.exercise].misconceptions


def a_slip(session: ClassSession, student: Student, moment: int, *tries: bool) -> Slip:
    """A turn of this session's first round that was tried again with this outcome."""
    deal = Deal.objects.filter(table__class_session=session).earliest("pk")
    position = Position.objects.create(deal=deal, moves=moment, seat=0)
    slip = Slip.objects.create(student=student, position=position, worths={"0": 1.0, "1": 0.5})
    for number, right in enumerate(tries):
        Retry.objects.create(slip=slip, number=number, move="0", right=right)
    return slip


@pytest.mark.django_db
class TestTurnsRetryCounts:
    def test_they_are_counted_apart_from_exercises(self) -> None:
        session, (one, two) = playing(2, seats=2, rounds=2)
        play(picture(session).tables[0])
        before = results_version(session)
        a_slip(session, one, 2, True)
        a_slip(session, one, 4, False, False, True)
        a_slip(session, one, 6)
        a_slip(session, two, 8, False)
        assert results_version(session) != before
        in_all = learning.RetryCounts(mistakes=4, tried=3, at_once=1, right=2, students=2)
        found = learning.learning_of_session(session)
        assert found.again == in_all
        assert found.success.questions == 0
        assert not found.started
        assert learning.learning_of_classroom(session.classroom).again == in_all
        assert learning.learning_of_student(two).again == learning.RetryCounts(1, 1, 0, 0, 1)
        assert learning.learning_of_session(a_session()).again == learning.RetryCounts()
        said = "Tried again: 3. Right in the end: 2."
        teacher, mine = signed_in(a_teacher()), device_of(one, session)
        for page in (
            f"/teach/sessions/{session.pk}/learning/",
            f"/teach/sessions/{session.pk}/results/",
            f"/teach/classrooms/{session.classroom_id}/learning/",
        ):
            assert said in teacher.get(page).text
        # On the wall two students are too few to be told of.
        assert said not in teacher.get(f"/teach/sessions/{session.pk}/results/wall/").text
        own = mine.get(f"/class/{session.pk}/results/").text
        assert "Tried again: 2. Right in the end: 2." in own
        export = teacher.get(f"/teach/students/{two.pk}/answers.jsonl").text
        assert '"kind": "slip"' in export
        assert '"retries": [{"number": 0, "move": "0", "right": false' in export

    def test_none_of_a_board_that_is_still_played(self) -> None:
        session, students = playing(4, seats=2, duplicate=True, rounds=1)
        play(picture(session).tables[0])
        a_slip(session, students[0], 4, True)
        assert learning.learning_of_session(session).again == learning.RetryCounts()
        export = signed_in(a_teacher()).get(f"/teach/students/{students[0].pk}/answers.jsonl")
        assert '"slip"' not in export.text

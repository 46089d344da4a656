"""The class's own questions in its results: by set and name, in no skill."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from games.classes import closing
from lessons.exercises.skills import Misconception
from lessons.models import ClassExercise, Question
from lessons.questions import before_class, sets
from lessons.results.learned import learning_panels
from lessons.results.learned.learning import (
    Learning,
    OwnAttempt,
    learning_of_session,
    learning_of_student,
)
from tests.games.classroom import device_of, playing, signed_in
from tests.scenes import present
from tests.scenes.lessons import text_of
from tests.scenes.questions import right_texts, send, wrong_texts
from xactika_site.classrooms.models import ClassSession, Student

pytestmark = pytest.mark.django_db

SET = (
    "# Two\nHow many?\ncount: N\nright: 2\nwrong: 3\n> Count again.\n\n"
    "# Four\nHow many?\ncount: N\nright: 4\nwrong: 3\n> Count again.\n"
)


def answered(many: int) -> tuple[ClassSession, list[Student]]:
    """A class that has answered both: "Two" all right, "Four" one of them alone."""
    session, students = playing(many)
    own = sets.create(classroom=session.classroom, name="Monday", text=SET)
    two = before_class.begin_set(session=session, question_set=own)
    _answer(session, two, students)
    four = present(before_class.put_next(exercise=two))
    _answer(session, four, students[:1])
    _answer(session, four, students[1:], texts_of=wrong_texts)
    return session, students


def _answer(
    session: ClassSession,
    exercise: ClassExercise,
    students: list[Student],
    texts_of: Callable[[Question], dict[str, str]] = right_texts,
) -> None:
    for student in students:
        question = present(before_class.class_question(exercise=exercise, student=student))
        send(device_of(student, session), question, texts_of(question))


def test_what_went_wrong_most_is_an_own_question() -> None:
    session, _students = answered(5)
    teacher = signed_in(session.classroom.teachers.get())
    text = text_of(teacher.get(f"/teach/sessions/{session.pk}/results/"))
    assert "Answers to exercises fill this." not in text
    assert "“Monday: Four” was the hardest" in text
    assert "How did our own questions go?" in text
    assert "Look first at “Monday: Four”: 1 of 5 right first time." in text
    learning = learning_of_session(session)
    assert {n: w.at_once for n, w in learning.own_questions.items()} == {
        "Monday: Four": 1,
        "Monday: Two": 5,
    }
    assert not learning.not_started
    assert not learning.by_skill
    closing.close_session(session_id=session.pk)
    text = text_of(teacher.get(f"/teach/sessions/{session.pk}/results/"))
    assert "“Monday: Four”" in text


def test_each_own_question_is_looked_at_closely() -> None:
    """Twelve of whom half get both right, the others both wrong: it tells them apart as well as
    can be; the commonest wrong answer stands as people read it."""
    own = tuple(
        OwnAttempt(10 * n + place, name, n, 0, n < 6, seconds=n)
        for n in range(12)
        for place, name in enumerate(["Four", "Two"])
    )
    figures = Learning((), {}, own=own).own_figures("Four")
    assert figures.tells == pytest.approx(1)
    assert (figures.mistake, figures.mistaken, figures.seconds) == ("", 0, 5.5)
    session, _students = answered(5)
    grid = present(learning_panels.own_questions(learning_of_session(session)).grid)
    row = dict(zip([c.title for c in grid.columns], grid.rows[0], strict=True))
    assert row["Commonest mistake"]
    assert row["Made by"] == pytest.approx(0.8)
    assert row["Worth another look"] == ""  # of five


def test_of_fewer_than_five_the_room_sees_no_figure() -> None:
    session, _students = answered(4)
    learning = learning_of_session(session)
    assert learning_panels.own_questions(learning).grid is not None
    shared = learning_panels.panels(learning, [], is_shared=True)
    (hidden,) = [each for each in shared if each.key == "own-questions"]
    assert hidden.is_empty
    teacher = signed_in(session.classroom.teachers.get())
    assert "1 of 4" in text_of(teacher.get(f"/teach/sessions/{session.pk}/results/"))


def test_one_question_of_one_student_is_not_what_went_wrong_most() -> None:
    answers = [(1, "Once", False), *((n, "Often", n == 2) for n in range(2, 10))]
    own = tuple(OwnAttempt(n, name, n, 0, right) for n, name, right in answers)
    assert list(Learning((), {}, own=own).own_questions) == ["Often", "Once"]


def test_it_stands_without_its_set_and_for_each_student() -> None:
    session, students = answered(5)
    session.classroom.question_sets.get().delete()
    assert list(learning_of_session(session).own_questions) == ["Four", "Two"]
    own = learning_of_student(students[1]).own_questions
    assert [(each.questions, each.at_once) for each in own.values()] == [(1, 0), (1, 1)]
    assert Misconception.AUTHORED.value not in {
        code for each in learning_of_session(session).attempts for code in each.misconceptions
    }

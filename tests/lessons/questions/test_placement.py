"""Where to begin: a short check finds the first lesson that somebody has not mastered."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from django.test import Client

from lessons.models import Answer, Question
from lessons.questions import placement
from lessons.questions.learners import Learner
from lessons.questions.placement import (
    MAX_ANSWERS,
    MIN_ANSWERS,
    Answered,
    begins_at,
    lessons_asked,
    next_lesson,
    placed,
    placed_students,
    posterior,
)
from lessons.questions.practice import next_standing, standings, tries_of
from lessons.results.learned.learning_panels import placement as placement_panel
from tests.games.classroom import a_classroom, a_teacher, signed_in
from tests.scenes import present
from tests.scenes.assessments import right_texts, wrong_texts
from tests.scenes.homework import a_class, at_home


def test_what_is_known_of_nobody_is_nothing() -> None:
    chances = posterior([])
    assert chances == pytest.approx([(11 - n) / 66 for n in range(11)])
    assert next_lesson([]) == 3


def test_bayes_by_hand() -> None:
    """A right answer about lesson 5: to have mastered five is 17/3 times as likely as four."""
    chances = posterior([Answered(5, is_right=True)])
    assert chances[5] / chances[4] == pytest.approx(0.85 / 0.15 * 6 / 7)
    assert sum(chances) == pytest.approx(1)
    assert begins_at([Answered(5, is_right=True)]) > 5
    assert begins_at([Answered(5, is_right=False)]) <= 5


def check(
    mastered: int, rng: Random, *, slip: float = 0.1, guess: float = 0.2
) -> list[Answered]:
    answers: list[Answered] = []
    while (lesson := next_lesson(answers)) is not None:
        chance = 1 - slip if lesson <= mastered else guess
        answers.append(Answered(lesson, rng.random() < chance))
    return answers


def test_it_finds_the_place_in_five_to_eight_questions() -> None:
    rng, lessons = Random(3), lessons_asked()
    off: Counter[int] = Counter()
    for _student in range(300):
        mastered = rng.randrange(len(lessons) + 1)
        answers = check(mastered, rng)
        assert MIN_ANSWERS <= len(answers) <= MAX_ANSWERS
        assert max(Counter(each.lesson for each in answers).values()) <= 3
        off[abs(begins_at(answers) - min(mastered + 1, lessons[-1]))] += 1
    assert off[0] + off[1] >= 220  # within a lesson; by chance some 80
    assert sum(off[each] for each in off if each > 3) <= 20


def test_who_gets_all_right_or_nothing_stands_at_an_end() -> None:
    sure = {"slip": 0.0, "guess": 0.0}
    assert begins_at(check(10, Random(1), **sure)) == lessons_asked()[-1]
    assert begins_at(check(0, Random(1), **sure)) == lessons_asked()[0]


@pytest.mark.django_db
def test_the_check_from_its_page_to_practice() -> None:
    (student,) = a_class(1)
    browser, learner = at_home(student), Learner(student=student)
    assert "Where should I start?" in browser.get("/lessons/practice/").text
    here = "/lessons/practice/begin/"
    assert browser.get(here).headers["Location"] == "/lessons/practice/"
    browser.post(here, {"do": "begin"})
    for _question in range(MAX_ANSWERS):
        asked = placement.present_question(learner)
        if asked is None:
            break
        page = browser.get(here).text
        assert "I don’t know" in page
        assert "hint" not in page
        its = {"question": asked.pk}
        assert browser.post(here, its).status_code == 422  # unreadable: asked once more
        assert browser.post(here, {**its, **wrong_texts(asked)}).status_code == 302
        browser.post(here, {**its, "unknown": "1"})  # the same click, twice
    assert placed(learner) == 1
    assert set(Answer.objects.values_list("right", flat=True)) == {False}
    assert not Answer.objects.filter(values={}).exists()
    assert "Lesson 1" in browser.get(here).text
    assert "Where should I start?" not in browser.get("/lessons/practice/").text
    assert tries_of(learner) == []
    browser.post(here, {"do": "begin"})
    assert Question.objects.filter(place=Question.Place.ENTRY).count() == 1
    assert placed(learner) is None


@pytest.mark.django_db
def test_practice_begins_there() -> None:
    (student,) = a_class(1)
    learner = Learner(student=student)
    while (asked := placement.ask_next(learner, Random(2))) is not None:
        placement.answer(learner, str(asked.pk), right_texts(asked))
    begin = placed(learner)
    assert begin == lessons_asked()[-1]
    chosen = next_standing(standings(learner), first_lesson=begin or 0, rng=Random(1))
    assert chosen.exercise.lesson == begin
    assert chosen.state == "new"
    assert next_standing(standings(learner), rng=Random(1)).level == "A"


@pytest.mark.django_db
def test_a_guest_may_check_and_nobody_reads_anothers() -> None:
    guest, other = Client(), Client()
    guest.post("/lessons/practice/begin/", {"do": "begin"})
    assert guest.get("/lessons/practice/begin/").status_code == 200
    assert other.get("/lessons/practice/begin/").status_code == 302
    asked = Question.objects.get()
    for end in ("", "hint/", "solve/", "answer/"):
        address = f"/lessons/questions/{asked.pk}/{end}"
        assert (guest.post(address) if end else guest.get(address)).status_code == 404


@pytest.mark.django_db
def test_the_teacher_sees_the_classs_map() -> None:
    classroom = a_classroom()
    students = a_class(3, classroom)
    teacher = signed_in(a_teacher())
    address = f"/teach/classrooms/{classroom.pk}/learning/"
    assert "Where would each begin?" not in teacher.get(address).text
    for student, texts in zip(students, (right_texts, wrong_texts), strict=False):
        learner = Learner(student=student)
        while (asked := placement.ask_next(learner, Random(4))) is not None:
            placement.answer(learner, str(asked.pk), texts(asked))
    found = placed_students([each.pk for each in students])
    assert sorted(found.values()) == [lessons_asked()[0], lessons_asked()[-1]]
    panel = present(placement_panel(found))
    assert panel.basis == "Students: 2."
    assert "Where would each begin?" in teacher.get(address).text

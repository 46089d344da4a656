"""Where to begin: five to eight questions, each chosen by what the last ones said, find the
lesson whose questions are the first that somebody does not get right."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from math import prod
from random import Random
from typing import NamedTuple

from django.db import transaction
from django.utils.translation import gettext as _

from lessons.exercises import EXERCISES, Verdict, drawn_questions
from lessons.exercises.engine import Exercise
from lessons.models import Question
from lessons.questions.asking import answer_once
from lessons.questions.learners import Learner
from xactika_site.classrooms.services import Refused
from xactika_site.randomness import system_rng

MIN_ANSWERS, MAX_ANSWERS = 5, 8
"""Questions of a check."""

SURE = 0.7
"""More questions are asked until one place is as likely as this."""

RIGHT_BELOW, RIGHT_ABOVE = 0.85, 0.15
"""How likely a question is right whose lesson somebody has mastered, and one above that: slips
and guesses."""


class Answered(NamedTuple):
    """A question of a check: its lesson, and whether it was right."""

    lesson: int
    is_right: bool


@cache
def _by_lesson() -> Mapping[int, Sequence[Exercise]]:
    """By lesson that has some, its types, in the order in which lessons build on each other."""
    types: dict[int, list[Exercise]] = defaultdict(list)
    for exercise in EXERCISES.values():
        types[exercise.lesson].append(exercise)
    return dict(sorted(types.items()))


def lessons_asked() -> list[int]:
    """The lessons' numbers, the first first."""
    return list(_by_lesson())


def posterior(answers: Collection[Answered]) -> list[float]:
    """By how many lessons are mastered, from none to all, how likely that is after these
    answers (a Bayesian knowledge assessment; Falmagne 1988). Before them fewer are likelier,
    so that the first question is no hard one."""
    lessons = lessons_asked()
    weights = [
        (len(lessons) + 1 - mastered)
        * prod(_likelihood(each, each.lesson in lessons[:mastered]) for each in answers)
        for mastered in range(len(lessons) + 1)
    ]
    return [weight / sum(weights) for weight in weights]


def _likelihood(answered: Answered, is_mastered: bool) -> float:
    right = RIGHT_BELOW if is_mastered else RIGHT_ABOVE
    return right if answered.is_right else 1 - right


def next_lesson(answers: Collection[Answered]) -> int | None:
    """The number of the lesson to ask about next: of those asked least the one whose answer is
    nearest to an even chance; None once enough is known."""
    chances = posterior(answers)
    if len(answers) >= MAX_ANSWERS or (len(answers) >= MIN_ANSWERS and max(chances) >= SURE):
        return None
    lessons = lessons_asked()
    asked = [each.lesson for each in answers]

    def unsure(place: int) -> tuple[int, float]:
        mastered = sum(chances[place + 1 :])
        return asked.count(lessons[place]) // 2, abs(mastered - 0.5)

    return lessons[min(range(len(lessons)), key=unsure)]


def begins_at(answers: Collection[Answered]) -> int:
    """The number of the lesson to begin with: the first likelier not mastered than mastered."""
    chances, lessons = posterior(answers), lessons_asked()
    for place, lesson in enumerate(lessons):
        if sum(chances[place + 1 :]) < 0.5:
            return lesson
    return lessons[-1]


# Stored


def _entry(learner: Learner) -> list[Question]:
    rows = Question.objects.filter(**learner.owner, place=Question.Place.ENTRY)
    return list(rows.order_by("pk").prefetch_related("answers"))


def _answered(questions: Collection[Question]) -> list[Answered]:
    return [
        Answered(EXERCISES[each.exercise].lesson, given[0].right)
        for each in questions
        if (given := each.answers.all()) and each.exercise in EXERCISES
    ]


def placed(learner: Learner | None) -> int | None:
    """The number of the lesson that this learner's check found; None before it is finished."""
    if learner is None:
        return None
    answers = _answered(_entry(learner))
    return begins_at(answers) if answers and next_lesson(answers) is None else None


def placed_students(students: Collection[int]) -> dict[int, int]:
    """By student who has finished a check, the number of the lesson to begin with. A query."""
    rows = Question.objects.filter(
        student__in=students, place=Question.Place.ENTRY, answers__number=0
    )
    given: dict[int, list[Answered]] = defaultdict(list)
    for student, exercise, right in rows.order_by("pk").values_list(
        "student", "exercise", "answers__right"
    ):
        if student is not None and exercise in EXERCISES:
            given[student].append(Answered(EXERCISES[exercise].lesson, right))
    return {
        student: begins_at(answers)
        for student, answers in given.items()
        if next_lesson(answers) is None
    }


def present_question(learner: Learner) -> Question | None:
    """The question of the check that waits for an answer; None without one."""
    return next((each for each in _entry(learner) if not each.answers.all()), None)


def how_many(learner: Learner) -> int:
    """How many questions of the check are answered."""
    return len(_answered(_entry(learner)))


@transaction.atomic
def ask_next(learner: Learner, rng: Random = system_rng) -> Question | None:
    """The next question of the learner's check, asked now unless one waits; None once it is
    finished. Refused where no question is found."""
    who = learner.student or learner.guest
    assert who is not None
    type(who).objects.select_for_update().get(pk=who.pk)  # a double click asks one
    if (waiting := present_question(learner)) is not None:
        return waiting
    before = _entry(learner)
    lesson = next_lesson(_answered(before))
    if lesson is None:
        return None
    asked = [each.exercise for each in before]
    types = rng.sample(list(_by_lesson()[lesson]), len(_by_lesson()[lesson]))
    for exercise in sorted(types, key=lambda each: asked.count(each.key)):
        for instance in drawn_questions(exercise.key, rng):
            return Question.objects.create(
                **learner.owner, place=Question.Place.ENTRY, **instance.to_json()
            )
    raise Refused(_("No question here right now. Try another exercise."))


def answer(learner: Learner, question: str, texts: Mapping[str, str] | None) -> Verdict | None:
    """The verdict on the one answer to the question that waits; ``texts`` is None for "I don’t
    know". What cannot be read is not stored, and its verdict says why. Where another one waits
    than the page was for (``question``, its key), or none, nothing changes."""
    waiting = present_question(learner)
    is_this = waiting is not None and question == str(waiting.pk)
    return answer_once(waiting, texts) if waiting is not None and is_this else None


def begin_again(learner: Learner) -> None:
    """Forget the learner's check."""
    Question.objects.filter(**learner.owner, place=Question.Place.ENTRY).delete()

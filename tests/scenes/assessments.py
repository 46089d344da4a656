"""Students who take a class's tests."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

from lessons.assessment import taking
from lessons.exercises import Instance, rebuild
from lessons.models import Answer, Assessment, Question
from tests.scenes import present
from xactika_site.classrooms.models import Student

Texts = Mapping[str, str] | None
"""What somebody types; None for "I don’t know"."""


def right_texts(question: Question) -> dict[str, str]:
    """The right answer as somebody types it."""
    right: Mapping[str, Any] = _rebuilt(json.dumps(question.to_json())).right
    return {key: _typed(answer) for key, answer in right.items()}


@cache
def _rebuilt(stored: str) -> Instance:
    return rebuild(json.loads(stored))


def _typed(answer: Any) -> str:
    if isinstance(answer, str):
        return answer
    return str(answer) if isinstance(answer, int | Fraction) else f"{float(answer):.6f}"


def wrong_texts(question: Question) -> dict[str, str]:
    """A wrong answer that can be read."""
    right = _rebuilt(json.dumps(question.to_json()))
    texts = right_texts(question)
    first = right.fields[0]
    if first.options:
        texts[first.key] = next(o.key for o in first.options if o.key != texts[first.key])
    else:
        texts[first.key] = "0.987654" if texts[first.key] != "0.987654" else "0.9"
    return texts


_answers: dict[str, dict[str, Any]] = {}
"""What is stored of an answer, by its question and what was typed."""


def sit(
    assessment: Assessment, student: Student, texts_of: Callable[[Question], Texts]
) -> list[Question]:
    """Take the open test from its first question to its last. A whole class is asked the same:
    what somebody has answered before is stored as it was then."""
    taking.begin(assessment=assessment, student=student)
    asked = list(
        Question.objects.filter(
            taker__assessment=assessment, taker__student=student, test=assessment.open_test
        ).order_by("test_number")
    )
    answered = Answer.objects.filter(question__in=asked).values_list("question", flat=True)
    before = set(answered)
    for question in asked:
        texts = texts_of(question)
        key = json.dumps([question.to_json(), texts])
        if question.pk in before:  # a second answer changes nothing
            continue
        if key in _answers:
            Answer.objects.create(question=question, **_answers[key])
        else:
            assert taking.answer(question=question, texts=texts) is None
            columns = ("number", "values", "right", "misconceptions")
            _answers[key] = dict(present(question.answers.values(*columns).first()))
    return asked


def by_chance(share: float, rng: Random) -> Callable[[Question], Texts]:
    """Somebody who gets this share right, and slips or passes else."""

    def texts(question: Question) -> Texts:
        if rng.random() < share:
            return right_texts(question)
        return wrong_texts(question) if rng.random() < 0.7 else None

    return texts

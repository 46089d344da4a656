"""Students who take a class's tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from random import Random
from typing import Any

from lessons.assessment import taking
from lessons.exercises import rebuild
from lessons.models import Assessment, Question
from xactika_site.classrooms.models import Student

Texts = Mapping[str, str] | None
"""What somebody types; None for "I don’t know"."""


def right_texts(question: Question) -> dict[str, str]:
    """The right answer as somebody types it."""
    right: Mapping[str, Any] = rebuild(question.to_json()).right
    return {key: _typed(answer) for key, answer in right.items()}


def _typed(answer: Any) -> str:
    if isinstance(answer, str):
        return answer
    return str(answer) if isinstance(answer, int | Fraction) else f"{float(answer):.6f}"


def wrong_texts(question: Question) -> dict[str, str]:
    """A wrong answer that can be read."""
    right = rebuild(question.to_json())
    texts = right_texts(question)
    first = right.fields[0]
    if first.options:
        texts[first.key] = next(o.key for o in first.options if o.key != texts[first.key])
    else:
        texts[first.key] = "0.987654" if texts[first.key] != "0.987654" else "0.9"
    return texts


def sit(
    assessment: Assessment, student: Student, texts_of: Callable[[Question], Texts]
) -> list[Question]:
    """Take the open test from its first question to its last."""
    taking.begin(assessment=assessment, student=student)
    asked = list(
        Question.objects.filter(
            taker__assessment=assessment, taker__student=student, test=assessment.open_test
        ).order_by("test_number")
    )
    for question in asked:
        assert taking.answer(question=question, texts=texts_of(question)) is None
    return asked


def by_chance(share: float, rng: Random) -> Callable[[Question], Texts]:
    """Somebody who gets this share right, and slips or passes else."""

    def texts(question: Question) -> Texts:
        if rng.random() < share:
            return right_texts(question)
        return wrong_texts(question) if rng.random() < 0.7 else None

    return texts

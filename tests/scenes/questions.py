"""Learners, their questions and answers, for tests."""

from __future__ import annotations

import random
from typing import Any

from django.test import Client

from lessons.exercises import EXERCISES, Instance, rebuild
from lessons.models import Question
from lessons.questions import asking
from lessons.questions.learners import Learner
from tests.games.table import a_browser
from tests.scenes.written import forms


def a_learner() -> tuple[Client, Learner]:
    """A browser that has practised, and its guest as a learner."""
    client, guest = a_browser()
    return client, Learner(guest=guest)


def asked(
    learner: Learner, key: str = "unseen-card", seed: int = 1, level: str = ""
) -> Question:
    """A practice question of this exercise, at one of its levels."""
    rng = random.Random(f"{key} {seed}")
    return asking.ask_in_practice(learner=learner, exercise=key, at=level, rng=rng)


def right_texts(stored: Question) -> dict[str, str]:
    """What answers the question rightly, by field."""
    question: Instance = rebuild(stored.to_json())
    return {
        field.key: answer
        if isinstance(answer := question.right[field.key], str)
        else forms(answer, field.form)[0]
        for field in question.fields
    }


def wrong_texts(stored: Question) -> dict[str, str]:
    """A readable answer that is wrong in every field that has a number, or in its choices."""
    question: Instance = rebuild(stored.to_json())
    texts = {}
    for field in question.fields:
        right = question.right[field.key]
        others = [option.key for option in field.options if option.key != right]
        texts[field.key] = others[0] if others else "0.987654"
    return texts


def send(client: Client, stored: Question, texts: dict[str, str], number: Any = 0) -> Any:
    """Answer by the question's form."""
    path = f"/lessons/questions/{stored.pk}/answer/"
    return client.post(path, {"number": str(number), **texts})


KEYS = list(EXERCISES)

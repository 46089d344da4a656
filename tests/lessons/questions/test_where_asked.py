"""Where a question was asked: one a step of a visit, and no more than its place tells."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, transaction

from games.tables.opening import new_guest
from lessons.course import lesson
from lessons.models import Question, Visit
from lessons.questions.learners import Learner
from lessons.visits import doing
from lessons.visits.ways import Visitor
from tests.scenes.questions import asked

pytestmark = pytest.mark.django_db
LESSON, STEP = "sample-space", "slices"


def test_one_question_a_step_of_a_visit() -> None:
    visit = Visit.objects.create(guest=new_guest()[0], lesson=LESSON)
    facts = {"place": "lesson", "visit": visit, "guest": visit.guest}
    rest: dict[str, Any] = {"exercise": "hook", "seed": 1, "parameters": {}}
    Question.objects.create(**facts, **rest, step=STEP)
    Question.objects.create(**facts, **rest, step="alike")
    with pytest.raises(IntegrityError), transaction.atomic():
        Question.objects.create(**facts, **rest, step=STEP)


@pytest.mark.parametrize(
    "wrong", [{"moment": "bid"}, {"step": STEP}, {"place": "class", "level": "A"}]
)
def test_nothing_but_what_its_place_tells(wrong: dict[str, str]) -> None:
    stored = asked(Learner(guest=new_guest()[0]))
    with pytest.raises(IntegrityError), transaction.atomic():
        Question.objects.filter(pk=stored.pk).update(**wrong)


def test_a_question_outlives_its_visit() -> None:
    visitor = Visitor(guest=new_guest()[0])
    visit = doing.begin(lesson=lesson(LESSON), visitor=visitor)
    stored = asked(visitor)
    where = {"place": "lesson", "visit": visit, "step": STEP}
    Question.objects.filter(pk=stored.pk).update(**where)
    visit.delete()
    stored.refresh_from_db()
    assert (stored.visit, stored.step) == (None, STEP)

"""Asked for twice at once, a step of a lesson has one question."""

from __future__ import annotations

import pytest

from games.tables.opening import new_guest
from lessons.course import lesson
from lessons.models import Question
from lessons.visits import doing
from lessons.visits.ways import Visitor, way_of
from tests.scenes.at_once import at_once

pytestmark = pytest.mark.django_db(transaction=True)


def test_two_requests_at_once_make_one_question_of_a_step() -> None:
    course = lesson("sample-space")
    number = course.place("slices")
    for _try in range(5):
        guest = Visitor(guest=new_guest()[0])
        for predicted in ("how-many", "alike"):
            doing.predict(lesson=course, visitor=guest, number=course.place(predicted), value=0)
        way = way_of(course, guest)
        asked = at_once(*[lambda way=way: doing.question_in(way=way, number=number)] * 4)
        assert len({question.pk for question in asked}) == 1
        assert Question.objects.filter(guest=guest.guest).count() == 1

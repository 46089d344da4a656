"""Twins: two questions of a type, alike in all that can be counted, with other numbers."""

from __future__ import annotations

from random import Random

import pytest

from lessons.assessment.forms import TwinTask, distance, forms, is_other, likeness, tasks, twins
from lessons.exercises import EXERCISES, rebuild
from lessons.exercises.skills import Skill
from tests.scenes import SOAK

TASKS = [TwinTask(key, level) for key, each in EXERCISES.items() for level in each.levels]
SEEDS = 200 if SOAK else 2
FARTHEST = 1.3
"""Powers of ten between right answers of twins, at most; docs/assessment.md has the figures."""


@pytest.mark.parametrize("task", TASKS, ids=":".join)
def test_twins_are_alike_and_other(task: TwinTask) -> None:
    for seed in range(SEEDS):
        pair = twins(task, Random(seed))
        assert pair is not None, seed
        a, b = pair
        assert a.exercise == b.exercise == task.exercise
        levels = {EXERCISES[each.exercise].level_of(each.parameters) for each in pair}
        assert levels == {task.level}
        assert likeness(a) == likeness(b)
        assert is_other(a, b)
        assert distance(a, b) <= FARTHEST
        assert all(each.is_fair and rebuild(each.to_json()) == each for each in pair)


def test_forms_ask_skills_in_turn_and_nothing_twice() -> None:
    exercises = [each for each in EXERCISES.values() if each.skill in list(Skill)[:3]]
    pairs = forms(exercises, 12, Random(4))
    assert len(pairs) == 12
    asked = [EXERCISES[pair.a.exercise].skill for pair in pairs]
    assert {asked.count(skill) for skill in list(Skill)[:3]} == {4}
    every = [each for pair in pairs for each in pair]
    for place, one in enumerate(every):
        assert all(
            is_other(one, other)
            for other in every[place + 1 :]
            if one.exercise == other.exercise
        )
    levels = [EXERCISES[pair.a.exercise].level_of(pair.a.parameters) for pair in pairs]
    assert levels == sorted(levels)


def test_a_type_is_asked_at_its_usual_level_first() -> None:
    (one,) = [each for each in EXERCISES.values() if each.key == "draw-tree"]
    assert {task.level for task in tasks([one], 1, Random(0))} == {one.level}
    assert {task.level for task in tasks([one], len(one.levels), Random(0))} == {*one.levels}
    assert tasks([], 10, Random(0)) == []


def test_a_form_holds_what_there_is() -> None:
    """Of a deck that gives four questions there are no ten pairs of twins: fewer are asked."""
    few = [each for each in EXERCISES.values() if each.key == "value-chance"]
    pairs = forms(few, 12, Random(1))
    assert 0 < len(pairs) < 12

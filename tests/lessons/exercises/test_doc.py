"""docs/exercises.md lists exactly what is registered."""

from __future__ import annotations

from lessons.exercises import EXERCISES
from tests.scenes.exercises import rows


def test_the_page_lists_the_types() -> None:
    assert rows("#") == [
        (
            str(exercise.number),
            exercise.key,
            str(exercise.title),
            exercise.family.value,
            exercise.kind.value,
            " ".join(exercise.levels),
            str(exercise.lesson),
            exercise.skill.value,
            ", ".join(misconception.value for misconception in exercise.misconceptions),
        )
        for exercise in EXERCISES.values()
    ]

"""docs/exercises.md lists exactly what is registered."""

from __future__ import annotations

import re
from pathlib import Path

from lessons.exercises import EXERCISES
from lessons.exercises.skills import Misconception, Skill

PAGE = Path(__file__).resolve().parents[3] / "docs" / "exercises.md"


def rows(head: str) -> list[tuple[str, ...]]:
    """The rows of the table whose first column has this head."""
    table = re.search(
        rf"^\| {head} \|.*\n\|[-|]+\n((?:\|.*\n)+)",
        PAGE.read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    assert table is not None
    return [
        tuple(cell.strip().strip("`") for cell in line.strip("|").split("|"))
        for line in table[1].splitlines()
    ]


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


def test_the_page_lists_skills_and_misconceptions() -> None:
    assert rows("skill") == [(skill.value, skill.title) for skill in Skill]
    assert rows("misconception") == [(m.value, m.title) for m in Misconception]

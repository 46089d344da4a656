"""How hard items are, by us and by girth, a library for item response theory.

From the repository's root, for docs/assessment.md, with ``pip install .[bench]``::

    python -m benchmarks.items

Simulated schools of 120 students, whose ability differs, answer 12 of 30 items each, or all.
Each line is a JSON object: how far (root mean square, in logits) the difficulties of either are
from the true ones, and how far from each other. girth estimates by marginal maximum likelihood
and supposes that abilities are normal; ours go by pairs and suppose nothing of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from math import sqrt

import girth
import numpy as np

from lessons.results.learned.rasch import Response, difficulties

STUDENTS, ITEMS, SCHOOLS = 120, 30, 40


def lines() -> Iterator[dict[str, object]]:
    """A line a kind of school."""
    for kind, asked, is_sorted in (
        ("all items", ITEMS, False),
        ("12 items each, drawn", 12, False),
        ("12 items each, able students the hard ones", 12, True),
    ):
        ours, theirs, apart = [], [], []
        for seed in range(SCHOOLS):
            hard, right = _school(np.random.default_rng(seed), asked, is_sorted=is_sorted)
            own, other = _ours(right), _girths(right)
            ours.append(_distance(own, hard))
            theirs.append(_distance(other, hard))
            apart.append(_distance(own, other))
        yield {
            "school": kind,
            "ours from the truth": round(float(np.mean(ours)), 3),
            "girth's from the truth": round(float(np.mean(theirs)), 3),
            "from each other": round(float(np.mean(apart)), 3),
        }


def _school(
    rng: np.random.Generator, asked: int, *, is_sorted: bool
) -> tuple[np.ndarray, np.ndarray]:
    """The items' difficulties, and by item and student 1 for right, 0 for wrong, -1 for not
    asked."""
    hard = rng.normal(0, 1, ITEMS)
    hard -= hard.mean()
    able = rng.normal(0.3, 1, STUDENTS)
    right = (rng.random((ITEMS, STUDENTS)) < 1 / (1 + np.exp(hard[:, None] - able))).astype(int)
    for student in range(STUDENTS):
        near = np.abs(hard - able[student]) + rng.normal(0, 1, ITEMS)
        order = np.argsort(near) if is_sorted else rng.permutation(ITEMS)
        right[order[asked:], student] = -1
    return hard, right


def _ours(right: np.ndarray) -> np.ndarray:
    found = difficulties(
        [
            Response(int(student), int(item), bool(right[item, student]))
            for item, student in np.argwhere(right >= 0)
        ]
    )
    return np.array([found[item].value if item in found else np.nan for item in range(ITEMS)])


def _girths(right: np.ndarray) -> np.ndarray:
    tagged = girth.tag_missing_data(np.where(right < 0, 9, right), [0, 1])
    hard = girth.rasch_mml(tagged)["Difficulty"]
    return np.asarray(hard - hard.mean())


def _distance(one: np.ndarray, other: np.ndarray) -> float:
    return sqrt(float(np.nanmean((one - other) ** 2)))


if __name__ == "__main__":
    for line in lines():
        print(json.dumps(line), flush=True)

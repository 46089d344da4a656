"""For all tests of assessment."""

from __future__ import annotations

from collections.abc import Collection
from random import Random, SystemRandom
from typing import Any

import pytest

from lessons.assessment import giving
from lessons.assessment.forms import Twins, forms
from lessons.exercises.engine import Exercise

_made: dict[tuple[Any, ...], tuple[list[Twins], Any]] = {}


@pytest.fixture(autouse=True)
def forms_are_drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Most tests give the same two forms, of which hundreds of questions are drawn: what is
    asked again by the same luck is remembered, and where that luck went on."""

    def drawn(exercises: Collection[Exercise], length: int, rng: Random) -> list[Twins]:
        if isinstance(rng, SystemRandom):
            return forms(exercises, length, rng)
        key = (*(each.key for each in exercises), length, rng.getstate())
        if key not in _made:
            _made[key] = forms(exercises, length, rng), rng.getstate()
        found, after = _made[key]
        rng.setstate(after)
        return list(found)

    monkeypatch.setattr(giving, "forms", drawn)

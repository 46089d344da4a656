"""Two slices of a pie never share a colour: on the screen, on paper, drawn or being built."""

from __future__ import annotations

import math
import re
from itertools import combinations, pairwise
from pathlib import Path

import pytest

from games.rules import DECK, HAND_SIZE
from lessons import charts
from lessons.course import variables
from lessons.exercises import EXERCISES, ask
from lessons.exercises.contexts import Context
from lessons.exercises.graphs import DeckPie
from tests.scenes import present
from tests.site.style_sheet import lab, seen, tokens

STATIC = Path(charts.__file__).parent / "static" / "lessons"
SHEETS = {"questions.css": ":is(.picture, .build-plot)", "paper.css": ".paper .picture"}


def fills(sheet: str) -> list[str]:
    """What a style sheet fills the slices with, in their order."""
    found = {}
    for line in (STATIC / sheet).read_text(encoding="utf-8").splitlines():
        for selector, fill in re.findall(r"([^{}]*)\{ fill: ([^;]+); \}", line):
            for number in re.findall(r"\.slice-(\d+)", selector):
                assert SHEETS[sheet] in selector
                found[int(number)] = fill
    assert sorted(found) == list(range(len(found)))
    return [found[number] for number in sorted(found)]


def pies() -> dict[str, int]:
    """How many slices the pies have that there are to build and to see."""
    drawn = {key: variables.variable(key) for key in variables.KEYS}
    found = {key: len(each.categories) for key, each in drawn.items() if each.kind == "pie"}
    for seed in range(300):
        graph = present(ask(DeckPie.key, seed, Context()).graph)
        found[f"{seed}"] = len(graph.categories)
    return found


def test_every_pie_to_build_has_a_colour_for_each_slice() -> None:
    most = max(pies().values())
    assert most >= 3
    assert any(exercise.key == DeckPie.key for exercise in EXERCISES.values())
    for sheet in SHEETS:
        own = fills(sheet)
        assert len(own) >= most, sheet
        assert len(set(own)) == len(own), sheet


@pytest.mark.parametrize("number", range(1, 10))
def test_every_pie_to_see_has_a_colour_for_each_slice(number: int) -> None:
    pie = charts.slices([str(n) for n in range(number)], [1] * number)
    assert len(set(pie["marker"]["colors"])) == number


def test_a_pie_of_the_studio_has_at_most_so_many_slices() -> None:
    # Values, or numbers of cards and tricks of a hand.
    assert len(charts.SLICES) >= max(
        len({card.value for card in DECK}), HAND_SIZE + 1, *pies().values()
    )


@pytest.mark.parametrize("theme", [0, 1])
def test_the_colours_of_slices_can_be_told_apart(theme: int) -> None:
    colours = [tokens()[f"slice-{key}"][theme] for key in charts.SLICES]
    assert fills("questions.css") == [f"var(--slice-{key})" for key in charts.SLICES]

    def apart(one: str, other: str) -> float:
        return math.dist(lab(seen(one, "normal")), lab(seen(other, "normal")))

    assert all(apart(one, other) > 4 for one, other in combinations(colours, 2))
    assert all(apart(one, other) > 12 for one, other in pairwise(colours))
    # The last slice lies beside the first, however many there are.
    assert all(apart(colours[0], other) > 12 for other in colours[2:5])

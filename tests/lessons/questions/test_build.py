"""The widget for a graph to build: plain inputs, and what its script needs to draw it."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.template.loader import render_to_string

from lessons.exercises import EXERCISES, ask
from lessons.exercises.engine import Instance
from lessons.questions.pictures import draw
from lessons.templatetags.build import build_graph
from tests.scenes import present


def rendered(question: Instance, **options: Any) -> str:
    context = build_graph(present(question.graph), question.fields, **options)
    return render_to_string("lessons/widgets/_build.html", context)


def plan_of(page: str) -> dict[str, Any]:
    source = present(re.search(r'<script type="application/json">(.*?)</script>', page))
    plan: dict[str, Any] = json.loads(source[1])
    return plan


def picture_bars(question: Instance, own: list[float | None]) -> list[tuple[str, str]]:
    bars = draw(present(question.graph), own).bars
    return [(bar.kind, bar.text) for bar in bars]


def test_the_finished_graph_shows_given_and_built_bars_in_their_places() -> None:
    question = EXERCISES["how-many"].build({"mark": ["call", "1-ball"], "numbers": [2, 3]})
    assert picture_bars(question, [28.0, 29.0]) == [
        ("given", "3"), ("given", "15"), ("own", "28"), ("own", "29"),
        ("given", "17"), ("given", "6"), ("given", "1"), ("given", ""), ("given", ""),
    ]  # fmt: skip
    curve = EXERCISES["count-curve"].build({"shapes": [0, 1, 2], "shape": 0, "count": 1})
    kinds = [kind for kind, _text in picture_bars(curve, [1, 2, 3, 2, 1, None, 0])]
    assert kinds.count("given") == 7
    assert kinds.count("own") == 6


@pytest.mark.parametrize("key", ["count-curve", "deck-pie", "how-many"])
@pytest.mark.parametrize("seed", range(4))
def test_each_field_that_is_built_has_its_input(key: str, seed: int) -> None:
    question = ask(key, seed)
    graph = present(question.graph)
    built = next(series for series in graph.series if series.fields)
    page = rendered(question, prefix="q7-")
    inputs = re.findall(r'<label for="([^"]+)">([^<]*)</label><input id="([^"]+)"', page)
    labels = {field.key: field.label for field in question.fields}
    assert [(own, label) for own, label, _id in inputs] == [
        (f"build-q7-{key}", labels[key]) for key in built.fields
    ]
    assert re.findall(r' name="([^"]+)"', page) == [f"q7-{key}" for key in built.fields]
    plan = plan_of(page)
    assert plan["fields"] == [own for own, _label, _id in inputs]
    assert len(plan["places"]) == len(built.fields)
    assert all(0 <= place < len(graph.categories) for place in plan["places"])


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("key", ["count-curve", "deck-pie", "how-many"])
def test_nothing_of_the_answer_is_in_the_widget(key: str, seed: int) -> None:
    """The same widget for the same question with other right answers."""
    question = ask(key, seed)
    page = rendered(question)
    plan = plan_of(page)
    assert 'value=""' in page
    assert re.findall(r'value="([^"]+)"', page) == []
    built = next(series for series in present(question.graph).series if series.fields)
    places = set(built.places or range(len(built.fields)))
    for given in plan["given"]:
        if key == "how-many":
            assert not places & set(given["places"])
    # The axis leaves room for every listed wrong answer too.
    for wrong in question.wrong:
        for field, answer in wrong.answers.items():
            if field in built.fields and plan["unit"] == "":
                assert answer <= plan["top"]


def test_what_was_typed_stays_and_what_is_wrong_is_marked() -> None:
    question = ask("deck-pie", 1)
    page = rendered(question, typed={"s0": '1/3"<b>'}, wrong={"s0"})
    assert 'value="1/3&quot;&lt;b&gt;"' in page
    assert page.count('aria-invalid="true"') == 1


def test_what_is_drawn_already_is_said() -> None:
    question = ask("count-curve", 1)
    page = rendered(question)
    assert "Drawn already, " in page
    assert "style=" not in page

"""The widget for a graph that somebody builds; its inputs carry what was built."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django import template

from lessons.exercises.engine import Field, Graph
from lessons.questions.pictures import building_plan

register = template.Library()


@register.inclusion_tag("lessons/widgets/_build.html")
def build_graph(
    graph: Graph,
    fields: Sequence[Field],
    typed: Mapping[str, str] | None = None,
    wrong: Collection[str] = (),
    prefix: str = "",
    is_locked: bool | None = False,
) -> dict[str, Any]:
    """``{% build_graph question.graph question.fields typed %}``, with
    ``lessons/questions/_build_head.html`` in the page's head.

    It has one text input for each field that the graph builds, named ``prefix`` + the field's
    key, with what was ``typed``; those in ``wrong`` are marked. One that ``is_locked`` is
    right and stays as it is. Other fields of the question are the caller's.
    """
    mine = next(series for series in graph.series if series.fields)
    by_key = {field.key: field for field in fields}
    boxes: list[dict[str, Any]] = [
        {
            "id": f"build-{prefix}{key}",
            "key": f"{prefix}{key}",
            "label": by_key[key].label,
            "text": (typed or {}).get(key, ""),
            "is_troubled": key in wrong,
        }
        for key in mine.fields
    ]
    form = by_key[mine.fields[0]].form
    plan = building_plan(graph, form, [box["id"] for box in boxes])
    return {"plan": plan, "boxes": boxes, "is_locked": is_locked}

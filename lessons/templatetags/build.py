"""The widget for a graph that a student builds; its inputs carry what was built."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django import template
from django.utils.translation import gettext as _

from lessons.exercises.answers import Form
from lessons.exercises.engine import Field, Graph

register = template.Library()

UNITS = {Form.DEGREES: "°", Form.PERCENT: "\u00a0%"}


@register.inclusion_tag("lessons/widgets/_build.html")
def build_graph(
    graph: Graph,
    fields: Sequence[Field],
    typed: Mapping[str, str] | None = None,
    wrong: Collection[str] = (),
    prefix: str = "",
) -> dict[str, Any]:
    """``{% build_graph question.graph question.fields typed %}``, with
    ``lessons/_build_head.html`` in the page's head.

    It has one text input for each field that the graph builds, named ``prefix`` + the field's
    key, with what was ``typed``; those in ``wrong`` are marked. Other fields of the question
    are the caller's.
    """
    mine = next(series for series in graph.series if series.fields)
    by_key = {field.key: field for field in fields}
    asked = [by_key[key] for key in mine.fields]
    boxes = [
        {
            "id": f"build-{prefix}{field.key}",
            "name": f"{prefix}{field.key}",
            "label": field.label,
            "value": (typed or {}).get(field.key, ""),
            "wrong": field.key in wrong,
        }
        for field in asked
    ]
    unit = UNITS.get(asked[0].form, "")
    plan = {
        "kind": graph.kind,
        "label": mine.label,
        "categories": list(graph.categories),
        "fields": [box["id"] for box in boxes],
        "places": list(mine.places or range(len(asked))),
        "given": [
            {
                "label": series.label,
                "places": (places := list(series.places or range(len(series.heights)))),
                "heights": list(series.heights),
                "in_words": ", ".join(
                    f"{graph.categories[place]}: {height}{unit}"
                    for place, height in zip(places, series.heights, strict=True)
                ),
            }
            for series in graph.series
            if not series.fields
        ],
        "top": graph.top,
        "total": graph.total,
        "unit": unit,
        "suffix": "" if unit == "°" else unit,
        "words": {
            "unset": _("not set yet"),
            "open": _("So far {sum}, {left} to go."),
            "full": _("Together {sum}: complete."),
            "over": _("Together {sum}: that is more than there is."),
        },
    }
    return {"plan": plan, "boxes": boxes}

"""Graphs of questions as numbers to draw: bars of a curve, slices of a pie. The template
(templates/lessons/_graph.html) makes them SVG; everything is set by attributes and classes.
What is still to be built is drawn by the script of templates/lessons/widgets/_build.html."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, sin
from typing import Any

from django.utils.translation import gettext as _

from lessons.exercises.answers import Form
from lessons.exercises.engine import Graph, Series

WIDTH, HEIGHT = 360, 200
LEFT, BOTTOM, TOP = 26, 26, 14
RADIUS = 84


def letter(number: int) -> str:
    """A, B, C …"""
    return chr(ord("A") + number)


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar: where it stands, its size, its number above it."""

    x: float
    y: float
    width: float
    height: float
    text: str
    kind: str

    @property
    def middle(self) -> float:
        return round(self.x + self.width / 2, 1)

    @property
    def above(self) -> float:
        return round(self.y - 3, 1)


@dataclass(frozen=True, slots=True)
class Slice:
    """A slice of a pie: its path, where its letter stands, which it is."""

    path: str
    x: float
    y: float
    number: int

    @property
    def key(self) -> str:
        """The letter by which the slice and its row know each other."""
        return letter(self.number)


@dataclass(frozen=True, slots=True)
class Picture:
    """What to draw. ``ticks`` are (x, label) below the bars; of a pie that is not closed
    ``is_whole`` is false."""

    kind: str
    bars: tuple[Bar, ...] = ()
    ticks: tuple[tuple[float, str], ...] = ()
    slices: tuple[Slice, ...] = ()
    is_whole: bool = True


def draw(graph: Graph, own: Sequence[float | None]) -> Picture:
    """The graph with the student's numbers (None for what is not there yet)."""
    return _pie(own) if graph.kind == "pie" else _bars(graph, own)


def _bars(graph: Graph, own: Sequence[float | None]) -> Picture:
    columns = [
        _by_place(series, own if series.fields else series.heights) for series in graph.series
    ]
    places = range(len(graph.categories))
    side_by_side = max(sum(place in column for column in columns) for place in places)
    top = max([1.0, *(height for column in columns for height in column.values())])
    room = (WIDTH - LEFT) / len(graph.categories)
    thick = min(18.0 if side_by_side > 1 else 26.0, (room - 4) / side_by_side)
    bars, ticks = [], []
    for place, category in enumerate(graph.categories):
        middle = LEFT + room * (place + 0.5)
        ticks.append((round(middle, 1), category))
        for number, (series, column) in enumerate(zip(graph.series, columns, strict=True)):
            if place not in column:
                continue
            height = column[place]
            tall = (HEIGHT - BOTTOM - TOP) * height / top
            step = number if side_by_side > 1 else 0
            bars.append(
                Bar(
                    x=round(middle + thick * (step - side_by_side / 2), 1),
                    y=round(HEIGHT - BOTTOM - tall, 1),
                    width=round(thick - 2, 1),
                    height=round(tall, 1),
                    text=f"{height:.3g}" if height else "",
                    kind="own" if series.fields else "given",
                )
            )
    return Picture("curve", bars=tuple(bars), ticks=tuple(ticks))


def _by_place(series: Series, heights: Sequence[float | None]) -> dict[int, float]:
    """The heights that are there, by their category."""
    places = series.places or range(len(heights))
    pairs = zip(places, heights, strict=True)
    return {place: float(height) for place, height in pairs if height is not None}


def _pie(own: Sequence[float | None]) -> Picture:
    """Slices clockwise from the top, as many degrees each as the student says; what goes beyond
    the full circle is not drawn."""
    slices = []
    begin = 0.0
    for number, degrees in enumerate(own):
        if not degrees or begin >= 360:
            continue
        end = min(360.0, begin + degrees)
        middle = (begin + end) / 2
        x, y = _on_circle(middle, 0.62 * RADIUS)
        slices.append(Slice(_path(begin, end), x, y, number))
        begin += degrees
    return Picture("pie", slices=tuple(slices), is_whole=abs(begin - 360) < 1)


def _path(begin: float, end: float) -> str:
    if end - begin >= 360:
        half = f"A{RADIUS},{RADIUS} 0 1 1 0,"
        return f"M0,{-RADIUS}{half}{RADIUS}{half}{-RADIUS}Z"
    (x1, y1), (x2, y2) = _on_circle(begin, RADIUS), _on_circle(end, RADIUS)
    large = int(end - begin > 180)
    return f"M0,0L{x1},{y1}A{RADIUS},{RADIUS} 0 {large} 1 {x2},{y2}Z"


def _on_circle(degrees: float, radius: float) -> tuple[float, float]:
    angle = degrees * pi / 180
    return round(radius * sin(angle), 2), round(-radius * cos(angle), 2)


# What the script of the widget needs.

UNITS = {Form.DEGREES: "°", Form.PERCENT: "\u00a0%"}


def building_plan(graph: Graph, form: Form, ids: Sequence[str]) -> dict[str, Any]:
    """The graph to build as JSON for build.js; ``ids`` are those of the inputs that carry what
    is built, ``form`` what they ask for."""
    mine = next(series for series in graph.series if series.fields)
    unit = UNITS.get(form, "")
    return {
        "kind": graph.kind,
        "label": mine.label,
        "categories": list(graph.categories),
        "fields": list(ids),
        "places": list(mine.places or range(len(ids))),
        "given": [_given(graph, series, unit) for series in graph.series if series is not mine],
        "top": graph.top,
        "total": graph.total,
        "unit": unit,
        "suffix": "" if form is Form.DEGREES else unit,
        "words": {
            "unset": _("not set yet"),
            "right": _("right"),
            "open": _("So far {sum}, {left} to go."),
            "full": _("Together {sum}: complete."),
            "over": _("Together {sum}: that is more than there is."),
        },
    }


def _given(graph: Graph, series: Series, unit: str) -> dict[str, Any]:
    places = list(series.places or range(len(series.heights)))
    pairs = zip(places, series.heights, strict=True)
    return {
        "label": series.label,
        "places": places,
        "heights": list(series.heights),
        "in_words": ", ".join(f"{graph.categories[place]}: {n}{unit}" for place, n in pairs),
    }

"""Pictures of graphs as numbers to draw: bars, and slices of a pie. The template
(templates/lessons/questions/_graph.html) makes them SVG, by attributes and classes alone. What
is still to be built is drawn by the script of templates/lessons/widgets/_build.html."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, cos, floor, pi, sin
from typing import Any, Literal

from django.utils.translation import gettext as _

from games.words import colon, listed, percent_sign, sentences
from lessons.exercises.answers import Form, comma
from lessons.exercises.engine import Graph, GraphKind, Histogram, Series, Value
from lessons.exercises.grading import how_built

WIDTH, HEIGHT = 360, 200
LEFT, BOTTOM, TOP = 26, 26, 18
RADIUS = 84

Whose = Literal["given", "own"]


def letter(number: int) -> str:
    """The letter of a place, from 0: A, B, C …"""
    return chr(ord("A") + number)


@dataclass(frozen=True, slots=True)
class GraphBar:
    """A bar: where it stands, its size, its number above it, and whose it is."""

    x: float
    y: float
    width: float
    height: float
    text: str
    kind: Whose

    @property
    def middle(self) -> float:
        return round(self.x + self.width / 2, 1)

    @property
    def text_y(self) -> float:
        return round(self.y - 4, 1)


@dataclass(frozen=True, slots=True)
class Slice:
    """A slice of a pie: its path, where its letter stands, which it is, its name and angle."""

    path: str
    x: float
    y: float
    number: int
    label: str
    text: str

    @property
    def key(self) -> str:
        """The letter by which the slice and its name know each other."""
        return letter(self.number)


@dataclass(frozen=True, slots=True)
class GraphPicture:
    """What to draw, and the same in words. ``ticks`` are (x, label) below the bars; ``names``
    the (kind, label) of what is drawn there."""

    kind: GraphKind
    words: str
    bars: tuple[GraphBar, ...] = ()
    ticks: tuple[tuple[float, str], ...] = ()
    names: tuple[tuple[Whose, str], ...] = ()
    slices: tuple[Slice, ...] = ()


@dataclass(frozen=True, slots=True)
class HistogramPicture:
    """A histogram over the axis that it shares with others: rectangles (x, y, width, height),
    labels (x, text) below, and the same in words."""

    caption: str
    words: str
    bars: tuple[tuple[float, float, float, float], ...]
    ticks: tuple[tuple[float, str], ...]


HALF = Fraction(1, 2)
HIGH = 84
"""How high the highest bar of a histogram is drawn."""


def histograms(several: Sequence[Histogram]) -> tuple[HistogramPicture, ...]:
    """Histograms one below the other, over one axis: which of them is wider can be seen."""
    ends = [(each.start, each.start + len(each.heights) * each.width) for each in several]
    low, high = min(end[0] for end in ends), max(end[1] for end in ends)
    scale = (WIDTH - 2 * LEFT) / float(high - low)

    def x(value: Fraction) -> float:
        return round(LEFT + float(value - low) * scale, 1)

    ticks = tuple((x(Fraction(n)), str(n)) for n in range(ceil(low), floor(high) + 1))
    return tuple(_histogram_picture(each, x, ticks) for each in several)


def _histogram_picture(
    one: Histogram, x: Callable[[Fraction], float], ticks: tuple[tuple[float, str], ...]
) -> HistogramPicture:
    top = max(one.heights)
    bars, middles = [], []
    for place, number in enumerate(one.heights):
        begin = one.start + place * one.width
        if number:
            high = round(HIGH * number / top, 1)
            wide = round(x(begin + one.width) - x(begin), 1)
            bars.append((x(begin), round(TOP + HIGH - high, 1), wide, high))
            middles.append(float(begin + one.width / 2))
    words = _("%(caption)s: from %(low)s to %(high)s, highest at %(middle)s.") % {
        "caption": one.caption,
        "low": _number(middles[0]),
        "high": _number(middles[-1]),
        "middle": _number(float(one.start + one.width * (one.heights.index(top) + HALF))),
    }
    return HistogramPicture(one.caption, words, tuple(bars), ticks)


def height(right: Value, form: Form) -> float:
    """A right answer as it is drawn: chances in percent, as the graph's other bars are."""
    assert not isinstance(right, str)
    return float(right) * (100 if form is Form.PERCENT else 1)


def draw(graph: Graph, own: Sequence[float | None]) -> GraphPicture:
    """The graph with what is given in it, and the heights of the fields that build it, in their
    order, as far as they are known."""
    return _pie_picture(graph, own) if graph.kind is GraphKind.PIE else _bar_picture(graph, own)


def _heights(series: Series, own: Sequence[float | None]) -> dict[int, float]:
    """The known heights of a series by the place of their category."""
    heights = own if series.fields else series.heights
    places = series.places or range(len(heights))
    return {p: h for p, h in zip(places, heights, strict=True) if h is not None}


def _number(height: float) -> str:
    text = f"{height:.3g}" if height < 100 else f"{height:.0f}"
    return text.replace(".", ",") if comma() else text


def _bar_picture(graph: Graph, own: Sequence[float | None]) -> GraphPicture:
    columns = [(series, _heights(series, own)) for series in graph.series]
    columns = [(series, heights) for series, heights in columns if heights]
    places = range(len(graph.categories))
    abreast = max(
        [1, *(sum(place in heights for _series, heights in columns) for place in places)]
    )
    top = max([1.0, *(height for _series, heights in columns for height in heights.values())])
    room = (WIDTH - LEFT) / len(graph.categories)
    thick = min(26.0, (room - 4) / abreast)
    bars, ticks = [], []
    for place in places:
        middle = LEFT + room * (place + 0.5)
        ticks.append((round(middle, 1), graph.categories[place]))
        for number, (series, heights) in enumerate(columns):
            if place not in heights:
                continue
            tall = (HEIGHT - BOTTOM - TOP) * heights[place] / top
            step = number if abreast > 1 else 0
            bars.append(
                GraphBar(
                    x=round(middle + thick * (step - abreast / 2) + 1, 1),
                    y=round(HEIGHT - BOTTOM - tall, 1),
                    width=round(thick - 2, 1),
                    height=round(tall, 1),
                    text=_number(heights[place]) if heights[place] else "",
                    kind=_kind(series),
                )
            )
    return GraphPicture(
        graph.kind,
        words=sentences(*(_in_words(graph.categories, *column) for column in columns)),
        bars=tuple(bars),
        ticks=tuple(ticks),
        names=tuple((_kind(series), series.label) for series, _heights in columns),
    )


def _kind(series: Series) -> Whose:
    return "own" if series.fields else "given"


def _in_words(categories: Sequence[str], series: Series, heights: Mapping[int, float]) -> str:
    pairs = listed(f"{categories[p]}{colon()}{_number(h)}" for p, h in heights.items())
    return f"{series.label}{colon()}{pairs}."


def _pie_picture(graph: Graph, own: Sequence[float | None]) -> GraphPicture:
    """Slices clockwise from the top, with as many degrees as their fields say."""
    (series,) = graph.series
    slices = []
    begin = 0.0
    for place, degrees in _heights(series, own).items():
        end = begin + degrees
        x, y = _on_circle((begin + end) / 2, 0.62 * RADIUS)
        label, text = graph.categories[place], f"{_number(degrees)}°"
        slices.append(Slice(_slice_path(begin, end, RADIUS), x, y, place, label, text))
        begin = end
    words = listed(f"{each.label}{colon()}{each.text}" for each in slices)
    return GraphPicture(graph.kind, words=words, slices=tuple(slices))


def _on_circle(degrees: float, radius: float) -> tuple[float, float]:
    """The point (x, y) of a circle around (0, 0) at this angle."""
    angle = degrees * pi / 180
    return round(radius * sin(angle), 2), round(-radius * cos(angle), 2)


def _slice_path(begin: float, end: float, radius: float) -> str:
    """The path of the slice between two angles; from 360 degrees on of the whole pie."""
    if end - begin >= 360:
        half = f"A{radius:g},{radius:g} 0 1 1 0,"
        return f"M0,{-radius:g}{half}{radius:g}{half}{-radius:g}Z"
    (x1, y1), (x2, y2) = (_on_circle(at, radius) for at in (begin, end))
    arc = f"A{radius:g},{radius:g} 0 {int(end - begin > 180)} 1 {x2},{y2}"
    return f"M0,0L{x1},{y1}{arc}Z"


def building_plan(graph: Graph, form: Form, ids: Sequence[str]) -> dict[str, Any]:
    """The graph to build as JSON for build.js; ``ids`` are those of the inputs that carry what
    is built, ``form`` what they ask for."""
    mine = next(series for series in graph.series if series.fields)
    unit = {Form.DEGREES: "°", Form.PERCENT: percent_sign()}.get(form, "")
    return {
        "kind": graph.kind,
        "how": how_built(graph),
        "label": mine.label,
        "categories": list(graph.categories),
        "fields": list(ids),
        "places": list(mine.places or range(len(ids))),
        "given": [
            _series_json(graph, series, unit) for series in graph.series if series is not mine
        ],
        "low": graph.low,
        "top": graph.top,
        "dots": list(graph.dots),
        "total": graph.total,
        "unit": unit,
        "suffix": "" if form is Form.DEGREES else unit,
        "words": {
            "unset": _("not yet"),
            "right": _("right"),
            "again": _("Worth another look"),
            "open": _("Together {sum}: {left} to go."),
            "full": _("Together {sum}: complete."),
            "over": _("Together {sum}: that’s too much."),
        },
    }


def _series_json(graph: Graph, series: Series, unit: str) -> dict[str, Any]:
    places = list(series.places or range(len(series.heights)))
    pairs = zip(places, series.heights, strict=True)
    return {
        "label": series.label,
        "places": places,
        "heights": list(series.heights),
        "in_words": listed(
            f"{graph.categories[place]}{colon()}{n}{unit}" for place, n in pairs
        ),
    }

"""Charts: plain data in, a figure out, as JSON that ``plot.js`` draws.

It is in Plotly's words, of which ``plot.js`` knows those that stand here.

A figure names colours by the page's tokens (``--data``), so that it follows the theme. Theory
is an ink line or hollow bars, data are filled; the four shapes have the cards' hues, and
nothing else has them.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from enum import StrEnum
from itertools import count
from math import sqrt
from types import MappingProxyType
from typing import Any

from games.rules import Shape
from lessons.exercises.answers import comma

Figure = dict[str, Any]
"""All that ``plot.js`` draws at one place, in Plotly's words: traces and layout."""

Trace = dict[str, Any]
"""One series of a figure: Plotly's word."""

Axis = Mapping[str, Any]
"""An axis of a figure in the same words."""

Number = int | float

DATA, OTHER, INK, SOFT, EDGE = "--data", "--other", "--ink", "--soft", "--edge"
MARKED = "--turn"
"""The one accent: what stands out. It also has another form: a diamond, a thick outline."""

CLEAR = "rgba(0,0,0,0)"
SLICES = "abcdefghi"
"""The tokens of a pie's slices, ``--slice-a`` and on: nine, as there are values, all unlike."""

SHAPES = {shape: f"--{shape.value}" for shape in Shape}


@dataclass(frozen=True, slots=True)
class Numbers:
    """A table of a chart's numbers, as texts; the first column heads its row."""

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Size(StrEnum):
    """How high a chart is; ``LONG`` where a table's rows scroll, ``SHORT`` a tally's names."""

    USUAL = ""
    LOW = "low"
    TALL = "tall"
    LONG = "long"
    SHORT = "short"


# Traces


def bars(
    x: Sequence[Any],
    heights: Sequence[Number],
    *,
    name: str = "",
    colour: str = DATA,
    text: Sequence[str] = (),
    width: Number | None = None,
    marked: Container[int] = (),
) -> Trace:
    """Data as filled bars; ``text`` stands above them, those ``marked`` stand out."""
    marker: dict[str, Any] = {"color": colour, "line": {"color": INK, "width": 1}}
    if marked:
        marker["color"] = [MARKED if n in marked else colour for n in range(len(heights))]
        marker["line"]["width"] = [3 if n in marked else 1 for n in range(len(heights))]
    return _labelled("bar", x, heights, name, text) | _without_none(
        {"marker": marker, "width": width}
    )


def hollow_bars(
    x: Sequence[Any], heights: Sequence[Number], *, name: str = "", text: Sequence[str] = ()
) -> Trace:
    """Theory as bars: an outline in ink, thin where there are many."""
    many = len(x) > 20
    marker = {"color": CLEAR, "line": {"color": SOFT if many else INK, "width": 2 - many}}
    return _labelled("bar", x, heights, name, text) | {"marker": marker}


def line(
    x: Sequence[Any],
    y: Sequence[Number],
    *,
    name: str = "",
    colour: str = INK,
    dash: str = "solid",
    marks: str = "",
    step: bool = False,
) -> Trace:
    """Theory as a line; ``marks`` is the symbol of its points, if they are to be seen."""
    trace: Trace = {
        "type": "scatter",
        "mode": "lines+markers" if marks else "lines",
        "x": list(x),
        "y": list(y),
        "name": name,
        "line": {
            "color": colour,
            "width": 2.5,
            "dash": dash,
            "shape": "hv" if step else "linear",
        },
    }
    if marks:
        trace["marker"] = {
            "symbol": marks, "size": 9, "color": colour, "line": {"color": INK, "width": 1},
        }  # fmt: skip
    return trace


def points(
    x: Sequence[Any],
    y: Sequence[Number],
    *,
    name: str = "",
    colour: str = DATA,
    sizes: Sequence[Number] = (),
    text: Sequence[str] = (),
    places: Sequence[str] = (),
    marked: Container[int] = (),
) -> Trace:
    """Data as dots; ``sizes`` in pixels, ``text`` above them or at ``places``; those ``marked``
    stand out."""
    marker: dict[str, Any] = {
        "color": colour,
        "size": list(sizes) or 10,
        "line": {"color": INK, "width": 1},
    }
    if marked:
        marker["color"] = [MARKED if n in marked else colour for n in range(len(y))]
        marker["symbol"] = ["diamond" if n in marked else "circle" for n in range(len(y))]
    trace = _labelled("scatter", x, y, name, text) | {
        "mode": "markers+text" if text else "markers",
        "marker": marker,
    }
    if text:
        trace["textposition"] = list(places) or "top center"
    return trace


def words(
    x: Sequence[Any],
    y: Sequence[Number],
    text: Sequence[str],
    sizes: Sequence[Number],
    place: str = "top center",
) -> Trace:
    """Texts above places of the graph (or at another ``place``), as far from them as from dots
    of these ``sizes``."""
    trace = _labelled("scatter", x, y, "", text) | {
        "mode": "text",
        "marker": {"size": list(sizes)},
    }
    return trace | {"textposition": place, "showlegend": False}


def boxes(
    labels: Sequence[str], fives: Sequence[Sequence[Number]], *, colour: str = DATA
) -> Trace:
    """Lying box plots, the first lowest: the least, the lower quartile, the median, the upper
    quartile and the greatest of each."""
    names = ("lowerfence", "q1", "median", "q3", "upperfence")
    return {
        "type": "box",
        "orientation": "h",
        "name": "",
        "y": list(labels),
        **dict(zip(names, (list(each) for each in zip(*fives, strict=True)), strict=True)),
        "marker": {"color": colour, "line": {"color": INK, "width": 2}},
    }


def strokes(
    x: Sequence[Any], ends: Sequence[tuple[Number, Number]], *, name: str = ""
) -> Trace:
    """Upright strokes, each from the lower to the higher of its ``ends``: intervals of what was
    found, or bands of luck, as the ``name`` says; a square stands for them in the legend."""
    halves, border = [(high - low) / 2 for low, high in ends], {"color": EDGE, "width": 0}
    return {
        "type": "scatter",
        "mode": "markers",
        "x": list(x),
        "y": [low + half for (low, _high), half in zip(ends, halves, strict=True)],
        "name": name,
        "marker": {"symbol": "square", "size": 9, "color": EDGE, "line": border},
        "error_y": {"array": halves, "color": EDGE, "thickness": 9, "width": 0},
    }


def dot_sizes(weights: Sequence[int]) -> list[float]:
    """Diameters of dots, in pixels, whose areas grow with what stands behind them."""
    most = max(weights, default=1)
    return [round(9 + 15 * sqrt(weight / most), 1) for weight in weights]


LABEL = 0.18
"""The height of a label and its distance, as a share of the axis of a small chart."""


def label_positions(
    heights: Sequence[Number], line: Sequence[Number], span: Number
) -> tuple[str, ...]:
    """By dot, where its text goes (plotly's ``textposition``) so that a rising line with the
    heights ``line`` crosses none, nor the axis at 0, on an axis of length ``span``: above where
    the dot is over the line or far below it, else below; to the right if there is no room."""
    room = LABEL * span

    def text_position(up: Number, theory: Number) -> str:
        if up >= theory or theory - up >= 1.4 * room:
            return "top center"
        if up >= 0.35 * room:
            return "bottom center"
        return "middle right" if theory - up >= 0.4 * room else "bottom right"

    return tuple(text_position(up, theory) for up, theory in zip(heights, line, strict=True))


def beside_line(heights: Sequence[Number], line: Sequence[Number]) -> list[str]:
    """Where bars have their texts so that this line crosses none: above, or inside a bar that
    ends a little below the line."""
    room = 2 / 3 * LABEL * (max([0, *heights, *line]) - min([0, *heights, *line]))
    return [
        "inside" if 0 < up <= theory < up + room else "outside"
        for up, theory in zip(heights, line, strict=True)
    ]


def round_numbers() -> Iterator[int]:
    """1, 2, 5, 10, 20, 50, …: the steps in which people count what is many."""
    return (n * 10**power for power in count() for n in (1, 2, 5))


def level(height: Number) -> dict[str, Any]:
    """Theory as a line across the whole graph, for where a line would have a single point."""
    return {"y0": height, "line": {"color": INK, "width": 2.5, "dash": "solid"}}


def strip(
    low: Number,
    high: Number,
    *,
    upright: bool = False,
    between: tuple[Number, Number] | None = None,
) -> dict[str, Any]:
    """A shape that shows how far luck goes, across the whole graph: between two heights, or
    ``upright`` between two places, there if need be only ``between`` two heights."""
    ends = {"x0": low, "x1": high} if upright else {"y0": low, "y1": high}
    if between:
        ends |= {"y0": between[0], "y1": between[1]}
    return ends | {"fillcolor": EDGE, "opacity": 0.45}


def ribbon(x: Sequence[Any], ends: Sequence[tuple[Number, Number]]) -> Trace:
    """``intervals`` or ``bands`` from place to place, as one strip behind a line; of a single
    one a stroke, as light."""
    if len(x) == 1:
        alone = strokes(x, ends)
        alone["marker"]["color"] = alone["error_y"]["color"] = "--line"
        return alone
    lows, highs = zip(*ends, strict=True)
    return {
        "type": "scatter",
        "mode": "none",
        "fill": "toself",
        "fillcolor": EDGE,
        "opacity": 0.35,
        "x": [*x, *reversed(x)],
        "y": [*lows, *reversed(highs)],
        "name": "",
    }


def slices(labels: Sequence[str], values: Sequence[Number]) -> Trace:
    """A pie, clockwise from the top, with its labels beside the slices."""
    colours = [f"--slice-{key}" for key in SLICES[: len(labels)]]
    marker = {"colors": colours, "line": {"color": INK, "width": 1.5}}
    return {"type": "pie", "labels": list(labels), "values": list(values), "marker": marker}


def _labelled(
    kind: str, x: Sequence[Any], y: Sequence[Number], name: str, text: Sequence[str]
) -> Trace:
    trace: Trace = {"type": kind, "x": list(x), "y": list(y), "name": name}
    if text:
        trace |= {"text": list(text), "textposition": "outside"}
    return trace


def _without_none(options: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in options.items() if value is not None}


# Figures


def figure(
    traces: Sequence[Trace],
    *,
    x: str = "",
    y: str = "",
    legend: bool = False,
    percent: bool = False,
    every: Number | None = None,
    overlay: bool = False,
    **layout: Any,
) -> Figure:
    """Traces on a pair of named axes. ``every`` is the step of the ticks below, ``percent``
    writes the heights as percents, ``overlay`` lays bars over each other; whatever else is
    in a layout goes in by name."""
    below: dict[str, Any] = {"title": {"text": x}, "showgrid": False, "dtick": every}
    beside: dict[str, Any] = {"title": {"text": y}, "showgrid": True, "rangemode": "tozero"}
    beside |= {"tickformat": ".0%" if percent else None}
    return {
        "data": list(traces),
        "layout": {
            "font": {"size": 14},
            "separators": ",\u202f" if comma() else ".,",
            "showlegend": legend,
            "bargap": 0.12,
            "barmode": "overlay" if overlay else "group",
            "xaxis": _without_none(below),
            "yaxis": _without_none(beside),
            **layout,
        },
    }


SMALL_LETTERS, SMALL_TICKS = 13, 3


def small(
    traces: Sequence[Trace],
    *,
    xaxis: Axis = MappingProxyType({}),
    yaxis: Axis = MappingProxyType({}),
    shapes: Sequence[dict[str, Any]] = (),
    **layout: Any,
) -> Figure:
    """A figure for the size of a thumb: its axes' names and those of its marks on one line
    above it, and numbers beside its axes only where they are given, three of them at most; of
    named places the first and the last."""
    is_named = any(each.get("name") for each in [*traces, *shapes])
    chart = figure(traces, shapes=list(shapes), small=True, legend=is_named, **layout)
    chart["layout"]["font"]["size"] = SMALL_LETTERS
    for name, given in (("xaxis", xaxis), ("yaxis", yaxis)):
        axis = chart["layout"][name]
        axis |= given
        assert len(axis.setdefault("tickvals", [])) <= SMALL_TICKS
    chart["layout"]["yaxis"]["showgrid"] = False
    return chart


def whole(chart: Figure) -> Figure:
    """A small figure at the usual size, with all labels and the names of what is in it."""
    layout = deepcopy(chart["layout"])
    del layout["small"]
    for axis in ("xaxis", "yaxis"):
        layout[axis].pop("tickvals")
    layout["yaxis"]["showgrid"] = True
    return {"data": chart["data"], "layout": layout}

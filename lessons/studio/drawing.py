"""Frequencies as a chart, as the page ``graph`` of the measures has it: what each kind of graph
is drawn from, and what its sentences need."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate, pairwise
from math import ceil
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from games.rules import Call
from games.words import call_words, first_names, half_up, whole
from lessons import charts
from lessons.charts import Figure, Trace
from lessons.exercises.texts import decimal, exact_percent
from lessons.measures.marks import Merged, plain
from lessons.measures.measure import panel
from lessons.measures.page import page
from lessons.measures.panels import Panel
from lessons.probability import COUNTS, mean, share_within
from lessons.studio import facets
from lessons.studio.counting import Frequencies
from lessons.studio.facets import Drawn
from lessons.studio.plots import Plot, Weights, heights, visible_numbers
from lessons.studio.settings import (
    SHADED,
    Look,
    Of,
    Settings,
    Show,
    Tail,
    name_of,
    nothing_yet,
    words,
)

LOW = 4
"""Dots that a stack has room for at least."""

HIGHEST = 40
"""Dots in the highest stack."""

FEW = 30
"""Cards, hands or rounds under which a graph is mostly chance."""

LABELLED = 13
"""Bars that have their number above them, at most."""

LOW_COUNT = 10
"""If all bars are lower, the axis of counts has a tick at every whole number."""

HALF, NINE_TENTHS = Fraction(1, 2), Fraction(9, 10)


# The chart


def draw(settings: Settings, frequencies: Frequencies, *, key: str) -> Panel:
    """The chart of frequencies; without a figure while there is nothing to count, and where the
    numbers themselves are the picture."""
    by = name_of(settings.by) if settings.by is not None else ""
    called = {**words(settings), "by": by, "by_label": capfirst(by)}
    if not frequencies.total and not settings.is_theory:
        return Panel(key, page("graph").texts("title", called)[0], nothing_yet(settings))
    graph = Plot(settings, frequencies)
    rows, facts = _LOOK_ROWS.get(settings.graph, _bin_rows_and_facts)(graph)
    if frequencies.by_count:
        rows, facts = _curve_rows_and_facts(graph)
    shown = panel(
        "graph", rows, _Facts(graph, settings, frequencies, **called, **facts), key=key
    )
    return replace(shown, figure=_with_curves_and_tail(graph, shown.figure))


class _Facts(Merged):
    """What the page's lines ask for: what is given, else what is said of a plot, else an
    attribute of it, its settings or its frequencies."""

    def __getitem__(self, name: str) -> Any:
        if name in _SAID and name not in self.given:
            return _SAID[name](self.things[0])
        return super().__getitem__(name)


@dataclass(frozen=True, slots=True)
class Slider:
    """What moves the edge of a shaded tail: from ``low`` to ``high`` in steps of ``step``, of
    which ``scale`` are one on the axis; the colour in the tail."""

    low: int
    high: int
    step: int
    cut: int
    scale: int
    colour: str


def slider(settings: Settings, frequencies: Frequencies) -> Slider | None:
    """The slider that moves the tail's edge; None where no tail can be shaded."""
    if settings.graph not in (*SHADED, Look.TABLE) or settings.show is Show.CURVES:
        return None
    if not frequencies.total and not settings.is_theory:
        return None
    graph = Plot(settings, frequencies)
    numbers = list(graph.bins)
    if frequencies.theory:
        visible = set(visible_numbers(frequencies.theory))
        visible |= {n for n in numbers if graph.bins[n] and not settings.is_theory}
        numbers = [n for n in numbers if n in visible]
    cut = _tail_bin(graph, numbers)
    return Slider(numbers[0], numbers[-1], graph.width, cut, graph.scale, _tail_colour(graph))


def _tail_bin(graph: Plot, numbers: list[int]) -> int:
    """The lowest number of the bin at which the tail begins or ends."""
    cut = graph.settings.cut
    number = facets.usual_cut(graph) if cut is None else cut
    return min(max(number // graph.width * graph.width, numbers[0]), numbers[-1])


def _tail_colour(graph: Plot) -> str:
    return charts.OTHER if graph.settings.is_theory else graph.colour


# What it is drawn from


def _bin_rows_and_facts(graph: Plot) -> Drawn:
    """A row for each bar: its count and share, both so far, and theory's where it is drawn; and
    the fact that bars are bins."""
    theory = graph.frequencies.theory if graph.has_theory else None
    counts: list[Fraction] = [Fraction(n) for n in graph.bins.values()]
    total = sum(counts, Fraction())
    chances = [theory.get(low, Fraction()) for low in graph.bins] if theory else []
    expected = graph.expected if theory else []
    is_labelled = len(graph.bins) <= LABELLED and not graph.has_theory
    rows: list[dict[str, Any]] = [
        {
            "span": graph.span(low),
            "n": n,
            "share": n / total,
            "so_far": so_far,
            "share_so_far": so_far / total,
            "x": x,
            "height": height,
            "up_to": up_to,
            "above": _bar_label(graph, low) if is_labelled else "",
        }
        for low, n, so_far, x, height, up_to in zip(
            graph.bins,
            counts,
            accumulate(counts),
            graph.x,
            graph.heights,
            accumulate(graph.heights),
            strict=True,
        )
    ]
    for row, *each in zip(
        rows, chances, accumulate(chances), expected, accumulate(expected), strict=bool(theory)
    ):
        names = ("theory", "theory_so_far", "expected", "expected_up_to")
        row |= dict(zip(names, each, strict=True))
    return rows, {"is_binned": True}


def _bar_label(graph: Plot, low: int) -> str:
    """The text above a bar."""
    if graph.settings.by_share:
        return exact_percent(graph.share(low), 2)
    return whole(int(graph.bins[low]))


def _curve_rows_and_facts(graph: Plot) -> Drawn:
    """A row for each value, with its cards on each curve; and the facts of the curves."""
    curves = graph.frequencies.by_count
    rows = [
        {"value": str(value), "counts": [curve.get(value, 0) for curve in curves]}
        for value in graph.weights
    ]
    calls = [call_words(Call(graph.settings.shape, count)) for count in COUNTS]
    means = {
        f"mean_of_{count}": decimal(mean(curve)) if curve else "–"
        for count, curve in zip(COUNTS, curves, strict=True)
    }
    return rows, {"is_curves": True, "calls": calls, **means}


_LOOK_ROWS: Mapping[Look, Callable[[Plot], Drawn]] = {
    Look.BOX: facets.boxes,
    Look.SCATTER: facets.scatter,
    Look.TABLE: facets.table,
}


# What the page's lines ask for


def _repeats(graph: Plot) -> str:
    """Whether "some" number comes more than once, or "none"."""
    once = graph.bins[graph.commonest[0]] == 1 < graph.frequencies.total
    return "none" if once and not graph.settings.is_theory else "some"


MOST_NAMED = 5
"""Equals that a sentence has room for."""


def _sentence_key(graph: Plot) -> str:
    """The key of the sentence that it has; those of what is split and of samples are others."""
    settings = graph.settings
    if settings.graph in _LOOK_ROWS or graph.frequencies.by_count or settings.of is Of.SAMPLES:
        return ""
    is_own = settings.graph in (Look.PIE, Look.HISTOGRAM, Look.CUMULATIVE)
    return settings.graph.value if is_own else "bars"


def _caveat_key(graph: Plot) -> str:
    """The key of the caveat that the graph has."""
    settings = graph.settings
    if not settings.of.is_played:
        return ""
    if settings.show is Show.TAKEN and settings.of is Of.CLASS and settings.by is None:
        return "fixed"
    return "few" if graph.frequencies.total < FEW else ""


def _tail_weight(weights: Weights, graph: Plot) -> Fraction:
    """How much of these weights, a number or a chance, lies in the shaded tail."""
    edge, is_up = _tail_limit(graph), graph.settings.tail is Tail.UP
    inside = (n for k, n in weights.items() if (k >= edge if is_up else k <= edge))
    return sum((Fraction(n) for n in inside), Fraction())


def _tail_limit(graph: Plot) -> int:
    """The tail's number nearest to the middle."""
    low = _tail_bin(graph, list(graph.bins))
    return low if graph.settings.tail is Tail.UP else low + graph.width - 1


def _quantile(graph: Plot, part: Fraction) -> tuple[str, Fraction]:
    """The number at which this part of all is reached, as text, and the share up to it."""
    total, so_far = Fraction(sum(graph.weights.values())), Fraction()
    for number, n in graph.weights.items():
        so_far += n
        if so_far >= part * total:
            return graph.number(number), so_far / total
    raise ValueError(part)


# The picture


def _has_whole_ticks(graph: Plot) -> bool:
    """Whether the axis below has a tick at every whole number."""
    if graph.settings.of in (Of.SAMPLES, Of.OWN):
        return False
    return graph.settings.show is not Show.MEAN or len(graph.weights) > 16


def _x_range(graph: Plot) -> tuple[float, float] | None:
    """The range of the axis below, of all hands that there can be: those that one might see."""
    if not graph.settings.is_theory or graph.frequencies.theory is None:
        return None
    numbers, step = visible_numbers(graph.frequencies.theory), graph.scale
    return (min(numbers) - 0.6) / step, (max(numbers) + 0.6) / step


def _y_range(graph: Plot) -> tuple[float, float] | None:
    """The axis of heights from and to; None where it follows from the bars. It is fixed where
    dots are few, and while hands are dealt, so that bars rise to theory's."""
    frequencies = graph.frequencies
    if graph.settings.graph is Look.DOTS and max(map(int, graph.bins.values())) < LOW:
        return None if graph.settings.by_share else (0, LOW)
    if graph.settings.of is Of.SAMPLES and frequencies.goal and not graph.settings.by_share:
        return 0, 1.2 * graph.normal([float(graph.centre)])[0]
    if not frequencies.goal or frequencies.theory is None or frequencies.by_count:
        return None
    if graph.settings.graph is Look.CUMULATIVE or graph.settings.by_share:
        return None
    return 0, 1.15 * float(max(frequencies.theory.values()) * frequencies.goal)


def _normal_parameters(graph: Plot) -> tuple[float, float]:
    """The mean and the standard deviation of the normal curve: of samples, theory's."""
    if graph.settings.of is Of.SAMPLES:
        return float(graph.centre), float(graph.spread)
    return float(graph.mean), float(graph.sd)


def _normal_curve(graph: Plot) -> list[dict[str, float]]:
    centre, spread = _normal_parameters(graph)
    places = [centre + spread * k / 20 for k in range(-80, 81)]
    return [{"x": x, "y": y} for x, y in zip(places, graph.normal(places), strict=True)]


def dots_each(graph: Plot) -> int:
    """How many things counted a dot stands for: no stack is higher than ``HIGHEST``."""
    top = max(map(int, graph.bins.values()))
    if graph.frequencies.goal and graph.frequencies.theory:
        top = max(top, int(max(graph.frequencies.theory.values()) * graph.frequencies.goal))
    each = ceil(top / HIGHEST)
    return each if each < 10 else next(step for step in charts.round_numbers() if step >= each)


def _stacks(graph: Plot) -> tuple[list[dict[str, float]], float]:
    """A stack of dots above each number, and how large a dot is; where they are many a dot
    stands for several."""
    each = dots_each(graph)
    times = 1 / float(sum(graph.bins.values())) if graph.settings.by_share else 1
    stacks = [
        (place, ceil(n / each))
        for place, n in zip(graph.x, map(int, graph.bins.values()), strict=True)
    ]
    dots = [
        {"x": place, "y": (dot + 0.5) * each * times}
        for place, high in stacks
        for dot in range(high)
    ]
    rows = max(LOW, *(high for _place, high in stacks))
    # As large as a phone's stacks are apart, and as its highest has room for.
    places = sorted({place for place, high in stacks if high})
    apart = min((b - a for a, b in pairwise(places)), default=1.0)
    size = min(14, 230 / rows, max(6, 300 * apart / (places[-1] - places[0] or apart)))
    return dots, round(max(3.0, size), 1)


def _with_curves_and_tail(graph: Plot, figure: Figure | None) -> Figure | None:
    """A figure with what a page does not draw: three curves, and a shaded tail."""
    if graph.settings.graph in _LOOK_ROWS or (
        figure is None and not graph.frequencies.by_count
    ):
        return figure
    if graph.frequencies.by_count:
        traces, notes = _three_curves(graph)
        names = words(graph.settings)
        return charts.figure(
            traces,
            x=names["x_name"],
            y=names["share" if graph.settings.by_share else "number"],
            percent=graph.settings.by_share,
            every=1,
            overlay=True,
            annotations=notes,
        )
    assert figure is not None
    if graph.settings.graph is Look.HISTOGRAM:
        figure["layout"]["bargap"] = 0.02
    _shade(graph, figure["data"][0])
    return figure


def _shade(graph: Plot, trace: Trace) -> None:
    """Fill what is in the tail; the rest is an outline."""
    if not graph.settings.tail or graph.settings.graph not in SHADED:
        return
    full = _tail_colour(graph)
    low = _tail_bin(graph, list(graph.bins))
    is_in = {
        plain(place): n >= low if graph.settings.tail is Tail.UP else n <= low
        for place, n in zip(graph.x, graph.bins, strict=True)
    }
    trace["marker"]["color"] = [full if is_in[place] else charts.CLEAR for place in trace["x"]]


def _three_curves(graph: Plot) -> tuple[list[Trace], list[dict[str, object]]]:
    """The traces of a shape's three curves, and the labels that name them at their peaks."""
    traces: list[Trace] = []
    notes: list[dict[str, object]] = []
    shape = graph.settings.shape
    marks = ("circle", "square", "diamond")
    for count, curve, mark in zip(COUNTS, graph.frequencies.by_count, marks, strict=True):
        if not curve:
            continue
        span = {value: curve.get(value, 0) for value in range(min(curve), max(curve) + 1)}
        y, name = heights(graph.settings, span), call_words(Call(shape, count))
        line = charts.line(list(span), y, name=name, marks=mark)
        line["marker"] |= {"color": charts.SHAPES[shape], "size": 12}
        traces.append(line)
        top = max(range(len(y)), key=y.__getitem__)
        place = {"x": list(span)[top], "y": y[top], "yshift": 20, "showarrow": False}
        font = {"weight": 650, "size": 16, "color": charts.INK}
        notes.append({**place, "text": str(count), "font": font})
    return traces, notes


# By the names of the page

_SAID: Mapping[str, Callable[[Plot], Any]] = {
    "look": lambda graph: graph.settings.graph.value,
    "of": lambda graph: graph.settings.of.value,
    "tail": lambda graph: graph.settings.tail if graph.settings.graph in SHADED else "",
    "is_of_round": lambda graph: graph.settings.show.is_of_round,
    "shapes": lambda graph: name_of(graph.settings.shape),
    "counted": lambda graph: graph.frequencies.total,
    "hue": lambda graph: graph.colour,
    "sentence_key": _sentence_key,
    "caveat_key": _caveat_key,
    "repeats": _repeats,
    "commonest": lambda graph: len(graph.commonest),
    "top": lambda graph: first_names(list(map(graph.span, graph.commonest)), MOST_NAMED),
    "top_share": lambda graph: graph.share(graph.commonest[0]),
    "degrees": lambda graph: int(half_up(360 * graph.share(graph.commonest[0]))),
    "within_one": lambda graph: share_within(graph.weights, 1),
    "within_two": lambda graph: share_within(graph.weights, 2),
    "normal_one": lambda _graph: Fraction(68, 100),
    "normal_two": lambda _graph: Fraction(95, 100),
    "half": lambda graph: _quantile(graph, HALF)[0],
    "half_share": lambda graph: _quantile(graph, HALF)[1],
    "nine_tenths": lambda graph: _quantile(graph, NINE_TENTHS)[0],
    "nine_tenths_share": lambda graph: _quantile(graph, NINE_TENTHS)[1],
    "theory_mean": lambda graph: mean(graph.frequencies.theory or {}) / graph.scale,
    "in_tail": lambda graph: (
        (_("%s or more") if graph.settings.tail is Tail.UP else _("%s or less"))
        % graph.number(_tail_limit(graph))
    ),
    "total": lambda graph: sum(graph.weights.values()),
    "tail_n": lambda graph: int(_tail_weight(graph.weights, graph)),
    "tail_share": lambda graph: (
        _tail_weight(graph.weights, graph) / Fraction(sum(graph.weights.values()))
    ),
    "tail_theory": lambda graph: _tail_weight(graph.frequencies.theory or {}, graph),
    "dots_each": dots_each,
    "is_many": lambda graph: dots_each(graph) > 1,
    "is_spread": lambda graph: _normal_parameters(graph)[1] > 0,
    "normal_curve": _normal_curve,
    "bar_width": lambda graph: graph.step * 0.98,
    "stacks": lambda graph: _stacks(graph)[0],
    "dot_size": lambda graph: _stacks(graph)[1],
    "has_whole_ticks": _has_whole_ticks,
    "is_low": lambda graph: not graph.settings.by_share and max(graph.heights) < LOW_COUNT,
    "x_range": lambda graph: _x_range(graph) or "",
    "y_range": lambda graph: _y_range(graph) or "",
}
"""What is said of a plot, and what its axes are, by the names that the page
(``lessons/measures/pages/graph.txt``) has for it."""

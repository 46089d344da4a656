"""The figure of a measure: its rows as marks, by the page's lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from games.words import half_up
from lessons import charts
from lessons.exercises.page_lines import Facts, PageLine
from lessons.measures.grid import Format
from lessons.measures.page import MARKS, MeasurePage, options, positional, written

AXES: dict[str, dict[str, Any]] = {
    "category": {"type": "category"},
    "flat": {"tickangle": 0},
    "free": {"rangemode": "normal"},
    "bare": {"showgrid": False},
}
"""What an axis can be besides: of names, which never lean; not from 0 on; without a grid."""

PLACES = 9
"""Decimals of what is drawn."""


def figure(page: MeasurePage, rows: Sequence[Any], facts: Facts) -> charts.Figure | None:
    """The rows as a figure; None where the page draws nothing."""
    lines = [line for line in page.lines if line.word in MARKS and line.holds(facts)]
    if not lines:
        return None
    drawn = [_Mark(page, line, rows, facts) for line in lines]
    x, y = (_axis(page, word, facts) for word in "xy")
    traces = [trace for mark in drawn if (trace := mark.trace())]
    is_laid = any(line.word == "outline" for line in lines)
    of_figure = charts.figure(
        traces,
        x=x.pop("title", ""),
        y=y.pop("title", ""),
        legend=sum(bool(trace["name"]) for trace in traces) > 1,
        overlay=is_laid,
    )
    of_figure["layout"]["xaxis"] |= x
    of_figure["layout"]["yaxis"] |= y
    if shapes := [mark.shape for mark in drawn if mark.shape]:
        of_figure["layout"]["shapes"] = shapes
    return of_figure


def _axis(page: MeasurePage, word: str, facts: Facts) -> dict[str, Any]:
    """An axis in the figure's words, with its title."""
    axis: dict[str, Any] = {}
    for line in page.of(word, facts):
        if line.text:
            axis["title"] = page.text(line, facts)
        for kind in positional(line):
            axis |= AXES[kind]
        given = {name: _value(facts, text) for name, text in options(line).items()}
        if "low" in given:
            axis["range"] = [given["low"], given["high"]]
        if "range" in given:
            axis["range"] = given["range"]
        if "every" in given:
            axis["dtick"] = given["every"]
        if "ticks" in given:
            axis["tickvals"] = given["ticks"]
        if given.get("form") == "%":
            axis["tickformat"] = ".0%"
    return axis


def _value(facts: Facts, text: str) -> Any:
    """What an option says: numbers, a fact, or a word."""
    try:
        many = [
            float(Fraction(each)) if {*"./"} & {*each} else int(each)
            for each in text.split(",")
        ]
    except ValueError:
        return plain(facts[text]) if text in facts else text
    return many if len(many) > 1 else many[0]


class Merged(Mapping[str, Any]):
    """Several objects read as one mapping, for a row or for facts: under a name stands what is
    ``given`` so, else this attribute of the first of ``things`` that has it, computed only
    when it is read. It iterates over the names ``given`` alone."""

    def __init__(self, *things: Any, **given: Any) -> None:
        self.things, self.given = things, given

    def __getitem__(self, name: str) -> Any:
        if name in self.given:
            return self.given[name]
        for thing in self.things:
            if hasattr(thing, name):
                return getattr(thing, name)
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self.given)

    def __len__(self) -> int:
        return len(self.given)


def value(row: Any, name: str) -> Any:
    """What stands in a row under a column's name."""
    return row[name] if isinstance(row, Mapping) else getattr(row, name)


def plain(number: Any) -> Any:
    """A number as a figure takes it, rounded to PLACES; of a list each; texts as they are."""
    if isinstance(number, list | tuple):
        return [plain(each) for each in number]
    return number if isinstance(number, str | int | None) else float(half_up(number, PLACES))


class _Mark:
    """One line of marks with its rows: those that have what it draws. Of ``positional``
    arguments the first two are the columns of x and y, of some marks facts or numbers."""

    def __init__(
        self, page: MeasurePage, line: PageLine, rows: Sequence[Any], facts: Facts
    ) -> None:
        self.line, self.facts, self.positional = line, facts, positional(line)
        self.options = options(line)
        self.name = page.text(line, facts) if line.text else ""
        self.shape: dict[str, Any] | None = None
        rows = facts[self.options["of"]] if "of" in self.options else rows
        self.rows = rows
        if line.word not in ("diagonal", "level", "strip") and "else" not in self.options:
            self.rows = [row for row in rows if value(row, self.positional[1]) is not None]

    def _column(self, name: str) -> list[Any]:
        return [plain(value(row, name)) for row in self.rows]

    def _texts(self) -> list[str]:
        """The texts beside the marks, ``text=column/form``."""
        name, _slash, form = self.options.get("text", "").partition("/")
        cells = [value(row, name) for row in self.rows if name]
        texts = ["" if cell is None else written(cell, form or Format.INT) for cell in cells]
        return texts if any(texts) else []

    def _dot_sizes(self) -> list[float]:
        if "pixels" in self.options:
            return self._column(self.options["pixels"])
        name = self.options.get("size", "")
        return charts.dot_sizes([value(row, name) for row in self.rows]) if name else []

    @property
    def _colour(self) -> str:
        colour = self.options.get("colour", "")
        return self.facts.get(colour) or (f"--{colour}" if colour else "")

    def trace(self) -> charts.Trace | None:
        """The mark as a trace, one series in Plotly's words. Some marks set ``shape``, which
        belongs to the layout, instead (None) or besides."""
        match self.line.word:
            case "strip":
                low, high = (_value(self.facts, each) for each in self.positional)
                self.shape = charts.strip(low, high, upright=True)
                return None
            case "diagonal":
                ends = [_value(self.facts, each) for each in self.positional]
                return charts.line(ends, ends, name=self.name)
            case "level":
                height = _value(self.facts, self.positional[1])
                labels = self._column(self.positional[0])
                if len(labels) == 1:  # a line needs two of them
                    self.shape = charts.level(height)
                return charts.line(labels, [height] * len(labels), name=self.name)
        x, y = (self._column(each) for each in self.positional[:2])
        match self.line.word:
            case "slices":
                parts = [(label, part) for label, part in zip(x, y, strict=True) if part]
                return charts.slices(*zip(*parts, strict=True)) | {"name": ""}
            case "boxes":
                return charts.boxes(x, y, colour=self._colour)
            case "dashes":
                return self._dash_trace(x, y)
            case "intervals" | "bands":
                return charts.strokes(x, y, name=self.name)
            case "bars" | "outline":
                return self._bar_trace(x, y)
            case "line":
                return self._line_trace(x, y)
            case "words":
                return charts.words(x, y, self._texts(), self._column(self.options["size"]))
        return self._dot_trace(x, y)

    def _dash_trace(self, x: list[Any], y: list[Any]) -> charts.Trace:
        dashes = charts.line(x, y, name=self.name, marks="line-ew") | {"mode": "markers"}
        if "dot" in self.options:
            dashes["marker"]["size"] = _value(self.facts, self.options["dot"])
        return dashes

    def _bar_trace(self, x: list[Any], y: list[Any]) -> charts.Trace:
        is_theory = self.line.word == "outline"
        of_kind = charts.hollow_bars if is_theory else charts.bars
        if "else" in self.options:
            none = _value(self.facts, self.options["else"])
            y = [none if height is None else height for height in y]
        bars = of_kind(x, y, name=self.name, text=self._texts())
        if self._colour:
            bars["marker"]["color"] = self._colour
        if "fill" in self.options:
            bars["marker"]["color"] = self._column(self.options["fill"])
        if "width" in self.options:
            bars["width"] = _value(self.facts, self.options["width"])
        if "clear" in self.options:
            bars["textposition"] = charts.beside_line(y, self._column(self.options["clear"]))
        return (
            bars | {"orientation": "h", "x": y, "y": x} if "lying" in self.positional else bars
        )

    def _line_trace(self, x: list[Any], y: list[Any]) -> charts.Trace:
        line = charts.line(
            x,
            y,
            name=self.name,
            colour=self._colour or charts.INK,
            dash=self.options.get("dash", "solid"),
            marks=self.options.get("marks", ""),
            step="stepped" in self.positional,
        )
        if len(x) == 1 and "level" in self.positional:
            self.shape = charts.level(y[0])
        if "unnamed" in self.positional:
            line["showlegend"] = False
        return line

    def _dot_trace(self, x: list[Any], y: list[Any]) -> charts.Trace:
        places: Sequence[str] = ["middle right"] * len(x) if "beside" in self.positional else ()
        if "clear" in self.options:
            span = _value(self.facts, self.options["span"])
            places = charts.label_positions(y, self._column(self.options["clear"]), span)
        dots = charts.points(
            x,
            y,
            name=self.name,
            sizes=self._dot_sizes(),
            text=self._texts(),
            places=places,
        )
        marker = {"symbol": self.options.get("as"), "color": self._colour}
        dots["marker"] |= {name: each for name, each in marker.items() if each}
        if "dot" in self.options:
            dots["marker"]["size"] = _value(self.facts, self.options["dot"])
        if "joined" in self.positional and len(x) > 1:
            dots |= {"mode": "markers+lines", "line": {"color": charts.DATA, "width": 2}}
        return dots

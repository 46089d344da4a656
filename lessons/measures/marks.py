"""The figure of a measure: its rows as marks, by the page's lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
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
    traces, shapes = _drawn(page, lines, rows, facts, PLACES)
    (x, xaxis), (y, yaxis) = (_axis(page, word, facts, PLACES) for word in "xy")
    of_figure = charts.figure(
        traces,
        x=x,
        y=y,
        legend=sum(bool(trace["name"]) for trace in traces) > 1,
        overlay=any(line.word == "outline" for line in lines),
    )
    of_figure["layout"]["xaxis"] |= xaxis
    of_figure["layout"]["yaxis"] |= yaxis
    if shapes:
        of_figure["layout"]["shapes"] = shapes
    return of_figure


def small_figure(page: MeasurePage, rows: Sequence[Any], facts: Facts) -> charts.Figure | None:
    """The rows as the small chart of a tile; None where the page draws none. Numbers are drawn
    as they are, and axes are in the order of their lines."""
    page = page.small
    lines = [line for line in page.lines if line.word in MARKS and line.holds(facts)]
    if not lines:
        return None
    traces, shapes = _drawn(page, lines, rows, facts, None)
    (x, xaxis), (y, yaxis) = (_axis(page, word, facts, None) for word in "xy")
    is_laid = any("laid" in positional(line) for line in lines)
    return charts.small(
        traces, xaxis=xaxis, yaxis=yaxis, shapes=shapes, x=x, y=y, overlay=is_laid
    )


def _drawn(
    page: MeasurePage,
    lines: Iterable[PageLine],
    rows: Sequence[Any],
    facts: Facts,
    places: int | None,
) -> tuple[list[charts.Trace], list[dict[str, Any]]]:
    marks = [_Mark(page, line, rows, facts, places) for line in lines]
    traces = [trace for mark in marks for trace in mark.traces()]
    return traces, [mark.shape for mark in marks if mark.shape]


def _axis(
    page: MeasurePage, word: str, facts: Facts, places: int | None
) -> tuple[str, dict[str, Any]]:
    """The title of the axis x or y, and the axis in the figure's words."""
    title, found, bounds = "", dict[str, Any](), dict[str, Any](low=None, high=None)
    for line in page.of(word, facts):
        title = page.text(line, facts) if line.text else title
        for argument in line.arguments:
            name, is_option, text = argument.partition("=")
            given = _value(facts, text, places)
            if not is_option:
                found |= AXES[name]
            elif name in bounds:
                bounds[name] = given
                found["range"] = [*bounds.values()]
            elif name == "ticks":
                found["tickvals"] = given if isinstance(given, list) else [given]
            elif name == "form":
                found["tickformat"] = ".0%"
            else:
                found[{"every": "dtick"}.get(name, name)] = given
    return title, found


def _value(facts: Facts, text: str, places: int | None) -> Any:
    """What an option says: numbers, a fact, or a word."""
    if not text:
        return []
    try:
        many = [
            float(Fraction(each)) if {*"./"} & {*each} else int(each)
            for each in text.split(",")
        ]
    except ValueError:
        return plain(facts[text], places) if text in facts else text
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


def plain(number: Any, places: int | None = PLACES) -> Any:
    """A number as a figure takes it, rounded to so many places, if any; of a list each; texts
    as they are."""
    if isinstance(number, list | tuple):
        return [plain(each, places) for each in number]
    if isinstance(number, str | int | None):
        return number
    return float(number if places is None else half_up(number, places))


class _Mark:
    """One line of marks with its rows: those that have what it draws. Of ``positional``
    arguments the first two are the columns of x and y, of some marks facts or numbers."""

    def __init__(
        self,
        page: MeasurePage,
        line: PageLine,
        rows: Sequence[Any],
        facts: Facts,
        places: int | None,
    ) -> None:
        self.line, self.facts, self.positional = line, facts, positional(line)
        self.options, self.places = options(line), places
        self.name = page.text(line, facts) if line.text else ""
        self.shape: dict[str, Any] | None = None
        rows = facts[self.options["of"]] if "of" in self.options else rows
        self.rows = rows
        if (
            line.word not in ("diagonal", "level", "ribbons", "strip")
            and "else" not in self.options
        ):
            self.rows = [row for row in rows if value(row, self.positional[1]) is not None]

    def _column(self, name: str) -> list[Any]:
        return [plain(value(row, name), self.places) for row in self.rows]

    def _value(self, text: str) -> Any:
        return _value(self.facts, text, self.places)

    def _texts(self) -> list[str]:
        """The texts beside the marks, ``text=column/form``."""
        name, _slash, form = self.options.get("text", "").partition("/")
        cells = [value(row, name) for row in self.rows if name]
        texts = ["" if cell is None else written(cell, form or Format.INT) for cell in cells]
        return texts if any(texts) or self.places is None else []

    def _marked(self) -> set[int]:
        """The places of what stands out, ``marked=column``."""
        name = self.options.get("marked")
        return {n for n, row in enumerate(self.rows) if name and value(row, name)}

    def _dot_sizes(self) -> list[float]:
        if (pixels := self.options.get("pixels", "")).isdecimal():
            return [int(pixels)] * len(self.rows)
        if pixels:
            return self._column(pixels)
        name = self.options.get("size", "")
        return charts.dot_sizes([value(row, name) for row in self.rows]) if name else []

    @property
    def _colour(self) -> str:
        colour = self.options.get("colour", "")
        if colour == "clear":
            return charts.CLEAR
        return self.facts.get(colour) or (f"--{colour}" if colour else "")

    def traces(self) -> list[charts.Trace]:
        """The mark as traces, series in Plotly's words: ribbons one for each run of rows that
        have ends, the others one. Some marks set ``shape``, which belongs to the layout,
        instead or besides. The page explains what has a ``legend``."""
        if self.line.word == "ribbons":
            rows = zip(*map(self._column, self.positional), strict=True)
            runs = groupby(rows, key=lambda row: row[1] is not None)
            traces = [
                charts.ribbon(*zip(*run, strict=True)) for has_ends, run in runs if has_ends
            ]
        else:
            traces = [trace] if (trace := self._trace()) else []
        if named := traces[0] if traces else self.shape:
            named |= {"name": self.name} if self.name else {}
            named |= {"legend": self.options["legend"]} if "legend" in self.options else {}
        return traces

    def _trace(self) -> charts.Trace | None:
        match self.line.word:
            case "strip":
                low, high, *across = map(self._value, self.positional)
                between = self._value(self.options.get("between", "")) or None
                self.shape = charts.strip(low, high, upright=not across, between=between)
                return None
            case "diagonal":
                ends = list(map(self._value, self.positional))
                return charts.line(ends, ends, name=self.name)
            case "level" if len(self.positional) == 1:
                self.shape = charts.level(self._value(self.positional[0]))
                if dash := self.options.get("dash"):
                    self.shape["line"] = {"color": self._colour, "width": 1, "dash": dash}
                return None
            case "level":
                height = self._value(self.positional[1])
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
                place = self._value(self.options.get("place", "top center"))
                sizes = self._column(self.options["size"])
                return charts.words(x, y, self._texts(), sizes, place)
        return self._dot_trace(x, y)

    def _dash_trace(self, x: list[Any], y: list[Any]) -> charts.Trace:
        dashes = charts.line(x, y, name=self.name, marks="line-ew") | {"mode": "markers"}
        if "dot" in self.options:
            dashes["marker"]["size"] = self._value(self.options["dot"])
        return dashes

    def _bar_trace(self, x: list[Any], y: list[Any]) -> charts.Trace:
        if "else" in self.options:
            none = self._value(self.options["else"])
            y = [none if height is None else height for height in y]
        if self.line.word == "outline":
            bars = charts.hollow_bars(x, y, name=self.name, text=self._texts())
        else:
            colour, marked = self._colour or charts.DATA, self._marked()
            bars = charts.bars(
                x, y, name=self.name, colour=colour, text=self._texts(), marked=marked
            )
        if "fill" in self.options:
            bars["marker"]["color"] = self._column(self.options["fill"])
        if "width" in self.options:
            bars["width"] = self._value(self.options["width"])
        if "unnamed" in self.positional:
            bars["showlegend"] = False
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
        if "places" in self.options:
            places = self._column(self.options["places"])
        if "clear" in self.options:
            span = self._value(self.options["span"])
            places = charts.label_positions(y, self._column(self.options["clear"]), span)
        dots = charts.points(
            x,
            y,
            name=self.name,
            colour=self._colour or charts.DATA,
            sizes=self._dot_sizes(),
            text=self._texts(),
            places=places,
            marked=self._marked(),
        )
        if "as" in self.options:
            dots["marker"]["symbol"] = self.options["as"]
        if "unnamed" in self.positional:
            dots["showlegend"] = False
        if "dot" in self.options:
            dots["marker"]["size"] = self._value(self.options["dot"])
        if "joined" in self.positional and len(x) > 1:
            dots |= {"mode": "markers+lines", "line": {"color": charts.DATA, "width": 2}}
        if "joined" in self.options:
            mode = dots["mode"].replace("markers", "markers+lines")
            dots |= {"mode": mode, "line": {"color": f"--{self.options['joined']}", "width": 2}}
        if "hidden" in self.positional:
            dots["mode"] = "none"
        return dots

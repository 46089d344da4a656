"""Pictures of graphs as numbers to draw: bars, and slices of a pie. The template
(templates/lessons/_graph.html) makes them SVG, by attributes and classes alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import cos, pi, sin

from lessons.exercises.answers import comma
from lessons.exercises.engine import Graph, Series

WIDTH, HEIGHT = 360, 200
LEFT, BOTTOM, TOP = 8, 26, 18
RADIUS = 84


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar: where it stands, its size, its number above it, and whether it is ``given`` or
    ``own``."""

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
    def letter(self) -> str:
        return chr(ord("A") + self.number)


@dataclass(frozen=True, slots=True)
class Picture:
    """What to draw, and the same in words. ``ticks`` are (x, label) below the bars; ``names``
    the (kind, label) of what is drawn there."""

    kind: str
    words: str
    bars: tuple[Bar, ...] = ()
    ticks: tuple[tuple[float, str], ...] = ()
    names: tuple[tuple[str, str], ...] = ()
    slices: tuple[Slice, ...] = ()


def draw(graph: Graph, own: Mapping[str, float | None]) -> Picture:
    """The graph with what is given in it and the heights by field, as far as they are known."""
    return _pie(graph, own) if graph.kind == "pie" else _bars(graph, own)


def _heights(series: Series, own: Mapping[str, float | None]) -> dict[int, float]:
    """The known heights of a series by the place of their category."""
    heights = [own[key] for key in series.fields] if series.fields else list(series.heights)
    places = series.places or range(len(heights))
    return {p: h for p, h in zip(places, heights, strict=True) if h is not None}


def _number(height: float) -> str:
    text = f"{height:.3g}" if height < 100 else f"{height:.0f}"
    return text.replace(".", ",") if comma() else text


def _bars(graph: Graph, own: Mapping[str, float | None]) -> Picture:
    columns = [(series, _heights(series, own)) for series in graph.series]
    columns = [(series, heights) for series, heights in columns if heights]
    top = max([1.0, *(height for _series, heights in columns for height in heights.values())])
    room = (WIDTH - LEFT) / len(graph.categories)
    thick = min(22.0, (room - 4) / max(1, len(columns)))
    bars = []
    for number, (series, heights) in enumerate(columns):
        for place, height in heights.items():
            tall = (HEIGHT - BOTTOM - TOP) * height / top
            x = LEFT + room * (place + 0.5) + thick * (number - len(columns) / 2)
            bars.append(
                Bar(
                    x=round(x + 1, 1),
                    y=round(HEIGHT - BOTTOM - tall, 1),
                    width=round(thick - 2, 1),
                    height=round(tall, 1),
                    text=_number(height) if height else "",
                    kind=_kind(series),
                )
            )
    ticks = enumerate(graph.categories)
    return Picture(
        graph.kind,
        words=" ".join(_in_words(graph.categories, *column) for column in columns),
        bars=tuple(bars),
        ticks=tuple((round(LEFT + room * (n + 0.5), 1), label) for n, label in ticks),
        names=tuple((_kind(series), series.label) for series, _heights in columns),
    )


def _kind(series: Series) -> str:
    return "own" if series.fields else "given"


def _in_words(categories: Sequence[str], series: Series, heights: Mapping[int, float]) -> str:
    pairs = ", ".join(f"{categories[p]}: {_number(h)}" for p, h in heights.items())
    return f"{series.label}: {pairs}."


def _pie(graph: Graph, own: Mapping[str, float | None]) -> Picture:
    """Slices clockwise from the top, with as many degrees as their fields say."""
    (series,) = graph.series
    slices = []
    begin = 0.0
    for place, degrees in _heights(series, own).items():
        end = begin + degrees
        x, y = _on_circle((begin + end) / 2, 0.62 * RADIUS)
        label, text = graph.categories[place], f"{_number(degrees)}°"
        slices.append(Slice(_path(begin, end), x, y, place, label, text))
        begin = end
    words = ", ".join(f"{each.label}: {each.text}" for each in slices)
    return Picture("pie", words=words, slices=tuple(slices))


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

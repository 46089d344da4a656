"""Graphs of questions as numbers to draw: bars of a curve, slices of a pie. The template
(templates/lessons/_graph.html) makes them SVG; everything is set by attributes and classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, sin

from lessons.exercises.engine import Graph

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
    given = [series.heights for series in graph.series if not series.fields]
    columns = [*given, own]
    top = max([1.0, *(height or 0.0 for column in columns for height in column)])
    room = (WIDTH - LEFT) / len(graph.categories)
    thick = min(18.0, (room - 4) / len(columns))
    bars = []
    ticks = []
    for place, category in enumerate(graph.categories):
        middle = LEFT + room * (place + 0.5)
        ticks.append((round(middle, 1), category))
        for number, column in enumerate(columns):
            height = column[place]
            if height is None:
                continue
            tall = (HEIGHT - BOTTOM - TOP) * height / top
            bars.append(
                Bar(
                    x=round(middle + thick * (number - len(columns) / 2), 1),
                    y=round(HEIGHT - BOTTOM - tall, 1),
                    width=round(thick - 2, 1),
                    height=round(tall, 1),
                    text=f"{height:g}" if height else "",
                    kind="own" if number == len(given) else "given",
                )
            )
    return Picture("curve", bars=tuple(bars), ticks=tuple(ticks))


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

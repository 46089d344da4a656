"""Slices of a pie as paths of SVG; their angles in degrees, clockwise from the top."""

from __future__ import annotations

from math import cos, pi, sin


def on_circle(degrees: float, radius: float) -> tuple[float, float]:
    """The point (x, y) of a circle around (0, 0) at this angle."""
    angle = degrees * pi / 180
    return round(radius * sin(angle), 2), round(-radius * cos(angle), 2)


def slice_path(begin: float, end: float, radius: float) -> str:
    """The path of the slice between two angles; from 360 degrees on of the whole pie."""
    if end - begin >= 360:
        half = f"A{radius:g},{radius:g} 0 1 1 0,"
        return f"M0,{-radius:g}{half}{radius:g}{half}{-radius:g}Z"
    (x1, y1), (x2, y2) = (on_circle(at, radius) for at in (begin, end))
    arc = f"A{radius:g},{radius:g} 0 {int(end - begin > 180)} 1 {x2},{y2}"
    return f"M0,0L{x1},{y1}{arc}Z"

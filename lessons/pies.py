"""Slices of a pie as paths of SVG; their angles in degrees, clockwise from the top."""

from __future__ import annotations

from math import cos, pi, sin


def on_circle(
    degrees: float, radius: float, middle: tuple[float, float] = (0, 0)
) -> tuple[float, float]:
    """The point (x, y) of a circle at this angle."""
    angle = degrees * pi / 180
    return (
        round(middle[0] + radius * sin(angle), 2),
        round(middle[1] - radius * cos(angle), 2),
    )


def slice_path(
    begin: float, end: float, radius: float, middle: tuple[float, float] = (0, 0)
) -> str:
    """The path of the slice between two angles; from 360 degrees on of the whole pie."""
    if end - begin >= 360:
        half = f"A{radius:g},{radius:g} 0 1 1 {middle[0]:g},"
        top, bottom = f"{middle[1] - radius:g}", f"{middle[1] + radius:g}"
        return f"M{middle[0]:g},{top}{half}{bottom}{half}{top}Z"
    (x1, y1), (x2, y2) = (on_circle(at, radius, middle) for at in (begin, end))
    arc = f"A{radius:g},{radius:g} 0 {int(end - begin > 180)} 1 {x2},{y2}"
    return f"M{middle[0]:g},{middle[1]:g}L{x1},{y1}{arc}Z"

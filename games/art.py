"""The cards' pictures: one SVG sprite, drawn here, coloured by the page's own tokens.

A card is a small graph: four rows, ball, cube, cone, star, of one to three solids set flush
left, empty places dotted, so that all bars together are visibly its value. ``manage.py
draw_cards`` writes the sprite; docs/design.md shows it.
"""

from __future__ import annotations

import math

from games.rules import DECK, Card, Shape

WIDTH, HEIGHT = 100, 140
_FIRST_ROW, _ROW_STEP = 51, 24.5
_PLACES = (17, 41, 65)
_COUNT_X = 90
_LINE = 'fill="none" stroke="var(--card-line)" stroke-width="1.8" stroke-linejoin="round"'


def _path(points: list[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in points) + "z"


def _ball() -> str:
    """A circle with a crescent of shade and dots of light."""
    dots = "".join(
        f'<circle cx="{x}" cy="{y}" r="1.5"/>'
        for x, y in ((-4.2, -4.5), (0.8, -5.6), (-5.6, 0.6), (-0.6, -0.8))
    )
    return (
        '<circle r="10.5" fill="var(--ball)"/>'
        '<path d="M7.4-7.4A10.5 10.5 0 1 1-7.4 7.4A13 13 0 0 0 7.4-7.4z" fill="var(--shade)"/>'
        f'<g fill="var(--glint)">{dots}</g><circle r="10.5" {_LINE}/>'
    )


def _cube() -> str:
    """A hexagon with three faces: lit, plain and shaded."""
    hexagon = "M0-11 9.5-5.5V5.5L0 11-9.5 5.5V-5.5z"
    return (
        f'<path d="{hexagon}" fill="var(--cube)"/>'
        '<path d="M0-11 9.5-5.5 0 0-9.5-5.5z" fill="var(--glint)"/>'
        '<path d="M0 0 9.5-5.5V5.5L0 11z" fill="var(--shade)"/>'
        f'<path d="{hexagon}M-9.5-5.5 0 0 9.5-5.5M0 0V11" {_LINE}/>'
    )


def _cone() -> str:
    """A triangle on an ellipse, striped, its right side in shade."""
    outline = "M0-11.5-9.8 7A9.8 3.9 0 0 0 9.8 7z"
    return (
        f'<path d="{outline}" fill="var(--cone)"/>'
        '<path d="M0-11.5 3.4 10.6Q8 10 9.8 7z" fill="var(--shade)"/>'
        '<path d="M-3.2-4.8Q0-3.2 3.2-4.8M-5.6-.3Q0 2.3 5.6-.3M-8 4.2Q0 7.6 8 4.2"'
        ' fill="none" stroke="var(--glint)" stroke-width="1.6"/>'
        f'<path d="{outline}" {_LINE}/>'
    )


def _star() -> str:
    """Five points, every other facet in shade."""
    corners = []
    for k in range(10):
        angle, radius = -math.pi / 2 + k * math.pi / 5, (11.5, 5.2)[k % 2]
        x, y = radius * math.cos(angle), radius * math.sin(angle) + 0.8
        corners.append((round(x, 1), round(y, 1)))
    facets = "".join(
        _path([(0, 0.8), corners[k], corners[(k + 1) % 10]]) for k in range(1, 10, 2)
    )
    outline = _path(corners)
    return (
        f'<path d="{outline}" fill="var(--star)"/><path d="{facets}" fill="var(--shade)"/>'
        f'<path d="{outline}" {_LINE}/>'
    )


SOLIDS = {Shape.BALL: _ball, Shape.CUBE: _cube, Shape.CONE: _cone, Shape.STAR: _star}


def _card(card: Card) -> str:
    parts = [
        '<use href="#blank"/>',
        f'<text x="9" y="32" font-size="30" font-weight="700" fill="var(--card-ink)">'
        f"{card.value}</text>",
    ]
    for row, (shape, count) in enumerate(zip(Shape, card.counts, strict=True)):
        y = _FIRST_ROW + _ROW_STEP * row
        parts += [
            f'<use href="#{f"solid-{shape.value}" if place < count else "empty"}"'
            f' x="{x}" y="{y:g}"/>'
            for place, x in enumerate(_PLACES)
        ]
        parts.append(
            f'<text x="{_COUNT_X}" y="{y + 4.5:g}" font-size="13" text-anchor="middle"'
            f' fill="var(--card-soft)">{count}</text>'
        )
    return "".join(parts)


def _back() -> str:
    places = zip(SOLIDS, ((32, 44), (68, 44), (32, 96), (68, 96)), strict=True)
    solids = "".join(
        f'<use href="#solid-{shape.value}" x="{x}" y="{y}"/>' for shape, (x, y) in places
    )
    return (
        '<rect x="1" y="1" width="98" height="138" rx="9" fill="var(--card-back)"'
        ' stroke="var(--card-line)" stroke-width="1.6"/><rect x="8" y="8" width="84"'
        ' height="124" rx="5" fill="none" stroke="var(--card-face)" stroke-width="1.5"/>'
        + solids
    )


def sprite() -> str:
    """The whole sprite: ``#ball`` … ``#star``, ``#c1111`` … ``#c3333`` and ``#back``."""
    lines = ['<svg xmlns="http://www.w3.org/2000/svg">']
    for shape, draw in SOLIDS.items():
        lines.append(f'<g id="solid-{shape.value}">{draw()}</g>')
        lines.append(
            f'<symbol id="{shape.value}" viewBox="-13 -13 26 26">'
            f'<use href="#solid-{shape.value}"/></symbol>'
        )
    lines.append(
        '<rect id="blank" x="1" y="1" width="98" height="138" rx="9" fill="var(--card-face)"'
        ' stroke="var(--card-line)" stroke-width="1.6"/>'
    )
    lines.append(
        '<circle id="empty" r="4" fill="none" stroke="var(--card-faint)" stroke-width="1.2"'
        ' stroke-dasharray="1.6 2.2"/>'
    )
    size = f'viewBox="0 0 {WIDTH} {HEIGHT}"'
    lines += [f'<symbol id="c{card}" {size}>{_card(card)}</symbol>' for card in DECK]
    lines += [f'<symbol id="back" {size}>{_back()}</symbol>', "</svg>", ""]
    return "\n".join(lines)

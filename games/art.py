"""The cards' pictures: one SVG sprite, drawn here, coloured by the page's own tokens.

A card is a small graph: four rows, ball, cube, cone, star, of one to three solids set flush
left, empty places dotted, so that all bars together are visibly its value. Its numbers are our
own numerals, which pages use as well. ``manage.py draw_cards`` writes the sprite;
docs/design.md shows it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import cycle, pairwise, product

from games.rules import DECK, Card, Shape

WIDTH, HEIGHT = 100, 140
_FIRST_ROW, _ROW_STEP = 51, 24.5
_PLACES = (17, 41, 65)
_VALUE_AT, _VALUE_SIZE = (6.5, 8), 1.5
_COUNT_X, _COUNT_SIZE = 90, 0.62
_LINE = 'fill="none" stroke="var(--card-line)" stroke-width="1.8" stroke-linejoin="round"'

Point = tuple[float, float]
Paths = list[tuple[str, str]]
"""What each path draws around its own middle, and how: ``d``, and its other attributes."""

_COMMAND = re.compile(r"([A-Za-z])([^A-Za-z]*)")
_NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)")


def moved_path(d: str, x: float, y: float) -> str:
    """A path's data moved by (x, y): one path for many places is one element for a browser.

    >>> moved_path("M2 2 12 16h-3A4 4 0 1 0 5 5z", 10, 1)
    'M12 3 22 17h-3A4 4 0 1 0 15 6z'
    """
    by = {"M": (x, y), "L": (x, y), "Q": (x, y), "C": (x, y), "S": (x, y), "H": (x,)}
    by |= {"V": (y,), "A": (0, 0, 0, 0, 0, x, y)}
    commands = []
    for command, numbers in _COMMAND.findall(d):
        if command in by:
            steps = cycle(by[command])
            sums = (float(number) + next(steps) for number in _NUMBER.findall(numbers))
            numbers = " ".join(f"{round(each, 2):g}" for each in sums).replace(" -", "-")
        commands.append(command + numbers)
    return "".join(commands)


def _paths_svg(paths: Paths, places: Sequence[Point] = ((0, 0),)) -> str:
    """The SVG of these paths, the same thing at all these places."""
    return "".join(
        f'<path d="{"".join(moved_path(d, x, y) for x, y in places)}" {how}/>'
        for d, how in paths
    )


def _circle_path(x: float, y: float, radius: float) -> str:
    across = 2 * radius
    return (
        f"M{x - radius:g} {y:g}a{radius:g} {radius:g} 0 1 0 {across:g} 0"
        f"a{radius:g} {radius:g} 0 1 0-{across:g} 0z"
    )


def _polygon(points: list[Point]) -> str:
    return f"M{' '.join(f'{x:g} {y:g}' for x, y in points)}z".replace(" -", "-")


def _ball() -> Paths:
    """The paths of a ball: a circle with a crescent of shade and dots of light."""
    outline = _circle_path(0, 0, 10.5)
    dots = ((-4.2, -4.5), (0.8, -5.6), (-5.6, 0.6), (-0.6, -0.8))
    return [
        (outline, 'fill="var(--ball)"'),
        ("M7.4-7.4A10.5 10.5 0 1 1-7.4 7.4A13 13 0 0 0 7.4-7.4z", 'fill="var(--shade)"'),
        ("".join(_circle_path(x, y, 1.5) for x, y in dots), 'fill="var(--glint)"'),
        (outline, _LINE),
    ]


def _cube() -> Paths:
    """The paths of a cube: a hexagon with three faces, lit, plain and shaded."""
    hexagon = "M0-11 9.5-5.5V5.5L0 11-9.5 5.5V-5.5z"
    return [
        (hexagon, 'fill="var(--cube)"'),
        ("M0-11 9.5-5.5 0 0-9.5-5.5z", 'fill="var(--glint)"'),
        ("M0 0 9.5-5.5V5.5L0 11z", 'fill="var(--shade)"'),
        (f"{hexagon}M-9.5-5.5 0 0 9.5-5.5M0 0V11", _LINE),
    ]


def _cone() -> Paths:
    """The paths of a cone: a triangle on an ellipse, striped, its right side in shade."""
    outline = "M0-11.5-9.8 7A9.8 3.9 0 0 0 9.8 7z"
    stripes = 'fill="none" stroke="var(--glint)" stroke-width="1.6"'
    return [
        (outline, 'fill="var(--cone)"'),
        ("M0-11.5 3.4 10.6Q8 10 9.8 7z", 'fill="var(--shade)"'),
        ("M-3.2-4.8Q0-3.2 3.2-4.8M-5.6-.3Q0 2.3 5.6-.3M-8 4.2Q0 7.6 8 4.2", stripes),
        (outline, _LINE),
    ]


def _star_corners() -> list[Point]:
    """Where the star's outline turns, from its top."""
    corners = []
    for k in range(10):
        angle, radius = -math.pi / 2 + k * math.pi / 5, (11.5, 5.2)[k % 2]
        x, y = radius * math.cos(angle), radius * math.sin(angle) + 0.8
        corners.append((round(x, 1), round(y, 1)))
    return corners


def _star() -> Paths:
    """The paths of a star: five points, every other facet in shade."""
    corners = _star_corners()
    outline = _polygon(corners)
    facets = [[(0, 0.8), corners[k], corners[(k + 1) % 10]] for k in range(1, 10, 2)]
    return [
        (outline, 'fill="var(--star)"'),
        ("".join(map(_polygon, facets)), 'fill="var(--shade)"'),
        (outline, _LINE),
    ]


_EMPTY: Paths = [
    (
        _circle_path(0, 0, 4),
        'fill="none" stroke="var(--card-faint)" stroke-width="1.2" stroke-dasharray="1.6 2.2"',
    )
]
SOLIDS = {Shape.BALL: _ball, Shape.CUBE: _cube, Shape.CONE: _cone, Shape.STAR: _star}

NUMERAL_WIDTH, NUMERAL_HEIGHT = 13, 18
NUMERALS = {
    "d0": "M6.5 2C9.1 2 10.5 4.6 10.5 9s-1.4 7-4 7-4-2.6-4-7 1.4-7 4-7z",
    "d1": "M3.3 5 7 2v14M3.3 16h7.4",
    "d2": "M2.7 5.6C2.9 3.4 4.5 2 6.6 2c2.2 0 3.8 1.5 3.8 3.6 0 2.7-2.7 4.8-7.7 10.4h8",
    "d3": (
        "M2.7 4.3C3.4 2.8 4.8 2 6.4 2c2.2 0 3.7 1.3 3.7 3.4S8.5 8.7 6.2 8.7"
        "c2.7 0 4.3 1.4 4.3 3.6S8.8 16 6.4 16c-1.9 0-3.4-.9-4.1-2.5"
    ),
    "d4": "M4.8 2 2.5 11.3h8.4M8.3 6.5V16",
    "d5": (
        "M9.9 2H4.1l-.7 6.2C4.2 7.5 5.3 7.1 6.4 7.1"
        "c2.5 0 4.2 1.8 4.2 4.4 0 2.7-1.8 4.5-4.4 4.5-1.8 0-3.2-.8-3.9-2.3"
    ),
    "d6": (
        "M9 2C5 3.6 2.5 7.2 2.5 11.4c0 2.8 1.6 4.6 4 4.6s4-1.8 4-4.4-1.6-4.4-4-4.4"
        "c-1.9 0-3.4 1.1-3.9 3"
    ),
    "d7": "M2.5 2h8C8 6 6 10.5 5.3 16",
    "d8": (
        "M6.5 8.7C4.4 8.7 3 7.4 3 5.4S4.4 2 6.5 2 10 3.4 10 5.4 8.6 8.7 6.5 8.7"
        "c-2.4 0-4 1.5-4 3.6S4.1 16 6.5 16s4-1.5 4-3.7-1.6-3.6-4-3.6z"
    ),
    "d9": "M10.5 6.5C10.5 3.8 9 2 6.5 2s-4 1.8-4 4.4 1.6 4.4 4 4.4 4-1.7 4-4.3V16",
    "minus": "M3 9.5h7",
    "plus": "M2.5 9.5h8M6.5 5.5v8",
    "slash": "M10 2 3 16",
    "percent": "M10.2 2.6 2.8 15.4M3.9 2.6a2 2 0 1 0 .01 0zM9.1 11.4a2 2 0 1 0 .01 0z",
    "point": "M6.5 15.7h.01",
    "comma": "M6.7 14.6 6 16.4",
}
"""Centre lines of strokes that are 3 wide, each in a cell of the same width."""

_CHARACTERS = {str(digit): f"d{digit}" for digit in range(10)}
_CHARACTERS |= {"-": "minus", "−": "minus", "+": "plus", "/": "slash", "%": "percent"}
_CHARACTERS |= {".": "point", ",": "comma"}
_NARROW = {"point", "comma"}
_DRAWN = re.compile(r"([−+-]?\d(?:[\d.,/−+-]*\d)?(?:[ \u00a0\u202f]?%)?)")


@dataclass(frozen=True)
class Run:
    """A part of a text: a number as its numerals, with their places and the width of all, or
    words, which have none."""

    text: str
    strokes: tuple[tuple[str, float], ...] = ()
    width: float = 0


def runs(text: str) -> list[Run]:
    """A text as numbers to be drawn, and the words between them.

    >>> [(run.text, len(run.strokes)) for run in runs("−3 of 12")]
    [('−3', 2), (' of ', 0), ('12', 2)]
    """
    pieces = []
    for k, part in enumerate(_DRAWN.split(text)):
        if k % 2:
            pieces.append(_number_run(part))
        elif part:
            pieces.append(Run(part))
    return pieces


def _number_run(number: str) -> Run:
    strokes, x = [], 0.0
    for character in number:
        if character not in _CHARACTERS:  # the space before a percent sign
            x += 4
            continue
        name = _CHARACTERS[character]
        narrow = 3.5 if name in _NARROW else 0
        strokes.append((name, x - narrow))
        x += NUMERAL_WIDTH - 2 * narrow
    return Run(number, tuple(strokes), x)


def _stroke_attributes(width: float = 3) -> str:
    return (
        f'fill="none" stroke-width="{width:g}" stroke-linecap="round" stroke-linejoin="round"'
    )


def _number_svg(number: int, place: Point, size: float, colour: str) -> str:
    """The SVG of a number in numerals, as one path, from this corner."""
    digits = [
        moved_path(NUMERALS[f"d{digit}"], NUMERAL_WIDTH * k, 0)
        for k, digit in enumerate(str(number))
    ]
    where = f"translate({place[0]:g} {place[1]:g})scale({size:g})"
    return (
        f'<path d="{"".join(digits)}" transform="{where}" stroke="var(--{colour})"'
        f" {_stroke_attributes()}/>"
    )


def _row_svg(shape: Shape, count: int) -> str:
    """The SVG of a shape's row on cards. It steps back where ``--row-…`` says so."""
    y = _FIRST_ROW + _ROW_STEP * list(Shape).index(shape)
    places = [(x, y) for x in _PLACES]
    empty = _paths_svg(_EMPTY, places[count:]) if count < len(places) else ""
    left = _COUNT_X - NUMERAL_WIDTH / 2 * _COUNT_SIZE
    top = y - NUMERAL_HEIGHT / 2 * _COUNT_SIZE
    return (
        f'<g id="{shape.value}-{count}" opacity="var(--row-{shape.value},1)">'
        f"{_paths_svg(SOLIDS[shape](), places[:count])}{empty}"
        f"{_number_svg(count, (left, top), _COUNT_SIZE, 'card-soft')}</g>"
    )


def _card_svg(card: Card) -> str:
    rows = "".join(
        f'<use href="#{shape.value}-{count}"/>'
        for shape, count in zip(Shape, card.counts, strict=True)
    )
    return f'<use href="#blank"/><use href="#value-{card.value}"/>{rows}'


def _back_svg() -> str:
    """The SVG of a back, all outlines as one path: a fan of backs draws many of them."""
    star = [(round(0.68 * x, 1), round(0.68 * y, 1)) for x, y in _star_corners()]
    steps = [(x - u, y - v) for (u, v), (x, y) in pairwise(star)]
    outlines = (
        "m-7 0a7 7 0 1 0 14 0a7 7 0 1 0-14 0",
        "m0-7.5 6.5 3.7v7.6l-6.5 3.7-6.5-3.7v-7.6zm-6.5 3.7 6.5 3.8 6.5-3.8m-6.5 3.8v7.5",
        "m0-7.5-6.5 12a6.5 2.6 0 0 0 13 0z",
        f"m{star[0][0]:g} {star[0][1]:g}l{' '.join(f'{x:g} {y:g}' for x, y in steps)}z",
    )
    pattern = "".join(
        f"M{17 + 22 * column} {15 + 22 * row}{outlines[(column + 2 * row + row // 2) % 4]}"
        for row in range(6)
        for column in range(4)
    ).replace(" -", "-")
    return (
        '<use href="#blank"/><rect x="5.5" y="5.5" width="89" height="129" rx="5.5"'
        f' fill="var(--card-back)"/><path d="{pattern}" fill="none" stroke="var(--glint)"'
        ' stroke-width="1.3" stroke-linejoin="round" opacity=".6"/>'
    )


MARK_WIDTH, MARK_TOP, MARK_HEIGHT = 82.5, -2, 20.5
_X = "M2 2 12 16M12 2 2 16"


def _solid_at(shape: Shape, x: float, y: float, size: float) -> str:
    return f'<use href="#solid-{shape.value}" transform="translate({x} {y})scale({size})"/>'


def _mark_svg() -> str:
    """The name in letters as heavy as the numerals, each solid once: a star in the X, a ball
    for the bowl of an a, a cube as the i's dot, a cone for the last a."""
    letters = (
        "M26 6.5V16"
        "M38.2 7.7A4.75 4.75 0 1 0 38.2 14.8"
        "M44 2.6V12.8c0 2.2 1.2 3.2 3.6 3.2M41.2 6.5h6.3"
        "M52.9 9.8V16"
        "M59 2V16M66 6.5 59 12.2M61.8 10.2 66.4 16"
    )
    return (
        f'<path d="{_X}{letters}" {_stroke_attributes()} stroke="currentcolor"/>'
        + _solid_at(Shape.STAR, 7, 8.8, 0.48)
        + _solid_at(Shape.BALL, 19.8, 11.25, 0.56)
        + _solid_at(Shape.CUBE, 52.9, 3.2, 0.36)
        + _solid_at(Shape.CONE, 75.2, 11, 0.59)
    )


def figurine_of(name: str) -> tuple[Shape, Shape]:
    """The two solids of a name's figurine: its head and its body. A name has the same one
    everywhere, and nothing is stored."""
    head, body = divmod(sha256(name.encode()).digest()[0] % 16, 4)
    return list(Shape)[head], list(Shape)[body]


def _solid_on_rim(shape: Shape) -> str:
    """The SVG of a head or a body: the solid on a rim of paper, as on the slate, too."""
    rim = 'fill="var(--card-face)" stroke="var(--card-face)" stroke-width="4"'
    path = f'<path d="{SOLIDS[shape]()[0][0]}" {rim} stroke-linejoin="round"/>'
    return f'<g id="of-{shape.value}">{path}<use href="#solid-{shape.value}"/></g>'


_MOUTH_AT = {Shape.BALL: 7, Shape.CUBE: 8, Shape.CONE: 8.7, Shape.STAR: 5.5}
"""How far below the middle of a head its mouth is."""
_MOUTHS = {
    "calm": ("M-3-1Q0 .4 3-1 0 3-3-1z", 1),
    "glad": ("M-5-1.6H5C4 4.5-4 4.5-5-1.6z", 0),
    "sorry": ("M-4 2Q0 1 4 2 0-5-4 2z", 0),
}
"""By mood, of which the page has one seen; the first, if it says nothing."""


def _mouth_svg() -> str:
    paper = 'fill="var(--card-face)" stroke="var(--card-ink)" stroke-linejoin="round"'
    moods = (
        f'<path d="{path}" opacity="var(--{mood},{seen})"/>'
        for mood, (path, seen) in _MOUTHS.items()
    )
    return f'<g id="mouth" {paper}>{"".join(moods)}</g>'


def _head_svg(shape: Shape) -> str:
    return (
        f'<g id="head-{shape.value}" transform="translate(0-9)scale(.9)">'
        f'<use href="#of-{shape.value}"/><use href="#mouth" y="{_MOUTH_AT[shape]}"/></g>'
    )


_EYES = f"{_circle_path(-4, -4, 1)}{_circle_path(4, -4, 1)}"
REACTIONS = {
    "smile": f"{_EYES}M-6 3Q0 8 6 3",
    "clap": (
        "M-10-.5H-5V9H-10zM-5 .5-1-8.5C1.4-9.4 3.2-7.8 2.6-5.2L1.8-1.6H7.6"
        "C9.2-1.6 10.2-.4 9.8 1.2L8.2 7.2C7.8 8.4 7 9 5.8 9H-5z"
    ),
    "wow": f"{_EYES}{_circle_path(0, 5, 3)}",
    "luck": "M-7 9H-3.5C-7 1-6-6 0-6S7 1 3.5 9H7C12-1 9-10 0-10S-12-1-7 9z",
    "thanks": "M0 9.5C-19-2-5-15 0-5 5-15 19-2 0 9.5z",
}
"""Line drawings by name, whose ink the page gives: none has a solid's form or hue, which mean
the shapes. A face has no outline, as it always stands in a circle."""


def _reaction(name: str) -> str:
    return f'<symbol id="{name}" viewBox="-13 -13 26 26"><path d="{REACTIONS[name]}"/></symbol>'


_ON_DARK = {"--star": "#f0c441", "--shade": "rgb(20 15 5 / .34)", "--card-line": "#191817"}


def icon() -> str:
    """The SVG of the mark's X for browsers' tabs, where there are no tokens."""
    star = re.sub(r"var\((--[a-z-]+)\)", lambda token: _ON_DARK[token[1]], _paths_svg(_star()))
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">'
        '<rect width="32" height="32" rx="7" fill="#23211c"/>'
        '<g transform="translate(16 16) scale(1.55) translate(-7 -9)">'
        f'<path d="{_X}" {_stroke_attributes()} stroke="#f1ede4"/>'
        f'<g transform="translate(7 8.8) scale(.56)">{star}</g></g></svg>\n'
    )


def sprite() -> str:
    """The whole sprite: ``#ball`` … ``#star``, ``#c1111`` … ``#c3333``, ``#back``, the
    numerals ``#d0`` … ``#d9``, ``#minus`` … ``#comma``, the figurines ``#ball-on-ball`` …
    ``#star-on-star``, what people at a table may show each other, ``#clap`` …, and ``#mark``,
    the name."""
    lines = ['<svg xmlns="http://www.w3.org/2000/svg">']
    for shape, draw in SOLIDS.items():
        lines.append(f'<g id="solid-{shape.value}">{_paths_svg(draw())}</g>')
        lines.append(
            f'<symbol id="{shape.value}" viewBox="-13 -13 26 26">'
            f'<use href="#solid-{shape.value}"/></symbol>'
        )
    lines.append(
        '<rect id="blank" x="1" y="1" width="98" height="138" rx="9" fill="var(--card-face)"'
        ' stroke="var(--card-line)" stroke-width="1.6"/>'
    )
    cell = f'viewBox="0 0 {NUMERAL_WIDTH} {NUMERAL_HEIGHT}" stroke="currentcolor"'
    for name, strokes in NUMERALS.items():
        how = _stroke_attributes(2.2 if name == "percent" else 3)
        lines.append(f'<symbol id="{name}" {cell}><path d="{strokes}" {how}/></symbol>')
    lines += [_row_svg(shape, count) for shape in Shape for count in (1, 2, 3)]
    for value in range(4, 13):
        number = _number_svg(value, _VALUE_AT, _VALUE_SIZE, "card-ink")
        lines.append(f'<g id="value-{value}">{number}</g>')
    size = f'viewBox="0 0 {WIDTH} {HEIGHT}"'
    lines += [f'<symbol id="c{card}" {size}>{_card_svg(card)}</symbol>' for card in DECK]
    lines.append(f'<symbol id="back" {size}>{_back_svg()}</symbol>')
    lines += map(_solid_on_rim, Shape)
    lines += (_mouth_svg(), *map(_head_svg, Shape))
    lines += [
        f'<symbol id="{head.value}-on-{body.value}" viewBox="-14 -21 28 40">'
        f'<use href="#of-{body.value}" y="6"/>'
        f'<use href="#head-{head.value}"/></symbol>'
        for head, body in product(Shape, Shape)
    ]
    lines += map(_reaction, REACTIONS)
    mark = f'viewBox="0 {MARK_TOP} {MARK_WIDTH} {MARK_HEIGHT}"'
    lines += [f'<symbol id="mark" {mark}>{_mark_svg()}</symbol>', "</svg>", ""]
    return re.sub(r"(?<![\d.])0\.", ".", "\n".join(lines))

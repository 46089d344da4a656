"""The four shapes' hues stay apart for every eye, and outlines can be seen in both themes."""

from __future__ import annotations

import math
import re
from itertools import combinations, product

import pytest

from tests.site.style_sheet import CSS, tokens

SHAPES = ("ball", "cube", "cone", "star")
Rgb = tuple[float, float, float]

# Machado, Oliveira and Fernandes (2009), severity 1.0, on linear RGB.
SIGHTS: dict[str, tuple[Rgb, Rgb, Rgb]] = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def test_a_browser_draws_around_a_page_what_the_page_is_drawn_on() -> None:
    root = CSS.parents[3]
    for path in ("games/static/games/settings.js", "templates/base.html"):
        text = (root / path).read_text(encoding="utf-8")
        assert re.findall(r'"(#[0-9a-f]{6})"', text) == [*tokens()["paper"]], path


def linear(colour: str) -> Rgb:
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return tuple(  # type: ignore[return-value]
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (red, green, blue)
    )


def seen(colour: str, sight: str) -> Rgb:
    rgb = linear(colour)
    return tuple(  # type: ignore[return-value]
        min(1.0, max(0.0, sum(m * c for m, c in zip(row, rgb, strict=True))))
        for row in SIGHTS[sight]
    )


def lab(rgb: Rgb) -> Rgb:
    """CIE Lab of linear sRGB, D65."""
    r, g, b = rgb
    x = (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047
    y = 0.2126 * r + 0.7152 * g + 0.0722 * b
    z = (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883
    f = [t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116 for t in (x, y, z)]
    return 116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])


def contrast(one: str, other: str) -> float:
    """WCAG's ratio."""
    values = [0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in map(linear, (one, other))]
    return (max(values) + 0.05) / (min(values) + 0.05)


@pytest.mark.parametrize(("theme", "sight"), list(product((0, 1), SIGHTS)))
def test_hues_are_25_apart(theme: int, sight: str) -> None:
    colours = tokens()
    for one, other in combinations(SHAPES, 2):
        apart = math.dist(
            lab(seen(colours[one][theme], sight)), lab(seen(colours[other][theme], sight))
        )
        assert apart >= 25, (one, other, apart)


@pytest.mark.parametrize("theme", [0, 1])
def test_outlines_are_seen_on_card_and_table(theme: int) -> None:
    colours = tokens()
    for ground in ("paper", "sheet"):
        assert contrast(colours["card-line"][theme], colours[ground][theme]) >= 3
        assert contrast(colours["soft"][theme], colours[ground][theme]) >= 4.5


def test_cards_are_paper_and_chalk_is_read_on_slate() -> None:
    """The same in both themes."""
    plain = dict(re.findall(r"--([a-z-]+): (#\w{6});", CSS.read_text(encoding="utf-8")))
    line = tokens()["card-line"][0]
    assert contrast(line, plain["card-face"]) >= 3
    assert contrast(plain["card-soft"], plain["card-face"]) >= 4.5
    for slate in ("slate", "slate-deep"):
        assert contrast(plain["card-face"], plain[slate]) >= 3
        for chalk in ("chalk", "chalk-soft", "over"):
            assert contrast(plain[chalk], plain[slate]) >= 4.5


@pytest.mark.parametrize("name", ["cards", "icon"])
def test_the_pictures_are_what_the_code_draws(name: str) -> None:
    from games import art

    drawn = {"cards": art.sprite, "icon": art.icon}[name]()
    assert (CSS.parent / f"{name}.svg").read_text(encoding="utf-8") == drawn

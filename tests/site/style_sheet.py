"""The one style sheet, and the tokens in it."""

from __future__ import annotations

import re
from pathlib import Path

CSS = Path(__file__).resolve().parents[2] / "games" / "static" / "games" / "site.css"


def tokens() -> dict[str, tuple[str, str]]:
    """The colours of both themes, by token."""
    found = re.findall(
        r"--([a-z-]+): var\(--light, (#\w{6})\) var\(--dark, (#\w{6})\)",
        CSS.read_text(encoding="utf-8"),
    )
    return {name: (light, dark) for name, light, dark in found}


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

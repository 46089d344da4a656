"""The four shapes' hues stay apart for every eye, and outlines can be seen in both themes."""

from __future__ import annotations

import math
import re
from itertools import combinations, product

import pytest

from tests.site.style_sheet import CSS, SIGHTS, lab, linear, seen, tokens

SHAPES = ("ball", "cube", "cone", "star")


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

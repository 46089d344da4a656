"""The sprite: what each card is made of, and what pages may rely on."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from games.art import NUMERALS, sprite
from games.rules import DECK, Card, Shape

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def parts() -> dict[str, ElementTree.Element]:
    """Everything that has a name, by it."""
    names = [
        (part.get("id"), part) for part in ElementTree.fromstring(sprite()) if part.get("id")
    ]
    assert len(names) == len(dict(names))
    return dict(names)  # type: ignore[arg-type]


def used(part: ElementTree.Element) -> list[str]:
    return [use.attrib["href"].lstrip("#") for use in part.iter(f"{SVG}use")]


def test_whatever_is_used_is_there(parts: dict[str, ElementTree.Element]) -> None:
    for name, part in parts.items():
        assert set(used(part)) <= set(parts), name


@pytest.mark.parametrize("card", DECK, ids=str)
def test_a_card_shows_its_value_and_its_rows(
    parts: dict[str, ElementTree.Element], card: Card
) -> None:
    rows = [f"{shape.value}-{count}" for shape, count in zip(Shape, card.counts, strict=True)]
    assert used(parts[f"c{card}"]) == ["blank", f"value-{card.value}", *rows]
    assert used(parts[f"value-{card.value}"]) == [f"n-d{digit}" for digit in str(card.value)]


@pytest.mark.parametrize("shape", Shape)
@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_row_counts_itself_and_steps_back_alone(
    parts: dict[str, ElementTree.Element], shape: Shape, count: int
) -> None:
    row = parts[f"{shape.value}-{count}"]
    solids, empty = [f"solid-{shape.value}"] * count, ["empty"] * (3 - count)
    assert used(row) == [*solids, *empty, f"n-d{count}"]
    assert row.get("opacity") == f"var(--row-{shape.value},1)"


def test_numbers_are_our_own_numerals_of_one_width(
    parts: dict[str, ElementTree.Element],
) -> None:
    assert "<text" not in sprite()
    assert len({parts[name].get("viewBox") for name in NUMERALS}) == 1
    for name in NUMERALS:
        assert parts[name].get("stroke") == "currentcolor"
        assert "stroke" not in parts[f"n-{name}"].attrib  # takes what it stands in


def test_every_colour_is_the_pages(parts: dict[str, ElementTree.Element]) -> None:
    painted = re.findall(r'\b(?:fill|stroke)="([^"]+)"', sprite())
    assert all(re.fullmatch(r"none|currentcolor|var\(--[a-z-]+\)", each) for each in painted)


def test_a_fan_of_backs_is_cheap(parts: dict[str, ElementTree.Element]) -> None:
    assert len(list(parts["back"].iter())) <= 4
    assert used(parts["back"]) == ["blank"]

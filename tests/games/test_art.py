"""The sprite: what each card is made of, and what pages may rely on."""

from __future__ import annotations

import doctest
import re
from collections import Counter
from xml.etree import ElementTree

import pytest

from games import art
from games.art import NUMERALS, figurine_of, moved_path, runs, sprite
from games.rules import DECK, Card, Shape
from xactika_site.classrooms.names import ADJECTIVES, NOUNS

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


@pytest.mark.parametrize("value", range(4, 13))
def test_a_value_is_written_in_numerals(
    parts: dict[str, ElementTree.Element], value: int
) -> None:
    (number,) = parts[f"value-{value}"]
    assert number.attrib["d"] == "".join(
        moved_path(NUMERALS[f"d{digit}"], 13 * k, 0) for k, digit in enumerate(str(value))
    )
    assert number.get("stroke") == "var(--card-ink)"


@pytest.mark.parametrize("shape", Shape)
@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_row_counts_itself_and_steps_back_alone(
    parts: dict[str, ElementTree.Element], shape: Shape, count: int
) -> None:
    row = parts[f"{shape.value}-{count}"]
    solid, *_inside, number = row
    assert solid.get("fill") == f"var(--{shape.value})"
    assert solid.attrib["d"].count("M") == count
    empty = [path for path in row if path.get("stroke") == "var(--card-faint)"]
    assert sum(path.attrib["d"].count("M") for path in empty) == 3 - count
    assert number.attrib["d"] == moved_path(NUMERALS[f"d{count}"], 0, 0)
    assert row.get("opacity") == f"var(--row-{shape.value},1)"


def test_numerals_have_one_width_and_the_texts_colour(
    parts: dict[str, ElementTree.Element],
) -> None:
    assert "<text" not in sprite()
    assert len({parts[name].get("viewBox") for name in NUMERALS}) == 1
    for name in NUMERALS:
        assert parts[name].get("stroke") == "currentcolor"
        assert "stroke" not in parts[name][0].attrib


def test_every_colour_is_the_pages(parts: dict[str, ElementTree.Element]) -> None:
    painted = re.findall(r'\b(?:fill|stroke)="([^"]+)"', sprite())
    assert all(re.fullmatch(r"none|currentcolor|var\(--[a-z-]+\)", each) for each in painted)


def test_cards_are_cheap(parts: dict[str, ElementTree.Element]) -> None:
    """What a browser makes of each use: a table has dozens, and fans of backs."""

    def elements(part: ElementTree.Element) -> int:
        return sum(1 for _each in part.iter()) + sum(
            elements(parts[name]) for name in used(part)
        )

    assert max(elements(parts[f"c{card}"]) for card in DECK) <= 45
    assert elements(parts["back"]) <= 5
    assert len(sprite()) < 42_000


def test_what_a_reader_would_try_first() -> None:
    assert doctest.testmod(art).failed == 0


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("−12", ["minus", "d1", "d2"]),
        ("-3", ["minus", "d3"]),
        ("3/8", ["d3", "slash", "d8"]),
        ("12.5%", ["d1", "d2", "point", "d5", "percent"]),
        ("1,000", ["d1", "comma", "d0", "d0", "d0"]),
    ],
)
def test_a_number_is_one_run_of_numerals(
    parts: dict[str, ElementTree.Element], text: str, drawn: list[str]
) -> None:
    (run,) = runs(text)
    assert (run.text, [name for name, _x in run.strokes]) == (text, drawn)
    assert set(drawn) <= set(parts)
    places = [x for _name, x in run.strokes]
    assert places == sorted(set(places))
    assert run.width > places[-1]


def test_digits_stand_below_each_other() -> None:
    assert len({run.width for number in ("11", "96", "40") for run in runs(number)}) == 1


@pytest.mark.parametrize("text", ["12 of 22", "on target", "3. Round 7, then 8.", "", "–"])
def test_words_between_numbers_stay_as_they_are(text: str) -> None:
    assert "".join(run.text for run in runs(text)) == text
    for run in runs(text):
        assert bool(run.strokes) == run.text[0].isdigit()


def test_a_name_has_one_figurine_everywhere(parts: dict[str, ElementTree.Element]) -> None:
    names = [f"{adjective} {noun}" for adjective in ADJECTIVES[:20] for noun in NOUNS[:20]]
    figurines = Counter(map(figurine_of, names))
    assert len(figurines) == 16
    assert max(figurines.values()) < 3 * min(figurines.values())  # no shape is everybody's
    assert all(f"{head.value}-on-{body.value}" in parts for head, body in figurines)

"""Charts: figures in words that their script knows, and the page that they stand on."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.utils import translation

from games.rules import Shape
from lessons import charts
from lessons.measures.grid import Column, Format, Grid
from lessons.measures.panels import Panel
from tests.scenes import present
from tests.site.style_sheet import tokens

VALUES = list(range(4, 13))
CARDS = [1, 4, 10, 16, 19, 16, 10, 4, 1]
TRACES = {
    "bars": charts.bars(VALUES, CARDS, name="Cards", text=[str(n) for n in CARDS], width=0.8),
    "shapes": charts.bars(["ball", "cube"], [3, 4], colour=charts.SHAPES[Shape.BALL]),
    "hollow": charts.hollow_bars(VALUES, CARDS),
    "line": charts.line(VALUES, CARDS, marks="circle", step=True, dash="dash"),
    "points": charts.points([0, 1], [0.5, 1.5], sizes=[8, 12], text="ab"),
    "strokes": charts.strokes([0, 1], [(0, 0.5), (0.2, 1)]),
    "marked": charts.points([0, 1], [1, 2], marked={1}),
    "ribbon": charts.ribbon([0, 1], [(0, 0.5), (0.2, 1)]),
    "boxes": charts.boxes(["a", "b"], [[0, 1, 2, 3, 4], [1, 1, 2, 5, 9]]),
    "slices": charts.slices(["a", "b", "c"], [1, 2, 3]),
}


def strings(part: Any) -> set[str]:
    """All texts anywhere in a figure."""
    if isinstance(part, str):
        return {part}
    parts = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
    return set().union(*map(strings, parts))


def words(part: Any) -> set[str]:
    """All keys anywhere in a figure."""
    if isinstance(part, dict):
        return set(part).union(*map(words, part.values()))
    return set().union(*map(words, part)) if isinstance(part, list) else set()


@pytest.mark.parametrize("kind", TRACES)
def test_the_script_knows_every_word_of_a_figure(kind: str) -> None:
    figure = charts.figure(
        [TRACES[kind]], x="Value", y="Cards", every=1, legend=True, percent=True, overlay=True,
        bargap=0, small=True,
        shapes=[charts.level(8), charts.strip(3, 4)],
    )  # fmt: skip
    for axis in ("xaxis", "yaxis"):  # a measure's page may say so
        figure["layout"][axis] |= {"range": [3, 13], "tickvals": [4]}
    path = finders.find("lessons/plot.js")
    assert isinstance(path, str)
    known = set(re.findall(r"\w+", Path(path).read_text(encoding="utf-8")))
    assert words(figure) <= known | {"font"}  # which charts.js reads


def test_a_figure_has_its_numbers_and_only_colours_of_the_page() -> None:
    figure = charts.figure(list(TRACES.values()))
    bars, *_, slices = figure["data"]
    assert (bars["x"], bars["y"]) == (VALUES, CARDS)
    assert (slices["labels"], slices["values"]) == (["a", "b", "c"], [1, 2, 3])
    known = {f"--{name}" for name in tokens()} | {"--grid"}
    assert {text for text in strings(figure) if text.startswith("--")} <= known
    assert {text for text in strings(figure) if re.match("#|rgb", text)} == {charts.CLEAR}


def test_numbers_follow_the_language() -> None:
    assert charts.figure([])["layout"]["separators"] == ".,"
    with translation.override("fr"):
        assert charts.figure([])["layout"]["separators"].startswith(",")


def test_a_chart_has_its_sentence_its_figure_and_its_table() -> None:
    columns = Column("Value", Format.TEXT), Column("Cards")
    numbers = Grid("Cards by value", columns, (("4", 1), ("</script>", 4)))
    chart = Panel("cards", "How many?", "One <4>.", charts.figure([TRACES["bars"]]), numbers)
    page = render_to_string("lessons/_chart.html", {"chart": chart})
    assert 'data-figure="cards-figure"' in page
    assert '<script id="cards-figure" type="application/json">' in page
    assert "One &lt;4&gt;." in page
    assert page.count("<tr>") == 3
    assert "</script>" not in page.split("<details>")[1]
    empty = render_to_string("lessons/_chart.html", {"chart": Panel("none", "?", "None.")})
    assert "data-figure" not in empty
    assert "<table>" not in empty


# A label of two digits beside the largest dot of a phone's chart, in pixels.
WIDE, HIGH, DOT = 18, 13, 12
ACROSS, UP = 28, 18  # a bid, a trick
BOXES = {
    "top center": (-WIDE / 2, DOT),
    "bottom center": (-WIDE / 2, -DOT - HIGH),
    "middle right": (DOT, -HIGH / 2),
    "bottom right": (DOT * 0.7, -DOT * 0.7 - HIGH),
}
"""Where the label's lower left corner lies from the dot."""


@pytest.mark.parametrize("bid", range(9))
def test_no_line_crosses_the_number_beside_a_dot(bid: int) -> None:
    for tenth in range(81):
        (place,) = charts.label_positions([tenth / 10], [bid], 9)
        left, low = BOXES[place]
        x, y = bid * ACROSS + left, tenth / 10 * UP + low
        # The line bid = taken, where it enters and leaves the label's width.
        enters, leaves = (at / ACROSS * UP for at in (x, x + WIDE))
        assert leaves <= y or enters >= y + HIGH or x + WIDE <= 0, (bid, tenth, place)
        assert y >= -1.6 * UP, (bid, tenth, place)  # nor the axis below


def test_no_line_crosses_the_number_at_a_bar() -> None:
    line = [2.0] * 81
    heights = [tenth / 10 for tenth in range(-30, 51)]
    room = 0.1 * 8  # a label's height on an axis from −3 to 5
    for up, place in zip(heights, charts.beside_line(heights, line), strict=True):
        low = up if place == "outside" else up - room
        if up > 0:
            assert not low < 2.0 < low + room, (up, place)
            assert place == "outside" or up >= room


def test_the_guards_against_inline_sheets_are_those_of_plotly() -> None:
    """Without these elements it would add style elements, which our policy forbids."""
    script = Path(str(finders.find("plotly/plotly.min.js"))).read_text(encoding="utf-8")
    ours = Path(str(finders.find("lessons/closer.js"))).read_text(encoding="utf-8")
    found = present(re.search(r'SHEETS = \["plotly\.js-style-(\w+)", "([0-9a-f]{64})"\]', ours))
    assert f'"{found[1]}"' in script
    assert '"plotly.js-style-"' in script
    assert set(re.findall(r'getElementById\("([0-9a-f]{64})"\)', script)) == {found[2]}


@pytest.mark.parametrize("path", ["plotly/../plotly/plotly.min.js.map", "plotly/datasets"])
def test_nothing_else_of_the_wheel_is_served(path: str) -> None:
    assert finders.find(path) is None


def test_a_small_chart_has_numbers_only_where_they_are_given() -> None:
    chart = charts.small(
        [charts.bars(VALUES, CARDS, marked={0}), charts.ribbon([4, 12], [(1, 2), (3, 4)])],
        xaxis={"tickvals": [4, 8, 12]},
        shapes=[charts.strip(7, 9, upright=True), charts.strip(0, 2)],
    )
    layout = chart["layout"]
    assert layout["small"]
    assert not layout["showlegend"]
    assert (layout["xaxis"]["tickvals"], layout["yaxis"]["tickvals"]) == ([4, 8, 12], [])
    assert layout["xaxis"]["title"]["text"] == layout["yaxis"]["title"]["text"] == ""
    with pytest.raises(AssertionError):
        charts.small([TRACES["bars"]], xaxis={"tickvals": [4, 6, 8, 10]})


def test_what_stands_out_differs_by_form_and_not_by_colour_alone() -> None:
    bars = charts.bars([1, 2, 3], [1, 2, 3], marked={1})["marker"]
    assert bars["color"] == [charts.DATA, charts.MARKED, charts.DATA]
    assert bars["line"]["width"] == [1, 3, 1]
    dots = charts.points([1, 2, 3], [1, 2, 3], marked={2})["marker"]
    assert dots["color"] == [charts.DATA, charts.DATA, charts.MARKED]
    assert dots["symbol"] == ["circle", "circle", "diamond"]


def test_a_ribbon_goes_there_along_its_foot_and_back_along_its_top() -> None:
    ribbon = charts.ribbon([1, 2, 3], [(0, 5), (1, 6), (2, 7)])
    assert ribbon["x"] == [1, 2, 3, 3, 2, 1]
    assert ribbon["y"] == [0, 1, 2, 7, 6, 5]

"""A measure: its rows in figure, table and file, its sentences by facts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from django.utils import translation
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons import measures
from lessons.measures import page as pages
from lessons.measures.measure import panel
from tests.scenes import present
from xactika_site import locations
from xactika_site.texts import Problem

PAGE = """\
title when own!=yes: Do our bids come true?
title when own=yes: Do the bids come true?
empty: Nothing yet.

column bid: Bid
column hands: Hands
column mean 2: Taken, mean
column share %: Came true
column cells each taken: [taken]

x low=0 high=8 every=1: bid
y form=%: taken
level bid 1/2: half
bars bid share text=share/%: came true
bars bid share text=share/% else=0 lying: lying
dots bid mean size=hands as=diamond joined: mean

say n=hands: [hands] bid came true. | [hands] bids came true.
say when far=yes: That is [off signed] a hand.
caveat when few=yes: Few so far.
"""


@pytest.fixture(autouse=True)
def _pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    (tmp_path / "bids.txt").write_text(PAGE, encoding="utf-8")
    monkeypatch.setattr(pages, "PAGES", tmp_path)
    pages.page.cache_clear()
    yield
    pages.page.cache_clear()


def row(bid: int, share: Fraction | None, hands: int = 1) -> dict[str, Any]:
    mean = None if share is None else 8 * share
    return {"bid": bid, "hands": hands, "mean": mean, "share": share, "cells": [hands, 0]}


FACTS = {"hands": 2, "taken": range(2)}
shares = st.none() | st.fractions(0, 1, max_denominator=40)


@settings(deadline=None)
@given(st.lists(st.tuples(shares, st.integers(1, 50)), min_size=1, max_size=9))
def test_figure_table_and_file_say_the_same(drawn: list[tuple[Fraction | None, int]]) -> None:
    rows = [row(bid, *each) for bid, each in enumerate(drawn)]
    shown = panel("bids", rows, FACTS)
    assert shown.grid is not None
    _half, bars, lying, dots = present(shown.figure)["data"]
    filled = [each for each in rows if each["share"] is not None]
    assert bars["x"] == dots["x"] == [each["bid"] for each in filled]
    assert bars["y"] == pytest.approx([float(each["share"]) for each in filled], abs=1e-4)
    assert bars.get("text", []) == [
        text[3] for text in shown.grid.numbers.rows if text[3] != "–"
    ]
    assert lying["orientation"] == "h"
    assert lying["y"] == [each["bid"] for each in rows]
    assert [x for x, each in zip(lying["x"], rows, strict=True) if each in filled] == bars["y"]
    assert [each["share"] is None for each in rows] == [
        text == "" for text in lying.get("text", [""] * len(rows))
    ]
    written = [each[3] for each in shown.grid.plain if each[3] != ""]
    assert written == pytest.approx(bars["y"], abs=5.1e-5)  # a file has four decimals
    assert [len(each) for each in shown.grid.plain] == [6] * len(rows)


def test_columns_of_a_list_stand_side_by_side() -> None:
    shown = panel("bids", [row(3, Fraction(1, 2), hands=4)], FACTS)
    assert shown.grid is not None
    assert [each.title for each in shown.grid.columns][-2:] == ["0", "1"]
    assert shown.grid.rows == ((3, 4, Fraction(4), Fraction(1, 2), 4, 0),)


def test_facts_choose_what_is_said() -> None:
    rows = [row(1, Fraction(1))]
    assert panel("bids", rows, FACTS).summary == "2 bids came true."
    assert panel("bids", rows, FACTS | {"hands": 1}).summary == "1 bid came true."
    far = panel("bids", rows, FACTS | {"far": True, "off": Fraction(-1, 2), "few": True})
    assert far.summary == "2 bids came true. That is −0.5 a hand."
    assert far.caveat == "Few so far."
    assert far.title == "Do our bids come true?"
    assert panel("bids", rows, FACTS | {"own": True}).title == "Do the bids come true?"


def test_of_a_single_row_theory_is_a_level_across_the_graph() -> None:
    one = panel("bids", [row(1, Fraction(1))], FACTS).figure
    two = panel("bids", [row(1, Fraction(1)), row(2, Fraction(1))], FACTS).figure
    assert one is not None
    assert two is not None
    assert [each["y0"] for each in one["layout"]["shapes"]] == [0.5]
    assert "shapes" not in two["layout"]
    assert one["data"][-1]["mode"] == "markers"
    assert two["data"][-1]["mode"] == "markers+lines"


MEANS = """\
title: How far apart?
scored when graded=yes

column band signed at=0: from
column band signed at=1: up to

x category flat: day
y: mean
dashes day mean dot=26: mean
dots day mean beside pixels=pixels text=text/text: tables
bars day mean fill=colour

say n=mean: [mean 1] trick. | [mean 1] tricks.
basis n=days: [days] day. | [days] days.
"""


def test_pairs_dashes_and_sizes_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "means.txt").write_text(MEANS, encoding="utf-8")
    of_day: dict[str, Any] = {"mean": Fraction(3, 2), "pixels": 14, "text": "2"}
    rows = [
        of_day | {"day": "Mon", "band": (-1, 2), "colour": "--other"},
        of_day | {"day": "Tue", "band": None, "colour": "--data"},
    ]
    shown = panel("means", rows, {"mean": Fraction(3, 2), "days": 2})
    assert shown.figure is not None
    assert present(shown.grid).rows == ((-1, 2), (None, None))
    dashes, dots, bars = shown.figure["data"]
    assert (dashes["mode"], dashes["marker"]["size"]) == ("markers", 26)
    assert (dots["marker"]["size"], dots["text"]) == ([14, 14], ["2", "2"])
    assert dots["textposition"] == ["middle right", "middle right"]
    assert bars["marker"]["color"] == ["--other", "--data"]
    assert shown.figure["layout"]["xaxis"]["tickangle"] == 0
    assert (shown.summary, shown.basis, shown.is_scored) == ("1.5 tricks.", "2 days.", False)
    assert panel("means", rows, {"mean": 2.5, "days": 1, "graded": True}).is_scored
    assert panel("means", rows, {"mean": 1.0, "days": 1}).summary == "1.0 tricks."


def test_parts_need_no_rows() -> None:
    shown = panel("bids", facts=FACTS, parts=[("Board 1", "/boards/1/")])
    assert (shown.kind, shown.parts) == ("parts", (("Board 1", "/boards/1/"),))
    assert (shown.summary, shown.grid) == ("2 bids came true.", None)


def test_without_rows_it_says_what_would_fill_it() -> None:
    shown = panel("bids")
    assert (shown.summary, shown.figure, shown.grid) == ("Nothing yet.", None, None)
    assert shown.is_empty


def test_numbers_are_written_in_the_readers_language() -> None:
    with translation.override("fr"):
        shown = panel("bids", [row(1, Fraction(1, 3))], FACTS)
        assert present(shown.grid).numbers.rows[0][2:4] == ("2,67", "33\u00a0%")


@pytest.mark.parametrize(
    ("broken", "line", "told"),
    [
        ("bras bid share", 1, "a line begins with"),
        ("title: Bids?\ncolumn bid %%: Bid", 2, "column name text|int"),
        ("title: Bids?\n\n# A heading", 3, "a line begins with"),
        ("empty: Bids", 1, "title:"),
        ("title: Bids?\nsay when few: Few.", 2, "when fact=value"),
    ],
)
def test_what_cannot_be_read(tmp_path: Path, broken: str, line: int, told: str) -> None:
    path = tmp_path / "broken.txt"
    path.write_text(broken, encoding="utf-8")
    with pytest.raises(Problem, match=re.escape(told)) as raised:
        pages.read(path)
    assert raised.value.line == line


def test_a_missing_fact_is_told_with_its_line() -> None:
    with pytest.raises(Problem, match=r"bids\.txt:19: nothing is called “\[off\]”"):
        panel("bids", [row(1, Fraction(1))], FACTS | {"far": True})


def test_every_page_is_somebodys_and_everybody_has_one() -> None:
    """Pages that no panel names would be translated for nobody."""
    folder = Path(measures.__file__).parent / "pages"
    sources = (locations.RESOURCES / "lessons").rglob("*.py")
    texts = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    named = set(re.findall(r'\b(?:panel\(|page\(|tile\(\s*"\w+",)\s*"([\w-]+)"', texts))
    assert named == {path.stem for path in folder.glob("*.txt")}

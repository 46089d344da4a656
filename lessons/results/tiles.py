"""A measure at a glance: a small chart whose title says what is seen in it."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from games.words import sentences
from lessons import charts
from lessons.charts import Figure, Trace
from lessons.exercises.lines import Facts
from lessons.measures.page import page
from lessons.results.words import percent


@dataclass(frozen=True, slots=True)
class Tile:
    """A measure at a glance: what is seen (``claim``), the number, a small chart, and the chart
    in a sentence for the ear; shown where there is no chart. ``stands_out`` says that it is
    farther off than luck goes, or needs the teacher, unless it ``is_good``; ``ask`` is a
    question to the class.

    A press leads to the ``panel`` of this key, the whole figure, or else to a ``page``.
    ``is_open`` says that there is nothing yet, ``note`` is a line below the chart."""

    key: str
    claim: str
    number: str
    figure: Figure | None
    summary: str
    panel: str = ""
    ask: str = ""
    stands_out: bool = False
    is_good: bool = False
    is_open: bool = False
    page: str = ""
    note: str = ""

    @property
    def figure_id(self) -> str:
        """The id of the element that holds the figure's JSON."""
        return f"tile-{self.key}-figure"

    @property
    def look(self) -> str:
        """Its classes in the style sheet."""
        looks = {"stands-out": self.stands_out, "good": self.is_good, "waits": self.is_open}
        return " ".join(look for look, has in looks.items() if has)

    @property
    def address(self) -> str:
        """Where a press leads, if anywhere."""
        return f"#{self.panel}" if self.panel else self.page


def tile(
    key: str,
    name: str,
    facts: Facts,
    figure: Figure | None,
    *,
    panel: str | None = None,
    stands_out: bool = False,
    is_open: bool = False,
) -> Tile:
    """A measure at a glance in the words of its page; a press leads to the ``panel`` of the
    page's name, unless another is given, or none."""
    said = page(name)
    number, summary, ask, note = (
        sentences(*said.said(word, facts)) for word in ("number", "summary", "ask", "note")
    )
    return Tile(
        key,
        said.claim(facts),
        number,
        figure,
        summary,
        name if panel is None else panel,
        ask,
        stands_out,
        is_open=is_open,
        note=note,
    )


NAMED = 4
"""Bars with names for which a tile has room."""


def named_bars(
    names: Sequence[str],
    lengths: Sequence[Fraction | float],
    text: Sequence[str],
    *,
    marked: Container[int] = (),
    **options: Any,
) -> Trace:
    """Bars that lie, the first on top, each with its name and ``text``; of many the first."""
    order = range(min(NAMED, len(names)))[::-1]
    return charts.lying(
        [names[n] for n in order],
        [float(lengths[n]) for n in order],
        text=[text[n] for n in order] if text else (),
        marked={place for place, n in enumerate(order) if n in marked},
        **options,
    )


def named_shares(
    names: Sequence[str], shares: Sequence[Fraction | float], *, marked: Container[int] = ()
) -> Figure:
    """A small figure of such bars of shares from 0 to 1."""
    bars = named_bars(names, shares, list(map(percent, shares)), marked=marked)
    chart = charts.small([bars])
    chart["layout"]["xaxis"]["range"] = [0, 1]
    return chart


def share_bars(
    names: Sequence[str],
    shares: Iterable[Fraction | float],
    *,
    marked: Container[int] = (),
    **layout: Any,
) -> Figure:
    """A small figure of shares from 0 to 1, a bar a name; those ``marked`` stand out."""
    bars = charts.bars(names, list(map(float, shares)), marked=marked)
    return charts.small([bars], percent=True, y_range=(0, 1), y_ticks=[0, 0.5, 1], **layout)

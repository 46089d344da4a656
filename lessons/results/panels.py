"""What a page of results is made of: a question, the sentence that answers it from the data,
a figure, the table of its numbers, on what it rests, and a caveat."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from math import sqrt

from lessons.charts import Chart, Figure
from lessons.lesson_pages import Row
from lessons.results.grid import Grid
from lessons.results.words import not_for_all

WALL_LETTERS = 24
"""Pixels of a figure's letters on the wall."""


@dataclass(frozen=True, slots=True)
class Panel:
    """One question of the page. ``kind`` is ``chart`` (its table folded below), ``table``
    (the table is the answer), ``heat`` (a coloured table) or ``tally`` (``bars`` in one)."""

    key: str
    title: str
    summary: str
    figure: Figure | None = None
    grid: Grid | None = None
    basis: str = ""
    caveat: str = ""
    kind: str = "chart"
    size: str = ""
    bars: tuple[Row, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing yet; the summary says what would fill it."""
        return self.figure is None and (self.grid is None or not self.grid.rows)

    @property
    def chart(self) -> Chart:
        """As ``lessons/_chart.html`` shows it."""
        return Chart(
            key=self.key,
            title=self.title,
            summary=self.summary,
            figure=self.figure,
            numbers=self.grid.numbers if self.grid else None,
            basis=self.basis,
            caveat=self.caveat,
            size=self.size,
        )

    def enlarged(self) -> Panel:
        """The same for the wall: a figure whose letters, lines and dots are read from afar."""
        if self.figure is None:
            return self
        figure = deepcopy(self.figure)
        layout = figure["layout"]
        layout["font"]["size"] = WALL_LETTERS
        layout["margin"] = {side: 2 * room for side, room in layout["margin"].items()}
        for trace in figure["data"]:
            if "line" in trace:
                trace["line"]["width"] = 4
            if trace["type"] == "scatter" and "marker" in trace:
                sizes = trace["marker"].get("size", 10)
                trace["marker"]["size"] = (
                    [1.7 * size for size in sizes] if isinstance(sizes, list) else 1.7 * sizes
                )
        return replace(self, figure=figure)

    def hidden(self) -> Panel:
        """The same on a screen that others see, where too few students stand behind it."""
        return Panel(self.key, self.title, not_for_all())


def dot_sizes(weights: Sequence[int]) -> list[float]:
    """Dots whose areas grow with what stands behind them."""
    most = max(weights)
    return [round(9 + 15 * sqrt(weight / most), 1) for weight in weights]

"""What a page of results is made of: a question, the sentence that answers it from the data,
a figure, the table of its numbers, on what it rests, and a caveat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from lessons.charts import Chart, Figure
from lessons.results.grid import Grid
from lessons.results.words import not_for_all


@dataclass(frozen=True, slots=True)
class Panel:
    """One question of the page. ``kind`` is ``chart`` (its table folded below), ``table``
    (the table is the answer) or ``heat`` (a coloured table)."""

    key: str
    title: str
    summary: str
    figure: Figure | None = None
    grid: Grid | None = None
    basis: str = ""
    caveat: str = ""
    kind: str = "chart"
    size: str = ""

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

    def hidden(self) -> Panel:
        """The same on a screen that others see, where too few students stand behind it."""
        return Panel(self.key, self.title, not_for_all())


def dot_sizes(weights: Sequence[int]) -> list[float]:
    """Dots whose areas grow with what stands behind them."""
    most = max(weights)
    return [round(9 + 15 * sqrt(weight / most), 1) for weight in weights]

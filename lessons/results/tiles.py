"""A measure at a glance: a small chart whose title says what is seen in it."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from games.words import sentences
from lessons.charts import Figure
from lessons.exercises.page_lines import Facts
from lessons.measures.marks import small_figure
from lessons.measures.page import page


class TileLink(NamedTuple):
    """Where a tile leads on by one press: called so, to this page."""

    words: str
    page: str


@dataclass(frozen=True, slots=True)
class Tile:
    """A measure at a glance: what is seen (``claim``), the number, a small chart, and the chart
    in a sentence for the ear; shown where there is no chart. ``stands_out`` says that it is
    farther off than luck goes, or needs the teacher, unless it ``is_good``; ``ask`` is a
    question to the class.

    A press leads to the ``panel`` of this key, the whole figure, or else to a ``page``.
    ``is_open`` says that there is nothing yet, ``note`` is a line below the chart, ``leads``
    are links beside it."""

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
    leads: Sequence[TileLink] = ()

    @property
    def figure_id(self) -> str:
        """The id of the element that holds the figure's JSON."""
        return f"tile-{self.key}-figure"

    @property
    def band(self) -> str:
        """What a grey band in the chart is, which the page explains; empty without one."""
        chart = self.figure or {"data": (), "layout": {}}
        marks = (*chart["data"], *chart["layout"].get("shapes", ()))
        return next((mark["legend"] for mark in marks if mark.get("legend") in BANDS), "")

    @property
    def look(self) -> str:
        """The tile's classes in the style sheet."""
        looks = {
            "stands-out": self.stands_out,
            "good": self.is_good,
            "waits": self.is_open,
            "leaves": self.page and not self.panel,
        }
        return " ".join(look for look, has in looks.items() if has)

    @property
    def address(self) -> str:
        """Where a press leads, if anywhere."""
        return f"#{self.panel}" if self.panel else self.page


def tile(
    key: str,
    name: str,
    facts: Facts,
    rows: Sequence[Any] = (),
    *,
    panel: str | None = None,
    **more: Any,
) -> Tile:
    """A measure at a glance in the words of its page, with the page's small chart of these
    rows, and whatever ``more`` a tile has; a press leads to the ``panel`` of the page's name,
    unless another is given, or none."""
    wording = page(name)
    number, summary, ask, note = (
        sentences(*wording.texts(word, facts)) for word in ("number", "summary", "ask", "note")
    )
    return Tile(
        key,
        wording.claim(facts),
        number,
        small_figure(wording, rows, facts),
        summary,
        name if panel is None else panel,
        ask,
        **{"note": note, **more},
    )


BANDS = ("luck", "margin")
"""Grey bands, which the page explains for all its small charts at once: how far luck alone goes
around what is expected, and the margin of error around the class's figure."""


BESIDE = 0.3
"""The part of a small chart's width that “our mean” takes up beside its dot."""


def mean_above(
    mean: float,
    row: float,
    *,
    theory: float,
    strip: tuple[float, float] | None,
    within: tuple[float, float],
    is_marked: bool,
) -> dict[str, Any]:
    """The facts of the class's mean as a dot in a row above bars: the dot with its name beside
    it and beside the ``strip`` (of luck, or its own margin), away from ``theory``; the ends of
    an axis on which this has room; and the strip, if there is one."""
    low, high = within
    near, far = strip or (mean, mean)
    is_left = mean < theory
    end = min(near, mean) if is_left else max(far, mean)
    if is_left:
        low = min(low, (end - BESIDE * high) / (1 - BESIDE))
    else:
        high = max(high, (end - BESIDE * low) / (1 - BESIDE))
    dot = {"mean": mean, "row": row, "end": end, "label": _("Our mean"), "size": 10}
    return {
        "dot": [dot | {"marked": is_marked}],
        "side": f"middle {'left' if is_left else 'right'}",
        "x_range": (low, high),
        "ranged": strip is not None,
        "low": near,
        "high": far,
    }


NAMED = 4
"""Bars with names for which a tile has room."""


def lying(rows: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The rows of bars that lie with their names, the first on top; of many the first."""
    return [*rows][:NAMED][::-1]


MANY = 10
"""More bars than these have no room for a number each."""


def share_rows(
    shares: Iterable[tuple[str, Fraction]], marked: Container[int] = ()
) -> list[Mapping[str, Any]]:
    """A row for each share from 0 to 1, with its name; those ``marked`` stand out."""
    return [
        {"name": name, "share": share, "marked": n in marked}
        for n, (name, share) in enumerate(shares)
    ]

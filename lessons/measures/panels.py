"""What a page of results is made of: panels, in sections."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from enum import StrEnum
from math import ceil

from django.utils.translation import gettext as _

from lessons.charts import Figure, Numbers, Size
from lessons.measures.grid import Format, Grid, Noted
from xactika_site.classrooms.privacy import FEWEST

WALL_LETTERS, WALL_LINE, WALL_SCALE = 24, 4, 1.7
"""Pixels of a figure's letters and lines on the wall; how much larger its dots are there."""

ROWS, NOTED_ROWS = 10, 4
"""Rows of a table that one screen of the wall has room for; fewer where they have notes, the
commonest alone."""

HEAT_ROWS = 12
"""Rows of a coloured table that a page shows at once; more of them scroll."""

FIRST = 5
"""So many of a long list are named on the wall, of its better half, and whoever stands level
with the last."""


def hidden_notice() -> str:
    """What stands on a screen that others see instead of averages of a few students."""
    words = _("Averages need %d students. Hands where a bot or the clock moved don’t count.")
    return words % FEWEST


@dataclass(frozen=True, slots=True)
class TallyRow:
    """A bar of a tally: what was chosen, how often, how wide in percent; whether it is what is
    true, and what one chose oneself."""

    label: str
    count: int
    width: int
    is_true: bool = False
    is_mine: bool = False


class PanelKind(StrEnum):
    """How a panel shows what it says."""

    CHART = "chart"  # its table is folded below
    TABLE = "table"  # the table is the answer
    HEAT = "heat"  # a coloured table
    TALLY = "tally"  # its ``bars``
    PARTS = "parts"  # folds by label and address, each fetched when it is opened


@dataclass(frozen=True, slots=True)
class Panel:
    """One question of the page: a title, the sentence that answers it, the figure (None: there
    is nothing to draw yet, and the sentence says what would fill it), its numbers, on what it
    rests, and a caveat. ``key`` is unique on the page."""

    key: str
    title: str
    summary: str
    figure: Figure | None = None
    grid: Grid | None = None
    basis: str = ""
    caveat: str = ""
    kind: PanelKind = PanelKind.CHART
    size: Size = Size.USUAL
    bars: tuple[TallyRow, ...] = ()
    parts: tuple[tuple[str, str], ...] = ()
    # Whether it says how good forecasts are: below it the page explains their score.
    is_scored: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing yet; the summary says what would fill it."""
        return self.figure is None and (self.grid is None or not self.grid.rows)

    @property
    def figure_id(self) -> str:
        """The id of the element that holds the figure's JSON."""
        return f"{self.key}-figure"

    @property
    def numbers(self) -> Numbers | None:
        """The table of the figure's numbers, as texts."""
        return self.grid.numbers if self.grid else None

    @property
    def look(self) -> str:
        """The panel's kind, and whether its table scrolls, as words for the stylesheet."""
        rows = self.grid.rows if self.grid else ()
        is_long = self.size is Size.LONG or (
            self.kind is PanelKind.HEAT and len(rows) > HEAT_ROWS
        )
        return f"{self.kind} long" if is_long else self.kind

    @property
    def rank(self) -> int:
        """Where on the wall it comes: 0 (pictures), 1 (tables), 2 (who stands where)."""
        return 2 if self.size is Size.LONG else 1 if self.kind is PanelKind.TABLE else 0

    def screens(self) -> list[Panel]:
        """The panel on the wall, a screen each: the figure enlarged, of a long list its
        beginning, a table that one screen has no room for on several, as even as they go."""
        if self.size is Size.LONG:
            return [self._beginning()]
        rows = self.grid.rows if self.grid and self.kind is PanelKind.TABLE else ()
        if rows and isinstance(rows[0][0], Noted):
            return [self._commonest()]
        return self._on_screens() if len(rows) > ROWS else [self._enlarged()]

    def _commonest(self) -> Panel:
        """The panel with the first rows of a table with notes, without its columns of words."""
        assert self.grid is not None
        columns = [
            n
            for n, column in enumerate(self.grid.columns)
            if not n or column.form is not Format.TEXT
        ]
        grid = replace(
            self.grid,
            columns=tuple(self.grid.columns[n] for n in columns),
            rows=tuple(tuple(row[n] for n in columns) for row in self.grid.rows[:NOTED_ROWS]),
        )
        return replace(self, grid=grid)

    def _on_screens(self) -> list[Panel]:
        """The panel's table on as few screens as can be, the first of which says what is seen;
        each title says which rows it has, of how many that are shown."""
        assert self.grid is not None
        rows = self.grid.rows
        parts, screens = ceil(len(rows) / ROWS), []
        for n in range(parts):
            first, end = len(rows) * n // parts, len(rows) * (n + 1) // parts
            at = {"title": self.title, "first": first + 1, "last": end, "all": len(rows)}
            screens.append(
                replace(
                    self,
                    key=f"{self.key}-from-{first + 1}" if n else self.key,
                    title=_("%(title)s %(first)d to %(last)d of %(all)d") % at,
                    summary="" if n else self.summary,
                    grid=replace(self.grid, rows=rows[first:end]),
                )
            )
        return screens

    def _beginning(self) -> Panel:
        """The panel with the first of its list of places, as many as stand in one screen and
        none of the lower half alone."""
        if self.grid is None or not self.grid.rows:
            return self
        rows = self.grid.rows
        last = rows[min(FIRST, ceil(len(rows) / 2)) - 1][0]
        level = [n for n, row in enumerate(rows, 1) if row[0] == last]
        beginning = rows[: min(level[-1], ROWS)]
        return replace(self, grid=replace(self.grid, rows=beginning))

    def _enlarged(self) -> Panel:
        """The panel with letters, lines and dots that are read from afar."""
        if self.figure is None:
            return self
        figure = deepcopy(self.figure)
        layout = figure["layout"]
        layout["font"]["size"] = WALL_LETTERS
        for trace in figure["data"]:
            if "thickness" in trace.get("error_y", {}):
                trace["error_y"]["thickness"] *= WALL_SCALE
            if "line" in trace:
                trace["line"]["width"] = WALL_LINE
            if trace["type"] == "scatter" and "marker" in trace:
                sizes = trace["marker"].get("size", 10)
                trace["marker"]["size"] = (
                    [WALL_SCALE * size for size in sizes]
                    if isinstance(sizes, list)
                    else WALL_SCALE * sizes
                )
        return replace(self, figure=figure)

    def shown_to(self, students: int, *, is_shared: bool) -> Panel:
        """The panel, or what stands in its place on a screen that others see (``is_shared``)
        where fewer students than FEWEST stand behind it."""
        return self.hidden() if is_shared and students < FEWEST else self

    def hidden(self) -> Panel:
        """The panel on a screen that others see, where too few students stand behind it."""
        return Panel(self.key, self.title, hidden_notice())


@dataclass(frozen=True, slots=True)
class Section:
    """A chapter: its panels, and in some a sentence above or ``students`` (key and name) to
    choose from below. Its ``key`` is also its address on the page; the menu has the
    ``short`` title where there is one."""

    key: str
    title: str
    panels: Sequence[Panel] = ()
    sentence: str = ""
    short: str = ""
    students: Sequence[tuple[int, str]] = ()

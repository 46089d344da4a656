"""A measure at a glance: a small chart whose title says what is seen in it."""

from __future__ import annotations

from dataclasses import dataclass

from games.words import sentences
from lessons.charts import Figure
from lessons.exercises.lines import Facts
from lessons.measures.page import page


@dataclass(frozen=True, slots=True)
class Tile:
    """A measure at a glance: what is seen (``claim``), the number, a small chart, and the chart
    in a sentence for the ear; shown where there is no chart. ``stands_out`` says that it is
    farther off than luck goes, or needs the teacher; ``ask`` is a question to the class.

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
    is_open: bool = False
    page: str = ""
    note: str = ""

    @property
    def figure_id(self) -> str:
        """The id of the element that holds the figure's JSON."""
        return f"tile-{self.key}-figure"

    @property
    def address(self) -> str:
        """Where a press leads, if anywhere."""
        return f"#{self.panel}" if self.panel else self.page


def tile(
    key: str, name: str, facts: Facts, figure: Figure, *, stands_out: bool = False
) -> Tile:
    """A measure at a glance in the words of its page, which are those of its panel."""
    said = page(name)
    return Tile(
        key,
        said.claim(facts),
        sentences(*said.said("number", facts)),
        figure,
        "",
        name,
        sentences(*said.said("ask", facts)),
        stands_out,
        note=sentences(*said.said("note", facts)),
    )

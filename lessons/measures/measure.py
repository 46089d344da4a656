"""A measure: rows and facts, with the words of its page. What pages show, files hold and walls
draw follows from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from games.words import sentences
from lessons.charts import Size
from lessons.exercises.page_lines import Facts, PageLine
from lessons.measures.grid import Column, Format, Grid
from lessons.measures.marks import figure, value
from lessons.measures.page import MeasurePage, options, page, positional
from lessons.measures.panels import Panel, PanelKind


def panel(
    name: str,
    rows: Sequence[Any] = (),
    facts: Facts | None = None,
    *,
    key: str = "",
    basis: str = "",
    parts: Sequence[tuple[str, str]] = (),
) -> Panel:
    """The panel of a measure: the words of the page ``name``, the marks and the table of these
    rows, or its ``parts``. A row is anything with the columns' names as attributes or keys.
    Without any it says what would fill it."""
    wording, facts = page(name), facts or {}
    title = wording.texts("title", facts)[0]
    kind = PanelKind.PARTS if parts else _kind(wording, facts)
    if not rows and not parts:
        return Panel(key or name, title, sentences(*wording.texts("empty", facts)), kind=kind)
    return Panel(
        key or name,
        title,
        sentences(*wording.texts("say", facts)),
        figure(wording, rows, facts),
        grid(wording, rows, facts) if rows else None,
        sentences(basis, *wording.texts("basis", facts)),
        sentences(*wording.texts("caveat", facts)),
        kind=kind,
        size=Size(next((positional(line)[0] for line in wording.of("size", facts)), "")),
        parts=tuple(parts),
        is_scored=any(wording.of("scored", facts)),
    )


def _kind(wording: MeasurePage, facts: Facts) -> PanelKind:
    if any(wording.of("heat", facts)):
        return PanelKind.HEAT
    return PanelKind.CHART if any(wording.of("y", facts)) else PanelKind.TABLE


def grid(wording: MeasurePage, rows: Sequence[Any], facts: Facts) -> Grid:
    """The table of a measure."""
    lines = wording.of("column", facts)
    columns = [each for line in lines for each in _columns(wording, line, facts)]
    heat = [
        (positional(line)[0], options(line).get("framed")) for line in wording.of("heat", facts)
    ]
    return Grid(
        wording.texts("title", facts)[0],
        tuple(column for column, _name, _place in columns),
        tuple(
            tuple(_cell(row, name, place) for _column, name, place in columns) for row in rows
        ),
        tuple(tuple(value(row, shades)) for shades, _framed in heat for row in rows),
        tuple(value(row, framed) for _shades, framed in heat if framed for row in rows),
    )


def _cell(row: Any, name: str, place: int | None) -> Any:
    cell = value(row, name)
    return cell if cell is None or place is None else cell[place]


def _columns(
    wording: MeasurePage, line: PageLine, facts: Facts
) -> Iterator[tuple[Column, str, int | None]]:
    """A column, under which name it stands in a row, and where in a list (``at``); one for each
    item of a list."""
    name, *words = positional(line)
    form = Format(words[0]) if words else Format.INT
    of = int(facts.get(options(line).get("of", ""), 0))
    if not line.each:
        at = options(line).get("at")
        yield Column(wording.text(line, facts), form, of), name, int(at) if at else None
        return
    for place, item in enumerate(facts[line.each]):
        title = wording.text(line, {**facts, line.each: item}) if line.text else str(item)
        yield Column(title, form, of), name, place

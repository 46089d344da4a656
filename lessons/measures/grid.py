"""Tables of numbers: raw for a file, as texts for a page."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Any, assert_never

from django.utils.translation import gettext as _

from games import words
from games.words import half_up, number, signed
from lessons.charts import Numbers
from lessons.exercises.texts import decimal, exact_percent


@dataclass(frozen=True, slots=True)
class Link:
    """A text that leads to a page; in a file only the text."""

    text: str
    href: str


@dataclass(frozen=True, slots=True)
class Noted:
    """A text with a line under it; in a file only the text."""

    text: str
    note: str


@dataclass(frozen=True, slots=True)
class Ratio:
    """A share as it was counted, ``some`` of ``all``; in a file the share."""

    some: int
    all: int

    @property
    def share(self) -> Fraction:
        return Fraction(self.some, self.all)


FileRows = list[list[str | int | float]]
"""Rows of a file."""

Cell = str | int | float | Fraction | Link | Noted | Ratio | None


class Format(StrEnum):
    """How a number is written: in columns, in pages, beside marks. The last five, which say
    more than a page of results needs, are the graph studio's."""

    TEXT = "text"
    INT = "int"
    GROUPED = "grouped"
    ONE = "1"  # decimal
    TWO = "2"
    SIGNED = "signed"  # one decimal
    WHOLE = "whole"  # signed
    PERCENT = "%"
    EXACT = "exact"
    EXACT2 = "exact2"
    DECIMAL = "decimal"
    DECIMAL2 = "decimal2"
    DECIMAL4 = "decimal4"


@dataclass(frozen=True, slots=True)
class Column:
    """A column's title and how its cells are written. On a page its title says ``of`` how many
    it counts."""

    title: str
    form: Format = Format.INT
    of: int = 0

    @property
    def heading(self) -> str:
        """The title on a page."""
        if not self.of:
            return self.title
        return _("%(what)s (of %(all)d)") % {"what": self.title, "all": self.of}


@dataclass(frozen=True, slots=True)
class Grid:
    """A table; the first column heads its row. ``shades`` (0 to 5 a cell) colour it, and in
    each row the cell at ``framed`` (counted after the head) is framed."""

    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    shades: tuple[tuple[int | None, ...], ...] = field(default=())
    framed: tuple[int, ...] = field(default=())

    @property
    def numbers(self) -> Numbers:
        """The table as texts."""
        return Numbers(
            self.caption,
            tuple(column.heading for column in self.columns),
            tuple(
                tuple(map(_cell_text, row, (column.form for column in self.columns)))
                for row in self.rows
            ),
        )

    @property
    def shaded(self) -> list[tuple[str, str, list[tuple[str, int | None, bool]]]]:
        """Rows as (head, where it leads, cells with their shades, and whether framed), for a
        coloured table."""
        framed = self.framed or (-1,) * len(self.rows)
        return [
            (
                row[0],
                _href(raw[0]),
                [
                    (text, shade, place == at)
                    for place, (text, shade) in enumerate(zip(row[1:], shades, strict=True))
                ],
            )
            for row, raw, shades, at in zip(
                self.numbers.rows, self.rows, self.shades, framed, strict=True
            )
        ]

    @property
    def linked_rows(self) -> list[list[tuple[str, str, str, str]]]:
        """Rows of texts with their columns' forms, where they lead and the lines under them."""
        forms = [column.form for column in self.columns]
        return [
            [
                (text, form, _href(cell), cell.note if isinstance(cell, Noted) else "")
                for text, form, cell in zip(row, forms, raw, strict=True)
            ]
            for row, raw in zip(self.numbers.rows, self.rows, strict=True)
        ]

    @property
    def sheet(self) -> FileRows:
        """Rows for a file, the columns' titles first."""
        return [[neutral(column.title) for column in self.columns], *self.plain]

    @property
    def plain(self) -> FileRows:
        """Rows for a file: numbers as numbers, and no text that a spreadsheet would run."""
        return [
            [_value(cell, column.form) for cell, column in zip(row, self.columns, strict=True)]
            for row in self.rows
        ]


def _cell_text(cell: Cell, form: Format) -> str:
    if cell is None:
        return "–"
    if isinstance(cell, str):
        return cell
    if isinstance(cell, Link | Noted):
        return cell.text
    if isinstance(cell, Ratio):
        return _("%(n)s of %(all)s") % {"n": cell.some, "all": cell.all}
    return written(cell, form)


def written(cell: Any, form: Format) -> str:
    """A number in this form."""
    match form:
        case Format.PERCENT:
            return words.percent(cell, short=True)
        case Format.SIGNED:
            return signed(cell)
        case Format.WHOLE:
            return signed(cell, 0)
        case Format.ONE | Format.TWO:
            return number(cell, int(form))
        case Format.GROUPED:
            return words.whole(int(cell))
        case Format.EXACT | Format.EXACT2:
            return exact_percent(cell, int(form[5:] or 3))
        case Format.DECIMAL | Format.DECIMAL2 | Format.DECIMAL4:
            return decimal(cell, int(form[7:] or 3))
        case Format.INT | Format.TEXT:
            return number(cell, 0)
        case _:
            assert_never(form)


def _value(cell: Cell, form: Format) -> str | int | float:
    if cell is None:
        return ""
    if isinstance(cell, str | Link | Noted):
        return neutral(_cell_text(cell, form))
    if isinstance(cell, Ratio):
        return float(half_up(cell.share, 4))
    return int(cell) if form in {Format.INT, Format.WHOLE} else float(half_up(cell, 4))


def _href(cell: Cell) -> str:
    return cell.href if isinstance(cell, Link) else ""


def neutral(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r", "\n")) else text


def shade(share: float | Fraction | None) -> int | None:
    """One of the colours 0 to 5 for a share from 0 to 1."""
    return None if share is None else min(5, int(float(share) * 6))

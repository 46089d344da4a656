"""Tables of numbers as files: CSV of one, XLSX of all."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from django.http import HttpResponse
from django.utils.text import slugify

from lessons.measures.grid import FileRows, Grid
from lessons.measures.panels import Panel


def grids(panels: Iterable[Panel]) -> dict[str, Grid]:
    """By a panel's key its table, of the panels that have one."""
    return {panel.key: panel.grid for panel in panels if panel.grid is not None}


def csv_text(rows: Iterable[Iterable[str | int | float]]) -> str:
    """A table as CSV: UTF-8 with a mark, so that spreadsheets read it; decimal points."""
    written = io.StringIO()
    csv.writer(written).writerows(rows)
    return "\ufeff" + written.getvalue()


def csv_response(sheet: FileRows, name: str) -> HttpResponse:
    """One table as a file of CSV."""
    return download(csv_text(sheet), name, "csv", "text/csv; charset=utf-8")


def xlsx_response(sheets: dict[str, FileRows], name: str) -> HttpResponse:
    """All tables as sheets of one file, each named by its key: a spreadsheet of any language
    reads it, where CSV has commas and decimal points."""
    from xlsxwriter import Workbook  # slow to load, and seldom asked for

    written = io.BytesIO()
    texts_as_they_are = {"strings_to_formulas": False, "strings_to_urls": False}
    with Workbook(written, {"in_memory": True, **texts_as_they_are}) as book:
        for key, rows in sheets.items():
            sheet = book.add_worksheet(key)
            for number, row in enumerate(rows):
                sheet.write_row(number, 0, row)
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    return download(written.getvalue(), name, "xlsx", kind)


def download(content: str | bytes, name: str, ending: str, kind: str) -> HttpResponse:
    """A file to keep, with a name that every system takes."""
    response = HttpResponse(content, content_type=kind)
    stem = slugify(name) or "results"
    response["Content-Disposition"] = f'attachment; filename="{stem}.{ending}"'
    return response

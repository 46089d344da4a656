"""The tables as one file: CSV, a codebook, a notebook, a program in R, a document of CODAP."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from django.utils.translation import gettext as _

from lessons.measures.grid import neutral
from lessons.results.archive.tables import Table

HERE = Path(__file__).resolve().parent
NOTEBOOK, PROGRAM = HERE / "notebook.txt", HERE / "figures.R"

CELL = re.compile(r"^# %%( \[markdown\])?\n", re.MULTILINE)


def archive(tables: Sequence[Table], *, is_demo: bool = False) -> bytes:
    """The bytes of a zip file with the tables, a codebook, a notebook, a program in R and a
    document of CODAP; of simulated students it says so."""
    files = {f"{table.name}.csv": as_csv(table) for table in tables}
    files |= {
        "codebook.txt": codebook(tables, is_demo=is_demo),
        "figures.ipynb": json.dumps(notebook(NOTEBOOK.read_text(encoding="utf-8")), indent=1)
        + "\n",
        "figures.R": PROGRAM.read_text(encoding="utf-8"),
        "rounds.codap": json.dumps(codap(tables[0])) + "\n",
    }
    written = io.BytesIO()
    with ZipFile(written, "w", ZIP_DEFLATED) as packed:
        for name, text in files.items():
            packed.writestr(name, text)
    return written.getvalue()


def as_csv(table: Table) -> str:
    """A table, its columns by their names: UTF-8 with a mark, commas, decimal points."""
    written = io.StringIO()
    rows = csv.writer(written)
    rows.writerow(table.columns)
    for row in table.rows:
        rows.writerow([_cell(each) for each in row.values()])
    return "\ufeff" + written.getvalue()


def _cell(value: Any) -> str | int | float:
    """A value as a cell: no text that a spreadsheet would run, nothing for None."""
    if isinstance(value, str):
        return neutral(value)
    return "" if value is None else value


def codebook(tables: Sequence[Table], *, is_demo: bool = False) -> str:
    """What each table and each of its columns has, and what was left out."""
    parts = [
        _("What is in these tables"),
        _(
            "Finished rounds, and what students answered; nothing that is still played. "
            "Students are numbers, the same as on the pages of results. A number still tells a "
            "classmate who sat where: keep these files as you keep names. figures.ipynb and "
            "figures.R compute the figures of the page of results from them; rounds.codap "
            "opens in CODAP. Nothing in a cell means that there is none."
        ),
    ]
    parts.append(
        _(
            "The names of files and columns, words that stand for a choice, like person or "
            "win, and the programs are English in every language: they read each other."
        )
    )
    if is_demo:
        parts.append(_("The students of this class are simulated."))
    for table in tables:
        what = _("%(name)s.csv: each row is %(row)s") % {"name": table.name, "row": table.row}
        columns = [f"  {name:<15} {meaning}" for name, meaning in table.columns.items()]
        parts.append("\n".join([what, *columns]))
    return "\n\n".join(parts) + "\n"


def notebook(text: str) -> dict[str, Any]:
    """A notebook (nbformat 4) of cells that begin with “# %%”; those of text are comments."""
    first, *parts = CELL.split(text)
    assert not first.strip()
    cells: list[dict[str, Any]] = []
    for kind, body in zip(parts[::2], parts[1::2], strict=True):
        lines = body.strip("\n").splitlines(keepends=True)
        if kind:
            source = [line.removeprefix("#").removeprefix(" ") for line in lines]
            cells.append({"cell_type": "markdown", "metadata": {}, "source": source})
        else:
            run: dict[str, Any] = {"execution_count": None, "outputs": []}
            cells.append({"cell_type": "code", "metadata": {}, "source": lines, **run})
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {
        "cells": cells,
        "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 4,
    }


def codap(table: Table) -> dict[str, Any]:
    """A document of CODAP with this table."""
    numbers = iter(range(1, 10**9))
    document, context, collection, view = (next(numbers) for _each in range(4))
    attributes = [
        {
            "name": name,
            "type": _type([row[name] for row in table.rows]),
            "description": meaning,
            "guid": (guid := next(numbers)),
            "id": guid,
        }
        for name, meaning in table.columns.items()
    ]
    cases = [
        {
            "guid": (guid := next(numbers)),
            "id": guid,
            "values": {key: "" if each is None else each for key, each in row.items()},
        }
        for row in table.rows
    ]
    link = {"context": {"type": "DG.DataContextRecord", "id": context}}
    return {
        "name": "Xactika",
        "guid": document,
        "id": document,
        "appName": "DG",
        "appVersion": "2.0",
        "appBuildNum": "0",
        "globalValues": [],
        "components": [
            {
                "type": "DG.TableView",
                "guid": view,
                "id": view,
                "componentStorage": {"_links_": link, "title": table.name},
                "layout": {"width": 900, "height": 400, "left": 5, "top": 5},
            }
        ],
        "contexts": [
            {
                "type": "DG.DataContext",
                "document": document,
                "guid": context,
                "id": context,
                "name": table.name,
                "title": table.name,
                "contextStorage": {},
                "collections": [
                    {
                        "name": table.name,
                        "title": table.name,
                        "guid": collection,
                        "id": collection,
                        "attrs": attributes,
                        "cases": cases,
                    }
                ],
            }
        ],
    }


def _type(values: Sequence[Any]) -> str:
    is_number = all(isinstance(value, int | float) for value in values if value is not None)
    return "numeric" if is_number else "categorical"

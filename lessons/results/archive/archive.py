"""The tables as one file: CSV, a codebook, a notebook, a program in R, a document of CODAP."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from django.utils.translation import gettext as _

from lessons.measures.grid import neutral
from lessons.results.archive.tables import DataTable, intro
from lessons.results.files import csv_text

HERE = Path(__file__).resolve().parent
NOTEBOOK, PROGRAM, DOCUMENT = HERE / "notebook.txt", HERE / "figures.R", HERE / "codap.json"

CELL = re.compile(r"^# %%( \[markdown\])?\n", re.MULTILINE)


def archive(tables: Sequence[DataTable], *, is_demo: bool = False) -> bytes:
    """The bytes of a zip file with the tables, a codebook, a notebook, a program in R and a
    document of CODAP; of simulated students it says so."""
    files = {
        f"{each.name}.csv": csv_text(
            [each.columns, *(map(_cell, r.values()) for r in each.rows)]
        )
        for each in tables
    }
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


def _cell(value: Any) -> str | int | float:
    """A value as a cell: no text that a spreadsheet would run, nothing for None."""
    if isinstance(value, str):
        return neutral(value)
    return "" if value is None else value


def codebook(tables: Sequence[DataTable], *, is_demo: bool = False) -> str:
    """The text of what each table and each of its columns has, and what was left out."""
    parts = intro(is_demo=is_demo)
    for table in tables:
        what = _("%(name)s: %(n)s") % {"name": f"{table.name}.csv", "n": table.row}
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


def codap(table: DataTable) -> dict[str, Any]:
    """A document of CODAP with this table, the empty one of ``codap.json`` filled."""
    document: dict[str, Any] = json.loads(DOCUMENT.read_text(encoding="utf-8"))
    (collection,) = document["contexts"][0]["collections"]
    ids = ({"guid": n, "id": n} for n in count(5))
    collection["attrs"] = [
        {"name": name, "type": _type([row[name] for row in table.rows]), "description": meaning}
        | next(ids)
        for name, meaning in table.columns.items()
    ]
    collection["cases"] = [
        {"values": {key: "" if each is None else each for key, each in row.items()}} | next(ids)
        for row in table.rows
    ]
    return document


def _type(values: Sequence[Any]) -> str:
    is_number = all(isinstance(value, int | float) for value in values if value is not None)
    return "numeric" if is_number else "categorical"

"""Numbers that are told apart: boxes, dots against each other, two-way tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import sqrt
from operator import mul
from typing import Any

from django.utils.translation import gettext as _

from games.words import whole
from lessons import charts
from lessons.probability import five_number_summary
from lessons.studio.plots import SHAPES_OF, Plot
from lessons.studio.settings import By, Of

FEW_ROWS = 13
"""Rows and columns up to which a table has one for each number; more are put into two."""

FEW_IN_PART = 5
"""A column of fewer is not held against all."""

Cells = Mapping[tuple[str, str], int]


Drawn = tuple[list[dict[str, Any]], dict[str, Any]]
"""Rows, and facts beside a plot's."""


# Box plots


def boxes(graph: Plot) -> Drawn:
    """The rows and facts of box plots: a box for each part, or one for all."""
    parts = {
        graph.key_name(key): _of_part(graph, key) for key in graph.keys
    } if graph.settings.by else {"": graph.weights}  # fmt: skip
    rows = []
    for name, weights in parts.items():
        five = [Fraction(number) / graph.scale for number in five_number_summary(weights)]
        many = None if graph.settings.is_theory else int(sum(weights.values()))
        label = f"{name} ({whole(many or 0)})" if name else ""
        named = dict(zip(("least", "low", "middle", "high", "most"), five, strict=True))
        row = {"name": name or graph.name, "n": many, "label": label, "five": five}
        rows.append(row | named)
    hue = charts.CLEAR if graph.settings.is_theory else graph.colour
    facts = {"boxes": rows[::-1], "box_hue": hue, **_box_facts(graph, rows)}
    facts["is_whole"] = graph.scale == 1 and graph.settings.of is not Of.OWN
    return rows, facts


def _of_part(graph: Plot, key: int) -> dict[int, int]:
    pairs = graph.frequencies.pairs
    return dict(sorted((number, n) for (number, part), n in pairs.items() if part == key))


def _box_facts(graph: Plot, rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The facts of where medians lie; of one box how much it holds: of ties more than half."""
    if len(rows) == 1:
        low, high = rows[0]["low"], rows[0]["high"]
        inside = sum(
            Fraction(n)
            for number, n in graph.weights.items()
            if low <= Fraction(number) / graph.scale <= high
        )
        share = inside / Fraction(sum(graph.weights.values()))
        facts = {"told": "one", "middle": rows[0]["middle"], "inside": share}
        return facts | {"low": low, "high": high}
    medians = [row["middle"] for row in rows]
    ends = {"least": min(medians), "most": max(medians)}
    lowest, highest = (
        ", ".join(row["name"] for row in rows if row["middle"] == end) for end in ends.values()
    )
    told = "apart" if ends["least"] < ends["most"] else "same"
    return {"told": told, "lowest": lowest, "highest": highest, **ends}


# Scatter plots


def scatter(graph: Plot) -> Drawn:
    """The rows and facts of a scatter plot: a dot for each hand or round, or several."""
    pairs = sorted(
        (graph.key_value(key), Fraction(number, graph.scale), n)
        for (number, key), n in graph.frequencies.pairs.items()
    )
    most = max(n for _key, _number, n in pairs)
    rows = [
        {"key": key, "number": number, "n": n, "diameter": round(5 + 15 * sqrt(n / most), 1)}
        for key, number, n in pairs
    ]
    return rows, _scatter_facts(pairs) | {"is_whole": graph.settings.by is not By.MEAN}


Pair = tuple[Fraction, Fraction, int]
"""What is split by, what is counted, how often both occur."""


def _scatter_facts(pairs: Sequence[Pair]) -> dict[str, Any]:
    """The correlation, and the means of what is counted where the other is low, and high."""
    ordered = [a for a, _b, n in pairs for _each in range(n)]
    middle = ordered[(len(ordered) - 1) // 2]
    low = [(b, n) for a, b, n in pairs if a <= middle]
    high = [(b, n) for a, b, n in pairs if a > middle]
    if not high:
        return {"told": "same", "middle_key": middle, "correlation": ""}
    linked = correlation(*map(list, zip(*pairs, strict=True)))
    # Two places, as any book has it.
    r = "" if linked is None else Fraction(round(linked * 100), 100)
    means = {"low_mean": _mean(low), "high_mean": _mean(high)}
    return {"told": "apart", "middle_key": middle, "correlation": r} | means


def _mean(numbers: list[tuple[Fraction, int]]) -> Fraction:
    return sum((b * n for b, n in numbers), Fraction()) / sum(n for _b, n in numbers)


def correlation(x: list[Fraction], y: list[Fraction], many: list[int]) -> float | None:
    """Pearson's coefficient of pairs that occur so many times; None where one never changes."""

    def in_all(side: Iterable[Fraction]) -> Fraction:
        return sum(map(mul, side, many), Fraction())

    both, one, other = (
        in_all(map(mul, a, b)) - in_all(a) * in_all(b) / sum(many)
        for a, b in ((x, y), (x, x), (y, y))
    )
    return float(both) / sqrt(one * other) if one * other else None


# Two-way tables


def table(graph: Plot) -> Drawn:
    """The rows and facts of a two-way table: how often each number comes with each part, with
    the sums at the ends; by share, what part of its column it is."""
    rows, columns, everything = _row_by_number(graph), _column_by_part(graph), _("all")
    cells: Counter[tuple[str, str]] = Counter()
    for (number, key), n in graph.frequencies.pairs.items():
        for row in (rows[number], everything):
            for column in (columns[key], everything):
                cells[row, column] += n
    row_names, column_names = (list(dict.fromkeys(each.values())) for each in (rows, columns))
    by_share = graph.settings.by_share

    def cell(row: str, column: str) -> int | Fraction:
        n = cells[row, column]
        return Fraction(n, cells[everything, column]) if by_share else n

    names = [*column_names, everything]
    body = [
        {"row": row, "cells": [cell(row, column) for column in names]}
        for row in (*row_names, everything)
    ]
    return body, {"columns": names, **_table_facts(cells, row_names, column_names, everything)}


def _row_by_number(graph: Plot) -> dict[int, str]:
    """By number, the row in which it stands."""
    numbers = sorted({number for number, _key in graph.frequencies.pairs})
    cut = cut_at(graph)
    if cut is None:
        return {number: graph.number(number) for number in numbers}
    low, high = (graph.number(cut - 1) if graph.scale == 1 else "", graph.number(cut))
    below = _("%s or less") % low if low else _("under %s") % high
    above = _("%s or more") % high
    return {number: above if number >= cut else below for number in numbers}


def cut_at(graph: Plot) -> int | None:
    """The number from which on table rows are one: where that is chosen, or where they are too
    many."""
    numbers = sorted(graph.weights)
    if graph.settings.tail:
        return graph.settings.cut if graph.settings.cut is not None else usual_cut(graph)
    return usual_cut(graph) if len(numbers) > FEW_ROWS else None


def usual_cut(graph: Plot) -> int:
    """The number at which the upper quarter begins."""
    return int(five_number_summary(graph.weights)[3])


def _column_by_part(graph: Plot) -> dict[int, str]:
    keys = graph.keys
    if graph.frequencies.names or len(keys) <= FEW_ROWS:
        # The title says what these numbers are.
        is_plain = not graph.frequencies.names and graph.settings.by not in SHAPES_OF
        return {key: graph.key_text(key) if is_plain else graph.key_name(key) for key in keys}
    parts = Counter[int]()
    for (_number, key), n in graph.frequencies.pairs.items():
        parts[key] += n
    middle = int(five_number_summary(dict(sorted(parts.items())))[2])
    most = _("%s or more") % graph.key_text(middle)
    least = _("under %s") % graph.key_text(middle)
    return {key: most if key >= middle else least for key in keys}


def _table_facts(
    cells: Cells, row_names: list[str], column_names: list[str], everything: str
) -> dict[str, Any]:
    """The facts of where a column differs most from all, or that none does."""
    gaps = []
    for column in column_names:
        many = cells[everything, column]
        for row in row_names:
            share = Fraction(cells.get((row, column), 0), many)
            of_all = Fraction(cells[row, everything], cells[everything, everything])
            if many >= FEW_IN_PART:
                gaps.append((abs(share - of_all), row, column, share, of_all))
    if not gaps:
        return {"told": "few", "few": FEW_IN_PART}
    far, row, column, share, of_all = max(gaps)
    facts = {"row": row, "column": column, "far_share": share, "of_all": of_all}
    return facts | {"told": "apart" if far else "same"}

"""Numbers that are told apart: boxes, dots against each other, two-way tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from math import sqrt

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.words import sentences, whole
from lessons import charts
from lessons.charts import Figure, Numbers
from lessons.exercises.texts import decimal, exact_percent
from lessons.probability import five_number_summary
from lessons.studio.plots import SHAPES_OF, Plot
from lessons.studio.settings import BY_NAMES, By, Of

FEW_ROWS = 13
"""Rows and columns up to which a table has one for each number; more are put into two."""

FEW_IN_PART = 5
"""A column of fewer is not held against all."""

Cells = Mapping[tuple[str, str], int]


# Box plots


def boxes(graph: Plot) -> tuple[Figure, Numbers, str]:
    """A box for each part, or one for all."""
    parts = {
        graph.key_name(key): _of_part(graph, key) for key in graph.keys
    } if graph.settings.by else {"": graph.weights}  # fmt: skip
    numbers = {
        name: [Fraction(number) / graph.scale for number in five_number_summary(weights)]
        for name, weights in parts.items()
    }
    many = {name: sum(weights.values()) for name, weights in parts.items()}
    labels = [f"{name} ({whole(int(many[name]))})" if name else "" for name in numbers]
    boxed = charts.boxes(
        labels[::-1],
        [[float(n) for n in five_numbers] for five_numbers in numbers.values()][::-1],
        colour=charts.CLEAR if graph.settings.is_theory else graph.colour,
    )
    every = 1 if graph.scale == 1 and graph.settings.of is not Of.OWN else None
    figure = charts.figure([boxed], x=graph.words.x_names[graph.settings.x], every=every)
    head = (
        _label(graph) if graph.settings.by else pgettext("data", "What"),
        graph.words.number, _("Least"), _("Lower quartile"), _("Median"), _("Upper quartile"),
        _("Greatest"),
    )  # fmt: skip
    rows = tuple(
        (
            name or graph.name,
            "–" if graph.settings.is_theory else whole(int(many[name])),
            *(decimal(n, 4) for n in five_numbers),
        )
        for name, five_numbers in numbers.items()
    )
    return figure, Numbers(graph.words.titles[0], head, rows), _of_boxes(graph, numbers)


def _of_part(graph: Plot, key: int) -> dict[int, int]:
    pairs = graph.tally.pairs
    return dict(sorted((number, n) for (number, part), n in pairs.items() if part == key))


def _of_boxes(graph: Plot, numbers: Mapping[str, list[Fraction]]) -> str:
    """Where the middle lies, and how much the box holds: of ties it is more than half."""
    if len(numbers) == 1:
        (_least, low, middle, high, _most) = next(iter(numbers.values()))
        inside = sum(
            Fraction(n)
            for number, n in graph.weights.items()
            if low <= Fraction(number) / graph.scale <= high
        )
        return _("The middle one is %(middle)s; %(share)s lie from %(low)s to %(high)s.") % {
            "middle": decimal(middle),
            "share": exact_percent(inside / Fraction(sum(graph.weights.values()))),
            "low": decimal(low),
            "high": decimal(high),
        }
    medians = {name: five_numbers[2] for name, five_numbers in numbers.items()}
    least, most = min(medians.values()), max(medians.values())
    if least == most:
        return _("All medians are %(n)s.") % {"n": decimal(least)}
    lowest, highest = (
        ", ".join(name for name, median in medians.items() if median == end)
        for end in (least, most)
    )
    return _("The median is highest for %(high)s: %(most)s, lowest for %(low)s: %(least)s.") % {
        "high": highest,
        "most": decimal(most),
        "low": lowest,
        "least": decimal(least),
    }


# Scatter plots


def scatter(graph: Plot) -> tuple[Figure, Numbers, str]:
    """Each hand or round a dot, what it is split by below; larger dots are several."""
    pairs = sorted((key, number, n) for (number, key), n in graph.tally.pairs.items())
    most = max(n for _key, _number, n in pairs)
    x = [graph.key_value(key) for key, _number, _n in pairs]
    y = [Fraction(number, graph.scale) for _key, number, _n in pairs]
    many = [n for _key, _number, n in pairs]
    dots = charts.points(
        [float(n) for n in x],
        [float(n) for n in y],
        colour=graph.colour,
        sizes=[round(5 + 15 * sqrt(n / most), 1) for n in many],
    )
    name = graph.words.x_names[graph.settings.x]
    every = None if graph.settings.by is By.MEAN else 1
    figure = charts.figure([dots], x=_label(graph), y=name, every=every)
    del figure["layout"]["yaxis"]["rangemode"]  # hands' means lie far from 0
    rows = tuple(
        (decimal(a, 4), decimal(b, 4), whole(n)) for a, b, n in zip(x, y, many, strict=True)
    )
    numbers = Numbers(graph.words.titles[0], (_label(graph), name, graph.words.number), rows)
    return figure, numbers, _of_scatter(graph, x, y, many)


def _of_scatter(graph: Plot, x: list[Fraction], y: list[Fraction], many: list[int]) -> str:
    """The mean of what is counted where the other is low, and where it is high."""
    total = sum(many)
    ordered = [a for a, n in zip(x, many, strict=True) for _each in range(n)]
    middle = ordered[(total - 1) // 2]
    low = [(b, n) for a, b, n in zip(x, y, many, strict=True) if a <= middle]
    high = [(b, n) for a, b, n in zip(x, y, many, strict=True) if a > middle]
    facts = {"by": BY_NAMES[graph.settings.by or By.VALUE], "middle": decimal(middle, 4)}
    if not high:
        return _("All have the same: %(by)s %(middle)s.") % facts
    facts |= {"low": decimal(_mean(low)), "high": decimal(_mean(high))}
    text = _("With %(by)s at %(middle)s or less the mean is %(low)s; with more it is %(high)s.")
    linked = correlation(x, y, many)
    if linked is None:
        return text % facts
    # Two places, as any book has it.
    facts["r"] = decimal(Fraction(round(linked * 100), 100), 2)
    return sentences(text, _("Correlation: %(r)s.")) % facts


def _mean(numbers: list[tuple[Fraction, int]]) -> Fraction:
    return sum((b * n for b, n in numbers), Fraction()) / sum(n for _b, n in numbers)


def correlation(x: list[Fraction], y: list[Fraction], many: list[int]) -> float | None:
    """Pearson's coefficient of pairs that occur so many times each; None where one of both
    never changes."""
    total = sum(many)
    means = [
        sum((a * n for a, n in zip(side, many, strict=True)), Fraction()) / total
        for side in (x, y)
    ]
    parts = [[a - centre for a in side] for side, centre in zip((x, y), means, strict=True)]
    both, one, other = (
        sum((a * b * n for a, b, n in zip(left, right, many, strict=True)), Fraction())
        for left, right in ((parts[0], parts[1]), (parts[0], parts[0]), (parts[1], parts[1]))
    )
    return float(both) / sqrt(one * other) if one * other else None


# Two-way tables


def table(graph: Plot) -> tuple[Numbers, str]:
    """How often each number comes with each part, with the sums at the ends; by share, what
    part of its column it is."""
    rows = _rows(graph)
    columns = _columns(graph)
    cells: Counter[tuple[str, str]] = Counter()
    for (number, key), n in graph.tally.pairs.items():
        cells[rows[number], columns[key]] += n
    row_names, column_names = list(dict.fromkeys(rows.values())), list(
        dict.fromkeys(columns.values())
    )  # fmt: skip
    everything = _("all")
    for (row, column), n in list(cells.items()):
        cells[row, everything] += n
        cells[everything, column] += n
        cells[everything, everything] += n

    def text(row: str, column: str) -> str:
        n = cells[row, column]
        if not graph.settings.by_share:
            return whole(n)
        return exact_percent(Fraction(n, cells[everything, column]))

    body = tuple(
        (row, *(text(row, column) for column in (*column_names, everything)))
        for row in (*row_names, everything)
    )
    corner = graph.words.x_names[graph.settings.x]
    caption = f"{graph.words.titles[graph.settings.title]} ({_label(graph)})"
    numbers = Numbers(caption, (corner, *column_names, everything), body)
    return numbers, _of_table(cells, row_names, column_names, everything, graph.words.items)


def _rows(graph: Plot) -> dict[int, str]:
    """In which row each number stands."""
    numbers = sorted({number for number, _key in graph.tally.pairs})
    cut = cut_at(graph)
    if cut is None:
        return {number: graph.number(number) for number in numbers}
    low, high = (graph.number(cut - 1) if graph.scale == 1 else "", graph.number(cut))
    below = _("%s or less") % low if low else _("below %s") % high
    above = _("%s or more") % high
    return {number: above if number >= cut else below for number in numbers}


def cut_at(graph: Plot) -> int | None:
    """From where on the rows of a table are one: where one says so, or where there are too
    many of them."""
    numbers = sorted(graph.weights)
    if graph.settings.tail:
        return graph.settings.cut if graph.settings.cut is not None else usual_cut(graph)
    return usual_cut(graph) if len(numbers) > FEW_ROWS else None


def usual_cut(graph: Plot) -> int:
    """Where the upper quarter begins."""
    return int(five_number_summary(graph.weights)[3])


def _columns(graph: Plot) -> dict[int, str]:
    keys = graph.keys
    if graph.tally.names or len(keys) <= FEW_ROWS:
        # The title says what these numbers are.
        is_plain = not graph.tally.names and graph.settings.by not in SHAPES_OF
        return {key: graph.key_text(key) if is_plain else graph.key_name(key) for key in keys}
    parts = Counter[int]()
    for (_number, key), n in graph.tally.pairs.items():
        parts[key] += n
    middle = int(five_number_summary(dict(sorted(parts.items())))[2])
    most = _("%s or more") % graph.key_text(middle)
    least = _("below %s") % graph.key_text(middle)
    return {key: most if key >= middle else least for key in keys}


def _of_table(
    cells: Cells,
    row_names: list[str],
    column_names: list[str],
    everything: str,
    items: str,
) -> str:
    """Where a column differs most from all, or that none does."""
    total = cells[everything, everything]
    gaps = []
    for column in column_names:
        many = cells[everything, column]
        for row in row_names:
            share, of_all = (
                Fraction(cells.get((row, column), 0), many),
                Fraction(cells[row, everything], total),
            )
            if many >= FEW_IN_PART:
                gaps.append((abs(share - of_all), row, column, share, of_all))
    if not gaps:
        return _("Every column has fewer than %(n)d: too few to compare.") % {"n": FEW_IN_PART}
    far, row, column, share, of_all = max(gaps)
    if not far:
        return _("All columns have the same shares: neither says anything about the other.")
    return _(
        "Of the %(items)s under “%(column)s”, %(share)s stand in the row “%(row)s”; of all "
        "%(items)s %(all)s."
    ) % {
        "items": items,
        "row": row,
        "share": exact_percent(share),
        "column": column,
        "all": exact_percent(of_all),
    }


def _label(graph: Plot) -> str:
    text = str(BY_NAMES[graph.settings.by]) if graph.settings.by else ""
    return text[:1].upper() + text[1:]

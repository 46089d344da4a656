"""Theory and data of a step, one over the other: the chart, its sentence and its numbers."""

from __future__ import annotations

from fractions import Fraction
from typing import assert_never

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.words import sentences
from lessons import charts
from lessons.course import Step
from lessons.course.plan import StepData
from lessons.course.variables import Variable, variable
from lessons.exercises.engine import GraphKind
from lessons.exercises.texts import exact_percent
from lessons.measures.grid import Column, Format, Grid
from lessons.measures.page import stock_text
from lessons.measures.panels import Panel
from lessons.visits.ways import Data, DataSource, Way, data_of_play, own_data, room_data

_SOURCES = {
    DataSource.OWN: lambda: _("your hands"),
    DataSource.ROOM: lambda: _("the class’s deals"),
    DataSource.CLASS: lambda: _("our class’s finished hands"),
    DataSource.ALONE: lambda: _("your hands"),
}


def data_for(way: Way, step: Step) -> Data | None:
    """The data that a reveal lays over its theory: the room's if there is one, or one's own."""
    match step.data:
        case StepData.CLASS:
            return data_of_play(way, step.chart)
        case StepData.DEALS:
            room = room_data(way.run, way.lesson, step.chart) if way.run else None
            return room or own_data(way, step.chart)
        case StepData.NONE:
            return None
        case _:
            assert_never(step.data)


def overlay_panel(step: Step, data: Data | None) -> Panel:
    """The chart of theory, and over it the data if there are any."""
    counted = variable(step.chart)
    return Panel(
        key=f"chart-{step.name}",
        title=str(counted.title),
        summary=_summary_words(counted, data),
        figure=_figure(counted, data),
        grid=_number_table(counted, data),
        basis=_basis_words(data) if data else "",
    )


def growing_panel(step: Step, data: Data) -> Panel:
    """The chart of what a room has dealt so far, alone: theory comes with the reveal."""
    assert step.deal is not None
    counted = variable(step.deal.variable)
    names = [str(name) for name in counted.categories]
    bars = charts.bars(names, list(data.counts))
    return Panel(
        key=f"chart-{step.name}",
        title=str(counted.title),
        summary=_basis_words(data),
        figure=charts.figure([bars], x=str(counted.across), y=_("How many")),
    )


def _figure(counted: Variable, data: Data | None) -> charts.Figure:
    names = [str(name) for name in counted.categories]
    across, upward = str(counted.across), str(counted.upward)
    if counted.kind is GraphKind.PIE:
        weights = [float(weight) for weight in counted.curves[0].weights]
        return charts.figure([charts.slices(names, weights)])
    if counted.kind is GraphKind.CURVE:
        dashes, marks = ("solid", "dash", "dot"), ("circle", "square", "diamond")
        traces = [
            charts.line(
                names,
                [float(weight) for weight in curve.weights],
                name=str(curve.label),
                colour="--ball",
                dash=dashes[index],
                marks=marks[index],
            )
            for index, curve in enumerate(counted.curves)
        ]
        return charts.figure(traces, x=across, y=upward, legend=True)
    if data is None:
        heights = [float(weight) for weight in counted.curves[0].weights]
        is_share = counted.total == 1
        bars_ = charts.hollow_bars(names, heights)
        return charts.figure([bars_], x=across, y=upward, percent=is_share)
    whole = sum(data.counts) or 1
    theory = charts.hollow_bars(
        names, [float(share) for share in counted.shares], name=_("Theory")
    )
    bars = charts.bars(
        names, [count / whole for count in data.counts], name=_SOURCES[data.source](), width=0.5
    )
    return charts.figure(
        [bars, theory], x=across, y=_("Share"), legend=True, percent=True, overlay=True
    )


def _summary_words(counted: Variable, data: Data | None) -> str:
    shares = counted.shares
    best = counted.focus
    if counted.subject is None:
        theory = _("Largest share in theory: %(name)s (%(share)s).")
    else:
        theory = _("In theory: %(name)s, %(share)s.")
    theory %= {"name": str(counted.categories[best]), "share": exact_percent(shares[best])}
    if counted.kind is GraphKind.CURVE:
        return _("Three curves of one form, each one place further right.")
    if data is None:
        return theory
    whole = sum(data.counts) or 1
    share = exact_percent(Fraction(data.counts[best], whole))
    return sentences(theory, _("In these data: %(found)s.") % {"found": share})


def _basis_words(data: Data) -> str:
    hands = stock_text("from_hands", n=data.hands, hands=data.hands)
    students = ""
    if data.source is DataSource.ROOM:
        students = ngettext("%(n)d student dealt.", "%(n)d students dealt.", data.students) % {
            "n": data.students
        }
    return sentences(hands, students)


def _number_table(counted: Variable, data: Data | None) -> Grid:
    head = [str(counted.across), *(str(curve.label) for curve in counted.curves)]
    weight_words = exact_percent if counted.total == 1 else str
    texts = [list(map(weight_words, curve.weights)) for curve in counted.curves]
    if data is not None:
        whole = sum(data.counts) or 1
        head += [_("Counted"), _("Share")]
        texts.append([str(count) for count in data.counts])
        texts.append([exact_percent(Fraction(count, whole)) for count in data.counts])
    columns = tuple(Column(title, Format.TEXT) for title in head)
    rows = zip(map(str, counted.categories), *texts, strict=True)
    return Grid(str(counted.title), columns, tuple(rows))


def table_of(counted: Variable) -> charts.Numbers:
    """A variable's exact numbers as a table to read."""
    return _number_table(counted, None).numbers

"""The panels of a session's experiments: what the tables came to, what chance alone does."""

from __future__ import annotations

from django.utils.translation import gettext as _

from games.classes.experiments import Experiment
from lessons.charts import Chart
from lessons.measures.grid import Column, Grid
from lessons.measures.panels import Panel
from lessons.visits.experiments import chance_chart, redrawn, tables_chart, treatment_words


def panels(experiment: Experiment) -> list[Panel]:
    """Two panels a finished experiment; of one that is played only that it is."""
    key = f"experiment-{experiment.game}"
    title = _("The experiment: did it make a difference?")
    if not experiment.is_over:
        waits = _(
            "It is shown when the game is over: whoever looks on meanwhile, and stops when it "
            "suits them, takes chance for more than it is."
        )
        return [Panel(key, title, waits)]
    chart = tables_chart(experiment, key=key, title=title)
    columns = (
        Column(_("Table")),
        Column(_("Drawn for"), "text"),
        Column(_("Points a hand, beside the others"), "2"),
        Column(_("Hands")),
    )
    rows = tuple(
        (o.table, treatment_words(experiment, is_a=o.is_a), o.mean, o.hands)
        for o in sorted(experiment.outcomes, key=lambda o: (not o.is_a, o.table))
    )
    figures = [_panel(chart, Grid(_("The tables of the experiment"), columns, rows))]
    if drawn := redrawn(experiment):
        chart = chance_chart(experiment, drawn, key=f"{key}-chance")
        ways = chart.numbers.rows if chart.numbers else ()
        counted = tuple((each, int(draws)) for each, draws in ways)
        heads = (Column(_("Difference"), "text"), Column(_("Draws")))
        grid = Grid(_("Differences when the lot is drawn anew"), heads, counted)
        figures.append(_panel(chart, grid))
    return figures


def _panel(chart: Chart, grid: Grid) -> Panel:
    return Panel(
        chart.key,
        chart.title,
        chart.summary,
        chart.figure,
        grid,
        chart.basis,
        chart.caveat,
    )

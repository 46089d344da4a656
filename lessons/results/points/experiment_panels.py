"""The panels of a session's experiments: what the tables came to, what chance alone does."""

from __future__ import annotations

from games.classes.experiments import Experiment
from lessons.measures.panels import Panel
from lessons.visits.experiments import chance_panel, redrawn, tables_panel


def panels(experiment: Experiment) -> list[Panel]:
    """Two panels a finished experiment; of one that is played only that it is."""
    key = f"experiment-{experiment.game}"
    tables = tables_panel(experiment, key=key)
    drawn = redrawn(experiment) if experiment.is_over else None
    if drawn is None:
        return [tables]
    return [tables, chance_panel(experiment, drawn, key=f"{key}-chance")]

"""A class session's figures as questions, answers and charts, in the order of the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from games.classes.experiments import Experiment
from lessons.measures.panels import Panel, hidden_notice
from lessons.results.bids import bid_panels, forecast_panels
from lessons.results.dataset import Dataset
from lessons.results.dealt import deal_panels
from lessons.results.points import point_panels, standings
from lessons.results.points.point_panels import Namer, same_hand, standing
from lessons.results.taught.taught_lessons import TaughtLesson, verdict_count
from lessons.visits.experiments import hidden_words
from lessons.visits.experiments import panels as experiment_panels


def panels(
    data: Dataset,
    lessons: Sequence[TaughtLesson] = (),
    *,
    name: Namer,
    experiments: Sequence[Experiment] = (),
    is_shared: bool = False,
    is_final: bool = False,
) -> list[Panel]:
    """All of a session's figures, in the order of the page; ``lessons`` stand beside them,
    ``experiments`` are its games that were one. On a screen that others see (``is_shared``)
    averages of fewer than five students are not shown; of a session that is over
    (``is_final``) nothing that would still have to be filled."""
    bidders, players = len(data.bidders), len(data.students)
    of = verdict_count(data, lessons)
    averages = [
        (bid_panels.calibration(data), bidders),
        (bid_panels.bias(data), bidders),
        (bid_panels.bids_and_tricks(data), bidders),
        (bid_panels.bids_by_seat(data), bidders),
        (point_panels.points(data, is_shared=is_shared), players),
        (bid_panels.tip(data), players),
        (deal_panels.leads(data), players),
    ]
    if not is_shared and len(bid_panels.table_bids(data)) > 1:
        averages.append((bid_panels.by_table(data), bidders))
    if data.forecasts:
        averages.insert(2, (forecast_panels.forecasts(data, of=of), data.forecasters))
    of_rounds = [
        panel.shown_to(students, is_shared=is_shared)
        for panel, students in averages
        if not (is_final and panel.is_empty)
    ]
    rows = [*(standing(game, name) for game in standings.game_standings(data)), *of_rounds]
    rows += [
        panel.shown_to(players, is_shared=is_shared)
        for experiment in experiments
        for panel in experiment_panels(experiment)
    ]
    if data.deals or not is_final:
        rows.append(deal_panels.hands(data, of=of))
    if any(deal.board is not None for deal in data.deals):
        rows.append(same_hand(data))
    if any(not experiment.is_over for experiment in experiments):
        waits = hidden_words()
        return [
            replace(row, summary=waits)
            if row.is_empty and row.summary != hidden_notice()
            else row
            for row in rows
        ]
    return rows

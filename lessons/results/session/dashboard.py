"""The first screen of a session's results: a teacher's questions, a small chart each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from django.utils.translation import gettext as _

from games.classes.experiments import Experiment
from lessons.measures.page import stock_text
from lessons.measures.panels import Panel, hidden_notice
from lessons.results.dataset import Dataset
from lessons.results.learned.learning import Learning
from lessons.results.session import learned_tiles, played_tiles
from lessons.results.session.learned_tiles import NOWHERE, Onward
from lessons.results.taught.taught_lessons import TaughtLesson, verdict_count
from lessons.results.tiles import Tile
from lessons.visits.experiments import hidden_words

MOST = 6
"""Tiles that a laptop's screen has room for, each with a chart to be read."""

FLAGGED = 2
"""The most tiles that are flagged."""

NOBODY: Mapping[int, str] = MappingProxyType({})
"""The names of no student."""

INSTEAD = {"bids": "expected", "chance": "chance", "mistake": "explained"}
"""What a lesson alone has in the place of what play and exercises would fill."""


def dashboard(
    data: Dataset,
    learning: Learning,
    lessons: Sequence[TaughtLesson] = (),
    panels: Iterable[Panel] = (),
    *,
    learned: Tile | None = None,
    experiments: Sequence[Experiment] = (),
    onward: Onward = NOWHERE,
    names: Mapping[int, str] | None = NOBODY,
    is_final: bool = False,
) -> tuple[Tile, ...]:
    """What there is to see at a glance: first what stands out, the first two flagged, then in
    the order of the questions; of too many what to teach next is kept. ``learned`` tells what
    has changed, where the page knows; tiles lead ``onward``, each to where no other does.
    ``names`` are what this teacher calls students just now; None on a screen that others see,
    where nobody's need of help is shown. ``panels`` are the page's; what is hidden there is
    hidden here. While a session goes on, what will be filled says by what."""
    of, is_shared = verdict_count(data, lessons), names is None
    answers = [
        played_tiles.bid_errors(data, is_shared=is_shared)
        or learned_tiles.hardest_prediction(lessons, is_shared=is_shared),
        played_tiles.dealt_hands(data, of=of)
        or learned_tiles.rarest_dealt(lessons, is_shared=is_shared, of=of),
        None if names is None else learned_tiles.help_needed(learning, names, onward),
        None if is_shared else learned_tiles.next_lesson(learning, onward),
        learned_tiles.commonest_mistakes(learning, onward)
        or learned_tiles.hardest_explanation(lessons, is_shared=is_shared),
        played_tiles.hit_rates_by_board(data, is_shared=is_shared),
        played_tiles.calibration_tile(data, of=of),
        learned
        or learned_tiles.skills(learning, onward)
        or played_tiles.hit_rates_by_round(data, is_shared=is_shared),
        next(filter(None, map(played_tiles.experiment_outcomes, experiments)), None)
        or played_tiles.tip_groups_tile(data),
    ]
    tiles, are_hidden = _permitted(filter(None, answers), {p.key: p for p in panels})
    tiles.sort(key=lambda tile: (not tile.stands_out, not tile.figure))
    tiles[FLAGGED:] = [replace(tile, stands_out=False) for tile in tiles[FLAGGED:]]
    kept = sorted(tiles, key=lambda tile: tile.key != "next")[: MOST - are_hidden]
    led: dict[str, str] = {}  # from which tile, by page
    for tile in kept:
        for lead in tile.leads:
            led.setdefault(lead.page, tile.key)
    tiles = [
        replace(tile, leads=[lead for lead in tile.leads if led[lead.page] == tile.key])
        for tile in tiles
        if tile in kept
    ]
    if are_hidden:
        tiles.append(Tile("few", hidden_notice(), "", None, ""))
    filled = {tile.key for tile in tiles}
    waiting = [
        each
        for each in _waiting(data, learning, experiments)
        if not (is_final or {each.key, INSTEAD[each.key]} & filled)
    ]
    return (*tiles, *waiting)[:MOST]


def _permitted(tiles: Iterable[Tile], panels: Mapping[str, Panel]) -> tuple[list[Tile], bool]:
    """The tiles but those whose panel is hidden on the page, one without a panel there without
    its link; and whether any was left out."""
    shown, are_hidden = [], False
    for tile in tiles:
        panel = panels.get(tile.panel)
        if panel is None:
            shown.append(replace(tile, panel=""))
        elif panel.is_empty:
            are_hidden = True
        else:
            shown.append(replace(tile, summary=tile.summary or panel.summary))
    return shown, are_hidden


def _waiting(
    data: Dataset, learning: Learning, experiments: Sequence[Experiment]
) -> Iterable[Tile]:
    """Tiles without a figure for what nothing has filled yet, which say by what it will be, or
    that an experiment hides it."""
    hidden = "" if all(each.is_over for each in experiments) else hidden_words()
    answered = learning.attempts or learning.own
    for is_filled, key, title, waits in (
        (data.bids, "bids", _("The bids"), hidden or stock_text("bid")),
        (data.deals, "chance", _("The deals"), hidden or stock_text("play")),
        (answered, "mistake", _("Mistakes"), stock_text("answer")),
    ):
        if not is_filled:
            yield Tile(key, title, "", None, waits, is_open=True)

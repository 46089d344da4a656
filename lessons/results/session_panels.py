"""A class session's figures as questions, answers and charts, in the order of the page."""

from __future__ import annotations

from lessons.results import bid_panels, deal_panels, standings
from lessons.results.facts import FEWEST, Facts
from lessons.results.panels import Panel
from lessons.results.standing_panels import Namer, same_hand, standing


def panels(
    facts: Facts, *, name: Namer, is_shared: bool = False, is_final: bool = False
) -> list[Panel]:
    """All of a session's figures, in the order of the page. On a screen that others see
    (``is_shared``) averages of fewer than five students are not shown; of a session that is
    over (``is_final``) nothing that would still have to be filled."""
    averages = [
        bid_panels.calibration(facts),
        bid_panels.bias(facts),
        bid_panels.bids_and_tricks(facts),
        bid_panels.points(facts),
        bid_panels.tip(facts),
        deal_panels.leads(facts),
    ]
    if facts.forecasts:
        sure = bid_panels.forecasts(facts)
        is_few = is_shared and facts.forecasters < FEWEST
        averages.insert(2, sure.hidden() if is_few else sure)
    if is_final:
        averages = [panel for panel in averages if not panel.is_empty]
    if is_shared and facts.is_few:
        averages = [panel.hidden() for panel in averages]
    found = [*(standing(game, name) for game in standings.games(facts)), *averages]
    if facts.deals or not is_final:
        found.append(deal_panels.hands(facts))
    if any(deal.board is not None for deal in facts.deals):
        found.append(same_hand(facts))
    return found

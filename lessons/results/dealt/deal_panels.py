"""Dealt hands and leads beside exact theory, as questions, answers and charts; their words are
pages of measures."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from lessons.measures.measure import panel
from lessons.measures.panels import Panel
from lessons.results.dataset import Dataset
from lessons.results.dealt import dealing
from lessons.results.words import basis_words, verdict


def hands(data: Dataset, *, of: int) -> Panel:
    """How good the dealt hands were, over their exact distribution; ``of`` is how many figures
    the page judges."""
    deals = data.drawn_deals
    mean = dealing.mean_card(deals)
    if mean is None:
        return panel("hands", facts={"prepared": bool(data.distinct_deals)})
    totals, chances = dealing.hand_totals(deals), dealing.total_chances()
    dealt = sum(totals.values())
    rows = [
        {
            "low": Fraction(step, 4),
            "middle": Fraction(step, 4) + Fraction(1, 16),
            "hands": sum(totals[total] for total in (2 * step, 2 * step + 1)),
            "expected": dealt * sum(chances.get(n, 0) for n in (2 * step, 2 * step + 1)),
        }
        for step in range(min(*totals, 54) // 2, max(*totals, 75) // 2 + 1)
    ]
    said = {
        "mean": mean.observed,
        "reach": 2 * mean.standard_error,
        "verdict": verdict(mean.p_value, of=of),
    }
    return panel("hands", rows, said, basis=basis_words(rounds=dealt, deals=len(deals)))


def leads(data: Dataset) -> Panel:
    """How often nobody held a better card than a lead, beside the exact chances."""
    all_leads = dealing.safe_leads(data.leads)
    if all_leads is None:
        return panel("leads")
    groups = dealing.leads_by_chance(data)
    said: dict[str, Any] = {
        "uncertain": [group for group in groups if group.low < 1],
        "safe": all_leads.observed,
        "chance": all_leads.expected,
        "took": Fraction(sum(led.took for led in data.leads), len(data.leads)),
    }
    if interval := dealing.safe_interval(data, data.leads):
        said |= {"ranged": True, "low": interval[0], "high": interval[1]}
    judged = sum(group.leads for group in groups)
    rests = basis_words(leads=judged, students=len(data.students), of=len(data.came))
    return panel("leads", groups, said, basis=rests)

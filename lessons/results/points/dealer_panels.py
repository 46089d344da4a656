"""How a class told crooked dealers from honest ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from statistics import mean
from typing import Any

from django.utils.translation import gettext as _

from games.models import Dealer
from lessons.crooked.dealing import Kind, power
from lessons.crooked.trial import PLANS, Box, box_of
from lessons.measures.grid import Counted
from lessons.measures.measure import panel
from lessons.measures.panels import Panel
from xactika_site.classrooms.privacy import FEWEST


def dealer_panel(dealers: Collection[Dealer]) -> Panel | None:
    """How many crooked dealers were named for what they do, and honest ones accused, by the
    number of deals planned, beside a test; how sure students were who were right, and who were
    wrong. None of fewer than FEWEST answers; nor is any number of fewer, nor what all
    are more than the others."""
    if len(dealers) < FEWEST:
        return None
    by_plan = {n: [each for each in dealers if each.planned == n] for n in PLANS}
    shown = {n: own for n, own in by_plan.items() if len(own) >= FEWEST}
    if shown and 0 < len(dealers) - sum(map(len, shown.values())) < FEWEST:
        del shown[min(shown, key=lambda n: len(shown[n]))]
    rows = [_row(str(n), own) | {"power": power(n)} for n, own in shown.items()]
    rows.append(_row(_("All"), dealers) | {"power": None})
    facts: dict[str, Any] = dict(rows[-1])
    for name, is_right in (("right", True), ("wrong", False)):
        sure = [each.sure or 0 for each in dealers if (each.verdict == each.kind) == is_right]
        facts |= {f"knows_{name}": len(sure) >= FEWEST, name: mean(sure or [0]) / 100}
    return panel("dealers", rows, facts)


def _row(planned: str, dealers: Collection[Dealer]) -> dict[str, Any]:
    counts = Counter(map(box_of, dealers))
    named = sum(each.verdict == each.kind != Kind.HONEST for each in dealers)
    crooked, honest = counts[Box.HIT] + counts[Box.MISS], counts[Box.ALARM] + counts[Box.PASSED]
    return {
        "planned": planned,
        "named": Counted(named, crooked) if crooked else None,
        "alarms": Counted(counts[Box.ALARM], honest) if honest else None,
        "crooked": crooked,
        "honest": honest,
        "miss": counts[Box.MISS],
        "other": counts[Box.HIT] - named,
        "alarm": counts[Box.ALARM],
    }

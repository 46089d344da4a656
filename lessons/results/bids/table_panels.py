"""How each table bid: tables side by side."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction

from lessons.measures.marks import Joined
from lessons.measures.measure import panel
from lessons.measures.panels import Panel
from lessons.results.bids import bidding
from lessons.results.facts import Facts
from lessons.results.words import basis, is_few, one_of


def table_bids(facts: Facts) -> dict[str, bidding.Errors]:
    """The errors of each table on which people bid, by its name, in their order; by game, too,
    where there are several. Not of tournaments, where people change tables."""
    pairs: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    for played in facts.rounds:
        if played.bid is not None and not played.deal.tournament:
            pairs[played.deal.game, played.deal.number].append((played.bid, played.taken))
    several = len({game for game, _table in pairs}) > 1
    return {
        f"{game}·{table}" if several else str(table): bidding.errors(bids)
        for (game, table), bids in sorted(pairs.items())
    }


def farthest_off(tables: Mapping[str, bidding.Errors]) -> tuple[list[str], Fraction]:
    """The tables whose bids were farthest off, the same way, and how far."""
    biases = {label: own.bias or Fraction() for label, own in tables.items()}
    most = max(biases.values(), key=abs)
    return [label for label, bias in biases.items() if bias == most], most


def by_table(facts: Facts) -> Panel:
    """The mean of bid less taken, a bar a table."""
    tables = table_bids(facts)
    if not tables:
        return panel("tables")
    rows = [Joined(own, label=label) for label, own in tables.items()]
    far, off = farthest_off(tables)
    said = {
        "several": any("·" in label for label in tables),
        "far": one_of(far),
        "off": off,
        "few": is_few(len(facts.bids)),
    }
    rests = basis(rounds=len(facts.bids), students=len(facts.bidders), of=len(facts.came))
    return panel("tables", rows, said, basis=rests)

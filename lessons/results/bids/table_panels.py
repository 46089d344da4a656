"""How each table bid: tables side by side."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction

from lessons.measures.measure import panel
from lessons.measures.panels import Panel
from lessons.results.bids import bidding
from lessons.results.facts import Facts
from lessons.results.words import basis, is_few, one_of


@dataclass(frozen=True, slots=True)
class TableBids:
    """A table of a game, by name, and how far off its bids were on average."""

    label: str
    rounds: int
    bias: Fraction
    hit_rate: Fraction


def table_bids(facts: Facts) -> tuple[TableBids, ...]:
    """The tables on which people bid, in their order; by game, too, where there are several."""
    pairs: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    for played in facts.rounds:
        if played.bid is not None:
            pairs[played.deal.game, played.deal.number].append((played.bid, played.taken))
    several = len({game for game, _table in pairs}) > 1
    return tuple(
        TableBids(
            f"{game}·{table}" if several else str(table),
            own.rounds,
            own.bias or Fraction(),
            own.hit_rate or Fraction(),
        )
        for (game, table), bids in sorted(pairs.items())
        for own in [bidding.errors(bids)]
    )


def farthest_off(tables: tuple[TableBids, ...]) -> list[TableBids]:
    """The tables whose bids were farthest off, the same way."""
    most = max((table.bias for table in tables), key=abs)
    return [table for table in tables if table.bias == most]


def by_table(facts: Facts) -> Panel:
    """The mean of bid less taken, a bar a table."""
    tables = table_bids(facts)
    if not tables:
        return panel("tables")
    far = farthest_off(tables)
    said = {
        "several": "·" in tables[0].label,
        "far": one_of([table.label for table in far]),
        "off": far[0].bias,
        "few": is_few(len(facts.bids)),
    }
    rests = basis(rounds=len(facts.bids), students=len(facts.bidders), of=len(facts.came))
    return panel("tables", tables, said, basis=rests)

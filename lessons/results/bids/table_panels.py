"""How each table bid: tables side by side."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction

from django.utils.translation import gettext as _

from lessons import charts
from lessons.results.bids import bidding
from lessons.results.facts import Facts
from lessons.results.grid import Column, Grid
from lessons.results.panels import Panel
from lessons.results.words import basis, bias_words, few_rounds_caveat, one_of


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
    key, title = "tables", _("How did each table bid?")
    tables = table_bids(facts)
    if not tables:
        return Panel(key, title, _("Finished rounds of Play to Bid will fill this."))
    figure = charts.figure(
        [charts.bars([table.label for table in tables], [float(t.bias) for t in tables])],
        x=_("game · table") if "·" in tables[0].label else _("table"),
        y=_("bid − taken, mean"),
    )
    figure["layout"]["xaxis"]["type"] = "category"
    far = farthest_off(tables)
    return Panel(
        key,
        title,
        table_sentence(far) + ".",
        figure,
        Grid(
            _("Bid less taken, by table"),
            (
                Column(_("Table"), "text"),
                Column(_("Hands played")),
                Column(_("Bid − taken"), "signed"),
                Column(_("Came true"), "%"),
            ),
            tuple((t.label, t.rounds, t.bias, t.hit_rate) for t in tables),
        ),
        basis(rounds=len(facts.bids), students=len(facts.bidders), of=len(facts.came)),
        few_rounds_caveat(len(facts.bids)) or _("At each table a few hands decide this."),
    )


def table_sentence(far: list[TableBids]) -> str:
    """What the farthest off came to, in words."""
    names = one_of([table.label for table in far])
    return _("Table %(table)s bid %(off)s") % {"table": names, "off": bias_words(far[0].bias)}

"""Bids as questions, answers and charts; their words are pages of measures."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from fractions import Fraction

from games.rules import HAND_SIZE
from games.words import one_of
from lessons.measures.grid import shade
from lessons.measures.marks import Merged
from lessons.measures.measure import panel
from lessons.measures.panels import Panel
from lessons.results.bids import bidding
from lessons.results.dataset import Dataset, FinishedDeal, SeatResult
from lessons.results.words import basis_words, bias_facts, is_few, number

FEW_HANDS = 5
"""Hands up to which every whole number stands at the axis."""

TableKey = tuple[int, int]
"""A table of a session: the number of its game, and its own."""


def calibration(data: Dataset, *, own: bool = False) -> Panel:
    """Each number bid (by a class, or one person: their ``own``) beside the tricks that it
    took, as bids are forecasts. An own one has a key of its own: both may stand on one page."""
    key = "own-calibration" if own else "calibration"
    groups = bidding.tricks_by_bid(data)
    if not groups:
        return panel("calibration", facts={"own": own}, key=key)
    worst = max(groups, key=lambda group: abs(group.mean - group.number) * group.rounds)
    said = {
        "own": own,
        "made": bidding.errors(data.bids).hit_rate,
        "bid": worst.number,
        "mean": worst.mean,
        "few": is_few(len(data.bids)),
    }
    rests = {} if own else {"students": len(data.bidders), "of": len(data.came)}
    return panel(
        "calibration", groups, said, key=key, basis=basis_words(rounds=len(data.bids), **rests)
    )


WIDE = HAND_SIZE / 2
"""A margin of the mean bid error wider than so many tricks is not told: of too few hands."""


def bias(data: Dataset) -> Panel:
    """Bid less taken: bias and spread, with the printed tip's where hands are known."""
    ours = bidding.errors(data.bids)
    if ours.bias is None:
        return panel("bias")
    tips = bidding.errors(bidding.tip_pairs(data, only_bids=True))
    if tips.rounds < ours.rounds:
        tips = bidding.errors(())
    steps = range(min({*ours.counts, *tips.counts}), max({*ours.counts, *tips.counts}) + 1)
    rows = [
        {"step": step, "ours": ours.counts.get(step, 0), "tips": tips.counts.get(step, 0)}
        for step in steps
    ]
    said = {
        **bias_facts(ours.bias),
        **({} if tips.bias is None else {"tip_bias": tips.bias}),
        "spread": ours.spread,
        "made": ours.hit_rate,
        "few": is_few(ours.rounds),
        "ranged": "no",
        "small": (most := max({*ours.counts.values(), *tips.counts.values()})) <= FEW_HANDS,
        "mean": [{"place": ours.bias, "top": 1.08 * most}],
    }
    if interval := bidding.bias_interval(data):
        low, high = interval
        is_wide = high - low > WIDE
        said |= {"few": True} if is_wide else {}
        said |= {"ranged": "wide" if is_wide else "yes", "low": low, "high": high}
    rests = basis_words(rounds=ours.rounds, students=len(data.bidders), of=len(data.came))
    return panel("bias", rows, said, basis=rests)


def bids_and_tricks(data: Dataset) -> Panel:
    """How often each bid took each number of tricks: a coloured table."""
    groups = bidding.tricks_by_bid(data)
    if not groups:
        return panel("bids-and-tricks")
    taken = range(max(max(group.taken) for group in groups) + 1)
    rows = [
        Merged(
            group,
            cells=[group.taken.get(k, 0) for k in taken],
            shades=[shade(group.share_of(k)) for k in taken] + [None],
        )
        for group in groups
    ]
    most = max(group.rounds for group in groups)
    said = {
        "taken": taken,
        "bids": one_of([group.number for group in groups if group.rounds == most]),
    }
    rests = basis_words(rounds=len(data.bids), students=len(data.bidders), of=len(data.came))
    return panel("bids-and-tricks", rows, said, basis=rests)


def bids_by_seat(data: Dataset) -> Panel:
    """How far off bids are by their place in the bidding; the dealer bids last."""
    by_place: dict[int, list[SeatResult]] = defaultdict(list)
    for p in data.rounds:
        if p.bid is not None:
            by_place[(p.seat - p.deal.dealer - 1) % p.deal.seats + 1].append(p)
    rows = [
        {
            "place": place,
            "hands": len(own),
            "mean": bidding.errors((p.bid or 0, p.taken) for p in own).bias,
            "range": (ends := bidding.error_interval(own)),
            "low": ends and ends[0],
            "high": ends and ends[1],
        }
        for place, own in sorted(by_place.items())
    ]
    said = {"last": rows[-1]["mean"], "first": rows[0]["mean"]} if rows else {}
    rests = basis_words(rounds=len(data.bids), students=len(data.bidders), of=len(data.came))
    return panel("bids-by-seat", rows, said | {"few": is_few(len(data.bids))}, basis=rests)


def tip(data: Dataset) -> Panel:
    """The tricks that hands took, by the number that the printed tip says of them."""
    groups = bidding.tip_groups(data)
    if not groups:
        return panel("tip")
    pairs = bidding.tip_pairs(data)
    mean = Fraction(sum(data.sizes), len(data.sizes))
    said = {
        "tip": Fraction(sum(tip for tip, _taken in pairs), len(pairs)),
        "taken": Fraction(sum(taken for _tip, taken in pairs), len(pairs)),
        "few": is_few(len(pairs)),
        "hand": bidding.TIP_MEAN,
        "sum": mean * bidding.TIP_MEAN,
        "seats": number(mean, 0 if mean.denominator == 1 else 1),
    }
    rests = basis_words(rounds=len(pairs), students=len(data.students), of=len(data.came))
    return panel("tip", groups, said, basis=rests)


# Tables side by side


def table_bids(data: Dataset) -> dict[TableKey, bidding.Errors]:
    """The errors of each table on which people bid, in their order. Not of tournaments, where
    people change tables."""
    pairs: dict[TableKey, list[tuple[int, int]]] = defaultdict(list)
    for played in data.rounds:
        if played.bid is not None and not played.deal.tournament:
            pairs[played.deal.game, played.deal.number].append((played.bid, played.taken))
    return {table: bidding.errors(bids) for table, bids in sorted(pairs.items())}


def table_labels(tables: Collection[TableKey]) -> dict[TableKey, str]:
    """What tables are called: their number, after the game's where there are several."""
    several = len({game for game, _number in tables}) > 1
    return {key: "·".join(map(str, key if several else key[1:])) for key in tables}


def weakest_tables(tables: Mapping[TableKey, bidding.Errors]) -> dict[TableKey, Fraction]:
    """The tables at which the smallest share of bids came true, and that share; nothing where
    none stands out."""
    rates = {table: own.hit_rate or Fraction() for table, own in tables.items()}
    return {table: rates[table] for table in bidding.fewest_right(rates)}


def hardest_round(data: Dataset, table: TableKey) -> FinishedDeal | None:
    """The round of a table in which fewest bids came true, of several the one with bids
    farthest off; None on paper, where no moves are known."""
    moved = {trick.deal for trick in data.tricks}
    misses: dict[int, list[int]] = defaultdict(list)
    for played in data.rounds:
        deal = played.deal
        if played.bid is not None and (deal.game, deal.number) == table and deal.pk in moved:
            misses[deal.pk].append(abs(played.bid - played.taken))
    hardest = min(
        misses,
        key=lambda pk: (Fraction(misses[pk].count(0), len(misses[pk])), -sum(misses[pk])),
        default=None,
    )
    return next((deal for deal in data.deals if deal.pk == hardest), None)


def by_table(data: Dataset) -> Panel:
    """The share of bids that came true, a bar a table."""
    tables = table_bids(data)
    if not tables:
        return panel("tables")
    labels = table_labels(tables)
    rows = [Merged(own, label=labels[table]) for table, own in tables.items()]
    worst = weakest_tables(tables)
    said = {
        "several": len({game for game, _number in tables}) > 1,
        "far": one_of([labels[table] for table in worst]),
        "share": min(worst.values(), default=""),
    }
    rests = basis_words(rounds=len(data.bids), students=len(data.bidders), of=len(data.came))
    return panel("tables", rows, said, basis=rests)

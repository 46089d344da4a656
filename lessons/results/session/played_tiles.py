"""What was played, at a glance: a tile a question, None where there is nothing to tell."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from games.analysis.significance import ALPHA
from games.classes.experiments import Experiment
from games.words import one_of
from lessons import charts
from lessons.measures.marks import Merged
from lessons.results import inference
from lessons.results.bids import bid_panels, bidding
from lessons.results.bids.forecast_panels import reliability_facts
from lessons.results.dataset import Dataset
from lessons.results.dealt import dealing
from lessons.results.points import boards
from lessons.results.tiles import MANY, Tile, TileLink, mean_above, share_rows, tile
from lessons.results.words import Significance, basis_words, claim_facts, verdict
from lessons.visits.experiments import chance_facts, redrawn, side_names, treatment_words
from xactika_site.classrooms.privacy import FEWEST


def bid_errors(data: Dataset, *, is_shared: bool) -> Tile | None:
    """Bid less taken; and where fewest bids came true: in which round of the last game, unless
    boards tell that, and at which table."""
    ours, interval = bidding.errors(data.bids), bidding.bias_interval(data)
    if ours.bias is None:
        return None
    told = {**claim_facts(ours.bias, interval)}
    told |= {"right": ours.counts.get(0, 0), "hands": ours.rounds}
    told |= dict.fromkeys(("seats", "worst", "far"), "")
    if len(data.sizes) == 1:
        told |= {"seats": data.sizes[0], "most": data.sizes[0] - 1}
    played = _hit_rates(data, is_shared=is_shared)
    worst = bidding.fewest_right(played)
    if worst and not boards.boards(data):
        told |= {"worst": one_of(worst), "least": played[worst[0]]}
    is_sure = told["sure"] is Significance.YES
    tables = {} if is_shared else bid_panels.table_bids(data)
    labels = bid_panels.table_labels(tables)
    far = bid_panels.weakest_tables(tables)
    if far:
        told |= {"far": one_of([labels[key] for key in far]), "share": min(far.values())}
    leads = [
        TileLink(
            _("Table %(table)s: replay") % {"table": labels[key]},
            reverse("replay", args=[deal.table, deal.round]),
        )
        for key in far
        if (deal := bid_panels.hardest_round(data, key))
    ]
    biases = [float(own.bias or 0) for own in tables.values()] if len(tables) > 1 else []
    told |= _errors_facts(ours, interval, biases, is_marked=is_sure)
    return tile("bids", "bias", told, stands_out=is_sure, leads=leads)


def _errors_facts(
    errors: bidding.Errors,
    interval: tuple[float, float] | None,
    tables: Sequence[float],
    *,
    is_marked: bool,
) -> dict[str, Any]:
    """What is drawn of hands by bid less taken, and over them of the mean with its interval,
    among the means of ``tables``; 0 is where bids come true."""
    low, high = min(0, *errors.counts), max(0, *errors.counts)
    most, mean = max(errors.counts.values()), float(errors.bias or 0)
    counts = {step: errors.counts.get(step, 0) for step in range(low, high + 1)}
    return {
        "counts": [
            {"step": step, "count": n, "label": str(n or "")} for step, n in counts.items()
        ],
        "zero": [{"x": 0, "y": 1.35 * most}, {"x": 0, "y": 2 * most}],
        "tables": bool(tables),
        "rings": [{"mean": own, "row": 1.85 * most} for own in tables],
        "band": (1.4 * most, 1.6 * most),
        "y_range": (0, 2 * most),
        "ticks": sorted({low, 0, high}),
        **mean_above(
            mean,
            1.5 * most,
            theory=0,
            strip=interval,
            within=(low - 0.5, high + 0.5),
            is_marked=is_marked,
        ),
    }


def dealt_hands(data: Dataset, *, of: int) -> Tile | None:
    """The mean of our cards; or how many hands held a winner, if that is what stands out."""
    departures = dealing.departures(data)
    if not departures:
        return None
    is_rare = departures[0].p_value * of < ALPHA
    mean = next(each for each in departures if each.key == "mean-card")
    told = departures[0] if is_rare else mean
    reach, expected = 2 * told.standard_error, float(told.expected)
    band = (expected - reach, expected + reach)
    said = {
        "cards": (is_of_cards := told.key == "mean-card"),
        "rare": is_rare,
        "mean": told.observed,
        "theory": told.expected,
        "verdict": verdict(told.p_value, of=of),
        "hands": sum(dealing.hand_totals(data.drawn_deals).values()),
        "low": band[0],
        "high": band[1],
        "ours": share_rows([(_("our hands"), told.observed)], {0}),
    }
    if is_of_cards:
        said |= _hands_facts(data, float(told.observed), band, is_marked=is_rare)
    return tile("chance", "hands", said, stands_out=is_rare)


def _hands_facts(
    data: Dataset, mean: float, band: tuple[float, float], *, is_marked: bool
) -> dict[str, Any]:
    """What is drawn of means of hands, in halves, under the line of their theory, and above
    them of the mean of all."""
    totals, chances = dealing.hand_totals(data.drawn_deals), dealing.total_chances()
    dealt = sum(totals.values())
    halves = []
    for place in range(min(*totals, 52) // 4, max(*totals, 76) // 4 + 1):
        each = range(4 * place, 4 * place + 4)
        expected = dealt * sum(chances.get(total, Fraction()) for total in each)
        halves.append(
            {
                "middle": (place + 0.375) / 2,
                "count": sum(totals[total] for total in each),
                "expected": round(float(expected), 2),
            }
        )
    most = max(half[name] for half in halves for name in ("count", "expected"))
    return {
        "halves": halves,
        "band": (1.2 * most, 1.4 * most),
        "y_range": (0, 1.5 * most),
        **mean_above(
            mean,
            1.3 * most,
            theory=8,
            strip=band,
            within=(halves[0]["middle"] - 0.25, halves[-1]["middle"] + 0.25),
            is_marked=is_marked,
        ),
    }


def hit_rates_by_board(data: Dataset, *, is_shared: bool) -> Tile | None:
    """The share of bids that came true, a bar a board, the worst named; of these who is
    counted, and a way to what each came to at all tables."""
    found = boards.boards(data)
    if len(found) < 2 or (is_shared and min(board.students for board in found) < FEWEST):
        return None
    several = len({board.game for board in found}) > 1
    labels = [f"{b.game}·{b.number}" if several else str(b.number) for b in found]
    named = boards.weakest_boards(found)
    told = named or found
    bids, students = boards.bids_and_students(data, told)
    said = {
        "named": bool(named),
        "worst": one_of([label for label, b in zip(labels, found, strict=True) if b in named]),
        "share": Fraction(sum(board.made for board in told), bids),
        "several": several,
        "many": len(found) > MANY,
    }
    marked = {n for n, board in enumerate(found) if board in named}
    shares = [board.share for board in found]
    return tile(
        "board",
        "same-hand",
        said,
        share_rows(zip(labels, shares, strict=True), marked),
        stands_out=bool(named) and boards.worst_p_value(data) < ALPHA,
        note=basis_words(rounds=bids, students=students),
        leads=[]
        if is_shared
        else [
            TileLink(
                _("Board %(n)s") % {"n": label},
                reverse("table_board", args=[table, board.number]),
            )
            for label, board in zip(labels, found, strict=True)
            if board in named and (table := boards.table_at(data, board))
        ],
    )


def calibration_tile(data: Dataset, *, of: int) -> Tile | None:
    """How sure the class was, beside what came true, the farthest off; None without."""
    groups = bidding.calibration_bins(data, alpha=ALPHA / of) if data.forecasts else ()
    if not groups:
        return None
    likely, off = bidding.likely_reliability(data), bidding.farthest_off(groups)
    said = {**reliability_facts(groups, likely), "students": data.forecasters}
    if told := off or likely:
        said |= {"mean": told.mean, "came": told.share_true}
    marked = [group for group in groups if off and group.is_off]
    seen = [
        group for group in groups if group.high and (group.count >= FEWEST or group in marked)
    ]
    rows = [Merged(group, marked=group in marked) for group in seen]
    return tile("sure", "forecasts", said, rows, stands_out=off is not None)


def tip_groups_tile(data: Dataset) -> Tile | None:
    """The tricks that hands took by what the printed tip says of them; None without such."""
    pairs, groups = bidding.tip_pairs(data), bidding.tip_groups(data)
    bias = bidding.errors(pairs).bias
    if bias is None:
        return None
    interval = inference.mean_interval(
        inference.Miss(played.deal.table, played.deal.key, said - taken)
        for played, (said, taken) in zip(bidding.tip_rounds(data), pairs, strict=True)
    )
    order = sorted(groups, key=lambda group: -group.rounds)
    sizes = charts.dot_sizes([group.rounds for group in order])
    dots = [Merged(group, pixels=0.6 * size) for group, size in zip(order, sizes, strict=True)]
    said = {**claim_facts(bias, interval), "hands": len(pairs), "most": order[0].rounds}
    return tile("tip", "tip", {**said, "largest": dots[:1], "smaller": dots[1:]})


def experiment_outcomes(experiment: Experiment) -> Tile | None:
    """What the tables of a finished experiment came to, by what they were told; which paid more
    only where luck alone seldom does as much."""
    difference = experiment.difference
    drawn = redrawn(experiment) if experiment.is_over else None
    if difference is None or drawn is None:
        return None
    dots = [
        {"name": name, "mean": float(outcome.mean)}
        for is_a, name in zip((True, False), side_names(experiment), strict=True)
        for outcome in experiment.counted
        if outcome.is_a is is_a and outcome.mean is not None
    ]
    better = treatment_words(experiment, is_a=difference > 0)
    return tile(
        "tip",
        "experiment-tables",
        {**chance_facts(drawn), "better": better},
        dots,
        panel=f"experiment-{experiment.game}",
        stands_out=drawn.is_rare,
    )


def hit_rates_by_round(data: Dataset, *, is_shared: bool) -> Tile | None:
    """The share of bids that came true, a bar a round of the last game with bids."""
    played = _hit_rates(data, is_shared=is_shared)
    if len(played) < 2:
        return None
    rates = list(played.values())
    said = {"early": rates[0], "late": rates[-1], "many": len(rates) > MANY}
    rows = share_rows(zip(map(str, played), rates, strict=True))
    return tile("rounds", "points", said, rows)


def _hit_rates(data: Dataset, *, is_shared: bool) -> dict[int, Fraction]:
    """The share of bids that came true by round of the last game with bids."""
    every = [
        each
        for each in bidding.points_by_round(data)
        if each.hit_rate is not None and not (is_shared and each.students < FEWEST)
    ]
    return {
        each.round: each.hit_rate or Fraction() for each in every if each.game == every[-1].game
    }

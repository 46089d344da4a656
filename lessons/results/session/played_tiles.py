"""What was played, at a glance: a tile a question, None where there is nothing to tell."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from django.urls import reverse
from django.utils.translation import gettext as _

from games.analysis.significance import ALPHA
from games.classes.experiments import Experiment
from games.rules import HAND_SIZE
from games.words import one_of
from lessons import charts
from lessons.results import inference
from lessons.results.bids import bid_panels, bidding
from lessons.results.bids.forecast_panels import reliability_facts
from lessons.results.dataset import Dataset
from lessons.results.dealt import dealing
from lessons.results.points import boards
from lessons.results.tiles import (
    Tile,
    TileLink,
    luck_band,
    margin_band,
    mean_above,
    share_bars,
    tile,
    weighed_dots,
)
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
    figure = _errors_figure(ours, interval, biases, is_marked=is_sure)
    return tile("bids", "bias", told, figure, stands_out=is_sure, leads=leads)


def _errors_figure(
    errors: bidding.Errors,
    interval: tuple[float, float] | None,
    tables: Sequence[float],
    *,
    is_marked: bool,
) -> charts.Figure:
    """Hands by bid less taken, and over them the mean with its interval, among the means of
    ``tables``; 0 is where bids come true."""
    low, high = min(0, *errors.counts), max(0, *errors.counts)
    steps, most, mean = (
        range(low, high + 1),
        max(errors.counts.values()),
        float(errors.bias or 0),
    )
    counts = [errors.counts.get(step, 0) for step in steps]
    shapes, zero = [], charts.line([0, 0], [1.35 * most, 2 * most], dash="dot")
    if interval is not None:
        band = (1.4 * most, 1.6 * most)
        shapes.append(charts.strip(*interval, upright=True, between=band) | margin_band())
    rings = charts.points(
        tables,
        [1.85 * most] * len(tables),
        name=_("Tables"),
        colour=charts.CLEAR,
        sizes=[7] * len(tables),
    )
    above, x_range = mean_above(
        mean,
        1.5 * most,
        theory=0,
        strip=interval,
        within=(low - 0.5, high + 0.5),
        is_marked=is_marked,
    )
    return charts.small(
        [
            charts.bars(steps, counts, text=[str(count or "") for count in counts]),
            zero,
            *([rings] if tables else []),
            *above,
        ],
        x=_("Bid − taken"),
        y_range=(0, 2 * most),
        x_range=x_range,
        x_ticks=sorted({low, 0, high}),
        shapes=shapes,
    )


def dealt_hands(data: Dataset, *, of: int) -> Tile | None:
    """The mean of our cards; or how many hands held a winner, if that is what stands out."""
    departures = dealing.departures(data)
    if not departures:
        return None
    is_rare = departures[0].p_value * of < ALPHA
    mean = next(each for each in departures if each.key == "mean-card")
    told = departures[0] if is_rare else mean
    reach, expected = 2 * told.standard_error, float(told.expected)
    if is_of_cards := told.key == "mean-card":
        band = (expected - reach, expected + reach)
        figure = _hands_figure(data, float(told.observed), band, is_marked=is_rare)
    else:
        shapes = [
            charts.strip(expected - reach, expected + reach) | luck_band(),
            charts.level(expected),
        ]
        figure = share_bars(
            [_("our hands")], [told.observed], marked={0}, shapes=shapes, y=_("with a winner")
        )
    said = {
        "cards": is_of_cards,
        "rare": is_rare,
        "mean": told.observed,
        "theory": told.expected,
        "verdict": verdict(told.p_value, of=of),
        "hands": sum(dealing.hand_totals(data.drawn_deals).values()),
    }
    return tile("chance", "hands", said, figure, stands_out=is_rare)


def _hands_figure(
    data: Dataset, mean: float, band: tuple[float, float], *, is_marked: bool
) -> charts.Figure:
    """Means of hands, in halves, under the line of their theory, and above them the mean of
    all."""
    totals, chances = dealing.hand_totals(data.drawn_deals), dealing.total_chances()
    places = range(min(*totals, 52) // 4, max(*totals, 76) // 4 + 1)
    within = [range(4 * place, 4 * place + 4) for place in places]
    middles = [(place + 0.375) / 2 for place in places]
    dealt = sum(totals.values())
    expected = [
        round(float(dealt * sum(chances.get(total, Fraction()) for total in each)), 2)
        for each in within
    ]
    counts = [sum(totals[total] for total in each) for each in within]
    most = max(*counts, *expected)
    above, x_range = mean_above(
        mean,
        1.3 * most,
        theory=8,
        strip=band,
        within=(middles[0] - 0.25, middles[-1] + 0.25),
        is_marked=is_marked,
    )
    return charts.small(
        [
            charts.bars(middles, counts, name=_("our hands"), width=0.44)
            | {"showlegend": False},
            charts.line(middles, expected, name=_("Theory")),
            *above,
        ],
        x=_("Mean value of a hand"),
        y_range=(0, 1.5 * most),
        x_range=x_range,
        overlay=True,
        x_ticks=[7, 8],
        shapes=[
            charts.strip(*band, upright=True, between=(1.2 * most, 1.4 * most)) | luck_band()
        ],
    )


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
    }
    return tile(
        "board",
        "same-hand",
        said,
        share_bars(
            labels,
            [board.share for board in found],
            marked={n for n, board in enumerate(found) if board in named},
            x=_("game · board") if several else _("Board"),
            y=_("Bids right"),
        ),
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
    means = [float(group.mean) for group in seen]
    figure = charts.small(
        [
            charts.line([0, 1], [0, 1], name=_("as said")),
            charts.strokes(means, [group.band for group in seen]) | luck_band(),
            charts.points(
                means,
                [float(group.share_true) for group in seen],
                marked={n for n, group in enumerate(seen) if group in marked},
            ),
        ],
        x=_("said"),
        y=_("Came true"),
        percent=True,
        x_percent=True,
        x_range=(-0.03, 1.03),
        y_range=(-0.05, 1.05),
        x_ticks=[0, 0.5, 1],
        y_ticks=[0, 0.5, 1],
    )
    return tile("sure", "forecasts", said, figure, stands_out=off is not None)


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
    means = [float(group.mean) for group in groups]
    return tile(
        "tip",
        "tip",
        {**claim_facts(bias, interval), "hands": len(pairs)},
        charts.small(
            [
                charts.line([0, HAND_SIZE], [0, HAND_SIZE], name=_("if tip A were right")),
                *weighed_dots(
                    [group.number for group in groups],
                    means,
                    [group.rounds for group in groups],
                ),
            ],
            x=_("Tip A"),
            y=_("Taken"),
            x_range=(-0.3, 8.3),
            y_range=(-0.3, 8.3),
            x_ticks=[0, 4, 8],
            y_ticks=[0, 4, 8],
        ),
    )


def experiment_outcomes(experiment: Experiment) -> Tile | None:
    """What the tables of a finished experiment came to, by what they were told; which paid more
    only where luck alone seldom does as much."""
    difference = experiment.difference
    drawn = redrawn(experiment) if experiment.is_over else None
    if difference is None or drawn is None:
        return None
    dots = [
        (name, float(outcome.mean))
        for is_a, name in zip((True, False), side_names(experiment), strict=True)
        for outcome in experiment.counted
        if outcome.is_a is is_a and outcome.mean is not None
    ]
    better = treatment_words(experiment, is_a=difference > 0)
    return tile(
        "tip",
        "experiment-tables",
        {**chance_facts(drawn), "better": better},
        charts.small(
            [charts.points(*map(list, zip(*dots, strict=True)))],
            y=_("points, beside the others"),
            shapes=[charts.level(0)],
        ),
        panel=f"experiment-{experiment.game}",
        stands_out=drawn.is_rare,
    )


def hit_rates_by_round(data: Dataset, *, is_shared: bool) -> Tile | None:
    """The share of bids that came true, a bar a round of the last game with bids."""
    played = _hit_rates(data, is_shared=is_shared)
    if len(played) < 2:
        return None
    rates = list(played.values())
    return tile(
        "rounds",
        "points",
        {"early": rates[0], "late": rates[-1]},
        share_bars(list(map(str, played)), rates, x=_("Round"), y=_("Bids right")),
    )


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

"""Bids and points as questions, answers and charts."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.rules import HAND_SIZE
from lessons import charts
from lessons.results.bids import bidding
from lessons.results.facts import Facts
from lessons.results.grid import Column, Grid, shades_of
from lessons.results.panels import Panel, dot_sizes
from lessons.results.words import (
    basis,
    bias_words,
    counted_as,
    few_rounds_caveat,
    half_up,
    interval_words,
    number,
    one_of,
    percent,
    sentences,
    signed,
)

FEW_STEPS = 5
"""Hands up to which every whole number stands at the axis, and below which a bid is not
singled out."""


def _no_bids() -> str:
    return _("Finished rounds of Play to Bid will fill this.")


def calibration(facts: Facts) -> Panel:
    """Bids are forecasts: each number bid beside the tricks that it took."""
    key, title = "calibration", _("Do our bids come true?")
    groups = bidding.calibration(facts)
    if not groups:
        return Panel(key, title, _no_bids())
    worst = max(groups, key=lambda g: abs(g.mean - g.number) * g.rounds)
    often = [group for group in groups if group.rounds >= FEW_STEPS]
    shares = sorted(Fraction(group.true, group.rounds) for group in often)
    hit_rate = bidding.errors(facts.bids).hit_rate or Fraction()
    sentence = _("%(made)s of them did. Whoever bid %(bid)d took %(mean)s on average.") % {
        "made": percent(hit_rate),
        "bid": worst.number,
        "mean": number(worst.mean),
    }
    if len(often) > 1 and shares[-1] > shares[-2]:
        best = max(often, key=lambda g: Fraction(g.true, g.rounds))
        commonest = _(
            "Of what was bid %(least)d times and more, bids of %(bid)d came true most often: "
            "%(true)d of %(n)d."
        )
        figures = {"bid": best.number, "true": best.true, "n": best.rounds}
        sentence = sentences(sentence, commonest % (figures | {"least": FEW_STEPS}))
    figure = _taken_by(groups, x=_("bid"), theory=_("a bid that comes true"))
    return Panel(
        key,
        title,
        sentence,
        figure,
        Grid(
            _("Bids and the tricks they took"),
            (
                Column(_("Bid")),
                Column(_("Hands played")),
                Column(_("Tricks taken, mean"), "2"),
                Column(_("Came true"), "%"),
            ),
            tuple((g.number, g.rounds, g.mean, Fraction(g.true, g.rounds)) for g in groups),
        ),
        basis(rounds=len(facts.bids), students=len(facts.bidders), of=len(facts.came)),
        few_rounds_caveat(len(facts.bids))
        or _("A larger dot stands for more hands; single hands tell little."),
    )


def _taken_by(groups: Sequence[bidding.Group], *, x: str, theory: str) -> charts.Figure:
    """Mean tricks taken by a number that was said, over the line on which it comes true."""
    figure = charts.figure(
        [
            charts.line([0, HAND_SIZE], [0, HAND_SIZE], name=theory),
            charts.points(
                [group.number for group in groups],
                [float(group.mean) for group in groups],
                name=_("tricks taken (number: hands)"),
                sizes=dot_sizes([group.rounds for group in groups]),
                text=[str(group.rounds) for group in groups],
                places=charts.around_line(
                    [float(group.mean) for group in groups],
                    [group.number for group in groups],
                    HAND_SIZE + 1,
                ),
            ),
        ],
        x=x,
        y=_("tricks taken"),
        legend=True,
        every=1,
        x_range=(-0.5, 8.5),
        y_range=(-1.3, 8.5),
    )
    figure["layout"]["yaxis"]["tickvals"] = list(range(0, HAND_SIZE + 1, 2))
    return figure


def bias(facts: Facts) -> Panel:
    """Bid less taken: bias and spread, with the printed tip's on the same hands."""
    key, title = "bias", _("How far off are our bids?")
    ours = bidding.errors(facts.bids)
    if ours.bias is None or ours.spread is None or ours.hit_rate is None:
        return Panel(key, title, _no_bids())
    tips = bidding.errors(bidding.tip_pairs(facts, only_bids=True))
    assert tips.bias is not None
    assert tips.spread is not None
    low = min(min(ours.counts), min(tips.counts))
    high = max(max(ours.counts), max(tips.counts))
    steps = list(range(low, high + 1))
    interval = bidding.bias_interval(facts)
    figure = charts.figure(
        [
            charts.bars(
                steps,
                [ours.counts.get(step, 0) for step in steps],
                name=_("our bids"),
            ),
            charts.hollow_bars(
                steps,
                [tips.counts.get(step, 0) for step in steps],
                name=_("the printed tip on the same hands"),
            ),
        ],
        x=_("bid − taken (0: it came true)"),
        y=_("hands played"),
        legend=True,
        every=1,
        overlay=True,
    )
    if max(*ours.counts.values(), *tips.counts.values()) <= FEW_STEPS:
        figure["layout"]["yaxis"]["dtick"] = 1  # rounds are whole
    return Panel(
        key,
        title,
        sentences(_bias_sentence(ours, interval), _tip_sentence(ours.bias, tips.bias)),
        figure,
        Grid(
            _("Bid less taken"),
            (
                Column(_("Bid − taken"), "whole"),
                Column(_("Our bids")),
                Column(_("Printed tip")),
            ),
            tuple((step, ours.counts.get(step, 0), tips.counts.get(step, 0)) for step in steps),
        ),
        basis(rounds=ours.rounds, students=len(facts.bidders), of=len(facts.came)),
        sentences(few_rounds_caveat(ours.rounds), _bias_caveat(interval)),
    )


def _bias_sentence(ours: bidding.Errors, interval: tuple[float, float] | None) -> str:
    assert ours.bias is not None
    assert ours.spread is not None
    assert ours.hit_rate is not None
    return sentences(
        bias_words(ours.bias),
        interval_words(*map(signed, interval)) if interval else "",
        _("Their spread is %(spread)s; %(made)s of the bids came true.")
        % {"spread": number(ours.spread), "made": percent(ours.hit_rate)},
    )


def _bias_caveat(interval: tuple[float, float] | None) -> str:
    caveat = _("A mean of zero alone is no good bidding: look at the spread, too.")
    if interval is None:
        return sentences(caveat, _("One table, or one board, does not tell how far luck goes."))
    return sentences(
        caveat,
        _(
            "“Allowing for luck” counts whole tables and boards, not single hands, and holds "
            "for 19 of 20 classes."
        ),
    )


def _tip_sentence(ours: Fraction, tip_bias: Fraction) -> str:
    size, form = half_up(tip_bias, 1), counted_as(tip_bias)
    if abs(tip_bias - ours) < Fraction(3, 10):
        return _("The printed tip would have bid about as high.")
    if size > 0:
        sentence = ngettext(
            "The printed tip would have bid %s trick too high.",
            "The printed tip would have bid %s tricks too high.",
            form,
        )
        return sentence % number(size)
    if size < 0:
        sentence = ngettext(
            "The printed tip would have bid %s trick too low.",
            "The printed tip would have bid %s tricks too low.",
            form,
        )
        return sentence % number(-size)
    return _("The printed tip would have bid neither too high nor too low.")


def bids_and_tricks(facts: Facts) -> Panel:
    """How often each bid took each number of tricks: a coloured table."""
    key, title = "bids-and-tricks", _("Which bid took how many tricks?")
    groups = bidding.calibration(facts)
    if not groups:
        return Panel(key, title, _no_bids(), kind="heat")
    taken = range(max(max(group.taken) for group in groups) + 1)
    shares = [
        [Fraction(group.taken.get(k, 0), group.rounds) for k in taken] for group in groups
    ]
    most = max(groups, key=lambda g: g.rounds)
    common = [group.number for group in groups if group.rounds == most.rounds]
    often = max(most.taken.values())
    usual = [k for k, n in most.taken.items() if n == often]
    sentence = _(
        "Bid most often: %(bids)s. A bid of %(bid)d took %(taken)s most often (%(n)d of "
        "%(of)d)."
    )
    if len(usual) > 1:
        sentence = _(
            "Bid most often: %(bids)s. A bid of %(bid)d took %(taken)s most often (%(n)d of "
            "%(of)d each)."
        )
    grid = Grid(
        _("Hands played by bid (down) and tricks taken (across)"),
        (Column(_("Bid / took")), *(Column(str(k)) for k in taken), Column(_("Hands played"))),
        tuple(
            (group.number, *(group.taken.get(k, 0) for k in taken), group.rounds)
            for group in groups
        ),
        tuple((*row, None) for row in shades_of(shares)),
        tuple(group.number for group in groups),
    )
    return Panel(
        key,
        title,
        sentence
        % {
            "bids": one_of(common),
            "bid": most.number,
            "taken": one_of(usual),
            "n": often,
            "of": most.rounds,
        },
        grid=grid,
        basis=basis(rounds=len(facts.bids), students=len(facts.bidders), of=len(facts.came)),
        caveat=_(
            "The fuller the colour, the larger the share of the hands with this bid. Framed: "
            "the bid came true."
        ),
        kind="heat",
    )


def tip(facts: Facts) -> Panel:
    """The printed tip against what happened."""
    key, title = "tip", _("Does the printed tip hold?")
    groups = bidding.tip_groups(facts)
    if not groups:
        return Panel(key, title, _("Finished rounds will fill this."))
    pairs = bidding.tip_pairs(facts)
    bid = Fraction(sum(tip for tip, _taken in pairs), len(pairs))
    taken = Fraction(sum(taken for _tip, taken in pairs), len(pairs))
    mean = sum(facts.sizes) / len(facts.sizes)
    across = _("the tip’s bid: cards of 9 or more")
    figure = _taken_by(groups, x=across, theory=_("if the tip were right"))
    return Panel(
        key,
        title,
        _("On our hands the tip would have bid %(tip)s on average; they took %(taken)s.")
        % {"tip": number(bid), "taken": number(taken)},
        figure,
        Grid(
            _("The printed tip and the tricks taken"),
            (
                Column(_("The tip says")),
                Column(_("Hands played")),
                Column(_("Tricks taken, mean"), "2"),
            ),
            tuple((g.number, g.rounds, g.mean) for g in groups),
        ),
        basis(rounds=len(pairs), students=len(facts.students), of=len(facts.came)),
        few_rounds_caveat(len(pairs))
        or _(
            "Expected: %(hand)s such cards a hand, %(sum)s at a table of %(seats)s, for 8 "
            "tricks."
        )
        % {
            "hand": number(bidding.TIP_MEAN, 2),
            "sum": number(mean * bidding.TIP_MEAN),
            "seats": number(mean, 0 if mean == int(mean) else 1),
        },
    )

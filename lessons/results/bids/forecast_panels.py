"""Forecasts as questions, answers and charts: whether what was sure came true, and how much
better they were than what is usual."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from lessons import charts
from lessons.measures.grid import Column, Grid
from lessons.measures.panels import Panel
from lessons.results.bids import bidding
from lessons.results.bids.bidding import LIKELY, NEAR
from lessons.results.bids.forecasting import Score, sum_of
from lessons.results.facts import Facts
from lessons.results.inference import RARE
from lessons.results.words import basis, few_rounds_caveat, interval_words, percent, sentences


def forecasts(facts: Facts, *, of: int, own: bool = False) -> Panel:
    """How sure a class (or one person: their ``own``) was of each number of tricks, beside how
    often it came true; ``of`` is how many figures the page judges."""
    key, title = "forecasts", _("When we are sure, are we right?")
    groups = bidding.calibration_bins(facts, rare=RARE / of)
    if not groups:
        return Panel(key, title, _("Forecasts made beside the bids will fill this."))
    sentence = _reliability_sentence(groups, bidding.likely_reliability(facts), own=own)
    return Panel(
        key,
        title,
        sentences(sentence, score_sentence(bidding.score(facts))),
        _reliability_figure([group for group in groups if group.high]),
        Grid(
            _("Forecasts and what came true"),
            (
                Column(_("Percent from")),
                Column(_("to")),
                Column(_("Chances said")),
                Column(_("Mean"), "%"),
                Column(pgettext("forecasts", "Came true"), "%"),
                Column(_("Chance goes down to"), "%"),
                Column(_("and up to"), "%"),
            ),
            tuple(
                (g.low, g.high, g.count, g.mean, g.true, *map(Fraction, g.band)) for g in groups
            ),
        ),
        basis(rounds=len(facts.forecasts), students=facts.forecasters, of=len(facts.came)),
        few_rounds_caveat(len(facts.forecasts))
        or _("Each forecast says nine chances, one for each number of tricks."),
        is_scored=True,
    )


COVERED = 0.1
"""So near to the end of its stroke a dot may cover it."""


def _reliability_figure(groups: Sequence[bidding.CalibrationBin]) -> charts.Figure:
    """Dots beside the line on which a forecast holds, and how far from it chance goes, with the
    number above both; what was called impossible is left to the table."""
    means = [float(group.mean) for group in groups]
    true = [float(group.true) for group in groups]
    ends = [group.band for group in groups]
    counts = [str(group.count) for group in groups]
    sizes = charts.dot_sizes([group.count for group in groups])
    is_above = [up >= high for up, (_low, high) in zip(true, ends, strict=True)]
    figure = charts.figure(
        [
            charts.line([0, 1], [0, 1], name=_("a forecast that holds")),
            charts.spans(means, ends, name=_("as far as chance goes")),
            charts.points(
                means,
                true,
                name=_("came true (number: chances said)"),
                sizes=sizes,
                text=[n if above else "" for n, above in zip(counts, is_above, strict=True)],
            ),
            charts.words(
                means,
                [float(high) for _low, high in ends],
                ["" if above else n for n, above in zip(counts, is_above, strict=True)],
                [
                    size if high - up < COVERED else 1
                    for size, up, (_low, high) in zip(sizes, true, ends, strict=True)
                ],
            ),
        ],
        x=_("how likely we said it was"),
        y=_("how often it came true"),
        legend=True,
        percent=True,
        x_range=(-0.02, 1.08),
        y_range=(-0.08, 1.16),
    )
    figure["layout"]["xaxis"]["tickformat"] = ".0%"
    figure["layout"]["xaxis"]["tickvals"] = [0, 0.25, 0.5, 0.75, 1]
    figure["layout"]["yaxis"]["tickvals"] = [0, 0.25, 0.5, 0.75, 1]
    return figure


def _reliability_sentence(
    groups: Sequence[bidding.CalibrationBin], likely: bidding.Reliability | None, *, own: bool
) -> str:
    """What was said beside how often it came true, of a class or (``own``) of one person;
    whether that was too sure only where a dot is farther off than chance goes. Luck that may do
    it has not shown that it was right."""
    if likely is None:
        return _("Nobody called a number of tricks likely (%d\u00a0%% or more).") % LIKELY
    if (off := bidding.farthest_off(groups)) is not None:
        begin = _(
            "Where %(low)d to %(high)d\u00a0%% was said, it came true in %(true)s: farther off "
            "than chance goes."
        ) % {"low": off.low, "high": min(off.high, 100), "true": percent(off.true)}
        if own:
            so = _("That was too sure.")
            so = so if off.is_too_sure else _("It could have been surer.")
        else:
            so = _("We were too sure.")
            so = so if off.is_too_sure else _("We could have been surer.")
        return sentences(begin, so)
    words = (
        _(
            "Where %(least)d\u00a0%% or more was said, that was %(said)s on average and came "
            "true in %(true)s: that is close."
        )
        if abs(likely.gap) < NEAR
        else _(
            "Where %(least)d\u00a0%% or more was said, that was %(said)s on average and came "
            "true in %(true)s: luck alone may do that."
        )
    )
    return words % {
        "least": LIKELY,
        "said": percent(likely.mean),
        "true": percent(likely.true),
    }


def score_sentence(score: Score) -> str:
    """How much better forecasts were than always saying what is usual."""
    if (ends := score.interval) is None:
        words = ngettext(
            "%(n)d forecast is too few to compare with always saying what is usual.",
            "%(n)d forecasts are too few to compare with always saying what is usual.",
            score.forecasts,
        )
        return words % {"n": score.forecasts}
    low, high = (ends[0], min(1.0, ends[1])) if score.skill_score > 0 else (-ends[1], -ends[0])
    facts = {"n": score.forecasts, "share": percent(abs(score.skill_score))}
    if not score.is_significant:
        words = _(
            "Between the %(n)d forecasts and always saying what is usual at such a table no "
            "difference is shown: luck alone may do that."
        )
        return words % facts
    if score.skill_score > 0:
        words = _(
            "Together the %(n)d forecasts were %(share)s better than always saying what is "
            "usual at such a table."
        )
    else:
        words = _(
            "Together the %(n)d forecasts were %(share)s worse than always saying what is "
            "usual at such a table."
        )
    return sentences(words % facts, interval_words(percent(low), percent(high)))


def score_curve(
    key: str, title: str, named: Sequence[tuple[str, Score]], *, x: str, first: str
) -> Panel:
    """How good forecasts were, week by week or session by session, by name; above 0 they were
    better than what is usual."""
    if not named:
        return Panel(key, title, _("Forecasts made beside the bids will fill this."))
    # How many stand beside the day: beside the dots the line would cross them.
    labels = [f"{name} ({each.forecasts})" for name, each in named]
    scores = [each for _name, each in named]
    in_all = sum_of(scores)
    figure = charts.figure(
        [
            charts.line(labels, [0.0] * len(labels), name=_("always saying what is usual")),
            charts.points(
                labels,
                [round(float(each.skill_score), 4) for each in scores],
                name=_("better by"),
                sizes=charts.dot_sizes([each.forecasts for each in scores]),
            ),
        ],
        y=_("better than what is usual"),
        x=x,
        legend=True,
        percent=True,
    )
    figure["layout"]["xaxis"]["type"] = "category"
    figure["layout"]["yaxis"]["rangemode"] = "normal"
    if len(labels) == 1:
        figure["layout"]["shapes"] = [charts.level(0)]
    else:
        figure["data"][1]["mode"] = "markers+lines"
        figure["data"][1]["line"] = {"color": charts.DATA, "width": 2}
    return Panel(
        key,
        title,
        score_sentence(in_all),
        figure,
        Grid(
            _("How good the forecasts were"),
            (
                Column(first, "text"),
                Column(_("Forecasts")),
                Column(_("Better than what is usual"), "%"),
                Column(_("Missed by (mean)"), "2"),
                Column(_("What is usual, by"), "2"),
            ),
            tuple(
                (
                    name,
                    each.forecasts,
                    each.skill_score,
                    each.ours / each.forecasts,
                    each.usual / each.forecasts,
                )
                for name, each in named
            ),
        ),
        basis(rounds=in_all.forecasts),
        few_rounds_caveat(in_all.forecasts)
        or _("A larger dot stands for more forecasts; few of them tell little."),
        is_scored=True,
    )

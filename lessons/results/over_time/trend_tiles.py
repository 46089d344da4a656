"""Bids, forecasts, skills and attendance by session, at a glance: small charts of a class, and
of a student within it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import groupby
from typing import Any, TypeVar

from django.utils.translation import gettext as _

from lessons import charts
from lessons.results.bids.forecasting import Score
from lessons.results.inference import Miss
from lessons.results.over_time import trends
from lessons.results.over_time.records import Records, Rows
from lessons.results.over_time.term import Day
from lessons.results.over_time.term_panels import day_words
from lessons.results.over_time.trends import Ends, Estimate, Trend
from lessons.results.tiles import Tile
from lessons.results.words import basis, number, percent, signed
from xactika_site.dates import dated

T = TypeVar("T")
Bands = Mapping[int, Ends]


@dataclass(frozen=True, slots=True)
class Measure:
    """What is drawn session by session: what it is called, what is said where it rises and
    where it falls (or comes nearer to its ``theory`` and farther) by more than luck, how it is
    written, its axis, what ``fills`` it, and what it ``counts``."""

    key: str
    title: str
    rises: str
    falls: str
    write: Callable[[float], str]
    axis: Mapping[str, Any]
    fills: str
    counts: str = ""
    theory: float | None = None

    def claim(self, trend: Trend) -> str:
        """What is seen: a change only where luck alone seldom makes one."""
        if not trend.points:
            words = _("%(what)s: nothing yet")
        elif len(trend.points) == 1:
            words = _("%(what)s: just once so far")
        elif trend.change is None:
            words = _("%(what)s: too little to tell")
        elif not trend.is_change:
            words = _("%(what)s: no change that luck couldn’t make")
        else:
            is_better = trend.is_nearer if self.key == "bids" else trend.change.value > 0
            return self.rises if is_better else self.falls
        return words % {"what": self.title}


def bids() -> Measure:
    """The mean of bid − taken; it rises where it comes nearer to 0."""
    return Measure(
        "bids",
        _("Bids"),
        _("Bids come nearer"),
        _("Bids get farther off"),
        signed,
        {"y_ticks": [0]},
        _("Finished rounds of Play to Bid will fill this."),
        counts="rounds",
        theory=0,
    )


def forecasts() -> Measure:
    """The skill score."""
    return Measure(
        "forecasts",
        _("Forecasts"),
        _("Forecasts get better"),
        _("Forecasts get worse"),
        percent,
        {"y_ticks": [0], "percent": True},
        _("Forecasts made beside the bids will fill this."),
        counts="rounds",
        theory=0,
    )


def skills() -> Measure:
    """The share of questions right at once."""
    return Measure(
        "skills",
        _("Right at once"),
        _("More is right at once"),
        _("Less is right at once"),
        percent,
        {"y_ticks": [0, 0.5, 1], "y_range": (-0.04, 1.04), "percent": True},
        _("Answers to exercises will fill this."),
        counts="questions",
    )


def attendance(of: int) -> Measure:
    """How many of so many students came."""
    return Measure(
        "attendance",
        _("Who came"),
        _("More students come"),
        _("Fewer students come"),
        lambda count: number(count, 0),
        {"y_ticks": [0, of], "y_range": (0, 1.08 * of)},
        _("Finished rounds of a class session will fill this."),
    )


# Of a class


def of_class(records: Records, days: Sequence[Day], *, learning: str) -> list[Tile]:
    """A class's four measures; ``learning`` is the page of what was learned."""
    labels = _labels(days)
    of = len(records.everybody)
    misses = trends.trend(trends.of_class(records.bids), trends.mean_estimate)
    scores = trends.trend(trends.of_class(records.forecasts), trends.score_estimate)
    right = trends.trend(trends.of_class(records.answers), trends.share_estimate)
    came = trends.trend(trends.of_class(records.attendance), trends.share_estimate)
    return [
        _tile(bids(), misses, labels, intervals(misses), panel="term-bias"),
        _tile(forecasts(), scores, labels, intervals(scores), panel="term-score"),
        _tile(skills(), right, labels, intervals(right), page=learning),
        _attendance(came, labels, of),
    ]


def intervals(trend: Trend) -> dict[int, Ends]:
    """How far luck goes in each session of which that can be told."""
    return {pk: point.interval for pk, point in trend.points.items() if point.interval}


def _attendance(came: Trend, labels: Mapping[int, str], of: int) -> Tile:
    if not of:
        return _tile(attendance(1), came, labels, {}, panel="")
    counted = Trend(
        {pk: Estimate(round(each.value * of), None, of) for pk, each in came.points.items()},
        came.earlier,
        came.later,
    )
    band = trends.luck_band([round(each.value) for each in counted.points.values()], of)
    bands = dict.fromkeys(counted.points, band) if len(counted.points) > 1 else {}
    return _tile(attendance(of), counted, labels, bands, panel="term-sessions")


def _tile(
    measure: Measure,
    trend: Trend,
    labels: Mapping[int, str],
    bands: Bands,
    *,
    panel: str = "",
    page: str = "",
) -> Tile:
    claim = measure.claim(trend)
    if not trend.points:
        return Tile(measure.key, claim, "", None, measure.fills, is_open=True)
    return Tile(
        measure.key,
        claim,
        measure.write(trend.last.value),
        figure(measure, labels, bands, line=trend),
        summary(measure, trend, labels),
        panel=panel,
        page=page,
        stands_out=trend.is_change,
        note=basis(**{measure.counts: trend.rests_on}) if measure.counts else "",
    )


# Of a student within it


def of_student(
    records: Records,
    student: int,
    days: Sequence[Day],
    *,
    panels: Mapping[str, str],
    seen: Records | None = None,
) -> list[Tile]:
    """A student's measures, within the middle half of the class's students; or, for the
    student, beside the class's means, of what is ``seen`` of it. Where there is nothing a
    measure is left out."""
    labels = _labels(days)

    def tile(
        measure: Measure,
        rows: Rows[T],
        seen_rows: Rows[T] | None,
        estimate: Callable[[Sequence[T]], Estimate],
    ) -> Tile | None:
        own = trends.trend(trends.of_student(rows, student), estimate)
        if seen_rows is None:
            line, bands = Trend({}), trends.class_quartiles(rows, estimate)
        else:
            line = trends.trend(trends.of_enough(seen_rows), estimate)
            bands = intervals(line)
        if own.points:
            return own_tile(measure, own, labels, panels[measure.key], bands=bands, line=line)
        return _tile(measure, line, labels, bands) if line.points else None

    each = (
        tile(bids(), records.bids, seen.bids if seen else None, trends.mean_estimate),
        tile(
            forecasts(),
            records.forecasts,
            seen.forecasts if seen else None,
            trends.score_estimate,
        ),
        tile(skills(), records.answers, seen.answers if seen else None, trends.share_estimate),
    )
    return [made for made in each if made]


def of_session(
    tiles: Iterable[Tile], records: Records, student: int, session: int
) -> list[Tile]:
    """A class's tiles of one session for one of its students: their own mean stands beside that
    of all bids, marked for themselves alone."""
    own = trends.trend(trends.of_student(records.bids, student), trends.mean_estimate)
    mine = own.points.get(session)
    return [
        replace(
            tile,
            key=f"class-{tile.key}",
            figure=_with_own(tile.figure, mine.value)
            if tile.key == "bids" and tile.figure and mine
            else tile.figure,
        )
        for tile in tiles
    ]


def _with_own(figure: charts.Figure, place: float) -> charts.Figure:
    """The figure with one's own diamond at the height of its last trace, which has a dot."""
    *others, mean = figure["data"]
    return figure | {
        "data": [
            *others,
            mean | charts.points(mean["x"], mean["y"]),
            charts.points([round(place, 4)], mean["y"], marked={0}),
        ]
    }


def of_days(
    misses: Mapping[date, Sequence[Miss]],
    scores: Mapping[date, Score],
    answers: Mapping[date, Sequence[Miss]],
    *,
    panels: Mapping[str, str],
) -> list[Tile]:
    """The same of whoever is in no class, day by day."""
    days = sorted({*misses, *scores, *answers})
    numbers = {day: n for n, day in enumerate(days)}
    labels = {n: dated(day, "j M") for day, n in numbers.items()}

    def by_number(rows: Mapping[date, Sequence[T]]) -> dict[int, Sequence[T]]:
        return {numbers[day]: rows[day] for day in days if day in rows}

    each = (
        (bids(), trends.trend(by_number(misses), trends.mean_estimate)),
        (
            forecasts(),
            trends.trend(
                by_number({day: [score] for day, score in scores.items()}),
                trends.score_estimate,
            ),
        ),
        (skills(), trends.trend(by_number(answers), trends.share_estimate)),
    )
    return [
        own_tile(measure, own, labels, panels[measure.key])
        for measure, own in each
        if own.points
    ]


NOTHING, NO_BANDS = Trend({}), dict[int, Ends]()


def own_tile(
    measure: Measure,
    own: Trend,
    labels: Mapping[int, str],
    panel: str,
    *,
    bands: Bands = NO_BANDS,
    line: Trend = NOTHING,
) -> Tile:
    """A measure of one person, alone or beside others."""
    return Tile(
        measure.key,
        measure.claim(own) if own.change else measure.title,
        measure.write(own.last.value),
        figure(
            measure,
            labels,
            bands,
            line=line,
            own={pk: round(point.value, 4) for pk, point in own.points.items()},
        ),
        summary(measure, own, labels),
        panel=panel,
        stands_out=own.is_change,
    )


# Figures


def _labels(days: Sequence[Day]) -> dict[int, str]:
    return {day.pk: day_words(day, tuple(days)) for day in days}


SAID = 12
"""Sessions that a summary names: the latest."""


def summary(measure: Measure, trend: Trend, labels: Mapping[int, str]) -> str:
    """The chart for the ear: its figures, session by session."""
    figures = [f"{labels[pk]} {measure.write(each.value)}" for pk, each in trend.points.items()]
    return _("%(what)s over time: %(figures)s.") % {
        "what": measure.title,
        "figures": "; ".join(figures[-SAID:]),
    }


def figure(
    measure: Measure,
    labels: Mapping[int, str],
    bands: Bands,
    *,
    line: Trend,
    own: Mapping[int, float] | None = None,
) -> charts.Figure:
    """A line by session, behind it how far luck (or the class's middle half) goes; one's
    ``own`` line has diamonds, theory is a line across."""
    own = own or {}
    drawn = [pk for pk in labels if pk in line.points or pk in own]
    # Where each session stands says the first trace, which draws nothing.
    heights = {pk: point.value for pk, point in line.points.items()} | dict(own)
    traces = [
        charts.points([labels[pk] for pk in drawn], [heights[pk] for pk in drawn])
        | {"mode": "none"}
    ]
    for has_band, run in groupby(drawn, key=lambda pk: pk in bands):
        if has_band:
            traces.append(_band(list(run), labels, bands))
    if line.points:
        traces.append(_line(line.points, labels))
    if own:
        traces.append(
            charts.points(
                [labels[pk] for pk in own], list(own.values()), marked=range(len(own))
            )
            | {"mode": "markers+lines", "line": {"color": charts.MARKED, "width": 2}}
        )
    chart = charts.small(
        traces,
        shapes=[] if measure.theory is None else [charts.level(measure.theory)],
        **measure.axis,
    )
    chart["layout"]["xaxis"]["type"] = "category"
    chart["layout"]["yaxis"]["rangemode"] = "normal"
    return chart


def _line(points: Mapping[int, Estimate], labels: Mapping[int, str]) -> charts.Trace:
    trace = charts.points(
        [labels[pk] for pk in points],
        [round(point.value, 4) for point in points.values()],
        sizes=[7] * len(points),
    )
    return trace | {"mode": "markers+lines", "line": {"color": charts.DATA, "width": 2}}


def _band(keys: Sequence[int], labels: Mapping[int, str], bands: Bands) -> charts.Trace:
    places = [labels[pk] for pk in keys]
    ends = [(round(bands[pk][0], 4), round(bands[pk][1], 4)) for pk in keys]
    if len(keys) > 1:
        return charts.ribbon(places, ends)
    alone = charts.spans(places, ends)  # as light as a ribbon
    alone["marker"]["color"] = alone["error_y"]["color"] = "--line"
    return alone

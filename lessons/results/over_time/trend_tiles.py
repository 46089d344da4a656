"""Bids, forecasts, skills and attendance by session, at a glance: small charts of a class, and
of a student within it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from math import inf
from operator import attrgetter
from typing import Any

from django.utils.translation import gettext as _

from games.words import semicolon_list
from lessons import charts
from lessons.measures.page import page
from lessons.results.over_time import trends
from lessons.results.over_time.records import Records, Rows
from lessons.results.over_time.term import Day
from lessons.results.over_time.term_panels import day_labels
from lessons.results.over_time.trends import Ends, Estimate, Trend
from lessons.results.tiles import Tile, TileLink, tile
from lessons.results.words import basis_words, percent, sentences, signed, signed_percent
from xactika_site.dates import format_date

Bands = Mapping[int, Ends]

SAID = 12
"""Sessions that a summary names, and a session's page compares: the latest."""


@dataclass(frozen=True, slots=True)
class Measure:
    """What is drawn session by session, in the words of the page ``over-time``, which has its
    axes, too: which rows of the records, how they are estimated and written, what it
    ``counts``, and where its ``theory`` is."""

    key: str
    rows: Callable[[Records], Rows[Any]]
    estimate: Callable[[Sequence[Any]], Estimate]
    write: Callable[[float], str]
    counts: str = ""
    theory: float = -inf

    def seen(self, trend: Trend, luck: Bands | None = None) -> str:
        """What is seen: a change only where luck alone seldom makes one; none only where no
        session is outside its band of ``luck``."""
        if not trend.points:
            return "nothing"
        if trend.change is None:
            return "little"
        if not trend.is_change:
            is_apart = any(
                not low <= trend.points[pk].value <= high
                for pk, (low, high) in (luck or {}).items()
            )
            return "apart" if is_apart else "luck"
        return "better" if self.is_better(trend) else "worse"

    def is_better(self, trend: Trend) -> bool:
        """Whether it has changed for the better: bids come nearer to 0."""
        if trend.change is None or not trend.is_change:
            return False
        return trend.is_nearer if self.key == "bids" else trend.change.value > 0


MEASURES = (
    Measure("bids", attrgetter("bids"), trends.mean_estimate, signed, "rounds", 0),
    Measure(
        *("forecasts", attrgetter("forecasts"), trends.score_estimate, signed_percent),
        *("rounds", 0),
    ),
    Measure("skills", attrgetter("answers"), trends.share_estimate, percent, "questions"),
)
ATTENDANCE = Measure("attendance", attrgetter("attendance"), trends.share_estimate, percent)


# Of a class


def of_class(records: Records, days: Sequence[Day], *, learning: str) -> list[Tile]:
    """A class's four measures; ``learning`` is the page of what was learned."""
    bids, forecasts, skills = MEASURES
    return [
        _class_tile(bids, records, days, panel="term-bias"),
        _class_tile(forecasts, records, days, panel="term-score"),
        _class_tile(skills, records, days, page=learning),
        _attendance_tile(records, days),
    ]


def change(records: Records, days: Sequence[Day], *, page: str) -> Tile | None:
    """What changed over these sessions: bids, or else what was right first time, whichever
    changed more clearly than luck does; None where fewer than two sessions tell, or the last
    does not. A press leads to the ``page``."""
    tiles = [
        _class_tile(measure, records, days, page=page)
        for measure in (MEASURES[0], MEASURES[-1])
        for told in [_class_trend(measure, records, days)[0].points]
        if len(told) > 1 and days[-1].pk in told
    ]
    tiles.sort(key=lambda tile: not tile.stands_out)
    leads = [TileLink(_("The class over time"), page)]
    return replace(tiles[0], key="learned", leads=leads) if tiles else None


def _class_tile(
    measure: Measure,
    records: Records,
    days: Sequence[Day],
    panel: str = "",
    page: str = "",
) -> Tile:
    """A measure of everybody; a press leads to a ``panel`` or a ``page``."""
    trend, is_open_out = _class_trend(measure, records, days)
    labels, bands = _labels(days, trend), intervals(trend)
    return _trend_tile(
        measure, trend, labels, bands, panel=panel, address=page, is_open_out=is_open_out
    )


def _class_trend(measure: Measure, records: Records, days: Sequence[Day]) -> tuple[Trend, bool]:
    """The trend of everybody, and whether it is without the open session, which has too little
    for an interval."""
    rows = trends.of_class(measure.rows(records))
    is_open = _open_session(days)
    is_left_out = is_open in rows and measure.estimate(rows[is_open]).interval is None
    if is_left_out:
        del rows[is_open]
    return trends.trend(rows, measure.estimate), is_left_out


def _open_session(days: Sequence[Day]) -> int:
    """The id of the session that still goes on; 0 without."""
    return days[-1].pk if days and days[-1].ended is None else 0


def _labels(days: Sequence[Day], *drawn: Trend) -> dict[int, str]:
    """The words for the sessions of these trends: the time only where two of them share a
    day."""
    return day_labels(day for day in days if any(day.pk in trend.points for trend in drawn))


def intervals(trend: Trend) -> dict[int, Ends]:
    """By session, the 95% confidence interval of its figure, where there is one."""
    return {pk: point.interval for pk, point in trend.points.items() if point.interval}


def _attendance_tile(records: Records, days: Sequence[Day]) -> Tile:
    """The share that was there of those of the class then who have ever come; not in the open
    session, to which some are still to come, unless it is the only one."""
    is_open = _open_session(days)
    rows = ATTENDANCE.rows(records)
    is_left_out = is_open in rows and len(rows) > 1
    if is_left_out:
        del rows[is_open]
    came = trends.trend(trends.of_class(rows), ATTENDANCE.estimate)
    there = sum(each.value * each.rests_on for each in came.points.values())
    share = there / (came.rests_on or 1)
    bands = {pk: trends.luck_band(share, each.rests_on) for pk, each in came.points.items()}
    tile = _trend_tile(
        ATTENDANCE,
        came,
        _labels(days, came),
        {},  # a whole class is counted, not sampled
        panel="term-sessions",
        luck=bands,
        is_open_out=is_left_out,
    )
    return replace(
        tile, note=sentences(tile.note, basis_words(students=len(records.everybody)))
    )


def _trend_tile(
    measure: Measure,
    trend: Trend,
    labels: Mapping[int, str],
    bands: Bands,
    *,
    own: Trend | None = None,
    panel: str = "",
    address: str = "",
    luck: Bands | None = None,
    is_open_out: bool = False,
) -> Tile:
    """A measure of a class; or of one person (their ``own``), alone or beside others. ``luck``
    is the band that luck alone seldom leaves."""
    told, seen = own or trend, measure.seen(own or trend, luck)
    (what,) = page("over-time").texts("title", {"measure": measure.key})
    said: dict[str, Any] = {"measure": measure.key, "what": what, "seen": seen}
    if not told.points:
        return tile(measure.key, "over-time", said, panel="", is_open=True)
    is_alone = own is not None and not own.change
    shown = (told.last,) if is_alone else told.halves or (told.last,)
    texts = [f"{labels[pk]} {measure.write(each.value)}" for pk, each in told.points.items()]
    said |= {
        "alone": is_alone,
        "day": labels[next(reversed(told.points))],
        "number": " → ".join(measure.write(each.value) for each in shown),
        "figures": semicolon_list(texts[-SAID:]),
        "rests": "",
        **_drawn_facts(measure, labels, bands, trend, own),
    }
    if not own:
        written = {measure.write(each.value) for each in trend.halves}
        said |= {
            "changed": trend.is_change,
            "unclear": seen == "luck" and len(written) > 1,
            "open": is_open_out,
            "rests": basis_words(**{measure.counts: told.rests_on} if measure.counts else {}),
        }
    return tile(
        measure.key,
        "over-time",
        said,
        panel=panel,
        page=address,
        stands_out=told.is_change,
        is_good=measure.is_better(told),
    )


def _drawn_facts(
    measure: Measure, labels: Mapping[int, str], bands: Bands, line: Trend, own: Trend | None
) -> dict[str, Any]:
    """What is drawn: a line by session, its ends with their figures, away from the theory,
    behind it its margin (or the class's middle half); and one's ``own`` line."""
    mine = {pk: round(point.value, 4) for pk, point in own.points.items()} if own else {}
    heights = {pk: point.value for pk, point in line.points.items()} | mine
    drawn, ends = [pk for pk in labels if pk in heights], [*line.points]
    ends = [*ends[:1], *ends[-1:]]
    return {
        "class": bool(line.points),
        "own": bool(mine),
        "drawn": [{"label": labels[pk], "height": heights[pk]} for pk in drawn],
        "bands": [
            {
                "label": labels[pk],
                "ends": [round(end, 4) for end in bands[pk]] if pk in bands else None,
            }
            for pk in drawn
        ],
        "line": [
            {
                "label": labels[pk],
                "value": round(point.value, 4),
                "text": measure.write(point.value) if pk in ends else "",
                "place": f"{'bottom' if point.value < measure.theory else 'top'} center",
            }
            for pk, point in line.points.items()
        ],
        "mine": [{"label": labels[pk], "value": height} for pk, height in mine.items()],
    }


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
    tiles = []
    for measure in MEASURES:
        rows = measure.rows(records)
        own = trends.trend(trends.of_student(rows, student), measure.estimate)
        if seen is None:
            line, bands = Trend({}), trends.class_quartiles(rows, measure.estimate)
        else:
            line = trends.trend(trends.of_enough(measure.rows(seen)), measure.estimate)
            bands = intervals(line)
        labels = _labels(days, own, line)
        bands = {pk: ends for pk, ends in bands.items() if pk in labels}
        if own.points:
            panel = panels[measure.key]
            tiles.append(_trend_tile(measure, line, labels, bands, own=own, panel=panel))
        elif line.points:
            tiles.append(_trend_tile(measure, line, labels, bands))
    return tiles


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
            figure=_with_own_dot(tile.figure, mine.value)
            if tile.key == "bids" and tile.figure and mine
            else tile.figure,
        )
        for tile in tiles
    ]


def _with_own_dot(figure: charts.Figure, place: float) -> charts.Figure:
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
    rows: Mapping[str, Mapping[date, Sequence[Any]]], *, panels: Mapping[str, str]
) -> list[Tile]:
    """The measures of somebody who is in no class, day by day; ``rows`` by their measures."""
    days = sorted({day for by_day in rows.values() for day in by_day})
    labels = {n: format_date(day, "j N") for n, day in enumerate(days)}
    tiles = []
    for measure in MEASURES:
        by_day = rows[measure.key]
        own = trends.trend(
            {n: by_day[day] for n, day in enumerate(days) if day in by_day}, measure.estimate
        )
        if own.points:
            panel = panels[measure.key]
            tiles.append(_trend_tile(measure, Trend({}), labels, {}, own=own, panel=panel))
    return tiles

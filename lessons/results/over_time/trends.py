"""How a class changes from session to session: figures with their intervals, the change from
the earlier to the later half of the sessions, how far luck goes, quartiles. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf, sqrt
from statistics import median
from typing import NamedTuple, TypeVar

from games.analysis.significance import Z95
from lessons.results import inference
from lessons.results.bids.forecasting import Score, sum_of
from xactika_site.classrooms.privacy import FEWEST

S = TypeVar("S")
T = TypeVar("T")
Ends = tuple[float, float]


class Estimate(NamedTuple):
    """A figure, its 95% confidence interval (None where too little is there to tell), and on
    how many hands, forecasts or questions it rests."""

    value: float
    interval: Ends | None
    rests_on: int


def mean_estimate(
    rows: Iterable[inference.Miss], *, low: float = -inf, high: float = inf
) -> Estimate:
    """The mean of what is counted at tables and boards, or of students and exercises, with its
    95% interval, which ends at ``low`` and ``high``."""
    misses = list(rows)
    interval = inference.mean_interval(misses)
    count = sum(miss.many for miss in misses)
    return Estimate(
        sum(miss.off for miss in misses) / count,
        interval and (max(low, interval[0]), min(high, interval[1])),
        count,
    )


def share_estimate(rows: Iterable[inference.Miss]) -> Estimate:
    """The share of ones among rows of 0 and 1, as ``mean_estimate`` gives a mean."""
    return mean_estimate(rows, low=0, high=1)


def score_estimate(scores: Iterable[Score]) -> Estimate:
    """The skill score of forecasts, together."""
    together = sum_of(scores)
    ends = together.interval
    return Estimate(
        float(together.skill_score), ends and (ends[0], min(1, ends[1])), together.forecasts
    )


def difference(earlier: Estimate, later: Estimate) -> Estimate | None:
    """By how much the later figure is above the earlier one, with an interval made of both (Zou
    and Donner 2008: what the ends are off, added as squares). None where one has none.

    >>> difference(Estimate(1, (0, 4), 9), Estimate(2, (-2, 5), 9))
    Estimate(value=1, interval=(-4.0, 4.16227766016838), rests_on=18)
    """
    if earlier.interval is None or later.interval is None:
        return None
    (a_low, a_high), (b_low, b_high) = earlier.interval, later.interval
    a, b = earlier.value, later.value
    return Estimate(
        b - a,
        (
            b - a - sqrt((b - b_low) ** 2 + (a_high - a) ** 2),
            b - a + sqrt((b_high - b) ** 2 + (a - a_low) ** 2),
        ),
        earlier.rests_on + later.rests_on,
    )


@dataclass(frozen=True, slots=True)
class Trend:
    """A figure in each session that has one, by key and in their order; and in the earlier and
    the later half of these sessions (of an odd number the middle one is in neither)."""

    points: dict[int, Estimate]
    earlier: Estimate | None = None
    later: Estimate | None = None

    @property
    def last(self) -> Estimate:
        return next(reversed(self.points.values()))

    @property
    def halves(self) -> tuple[Estimate, ...]:
        """The earlier and the later half; nothing of fewer than two sessions."""
        return tuple(filter(None, (self.earlier, self.later)))

    @property
    def rests_on(self) -> int:
        return sum(point.rests_on for point in self.points.values())

    @property
    def change(self) -> Estimate | None:
        """The later half less the earlier one; None where too little is there to tell."""
        if self.earlier is None or self.later is None:
            return None
        return difference(self.earlier, self.later)

    @property
    def is_change(self) -> bool:
        """Whether luck alone seldom changes as much."""
        change = self.change
        if change is None or change.interval is None:
            return False
        return not change.interval[0] <= 0 <= change.interval[1]

    @property
    def is_nearer(self) -> bool:
        """Whether the later half is nearer to 0 than the earlier one."""
        if self.earlier is None or self.later is None:
            return False
        return abs(self.later.value) < abs(self.earlier.value)


def trend(
    by_session: Mapping[int, Iterable[T]], estimate: Callable[[Sequence[T]], Estimate]
) -> Trend:
    """The trend of what was counted in each session; sessions without anything are left out."""
    rows = {session: own for session, each in by_session.items() if (own := list(each))}
    points = {session: estimate(own) for session, own in rows.items()}
    half = len(rows) // 2
    if not half:
        return Trend(points)
    every = list(rows.values())
    return Trend(
        points,
        estimate([row for own in every[:half] for row in own]),
        estimate([row for own in every[-half:] for row in own]),
    )


def of_class(rows: Mapping[int, Mapping[S, Iterable[T]]]) -> dict[int, list[T]]:
    """By session, all that was counted in it, of everybody."""
    return {
        session: [row for own in by_student.values() for row in own]
        for session, by_student in rows.items()
    }


def of_enough(rows: Mapping[int, Mapping[int | None, Iterable[T]]]) -> dict[int, list[T]]:
    """By session, what was counted of everybody, where five students stand behind it."""
    return of_class(
        {
            session: by_student
            for session, by_student in rows.items()
            if len(by_student.keys() - {None}) >= FEWEST
        }
    )


def of_student(
    rows: Mapping[int, Mapping[int | None, Iterable[T]]], student: int
) -> dict[int, Iterable[T]]:
    """By session, what was counted of one student alone."""
    return {session: by_student.get(student, ()) for session, by_student in rows.items()}


def class_quartiles(
    rows: Mapping[int, Mapping[int | None, Sequence[T]]],
    estimate: Callable[[Sequence[T]], Estimate],
) -> dict[int, Ends]:
    """By session of five students and more, the quartiles of their figures."""
    ends = {
        session: quartiles(
            estimate(own).value
            for student, own in by_student.items()
            if own and student is not None
        )
        for session, by_student in rows.items()
    }
    return {session: pair for session, pair in ends.items() if pair}


def luck_band(share: float, of: int) -> Ends:
    """(low, high) between which luck alone takes the share of so many who are there, each in
    this ``share`` of sessions: two standard deviations of the binomial distribution around it.

    >>> [round(end, 3) for end in luck_band(0.5, 100)]
    [0.402, 0.598]
    """
    half = Z95 * sqrt(share * (1 - share) / of)
    return max(0, share - half), min(1, share + half)


def quartiles(values: Iterable[float]) -> Ends | None:
    """The lower and the upper quartile: the medians of the lower and of the upper half, without
    the middle one where their number is odd. None of fewer than five.

    >>> quartiles([9, 1, 4, 3, 7])
    (2.0, 8.0)
    """
    ordered = sorted(values)
    if len(ordered) < FEWEST:
        return None
    half = len(ordered) // 2
    return median(ordered[:half]), median(ordered[-half:])

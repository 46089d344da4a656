"""How a class bids: bias and spread, calibration, points, and what the printed tip would have
done. Pure; exact until displayed."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from math import sqrt
from typing import TypeVar

from django.utils.timezone import localtime

from games.analysis.bots import printed_bid
from games.analysis.significance import ALPHA
from games.rules import DECK, HAND_SIZE, Variant, parse_card
from lessons.probability import mean, variance
from lessons.results import inference
from lessons.results.bids.calibration_band import SeatForecast, calibration_half_widths
from lessons.results.bids.forecasting import JudgedForecast, Score, score_of, sum_of
from lessons.results.dataset import Dataset, SeatResult, has_bids

K = TypeVar("K")


@dataclass(frozen=True, slots=True)
class Errors:
    """How far from the tricks taken some bids were: ``counts`` of bid − taken."""

    counts: dict[int, int]

    @property
    def rounds(self) -> int:
        return sum(self.counts.values())

    @property
    def bias(self) -> Fraction | None:
        """The mean of bid − taken; above 0 the bids were too high."""
        return mean(self.counts) if self.rounds else None

    @property
    def spread(self) -> float | None:
        """The standard deviation of bid − taken, divided by n: these rounds are all."""
        return sqrt(variance(self.counts)) if self.rounds else None

    @property
    def hit_rate(self) -> Fraction | None:
        """The share of bids that came true."""
        return Fraction(self.counts.get(0, 0), self.rounds) if self.rounds else None


def fewest_right(rates: Mapping[K, Fraction]) -> list[K]:
    """The keys with the smallest share, if they are one or two of several; nothing where none
    stands out."""
    least = min(rates.values(), default=None)
    worst = [key for key, rate in rates.items() if rate == least]
    return worst if len(worst) <= 2 and len(worst) < len(rates) else []


def errors_of(counts: Mapping[int, int]) -> Errors:
    """The errors that occurred so often, the lowest first."""
    return Errors(dict(sorted(counts.items())))


def errors(pairs: Iterable[tuple[int, int]]) -> Errors:
    """The errors of (bid, taken) pairs."""
    return errors_of(Counter(bid - taken for bid, taken in pairs))


def bias_interval(data: Dataset) -> tuple[float, float] | None:
    """The 95% confidence interval of the mean of bid − taken, if whole tables, and boards that
    several played, are drawn anew; None where there is but one of them."""
    return error_interval(data.rounds)


def error_interval(rounds: Iterable[SeatResult]) -> tuple[float, float] | None:
    """``bias_interval`` of those of these rounds in which somebody bid."""
    interval = inference.mean_interval(
        inference.Miss(p.deal.table, p.deal.key, p.bid - p.taken)
        for p in rounds
        if p.bid is not None
    )
    return interval and (max(interval[0], -HAND_SIZE), min(interval[1], HAND_SIZE))


def shrunk_means(people: Mapping[int, Errors]) -> dict[int, float]:
    """The shrunk mean of each one's errors, by key, in tricks: the own mean, drawn towards the
    class's, the more so the fewer hands stand behind it and the less people differ (Efron and
    Morris 1975).

    How much single hands vary and how much people differ is read off the same hands (an
    analysis of variance); of fewer than two people, or hands, there is nothing to read.
    """
    means = {pk: float(own.bias) for pk, own in people.items() if own.bias is not None}
    hands = {pk: people[pk].rounds for pk in means}
    count = sum(hands.values())
    if len(means) < 2 or count == len(means):
        return means
    middle = sum(hands[pk] * mean for pk, mean in means.items()) / count
    within = sum(hands[pk] * (people[pk].spread or 0) ** 2 for pk in means)
    within /= count - len(means)
    among = sum(hands[pk] * (mean - middle) ** 2 for pk, mean in means.items())
    usual = (count - sum(n**2 for n in hands.values()) / count) / (len(means) - 1)
    differ = max(0.0, (among / (len(means) - 1) - within) / usual)
    return {
        pk: middle + (mean - middle) * (differ / (differ + within / hands[pk]) if differ else 0)
        for pk, mean in means.items()
    }


@dataclass(frozen=True, slots=True)
class Group:
    """Rounds that share a number (a bid, or what the tip says): the tricks that they took."""

    number: int
    taken: dict[int, int]

    @property
    def rounds(self) -> int:
        return sum(self.taken.values())

    @property
    def hits(self) -> int:
        """How many took just that number."""
        return self.taken.get(self.number, 0)

    def share_of(self, taken: int) -> Fraction:
        """The share that took so many tricks."""
        return Fraction(self.taken.get(taken, 0), self.rounds)

    @property
    def share(self) -> Fraction:
        """The share that took just that number."""
        return self.share_of(self.number)

    @property
    def mean(self) -> Fraction:
        return mean(self.taken)


def tricks_by_bid(data: Dataset) -> tuple[Group, ...]:
    """For each number that was bid, the tricks taken."""
    return groups(data.bids)


TIP_MEAN = HAND_SIZE * Fraction(printed_bid(DECK), len(DECK))
"""What the printed tip bids on average, over all hands: 3.06."""


def tip_rounds(data: Dataset) -> tuple[SeatResult, ...]:
    """The counted rounds whose hands are known, but for Play to Lose: who wants no trick takes
    fewer than the tip says."""
    return tuple(
        played for played in data.dealt_rounds if played.deal.variant != Variant.LOSE.value
    )


def tip_pairs(data: Dataset, *, only_bids: bool = False) -> tuple[tuple[int, int], ...]:
    """(what the printed tip would have bid on the dealt hand, tricks taken) of ``tip_rounds``;
    with ``only_bids``, of Play to Bid."""
    return tuple(
        (printed_bid([parse_card(code) for code in played.hand]), played.taken)
        for played in tip_rounds(data)
        if not only_bids or played.bid is not None
    )


def tip_groups(data: Dataset) -> tuple[Group, ...]:
    """For each number that the printed tip says, the tricks that such hands took."""
    return groups(tip_pairs(data))


def groups(pairs: Iterable[tuple[int, int]]) -> tuple[Group, ...]:
    """The tricks taken, grouped by the number before them (bid, or the tip's); lowest first."""
    by_number: dict[int, Counter[int]] = defaultdict(Counter)
    for number, taken in pairs:
        by_number[number][taken] += 1
    return tuple(
        Group(number, dict(sorted(taken.items())))
        for number, taken in sorted(by_number.items())
    )


@dataclass(frozen=True, slots=True)
class RoundPoints:
    """The counted rounds of one round of one game: how many seats and students, their mean
    points, what all seats of a table average by construction (with bids: at most), and the
    share of bids made."""

    game: int
    round: int
    variant: str
    rounds: int
    students: int
    points: Fraction
    structural: Fraction
    hit_rate: Fraction | None


def points_by_round(data: Dataset) -> tuple[RoundPoints, ...]:
    """Mean points by game and round, in the order of play."""
    by_round: dict[tuple[int, int, str], list[SeatResult]] = defaultdict(list)
    for played in data.rounds:
        by_round[played.deal.game, played.deal.round, played.deal.variant].append(played)
    return tuple(
        RoundPoints(
            game,
            number,
            variant,
            len(rows),
            len({row.student for row in rows} - {None}),
            Fraction(sum(row.points for row in rows), len(rows)),
            structural_mean(rows),
            errors([(row.bid, row.taken) for row in rows if row.bid is not None]).hit_rate,
        )
        for (game, number, variant), rows in sorted(by_round.items())
    )


def structural_mean(rows: Sequence[SeatResult]) -> Fraction:
    """The average points of all seats of these tables, by construction and not by skill: 8/m
    of m seats, since 8 tricks are a point each. With bids 7/m, at most: they do not add up to 8
    (the hook), so somebody loses a point, or a trick is no point."""
    most = [HAND_SIZE - 1 if has_bids(row.deal) else HAND_SIZE for row in rows]
    shares = [Fraction(n, row.deal.seats) for n, row in zip(most, rows, strict=True)]
    return sum(shares, Fraction()) / len(rows)


LIKELY = 25
"""Percents from which a forecast calls a number of tricks likely."""


@dataclass(frozen=True, slots=True)
class Reliability:
    """Chances beside what came true: how many, their mean, and the share that came true."""

    count: int
    mean: Fraction
    share_true: Fraction

    @property
    def gap(self) -> Fraction:
        """The mean chance less the share that came true: above 0, more was promised than
        came."""
        return self.mean - self.share_true


def likely_reliability(data: Dataset) -> Reliability | None:
    """The reliability of all chances of LIKELY percent or more; None without any."""
    count, percents, true = 0, 0, 0
    for chances, taken in data.forecasts:
        likely = [tricks for tricks, percent in enumerate(chances) if percent >= LIKELY]
        count += len(likely)
        percents += sum(chances[tricks] for tricks in likely)
        true += taken in likely
    if not count:
        return None
    return Reliability(count, Fraction(percents, 100 * count), Fraction(true, count))


STEPS = (0, 1, 10, LIKELY, 50, 75, 101)
"""Forecast percents are grouped between these; a plain 0 is a group of its own."""

FEWEST_FORECASTS = 10
"""Below it nobody is told to be too sure."""

NEAR = Fraction(1, 20)
"""Promised and come true closer than this is near."""


@dataclass(frozen=True, slots=True)
class CalibrationBin(Reliability):
    """Those of forecast chances between two percents, and how far chance takes the share that
    came true from the mean, up or down."""

    low: int
    high: int
    half_width: float

    @property
    def band(self) -> tuple[float, float]:
        """(low, high) between which luck alone takes the share that comes true, from 0 to 1."""
        mean = float(self.mean)
        return max(0.0, mean - self.half_width), min(1.0, mean + self.half_width)

    @property
    def is_off(self) -> bool:
        """Whether it lies off by NEAR, and farther than chance goes; the bin from 0% is not
        judged."""
        is_far = abs(self.gap) >= NEAR and abs(self.gap) > self.half_width + 1e-9
        return self.low > 0 and is_far

    @property
    def is_too_sure(self) -> bool:
        """Whether what was called likely came true less often than said, or what was called
        unlikely more often."""
        return (self.gap > 0) == (self.low >= LIKELY)


def calibration_bins(data: Dataset, *, alpha: float = ALPHA) -> tuple[CalibrationBin, ...]:
    """A calibration curve: all chances that were forecast, of each number of tricks, in bins
    between STEPS; ``alpha`` is the share of classes whose chances are right in which any of the
    judged bins lies outside its band."""
    by_bin: dict[int, list[tuple[int, bool]]] = defaultdict(list)
    for percents, taken in data.forecasts:
        for tricks, percent in enumerate(percents):
            by_bin[bisect_right(STEPS, percent) - 1].append((percent, tricks == taken))
    half_widths = calibration_half_widths(_seat_forecasts(data), STEPS, STEPS[1], alpha)
    return tuple(
        CalibrationBin(
            len(chances),
            Fraction(sum(percent for percent, _true in chances), 100 * len(chances)),
            Fraction(sum(true for _percent, true in chances), len(chances)),
            STEPS[number],
            STEPS[number + 1] - 1,
            half_widths[number],
        )
        for number, chances in sorted(by_bin.items())
    )


def farthest_off(groups: Sequence[CalibrationBin]) -> CalibrationBin | None:
    """Of the groups that are farther off than chance goes the one that is so by the largest
    multiple of that, of likely numbers of tricks before unlikely ones, which mirror them; None
    if there is none, and of few forecasts."""
    off = [group for group in groups if group.is_off]
    if sum(group.count for group in groups) < (HAND_SIZE + 1) * FEWEST_FORECASTS or not off:
        return None
    return max(
        off,
        key=lambda group: (group.low >= LIKELY, abs(group.gap) / (group.half_width or NEAR)),
    )


def _seat_forecasts(data: Dataset) -> list[SeatForecast]:
    """The counted forecasts with where they were made."""
    return [
        SeatForecast(
            tuple(percents),
            played.deal.pk,
            played.seat,
            played.deal.seats,
            None if played.deal.board is None else played.deal.key,
        )
        for percents, played in data.forecast_rounds
    ]


def score(data: Dataset) -> Score:
    """The ``Score`` of the counted forecasts together."""
    return score_of(row for _played, row in _outcomes(data))


def by_day(data: Dataset) -> dict[date, Score]:
    """The ``Score`` of the forecasts of each day."""
    days: dict[date, list[JudgedForecast]] = defaultdict(list)
    for played, outcome in _outcomes(data):
        if played.deal.dealt is not None:
            days[localtime(played.deal.dealt).date()].append(outcome)
    return {day: score_of(outcomes) for day, outcomes in sorted(days.items())}


def by_week(data: Dataset) -> tuple[tuple[date, Score], ...]:
    """The score of the forecasts of each week, by its Monday."""
    weeks: dict[date, list[Score]] = defaultdict(list)
    for day, scored in by_day(data).items():
        weeks[day - timedelta(days=day.weekday())].append(scored)
    return tuple((week, sum_of(scores)) for week, scores in sorted(weeks.items()))


def _outcomes(data: Dataset) -> Iterator[tuple[SeatResult, JudgedForecast]]:
    for percents, played in data.forecast_rounds:
        yield played, JudgedForecast(percents, played.taken, played.deal.seats, played.deal.key)

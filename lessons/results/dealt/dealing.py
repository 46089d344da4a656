"""What was dealt and led, beside exact theory. Pure; exact until displayed.

Hands of one table come from one deck, so they are dependent: spreads of pooled figures take
that into account (``probability.pooled_mean_variance``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from math import comb, nan, sqrt
from typing import NamedTuple

from games.rules import DECK, HAND_SIZE
from lessons.probability import CARDS, bosses, pooled_mean_variance, sum_distribution
from lessons.results.dataset import Dataset, FinishedDeal, LedTrick
from lessons.results.inference import Hit, normal_p_value, share_interval

VALUE = {card.code: card.value for card in DECK}
MEAN_VALUE = 8
BOSSES = frozenset(card.code for card in bosses())


@dataclass(frozen=True, slots=True)
class Departure:
    """One figure beside its theory, and the standard error that luck gives it; ``p_value`` is
    how often luck alone goes as far, not a number where nothing exact can be said of that."""

    key: str
    observed: Fraction
    expected: Fraction
    standard_error: float
    p_value: float = nan

    @property
    def z_score(self) -> float:
        """The difference in standard errors; 0 where nothing can vary."""
        if not self.standard_error:
            return 0.0
        return float(self.observed - self.expected) / self.standard_error


def _departure(
    key: str, observed: Fraction, expected: Fraction, standard_error: float
) -> Departure:
    """A mean of many hands beside theory, its p-value by the normal distribution."""
    departure = Departure(key, observed, expected, standard_error)
    return replace(departure, p_value=normal_p_value(departure.z_score))


def hand_totals(deals: Iterable[FinishedDeal]) -> Counter[int]:
    """By total value, how many dealt hands have it; 64 is the average."""
    return Counter(sum(map(VALUE.__getitem__, hand)) for deal in deals for hand in deal.hands)


def total_chances() -> dict[int, Fraction]:
    """The chance of each total of a hand of eight."""
    return sum_distribution()


def mean_card(deals: Sequence[FinishedDeal]) -> Departure | None:
    """The mean value of all dealt cards; its variance is that of one draw at each table."""
    cards = sum(HAND_SIZE * deal.seats for deal in deals)
    if not cards:
        return None
    total = sum(VALUE[code] for deal in deals for hand in deal.hands for code in hand)
    variance = sum(total_variance(deal.seats) for deal in deals)
    mean, error = Fraction(total, cards), sqrt(variance) / cards
    return _departure("mean-card", mean, Fraction(MEAN_VALUE), error)


class RunningMean(NamedTuple):
    """After so many deals: the mean value of all cards so far, its standard deviation around
    8, and how far their sum is from 8 a card."""

    deals: int
    mean: float
    deviation: float
    gap: int


def running_mean(sums: Iterable[tuple[int, int]]) -> list[RunningMean]:
    """The mean value of all cards after each deal, of deals given as (seats, total value)."""
    means = []
    cards, total, variance = 0, 0, 0.0
    for number, (seats, value) in enumerate(sums, start=1):
        cards += HAND_SIZE * seats
        total += value
        variance += total_variance(seats)
        gap = total - MEAN_VALUE * cards
        means.append(RunningMean(number, total / cards, sqrt(variance) / cards, gap))
    return means


@cache
def total_variance(seats: int) -> float:
    """The variance of the total value of all cards dealt at one table."""
    return float(pooled_mean_variance(seats) * (HAND_SIZE * seats) ** 2)


def boss_hands(deals: Sequence[FinishedDeal]) -> Departure | None:
    """The share of hands that hold one of the nine cards that win for certain when led."""
    hands = sum(deal.seats for deal in deals)
    if not hands:
        return None
    with_boss = sum(not BOSSES.isdisjoint(hand) for deal in deals for hand in deal.hands)
    variance = sum(_boss_variance(deal.seats) for deal in deals)
    share, error = Fraction(with_boss, hands), sqrt(variance) / hands
    return _departure("boss-hands", share, 1 - _no_boss(1), error)


@cache
def _no_boss(hands: int) -> Fraction:
    """P(no boss card in so many hands of one deal) = C(72, 8h)/C(81, 8h)."""
    drawn = HAND_SIZE * hands
    return Fraction(comb(CARDS - len(BOSSES), drawn), comb(CARDS, drawn))


@cache
def _boss_variance(seats: int) -> float:
    """The variance of how many of a table's hands hold a boss card: m·q(1 − q) and the
    covariances of m(m − 1) pairs, P(neither of two) − q²."""
    one, pair = _no_boss(1), _no_boss(2)
    return float(seats * one * (1 - one) + seats * (seats - 1) * (pair - one**2))


# Leads.


@dataclass(frozen=True, slots=True)
class Leads:
    """Leads whose exact chance lay between ``low`` and ``high`` (both included at 0 and 1)."""

    low: float
    high: float
    leads: int
    chance: float
    safe: Fraction
    took: Fraction
    interval: tuple[float, float] | None = None


def leads_by_chance(data: Dataset) -> tuple[Leads, ...]:
    """Leads grouped by the exact chance that nobody held a better card: how often nobody did,
    how far luck goes with that, and how often the lead took the trick. Certain leads, with
    which it goes nowhere, are a group of their own."""
    groups: dict[tuple[float, float], list[LedTrick]] = {}
    for led in data.leads:
        if led.chance is not None and led.safe is not None:
            groups.setdefault(_bin(led.chance), []).append(led)
    return tuple(
        Leads(
            low,
            high,
            len(group),
            sum(led.chance or 0.0 for led in group) / len(group),
            Fraction(sum(bool(led.safe) for led in group), len(group)),
            Fraction(sum(led.took for led in group), len(group)),
            (1.0, 1.0) if low == 1 else safe_interval(data, group),
        )
        for (low, high), group in sorted(groups.items())
    )


def safe_interval(data: Dataset, leads: Iterable[LedTrick]) -> tuple[float, float] | None:
    """The 95% confidence interval of the share of such leads that are safe, if boards are
    drawn anew, with all tables that play them; None where there is but one."""
    deals = {deal.pk: deal for deal in data.deals}
    return share_interval(
        Hit(deal.table, deal.key, led.safe)
        for led in leads
        if led.chance is not None and led.safe is not None and (deal := deals[led.deal])
    )


def _bin(chance: float) -> tuple[float, float]:
    """The ends of the fifth of all chances in which this one lies; certainty is alone."""
    if chance >= 1:
        return (1.0, 1.0)
    index = min(int(chance * 5), 4)
    return index / 5, (index + 1) / 5


def safe_leads(leads: Iterable[LedTrick]) -> Departure | None:
    """The share of leads than which nobody held a better card, beside the mean exact chance.

    That is no verdict: leaders choose what to lead and when, and voids, bids and plays carry
    evidence that the exact chance leaves out. ``safe_interval`` says how far luck goes.
    """
    judged = [led for led in leads if led.chance is not None and led.safe is not None]
    if not judged:
        return None
    chances = [led.chance or 0.0 for led in judged]
    return Departure(
        "safe-leads",
        Fraction(sum(bool(led.safe) for led in judged), len(judged)),
        Fraction(sum(chances) / len(judged)),
        0.0,
    )


def departures(data: Dataset) -> tuple[Departure, ...]:
    """The figures of which can be said how far luck goes, the rarest first."""
    figures = (mean_card(data.drawn_deals), boss_hands(data.drawn_deals))
    return tuple(sorted((d for d in figures if d), key=lambda d: d.p_value))

"""What a graph is drawn from: the counted numbers, put together where they are many."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, exp, floor, pi, sqrt

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from games.rules import Call, Shape
from games.words import call_words
from lessons import charts
from lessons.charts import round_numbers
from lessons.exercises.texts import decimal
from lessons.probability import Exact, mean, root, variance
from lessons.studio import counting
from lessons.studio.counting import Frequencies, exact_chances
from lessons.studio.settings import By, Look, Of, Settings, Show, name_of, population

Weights = Mapping[int, int] | Mapping[int, Fraction]

FULL = 200
"""Numbers between the least and the greatest up to which those between have a place, too."""

FEW_NUMBERS, VISIBLE = 13, Fraction(1, 20_000)
"""So many numbers all have a place on the axis, of more those that are likelier than this."""

MOST = {Look.HISTOGRAM: 20, Look.BAR: 40, Look.DOTS: 60}
"""How many bars or stacks numbers of one's own are put together in, at most."""


@dataclass(frozen=True)
class Plot:
    """All that a graph is drawn from."""

    settings: Settings
    frequencies: Frequencies

    @cached_property
    def weights(self) -> Weights:
        """The counts by number with zeros in between, or the chances of all possible hands."""
        theory, counts = self.frequencies.theory or {}, self.frequencies.counts
        if self.settings.is_theory:
            return theory
        if self.settings.of is Of.SAMPLES or max(counts) - min(counts) > FULL:
            return counts
        is_seen = len(theory) <= FEW_NUMBERS or self.frequencies.goal
        span = [*counts, *(visible_numbers(theory) if is_seen else ())]
        return {number: counts.get(number, 0) for number in range(min(span), max(span) + 1)}

    @property
    def colour(self) -> str:
        """A shape's own, of what is about one; else ours, or others'."""
        if self.settings.show in (Show.COUNT, Show.CALL, Show.CURVES):
            return charts.SHAPES[self.settings.shape]
        is_ours = self.settings.of.is_played or self.settings.of is Of.OWN
        return charts.DATA if is_ours else charts.OTHER

    # Numbers that stand together

    @cached_property
    def scale(self) -> int:
        """How many steps of the numbers are one on the axis."""
        return counting.scale(self.settings)

    @cached_property
    def width(self) -> int:
        """How many numbers stand together as one bar or stack."""
        if self.settings.of is Of.SAMPLES:
            return max(1, round(float(self.spread) * self.scale / 5))
        if self.settings.of is not Of.OWN:
            return 1
        different = sum(n > 0 for n in self.weights.values())
        if self.settings.graph is Look.DOTS and different <= MOST[Look.DOTS]:
            return 1  # dots stand where they are
        most, span = MOST.get(self.settings.graph, FULL), max(self.weights) - min(self.weights)
        return next(step for step in round_numbers() if span < most * step)

    @cached_property
    def bins(self) -> Weights:
        """The counts (or chances), by the lowest of the numbers that stand together."""
        wide = self.width
        if wide == 1:
            return self.weights
        bins: dict[int, int] = dict.fromkeys(self._bin_starts(), 0)
        for number, n in self.weights.items():
            bins[number // wide * wide] += int(n)
        return bins

    def _bin_starts(self) -> range:
        wide, numbers = self.width, list(self.weights)
        low, high = min(numbers), max(numbers)
        if self.settings.of is Of.SAMPLES:
            reach = [float(self.centre) + side * 4 * float(self.spread) for side in (-1, 1)]
            low = min(low, floor(reach[0] * self.scale))
            high = max(high, ceil(reach[1] * self.scale))
        return range(low // wide * wide, high // wide * wide + 1, wide)

    @property
    def x(self) -> list[float]:
        """The place of each bar on the axis, its middle."""
        return [(low + (self.width - 1) / 2) / self.scale for low in self.bins]

    @property
    def step(self) -> float:
        """How far apart the bars stand."""
        return self.width / self.scale

    @property
    def heights(self) -> list[float]:
        """The height of each bar, in the order of the axis: a count, or a share of them all."""
        return heights(self.settings, self.bins)

    def number(self, number: int) -> str:
        """A number as it stands on the axis."""
        digits = 9 if self.settings.of is Of.OWN else 4
        return decimal(Fraction(number, self.scale), digits)

    def span(self, low: int) -> str:
        """The text of the numbers that stand together, from this on."""
        if self.width == 1:
            return self.number(low)
        return _("%(low)s to %(high)s") % {
            "low": self.number(low),
            "high": self.number(low + self.width - 1),
        }

    # What they come to

    @property
    def name(self) -> str:
        return capfirst(population(self.settings))

    @property
    def has_theory(self) -> bool:
        """Whether theory is laid over: the deck is its own."""
        return self.settings.of is not Of.DECK and self.frequencies.theory is not None

    @property
    def expected(self) -> list[float]:
        """Theory's heights at these numbers."""
        assert self.frequencies.theory is not None
        times = (
            1 if self.settings.by_share else (self.frequencies.goal or self.frequencies.total)
        )
        theory = self.frequencies.theory
        return [float(theory.get(number, Fraction()) * times) for number in self.weights]

    @property
    def mean(self) -> Fraction:
        return mean(self.weights) / self.scale

    @property
    def sd(self) -> Exact:
        return root(variance(self.weights) / self.scale**2)

    @property
    def centre(self) -> Fraction:
        """The mean of samples, in theory."""
        return mean(exact_chances(self.settings)) / self._of_hand

    @property
    def spread(self) -> Exact:
        """The standard error: the standard deviation of samples' means, in theory, that of one
        hand over √n."""
        return root(self._variance / self.settings.size)

    @property
    def spread_of_one(self) -> Exact:
        """The standard deviation of one hand, in theory."""
        return root(self._variance)

    @property
    def _variance(self) -> Fraction:
        return variance(exact_chances(self.settings)) / self._of_hand**2

    @property
    def _of_hand(self) -> int:
        return self.scale // self.settings.size

    @property
    def commonest(self) -> list[int]:
        """The modes: the lowest number of each of the highest bars."""
        most = max(self.bins.values())
        return [low for low, n in self.bins.items() if n == most]

    def share(self, low: int) -> Fraction:
        """The share of all that is in the bar beginning at ``low``."""
        return Fraction(self.bins[low]) / Fraction(sum(self.bins.values()))

    def normal(self, places: list[float]) -> list[float]:
        """The heights of the normal curve there; samples have that of theory."""
        is_of_samples = self.settings.of is Of.SAMPLES
        centre = float(self.centre if is_of_samples else self.mean)
        spread = float(self.spread if is_of_samples else self.sd)
        total = self.frequencies.goal or sum(self.weights.values())
        times = self.step * (1 if self.settings.by_share else float(total))
        return [
            times * exp(-(((place - centre) / spread) ** 2) / 2) / (spread * sqrt(2 * pi))
            for place in places
        ]

    # What they are split by

    @property
    def keys(self) -> list[int]:
        """What they are split by, in order."""
        return sorted({key for _number, key in self.frequencies.pairs})

    def key_name(self, key: int) -> str:
        """The name of one part."""
        by = self.settings.by
        assert by is not None
        if self.frequencies.names:
            return self.frequencies.names.get(key, "–")
        if by in SHAPES_OF:
            return call_words(Call(SHAPES_OF[by], key))
        return _("%(name)s: %(n)s") % {"name": name_of(by), "n": self.key_text(key)}

    def key_text(self, key: int) -> str:
        """The number that one part has in common."""
        return decimal(self.key_value(key), 4)

    def key_value(self, key: int) -> Fraction:
        return Fraction(key, 8 if self.settings.by is By.MEAN else 1)


SHAPES_OF = {
    By.BALLS: Shape.BALL,
    By.CUBES: Shape.CUBE,
    By.CONES: Shape.CONE,
    By.STARS: Shape.STAR,
}


def visible_numbers(theory: Mapping[int, Fraction]) -> list[int]:
    """The numbers that an axis shows: means are many, and most of them so rare that an axis for
    all would show a needle."""
    return [n for n, p in theory.items() if len(theory) <= FEW_NUMBERS or p > VISIBLE]


def heights(settings: Settings, weights: Weights) -> list[float]:
    """The heights of bars, in order: the weights, or by the settings their shares of the
    sum."""
    if not settings.by_share:
        return [float(n) for n in weights.values()]
    total = Fraction(sum(weights.values()))
    return [float(n / total) for n in weights.values()]

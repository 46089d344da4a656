"""Exact probability about the deck, the deal and the play: integers and Fractions, no floats.

Symbols, as in the lessons: a *class* of cards is one shape and count (27 cards of the full
deck); u cards are unseen by somebody, s of these are in the other hands, m seats play. Chances
about what is hidden assume that all unseen deals are equally likely, given the voids that
sloughs have shown; what players chose is taken as saying nothing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, combinations_with_replacement, product
from math import comb, factorial, isqrt, prod, sqrt

from games.rules import DECK, HAND_SIZE, Card, points
from games.rules.rounds import Variant

SHAPES = 4
COUNTS = (1, 2, 3)
CARDS = len(DECK)

Counts = Mapping[int, int]
"""How many cards (or cases) have each value."""

Distribution = Mapping[int, Fraction]
"""A chance for each whole number; the chances add up to 1."""


# Exact numbers


@dataclass(frozen=True, slots=True)
class Root:
    """An irrational square root, exact: ``sign``·√``square``. Make one with :func:`root`."""

    square: Fraction
    sign: int = 1

    def __float__(self) -> float:
        return self.sign * sqrt(self.square)


Exact = Fraction | Root


def root(square: Fraction | int, sign: int = 1) -> Exact:
    """±√``square`` for ``square`` ≥ 0; a Fraction where the root is rational.

    >>> root(Fraction(9, 4))
    Fraction(3, 2)
    """
    square = Fraction(square)
    over, under = isqrt(square.numerator), isqrt(square.denominator)
    if over**2 == square.numerator and under**2 == square.denominator:
        return sign * Fraction(over, under)
    return Root(square, sign)


def compare(exact: Exact, other: Fraction) -> int:
    """−1, 0 or 1 as ``exact`` is below, equal to or above a rational number; a root is
    compared by squares, so the answer is never a matter of digits."""
    if isinstance(exact, Fraction):
        return (exact > other) - (exact < other)
    if exact.sign * other <= 0:
        return exact.sign
    square = other**2
    return exact.sign * ((exact.square > square) - (exact.square < square))


def rounded(exact: Exact, places: int) -> Fraction:
    """The nearest multiple of 10^−``places``; halves go away from zero."""
    unit = 10**places
    if isinstance(exact, Root):
        twice = isqrt(4 * exact.square.numerator * unit**2 // exact.square.denominator)
        return exact.sign * Fraction((twice + 1) // 2, unit)
    size = (2 * abs(exact) * unit + 1) // 2
    return Fraction(size if exact >= 0 else -size, unit)


# The deck


def value_counts(shapes: int = SHAPES, counts: Sequence[int] = COUNTS) -> dict[int, int]:
    """N(v): the cards of each value, in a deck of ``shapes`` shapes with these counts.

    The coefficients of (Σ x^c)^shapes, for the full deck of (x + x² + x³)⁴: choosing a count
    for each shape multiplies the powers. Every combination of counts is one card.

    >>> value_counts()
    {4: 1, 5: 4, 6: 10, 7: 16, 8: 19, 9: 16, 10: 10, 11: 4, 12: 1}
    """
    ways = {0: 1}
    for _ in range(shapes):
        further: dict[int, int] = defaultdict(int)
        for value, number in ways.items():
            for count in counts:
                further[value + count] += number
        ways = dict(further)
    return dict(sorted(ways.items()))


def class_value_counts(
    count: int, shapes: int = SHAPES, counts: Sequence[int] = COUNTS
) -> dict[int, int]:
    """N(v) of the cards that show ``count`` of one given shape: the other shapes' values, moved
    up by ``count`` (1, 3, 6, 7, 6, 3, 1 from 4, 5 or 6 in the full deck)."""
    return {value + count: n for value, n in value_counts(shapes - 1, counts).items()}


def patterns(
    shapes: int = SHAPES, counts: Sequence[int] = COUNTS
) -> dict[tuple[int, ...], int]:
    """How many cards have each pattern of equal counts, the commonest first.

    (2, 1, 1) is a card with two shapes alike and the other two different from these and from
    each other. A multiset of counts with multiplicities r₁, r₂, … makes shapes!/(r₁!·r₂!·…)
    cards.
    """
    cards: dict[tuple[int, ...], int] = defaultdict(int)
    for chosen in combinations_with_replacement(counts, shapes):
        alike = tuple(sorted(Counter(chosen).values(), reverse=True))
        cards[alike] += factorial(shapes) // prod(map(factorial, alike))
    return dict(sorted(cards.items(), key=lambda item: (-item[1], item[0])))


# Summaries of counts and distributions


def chances(counts: Counts) -> dict[int, Fraction]:
    """The distribution of one case drawn at random from these counts."""
    total = sum(counts.values())
    return {value: Fraction(number, total) for value, number in counts.items()}


def mean(weights: Mapping[int, int] | Distribution) -> Fraction:
    """Σ w·x / Σ w: of counts their mean, of a distribution its expected value."""
    return Fraction(sum(w * x for x, w in weights.items())) / sum(weights.values())


def variance(weights: Mapping[int, int] | Distribution) -> Fraction:
    """Σ w·(x − mean)² / Σ w: of a whole population, so divided by N, not by N − 1."""
    centre = mean(weights)
    squares = sum((w * (x - centre) ** 2 for x, w in weights.items()), Fraction())
    return squares / sum(weights.values())


def share_within(weights: Mapping[int, int] | Distribution, deviations: int) -> Fraction:
    """The share of the weight at most ``deviations`` standard deviations from the mean.

    Decided by squares, (x − mean)² ≤ k²·variance, so that no root is rounded.
    """
    centre, bound = mean(weights), deviations**2 * variance(weights)
    inside = sum(w for x, w in weights.items() if (x - centre) ** 2 <= bound)
    return Fraction(inside) / sum(weights.values())


def five_number_summary(weights: Mapping[int, int] | Distribution) -> tuple[Fraction, ...]:
    """The least, the lower quartile, the median, the upper quartile, the greatest. Of counted
    numbers the quartiles are the medians of the lower and the upper half, without the middle
    one where their number is odd; of chances they are where a quarter and three are reached.

    >>> [str(n) for n in five_number_summary({9: 1, 1: 1, 2: 1, 3: 1, 4: 1})]
    ['1', '3/2', '3', '13/2', '9']
    """
    numbers = sorted(number for number, n in weights.items() if n)
    ends = Fraction(numbers[0]), Fraction(numbers[-1])
    so_far = list(accumulate(weights[number] for number in numbers))
    total = so_far[-1]
    if isinstance(total, Fraction):
        quarters = (total * quarter / 4 for quarter in (1, 2, 3))
        inner = (
            Fraction(next(n for n, up in zip(numbers, so_far, strict=True) if up >= part))
            for part in quarters
        )
        return (ends[0], *inner, ends[1])

    def at(place: int) -> int:
        """The number at this place of them all in order, from 0."""
        return next(n for n, up in zip(numbers, so_far, strict=True) if up > place)

    def middle(first: int, many: int) -> Fraction:
        return Fraction(at(first + (many - 1) // 2) + at(first + many // 2), 2)

    half = max(1, total // 2)
    return (
        ends[0], middle(0, half), middle(0, total), middle(total - half, half), ends[1],
    )  # fmt: skip


# Drawing without putting back


def hypergeometric(population: int, marked: int, drawn: int) -> dict[int, Fraction]:
    """The number of marked cards among ``drawn`` from ``population``, without replacement.

    P(k) = C(marked, k)·C(population − marked, drawn − k) / C(population, drawn); its mean is
    drawn·marked/population.
    """
    unmarked, all_ways = population - marked, comb(population, drawn)
    return {
        k: Fraction(comb(marked, k) * comb(unmarked, drawn - k), all_ways)
        for k in range(max(0, drawn - unmarked), min(marked, drawn) + 1)
    }


def binomial(trials: int, chance: Fraction) -> dict[int, Fraction]:
    """P(k) = C(n, k)·p^k·(1 − p)^(n − k): independent trials, as if each card were put back."""
    return {
        k: comb(trials, k) * chance**k * (1 - chance) ** (trials - k) for k in range(trials + 1)
    }


def none_of(marked: int, drawn: int, population: int = CARDS) -> Fraction:
    """P(no marked card among those drawn) = C(population − marked, drawn) / C(population,
    drawn). A hand of eight lacks a given class with chance C(54, 8)/C(81, 8)."""
    return Fraction(comb(population - marked, drawn), comb(population, drawn))


@lru_cache(maxsize=200)
def any_void(
    asked: tuple[int, ...], drawn: int = HAND_SIZE, numbers: int = len(COUNTS)
) -> Fraction:
    """P(a hand is void in at least one of the classes asked about).

    ``asked`` has one entry per shape: how many of its ``numbers`` classes are asked about
    ((3, 3, 3, 3): all twelve; (1, 1, 1, 1): those of one count). Inclusion-exclusion over the
    sets of classes that are all missing: the cards that avoid jᵢ classes of shape i number
    Π(numbers − jᵢ), so

        P = Σ over (j₁, …) ≠ 0 of (−1)^(Σj + 1) · Π C(askedᵢ, jᵢ) · C(Π(numbers − jᵢ), drawn)
            / C(deck, drawn).
    """
    ways = 0
    missing: list[tuple[int, int, int]] = [(0, 1, 1)]  # classes missing, sets of them, cards
    for classes in asked:
        missing = [
            (j + more, sets * comb(classes, more), cards * (numbers - more))
            for j, sets, cards in missing
            for more in range(classes + 1)
        ]
    for j, sets, cards in missing:
        ways += (-1) ** (j + 1) * sets * comb(cards, drawn) if j else 0
    return Fraction(ways, comb(numbers ** len(asked), drawn))


@lru_cache(maxsize=20)
def void_counts(drawn: int = HAND_SIZE) -> Distribution:
    """The distribution of how many of the twelve classes a hand lacks. With S(k) the chances,
    added up, that k given classes are all missing,

        P(exactly j) = Σ over k ≥ j of (−1)^(k − j) · C(k, j) · S(k).

    >>> round(float(1 - void_counts()[0]), 3)
    0.339
    """
    missing = {k: Fraction() for k in range(SHAPES * len(COUNTS) + 1)}
    for chosen in product(range(len(COUNTS) + 1), repeat=SHAPES):
        sets = prod(comb(len(COUNTS), more) for more in chosen)
        cards = prod(len(COUNTS) - more for more in chosen)
        missing[sum(chosen)] += Fraction(sets * comb(cards, drawn), comb(CARDS, drawn))
    exactly = {
        j: sum(
            ((-1) ** (k - j) * comb(k, j) * missing[k] for k in missing if k >= j), Fraction()
        )
        for j in missing
    }
    return {j: chance for j, chance in exactly.items() if chance}


def equal_values(counts: Counts) -> Fraction:
    """P(two cards drawn without replacement have equal value) = Σ N(N − 1) / (n(n − 1))."""
    cards = sum(counts.values())
    pairs = sum(number * (number - 1) for number in counts.values())
    return Fraction(pairs, cards * (cards - 1))


# Sums and means of several cards


def draw_counts(counts: Counts, drawn: int) -> dict[int, int]:
    """In how many ways ``drawn`` of the cards sum to each total, without replacement.

    The coefficients of yⁿ·x^total in Π over v of (1 + y·x^v)^N(v).
    """
    key = tuple(sorted(counts.items()))
    return dict(_draw_counts(key, drawn))


@lru_cache(maxsize=50)
def _draw_counts(
    counts: tuple[tuple[int, int], ...], drawn: int
) -> tuple[tuple[int, int], ...]:
    """By total, in increasing order, the ways to draw so many cards of these values."""
    ways: dict[tuple[int, int], int] = {(0, 0): 1}  # (cards drawn, total)
    for value, number in counts:
        further: dict[tuple[int, int], int] = defaultdict(int)
        for (cards, total), n in ways.items():
            for more in range(min(number, drawn - cards) + 1):
                further[cards + more, total + more * value] += n * comb(number, more)
        ways = further
    return tuple(sorted((total, n) for (cards, total), n in ways.items() if cards == drawn))


def sum_distribution(drawn: int = HAND_SIZE) -> dict[int, Fraction]:
    """The distribution of the total value of ``drawn`` cards of the full deck, without
    replacement; a hand's mean is its total divided by 8."""
    return chances(draw_counts(value_counts(), drawn))


def variance_of_mean(of_one: Fraction, drawn: int) -> Fraction:
    """The variance of the mean of ``drawn`` cards without replacement.

    σ²/n · (N − n)/(N − 1), with the finite population correction; for a hand
    (8/3)/8 · 73/80, whose root is .5515.
    """
    return of_one / drawn * Fraction(CARDS - drawn, CARDS - 1)


def pooled_mean_variance(hands: int) -> Fraction:
    """The variance of the mean value of all cards in ``hands`` hands dealt at ONE table.

    They are one draw of 8·hands cards: (8/3)/(8m) · (81 − 8m)/80. Its root at m = 4 is .226;
    independent hands would give .276.
    """
    return variance_of_mean(variance(value_counts()), HAND_SIZE * hands)


def frequency_error(chance: Fraction, trials: int) -> Exact:
    """The standard deviation of a relative frequency, √(p(1 − p)/n), over independent trials.

    Hands of one table are not quite independent: the correlation of two totals is −8/73.
    """
    return root(chance * (1 - chance) / trials)


# Bids


def expected_points(bid: int, forecast: Sequence[Fraction]) -> Fraction:
    """The expected points of a bid, when ``forecast[k]`` is the chance of taking k tricks.

    b·p_b − Σ_k |b − k|·p_k (Play to Bid, rule F).
    """
    return sum(
        (p * points(Variant.BID, bid=bid, taken=k) for k, p in enumerate(forecast)), Fraction()
    )


def best_bids(forecast: Sequence[Fraction]) -> tuple[int, ...]:
    """The bids with the highest expected points; several where they are equal."""
    worth = [expected_points(bid, forecast) for bid in range(HAND_SIZE + 1)]
    return tuple(bid for bid, points_ in enumerate(worth) if points_ == max(worth))


def bosses() -> tuple[Card, ...]:
    """The nine cards that win for certain when led and called right: no other card of some
    class that they show has at least their value."""
    return tuple(
        card
        for card in DECK
        if any(
            not any(c != card and c.shows(call) and c.value >= card.value for c in DECK)
            for call in card.calls
        )
    )


# What a bid tells

Tip = Mapping[int, int]
"""How many half tricks a tip counts for a card of each value."""

WIKIPEDIA: Tip = {value: (value >= 9) + (value >= 11) for value in range(4, 13)}
"""The encyclopedia's tip: one for each 12 or 11, one for every two of the 10s and 9s."""

PRINTED: Tip = {value: 2 * (value >= 9) for value in range(4, 13)}
"""The printed tip: one for each card of value 9 or more."""


def hands_by_bid(tip: Tip, marked: Callable[[Card], bool]) -> dict[int, dict[int, int]]:
    """By what a tip bids, and by the number of marked cards: how many of all C(81, 8) hands.

    Σ over (what eight cards may be) of Π C(cards of a sort, cards held of it), where a sort is
    what a card counts for (a trick, half a trick, nothing) and whether it is marked; the bid
    is the whole tricks, and half of the halves, rounded down.
    """
    sorts = [(half, is_marked) for half in (2, 1, 0) for is_marked in (True, False)]
    sizes = [
        sum(tip[card.value] == half and marked(card) == is_marked for card in DECK)
        for half, is_marked in sorts
    ]
    deals_by_bid: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    for split in _splits(HAND_SIZE, len(sorts)):
        bid = split[0] + split[1] + (split[2] + split[3]) // 2
        number = split[0] + split[2] + split[4]
        deals_by_bid[bid][number] += prod(map(comb, sizes, split))
    return {
        bid: {number: ways for number, ways in sorted(by_number.items()) if ways}
        for bid, by_number in sorted(deals_by_bid.items())
        if any(by_number.values())
    }


def _splits(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    """All ways to write a number as a sum of so many, in order."""
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in _splits(total - first, parts - 1):
            yield (first, *rest)

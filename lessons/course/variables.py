"""What lessons count: each variable with its exact distribution and, where hands are dealt, how
to read it off a hand. Plain data: pages draw it, lessons/course/graphs.py lays it out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING

from django.utils.functional import lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.rules import DECK, HAND_SIZE, Call, Card, Shape
from games.words import call_words
from lessons.exercises.engine import GraphKind
from lessons.probability import (
    CARDS,
    COUNTS,
    any_void,
    class_value_counts,
    five_number_summary,
    hypergeometric,
    patterns,
    sum_distribution,
    value_counts,
)

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


@dataclass(frozen=True, slots=True)
class Curve:
    """One line of a graph: its name, the call whose hue it takes if any, and for each
    category how many cards, or a chance."""

    label: StrOrPromise
    weights: tuple[Fraction, ...]
    count: int = 0


@dataclass(frozen=True, slots=True)
class Variable:
    """Something that can be counted.

    ``categories`` are what it may be, as they are written under a graph; ``total`` is how many
    cards the weights count, 1 where they are chances. ``reads`` tells which category each
    thing in a hand belongs to (one for the hand, or one for each of its cards); None where a
    hand cannot tell. ``subject`` is the category that questions are about, where it is one.
    ``marks`` tells which cards of a hand are counted, where cards are.
    Of a box plot ``data`` are what it shows, the weights its five numbers.
    """

    title: StrOrPromise
    across: StrOrPromise
    upward: StrOrPromise
    kind: GraphKind
    categories: tuple[StrOrPromise, ...]
    curves: tuple[Curve, ...]
    total: int
    reads: Callable[[Sequence[Card]], list[int]] | None = None
    subject: int | None = None
    data: tuple[int, ...] = ()
    marks: Callable[[Card], bool] | None = None

    @property
    def shares(self) -> tuple[Fraction, ...]:
        """The exact share of each category, by the first curve."""
        weights = self.curves[0].weights
        whole = sum(weights, Fraction())
        return tuple(weight / whole for weight in weights)

    @property
    def focus(self) -> int:
        """The index of the category that a sentence tells of: its subject, or the likeliest."""
        if self.subject is not None:
            return self.subject
        return max(range(len(self.shares)), key=self.shares.__getitem__)

    def counted(self, hands: Sequence[Sequence[Card]]) -> tuple[int, ...]:
        """How often each category is there in these hands."""
        if self.reads is None:
            raise ValueError(f"hands do not tell of {self.title}")
        totals = Counter(index for hand in hands for index in self.reads(hand))
        return tuple(totals[index] for index in range(len(self.categories)))


VALUES = tuple(value_counts())
HALVES = tuple(range(12, 21))
"""Hand means to the nearest half, in halves: 6 to 10; what lies beyond goes into the ends."""
FORECAST = tuple(Fraction(percents, 100) for percents in (5, 20, 25, 20, 15, 10, 5, 0, 0))
"""How likely somebody holds 0 to 8 tricks: the forecast that lesson 5 works through."""
HAND = (5, 6, 6, 6, 8, 9, 9, 12)
"""The values of the eight cards of which lesson 2 has a box plot drawn."""


# What lies in the deck.


def _of_deck(
    title: StrOrPromise,
    across: StrOrPromise,
    kind: GraphKind,
    categories: Iterable[StrOrPromise],
    cards: Iterable[int],
    reads: Callable[[Sequence[Card]], list[int]],
) -> Variable:
    """How many cards of the deck are of each category."""
    deck = Curve(_("the deck"), tuple(map(Fraction, cards)))
    return Variable(title, across, _("Cards"), kind, tuple(categories), (deck,), CARDS, reads)


def _cards_by_value() -> Variable:
    return _of_deck(
        _("The cards by value"),
        _("Value"),
        GraphKind.BARS,
        map(str, VALUES),
        value_counts().values(),
        lambda hand: [VALUES.index(card.value) for card in hand],
    )


def _with_balls(number: int) -> str:
    return gettext("with %(n)s") % {"n": call_words(Call(Shape.BALL, number))}


def _cards_by_value_and_balls() -> Variable:
    cards = {count: class_value_counts(count) for count in COUNTS}
    curves = (
        Curve(
            lazy(_with_balls, str)(count),
            tuple(Fraction(cards[count].get(value, 0)) for value in VALUES),
            count,
        )
        for count in COUNTS
    )
    names = tuple(map(str, VALUES))
    title, across, upward = _("The cards by value"), _("Value"), _("Cards")
    return Variable(
        title, across, upward, GraphKind.CURVE, names, tuple(curves), CARDS // len(COUNTS)
    )


def _cards_by_third_of_values() -> Variable:
    thirds = (range(4, 7), range(7, 10), range(10, 13))
    cards = value_counts()
    return _of_deck(
        _("Low, middle and high values"),
        _("Value"),
        GraphKind.PIE,
        (f"{third[0]}–{third[-1]}" for third in thirds),
        (sum(cards[value] for value in third) for third in thirds),
        lambda hand: [(card.value - 4) // 3 for card in hand],
    )


PATTERN_NAMES = {
    (2, 1, 1): _("two alike"),
    (3, 1): _("three alike"),
    (2, 2): _("two pairs"),
    (4,): _("all alike"),
}


def _cards_by_pattern() -> Variable:
    order = list(patterns())

    def read(hand: Sequence[Card]) -> list[int]:
        alike = (sorted(Counter(card.counts).values(), reverse=True) for card in hand)
        return [order.index(tuple(each)) for each in alike]

    return _of_deck(
        _("How alike the four counts of a card are"),
        _("Pattern"),
        GraphKind.PIE,
        map(PATTERN_NAMES.__getitem__, order),
        patterns().values(),
        read,
    )


# What a hand may hold.


def _of_hands(
    title: StrOrPromise,
    across: StrOrPromise,
    categories: Iterable[StrOrPromise],
    chances: Iterable[Fraction],
    reads: Callable[[Sequence[Card]], list[int]],
    *,
    subject: int | None = None,
    marks: Callable[[Card], bool] | None = None,
) -> Variable:
    """How likely a hand is of each category."""
    upward, names = _("Share of the hands"), tuple(categories)
    curves = (Curve(_("all hands"), tuple(chances)),)
    return Variable(
        title, across, upward, GraphKind.BARS, names, curves, 1, reads, subject, marks=marks
    )


def one_ball(card: Card) -> bool:
    """Whether the card shows exactly one ball."""
    return card.counts[Shape.BALL.position] == 1


def _marked_cards_in_hand(title: StrOrPromise, marks: Callable[[Card], bool]) -> Variable:
    chances = hypergeometric(CARDS, sum(map(marks, DECK)), HAND_SIZE)
    return _of_hands(
        title,
        title,
        map(str, chances),
        chances.values(),
        lambda hand: [sum(map(marks, hand))],
        marks=marks,
    )


def has_void(hand: Sequence[Card]) -> bool:
    """Whether a hand lacks at least one of the twelve calls."""
    calls = {call for card in hand for call in card.calls}
    return len(calls) < 12


def _hands_with_void() -> Variable:
    chance = any_void((3, 3, 3, 3))
    return _of_hands(
        _("Hands with at least one void"),
        _("The hand"),
        (_("has a void"), _("has no void")),
        (chance, 1 - chance),
        lambda hand: [0 if has_void(hand) else 1],
        subject=0,
    )


def _half(total: int) -> int:
    """The index of the nearest half for a hand of this total value (ties upwards)."""
    half = (total + 2) // 4
    return min(max(half, HALVES[0]), HALVES[-1]) - HALVES[0]


def _hands_by_mean() -> Variable:
    chances = [Fraction()] * len(HALVES)
    for total, chance in sum_distribution().items():
        chances[_half(total)] += chance
    return _of_hands(
        _("Mean value of a hand"),
        _("Mean value of a hand"),
        map(_decimal_half, HALVES),
        chances,
        lambda hand: [_half(sum(card.value for card in hand))],
    )


def _decimal_half(half: int) -> str:
    words = f"{half // 2}½" if half % 2 else str(half // 2)
    return {HALVES[0]: f"≤{words}", HALVES[-1]: f"≥{words}"}.get(half, words)


def _forecast_of_tricks() -> Variable:
    title, across, upward = _("The forecast"), _("Tricks"), _("Chance")
    names, curves = tuple(map(str, range(len(FORECAST)))), (Curve(upward, FORECAST),)
    return Variable(title, across, upward, GraphKind.BARS, names, curves, 1)


def _box_plot_of_hand() -> Variable:
    title, value = _("The values of eight cards"), _("Value")
    names = _("Least"), _("Lower quartile"), _("Median"), _("Upper quartile"), _("Greatest")
    summary = Curve(title, five_number_summary(Counter(HAND)))
    return Variable(title, value, value, GraphKind.BOX, names, (summary,), len(HAND), data=HAND)


_MAKERS: Mapping[str, Callable[[], Variable]] = {
    "values": _cards_by_value,
    "three-curves": _cards_by_value_and_balls,
    "value-thirds": _cards_by_third_of_values,
    "patterns": _cards_by_pattern,
    "one-balls": lambda: _marked_cards_in_hand(_("Cards with 1 ball in a hand"), one_ball),
    "high-cards": lambda: _marked_cards_in_hand(
        _("Cards of value 9 or more in a hand"), lambda card: card.value >= 9
    ),
    "void": _hands_with_void,
    "forecast": _forecast_of_tricks,
    "hand-means": _hands_by_mean,
    "hand-box": _box_plot_of_hand,
}
KEYS = tuple(_MAKERS)
COUNTED = tuple(key for key in KEYS if key != "hand-box")
"""Those that count something, so that a chart or a table can show their shares."""


@cache
def variable(key: str) -> Variable:
    """The variable of this name; KeyError if there is none."""
    return _MAKERS[key]()

"""What lessons count: each variable with its exact distribution and, where hands are dealt, how
to read it off a hand. Plain data: pages draw it, lessons/course/graphs.py lays it out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING

from django.utils.functional import lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.rules import HAND_SIZE, Call, Card, Shape
from games.words import call_words
from lessons.exercises.engine import GraphKind
from lessons.probability import (
    CARDS,
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

    key: str
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
            raise ValueError(f"hands do not tell of {self.key}")
        totals = Counter(index for hand in hands for index in self.reads(hand))
        return tuple(totals[index] for index in range(len(self.categories)))


def _of_counts(counts: Mapping[int, int], categories: Sequence[int]) -> tuple[Fraction, ...]:
    return tuple(Fraction(counts.get(category, 0)) for category in categories)


VALUES = tuple(value_counts())


def _cards_by_value() -> Variable:
    return Variable(
        "values",
        _("The cards by value"),
        _("Value"),
        _("Cards"),
        GraphKind.BARS,
        tuple(map(str, VALUES)),
        (Curve(_("the deck"), _of_counts(value_counts(), VALUES)),),
        CARDS,
        lambda hand: [VALUES.index(card.value) for card in hand],
    )


def _with_balls(number: int) -> str:
    return gettext("with %(n)s") % {"n": call_words(Call(Shape.BALL, number))}


def _cards_by_value_and_balls() -> Variable:
    labels = {n: lazy(_with_balls, str)(n) for n in (1, 2, 3)}
    return Variable(
        "three-curves",
        _("The cards by value"),
        _("Value"),
        _("Cards"),
        GraphKind.CURVE,
        tuple(map(str, VALUES)),
        tuple(
            Curve(label, _of_counts(class_value_counts(count), VALUES), count)
            for count, label in labels.items()
        ),
        CARDS // 3,
    )


THIRDS = (range(4, 7), range(7, 10), range(10, 13))


def _cards_by_third_of_values() -> Variable:
    weights = (sum(value_counts()[value] for value in third) for third in THIRDS)
    return Variable(
        "value-thirds",
        _("Low, middle and high values"),
        _("Value"),
        _("Cards"),
        GraphKind.PIE,
        tuple(f"{third[0]}–{third[-1]}" for third in THIRDS),
        (Curve(_("the deck"), tuple(map(Fraction, weights))),),
        CARDS,
        lambda hand: [(card.value - 4) // 3 for card in hand],
    )


PATTERN_NAMES = {
    (2, 1, 1): _("two alike"),
    (3, 1): _("three alike"),
    (2, 2): _("two pairs"),
    (4,): _("all alike"),
}


def _cards_by_pattern() -> Variable:
    names = tuple(PATTERN_NAMES[pattern] for pattern in patterns())
    weights = tuple(Fraction(cards) for cards in patterns().values())

    def read(hand: Sequence[Card]) -> list[int]:
        order = list(patterns())
        alike = (sorted(Counter(card.counts).values(), reverse=True) for card in hand)
        return [order.index(tuple(each)) for each in alike]

    return Variable(
        "patterns",
        _("How alike the four counts of a card are"),
        _("Pattern"),
        _("Cards"),
        GraphKind.PIE,
        names,
        (Curve(_("the deck"), weights),),
        CARDS,
        read,
    )


def one_ball(card: Card) -> bool:
    """Whether the card shows exactly one ball."""
    return card.counts[Shape.BALL.position] == 1


def _marked_cards_in_hand(
    key: str,
    title: StrOrPromise,
    marked: int,
    is_marked: Callable[[Card], bool],
) -> Variable:
    chances = hypergeometric(CARDS, marked, HAND_SIZE)
    return Variable(
        key,
        title,
        title,
        _("Share of the hands"),
        GraphKind.BARS,
        tuple(map(str, chances)),
        (Curve(_("all hands"), tuple(chances.values())),),
        1,
        lambda hand: [sum(map(is_marked, hand))],
        marks=is_marked,
    )


def has_void(hand: Sequence[Card]) -> bool:
    """Whether a hand lacks at least one of the twelve calls."""
    calls = {call for card in hand for call in card.calls}
    return len(calls) < 12


def _hands_with_void() -> Variable:
    chance = any_void((3, 3, 3, 3))
    return Variable(
        "void",
        _("Hands with at least one void"),
        _("The hand"),
        _("Share of the hands"),
        GraphKind.BARS,
        (_("has a void"), _("has no void")),
        (Curve(_("all hands"), (chance, 1 - chance)),),
        1,
        lambda hand: [0 if has_void(hand) else 1],
        subject=0,
    )


HALVES = tuple(range(12, 21))
"""Hand means to the nearest half, in halves: 6 to 10; what lies beyond goes into the ends."""


def _half(total: int) -> int:
    """The index of the nearest half for a hand of this total value (ties upwards)."""
    half = (total + 2) // 4
    return min(max(half, HALVES[0]), HALVES[-1]) - HALVES[0]


def _hands_by_mean() -> Variable:
    chances = [Fraction()] * len(HALVES)
    for total, chance in sum_distribution().items():
        chances[_half(total)] += chance
    return Variable(
        "hand-means",
        _("Mean value of a hand"),
        _("Mean value of a hand"),
        _("Share of the hands"),
        GraphKind.BARS,
        tuple(_decimal_half(half) for half in HALVES),
        (Curve(_("all hands"), tuple(chances)),),
        1,
        lambda hand: [_half(sum(card.value for card in hand))],
    )


def _decimal_half(half: int) -> str:
    words = f"{half // 2}½" if half % 2 else str(half // 2)
    return {HALVES[0]: f"≤{words}", HALVES[-1]: f"≥{words}"}.get(half, words)


def _high_cards_in_hand() -> Variable:
    high = sum(number for value, number in value_counts().items() if value >= 9)
    return _marked_cards_in_hand(
        "high-cards",
        _("Cards of value 9 or more in a hand"),
        high,
        lambda card: card.value >= 9,
    )


def _one_balls_in_hand() -> Variable:
    return _marked_cards_in_hand(
        "one-balls",
        _("Cards with 1 ball in a hand"),
        CARDS // 3,
        one_ball,
    )


FORECAST = tuple(Fraction(percents, 100) for percents in (5, 20, 25, 20, 15, 10, 5, 0, 0))
"""How likely somebody holds 0 to 8 tricks: the forecast that lesson 5 works through."""


def _forecast_of_tricks() -> Variable:
    return Variable(
        "forecast",
        _("The forecast"),
        _("Tricks"),
        _("Chance"),
        GraphKind.BARS,
        tuple(map(str, range(len(FORECAST)))),
        (Curve(_("Chance"), FORECAST),),
        1,
    )


HAND = (5, 6, 6, 6, 8, 9, 9, 12)
"""The values of the eight cards of which lesson 2 has a box plot drawn."""


def _box_plot_of_hand() -> Variable:
    return Variable(
        "hand-box",
        _("The values of eight cards"),
        _("Value"),
        _("Value"),
        GraphKind.BOX,
        (_("Least"), _("Lower quartile"), _("Median"), _("Upper quartile"), _("Greatest")),
        (Curve(_("The values of eight cards"), five_number_summary(Counter(HAND))),),
        len(HAND),
        data=HAND,
    )


_MAKERS = {
    "values": _cards_by_value,
    "three-curves": _cards_by_value_and_balls,
    "value-thirds": _cards_by_third_of_values,
    "patterns": _cards_by_pattern,
    "one-balls": _one_balls_in_hand,
    "high-cards": _high_cards_in_hand,
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

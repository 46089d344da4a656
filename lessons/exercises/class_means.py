"""A question about single cards and the means of hands that a class was dealt: type 22."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.rules import DECK, HAND_SIZE, Card
from lessons.exercises.answers import Form
from lessons.exercises.class_results import intro, results
from lessons.exercises.contexts import Context, Family
from lessons.exercises.engine import (
    LEVEL,
    Exercise,
    ExerciseKind,
    Field,
    Histogram,
    Instance,
    NoVariant,
    NumberTable,
    Parameters,
    Wrong,
    choice,
)
from lessons.exercises.skills import Misconception, Skill
from lessons.exercises.texts import decimal, math, tex_decimal, tex_over, tex_value
from lessons.probability import CARDS, none_of, sum_distribution


class MeansVaryLess(Exercise):
    number = 22
    key = "means-vary-less"
    title = gettext_lazy("One card or the mean of eight?")
    family, kind, level, lesson = Family.CLASS, ExerciseKind.CHOICE, "C", 7
    levels = ("B", "C")
    skill = Skill.SAMPLES
    misconceptions = (Misconception.SAMPLE_SIZE, Misconception.EQUIPROBABLE)

    def draw(self, rng: Random, context: Context) -> Parameters:
        given = results(context)
        cards = Counter(card.value for hand in given.hands for card in hand)
        means = Counter(2 * _total(hand) // HAND_SIZE for hand in given.hands)
        asks = rng.choice(("far", "near", "any"))
        bounds = {"far": (6, 7, 9, 10), "near": (6, 7), "any": (5, 6, 10, 11)}
        return {
            "invented": given.invented,
            "asks": asks,
            "bound": rng.choice(bounds[asks]),
            "cards": [cards[value] for value in range(4, 13)],
            "means": [means[half] for half in range(8, 25)],
        }

    def draw_at(self, level: str, rng: Random, context: Context) -> Parameters:
        """Counted are values which these cards and hands show as often as is to be expected:
        more often on a card, or more often as a mean."""
        drawn = self.draw(rng, context)
        if level == self.level:
            return drawn
        facts = {key: drawn[key] for key in ("invented", "cards", "means")}
        fits = [each for each in VALUES if _shows(facts, *each)]
        if not fits:
            raise NoVariant("the class's hands are unusual")
        return {**facts, "values": list(rng.choice(fits)), LEVEL: level}

    def build(self, parameters: Parameters) -> Instance:
        if LEVEL in parameters:
            return self._counted(parameters)
        asks, bound = parameters.get("asks", "far"), parameters["bound"]
        card, hand = _card_and_hand(asks, bound)
        right = {
            "likelier": "card" if card > hand else "hand",
            "reason": "more" if asks == "any" else "spread",
        }
        return Instance(
            self.key,
            parameters,
            prompt=intro(parameters) + " " + _likelier_words(asks, bound),
            fields=(
                _likelier(
                    _("the hand of eight") if asks == "any" else _("the mean of the hand")
                ),
                choice(
                    "reason",
                    _("Because"),
                    {
                        "spread": _(
                            "high and low cards balance in a mean, so it stays near 8."
                        ),
                        "centre": _("cards and hands have the same mean, 8."),
                        "more": _("eight cards have eight chances."),
                    },
                ),
            ),
            right=right,
            wrong=tuple(
                Wrong(
                    Misconception.SAMPLE_SIZE,
                    answers,
                    _(
                        "You treated one card and eight alike. On how many of the eight could "
                        "such a value stand?"
                    )
                    if asks == "any"
                    else _(
                        "You looked at the centre of both graphs. Which of the two is wider, "
                        "and what has the number of cards to do with that?"
                    ),
                )
                for answers in ({"likelier": "same"}, {"reason": "centre"})
            ),
            solution=(
                _("A card: %(chance)s.") % {"chance": math(tex_value(card))},
                _("A hand: %(chance)s.") % {"chance": math(tex_value(hand))}
                if asks == "any"
                else _("The mean of a hand: %(chance)s.") % {"chance": math(tex_value(hand))},
                _("Each of the eight cards may be one, so a hand has more chances than a card.")
                if asks == "any"
                else _(
                    "Both have the mean 8, but in a mean high and low cards balance: its SD is "
                    "about that of a card, divided by the root of eight."
                ),
            ),
            tables=_histograms(parameters),
            histograms=_pictures(parameters),
        )

    def _counted(self, parameters: Parameters) -> Instance:
        """The shares of cards and of hands, counted."""
        low, high = parameters["values"]
        cards, means = _counts(parameters, low, high)
        dealt, hands = sum(parameters["cards"]), sum(parameters["means"])
        of_cards, of_hands = Fraction(sum(cards), dealt), Fraction(sum(means), hands)
        is_card = of_cards > of_hands
        alike = _(
            "You treated a card and the mean of eight alike. Which of the two graphs is "
            "narrower?"
        )
        return Instance(
            self.key,
            parameters,
            prompt=intro(parameters)
            + " "
            + _(
                "The graphs show the values of the %(cards)d cards that were dealt, and the "
                "means of the %(hands)d hands; their numbers stand below. Look for %(values)s. "
                "What share of the cards has such a value? What share of the hands has such a "
                "mean? And which is likelier in the next deal: such a value on a single card, "
                "or such a mean of a hand?"
            )
            % {"cards": dealt, "hands": hands, "values": _values_words(low, high)},
            fields=(
                Field("cards", _("Share of the cards"), Form.CHANCE),
                Field("hands", _("Share of the hands"), Form.CHANCE),
                _likelier(_("the mean of the hand")),
            ),
            right={
                "cards": of_cards,
                "hands": of_hands,
                "likelier": "card" if is_card else "hand",
            },
            wrong=(
                Wrong(
                    Misconception.EQUIPROBABLE,
                    {"cards": Fraction(high - low, 9)},
                    _(
                        "You counted values, not cards. How many cards stand above each of "
                        "these values?"
                    ),
                ),
                Wrong(Misconception.SAMPLE_SIZE, {"hands": of_cards}, alike),
                Wrong(Misconception.SAMPLE_SIZE, {"likelier": "same"}, alike),
            ),
            solution=(
                _("Of the cards:") + " " + math(_share(cards, dealt)),
                _("Of the hands:") + " " + math(_share(means, hands)),
                _(
                    "In a mean high and low cards balance, so it is seldom far from 8. A "
                    "single card is there more often."
                )
                if is_card
                else _(
                    "In a mean high and low cards balance, so it is mostly near 8. A single "
                    "card is near it less often."
                ),
            ),
            tables=_histograms(parameters),
            histograms=_pictures(parameters),
        )


VALUES = ((9, 13), (10, 13), (4, 7), (4, 6), (7, 9), (7, 10), (6, 10))
"""Values to look for, from the first up to below the second: far from 8, and about it."""


def _counts(parameters: Parameters, low: int, high: int) -> tuple[list[int], list[int]]:
    """How many cards have these values, and how many hands such a mean, by the graphs' bars."""
    cards, means = parameters["cards"], parameters["means"]
    return cards[low - 4 : high - 4], means[2 * low - 8 : 2 * high - 8]


def _shows(parameters: Parameters, low: int, high: int) -> bool:
    """Whether these cards and hands differ as their chances do."""
    cards, means = (sum(each) for each in _counts(parameters, low, high))
    found = cards * sum(parameters["means"]) - means * sum(parameters["cards"])
    card = Fraction(sum(low <= card.value < high for card in DECK), CARDS)
    hand = sum(
        p
        for total, p in sum_distribution().items()
        if HAND_SIZE * low <= total < HAND_SIZE * high
    )
    return found > 0 if card > hand else found < 0


def _values_words(low: int, high: int) -> str:
    if high > 12:
        return _("%(n)d or more") % {"n": low}
    if low == 4:
        return _("less than %(n)d") % {"n": high}
    return _("%(low)d or more, but less than %(high)d") % {"low": low, "high": high}


def _share(numbers: list[int], of: int) -> str:
    """What these numbers are of all, step by step, as a formula."""
    some = [str(n) for n in numbers if n]
    total = sum(numbers)
    added = f"{tex_over(' + '.join(some), of)} = " if len(some) > 1 else ""
    return f"{added}{tex_over(total, of)} {tex_decimal(Fraction(total, of))}"


def _likelier(hand: str) -> Field:
    return choice(
        "likelier",
        _("Likelier is"),
        {
            "card": _("the single card"),
            "hand": hand,
            "same": _("neither: both have the same chance"),
        },
        last="same",
    )


def _pictures(parameters: Parameters) -> tuple[Histogram, ...]:
    cards, means = tuple(parameters["cards"]), tuple(parameters["means"])
    return (
        Histogram(_("Values of all dealt cards"), Fraction(7, 2), Fraction(1), cards),
        Histogram(_("Means of the hands"), Fraction(4), Fraction(1, 2), means),
    )


def _card_and_hand(asks: str, bound: int) -> tuple[Fraction, Fraction]:
    """The chances of what is asked about: of a single card, and of a hand of eight."""
    if asks == "near":
        low, high = bound, 16 - bound
    else:
        low, high = (bound, 12) if bound > 8 else (4, bound)
    some = sum(low <= card.value <= high for card in DECK)
    if asks == "any":
        return Fraction(some, CARDS), 1 - none_of(some, HAND_SIZE)
    of_mean = sum(
        (
            p
            for total, p in sum_distribution().items()
            if HAND_SIZE * low <= total <= HAND_SIZE * high
        ),
        Fraction(),
    )
    return Fraction(some, CARDS), of_mean


def _likelier_words(asks: str, bound: int) -> str:
    beyond = (_("%(n)d or more") if bound > 8 else _("%(n)d or less")) % {"n": bound}
    if asks == "any":
        return _(
            "The graphs show the values of all cards that were dealt, and the means of the "
            "hands. Which is likelier in the next deal: that a single card has a value of "
            "%(bound)s, or that at least one card in a hand of eight has such a value?"
        ) % {"bound": beyond}
    if asks == "near":
        return _(
            "The graphs show the values of all cards that were dealt, and the means of the "
            "hands. Which is likelier in the next deal: that a single card has a value from "
            "%(low)d to %(high)d, or that a hand of eight has a mean from %(low)d to %(high)d?"
        ) % {"low": bound, "high": 16 - bound}
    return _(
        "The graphs show the values of all cards that were dealt, and the means of the "
        "hands. Which is likelier in the next deal: that a single card has a value of "
        "%(bound)s, or that a hand of eight has a mean of %(bound)s?"
    ) % {"bound": beyond}


def _total(hand: tuple[Card, ...]) -> int:
    return sum(card.value for card in hand)


def _histograms(parameters: Parameters) -> tuple[NumberTable, ...]:
    means = [(Fraction(half, 2), n) for half, n in enumerate(parameters["means"], start=8)]
    return (
        NumberTable(
            caption=_("Values of all dealt cards"),
            head=(_("Value"), _("Cards")),
            rows=tuple((str(v), str(n)) for v, n in enumerate(parameters["cards"], start=4)),
        ),
        NumberTable(
            caption=_("Means of the hands"),
            head=(_("From"), _("Hands")),
            rows=tuple((decimal(low), str(n)) for low, n in means if 6 <= low <= 10 or n),
        ),
    )


EXERCISES = (MeansVaryLess(),)

"""Questions about the hands that a class was dealt: types 21 and 22."""

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
from lessons.exercises.deal import draw_mark, mark_words, marked
from lessons.exercises.engine import (
    LEVEL,
    Exercise,
    ExerciseKind,
    Field,
    Histogram,
    Instance,
    NumberTable,
    Parameters,
    Wrong,
    choice,
)
from lessons.exercises.events import holds
from lessons.exercises.skills import Misconception, Skill
from lessons.exercises.spread import variance_hint
from lessons.exercises.texts import decimal, math, printed, tex_decimal, tex_over, tex_value
from lessons.probability import CARDS, frequency_error, none_of, sum_distribution


class Frequency(Exercise):
    number = 21
    key = "frequency"
    title = gettext_lazy("How often, beside how likely")
    family, kind, level, lesson = Family.CLASS, ExerciseKind.NUMBERS, "B", 6
    levels = ("B", "C")
    skill = Skill.SAMPLES
    misconceptions = (Misconception.SMALL_NUMBERS, Misconception.VARIANCE_FOR_SD)

    def draw(self, rng: Random, context: Context) -> Parameters:
        given = results(context)
        mark = draw_mark(rng)
        without = sum(not any(holds(mark, card) for card in hand) for hand in given.hands)
        return {
            "invented": given.invented,
            "mark": mark,
            "hands": len(given.hands),
            "without": without,
        }

    def draw_at(self, level: str, rng: Random, context: Context) -> Parameters:
        drawn = super().draw_at(level, rng, context)
        return drawn if level == self.level else {**drawn, "times": rng.choice((2, 3, 4, 10))}

    def build(self, parameters: Parameters) -> Instance:
        if LEVEL in parameters:
            return self._structure(parameters)
        mark, hands, without = (parameters[key] for key in ("mark", "hands", "without"))
        chance = none_of(marked(mark), HAND_SIZE)
        error = frequency_error(chance, hands)
        expected = hands * chance
        return Instance(
            self.key,
            parameters,
            prompt=intro(parameters)
            + " "
            + _(
                "Of %(hands)d hands, %(without)d held no cards %(mark)s; the chance of that is "
                "%(chance)s for each hand, so %(expected)s such hands were to be expected. How "
                "often did it happen, as a share? By how much do such shares typically differ "
                "from the chance (their SD), if the hands are dealt independently? And did at "
                "least one such hand have to come?"
            )
            % {
                "hands": hands,
                "without": without,
                "mark": mark_words(mark),
                "chance": decimal(chance, 4),
                "expected": decimal(expected),
            },
            fields=(
                Field("share", _("Relative frequency"), Form.CHANCE),
                Field("sd", _("SD of the relative frequency"), Form.NUMBER),
                choice(
                    "must",
                    _("Did one have to come?"),
                    {
                        "must": _("Yes: what is expected has to come."),
                        "may": _("No: none at all was possible, too."),
                    },
                ),
            ),
            right={"share": Fraction(without, hands), "sd": error, "must": "may"},
            follows={
                "sd": tuple(
                    frequency_error(p, hands)
                    for p in (printed(chance, 4), printed(expected) / hands)
                    if p < 1
                )
            },
            wrong=(
                Wrong(
                    Misconception.SMALL_NUMBERS,
                    {"must": "must"},
                    _(
                        "You expect these few hands to show just what the chance says. If you "
                        "toss a coin twice, must one toss be heads?"
                    ),
                ),
                Wrong(
                    Misconception.VARIANCE_FOR_SD,
                    {"sd": chance * (1 - chance) / hands},
                    variance_hint(),
                ),
            ),
            solution=(
                _("Relative frequency: %(share)s.")
                % {
                    "share": math(
                        f"{tex_over(without, hands)} {tex_decimal(Fraction(without, hands))}"
                    )
                },
                _("Its SD, with p the chance of one hand:")
                + " "
                + math(rf"\sqrt{{p(1 - p) / {hands}}} {tex_decimal(error)}"),
                _(
                    "An expected number is an average over many classes. (Hands of one table "
                    "share a deck and are not quite independent; the SD is a good guide all "
                    "the same.)"
                ),
            ),
        )

    def _structure(self, parameters: Parameters) -> Instance:
        """How many hands make the spread of a share so many times smaller."""
        hands, times = parameters["hands"], parameters["times"]
        return Instance(
            self.key,
            parameters,
            prompt=intro(parameters)
            + " "
            + _(
                "%(hands)d hands were counted. The share of those with some feature typically "
                "differs from its chance by a certain SD. How many hands in all would make "
                "this SD %(times)d times smaller, if they are dealt independently? And would "
                "the share then have to be nearer to the chance?"
            )
            % {"hands": hands, "times": times},
            fields=(
                Field("hands", _("Hands"), Form.COUNT),
                choice(
                    "must",
                    _("Nearer with more hands"),
                    {"must": _("It has to be."), "may": _("Usually, but not for certain.")},
                    is_scale=True,
                ),
            ),
            right={"hands": Fraction(hands * times**2), "must": "may"},
            wrong=(
                Wrong(
                    Misconception.SMALL_NUMBERS,
                    {"must": "must"},
                    _(
                        "You expect a larger class to be nearer every time. Could a small one "
                        "hit the chance by luck?"
                    ),
                ),
                Wrong(
                    Misconception.VARIANCE_FOR_SD,
                    {"hands": Fraction(hands * times)},
                    _(
                        "That many make the variance so much smaller. Which step leads from "
                        "the variance to the SD?"
                    ),
                ),
            ),
            solution=(
                _(
                    "The SD has the number of hands under a root, so for one %(times)d times "
                    "smaller it takes the square:"
                )
                % {"times": times},
                math(rf"{times}^2 \cdot {hands} = {hands * times**2}"),
                _("An SD says what is usual. Luck may still be larger or smaller."),
            ),
        )


class MeansVaryLess(Exercise):
    number = 22
    key = "means-vary-less"
    title = gettext_lazy("One card or the mean of eight?")
    family, kind, level, lesson = Family.CLASS, ExerciseKind.CHOICE, "C", 7
    skill = Skill.SAMPLES
    misconceptions = (Misconception.SAMPLE_SIZE,)

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

    def build(self, parameters: Parameters) -> Instance:
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
                choice(
                    "likelier",
                    _("Likelier is"),
                    {
                        "card": _("the single card"),
                        "hand": _("the hand of eight")
                        if asks == "any"
                        else _("the mean of the hand"),
                        "same": _("neither: both have the same chance"),
                    },
                    last="same",
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
            histograms=(
                Histogram(
                    _("Values of all dealt cards"),
                    Fraction(7, 2),
                    Fraction(1),
                    tuple(parameters["cards"]),
                ),
                Histogram(
                    _("Means of the hands"),
                    Fraction(4),
                    Fraction(1, 2),
                    tuple(parameters["means"]),
                ),
            ),
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


EXERCISES = (Frequency(), MeansVaryLess())

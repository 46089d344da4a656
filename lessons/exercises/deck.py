"""Questions about the deck itself: types 1 and 2."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.rules import DECK, Call
from lessons.exercises.answers import Form
from lessons.exercises.contexts import Context, Family
from lessons.exercises.engine import (
    LEVEL,
    Exercise,
    ExerciseKind,
    Field,
    Instance,
    NumberTable,
    Parameters,
    Wrong,
)
from lessons.exercises.skills import Misconception, Skill
from lessons.exercises.texts import deck_words, math, shape_words, tex, tex_decimal, tex_over
from lessons.probability import CARDS, COUNTS, SHAPES, value_counts

ALL_SHAPES = list(range(SHAPES))
ALL_COUNTS = list(COUNTS)
MOST_COUNTS = 6
"""How many different counts an imagined deck may have at most."""
CALLS = tuple(sorted({str(call) for card in DECK for call in card.calls}))


def draw_deck(rng: Random, *, whole: float = 0.25) -> Parameters:
    """The full deck now and then, else one with fewer shapes or counts."""
    if rng.random() < whole:
        return {"shapes": ALL_SHAPES, "counts": ALL_COUNTS}
    return {
        "shapes": sorted(rng.sample(ALL_SHAPES, rng.randint(2, SHAPES))),
        "counts": sorted(rng.sample(ALL_COUNTS, rng.randint(2, len(ALL_COUNTS)))),
    }


def call_of(shape: int, count: int) -> Call:
    """The call of so many of the shape at this position."""
    return next(
        call
        for card in DECK
        for call in card.calls
        if call.number == count and call.shape.position == shape
    )


def values_table(counts: dict[int, int]) -> NumberTable:
    """How many cards have each value, as a table to read."""
    return NumberTable(
        caption=_("The cards by value"),
        head=(_("Value"), _("Cards")),
        rows=tuple((str(value), str(number)) for value, number in counts.items()),
    )


def opposite(field: str, chance: Fraction) -> Wrong:
    """The chance that it does not happen, given for the chance that it does."""
    return Wrong(
        Misconception.OPPOSITE,
        {field: 1 - chance},
        _(
            "You found the chance of the opposite. Read once more: which of the two does the "
            "question ask for?"
        ),
    )


class DeckSize(Exercise):
    number = 1
    key = "deck-size"
    title = gettext_lazy("How many cards?")
    family, kind, level, lesson = Family.DECK, ExerciseKind.NUMBER, "A", 1
    levels = ("A", "B")
    skill = Skill.COUNTING
    misconceptions = (Misconception.ADDS_CHOICES, Misconception.SWAPS_POWER)

    def draw(self, rng: Random, context: Context) -> Parameters:
        """Also decks with more counts than ours: of decks of up to 81 cards, powers and
        products tell only three sizes apart."""
        if rng.random() < 0.5:
            return draw_deck(rng)
        shapes = sorted(rng.sample(ALL_SHAPES, rng.randint(2, SHAPES)))
        return {"shapes": shapes, "counts": list(range(1, rng.randint(4, MOST_COUNTS) + 1))}

    def build(self, parameters: Parameters) -> Instance:
        if LEVEL in parameters:
            return self._structure(parameters)
        shapes, counts = parameters["shapes"], parameters["counts"]
        k, n = len(shapes), len(counts)
        product = r" \cdot ".join([str(n)] * k)
        return Instance(
            self.key,
            parameters,
            prompt=f"{deck_words(shapes, counts)} {_('How many cards are there?')}",
            fields=(Field("cards", _("Cards"), Form.COUNT),),
            right={"cards": Fraction(n**k)},
            wrong=(
                Wrong(
                    Misconception.ADDS_CHOICES,
                    {"cards": Fraction(n * k)},
                    _(
                        "You added up the choices, shape by shape. Each choice for one shape "
                        "can go with each choice for the next: which operation counts the "
                        "pairs?"
                    ),
                ),
                Wrong(
                    Misconception.SWAPS_POWER,
                    {"cards": Fraction(k**n)},
                    _(
                        "You have the right numbers in a power, but which is which? How often "
                        "do you choose, and from how many counts each time?"
                    ),
                ),
            ),
            solution=(
                _("Each of the %(shapes)s can show one of the counts, freely:")
                % {"shapes": shape_words(shapes)},
                math(rf"{product} = {n}^{{{k}}} = {n**k}"),
            ),
        )

    def _structure(self, parameters: Parameters) -> Instance:
        """How many counts a deck of this size has."""
        k, n = len(parameters["shapes"]), len(parameters["counts"])
        cards = n**k
        added = Wrong(
            Misconception.ADDS_CHOICES,
            {"counts": Fraction(cards, k)},
            _(
                "You divided the cards among the shapes. Were the choices for the shapes added "
                "up, or does each go with each of the others?"
            ),
        )
        return Instance(
            self.key,
            parameters,
            prompt=_(
                "Imagine a deck in which each of %(shapes)d shapes can have the same counts, "
                "and every combination is on exactly one card. It has %(cards)d cards. How "
                "many different counts can a shape have?"
            )
            % {"shapes": k, "cards": cards},
            fields=(Field("counts", _("Different counts"), Form.COUNT),),
            right={"counts": Fraction(n)},
            wrong=(
                *((added,) if cards % k == 0 else ()),
                Wrong(
                    Misconception.SWAPS_POWER,
                    {"counts": Fraction(k)},
                    _(
                        "You took how often one chooses. From how many counts does one choose "
                        "each time?"
                    ),
                ),
            ),
            solution=(
                _("Look for the number that, taken once for each shape, makes the cards:"),
                math(rf"{n}^{{{k}}} = {cards}"),
            ),
        )


class ValueChance(Exercise):
    number = 2
    key = "value-chance"
    title = gettext_lazy("The chance of a value")
    family, kind, level, lesson = Family.DECK, ExerciseKind.NUMBER, "A", 1
    levels = ("A", "B")
    skill = Skill.COUNTING
    misconceptions = (Misconception.EQUIPROBABLE, Misconception.OPPOSITE)

    def draw(self, rng: Random, context: Context) -> Parameters:
        return {"value": rng.choice(list(value_counts()))}

    def draw_at(self, level: str, rng: Random, context: Context) -> Parameters:
        """B: so much or more, so much or less, or between."""
        if level == self.level:
            return self.draw(rng, context)
        lowest, *values, highest = value_counts()
        low, high = sorted(rng.sample(values, 2))
        ends = rng.choice(((low, highest), (lowest, high), (low, high)))
        return {"value": ends[0], "to": ends[1], LEVEL: level}

    def build(self, parameters: Parameters) -> Instance:
        if LEVEL in parameters:
            return self._structure(parameters)
        value = parameters["value"]
        cards = value_counts()[value]
        chance = Fraction(cards, CARDS)
        return Instance(
            self.key,
            parameters,
            prompt=_(
                "You draw one card from the full deck of %(cards)d. What is the chance that "
                "its value is %(value)d?"
            )
            % {"cards": CARDS, "value": value},
            fields=(Field("chance", _("Chance"), Form.CHANCE),),
            right={"chance": chance},
            wrong=(
                Wrong(
                    Misconception.EQUIPROBABLE,
                    {"chance": Fraction(1, len(value_counts()))},
                    _(
                        "You gave every value the same chance. Are there equally many cards of "
                        "every value? The stats table can tell."
                    ),
                ),
                opposite("chance", chance),
            ),
            solution=(
                _("%(some)d of the %(all)d cards have the value %(value)d:")
                % {"some": cards, "all": CARDS, "value": value},
                math(
                    tex_over(cards, CARDS)
                    + ("" if chance.denominator == CARDS else f" = {tex(chance)}")
                    + f" {tex_decimal(chance)}"
                ),
            ),
        )

    def _structure(self, parameters: Parameters) -> Instance:
        """Several values: chances that add up."""
        low, high = parameters["value"], parameters.get("to", max(value_counts()))
        cards = [number for v, number in value_counts().items() if low <= v <= high]
        chance = Fraction(sum(cards), CARDS)
        return Instance(
            self.key,
            parameters,
            prompt=_(
                "You draw one card from the full deck of %(cards)d. What is the chance that "
                "its value is %(values)s?"
            )
            % {"cards": CARDS, "values": _span_words(low, high)},
            fields=(Field("chance", _("Chance"), Form.CHANCE),),
            right={"chance": chance},
            wrong=(
                Wrong(
                    Misconception.EQUIPROBABLE,
                    {"chance": Fraction(len(cards), len(value_counts()))},
                    _(
                        "You counted values, not cards. Are there equally many cards of every "
                        "value? The stats table can tell."
                    ),
                ),
                opposite("chance", chance),
            ),
            solution=(
                _("Add up the cards of all these values, then divide by the deck:"),
                math(
                    f"{tex_over(' + '.join(map(str, cards)), CARDS)} = "
                    f"{tex_over(sum(cards), CARDS)} {tex_decimal(chance)}"
                ),
            ),
        )


def _span_words(low: int, high: int) -> str:
    """These values in words, e.g. "9 or more"."""
    if high == max(value_counts()):
        return _("%(n)d or more") % {"n": low}
    if low == min(value_counts()):
        return _("%(n)d or less") % {"n": high}
    return _("from %(low)d to %(high)d") % {"low": low, "high": high}


EXERCISES = (DeckSize(), ValueChance())

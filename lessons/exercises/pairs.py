"""Questions about two events, and about two cards: types 8 and 9."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from lessons.exercises.answers import Form
from lessons.exercises.contexts import Context, Family
from lessons.exercises.deck import CALLS, draw_deck, opposite, values_table
from lessons.exercises.engine import (
    Exercise,
    ExerciseKind,
    Field,
    Instance,
    Parameters,
    Wrong,
    choice,
)
from lessons.exercises.events import count_cards, event_words
from lessons.exercises.skills import Misconception, Skill
from lessons.exercises.texts import deck_words, math, tex, tex_decimal, tex_over
from lessons.probability import CARDS, equal_values, value_counts


class Independence(Exercise):
    number = 8
    key = "independence"
    title = gettext_lazy("Does one tell about the other?")
    family, kind, level, lesson = Family.DECK, ExerciseKind.CHOICE, "B", 4
    skill = Skill.CONDITIONS
    misconceptions = (Misconception.EXCLUSIVE_INDEPENDENT,)

    def draw(self, rng: Random, context: Context) -> Parameters:
        first = rng.choice(CALLS)
        shape = first.partition("-")[2]
        others: tuple[list[Any], ...] = (
            ["call", rng.choice([c for c in CALLS if not c.endswith(shape)])],
            ["call", rng.choice([c for c in CALLS if c.endswith(shape) and c != first])],
            ["least", rng.randint(8, 11)],
            ["value", rng.randint(5, 11)],
        )
        return {"events": [["call", first], rng.choice(others)]}

    def build(self, parameters: Parameters) -> Instance:
        one, other = parameters["events"]
        first, second, both = count_cards(one), count_cards(other), count_cards(one, other)
        product = Fraction(first * second, CARDS**2)
        independent = Fraction(both, CARDS) == product
        facts = {"one": event_words(one), "other": event_words(other)}
        sign = "=" if independent else r"\ne"
        return Instance(
            self.key,
            parameters,
            prompt=_(
                "You draw one card from the full deck. Event A: it %(one)s. Event B: it "
                "%(other)s. Are A and B independent?"
            )
            % facts,
            fields=(
                choice(
                    "independent",
                    _("A and B are"),
                    {
                        "yes": _("independent"),
                        "no": _("not independent"),
                    },
                ),
                choice(
                    "reason",
                    _("Because"),
                    {
                        "equal": _("the chance of both is the product of the two chances."),
                        "unequal": _(
                            "the chance of both is not the product of the two chances."
                        ),
                        "exclusive": _(
                            "no card can do both, so they have nothing to do with each other."
                        ),
                        "together": _(
                            "one card can do both, so they have to do with each other."
                        ),
                    },
                ),
            ),
            right={
                "independent": "yes" if independent else "no",
                "reason": "equal" if independent else "unequal",
            },
            wrong=(
                Wrong(
                    Misconception.EXCLUSIVE_INDEPENDENT,
                    {"reason": "exclusive"},
                    _(
                        "You looked at whether one card can do both. If you learn that A has "
                        "happened, what becomes of the chance of B?"
                    ),
                ),
                Wrong(
                    Misconception.EXCLUSIVE_INDEPENDENT,
                    {"reason": "together"},
                    _(
                        "You looked at whether one card can do both. Among the cards that do "
                        "A, is the share that does B another than in the whole deck?"
                    ),
                ),
            ),
            solution=(
                _("Of %(all)d cards %(first)d do A, %(second)d do B, %(both)d do both.")
                % {"all": CARDS, "first": first, "second": second, "both": both},
                math(
                    rf"{tex_over(first, CARDS)} \cdot {tex_over(second, CARDS)} "
                    rf"= {tex(product)} {sign} {tex_over(both, CARDS)}"
                ),
                _("Equal, so A tells nothing about B: independent.")
                if independent
                else _("Not equal, so A changes the chance of B: not independent."),
            ),
        )


class EqualValues(Exercise):
    number = 9
    key = "equal-values"
    title = gettext_lazy("Two cards of equal value")
    family, kind, level, lesson = Family.DECK, ExerciseKind.NUMBER, "B", 3
    skill = Skill.DRAWING
    misconceptions = (
        Misconception.REPLACEMENT,
        Misconception.EQUIPROBABLE,
        Misconception.OPPOSITE,
    )

    def draw(self, rng: Random, context: Context) -> Parameters:
        return draw_deck(rng)

    def build(self, parameters: Parameters) -> Instance:
        shapes, counts = parameters["shapes"], parameters["counts"]
        values = value_counts(len(shapes), counts)
        cards = sum(values.values())
        chance = equal_values(values)
        pairs = sum(n * (n - 1) for n in values.values())
        terms = " + ".join(rf"{n} \cdot {n - 1}" for n in values.values() if n > 1)
        return Instance(
            self.key,
            parameters,
            prompt=deck_words(shapes, counts)
            + " "
            + _(
                "You draw two cards, one after the other. What is the chance that they have "
                "equal values?"
            ),
            fields=(Field("chance", _("Chance"), Form.CHANCE),),
            right={"chance": chance},
            wrong=(
                Wrong(
                    Misconception.REPLACEMENT,
                    {
                        "chance": sum(
                            (Fraction(n, cards) ** 2 for n in values.values()), Fraction()
                        )
                    },
                    _(
                        "You drew the second card from a full deck again. Where is the first "
                        "card at that moment?"
                    ),
                ),
                Wrong(
                    Misconception.EQUIPROBABLE,
                    {"chance": Fraction(1, len(values))},
                    _(
                        "You took all values to be equally likely. Are there equally many "
                        "cards of each value?"
                    ),
                ),
                opposite("chance", chance),
            ),
            solution=(
                _(
                    "For each value with N cards there are N choices for the first card and "
                    "one less for the second:"
                ),
                math(
                    tex_over(terms, rf"{cards} \cdot {cards - 1}")
                    + f" = {tex_over(pairs, cards * (cards - 1))} {tex_decimal(chance)}"
                ),
            ),
            tables=(values_table(values),),
        )


EXERCISES = (Independence(), EqualValues())

"""Questions about two events, and about two cards: types 8 and 9."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.rules import parse_call
from games.words import call_words
from lessons.exercises.answers import Form
from lessons.exercises.contexts import Context, Family
from lessons.exercises.deck import ALL_SHAPES, CALLS, draw_deck, opposite, values_table
from lessons.exercises.engine import (
    EDITION,
    LEVEL,
    Exercise,
    ExerciseKind,
    Field,
    Instance,
    NumberTable,
    Parameters,
    Wrong,
    choice,
)
from lessons.exercises.events import count_cards, event_words
from lessons.exercises.skills import Misconception, Skill
from lessons.exercises.texts import deck_words, math, tex, tex_decimal, tex_over
from lessons.probability import CARDS, SHAPES, equal_values, value_counts


class Independence(Exercise):
    number = 8
    key = "independence"
    title = gettext_lazy("Does one tell about the other?")
    family, kind, level, lesson = Family.DECK, ExerciseKind.CHOICE, "B", 4
    levels = ("A", "B")
    skill = Skill.CONDITIONS
    misconceptions = (
        Misconception.EXCLUSIVE_INDEPENDENT,
        Misconception.JOINT,
        Misconception.IGNORES_CONDITION,
    )

    def draw(self, rng: Random, context: Context) -> Parameters:
        """The chance of both is the product of the two, larger, or smaller: each as often."""
        wanted = rng.choice(("equal", "larger", "smaller"))
        while True:
            first = rng.choice(CALLS)
            shape = first.partition("-")[2]
            others: tuple[list[Any], ...] = (
                ["call", rng.choice([c for c in CALLS if not c.endswith(shape)])],
                ["call", rng.choice([c for c in CALLS if c.endswith(shape) and c != first])],
                ["least", rng.randint(8, 11)],
                ["value", rng.randint(5, 11)],
            )
            events = ["call", first], rng.choice(others)
            if _both(*events) == wanted:
                return {"events": list(events), EDITION: 2}

    def build(self, parameters: Parameters) -> Instance:
        if LEVEL in parameters:
            return self._counted(parameters)
        one, other = parameters["events"]
        first, second, both = count_cards(one), count_cards(other), count_cards(one, other)
        product, beside = Fraction(first * second, CARDS**2), _both(one, other)
        independent = beside == "equal"
        reason = beside if EDITION in parameters or independent else "unequal"
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
                choice("reason", _("Because"), _independence_reasons(parameters)),
            ),
            right={"independent": "yes" if independent else "no", "reason": reason},
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

    def _counted(self, parameters: Parameters) -> Instance:
        """The same by counting: B in the whole deck, and among the cards that do A."""
        one, other = parameters["events"]
        first, second, both = count_cards(one), count_cards(other), count_cards(one, other)
        before, given = Fraction(second, CARDS), Fraction(both, first)
        tells = "same" if given == before else "less" if given < before else "more"
        facts = {"one": event_words(one), "other": event_words(other), "all": CARDS}
        ends = {
            "less": _("B has become less likely. So A and B are not independent."),
            "same": _("B is just as likely as before. So A and B are independent."),
            "more": _("B has become more likely. So A and B are not independent."),
        }
        exclusive = Wrong(
            Misconception.EXCLUSIVE_INDEPENDENT,
            {"tells": "same"},
            _(
                "No card does both. If somebody tells you that A has happened, can B happen, "
                "too?"
            ),
        )
        joint = Wrong(
            Misconception.JOINT,
            {"tells": "less"},
            _(
                "Of fewer cards there are fewer of everything. Compare shares: how much of the "
                "deck does B, and how much of the cards that do A?"
            ),
        )
        return Instance(
            self.key,
            parameters,
            prompt=_(
                "You draw one card from the full deck of %(all)d. Event A: it %(one)s. Event "
                "B: it %(other)s. How many cards of the deck do B? And how many of the cards "
                "that do A also do B? Then compare: somebody peeks at your card and says that "
                "it does A. What does that do to the chance of B?"
            )
            % facts,
            fields=(
                Field("second", _("Cards of the deck that do B"), Form.COUNT),
                Field("both", _("Cards that do A and B"), Form.COUNT),
                choice(
                    "tells",
                    _("Once you know A, B is"),
                    {
                        "less": _("less likely than before"),
                        "same": _("just as likely as before"),
                        "more": _("more likely than before"),
                    },
                    is_scale=True,
                ),
            ),
            right={"second": Fraction(second), "both": Fraction(both), "tells": tells},
            wrong=(
                *((exclusive,) if both == 0 else ()),
                *((joint,) if both and tells != "less" else ()),
                Wrong(
                    Misconception.IGNORES_CONDITION,
                    {"both": Fraction(second)},
                    _("You counted all cards that do B. Which of them also do A?"),
                ),
            ),
            solution=(
                _("In the whole deck B has the share")
                + " "
                + math(f"{tex_over(second, CARDS)} {tex_decimal(before)}"),
                _("Among the cards that do A it has the share")
                + " "
                + math(f"{tex_over(both, first)} {tex_decimal(given)}"),
                ends[tells],
            ),
            tables=_by_value(one, other),
        )


def _both(one: Sequence[Any], other: Sequence[Any]) -> str:
    """How the chance of both lies beside the product of the two chances."""
    both, product = count_cards(one, other) * CARDS, count_cards(one) * count_cards(other)
    return "equal" if both == product else "larger" if both > product else "smaller"


def _independence_reasons(parameters: Parameters) -> dict[str, str]:
    """Those of its edition; the first questions did not ask in which direction."""
    beside = (
        {
            "larger": _("the chance of both is larger than the product of the two chances."),
            "smaller": _("the chance of both is smaller than the product of the two chances."),
        }
        if EDITION in parameters
        else {"unequal": _("the chance of both is not the product of the two chances.")}
    )
    return {
        "equal": _("the chance of both is the product of the two chances."),
        **beside,
        "exclusive": _("no card can do both, so they have nothing to do with each other."),
        "together": _("one card can do both, so they have to do with each other."),
    }


def _by_value(one: Sequence[Any], other: Sequence[Any]) -> tuple[NumberTable, ...]:
    """The deck and the cards of the call by value; nothing where values do not count."""
    if other[0] == "call":
        return ()
    table = values_table(value_counts())
    return (
        replace(
            table,
            head=(
                *table.head,
                _("that show %(call)s") % {"call": call_words(parse_call(one[1]))},
            ),
            rows=tuple(
                (*row, str(count_cards(one, ["value", value])))
                for row, value in zip(table.rows, value_counts(), strict=True)
            ),
        ),
    )


class EqualValues(Exercise):
    number = 9
    key = "equal-values"
    title = gettext_lazy("Two cards of equal value")
    family, kind, level, lesson = Family.DECK, ExerciseKind.NUMBER, "B", 3
    levels = ("B", "C")
    skill = Skill.DRAWING
    misconceptions = (
        Misconception.REPLACEMENT,
        Misconception.EQUIPROBABLE,
        Misconception.OPPOSITE,
    )

    def draw(self, rng: Random, context: Context) -> Parameters:
        return draw_deck(rng)

    def draw_at(self, level: str, rng: Random, context: Context) -> Parameters:
        """C: also of decks with more counts than ours; there are few others."""
        if level == self.level:
            return self.draw(rng, context)
        shapes = sorted(rng.sample(ALL_SHAPES, rng.randint(2, SHAPES)))
        return {"shapes": shapes, "counts": list(range(1, rng.randint(2, 5) + 1)), LEVEL: level}

    def build(self, parameters: Parameters) -> Instance:
        if LEVEL in parameters:
            return self._structure(parameters)
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

    def _structure(self, parameters: Parameters) -> Instance:
        """From the chance of equal values to that of a higher one: neither card is favoured."""
        shapes, counts = parameters["shapes"], parameters["counts"]
        equal = equal_values(value_counts(len(shapes), counts))
        higher, wins = (1 - equal) / 2, (1 + equal) / 2
        three = _(
            "You gave higher, equal and lower the same chance. How likely equal values are is "
            "in the question: which of the three has which chance?"
        )
        room = _(
            "You shared everything between higher and lower. Where is the room for two equal "
            "values?"
        )
        return Instance(
            self.key,
            parameters,
            prompt=deck_words(shapes, counts)
            + " "
            + _(
                "Two cards are played, one after the other, drawn by chance. With chance "
                "%(equal)s their values are equal. What is the chance that the second card has "
                "the higher value? The higher value wins, and of equal values the card played "
                "last. What is the chance that the second card wins?"
            )
            % {"equal": equal},
            fields=(
                Field("higher", _("The second is higher"), Form.CHANCE),
                Field("wins", _("The second wins"), Form.CHANCE),
            ),
            right={"higher": higher, "wins": wins},
            wrong=(
                Wrong(Misconception.EQUIPROBABLE, {"higher": Fraction(1, 3)}, three),
                Wrong(Misconception.EQUIPROBABLE, {"higher": Fraction(1, 2)}, room),
                Wrong(Misconception.EQUIPROBABLE, {"wins": Fraction(2, 3)}, three),
                Wrong(Misconception.EQUIPROBABLE, {"wins": Fraction(1, 2)}, room),
                Wrong(
                    Misconception.OPPOSITE,
                    {"higher": 1 - equal},
                    _(
                        "You gave the chance that the two values differ. Is it then always the "
                        "second that is higher?"
                    ),
                ),
                opposite("wins", wins),
            ),
            solution=(
                _("The two values differ with the chance")
                + " "
                + math(f"1 - {tex(equal)} = {tex(1 - equal)}"),
                _("Neither card is favoured: half of that is left for “the second is higher”:")
                + " "
                + math(
                    rf"{tex_over(1, 2)} \cdot {tex(1 - equal)} = {tex(higher)} "
                    + tex_decimal(higher)
                ),
                _("It wins if it is higher or equal:")
                + " "
                + math(f"{tex(higher)} + {tex(equal)} = {tex(wins)} {tex_decimal(wins)}"),
                _("So it is good to play last, even without a better card."),
            ),
        )


EXERCISES = (Independence(), EqualValues())

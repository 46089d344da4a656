"""Questions about chances and events of one card: types 6 and 7."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.rules import DECK, Card, parse_call
from games.words import call_words
from lessons.exercises.answers import Form
from lessons.exercises.contexts import Context, Family
from lessons.exercises.deck import CALLS, opposite
from lessons.exercises.engine import (
    LEVEL,
    Exercise,
    ExerciseKind,
    Field,
    Instance,
    Parameters,
    Wrong,
)
from lessons.exercises.skills import Misconception, Skill
from lessons.exercises.texts import math, tex, tex_decimal, tex_over
from lessons.probability import CARDS


class InverseChance(Exercise):
    number = 6
    key = "inverse-chance"
    title = gettext_lazy("Given this, what is the chance of that?")
    family, kind, level, lesson = Family.DECK, ExerciseKind.NUMBERS, "B", 4
    levels = ("B", "C")
    skill = Skill.CONDITIONS
    misconceptions = (Misconception.INVERSE, Misconception.JOINT, Misconception.OPPOSITE)

    def draw(self, rng: Random, context: Context) -> Parameters:
        card = rng.choice(DECK)
        return {"call": str(rng.choice(card.calls)), "value": card.value}

    def build(self, parameters: Parameters) -> Instance:
        if LEVEL in parameters:
            return self._structure(parameters)
        call, value = parse_call(parameters["call"]), parameters["value"]
        valued = [card for card in DECK if card.value == value]
        shown = [card for card in DECK if card.shows(call)]
        both = sum(card.shows(call) for card in valued)
        chances = {"shown": Fraction(both, len(valued)), "valued": Fraction(both, len(shown))}
        facts = {"call": call_words(call), "value": value}
        swap = _(
            "You divided by the number of the other group. Which cards are still possible, "
            "once you know what the question tells you?"
        )
        joint = _(
            "You divided by the whole deck. Once you know something about the card, are all "
            "cards of the deck still possible?"
        )
        return Instance(
            self.key,
            parameters,
            prompt=_(
                "Somebody draws a card from the full deck. First: you are told that its value "
                "is %(value)d. What is the chance that it shows %(call)s? Second, with another "
                "draw: you are told that it shows %(call)s. What is the chance that its value "
                "is %(value)d?"
            )
            % facts,
            fields=(
                Field(
                    "shown",
                    _("It shows %(call)s, given the value %(value)d") % facts,
                    Form.CHANCE,
                ),
                Field(
                    "valued",
                    _("Its value is %(value)d, given that it shows %(call)s") % facts,
                    Form.CHANCE,
                ),
            ),
            right=chances,
            wrong=(
                Wrong(Misconception.INVERSE, {"shown": chances["valued"]}, swap),
                Wrong(Misconception.INVERSE, {"valued": chances["shown"]}, swap),
                Wrong(Misconception.JOINT, {"shown": Fraction(both, CARDS)}, joint),
                Wrong(Misconception.JOINT, {"valued": Fraction(both, CARDS)}, joint),
                *(opposite(field, chance) for field, chance in chances.items()),
            ),
            solution=(
                _("Cards with both: %(both)d. Divide by the cards that are still possible.")
                % {"both": both},
                _("First, the cards of value %(value)d:") % facts
                + " "
                + math(f"{tex_over(both, len(valued))} {tex_decimal(chances['shown'])}"),
                _("Second, the cards that show %(call)s:") % facts
                + " "
                + math(f"{tex_over(both, len(shown))} {tex_decimal(chances['valued'])}"),
            ),
        )

    def _structure(self, parameters: Parameters) -> Instance:
        """From one direction to the other, by chances alone."""
        call, value = parse_call(parameters["call"]), parameters["value"]
        shown, valued = count_cards(["call", str(call)]), count_cards(["value", value])
        both = count_cards(["call", str(call)], ["value", value])
        facts = {"call": call_words(call), "value": value}
        given, joint = Fraction(both, shown), Fraction(both, CARDS)
        chance = Fraction(both, valued)
        return Instance(
            self.key,
            parameters,
            prompt=_(
                "Of all cards %(shown)s show %(call)s, and of these %(given)s have the value "
                "%(value)d. Of all cards %(valued)s have this value. Somebody tells you that a "
                "card has the value %(value)d: what is the chance that it shows %(call)s?"
            )
            % {
                **facts,
                "shown": Fraction(shown, CARDS),
                "given": given,
                "valued": Fraction(valued, CARDS),
            },
            fields=(
                Field("shown", _("It shows %(call)s, given the value") % facts, Form.CHANCE),
            ),
            right={"shown": chance},
            wrong=(
                Wrong(
                    Misconception.INVERSE,
                    {"shown": given},
                    _(
                        "You gave the chance of the value, given the call. Which of the two do "
                        "you know here, and which is asked for?"
                    ),
                ),
                Wrong(
                    Misconception.JOINT,
                    {"shown": joint},
                    _(
                        "You gave the chance of both together. Among which cards do you look, "
                        "once you know the value?"
                    ),
                ),
                opposite("shown", chance),
            ),
            solution=(
                _("Both together:")
                + " "
                + math(rf"{tex(Fraction(shown, CARDS))} \cdot {tex(given)} = {tex(joint)}"),
                _("Of the cards with this value that is the share")
                + " "
                + math(
                    rf"{tex(joint)} : {tex(Fraction(valued, CARDS))} = "
                    rf"{tex(chance)} {tex_decimal(chance)}"
                ),
            ),
        )


# Two events at once: ["call", "1-ball"], ["value", 10] or ["least", 9]


def holds(event: Sequence[Any], card: Card) -> bool:
    """Whether a card belongs to this event."""
    what, of = event
    if what == "call":
        return card.shows(parse_call(of))
    return card.value == int(of) if what == "value" else card.value >= int(of)


def event_words(event: Sequence[Any]) -> str:
    """What a card does that belongs to this event, e.g. "shows 1 ball"."""
    what, of = event
    if what == "call":
        return _("shows %(call)s") % {"call": call_words(parse_call(of))}
    if what == "value":
        return _("has the value %(value)d") % {"value": of}
    return _("has a value of %(value)d or more") % {"value": of}


def count_cards(*events: Sequence[Any]) -> int:
    """How many cards of the deck belong to all of these events."""
    return sum(all(holds(event, card) for event in events) for card in DECK)


class EitherChance(Exercise):
    number = 7
    key = "either-chance"
    title = gettext_lazy("One or the other")
    family, kind, level, lesson = Family.DECK, ExerciseKind.NUMBER, "B", 1
    levels = ("B", "C")
    skill = Skill.COMBINING
    misconceptions = (
        Misconception.DOUBLE_COUNT,
        Misconception.AND_FOR_OR,
        Misconception.OPPOSITE,
    )

    def draw(self, rng: Random, context: Context) -> Parameters:
        other = rng.choice(
            (
                ["call", rng.choice(CALLS)],
                ["value", rng.randint(5, 11)],
                ["least", rng.randint(8, 11)],
            )
        )
        return {"events": [["call", rng.choice(CALLS)], other]}

    def build(self, parameters: Parameters) -> Instance:
        if LEVEL in parameters:
            return self._structure(parameters)
        one, other = parameters["events"]
        first, second, both = count_cards(one), count_cards(other), count_cards(one, other)
        chance = Fraction(first + second - both, CARDS)
        facts = {"one": event_words(one), "other": event_words(other)}
        return Instance(
            self.key,
            parameters,
            prompt=_(
                "You draw one card from the full deck. What is the chance that it %(one)s or "
                "%(other)s (or both)?"
            )
            % facts,
            fields=(Field("chance", _("Chance"), Form.CHANCE),),
            right={"chance": chance},
            wrong=(
                Wrong(
                    Misconception.DOUBLE_COUNT,
                    {"chance": Fraction(first + second, CARDS)},
                    _(
                        "You added the two groups of cards. Is there a card that stands in "
                        "both groups, and how often did you count it?"
                    ),
                ),
                Wrong(
                    Misconception.AND_FOR_OR,
                    {"chance": Fraction(both, CARDS)},
                    _(
                        "You counted the cards that do both. Does a card that does only one of "
                        "the two fit the question, too?"
                    ),
                ),
                opposite("chance", chance),
            ),
            solution=(
                _(
                    "%(first)d cards are in the first group, %(second)d in the second, "
                    "%(both)d in both. Added up, those in both are counted twice, so take them "
                    "off once:"
                )
                % {"first": first, "second": second, "both": both},
                math(
                    tex_over(f"{first} + {second} - {both}", CARDS)
                    + f" = {tex_over(first + second - both, CARDS)} {tex_decimal(chance)}"
                ),
            ),
        )

    def _structure(self, parameters: Parameters) -> Instance:
        """The chance of both, from the other three."""
        one, other = parameters["events"]
        first, second, both = count_cards(one), count_cards(other), count_cards(one, other)
        either = first + second - both
        chance = Fraction(both, CARDS)
        facts = {
            "one": event_words(one),
            "other": event_words(other),
            "first": f"{first}/{CARDS}",
            "second": f"{second}/{CARDS}",
            "either": f"{either}/{CARDS}",
        }
        return Instance(
            self.key,
            parameters,
            prompt=_(
                "You draw one card. The chance that it %(one)s is %(first)s. The chance that "
                "it %(other)s is %(second)s. The chance of one or the other (or both) is "
                "%(either)s. What is the chance of both?"
            )
            % facts,
            fields=(Field("chance", _("Chance of both"), Form.CHANCE),),
            right={"chance": chance},
            wrong=(
                Wrong(
                    Misconception.DOUBLE_COUNT,
                    {"chance": Fraction(first + second, CARDS)},
                    _(
                        "You added the two chances. Which cards are counted twice in that sum, "
                        "and how many are left if each is counted once?"
                    ),
                ),
                Wrong(
                    Misconception.AND_FOR_OR,
                    {"chance": Fraction(either, CARDS)},
                    _(
                        "You gave the chance of one or the other. Does a card that does only "
                        "one of the two fit the question?"
                    ),
                ),
                opposite("chance", chance),
            ),
            solution=(
                _("In the sum of the two chances the cards of both stand twice, else once:"),
                math(
                    f"{tex_over(f'{first} + {second} - {either}', CARDS)} = "
                    f"{tex_over(both, CARDS)} {tex_decimal(chance)}"
                ),
            ),
        )


EXERCISES = (InverseChance(), EitherChance())

"""A question about the hands that a class was dealt: type 21."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.rules import HAND_SIZE
from lessons.exercises.answers import Form
from lessons.exercises.class_results import intro, results
from lessons.exercises.contexts import Context, Family
from lessons.exercises.deal import draw_mark, mark_words, marked
from lessons.exercises.engine import (
    LEVEL,
    Exercise,
    ExerciseKind,
    Field,
    Instance,
    Parameters,
    Wrong,
    choice,
)
from lessons.exercises.events import holds
from lessons.exercises.skills import Misconception, Skill
from lessons.exercises.spread import variance_hint
from lessons.exercises.texts import decimal, math, printed, tex_decimal, tex_over
from lessons.probability import frequency_error, none_of


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


EXERCISES = (Frequency(),)

"""Questions about centre and spread of a deck's values: type 4."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from lessons.exercises.answers import DIGITS, Form
from lessons.exercises.contexts import Context, Family
from lessons.exercises.deck import draw_deck, values_table
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
from lessons.exercises.texts import (
    deck_words,
    math,
    printed,
    tex,
    tex_decimal,
    tex_over,
    tex_root,
    tex_value,
)
from lessons.probability import (
    Exact,
    mean,
    root,
    share_within,
    value_counts,
    variance,
)


class DeckSpread(Exercise):
    number = 4
    key = "deck-spread"
    title = gettext_lazy("Centre and spread of the values")
    family, kind, level, lesson = Family.DECK, ExerciseKind.NUMBERS, "B", 2
    levels = ("B", "C")
    skill = Skill.SPREAD
    misconceptions = (
        Misconception.VARIANCE_FOR_SD,
        Misconception.SAMPLE_SD,
        Misconception.NORMAL_LAW,
    )

    def draw(self, rng: Random, context: Context) -> Parameters:
        return draw_deck(rng)

    def draw_at(self, level: str, rng: Random, context: Context) -> Parameters:
        drawn = super().draw_at(level, rng, context)
        if level == self.level:
            return drawn
        return {**drawn, "times": rng.choice((2, 3, 5, 10)), "plus": rng.choice((1, 4, 10))}

    def build(self, parameters: Parameters) -> Instance:
        if LEVEL in parameters:
            return self._structure(parameters)
        shapes, counts = parameters["shapes"], parameters["counts"]
        values = value_counts(len(shapes), counts)
        cards, squares = sum(values.values()), variance(values)
        shares = {k: share_within(values, k) for k in (1, 2)}
        law = _(
            "You gave the share under a smooth bell curve. This deck has only a few values: "
            "how many of its cards lie that close to the mean, counted?"
        )
        return Instance(
            self.key,
            parameters,
            prompt=deck_words(shapes, counts)
            + " "
            + _(
                "These cards are all there are. Find the mean of their values, the standard "
                "deviation (SD), and the shares of the cards that lie within one and within "
                "two SDs: at most that far from the mean."
            ),
            fields=(
                Field("mean", _("Mean"), Form.NUMBER),
                Field("sd", _("SD"), Form.NUMBER),
                Field("within1", _("Share within one SD"), Form.CHANCE),
                Field("within2", _("Share within two SDs"), Form.CHANCE),
            ),
            right={
                "mean": mean(values),
                "sd": root(squares),
                "within1": shares[1],
                "within2": shares[2],
            },
            wrong=(
                Wrong(Misconception.VARIANCE_FOR_SD, {"sd": squares}, variance_hint()),
                Wrong(
                    Misconception.SAMPLE_SD,
                    {"sd": root(squares * Fraction(cards, cards - 1))},
                    sample_hint(),
                ),
                *(
                    Wrong(Misconception.NORMAL_LAW, {field: Fraction(share, 10_000)}, law)
                    for field, share in (
                        ("within1", 6800),
                        ("within1", 6827),
                        ("within2", 9500),
                        ("within2", 9545),
                    )
                ),
            ),
            solution=(
                _("The values lie evenly around their mean %(mean)s.")
                % {"mean": math(tex_value(mean(values)))},
                _("The mean squared distance is the variance; its root is the SD:")
                + " "
                + math(f"{tex_root(squares)} {tex_decimal(root(squares), 4)}"),
                _("Counted: %(one)s of the cards lie within one SD, %(two)s within two.")
                % {
                    "one": math(_share(shares[1], cards)),
                    "two": math(_share(shares[2], cards)),
                },
            ),
            tables=(values_table(values),),
        )

    def _structure(self, parameters: Parameters) -> Instance:
        """What becomes of mean and SD when all values are multiplied and moved."""
        times, plus = parameters["times"], parameters["plus"]
        values = value_counts(len(parameters["shapes"]), parameters["counts"])
        old, squares = mean(values), variance(values)
        return Instance(
            self.key,
            parameters,
            prompt=_(
                "The values of a deck have the mean %(mean)s and the SD %(sd)s. In a new game "
                "a card is worth %(times)d times its value, and %(plus)d more. What are the "
                "mean and the SD of what the cards are worth?"
            )
            % {
                "mean": math(tex_value(old)),
                "sd": math(tex_value(root(squares))),
                "times": times,
                "plus": plus,
            },
            fields=(Field("mean", _("Mean"), Form.NUMBER), Field("sd", _("SD"), Form.NUMBER)),
            right={"mean": times * old + plus, "sd": root(times**2 * squares)},
            follows={"sd": (times * printed(root(squares)),)},
            wrong=(
                Wrong(
                    Misconception.VARIANCE_FOR_SD, {"sd": times**2 * squares}, variance_hint()
                ),
            ),
            solution=(
                _("Every value is multiplied and moved, so the mean is, too:")
                + " "
                + math(rf"{times} \cdot {tex(old)} + {plus} = {tex_value(times * old + plus)}"),
                _("Distances from the mean are multiplied; moving all cards changes none:")
                + " "
                + math(
                    rf"{times} \cdot {tex(root(squares))} "
                    + tex_decimal(root(times**2 * squares))
                ),
            ),
        )


def _share(share: Fraction, cards: int) -> str:
    return f"{tex_over(int(share * cards), cards)} {tex_decimal(share)}"


def from_variance(squares: Fraction) -> tuple[Exact, ...]:
    """The SDs that come out of this variance as a student may have rounded it on the way."""
    return tuple(root(printed(squares, digits)) for digits in (DIGITS, DIGITS + 1))


def variance_hint() -> str:
    return _(
        "You gave the mean squared distance, the variance. Which step brings squared distances "
        "back to the units of the values?"
    )


def sample_hint() -> str:
    return _(
        "You divided by one less than the number of cases. That is for estimating from a "
        "sample: do you have a sample here, or everything?"
    )


EXERCISES = (DeckSpread(),)

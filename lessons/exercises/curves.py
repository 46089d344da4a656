"""Questions about the curves of a deck's classes: type 3."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.rules import DECK
from games.words import call_words
from lessons.exercises.answers import Form
from lessons.exercises.contexts import Context, Family
from lessons.exercises.deck import ALL_COUNTS, ALL_SHAPES
from lessons.exercises.engine import (
    Answer,
    Exercise,
    ExerciseKind,
    Field,
    Graph,
    Instance,
    Looks,
    Parameters,
    Series,
    Wrong,
    WrongLooks,
)
from lessons.exercises.skills import Misconception, Skill
from lessons.exercises.texts import (
    deck_words,
    math,
    tex,
)
from lessons.probability import (
    class_value_counts,
    mean,
    value_counts,
    variance,
)


class CountCurve(Exercise):
    number = 3
    key = "count-curve"
    title = gettext_lazy("Three curves in one deck")
    family, kind, level, lesson = Family.DECK, ExerciseKind.GRAPH, "B", 2
    skill = Skill.GRAPHS
    misconceptions = (
        Misconception.IGNORES_CONDITION,
        Misconception.EQUIPROBABLE,
        Misconception.OTHER_CLASS,
    )

    def draw(self, rng: Random, context: Context) -> Parameters:
        shapes = sorted(rng.sample(ALL_SHAPES, rng.choice((3, 4))))
        return {
            "shapes": shapes,
            "shape": rng.choice(shapes),
            "count": rng.choice(ALL_COUNTS),
        }

    def build(self, parameters: Parameters) -> Instance:
        shapes, shape, count = parameters["shapes"], parameters["shape"], parameters["count"]
        k, middle = len(shapes), ALL_COUNTS[1]
        whole, drawn = value_counts(k), class_value_counts(middle, k)
        asked = class_value_counts(count, k)
        third = class_value_counts(sum(ALL_COUNTS) - middle - count, k)
        words = {c: call_words(_call(shape, c)) for c in (count, middle)}
        bars = {f"b{value}": value for value in whole}

        def heights(curve: dict[int, int]) -> dict[str, Answer]:
            return {bar: Fraction(curve.get(value, 0)) for bar, value in bars.items()}

        lowest = _(
            "You put the curve where another one is. All cards of this class share one count: "
            "what is the lowest value that such a card can have?"
        )
        everything = _(
            "You gave the mean of the whole deck. Which of its cards belong to the class, and "
            "where is their middle?"
        )
        another = _(
            "You took another class of cards. Which count do all cards of the class in the "
            "question show?"
        )
        return Instance(
            self.key,
            parameters,
            prompt=deck_words(shapes, ALL_COUNTS)
            + " "
            + _(
                "The curve for cards that show %(drawn)s is drawn: how many of them have each "
                "value. Plot the curve for cards that show %(asked)s, and give the mean value "
                "of these cards."
            )
            % {"drawn": words[middle], "asked": words[count]},
            fields=(
                *(
                    Field(bar, _("Value %(value)d") % {"value": value}, Form.COUNT)
                    for bar, value in bars.items()
                ),
                Field("mean", _("Mean value"), Form.NUMBER),
            ),
            right={**heights(asked), "mean": mean(asked)},
            wrong=(
                Wrong(Misconception.IGNORES_CONDITION, heights(drawn), lowest),
                Wrong(Misconception.IGNORES_CONDITION, {"mean": mean(whole)}, everything),
                Wrong(
                    Misconception.IGNORES_CONDITION,
                    heights(whole),
                    _("You counted the whole deck. Which cards belong to the class?"),
                ),
                Wrong(Misconception.OTHER_CLASS, heights(third), another),
                Wrong(Misconception.OTHER_CLASS, {"mean": mean(third)}, another),
            ),
            solution=(
                _(
                    "With %(asked)s fixed, the other shapes make %(counts)s cards, from value "
                    "%(lowest)d up."
                )
                % {
                    "asked": words[count],
                    "counts": ", ".join(map(str, asked.values())),
                    "lowest": min(asked),
                },
                _(
                    "The three curves have the same form and the same variance, %(variance)s; "
                    "only the mean moves, here to %(mean)s."
                )
                % {
                    "variance": math(tex(variance(asked))),
                    "mean": math(tex(mean(asked))),
                },
            ),
            graph=Graph(
                kind="curve",
                categories=tuple(str(value) for value in whole),
                series=(
                    Series(words[middle], tuple(drawn.get(value, 0) for value in whole)),
                    Series(words[count], fields=tuple(bars)),
                ),
                top=max(whole.values()) + 1,
            ),
            looks=(
                WrongLooks(
                    Misconception.EQUIPROBABLE,
                    tuple(bars),
                    Looks.FLAT,
                    _(
                        "You gave every value the same number of cards. In how many ways can "
                        "the other shapes make the lowest value, and in how many a middle one?"
                    ),
                ),
                WrongLooks(
                    Misconception.IGNORES_CONDITION,
                    tuple(bars),
                    Looks.CENTRED,
                    _(
                        "Your curve has its middle where that of the whole deck is. Does a "
                        "fixed count leave the middle there, or move it?"
                    ),
                    at=int(mean(whole)) - min(whole),
                ),
            ),
        )


def _call(shape: int, count: int) -> Any:
    return next(
        call
        for card in DECK
        for call in card.calls
        if call.number == count and call.shape.position == shape
    )


EXERCISES = (CountCurve(),)

"""Questions about the curves of a deck's classes: type 3."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.words import call_words
from lessons.exercises.answers import Form
from lessons.exercises.contexts import Context, Family
from lessons.exercises.deck import ALL_COUNTS, ALL_SHAPES, call_of
from lessons.exercises.engine import (
    LEVEL,
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
    shape_words,
    tex,
    tex_value,
)
from lessons.probability import (
    class_value_counts,
    mean,
    value_counts,
    variance,
)

SMALLER = (
    (2, (1, 2, 3)),
    (2, (1, 2, 3, 4)),
    (3, (1, 2)),
    (3, (2, 3)),
    (3, (1, 2, 3)),
    (4, (1, 2)),
    (4, (2, 3)),
)
"""Decks by how many shapes they have, and with which counts."""


class CountCurve(Exercise):
    number = 3
    key = "count-curve"
    title = gettext_lazy("Three curves in one deck")
    family, kind, level, lesson = Family.DECK, ExerciseKind.GRAPH, "B", 2
    levels = ("B", "C")
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

    def draw_at(self, level: str, rng: Random, context: Context) -> Parameters:
        """C: from the curve of one class to that of the whole deck."""
        if level == self.level:
            return self.draw(rng, context)
        number, counts = rng.choice(SMALLER)
        shapes = sorted(rng.sample(ALL_SHAPES, number))
        return {
            "shapes": shapes,
            "counts": list(counts),
            "shape": rng.choice(shapes),
            "count": rng.choice([count for count in counts if count in ALL_COUNTS]),
            LEVEL: level,
        }

    def build(self, parameters: Parameters) -> Instance:
        if LEVEL in parameters:
            return self._structure(parameters)
        shapes, shape, count = parameters["shapes"], parameters["shape"], parameters["count"]
        k, middle = len(shapes), ALL_COUNTS[1]
        whole, drawn = value_counts(k), class_value_counts(middle, k)
        asked = class_value_counts(count, k)
        third = class_value_counts(sum(ALL_COUNTS) - middle - count, k)
        words = {c: call_words(call_of(shape, c)) for c in (count, middle)}
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

    def _structure(self, parameters: Parameters) -> Instance:
        """The whole deck's curve, of which every class makes up one part, moved along."""
        shapes, counts, shape = (parameters[key] for key in ("shapes", "counts", "shape"))
        k, count = len(shapes), parameters["count"]
        curves = {each: class_value_counts(each, k, counts) for each in counts}
        whole, drawn = value_counts(k, counts), curves[count]
        words = call_words(call_of(shape, count))
        bars = {f"b{value}": value for value in whole}

        def heights(curve: dict[int, int], times: int = 1) -> dict[str, Answer]:
            return {bar: Fraction(times * curve.get(v, 0)) for bar, v in bars.items()}

        part = Wrong(
            Misconception.OTHER_CLASS,
            {"mean": mean(drawn)},
            _(
                "You gave the mean of the cards whose curve is drawn. Which cards of the deck "
                "are missing there, and are their values higher or lower?"
            ),
        )
        return Instance(
            self.key,
            parameters,
            prompt=deck_words(shapes, counts)
            + " "
            + _(
                "The curve for cards that show %(drawn)s is drawn: how many of them have each "
                "value. Plot the curve of the whole deck, and give the mean value of all its "
                "cards."
            )
            % {"drawn": words},
            fields=(
                *(
                    Field(bar, _("Value %(value)d") % {"value": value}, Form.COUNT)
                    for bar, value in bars.items()
                ),
                Field("mean", _("Mean value"), Form.NUMBER),
            ),
            right={**heights(whole), "mean": mean(whole)},
            wrong=(
                Wrong(
                    Misconception.OTHER_CLASS,
                    heights(drawn),
                    _(
                        "You plotted the curve once more that is drawn already. Which cards of "
                        "the deck are not in it?"
                    ),
                ),
                Wrong(
                    Misconception.EQUIPROBABLE,
                    heights(drawn, len(counts)),
                    _(
                        "You put all curves at the same place. A card shows one more of this "
                        "shape, and all else stays: what becomes of its value?"
                    ),
                ),
                *((part,) if mean(drawn) != mean(whole) else ()),
            ),
            solution=(
                _("Each count makes a curve of the same form, moved along by its value:"),
                *(
                    _("%(call)s: %(cards)s cards, from value %(lowest)d up.")
                    % {
                        "call": _count_words(shape, each),
                        "cards": ", ".join(
                            map(str, class_value_counts(each, k, counts).values())
                        ),
                        "lowest": min(class_value_counts(each, k, counts)),
                    }
                    for each, curve in curves.items()
                ),
                _("Added up, value by value: %(cards)s cards, from value %(lowest)d up.")
                % {"cards": ", ".join(map(str, whole.values())), "lowest": min(whole)},
                _("The whole curve is even on both sides, so its mean is its middle: %(mean)s.")
                % {"mean": math(tex_value(mean(whole)))},
            ),
            graph=Graph(
                kind="curve",
                categories=tuple(str(value) for value in whole),
                series=(
                    Series(words, tuple(drawn.get(value, 0) for value in whole)),
                    Series(_("The whole deck"), fields=tuple(bars)),
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
                        "the shapes make the lowest value, and in how many a middle one?"
                    ),
                ),
            ),
        )


def _count_words(shape: int, count: int) -> str:
    """E.g. "2 balls"; also of a count that our own cards do not have."""
    if count in ALL_COUNTS:
        return call_words(call_of(shape, count))
    return f"{count} {shape_words([shape])}"


EXERCISES = (CountCurve(),)

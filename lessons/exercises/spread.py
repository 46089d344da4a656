"""Questions about how the cards of a deck spread: their curve, mean and pie; types 3 to 5."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from games.rules import DECK
from games.words import call_words
from lessons.exercises.answers import Form
from lessons.exercises.contexts import Context, Family
from lessons.exercises.deck import ALL_COUNTS, ALL_SHAPES, NEAR_DEGREES, draw_deck, values_table
from lessons.exercises.engine import (
    LEVEL,
    Answer,
    Exercise,
    ExerciseKind,
    Field,
    Graph,
    Instance,
    Looks,
    NumberTable,
    Parameters,
    Series,
    Wrong,
    WrongLooks,
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
    SHAPES,
    class_value_counts,
    mean,
    patterns,
    root,
    share_within,
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


class DeckPie(Exercise):
    number = 5
    key = "deck-pie"
    title = gettext_lazy("Slices of the deck")
    family, kind, level, lesson = Family.DECK, ExerciseKind.GRAPH, "A", 1
    skill = Skill.GRAPHS
    misconceptions = (
        Misconception.PERCENT_AS_DEGREES,
        Misconception.EQUIPROBABLE,
        Misconception.COUNTS_AS_DEGREES,
    )

    def draw(self, rng: Random, context: Context) -> Parameters:
        while True:  # until the whole degrees fill the pie: it has no room for one more
            parameters = self._any(rng)
            slices, _prompt = _slices(parameters)
            total = sum(slices.values())
            if sum(round(Fraction(360 * n, total)) for n in slices.values()) == 360:
                return parameters

    def _any(self, rng: Random) -> Parameters:
        if rng.random() < 0.5:
            shapes = sorted(rng.sample(ALL_SHAPES, rng.choice((3, 4, 4))))
            counts = [1, 2] if len(shapes) == SHAPES and rng.random() < 0.3 else ALL_COUNTS
            return {"slices": "patterns", "shapes": shapes, "counts": counts}
        first, second = sorted(rng.sample(range(5, 13), 2))
        return {"slices": "values", "from": [first, second]}

    def build(self, parameters: Parameters) -> Instance:
        slices, prompt = _slices(parameters)
        total, parts = sum(slices.values()), len(slices)
        keys = [f"s{index}" for index in range(parts)]
        numbers = dict(zip(keys, slices.values(), strict=True))
        same = _(
            "You gave every slice the same size. Do all of them stand for equally many cards?"
        )
        return Instance(
            self.key,
            parameters,
            prompt=prompt
            + " "
            + _("Draw the pie: how many degrees does each slice get? Whole degrees will do."),
            fields=tuple(
                Field(key, label, Form.DEGREES) for key, label in zip(keys, slices, strict=True)
            ),
            right={key: Fraction(360 * n, total) for key, n in numbers.items()},
            wrong=(
                *(
                    Wrong(
                        Misconception.PERCENT_AS_DEGREES,
                        {key: Fraction(100 * n, total)},
                        _(
                            "You gave the slice its percentage as degrees. How many degrees "
                            "does the whole pie have?"
                        ),
                    )
                    for key, n in numbers.items()
                    if abs(Fraction(100 * n, total) - n) >= NEAR_DEGREES
                ),
                Wrong(
                    Misconception.COUNTS_AS_DEGREES,
                    {key: Fraction(n) for key, n in numbers.items()},
                    _(
                        "You gave each slice as many degrees as it has cards. How many degrees "
                        "does the whole pie have, and how many of them does one card get?"
                    ),
                ),
                Wrong(
                    Misconception.EQUIPROBABLE,
                    dict.fromkeys(keys, Fraction(360, parts)),
                    same,
                ),
            ),
            solution=(
                _("Each card gets the same angle, and all of them the full circle:"),
                *(
                    math(rf"360^\circ \cdot {tex_over(n, total)} {_degrees(n, total)}^\circ")
                    for n in numbers.values()
                ),
            ),
            tables=(
                NumberTable(
                    caption=_("What the slices stand for"),
                    head=(_("Slice"), _("Cards")),
                    rows=tuple((label, str(n)) for label, n in slices.items()),
                ),
            ),
            graph=Graph(
                "pie",
                tuple(slices),
                (Series(_("The pie"), fields=tuple(keys)),),
                top=360,
                total=360,
            ),
            looks=(
                WrongLooks(Misconception.EQUIPROBABLE, tuple(keys), Looks.FLAT, same),
                WrongLooks(
                    Misconception.PERCENT_AS_DEGREES,
                    tuple(keys),
                    Looks.ADDS_UP,
                    _(
                        "Your slices add up as percents do. How many degrees does the whole "
                        "pie have?"
                    ),
                    at=100,
                ),
            ),
        )


def _degrees(n: int, total: int) -> str:
    return tex_decimal(Fraction(360 * n, total), 4)


def _slices(parameters: Parameters) -> tuple[dict[str, int], str]:
    """The slices' labels with their numbers of cards, and what they are slices of."""
    if parameters["slices"] == "values":
        bounds = [4, *parameters["from"], 13]
        slices = {
            pgettext("values", "%(low)d to %(high)d") % {"low": low, "high": high - 1}
            if high - low > 1
            else str(low): sum(n for value, n in value_counts().items() if low <= value < high)
            for low, high in pairwise(bounds)
        }
        return slices, _("The cards of the full deck are sorted by their value.")
    shapes, counts = parameters["shapes"], parameters["counts"]
    slices = {
        _pattern_words(pattern): number
        for pattern, number in patterns(len(shapes), counts).items()
    }
    sorted_ = _("The cards are sorted by how many of a card's own counts are alike.")
    return slices, f"{deck_words(shapes, counts)} {sorted_}"


def _pattern_words(pattern: tuple[int, ...]) -> str:
    words = {
        (4,): _("all four counts alike"),
        (3, 1): _("three alike, one different"),
        (2, 2): _("two pairs"),
        (2, 1, 1): _("one pair, two different"),
        (3,): _("all three counts alike"),
        (2, 1): _("two alike, one different"),
        (1, 1, 1): _("all three different"),
    }
    return words[pattern]


EXERCISES = (CountCurve(), DeckSpread(), DeckPie())

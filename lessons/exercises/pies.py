"""Questions about pies: type 5."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from random import Random

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from games.rules import DECK
from games.words import call_words, colon
from lessons.exercises.answers import Form
from lessons.exercises.contexts import Context, Family
from lessons.exercises.deck import ALL_COUNTS, ALL_SHAPES, call_of
from lessons.exercises.engine import (
    LEVEL,
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
    tex_decimal,
    tex_over,
)
from lessons.probability import (
    SHAPES,
    patterns,
    value_counts,
)

PROPORTIONS = (
    (2, 3),
    (2, 5),
    (3, 4),
    (2, 6),
    (3, 5),
    (2, 7),
    (3, 6),
    (4, 5),
    (3, 8),
    (4, 7),
    (5, 6),
)
"""For one card of one kind so many of the two others: together they share 360 degrees well."""

NEAR_DEGREES = 2
"""A percentage nearer than this to the number of cards could be meant as either."""


class DeckPie(Exercise):
    number = 5
    key = "deck-pie"
    title = gettext_lazy("Slices of the deck")
    family, kind, level, lesson = Family.DECK, ExerciseKind.GRAPH, "A", 1
    levels = ("A", "B")
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

    def draw_at(self, level: str, rng: Random, context: Context) -> Parameters:
        """B: a pile of cards of which only the proportions are known."""
        if level == self.level:
            return self.draw(rng, context)
        more = rng.choice(PROPORTIONS)
        most = len(DECK) // len(ALL_COUNTS) // max(more)
        return {
            "shape": rng.choice(ALL_SHAPES),
            "parts": rng.sample([1, *more], len(ALL_COUNTS)),
            "seen": rng.randint(2, most),
            LEVEL: level,
        }

    def build(self, parameters: Parameters) -> Instance:
        if LEVEL in parameters:
            return self._proportions(parameters)
        slices, prompt = _slices(parameters)
        total, parts = sum(slices.values()), len(slices)
        keys = [f"s{index}" for index in range(parts)]
        numbers = dict(zip(keys, slices.values(), strict=True))
        same = _same_hint()
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
                        _percent_hint(),
                    )
                    for key, n in numbers.items()
                    if abs(Fraction(100 * n, total) - n) >= NEAR_DEGREES
                ),
                Wrong(
                    Misconception.COUNTS_AS_DEGREES,
                    {key: Fraction(n) for key, n in numbers.items()},
                    _counts_hint(),
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
            looks=_looks(keys),
        )

    def _proportions(self, parameters: Parameters) -> Instance:
        """The pie knows shares alone; one slice that is counted tells all the others."""
        parts, seen = parameters["parts"], parameters["seen"]
        total, keys = sum(parts), [f"s{index}" for index in range(len(parts))]
        words = [call_words(call_of(parameters["shape"], count)) for count in ALL_COUNTS]
        unit = parts.index(1)
        first, second = (index for index in range(len(parts)) if index != unit)
        return Instance(
            self.key,
            parameters,
            prompt=_(
                "Somebody sorts a pile of cards. For every card that shows %(unit)s there are "
                "%(few)d that show %(first)s and %(more)d that show %(second)s. Draw the pie: "
                "how many degrees does each slice get? Then the cards that show %(unit)s are "
                "counted: there are %(seen)d. How many cards are in the pile?"
            )
            % {
                "unit": words[unit],
                "few": parts[first],
                "first": words[first],
                "more": parts[second],
                "second": words[second],
                "seen": seen,
            },
            fields=(
                *(
                    Field(key, label, Form.DEGREES)
                    for key, label in zip(keys, words, strict=True)
                ),
                Field("pile", _("Cards in the pile"), Form.COUNT),
            ),
            right={
                **{
                    key: Fraction(360 * part, total)
                    for key, part in zip(keys, parts, strict=True)
                },
                "pile": Fraction(seen * total),
            },
            wrong=(
                *(
                    Wrong(
                        Misconception.PERCENT_AS_DEGREES,
                        {key: Fraction(100 * part, total)},
                        _percent_hint(),
                    )
                    for key, part in zip(keys, parts, strict=True)
                    if abs(Fraction(100 * part, total) - seen * part) >= NEAR_DEGREES
                ),
                Wrong(
                    Misconception.COUNTS_AS_DEGREES,
                    {key: Fraction(seen * part) for key, part in zip(keys, parts, strict=True)},
                    _counts_hint(),
                ),
                Wrong(
                    Misconception.EQUIPROBABLE,
                    dict.fromkeys(keys, Fraction(360, len(parts))),
                    _same_hint(),
                ),
                Wrong(
                    Misconception.EQUIPROBABLE,
                    {"pile": Fraction(seen * len(parts))},
                    _same_hint(),
                ),
            ),
            solution=(
                _("The smallest such pile has %(cards)s cards, and they share the circle:")
                % {"cards": math(f"{' + '.join(map(str, parts))} = {total}")},
                *(
                    f"{label}{colon()}"
                    + math(
                        rf"360^\circ \cdot {tex_over(part, total)} "
                        rf"{_degrees(part, total)}^\circ"
                    )
                    for label, part in zip(words, parts, strict=True)
                ),
                _("The real pile has the same slices, with %(seen)d times as many cards:")
                % {"seen": seen}
                + " "
                + math(rf"{seen} \cdot {total} = {seen * total}"),
            ),
            graph=Graph(
                "pie",
                tuple(words),
                (Series(_("The pie"), fields=tuple(keys)),),
                top=360,
                total=360,
            ),
            looks=_looks(keys),
        )


def _same_hint() -> str:
    return _("You gave every slice the same size. Do all of them stand for equally many cards?")


def _percent_hint() -> str:
    return _(
        "You gave the slice its percentage as degrees. How many degrees does the whole pie "
        "have?"
    )


def _counts_hint() -> str:
    return _(
        "You gave each slice as many degrees as it has cards. How many degrees does the whole "
        "pie have, and how many of them does one card get?"
    )


def _looks(keys: Sequence[str]) -> tuple[WrongLooks, ...]:
    return (
        WrongLooks(Misconception.EQUIPROBABLE, tuple(keys), Looks.FLAT, _same_hint()),
        WrongLooks(
            Misconception.PERCENT_AS_DEGREES,
            tuple(keys),
            Looks.ADDS_UP,
            _("Your slices add up as percents do. How many degrees does the whole pie have?"),
            at=100,
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


EXERCISES = (DeckPie(),)
